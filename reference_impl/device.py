"""A whole reference device: platform, system server with the service, HAL and apps, under one driver."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from binder import Status, StatusError
from binder.local import SerialQueue
from generated.android.npumanager import INpuManagerService
from reference_impl.buffers.allocator import Allocators, Executor
from reference_impl.buffers.pool import BufferPool
from reference_impl.buffers.provision import Provision
from reference_impl.constants import NPU_SERVICE, SYSTEM_UID, Importance
from reference_impl.framework import NpuManager
from reference_impl.hal import SchedulingHal
from reference_impl.hal_kinds import DEFAULT_KIND
from reference_impl.hal_process import HalProcess
from reference_impl.platform import Package, Platform
from reference_impl.policies import POLICY_TYPES, PolicyFactory
from reference_impl.processes import DeviceDriver, DeviceProcess
from reference_impl.service import NpuManagerService

# ActivityManager notices that an app is gone a moment after binder has told of its death.
DEATH_NOTICE_SECONDS = 0.01


class ReferenceDevice:
    """The one place that wires things together.

    Attributes:
        driver: the binder driver everything lives under.
        platform: packages, importance, permissions and flags; change them through this object where it can.
        system_server: the process of the service.
        service: the service object, registered as `npu`.
    """

    def __init__(
        self,
        driver: DeviceDriver,
        *,
        packages: Iterable[Package] = (),
        flags: Mapping[str, bool] | None = None,
        policy_types: Mapping[int, PolicyFactory] = POLICY_TYPES,
        with_hal: bool = True,
        provision: Provision | None = None,
    ) -> None:
        """Boot a device.

        Args:
            driver: the binder driver; its scheduler is the clock of everything here.
            packages: what is installed at boot, beside the system's own.
            flags: aconfig flags that differ from `platform.DEFAULT_FLAGS`.
            policy_types: what makes a policy, by its number; put another one in to try it.
            with_hal: whether the HAL is there from the start.
            provision: what buffers are made of; None for a device without wrapfd.
        """
        self.driver = driver
        self.platform = Platform(packages, flags)
        self.system_server = driver.new_process("system_server", uid=SYSTEM_UID)
        self.service = NpuManagerService(
            self.platform, self.system_server.wait_for_service, policy_types, driver.scheduler.now
        )
        self.provision = provision
        if provision is not None:
            pool = BufferPool(provision, self.system_server.pid, self.service.priorities.priority_of)
            self.service.allocators = Allocators(pool, self._new_executor)
        self._hal: HalProcess | None = None
        self._apps: list[DeviceProcess] = []
        if with_hal:
            self.start_hal()
        with self.system_server.running():
            self.system_server.add_service(NPU_SERVICE, self.service)
            self.service.start()

    def start_hal(self, kind: str = DEFAULT_KIND, **traits: Any) -> SchedulingHal:
        """Start a HAL process, in place of one that is running. The service connects when it gets to it.

        Args:
            kind: one of `hal_kinds.KINDS`.
            traits: `devices` and `preemption`, as `SchedulingHal` takes them.
        """
        self.kill_hal()
        self._hal = HalProcess(self.driver, kind, **traits)
        return self._hal.hal

    def kill_hal(self) -> None:
        """End the HAL process, if there is one, and with it all work."""
        if self._hal is not None:
            self._hal.kill()
        self._hal = None

    @property
    def hal(self) -> SchedulingHal | None:
        """The scheduling HAL, or None while there is none."""
        return None if self._hal is None else self._hal.hal

    def install_package(self, package: Package) -> None:
        """Install or update a package. Raises ValueError if that would change its uid."""
        with self.system_server.running():
            self.platform.install(package)

    def remove_package(self, name: str) -> None:
        """End the processes of a package's uid and remove it. Raises KeyError if it is not installed."""
        uid = next((package.uid for package in self.platform.packages() if package.name == name), None)
        for process in [process for process in self._apps if process.uid == uid]:
            self.kill(process)
        with self.system_server.running():
            self.platform.remove(name)

    def set_importance(self, uid: int, importance: int) -> None:
        """Give `uid` an importance, as ActivityManager would when its app moves."""
        with self.system_server.running():
            self.platform.set_importance(uid, importance)

    def set_thermal_status(self, status: int) -> None:
        """Have the platform report this thermal status."""
        with self.system_server.running():
            self.platform.set_thermal_status(status)

    def set_flag(self, name: str, value: bool) -> None:
        """Turn an aconfig flag on or off. `npumanager_enabled` is read at boot only."""
        self.platform.set_flag(name, value)

    def start_process(self, uid: int, label: str | None = None) -> DeviceProcess:
        """Start a process of `uid`; its importance stays what it is.

        Args:
            uid: whose process.
            label: what reports call it; by default the first package of the uid.
        """
        packages = self.platform.packages_of(uid)
        process = self.driver.new_process(label or (packages[0].name if packages else f"uid{uid}"), uid=uid)
        self._apps.append(process)
        return process

    def kill(self, process: DeviceProcess) -> None:
        """Kill a process. If it was the last one of its uid, the uid is GONE a moment later."""
        process.kill()
        self._bury(process)
        self._apps = [app for app in self._apps if app is not process]
        self.driver.scheduler.call_later(DEATH_NOTICE_SECONDS, lambda: self._notice_death(process.uid))

    def shut_down(self) -> None:
        """End every process of this device, as a restart does. It is of no use afterwards."""
        # The service first: it need not hear of the other deaths.
        for process in [self.system_server, *self._apps]:
            process.kill()
            self._bury(process)
        self.release_buffers()
        self._apps.clear()
        self.kill_hal()

    def _new_executor(self) -> Executor:
        """A thread of the system server's, as it were: one task at a time, in order."""
        queue = SerialQueue(self.driver.scheduler)

        def run(task: Callable[[], None]) -> None:
            if self.system_server.alive:
                with self.system_server.running():
                    task()

        return lambda task: queue.submit(lambda: run(task))

    def _bury(self, process: DeviceProcess) -> None:
        if self.provision is not None:
            self.provision.process_died(process.pid)

    def release_buffers(self) -> None:
        """Close what the service holds of buffers, as the end of its process does."""
        if self.service.allocators is not None:
            self.service.allocators.pool.close()

    def npu_service(self, process: DeviceProcess) -> INpuManagerService:
        """The service as `process` sees it. Raises StatusError if it is not there."""
        binder = process.get_service(NPU_SERVICE)
        if binder is None:
            raise StatusError(Status.NAME_NOT_FOUND, NPU_SERVICE)
        return INpuManagerService.from_binder(binder)

    def npu_manager(self, process: DeviceProcess) -> NpuManager:
        """What an app in `process` gets from getSystemService(NpuManager.class)."""
        return NpuManager(self.npu_service(process))

    def _notice_death(self, uid: int) -> None:
        if not any(app.uid == uid for app in self._apps):
            self.set_importance(uid, Importance.GONE)
