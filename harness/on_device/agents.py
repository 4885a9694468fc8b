"""Agents on a device: one for each process that a scenario plays."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from binder.kernel.device import DeviceError
from binder.kernel.remote import RemoteDevice
from binder.kernel.streams import Stream

from ..adb import AdbError, Completed, Device
from ..agent.build import BuildError, Report
from ..agent.install import InstallError, install, start
from ..placement import PlacementError

BINDER = "/dev/binder"


class _Target:
    """A device as the agent's installation sees it."""

    def __init__(self, device: Device) -> None:
        self._device = device

    def shell(self, command: str) -> Completed:
        return self._device.shell(command, repeatable=True)

    def push(self, source: Path, path: str, *, mode: int) -> object:
        return self._device.push(source, path, mode=mode)

    def stream(self, command: str) -> Stream:
        return self._device.stream(command)


class NoAgents:
    """Where none can run."""

    def open_device(self, uid: int) -> RemoteDevice:
        raise PlacementError(f"no agent runs on the device, so there is no process with uid {uid}")


class DeviceAgents:
    """Starts agents on a device.

    Args:
        device: where.
        own_uid: whom a program of adb's runs as: 2000 for the shell, 0 for root.
        binder: the binder device.
        report: hears what takes its time.
    """

    def __init__(
        self,
        device: Device,
        own_uid: int,
        *,
        binder: str = BINDER,
        report: Report = lambda text: None,
    ) -> None:
        self._target = _Target(device)
        self._own_uid = own_uid
        self._binder = binder
        self._report = report
        self._path: str | None = None
        self._serial = device.serial

    def open_device(self, uid: int) -> RemoteDevice:
        """The binder device, opened by a process under that uid.

        Raises:
            PlacementError: there is no agent for the device, or it does not start.
        """
        return self._attempt(lambda path: self._start(path, uid))

    def can_be(self, uid: int) -> bool:
        """Whether an agent can run under a uid."""
        try:
            self.open_device(uid).close()
        except PlacementError:
            return False
        return True

    def _start(self, path: str, uid: int) -> RemoteDevice:
        is_root = self._own_uid == 0
        return start(
            self._target,
            path,
            self._binder,
            uid=None if uid == self._own_uid else uid,
            through_su=not is_root,
            name=f"the agent with uid {uid} on {self._serial}",
        )

    def _attempt(self, use: Callable[[str], RemoteDevice]) -> RemoteDevice:
        try:
            if self._path is None:
                self._path = install(self._target, self._report)
            return use(self._path)
        except (AdbError, BuildError, InstallError, DeviceError) as error:
            raise PlacementError(str(error)) from error
