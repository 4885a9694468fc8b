"""The language of the kernel's binder driver: commands to it (BC), returns from it (BR), and their bytes.

Nothing here does any I/O. Numbers and layouts are those of the kernel's `linux/android/binder.h` with
64-bit pointers (protocol version 8).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import IntEnum
from struct import Struct, pack
from typing import NamedTuple

from ..errors import BinderError

PROTOCOL_VERSION = 8


class Ioctl(IntEnum):
    WRITE_READ = 0xC0306201
    SET_MAX_THREADS = 0x40046205
    SET_CONTEXT_MGR = 0x40046207
    THREAD_EXIT = 0x40046208
    VERSION = 0xC0046209
    GET_NODE_DEBUG_INFO = 0xC018620B
    GET_NODE_INFO_FOR_REF = 0xC018620C
    SET_CONTEXT_MGR_EXT = 0x4018620D
    ENABLE_ONEWAY_SPAM_DETECTION = 0x40046210
    GET_EXTENDED_ERROR = 0xC00C6211


class Command(IntEnum):
    """What a process tells the driver."""

    TRANSACTION = 0x40406300
    REPLY = 0x40406301
    FREE_BUFFER = 0x40086303
    INCREFS = 0x40046304
    ACQUIRE = 0x40046305
    RELEASE = 0x40046306
    DECREFS = 0x40046307
    INCREFS_DONE = 0x40106308
    ACQUIRE_DONE = 0x40106309
    REGISTER_LOOPER = 0x0000630B
    ENTER_LOOPER = 0x0000630C
    EXIT_LOOPER = 0x0000630D
    REQUEST_DEATH_NOTIFICATION = 0x400C630E
    CLEAR_DEATH_NOTIFICATION = 0x400C630F
    DEAD_BINDER_DONE = 0x40086310
    REQUEST_FREEZE_NOTIFICATION = 0x400C6313
    CLEAR_FREEZE_NOTIFICATION = 0x400C6314
    FREEZE_NOTIFICATION_DONE = 0x40086315


class Return(IntEnum):
    """What the driver tells a process."""

    ERROR = 0x80047200
    OK = 0x7201
    TRANSACTION_SEC_CTX = 0x80487202
    TRANSACTION = 0x80407202
    REPLY = 0x80407203
    DEAD_REPLY = 0x7205
    TRANSACTION_COMPLETE = 0x7206
    INCREFS = 0x80107207
    ACQUIRE = 0x80107208
    RELEASE = 0x80107209
    DECREFS = 0x8010720A
    NOOP = 0x720C
    SPAWN_LOOPER = 0x720D
    FINISHED = 0x720E
    DEAD_BINDER = 0x8008720F
    CLEAR_DEATH_NOTIFICATION_DONE = 0x80087210
    FAILED_REPLY = 0x7211
    FROZEN_REPLY = 0x7212
    ONEWAY_SPAM_SUSPECT = 0x7213
    TRANSACTION_PENDING_FROZEN = 0x7214
    FROZEN_BINDER = 0x80107215
    CLEAR_FREEZE_NOTIFICATION_DONE = 0x80087216


_U32 = Struct("<I")
_S32 = Struct("<i")
_HANDLE = Struct("<II")
_POINTER = Struct("<IQQ")
_ADDRESS = Struct("<IQ")
_DEATH = Struct("<IIQ")
_NUMBER = Struct("<Q")
_TWO_NUMBERS = Struct("<QQ")
_FROZEN = Struct("<QI")

# target, cookie, code, flags, sender pid, sender euid, data size, offsets size, data, offsets
_TRANSACTION = Struct("<QQIIiIQQQQ")
TRANSACTION_SIZE = _TRANSACTION.size
# Where in a transaction the addresses of its data and of its offsets are.
_DATA_ADDRESS = 48
_OFFSETS_ADDRESS = 56

# write size, consumed, address; read size, consumed, address
WRITE_READ = Struct("<QQQQQQ")
# The driver stops filling a read buffer when less than its longest return would fit.
MIN_READ_SIZE = 256


class ProtocolError(BinderError):
    """The driver said something that makes no sense."""


@dataclass(slots=True)
class Blob:
    """Bytes that a command refers to by address. `position` is where in the stream the address goes."""

    position: int
    data: bytes


@dataclass(slots=True)
class Writer:
    """Commands on their way to the driver.

    The driver takes the addresses of a transaction's data from the stream. Whoever carries the stream
    has to place each of `blobs` in memory first and fill in its address.

    Attributes:
        taken: how many bytes the driver has taken, set by the carrier if it is interrupted.
        returned: what the driver has said nevertheless, set by the carrier if it is interrupted.
        patient: whether the thread then waits for work, which may never come, rather than for an answer.
    """

    stream: bytearray = field(default_factory=bytearray)
    blobs: list[Blob] = field(default_factory=list)
    taken: int | None = None
    returned: bytes = b""
    patient: bool = False
    _transaction: int | None = None

    def __bool__(self) -> bool:
        return bool(self.stream)

    def simple(self, command: Command) -> None:
        """A command without arguments."""
        self.stream += _U32.pack(command)

    def handle(self, command: Command, handle: int) -> None:
        """INCREFS, ACQUIRE, RELEASE or DECREFS."""
        self.stream += _HANDLE.pack(command, handle)

    def node(self, command: Command, pointer: int, cookie: int) -> None:
        """INCREFS_DONE or ACQUIRE_DONE."""
        self.stream += _POINTER.pack(command, pointer, cookie)

    def free_buffer(self, address: int) -> None:
        self.stream += _ADDRESS.pack(Command.FREE_BUFFER, address)

    def watch(self, command: Command, handle: int, cookie: int) -> None:
        """A request for notifications of death or freezing, or its withdrawal."""
        self.stream += _DEATH.pack(command, handle, cookie)

    def heard(self, command: Command, cookie: int) -> None:
        """DEAD_BINDER_DONE or FREEZE_NOTIFICATION_DONE."""
        self.stream += _ADDRESS.pack(command, cookie)

    def transaction(
        self, command: Command, *, handle: int, code: int, flags: int, data: bytes, offsets: tuple[int, ...]
    ) -> None:
        """TRANSACTION or REPLY. The driver stops at one that fails, so it should be written last."""
        self._transaction = len(self.stream)
        self.stream += _U32.pack(command)
        start = len(self.stream)
        listed = pack(f"<{len(offsets)}Q", *offsets) if offsets else b""
        self.stream += _TRANSACTION.pack(handle, 0, code, flags, 0, 0, len(data), len(listed), 0, 0)
        if data:
            self.blobs.append(Blob(start + _DATA_ADDRESS, data))
        if listed:
            self.blobs.append(Blob(start + _OFFSETS_ADDRESS, listed))

    def owed(self) -> bytes:
        """After an interruption: what the driver has not taken, without a transaction."""
        return b"" if self.taken is None else bytes(self.stream[self.taken : self._transaction])


class Incoming(NamedTuple):
    """A transaction or reply as it arrived; its bytes are at `data_address` until the buffer is freed."""

    target: int
    cookie: int
    code: int
    flags: int
    sender_pid: int
    sender_euid: int
    data_size: int
    offsets_size: int
    data_address: int
    offsets_address: int


class Returned(NamedTuple):
    """One return. Which of the fields mean something depends on `kind`.

    Attributes:
        kind: the return's number, a `Return` if it is a known one.
        incoming: of TRANSACTION, TRANSACTION_SEC_CTX and REPLY.
        pointer, cookie: of the reference counts of a node, and of deaths.
        value: of ERROR, a negated errno; of FROZEN_BINDER, whether it is frozen.
    """

    kind: int
    incoming: Incoming | None = None
    pointer: int = 0
    cookie: int = 0
    value: int = 0


def _with_incoming(number: int, stream: bytes, start: int) -> Returned:
    return Returned(number, Incoming._make(_TRANSACTION.unpack_from(stream, start)))


def _with_node(number: int, stream: bytes, start: int) -> Returned:
    return Returned(number, None, *_TWO_NUMBERS.unpack_from(stream, start))


def _with_cookie(number: int, stream: bytes, start: int) -> Returned:
    return Returned(number, cookie=_NUMBER.unpack_from(stream, start)[0])


def _with_error(number: int, stream: bytes, start: int) -> Returned:
    return Returned(number, value=_S32.unpack_from(stream, start)[0])


def _with_frozen(number: int, stream: bytes, start: int) -> Returned:
    cookie, frozen = _FROZEN.unpack_from(stream, start)
    return Returned(number, cookie=cookie, value=frozen)


_PARSERS: dict[int, Callable[[int, bytes, int], Returned]] = {
    Return.TRANSACTION: _with_incoming,
    Return.TRANSACTION_SEC_CTX: _with_incoming,
    Return.REPLY: _with_incoming,
    Return.INCREFS: _with_node,
    Return.ACQUIRE: _with_node,
    Return.RELEASE: _with_node,
    Return.DECREFS: _with_node,
    Return.DEAD_BINDER: _with_cookie,
    Return.CLEAR_DEATH_NOTIFICATION_DONE: _with_cookie,
    Return.CLEAR_FREEZE_NOTIFICATION_DONE: _with_cookie,
    Return.FROZEN_BINDER: _with_frozen,
    Return.ERROR: _with_error,
}
# These come often, and always as they are.
_ALONE = {number: Returned(number) for number in Return if number not in _PARSERS}


def payload_size(number: int) -> int:
    """How many bytes follow a command or return: its number says so in bits 16 to 29."""
    return (number >> 16) & 0x3FFF


def parse(stream: bytes) -> Iterator[Returned]:
    """The returns in what the driver wrote; unknown ones come as their number alone.

    Raises:
        ProtocolError: the stream ends in the middle of a return.
    """
    position, end = 0, len(stream)
    while position < end:
        if end - position < 4:
            raise ProtocolError(f"a return is cut off at offset {position}")
        (number,) = _U32.unpack_from(stream, position)
        start = position + 4
        position = start + payload_size(number)
        if position > end:
            raise ProtocolError(f"return {number:#x} is cut off at offset {start}")
        parser = _PARSERS.get(number)
        if parser is not None:
            yield parser(number, stream, start)
        else:
            yield _ALONE.get(number) or Returned(number)


_ACCEPTED_AND_ANSWERED = pack("<III", Return.NOOP, Return.TRANSACTION_COMPLETE, Return.REPLY)


def only_reply(stream: bytes) -> Incoming | None:
    """The reply, if there is nothing in the stream but that a call was accepted and answered.

    That is what the driver nearly always says to a caller, so it is worth a shorter way.
    """
    if len(stream) == 12 + TRANSACTION_SIZE and stream.startswith(_ACCEPTED_AND_ANSWERED):
        return Incoming._make(_TRANSACTION.unpack_from(stream, 12))
    return None
