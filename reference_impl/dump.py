"""What `dumpsys npu` and `cmd npu info` show."""

from __future__ import annotations

import json
from typing import IO, TYPE_CHECKING

from binder import calling_pid, calling_uid
from reference_impl.buffers.pool import BufferPool
from reference_impl.constants import FIRST_APPLICATION_UID, PERMISSION_DUMP
from reference_impl.platform import Platform
from reference_impl.policies.request_state import DUMP_NAMES

if TYPE_CHECKING:
    from reference_impl.service import NpuManagerService

INDENT = " " * 4


def dump(service: NpuManagerService, args: list[str], out: IO[str]) -> None:
    """Write the state of `service`, or one line of refusal to a caller without the DUMP permission."""
    if service.platform.holds_permission(calling_uid(), PERMISSION_DUMP):
        write_info(service, out)
    else:
        out.write(
            f"Permission Denial: can't dump npu from pid={calling_pid()}, uid={calling_uid()} "
            f"without permission {PERMISSION_DUMP}\n"
        )


def write_info(service: NpuManagerService, out: IO[str]) -> None:
    """Write policy, requests and priorities; then what only this service tells."""
    policy, requests = service.policy_and_requests()
    out.write(f"Policy: {policy.dump_name}\n")
    if policy.limits is not None:
        out.write(f"{INDENT}Max: {policy.limits.max_budget}\n{INDENT}Requests:\n")
        for request in requests:
            owner = _owner(service.platform, request.key.uid)
            out.write(f"{INDENT * 2}{owner}: {DUMP_NAMES[request.state]}\n")
    out.write("\nPriorities:\n")
    for config in sorted(service.priorities.table(), key=lambda config: config.priority):
        out.write(f"{INDENT}{_owner(service.platform, config.uid)} {config.priority}\n")
    out.write(f"\nThermal: {service.platform.thermal_status}\nHAL: {service.hal.state}\nMetrics:\n")
    for kind, number in sorted(service.metrics.counts.items()):
        out.write(f"{INDENT}{kind} {number}\n")
    if service.allocators is not None:
        _write_buffers(service.platform, service.allocators.pool, out)


def write_metrics(service: NpuManagerService, out: IO[str]) -> None:
    """Write counts and the latest events as JSON."""
    json.dump(service.metrics.as_json(), out, indent=1)
    out.write("\n")


def _write_buffers(platform: Platform, pool: BufferPool, out: IO[str]) -> None:
    """What buffers are made of, and whose there are."""
    heaps, config = pool.provision.heaps, pool.provision.config
    out.write(f"\nBuffers:\n{INDENT}Driver: {pool.driver_name}\n{INDENT}Heaps: {heaps.name}\n")
    for name in config.names() if config else ():
        usage = heaps.usage(name)
        used = f"{usage[0]} of {usage[1]} bytes used" if usage else "usage unknown"
        out.write(f"{INDENT}Heap {name}: {used}\n")
    for buffer in pool.buffers():
        what = f"{buffer.size} bytes of {buffer.heap}, priority {buffer.priority}, {buffer.state}"
        out.write(f"{INDENT * 2}{_owner(platform, buffer.uid)} buffer {buffer.app_request_id}: {what}\n")


def _owner(platform: Platform, uid: int) -> str:
    """A uid and, in brackets, whose it is; up to and including the first app uid, the system's."""
    packages = platform.packages_of(uid)
    if uid <= FIRST_APPLICATION_UID:
        name = "system"
    else:
        name = packages[0].name if packages else ""
    return f"{uid} [{name}]"
