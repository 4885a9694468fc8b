"""Programs of this project in the virtual machine, and the binder devices there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ...vm.machine import Machine
from ...vm.running import Running

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
CODE = "/opt/npukit"
SERVER_UID, CLIENT_UID = 1000, 10054


def prepare(machine: Machine, *rooms: str) -> None:
    """Copies the guest's programs, and rooms that the machine does not have otherwise."""
    machine.push(HERE / "guest", f"{CODE}/guest")
    for room in rooms:
        machine.push(ROOT / room, f"{CODE}/{room}")


@contextmanager
def serving(machine: Machine, *arguments: str, uid: int | None = SERVER_UID) -> Iterator[Running]:
    """A program of the guest's that says `ready` and serves until the end of the block."""
    with machine.spawn(["python3", "-m", *arguments], uid=uid) as server:
        server.line_with("ready", timeout=30)
        yield server
