"""What `harness doctor` and `harness devices` do, up to what is printed."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from .adb import AdbError, Server
from .adb.finding import Found, everything, one, wanted_serials
from .doctor import Diagnosis, diagnose
from .doctor.agent_test import agent_tester


def servers_named(addresses: Sequence[str]) -> list[Server]:
    """The servers at these addresses, or else where the environment says. One that should be here is started.

    Raises:
        AdbError: an address is none, or a server does not answer.
    """
    servers = [Server.parse(address) for address in addresses] or [Server.from_environment()]
    for server in dict.fromkeys(servers):
        if server.ensure_running():
            _say(f"started an adb server at {server}")
    return list(dict.fromkeys(servers))


def _say(text: str) -> None:
    print(f"harness: {text}", file=sys.stderr, flush=True)  # noqa: T201


class DeviceLost(Exception):
    """The device went while it was asked."""


def examine(serials: Sequence[str], addresses: Sequence[str], *, with_agent: bool) -> Diagnosis:
    """Diagnoses the one device that is meant.

    Raises:
        AdbError: it cannot be reached, or it is not clear which is meant.
        DeviceLost: it went meanwhile.
    """
    device = one(servers_named(addresses), wanted_serials(serials))
    try:
        return diagnose(device, agent_tester(_say) if with_agent else None)
    except AdbError as error:
        raise DeviceLost(str(error)) from None


def listed(addresses: Sequence[str]) -> list[Found]:
    """All devices of these servers, in whatever state; with ANDROID_SERIAL, only that one is talked to.

    Raises:
        AdbError: a server does not answer.
    """
    return everything(servers_named(addresses), wanted_serials([]))


def devices_as_json(found: Sequence[Found]) -> list[dict[str, Any]]:
    """For programs."""
    return [
        {
            "serial": entry.device.serial,
            "server": str(entry.device.server),
            "state": entry.state.name,
            "key": entry.key,
            "ready": entry.state.usable,
            **({"remedy": remedy} if (remedy := entry.state.remedy_for(entry.device.serial)) else {}),
        }
        for entry in found
    ]


def print_devices(found: Sequence[Found], out: Console) -> None:
    """For people: each device, and what to do about those that are not ready."""
    table = Table("serial", "server", "state", "device", box=None, header_style="bold", pad_edge=False)
    for entry in found:
        state = Text(entry.state.name, "green" if entry.state.usable else "yellow")
        about = (
            entry.key
            if entry.state.usable
            else f"{entry.state.meaning}; {entry.state.remedy_for(entry.device.serial)}"
        )
        table.add_row(Text(entry.device.serial), Text(str(entry.device.server)), state, Text(about))
    if table.rows:
        out.print(table)
    ready = sum(entry.state.usable for entry in found)
    devices = "1 device" if len(found) == 1 else f"{len(found)} devices"
    out.print(f"\n{devices}, {ready} ready" if found else "no device; see: adb connect HOST:PORT")
