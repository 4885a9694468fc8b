"""What an agent's process can do with its descriptors, by their numbers there, beside reading and writing.

`RemoteFile` owns one descriptor; this is for those who keep books of their own, as a process does.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, SupportsIndex

from .framing import (
    CONTROL_FILE,
    EXCHANGE,
    FILE_STATUS,
    LONGEST_CHUNK,
    MAP_FILE,
    OPEN_FILE,
    PIPE,
    POSITION,
    PROTECT,
    READ_MAPPED,
    SEEK_FILE,
    U32,
    UNMAP,
    WRITE_MAPPED,
    FramingError,
    OpenFlag,
    Operation,
    pack_message,
    unpack,
    unpack_message,
)

if TYPE_CHECKING:
    from .remote import RemoteDevice

EXCHANGE_SECONDS = 60.0


class RemoteDescriptors:
    """An agent's descriptors. All methods raise what `RemoteFile`'s do.

    Args:
        device: to the agent.
    """

    def __init__(self, device: RemoteDevice) -> None:
        self._device = device

    def open(self, path: str, flags: OpenFlag = OpenFlag.READ, mode: int = 0o600) -> int:
        """A file, or a device, of the agent's machine."""
        payload = OPEN_FILE.pack(flags, mode) + path.encode()
        return self._number(Operation.OPEN_FILE, payload)

    def create(self) -> int:
        """An empty file in memory."""
        (fd,) = unpack(U32, self._device.ask(Operation.CREATE_FILE))
        return fd

    def pipe(self) -> tuple[int, int]:
        """The ends to read from and to write to."""
        reading, writing = unpack(PIPE, self._device.ask(Operation.OPEN_PIPE))
        return reading, writing

    def connect(self, path: bytes) -> int:
        """A Unix socket for sequenced packets; a path that begins with a zero is a name of the kernel's."""
        return self._number(Operation.CONNECT, path)

    def copy(self, fd: int) -> int:
        (made,) = unpack(U32, self._device.ask(Operation.COPY_FILE, U32.pack(fd)))
        return made

    def close(self, fd: int) -> None:
        """Has it closed before anything else that is asked for from now on."""
        self._device.tell(Operation.CLOSE_FILE, U32.pack(fd))

    def check(self, fd: int) -> None:
        """Raises `AgentError` (EBADF) for a descriptor that is not open."""
        unpack(FILE_STATUS, self._device.ask(Operation.FILE_STATUS, U32.pack(fd)))

    def seek(self, fd: int, offset: int, whence: int) -> int:
        """`lseek`."""
        payload = SEEK_FILE.pack(fd, offset & 0xFFFFFFFF_FFFFFFFF, whence)
        (position,) = unpack(POSITION, self._device.ask(Operation.SEEK_FILE, payload, by_thread=True))
        return position

    def control(self, fd: int, number: int, argument: bytes | int = 0) -> tuple[int, bytes]:
        """An ioctl.

        Args:
            fd: of what.
            number: which, as the agent's machine numbers them.
            argument: a structure, whose address the ioctl gets, or a number, which it gets itself.

        Returns:
            What the ioctl returns, and the structure as it left it.
        """
        value, structure = (argument, b"") if isinstance(argument, int) else (0, argument)
        payload = CONTROL_FILE.pack(fd, number, value) + structure
        answer = self._device.ask(Operation.CONTROL_FILE, payload, by_thread=True)
        if len(answer) < U32.size:
            raise FramingError("the answer to an ioctl has no result")
        return int.from_bytes(answer[:4], "little", signed=True), answer[4:]

    def exchange(
        self, fd: int, data: bytes, sent: Sequence[int] = (), seconds: float = EXCHANGE_SECONDS
    ) -> tuple[bytes, list[int]]:
        """Sends a message with descriptors through a socket. Returns the one that comes back, and its own.

        Args:
            fd: the socket.
            data: what to say; none of it comes back if the other side has ended.
            sent: descriptors that go with it.
            seconds: how long the other side may take.
        """
        payload = EXCHANGE.pack(fd, int(seconds * 1000)) + pack_message(sent, data)
        answer = self._device.ask(Operation.EXCHANGE, payload, by_thread=True, seconds=seconds)
        received, said = unpack_message(answer)
        return said, received

    def map(self, fd: int, length: int, prot: int, *, shared: bool = True, offset: int = 0) -> RemoteMapping:
        """`mmap` in the agent's process."""
        payload = MAP_FILE.pack(fd, offset, length, prot, shared)
        return RemoteMapping(self._device, self._number(Operation.MAP_FILE, payload), length, prot)

    def _number(self, operation: Operation, payload: bytes) -> int:
        (number,) = unpack(U32, self._device.ask(operation, payload, by_thread=True))
        return number


