"""The language between `RemoteDevice` and the agent that has the device open, as bytes.

docs/agent.md says what each frame means, byte by byte. All numbers are little-endian. The stream is any that
carries bytes both ways: each side begins with a greeting, the host says right behind its own whom the agent
should run as and which device it should open, and then requests and answers go their ways.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from enum import IntEnum, IntFlag
from struct import Struct
from struct import error as StructError
from typing import NamedTuple

from ..errors import BinderError
from .commands import Blob, Writer

MAGIC = b"NPUB"
VERSION = 3
GREETING = Struct("<4sH")
WISH = Struct("<IH")
SAME_UID = 0xFFFFFFFF

# No honest frame is much longer than what the driver maps.
LONGEST_FRAME = 8 << 20
LONGEST_CHUNK = 1 << 20
"""Of a file, or of mapped memory, in one request."""

_LONGEST_SHOWN = 300
_READ_AT_ONCE = 1 << 16

AT_ITS_POSITION = (1 << 64) - 1
"""Instead of an offset: where the last read or write has stopped."""

_LENGTH = Struct("<I")
_REQUEST = Struct("<IIB")
_ANSWER = Struct("<IB")
_COUNT = Struct("<H")
_BLOB = Struct("<II")
_BLOCK = Struct("<QI")
U32 = Struct("<I")
READY = Struct("<II")
EXTENDED_ERROR = Struct("<BIi")
FILE_STATUS = Struct("<IQQQ")
ERROR = Struct("<i")
READ_FILE = Struct("<IQII")
WRITE_FILE = Struct("<IQI")
OPEN_FILE = Struct("<II")
READ_MEMORY = Struct("<IQI")
WRITE_MEMORY = Struct("<IQ")
CONTROL_FILE = Struct("<IIQ")
SEEK_FILE = Struct("<IQI")
POSITION = Struct("<Q")
PIPE = Struct("<II")
EXCHANGE = Struct("<II")
MAP_FILE = Struct("<IQQII")
UNMAP = Struct("<IQQ")
PROTECT = Struct("<IQQI")
READ_MAPPED = Struct("<IQI")
WRITE_MAPPED = Struct("<IQ")
_TAKEN = Struct("<I")


class Operation(IntEnum):
    WRITE = 1
    WRITE_READ = 2
    SET_MAX_THREADS = 3
    BECOME_MANAGER = 4
    EXIT_THREAD = 5
    EXTENDED_ERROR = 6
    WAKE = 7
    CLOSE = 8
    KILL = 9
    CREATE_FILE = 10
    READ_FILE = 11
    FILE_STATUS = 12
    CLOSE_FILE = 13
    OPEN_FILE = 14
    WRITE_FILE = 15
    READ_MEMORY = 16
    WRITE_MEMORY = 17
    CONTROL_FILE = 18
    COPY_FILE = 19
    SEEK_FILE = 20
    OPEN_PIPE = 21
    CONNECT = 22
    EXCHANGE = 23
    MAP_FILE = 24
    UNMAP = 25
    PROTECT = 26
    READ_MAPPED = 27
    WRITE_MAPPED = 28


class OpenFlag(IntFlag):
    """How to open a file. The operating systems' own numbers differ."""

    READ = 1
    WRITE = 2
    CREATE = 4
    EXCLUSIVE = 8
    TRUNCATE = 16
    APPEND = 32
    NONBLOCK = 64
    PATH = 128
    TEMPORARY = 256


class Outcome(IntEnum):
    OK = 0
    DEVICE_ERROR = 1
    """The device refuses it."""
    OS_ERROR = 2
    """The operating system does."""
    NOT_UNDERSTOOD = 3
    """The request makes no sense. The agent ends."""


class FramingError(BinderError):
    """The other side of a stream says what makes no sense, or nothing any more."""


class TooLongError(FramingError):
    """What was to be said does not fit into a frame. Nothing has been sent."""


class StreamEnded(FramingError):
    """There is nothing more to read."""


