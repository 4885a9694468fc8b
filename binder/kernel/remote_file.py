"""Descriptors of an agent's, which this process can use without having them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, NoReturn

from ..console import ConsoleFile
from ..errors import UsageError
from .framing import (
    AT_ITS_POSITION,
    FILE_STATUS,
    LONGEST_CHUNK,
    READ_FILE,
    READ_MEMORY,
    U32,
    WRITE_FILE,
    WRITE_MEMORY,
    FramingError,
    Operation,
    unpack,
)
from .remote_descriptors import RemoteDescriptors

if TYPE_CHECKING:
    from .remote import RemoteDevice

READY_SECONDS = 10.0
"""How long a pipe or a socket may have nothing to read, or take nothing, unless said otherwise."""


class FileStatus(NamedTuple):
    """What `fstat` says where the agent is: mode and size, and which file of which file system it is."""

    mode: int
    size: int
    device: int
    inode: int


class RemoteFile(ConsoleFile):
    """A descriptor of the agent's. `fileno` is its number there, and means nothing here.

    All methods raise `AgentError` if the agent's machine refuses, and what `RemoteDevice.ask` raises if the
    agent is lost.
    """

    __slots__ = ("_device",)

    def __init__(self, fd: int, device: RemoteDevice) -> None:
        super().__init__(fd, owned=False)
        self._device = device

    @classmethod
    def new(cls) -> NoReturn:
        raise UsageError("a file of an agent's is made by its RemoteDevice")

    def read(self) -> bytes:
        """All that is in the file."""
        parts: list[bytes] = []
        done = 0
        while part := self.read_some(LONGEST_CHUNK, done):
            parts.append(part)
            done += len(part)
        return b"".join(parts)

    def read_some(self, size: int, offset: int | None = None, seconds: float = READY_SECONDS) -> bytes:
        """At most so many bytes, and not more than a mebibyte; none at the end.

        Args:
            size: how many.
            offset: where from; where the last read has stopped unless given, as pipes want it.
            seconds: how long to wait until there is something.
        """
        where = AT_ITS_POSITION if offset is None else offset
        payload = READ_FILE.pack(self.fileno(), where, min(size, LONGEST_CHUNK), _milliseconds(seconds))
        return self._device.ask(Operation.READ_FILE, payload, by_thread=True, seconds=seconds)

    def write(self, data: bytes, offset: int | None = None, seconds: float = READY_SECONDS) -> None:
        """Writes all of it.

        Args:
            data: what.
            offset: where to; where the last write has stopped unless given.
            seconds: how long to wait until something can be written, each time.
        """
        done = 0
        while done < len(data):
            where = AT_ITS_POSITION if offset is None else offset + done
            payload = WRITE_FILE.pack(self.fileno(), where, _milliseconds(seconds))
            payload += data[done : done + LONGEST_CHUNK]
            answer = self._device.ask(Operation.WRITE_FILE, payload, by_thread=True, seconds=seconds)
            (written,) = unpack(U32, answer)
            if not written:
                raise FramingError("an agent that writes nothing")
            done += written

    def status(self) -> FileStatus:
        answer = self._device.ask(Operation.FILE_STATUS, U32.pack(self.fileno()))
        return FileStatus(*unpack(FILE_STATUS, answer))

    def read_memory(self, size: int, offset: int = 0) -> bytes:
        """What is in the memory that the descriptor can be mapped to, a buffer's for one."""
        parts = []
        for start in range(0, size, LONGEST_CHUNK):
            payload = READ_MEMORY.pack(self.fileno(), offset + start, min(size - start, LONGEST_CHUNK))
            parts.append(self._device.ask(Operation.READ_MEMORY, payload, by_thread=True))
        return b"".join(parts)

    def write_memory(self, data: bytes, offset: int = 0) -> None:
        """Changes that memory."""
        for start in range(0, len(data), LONGEST_CHUNK):
            payload = WRITE_MEMORY.pack(self.fileno(), offset + start) + data[start : start + LONGEST_CHUNK]
            self._device.ask(Operation.WRITE_MEMORY, payload, by_thread=True)

    def control(self, number: int, argument: bytes | int = 0) -> tuple[int, bytes]:
        """An ioctl.

        Args:
            number: which, as the agent's machine numbers them.
            argument: a structure, whose address the ioctl gets, or a number, which it gets itself.

        Returns:
            What the ioctl returns, and the structure as it left it.
        """
        return RemoteDescriptors(self._device).control(self.fileno(), number, argument)

    def copy(self) -> RemoteFile:
        """Another descriptor of the agent's for the same."""
        return RemoteFile(RemoteDescriptors(self._device).copy(self.fileno()), self._device)

    def detach(self) -> int:
        raise UsageError("the descriptor is another process's, and stays there")

    def close(self) -> None:
        if not self.closed:
            fd = self.fileno()
            super().close()
            self._device.tell(Operation.CLOSE_FILE, U32.pack(fd))

    def report_detached(self) -> None:
        """Nothing to tell: such descriptors are never detached."""


def _milliseconds(seconds: float) -> int:
    return min(int(seconds * 1000), 0x7FFFFFFF)
