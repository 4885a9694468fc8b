"""The words of scenarios for /dev/wrapfd, which an app uses itself."""

from __future__ import annotations

from mmap import PAGESIZE, PROT_READ
from typing import TYPE_CHECKING, Self

from .backend import ScenarioFailure
from .memory import Mapping, ProcessMemory
from .news import PROT_RW, STATE_NAMES

if TYPE_CHECKING:
    from .vocabulary import App


class Wrap:
    """A wrap as one process sees it. What the driver refuses is raised as OSError."""

    def __init__(self, app: App, fd: int) -> None:
        self.app = app
        self.fd = fd

    @property
    def memory(self) -> ProcessMemory:
        return self.app.memory

    def by(self, other: App) -> Wrap:
        """The same wrap in another process, which has been given a copy of the descriptor."""
        return Wrap(other, other.memory.receive(self.fd, self.memory))

    def state(self) -> int:
        return self.memory.driver.state(self.fd)

    def acquire(self) -> Self:
        self.memory.driver.acquire(self.fd)
        return self

    def release(self) -> Self:
        self.memory.driver.release(self.fd)
        return self

    def load(self, file: int, *, file_offset: int = 0, offset: int = 0, length: int = PAGESIZE) -> Self:
        self.memory.driver.load(self.fd, file, file_offset, offset, length)
        return self

    def rewrap(self, prot: int) -> Wrap:
        return Wrap(self.app, self.memory.keep(self.memory.driver.rewrap(self.fd, prot)))

    def empty(self) -> Self:
        self.memory.driver.empty(self.fd)
        return self

    def allow_guests(self) -> Self:
        self.memory.driver.allow_guests(self.fd)
        return self

    def prohibit_guests(self) -> Self:
        self.memory.driver.prohibit_guests(self.fd)
        return self

    def map(self, prot: int = PROT_READ, *, pages: int = 1, shared: bool = True, offset: int = 0) -> Mapping:
        return self.memory.map(self.fd, pages * PAGESIZE, prot, shared=shared, offset=offset)

    def size(self) -> int:
        return self.memory.driver.size(self.fd)

    def info(self, line: str) -> str:
        """A line of the driver's fdinfo, "" if there is none."""
        return self.memory.driver.fdinfo(self.fd).get(line, "")

    def ioctl(self, request: int, argument: bytes = b"") -> tuple[int, bytes]:
        return self.memory.driver.port.ioctl(self.fd, request, argument)

    def peek(self, length: int = 2) -> bytes:
        """What the descriptor yields to somebody who reads it without asking the driver."""
        return self.memory.read(self.fd, length)

    def reads(self, length: int = 2, *, offset: int = 0) -> bytes:
        """The first bytes, through a mapping."""
        mapping = self.map(offset=offset)
        try:
            return bytes(mapping.view[:length])
        finally:
            mapping.close()

    def close(self) -> None:
        self.memory.close(self.fd)

    def expect_state(self, state: int) -> Self:
        if (found := self.state()) != state:
            raise ScenarioFailure(f"the wrap should be {STATE_NAMES[state]}, but is {STATE_NAMES[found]}")
        return self


class DriverWords:
    """What an app does with /dev/wrapfd itself. Needs "wrapfd"."""

    def __init__(self, app: App) -> None:
        self._app = app

    def dmabuf(self, pages: int = 2) -> int:
        return self._app.memory.dmabuf(pages * PAGESIZE)

    def wrap_fd(self, fd: int, prot: int = PROT_RW) -> Wrap:
        """A wrap of a descriptor."""
        memory = self._app.memory
        return Wrap(self._app, memory.keep(memory.driver.wrap(fd, prot)))

    def wrap(self, prot: int = PROT_RW, *, pages: int = 2) -> Wrap:
        """A wrap of a new dma-buf, which nothing else refers to."""
        dmabuf = self.dmabuf(pages)
        wrap = self.wrap_fd(dmabuf, prot)
        self._app.memory.close(dmabuf)
        return wrap
