"""The adb backend, as pytest uses it: a device of the pool for each scenario."""

from __future__ import annotations

import os
from contextlib import ExitStack

import pytest

from ..adb import AdbError, Device, Server
from ..adb.finding import find, wanted_serials
from ..adb.pool import NoDeviceLeft, Pool
from ..agent_pool import AgentPool
from ..control import Control
from ..kernel import KernelSession
from ..placement import Agents, PlacementError
from .agents import NoAgents
from .apps import Players
from .lab import LabLink
from .options import DeviceOptions
from .session import AndroidSession, LabSession, ShellSession
from .tier import tier_of


class _Known:
    """What stays the same between scenarios on one device."""

    def __init__(self, device: Device, options: DeviceOptions) -> None:
        self.device = device
        self.tier = tier_of(device, use_lab=options.lab, take_over_hal=options.take_over_hal)
        self._agents: Agents = self.tier.agents or NoAgents()
        self._processes = AgentPool(self._agents, keeps=True)
        self._named = options.apps
        self._players: Players | None = None

    def open(self, stack: ExitStack) -> KernelSession:
        """A session. What has to be closed after it goes onto the stack."""
        if self.tier.lab:
            control = Control(LabLink(self.device))
            stack.callback(control.close)
            return LabSession(self.device, control, self._agents, self._processes)
        if self.tier.agents is None:
            return ShellSession(self.device, self.tier.own_uid)
        if self._players is None:
            self._players = Players.on(self.device, self._named)
        return AndroidSession(
            self.device,
            self.tier.own_uid,
            self._agents,
            self._players,
            self._processes,
            self.tier.program,
        )

    def close(self) -> None:
        """Ends what waits for further scenarios."""
        self._processes.close()


class AdbBackend:
    """Makes sessions on devices. They should be alike: what one can do is taken for all.

    Args:
        options: which devices, and how to use them.
    """

    name = "adb"

    def __init__(self, options: DeviceOptions | None = None) -> None:
        self._options = options or DeviceOptions()
        self._known: dict[str, _Known] = {}
        self._capabilities: frozenset[str] | None = None
        self._found: Pool | None = None

    def check(self) -> None:
        """Raises `PlacementError` if there is no device, or nothing can be played on it."""
        self._look()

    @property
    def capabilities(self) -> frozenset[str]:
        """What the devices can do. Skips the scenario that asks if all have been lost."""
        try:
            return self._look()
        except PlacementError as error:
            if isinstance(error.__cause__, NoDeviceLeft):
                pytest.skip(str(error))
            raise

    def _look(self) -> frozenset[str]:
        if self._capabilities is None:
            try:
                with self.pool.lease() as device:
                    self._capabilities = self._on(device).tier.capabilities
            except AdbError as error:
                raise PlacementError(str(error)) from error
        return self._capabilities

    @property
    def pool(self) -> Pool:
        """The devices. Raises `PlacementError` if there are none."""
        if self._found is None:
            try:
                servers = [Server.parse(text) for text in self._options.servers]
                servers = servers or [Server.from_environment()]
                for server in servers:
                    server.ensure_running()
                devices = find(servers, wanted_serials(self._options.serials))
            except AdbError as error:
                raise PlacementError(str(error)) from error
            self._found = Pool(devices, self._options.run or str(os.getpid()))
        return self._found

    def open(self, seed: int) -> KernelSession:
        """A session on a device that nobody else uses; skips the scenario if all have been lost."""
        with ExitStack() as stack:
            try:
                device = stack.enter_context(self.pool.lease())
                stack.callback(self.pool.look_at, device)
                session = self._on(device).open(stack)
            except NoDeviceLeft as error:
                pytest.skip(str(error))
            except AdbError as error:
                raise PlacementError(str(error)) from error
            # What the session itself ends comes first, and the device is given back last.
            outer = stack.pop_all()
            outer.push(session.closing.pop_all())
            session.closing = outer
            return session

    @property
    def places(self) -> int | None:
        return len(self.pool)

    def losses(self) -> dict[str, str]:
        return {} if self._found is None else self._found.losses()

    def close(self) -> None:
        """Ends what waits for further scenarios."""
        for known in self._known.values():
            known.close()
        self._known.clear()

    def _on(self, device: Device) -> _Known:
        key = f"{device.server}/{device.serial}"
        if key not in self._known:
            self._known[key] = _Known(device, self._options)
        return self._known[key]
