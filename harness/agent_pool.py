"""The processes that are apps, and those of them that wait for the next scenario.

To start a process takes a machine without hardware virtualisation a tenth of a second, and every scenario has
a few. So a process that has survived its scenario can serve a later one under the same uid.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable
from contextlib import suppress
from itertools import count

from binder import Binder, BinderError, IBinder, Parcel, ParcelFileDescriptor
from binder.kernel.observed import Exchange
from binder.kernel.remote import RemoteFile, RemoteProcess
from service_manager import ServiceManager

from .backend import ScenarioFailure
from .placement import Agents

_SETTLING, _ENROL, _PASS_ON = "npukit.settling", 1, 2


class AgentProcess:
    """A process under a uid that has the binder device open, by an agent.

    Attributes:
        number: tells it from all others.
        observer: hears of its transactions.
        enrolled: whether the server knows it.
    """

    def __init__(self, agents: Agents, uid: int, number: int) -> None:
        self.uid = uid
        self.number = number
        self.observer: Callable[[Exchange], None] | None = None
        self.enrolled = False
        self.device = agents.open_device(uid)
        self.process = RemoteProcess(self.device, self._observe)
        self._names = ServiceManager(self.process.context_manager())
        self._barrier = _Barrier()

    def find(self, name: str) -> IBinder | None:
        """A service; None if there is none of that name."""
        return self._names.check_service(name)

    def enrol(self) -> bool:
        """Makes itself known to the server, which can then tell when nothing is on its way any more.

        Returns:
            Whether there is a server that wants to know.
        """
        settling = self.find(_SETTLING)
        if settling is None:
            return False
        data = settling.new_parcel()
        data.write_int32(self.number)
        data.write_strong_binder(self._barrier)
        settling.transact(_ENROL, data).release()
        self.enrolled = True
        return True

    def pass_on(self, fd: int, receiver: AgentProcess) -> RemoteFile:
        """Sends one of its descriptors to another process, through the binder driver.

        Returns:
            What the other one has now.
        """
        settling = self.find(_SETTLING)
        if settling is None:
            raise ScenarioFailure("nobody here passes descriptors on")
        data = settling.new_parcel()
        data.write_int32(receiver.number)
        data.write_file_descriptor(ParcelFileDescriptor(fd, owned=False))
        settling.transact(_PASS_ON, data).release()
        return receiver.take_passed()

    def take_passed(self) -> RemoteFile:
        """The latest descriptor that was sent to it."""
        return self._barrier.passed.pop()

    def _observe(self, exchange: Exchange) -> None:
        if exchange.target is self._barrier:
            return
        if not exchange.outgoing:
            self._barrier.served += 1
        if self.observer is not None:
            self.observer(exchange)


class _Barrier(Binder):
    """Says how many calls the process has served, and by answering that there were none before it."""

    served = 0

    def __init__(self) -> None:
        super().__init__()
        self.passed: list[RemoteFile] = []

    def on_transact(self, code: int, data: Parcel, reply: Parcel, flags: int) -> None:
        if code == _ENROL:
            reply.write_int32(self.served)
        elif code == _PASS_ON:
            file = data.read_file_descriptor()
            if isinstance(file, RemoteFile):
                self.passed.append(file)
        else:
            super().on_transact(code, data, reply, flags)


class AgentPool:
    """Processes by uid.

    Args:
        agents: start new ones.
        keeps: whether those that are given back wait for somebody else. If not, they end.
    """

    def __init__(self, agents: Agents, *, keeps: bool) -> None:
        self._agents = agents
        self._keeps = keeps
        self._idle: defaultdict[int, list[AgentProcess]] = defaultdict(list)
        self._numbers = count(time.monotonic_ns() % 1_000_000 * 1000)

    def take(self, uid: int) -> AgentProcess:
        """A process under a uid: one that waits, or a new one."""
        while self._idle[uid]:
            agent = self._idle[uid].pop()
            if not agent.device.lost:
                return agent
            agent.process.close()
        return AgentProcess(self._agents, uid, next(self._numbers))

    def give_back(self, agent: AgentProcess) -> None:
        """Its scenario has ended, and it has survived."""
        agent.observer = None
        if self._keeps:
            self._idle[agent.uid].append(agent)
        else:
            agent.process.close()

    def close(self) -> None:
        """Ends those that wait."""
        for agents in self._idle.values():
            for agent in agents:
                with suppress(BinderError):
                    agent.process.close()
        self._idle.clear()
