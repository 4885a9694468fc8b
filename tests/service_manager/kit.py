"""A driver with a service manager, and processes of several uids that use it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from struct import pack
from typing import Any

from binder import Binder, IBinder, Parcel
from binder.local import DeterministicScheduler, Driver, Process, ThreadScheduler
from generated.android.os import BnClientCallback, BnServiceCallback
from service_manager import Edition, ServiceManager, ServiceManagerServer, editions_of

EDITIONS = [(level, edition) for level in range(29, 38) for edition in editions_of(level)]
IDS = [f"{level}-{edition.name}" for level, edition in EDITIONS]
# Long enough for any of these tests on a busy machine; on virtual time it costs nothing.
PATIENCE = 20.0
DECLARED = "demo.IFoo/default"
CONTEXT = "context"


class Service(Binder):
    """A service that has nothing to say but the name of its interface."""

    def own_descriptor(self) -> str:
        return "demo.IFoo"


class Registered(BnServiceCallback):
    """Keeps what it hears."""

    def __init__(self) -> None:
        self.heard: list[tuple[str, IBinder]] = []

    def onRegistration(self, name: str, binder: IBinder) -> None:
        self.heard.append((name, binder))

    @property
    def names(self) -> list[str]:
        return [name for name, _ in self.heard]


class Used(BnClientCallback):
    """Keeps what it hears."""

    def __init__(self) -> None:
        self.heard: list[bool] = []

    def onClients(self, registered: IBinder, hasClients: bool) -> None:
        self.heard.append(hasClients)


class Device:
    """A device with a service manager.

    Attributes:
        system: a client of a system uid, in a process of its own; so is `other`.
        app: a client of an app's uid.
    """

    def __init__(self, kind: str, level: int, **options: Any) -> None:
        scheduler = DeterministicScheduler(1) if kind == "deterministic" else ThreadScheduler()
        self.level = level
        self.driver = Driver(scheduler, api_level=level)
        self.manager = self.driver.new_process("servicemanager", 1000)
        self.server = ServiceManagerServer(api_level=level, **options)
        self.manager.add_service(CONTEXT, self.server)
        self.system_process = self.driver.new_process("system", 1000)
        self.other_process = self.driver.new_process("other", 1041)
        self.app_process = self.driver.new_process("app", 10123)
        self.system = self.client(self.system_process)
        self.other = self.client(self.other_process)
        self.app = self.client(self.app_process)

    def context(self, process: Process) -> IBinder:
        """What handle 0 is to a process."""
        found = process.get_service(CONTEXT)
        assert found is not None
        return found

    def client(self, process: Process, **options: Any) -> ServiceManager:
        return ServiceManager(self.context(process), **options)

    def process(self, uid: int) -> Process:
        return self.driver.new_process(f"uid {uid}", uid)

    def settle(self) -> None:
        self.driver.scheduler.settle()

    def wait(self, condition: Callable[[], bool], timeout: float = PATIENCE) -> bool:
        return self.driver.scheduler.wait_until(condition, timeout)

    def send(self, code: int, request: bytes, offsets: tuple[int, ...] = ()) -> Parcel:
        """Has the other process send bytes of its own making. Returns the reply."""
        parcel = Parcel.from_bytes(request, offsets, api_level=self.level)
        return self.context(self.other_process).transact(code, parcel)


@contextmanager
def device(level: int = 37, kind: str = "deterministic", **options: Any) -> Iterator[Device]:
    made = Device(kind, level, **options)
    try:
        yield made
    finally:
        made.driver.close()


def string16(text: str) -> bytes:
    """A string as it is in a parcel."""
    units = text.encode("utf-16-le") + b"\0\0"
    return pack("<i", len(text)) + units + b"\0" * (-len(units) % 4)


def has(edition: Edition, name: str) -> bool:
    return name in edition.codes
