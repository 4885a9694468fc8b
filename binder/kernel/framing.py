"""The language between `RemoteDevice` and the agent that has the device open, as bytes.

All numbers are little-endian. The stream is any that carries bytes both ways. Each side begins with a
greeting, and the host says right behind its own what it wants:

    both    "NPUB", u16 version
    host    u32 uid to run as (0xffffffff: as it is), u16 length, path of the device in UTF-8

From then on the host sends requests, and the agent answers in whatever order they are done:

    request  u32 length of what follows, u32 thread, u32 number, u8 operation, payload
    answer   u32 length of what follows, u32 number, u8 outcome, payload

A request numbered 0 has no answer. The agent's first answer has number 0: it is ready, or says why not.
Requests of one thread are carried out in order, by one thread of the agent, because the driver's state is
by thread; thread 0 is for those that are done at once. The payload of an answer whose outcome is not OK
is a text.

    operation               payload                                  payload of the answer
    (ready)                                                          u32 pid, u32 uid
    1  WRITE                commands                                 (none)
    2  WRITE_READ           commands                                 returns
    3  SET_MAX_THREADS      u32 count
    4  BECOME_MANAGER
    5  EXIT_THREAD
    6  EXTENDED_ERROR                                                u8 known, u32 return, s32 errno
    7  WAKE
    8  CLOSE                                                         (the agent ends)
    9  KILL                                                          (the agent ends by SIGKILL)
    10 CREATE_FILE          bytes                                    u32 descriptor
    11 READ_FILE            u32 descriptor                           bytes
    12 FILE_STATUS          u32 descriptor                           u32 mode, u64 size
    13 CLOSE_FILE           u32 descriptor

    commands  u32 length, stream of BC; u16 count of blobs, each: u32 position in the stream at which its
              address goes, u32 length, bytes
    returns   u32 length, stream of BR; u16 count of blocks, each: u64 address at which the stream refers
              to it, u32 length, bytes
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import IntEnum
from struct import Struct
from struct import error as StructError
from typing import NamedTuple

from ..errors import BinderError
from .commands import Blob, Writer

MAGIC = b"NPUB"
VERSION = 1
GREETING = Struct("<4sH")
WISH = Struct("<IH")
SAME_UID = 0xFFFFFFFF

# No honest frame is much longer than what the driver maps.
LONGEST_FRAME = 8 << 20

_LENGTH = Struct("<I")
_REQUEST = Struct("<IIB")
_ANSWER = Struct("<IB")
_COUNT = Struct("<H")
_BLOB = Struct("<II")
_BLOCK = Struct("<QI")
U32 = Struct("<I")
READY = Struct("<II")
EXTENDED_ERROR = Struct("<BIi")
FILE_STATUS = Struct("<IQ")


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


class Outcome(IntEnum):
    OK = 0
    DEVICE_ERROR = 1
    """The device refuses it; the text is a `DeviceError`'s."""
    OS_ERROR = 2
    """The operating system does."""
    NOT_UNDERSTOOD = 3
    """The request makes no sense. The agent ends."""


class FramingError(BinderError):
    """The other side of a stream says what makes no sense, or nothing any more."""


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


def greeting() -> bytes:
    return GREETING.pack(MAGIC, VERSION)


def check_greeting(read: Read, who: str) -> None:
    """Raises `FramingError` unless the other side speaks this language, and this version of it."""
    magic = read_exactly(read, len(MAGIC))
    if magic != MAGIC:
        raise FramingError(f"{who} does not speak as an agent does: it says {magic!r}")
    version = int.from_bytes(read_exactly(read, 2), "little")
    if version != VERSION:
        raise FramingError(f"{who} speaks version {version}, not {VERSION}: it needs the same code as here")


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


def _framed(content: bytes) -> bytes:
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
    (length,) = _LENGTH.unpack(read_exactly(read, _LENGTH.size))
    if not shortest <= length <= LONGEST_FRAME:
        raise FramingError(f"a frame cannot have {length} bytes")
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


def pack_returns(stream: bytes, blocks: Iterable[tuple[int, bytes]]) -> bytes:
    listed = list(blocks)
    parts = [_LENGTH.pack(len(stream)), stream, _COUNT.pack(len(listed))]
    for address, content in listed:
        parts += [_BLOCK.pack(address, len(content)), content]
    return b"".join(parts)


def unpack_returns(payload: bytes) -> tuple[bytes, dict[int, bytes]]:
    """The stream, and by address what it refers to. Raises `FramingError`."""
    take = _Taking(payload)
    stream = take.bytes(*take.numbers(_LENGTH))
    blocks = {}
    for _ in range(*take.numbers(_COUNT)):
        address, length = take.numbers(_BLOCK)
        blocks[address] = take.bytes(length)
    take.end()
    return stream, blocks


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
