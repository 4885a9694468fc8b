"""The HAL's process: the scheduling interface, and the interface through which programs give it work."""

from __future__ import annotations

from typing import Any

from reference_impl.constants import HAL_SERVICE, NPU_DEVICE_SERVICE, SYSTEM_UID
from reference_impl.hal_kinds import DEFAULT_KIND, make_hal
from reference_impl.npu_device import NpuDevice
from reference_impl.processes import DeviceDriver

HAL_UID = SYSTEM_UID  # HAL services commonly run as user system


class HalProcess:
    """A process under a binder driver that serves a HAL.

    Attributes:
        hal: the HAL.
    """

    def __init__(self, driver: DeviceDriver, kind: str = DEFAULT_KIND, **traits: Any) -> None:
        """Start one.

        Args:
            driver: where; its scheduler is the HAL's clock.
            kind: one of `hal_kinds.KINDS`.
            traits: `devices` and `preemption`, as `SchedulingHal` takes them.
        """
        self._process = driver.new_process("npu-hal", uid=HAL_UID)
        self.hal = make_hal(driver.scheduler, kind, **traits)
        with self._process.running():
            self._process.add_service(HAL_SERVICE, self.hal)
            self._process.add_service(NPU_DEVICE_SERVICE, NpuDevice(self.hal))

    def kill(self) -> None:
        """End it, and with it all work."""
        self.hal.abandon()
        self._process.kill()
