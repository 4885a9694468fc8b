"""The processes of a reference device under a real binder driver.

All but the service manager are in this one: each opens the device for itself, which to the driver makes it a
process of its own, with its own threads and its own death. They share pid and uid. The service manager is a
child, because the driver lets nobody call a context manager that has the same pid.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager

from binder import Binder, IBinder, StatusError
from binder.identity import serving
from binder.kernel import LocalDevice
from binder.kernel.observed import Exchange, ObservedProcess
from binder.local import Scheduler, ThreadScheduler
from generated.android.os import BnServiceCallback
from service_manager import ServiceManager

SERVICE_MANAGER_SECONDS = 10.0


class NoServiceManager(Exception):
    """Nobody is behind handle 0 of the device, and nobody can be."""


class KernelDriver:
    """Makes processes under one binder device.

    Args:
        path: the device.
        threads: how many threads of a process serve calls at most.
        observer: hears of transactions, with the label of the process that made or served them.
    """

    def __init__(
        self,
        path: str,
        *,
        threads: int,
        observer: Callable[[str, Exchange], None] = lambda label, exchange: None,
    ) -> None:
        self.path = path
        self.scheduler: Scheduler = ThreadScheduler()
        self._threads = threads
        self._observer = observer
        self._processes: list[ServedProcess] = []

    def open(self, label: str) -> ObservedProcess:
        """The device, opened for one more process. Raises `DeviceError`."""

        def observe(exchange: Exchange) -> None:
            self._observer(label, exchange)

        return ObservedProcess(LocalDevice(self.path), observe, max_threads=self._threads - 1)

    def new_process(self, label: str, uid: int) -> ServedProcess:
        """A process. Its uid is the one that we run as, whatever is asked for."""
        process = ServedProcess(self, label, self.open(label))
        self._processes = [other for other in self._processes if other.alive]
        self._processes.append(process)
        return process

    def wait_for_service_manager(self, timeout: float = SERVICE_MANAGER_SECONDS) -> None:
        """Raises `NoServiceManager` if it does not answer in time."""
        process = self.new_process("probe", 0)
        try:
            process.wait_for_service_manager(timeout)
        finally:
            process.kill()

    def processes(self) -> list[ServedProcess]:
        """Those that are alive."""
        return [process for process in self._processes if process.alive]

    def close(self) -> None:
        """Ends all processes."""
        for process in self.processes():
            process.kill()
        self.scheduler.close()


class ServedProcess:
    """A process under a real driver, with what `DeviceProcess` asks for."""

    def __init__(self, driver: KernelDriver, label: str, process: ObservedProcess) -> None:
        self.label = label
        self.process = process
        self.alive = True
        self._driver = driver
        self._manager = ServiceManager(process.context_manager())

    @property
    def pid(self) -> int:
        return os.getpid()

    @property
    def uid(self) -> int:
        return self.process.device.uid

    def running(self) -> AbstractContextManager[None]:
        return serving(self.process.identity, self.process.identity)

    def post(self, task: Callable[[], None]) -> None:
        """Has `task` run soon as this process, unless it has died by then."""

        def run() -> None:
            if self.alive:
                with self.running():
                    task()

        self._driver.scheduler.post(run)

    def kill(self) -> None:
        self.alive = False
        self.process.close()

    def add_service(self, name: str, binder: Binder) -> None:
        self._manager.add_service(name, binder)

    def get_service(self, name: str) -> IBinder | None:
        found = self._manager.check_service(name)
        return None if found is None else self.process.observed(found)

    def list_services(self) -> list[str]:
        """What the service manager knows."""
        return self._manager.list_services()

    def wait_for_service(self, name: str, found: Callable[[IBinder], None]) -> None:
        try:
            self._manager.register_for_notifications(name, _Arrival(self, self._manager, found))
        except StatusError:
            # Who has died waits for nothing.
            if self.alive:
                raise

    def wait_for_service_manager(self, timeout: float) -> None:
        """Raises `NoServiceManager` if it does not answer in time."""
        deadline = time.monotonic() + timeout
        pause = threading.Event()
        while True:
            try:
                self.process.context_manager().ping()
                return
            except StatusError as error:
                if time.monotonic() > deadline:
                    raise NoServiceManager(
                        f"{self._driver.path} has no service manager: start one, or be it"
                        f" (--context-manager); {error}"
                    ) from None
            pause.wait(0.1)


class _Arrival(BnServiceCallback):
    """Waits for a service that is alive, and passes it on once."""

    def __init__(
        self, process: ServedProcess, manager: ServiceManager, found: Callable[[IBinder], None]
    ) -> None:
        self._process = process
        self._manager = manager
        self._found = found
        self._done = False

    def onRegistration(self, name: str, binder: IBinder) -> None:
        self._process.post(lambda: self._pass_on(name, binder))

    def _pass_on(self, name: str, binder: IBinder) -> None:
        if self._done:
            return
        try:
            binder.ping()
        except StatusError:
            # The service manager has not heard yet of the death of the one before.
            return
        self._done = True
        self._manager.unregister_for_notifications(name, self)
        self._found(self._process.process.observed(binder))