class RemoteMapping:
    """Memory that an agent has mapped. What is read and written travels."""

    def __init__(self, device: RemoteDevice, number: int, length: int, prot: int) -> None:
        self._device = device
        self._number = number
        self.length = length
        self.prot = prot
        self.closed = False

    @property
    def view(self) -> RemoteView:
        return RemoteView(self)

    def read(self, offset: int, size: int) -> bytes:
        """Raises `AgentError` (EFAULT) for what is not there or may not be read."""
        parts = []
        for start in range(offset, offset + size, LONGEST_CHUNK):
            payload = READ_MAPPED.pack(self._number, start, min(offset + size - start, LONGEST_CHUNK))
            parts.append(self._device.ask(Operation.READ_MAPPED, payload, by_thread=True))
        return b"".join(parts)

    def write(self, offset: int, data: bytes) -> None:
        """Raises `AgentError` (EFAULT) for what is not there or may not be written."""
        for start in range(0, len(data), LONGEST_CHUNK):
            payload = WRITE_MAPPED.pack(self._number, offset + start) + data[start : start + LONGEST_CHUNK]
            self._device.ask(Operation.WRITE_MAPPED, payload, by_thread=True)

    def remove(self, offset: int, length: int) -> None:
        """Takes whole pages out of it, as munmap of a part does."""
        self._unmap(offset, length)

    def protect(self, offset: int, length: int, prot: int) -> None:
        """`mprotect` of whole pages."""
        payload = PROTECT.pack(self._number, offset, length, prot)
        self._device.ask(Operation.PROTECT, payload, by_thread=True)
        self.prot = prot

    def close(self) -> None:
        """Unmaps it. Twice is fine."""
        if not self.closed:
            self.closed = True
            self._unmap(0, 0)

    def _unmap(self, offset: int, length: int) -> None:
        payload = UNMAP.pack(self._number, offset, length)
        self._device.ask(Operation.UNMAP, payload, by_thread=True)


class Fetched(Protocol):
    """Memory whose parts have to be fetched."""

    length: int

    @property
    def prot(self) -> int: ...

    def read(self, offset: int, size: int) -> bytes: ...

    def write(self, offset: int, data: bytes) -> None: ...


class RemoteView:
    """Memory as something with slices, each of which is fetched or sent when it is used."""

    def __init__(self, mapping: Fetched) -> None:
        self._mapping = mapping

    @property
    def readonly(self) -> bool:
        return not self._mapping.prot & 2

    def __len__(self) -> int:
        return self._mapping.length

    def __getitem__(self, part: slice[SupportsIndex | None]) -> bytes:
        start, end = self._range(part)
        return self._mapping.read(start, end - start)

    def __setitem__(self, part: slice[SupportsIndex | None], data: bytes) -> None:
        start, end = self._range(part)
        if len(data) != end - start:
            raise ValueError(f"{len(data)} bytes in the place of {end - start}")
        self._mapping.write(start, data)

    def _range(self, part: slice[SupportsIndex | None]) -> tuple[int, int]:
        start, end, step = part.indices(len(self))
        if step != 1:
            raise ValueError("only parts without gaps can be fetched")
        return start, max(start, end)