class Request(NamedTuple):
    thread: int
    number: int
    operation: int
    payload: bytes = b""


class Answer(NamedTuple):
    number: int
    outcome: int
    payload: bytes = b""


Read = Callable[[int], bytes]
"""At most so many bytes, at least one, or none at the end."""


def read_exactly(read: Read, size: int) -> bytes:
    """So many bytes. Raises `StreamEnded` if the stream ends before."""
    parts = []
    left = size
    while left:
        try:
            part = read(left)
        except ConnectionError:
            # A peer that left without reading all ends the stream as well.
            part = b""
        if not part:
            cut = f" after {size - left} of {size} bytes" if left != size else ""
            raise StreamEnded(f"the stream ended{cut}")
        parts.append(part)
        left -= len(part)
    return b"".join(parts)


def buffered(read: Read) -> Read:
    """The same stream, of which as much is read at one time as there is."""
    buffer = b""

    def read_some(size: int) -> bytes:
        nonlocal buffer
        if not buffer:
            buffer = read(max(size, _READ_AT_ONCE))
        some, buffer = buffer[:size], buffer[size:]
        return some

    return read_some


def greeting() -> bytes:
    return GREETING.pack(MAGIC, VERSION)


def check_greeting(read: Read, who: str) -> None:
    """Raises `FramingError` unless the other side speaks this language, and this version of it."""
    magic = read_exactly(read, len(MAGIC))
    if magic != MAGIC:
        said = _rest_of_line(read, magic).decode(errors="replace").strip()
        raise FramingError(f"{who} does not speak as an agent does: it says {said!r}")
    version = int.from_bytes(read_exactly(read, 2), "little")
    if version != VERSION:
        raise FramingError(f"{who} speaks version {version}, not {VERSION}: it needs the same code as here")


def _rest_of_line(read: Read, start: bytes) -> bytes:
    """What a shell, most likely, has to say: up to its end of line."""
    said = start
    with suppress(StreamEnded):
        while not said.endswith(b"\n") and len(said) < _LONGEST_SHOWN:
            said += read_exactly(read, 1)
    return said


def pack_wish(uid: int | None, path: str) -> bytes:
    name = path.encode()
    return WISH.pack(SAME_UID if uid is None else uid, len(name)) + name


def read_wish(read: Read) -> tuple[int | None, str]:
    uid, length = WISH.unpack(read_exactly(read, WISH.size))
    return (None if uid == SAME_UID else uid), read_exactly(read, length).decode(errors="replace")


def pack_request(request: Request) -> bytes:
    return _framed(_REQUEST.pack(*request[:3]) + request.payload)


def pack_answer(answer: Answer) -> bytes:
    return _framed(_ANSWER.pack(*answer[:2]) + answer.payload)


def pack_error(number: int, outcome: int, error: int, text: str) -> bytes:
    """An answer that is not OK: an errno as Linux has them, or 0, and a text for people."""
    return pack_answer(Answer(number, outcome, ERROR.pack(error) + text.encode()))


def unpack_error(payload: bytes) -> tuple[int, str]:
    if len(payload) < ERROR.size:
        raise FramingError("an error without a number")
    return ERROR.unpack_from(payload)[0], payload[ERROR.size :].decode(errors="replace")


def _framed(content: bytes) -> bytes:
    if len(content) > LONGEST_FRAME:
        raise TooLongError(f"a frame cannot have {len(content)} bytes, but {LONGEST_FRAME} at most")
    return _LENGTH.pack(len(content)) + content


def read_request(read: Read) -> Request:
    content = _read_frame(read, _REQUEST.size)
    thread, number, operation = _REQUEST.unpack_from(content)
    return Request(thread, number, operation, content[_REQUEST.size :])


def read_answer(read: Read) -> Answer:
    content = _read_frame(read, _ANSWER.size)
    number, outcome = _ANSWER.unpack_from(content)
    return Answer(number, outcome, content[_ANSWER.size :])


