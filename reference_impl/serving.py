"""Serves a reference device on a real binder driver, for other programs.

    python -m reference_impl.serving --binder /dev/binder [--context-manager]

Registers `npu` and the HAL with the service manager that is there, or as the service manager itself. Prints
one line when others can come, and serves until it is interrupted or terminated, or, with `--control`, until
its input ends; see `control` for what can be said to it there. With `--part`, service and HAL are programs of
their own. Needs nothing but the standard library.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
from collections.abc import Mapping
from contextlib import AbstractContextManager, closing, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

from binder import BinderError
from reference_impl.buffers.heap_config import read_heap_config
from reference_impl.buffers.memory import MemoryUnavailable
from reference_impl.buffers.process import why_no_buffers
from reference_impl.buffers.provision import Provision, best_provision
from reference_impl.buffers.served import ServedBuffers
from reference_impl.constants import HAL_SERVICE, NPU_SERVICE
from reference_impl.control import APART, ELSEWHERE, HERE, Control
from reference_impl.device import ReferenceDevice
from reference_impl.hal_apart import serve_hal_controlled
from reference_impl.hal_kinds import DEFAULT_KIND, KINDS
from reference_impl.hal_process import HalProcess
from reference_impl.hal_work import Preemption
from reference_impl.kernel_processes import KernelDriver, NoServiceManager
from reference_impl.lines import CommandError
from reference_impl.names_process import NamesProcess

STOPPED, FAILED = 0, 2
DEFAULT_THREADS = 16
STAND_IN_HEAP_BYTES = 256 << 20
"""What each heap has where there is no /dev/wrapfd; memory is only taken as it is used."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What to serve.

    Attributes:
        path: the binder device.
        context_manager: whether to be the service manager, too.
        part: "all", or only the "service" or the "hal".
        hal: kind and traits of the HAL, as `HalProcess` takes them.
        hal_apart: whether a device that is controlled has its HAL in a program of its own that it starts.
        heaps: the heap configuration; None for a device without buffers.
    """

    path: str
    context_manager: bool = False
    part: str = "all"
    hal: Mapping[str, Any] = field(default_factory=dict)
    hal_apart: bool = False
    heaps: Path | None = None


NAMES = {
    "all": f"{NPU_SERVICE} and {HAL_SERVICE} are",
    "service": f"{NPU_SERVICE} is",
    "hal": f"{HAL_SERVICE} is",
}


def serve(wanted: Wanted) -> int:
    """Serves until SIGINT or SIGTERM. Returns an exit code."""
    stopped = threading.Event()

    def stop(signum: int, frame: FrameType | None) -> None:
        stopped.set()

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        provision = _provision(wanted)
        with _names(wanted), closing(_driver(wanted.path, DEFAULT_THREADS)) as driver:
            if wanted.part != "hal":
                device = ReferenceDevice(driver, with_hal=False, provision=provision)
                if wanted.part == "all":
                    device.start_hal(**wanted.hal)
            else:
                HalProcess(driver, **wanted.hal)
            _say(f"{NAMES[wanted.part]} served on {wanted.path} by pid {os.getpid()}; Ctrl-C ends it")
            # In slices, so that a signal is handled whatever the platform does with a lock's wait.
            while not stopped.wait(1.0):
                pass
    except (BinderError, NoServiceManager, ValueError) as error:
        return _fail(error)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    return STOPPED


def _provision(wanted: Wanted) -> Provision | None:
    """What buffers are made of. Raises ValueError if that cannot be had."""
    if wanted.heaps is None:
        return None
    config = read_heap_config(wanted.heaps)
    try:
        return best_provision(config, dict.fromkeys(config.names(), STAND_IN_HEAP_BYTES))
    except (MemoryUnavailable, OSError) as error:
        raise ValueError(f"no buffers: {error}") from error


def _driver(path: str, threads: int) -> KernelDriver:
    driver = KernelDriver(path, threads=threads)
    try:
        driver.wait_for_service_manager()
    except BaseException:
        driver.close()
        raise
    return driver


def serve_controlled(wanted: Wanted) -> int:
    """Serves until standard input ends, and does what it says. Returns an exit code."""
    try:
        provision = _provision(wanted)
        with _names(wanted):
            if wanted.part == "hal":
                with closing(_driver(wanted.path, 1)) as driver:
                    serve_hal_controlled(driver, sys.stdin, sys.stdout, **wanted.hal)
            else:
                where = ELSEWHERE if wanted.part == "service" else APART if wanted.hal_apart else HERE
                buffers = None if provision is not None or why_no_buffers() else ServedBuffers()
                with closing(
                    Control(wanted.path, hal=where, provision=provision, buffers=buffers)
                ) as control:
                    control.driver.wait_for_service_manager()
                    control.serve(sys.stdin, sys.stdout)
    except (BinderError, CommandError, NoServiceManager, ValueError) as error:
        return _fail(error)
    return STOPPED


def _names(wanted: Wanted) -> AbstractContextManager[object]:
    """The service manager, if we are to be it."""
    return closing(NamesProcess(wanted.path)) if wanted.context_manager else nullcontext()


def _fail(error: Exception) -> int:
    sys.stderr.write(f"serve: {error}\n")
    return FAILED


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m reference_impl.serving",
        description="Serve a reference NPU device on a binder driver.",
    )
    parser.add_argument("--binder", default="/dev/binder", metavar="DEV", help="the driver's device")
    parser.add_argument("--context-manager", action="store_true", help="be the service manager, too")
    parser.add_argument("--control", action="store_true", help="take JSON lines from standard input")
    parser.add_argument("--part", choices=NAMES, default="all", help="what of the device to serve")
    parser.add_argument(
        "--hal-apart", action="store_true", help="with --control: the HAL as a program of its own"
    )
    parser.add_argument(
        "--hal-kind", choices=KINDS, default=DEFAULT_KIND, help="which revision the HAL is of"
    )
    parser.add_argument("--hal-devices", type=int, default=1, metavar="N", help="how many NPUs it has")
    parser.add_argument("--hal-preemption", choices=[p.value for p in Preemption], default="pause")
    parser.add_argument("--heaps", type=Path, metavar="FILE", help="hand out buffers of these heaps (TOML)")
    given = parser.parse_args()
    traits = {"kind": given.hal_kind, "devices": given.hal_devices, "preemption": given.hal_preemption}
    wanted = Wanted(given.binder, given.context_manager, given.part, traits, given.hal_apart, given.heaps)
    return (serve_controlled if given.control else serve)(wanted)


if __name__ == "__main__":
    sys.exit(main())
