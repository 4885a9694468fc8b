"""What the reference asks of a process and of what processes live under."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Protocol

from binder import Binder, IBinder
from binder.local import Scheduler


class DeviceProcess(Protocol):
    """A process on the device: `binder.local.Process`, or one under a real driver."""

    @property
    def label(self) -> str: ...

    @property
    def pid(self) -> int: ...

    @property
    def uid(self) -> int: ...

    @property
    def alive(self) -> bool:
        """False once it has been killed."""

    def running(self) -> AbstractContextManager[None]:
        """Runs the body as this process, on its own behalf."""

    def add_service(self, name: str, binder: Binder) -> None:
        """Registers an object of this process under a name."""

    def get_service(self, name: str) -> IBinder | None:
        """The object registered under a name; None if there is none."""

    def wait_for_service(self, name: str, found: Callable[[IBinder], None]) -> None:
        """Has `found` called once, soon or when the service appears."""

    def kill(self) -> None:
        """Ends the process. Whoever linked to the death of one of its objects is told."""


class DeviceDriver(Protocol):
    """What processes live under: `binder.local.Driver`, or a real driver."""

    @property
    def scheduler(self) -> Scheduler: ...

    def new_process(self, label: str, uid: int) -> DeviceProcess: ...