def _read_frame(read: Read, shortest: int) -> bytes:
    start = read_exactly(read, _LENGTH.size)
    (length,) = _LENGTH.unpack(start)
    if not shortest <= length <= LONGEST_FRAME:
        raise FramingError(f"a frame cannot have {length} bytes; it begins with {start!r}")
    return read_exactly(read, length)


def pack_commands(writer: Writer) -> bytes:
    parts = [_LENGTH.pack(len(writer.stream)), bytes(writer.stream), _COUNT.pack(len(writer.blobs))]
    for blob in writer.blobs:
        parts += [_BLOB.pack(blob.position, len(blob.data)), blob.data]
    return b"".join(parts)


def unpack_commands(payload: bytes) -> Writer:
    """Raises `FramingError` for what is none, or has addresses outside of its stream."""
    take = _Taking(payload)
    writer = Writer(bytearray(take.bytes(*take.numbers(_LENGTH))))
    for _ in range(*take.numbers(_COUNT)):
        position, length = take.numbers(_BLOB)
        if position + 8 > len(writer.stream):
            raise FramingError(f"an address cannot be at {position} of {len(writer.stream)} bytes")
        writer.blobs.append(Blob(position, take.bytes(length)))
    take.end()
    return writer


def pack_returns(taken: int, stream: bytes, blocks: Iterable[tuple[int, bytes]]) -> bytes:
    listed = list(blocks)
    parts = [_TAKEN.pack(taken), _LENGTH.pack(len(stream)), stream, _COUNT.pack(len(listed))]
    for address, content in listed:
        parts += [_BLOCK.pack(address, len(content)), content]
    return b"".join(parts)


class Returns(NamedTuple):
    """What came of a WRITE_READ.

    Attributes:
        taken: how many bytes of the commands the driver has taken.
        stream: the driver's returns.
        blocks: by address, what they refer to.
    """

    taken: int
    stream: bytes
    blocks: dict[int, bytes]


def unpack_returns(payload: bytes) -> Returns:
    """Raises `FramingError`."""
    take = _Taking(payload)
    (taken,) = take.numbers(_TAKEN)
    stream = take.bytes(*take.numbers(_LENGTH))
    blocks = {}
    for _ in range(*take.numbers(_COUNT)):
        address, length = take.numbers(_BLOCK)
        blocks[address] = take.bytes(length)
    take.end()
    return Returns(taken, stream, blocks)


def pack_message(fds: Iterable[int], data: bytes) -> bytes:
    """What travels through a socket: descriptors of the agent's, and bytes."""
    listed = list(fds)
    return b"".join((U32.pack(len(listed)), *map(U32.pack, listed), data))


def unpack_message(payload: bytes) -> tuple[list[int], bytes]:
    """Raises `FramingError`."""
    take = _Taking(payload)
    (count,) = take.numbers(U32)
    fds = [take.numbers(U32)[0] for _ in range(count)]
    return fds, payload[U32.size * (1 + count) :]


def unpack(layout: Struct, payload: bytes) -> tuple[int, ...]:
    """A payload of that layout. Raises `FramingError` for one of another size."""
    try:
        return layout.unpack(payload)
    except StructError:
        raise FramingError(f"{len(payload)} bytes where {layout.size} were due") from None


class _Taking:
    """Takes a payload apart from its start."""

    def __init__(self, payload: bytes) -> None:
        self._payload = payload
        self._position = 0

    def numbers(self, layout: Struct) -> tuple[int, ...]:
        return layout.unpack(self.bytes(layout.size))

    def bytes(self, size: int) -> bytes:
        start, self._position = self._position, self._position + size
        if self._position > len(self._payload):
            raise FramingError(f"a payload of {len(self._payload)} bytes is too short")
        return self._payload[start : self._position]

    def end(self) -> None:
        if self._position != len(self._payload):
            raise FramingError(f"{len(self._payload) - self._position} bytes too many in a payload")
