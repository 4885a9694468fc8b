"""What the wrapfd driver answers, as tables: for each operation the reasons to refuse it, in their order.

Nothing here does anything: `answer` says what an operation would be answered, `after` what a wrap is then.
The rows are those of the newest public driver; `profiles` has what other generations do differently. Their
source is the wrapfd table of the buffer facts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from errno import EACCES, EBADF, EBUSY, EINVAL, ENOENT
from mmap import PAGESIZE, PROT_READ, PROT_WRITE

from .areas import whole_pages

BIGGEST_OFFSET = 2**63 - 1


class Op(Enum):
    """What can be done to a wrap."""

    WRAP = "wrap"
    GET_STATE = "get state"
    ACQUIRE = "acquire"
    RELEASE = "release"
    LOAD = "load"
    REWRAP = "rewrap"
    EMPTY = "empty"
    ALLOW_GUESTS = "allow guests"
    PROHIBIT_GUESTS = "prohibit guests"
    MMAP = "mmap"
    MPROTECT = "mprotect"
    LSEEK = "lseek"
    OTHER_IOCTL = "another ioctl"


@dataclass(frozen=True, slots=True)
class Wrap:
    """The state of a wrap.

    Attributes:
        size: in bytes, whole pages; fstat goes on saying so when the wrap is empty.
        writable: whether its mask has PROT_WRITE, which makes it RDWR.
        source_writable: whether its dma-buf was opened for writing.
        owner: the pid of the owning process.
        guests: whether others may use it although it is owned.
        areas: how many areas of memory map it, in all processes.
        loads: how many loads are going on.
        empty: whether its content has gone.
    """

    size: int
    writable: bool
    source_writable: bool = True
    owner: int | None = None
    guests: bool = False
    areas: int = 0
    loads: int = 0
    empty: bool = False


@dataclass(frozen=True, slots=True)
class FileFacts:
    """What a load has to know of its file: can it be read, directly too, and how long it is in bytes."""

    readable: bool
    direct: bool
    size: int


@dataclass(frozen=True, slots=True)
class Call:
    """An operation with its arguments; which of them count depends on the operation.

    Attributes:
        caller: the pid of the calling process.
        padding: the pad and reserved fields, which must be 0.
        file: of a load.
        offset, file_offset, length: in bytes.
        shared: whether a mapping is MAP_SHARED.
    """

    op: Op
    caller: int
    prot: int = 0
    padding: int = 0
    file: FileFacts | None = None
    offset: int = 0
    file_offset: int = 0
    length: int = 0
    shared: bool = True


@dataclass(frozen=True, slots=True)
class Check:
    """A reason to answer `errno` at once; 0 is a success without any effect."""

    name: str
    errno: int
    applies: Callable[[Wrap, Call], bool]


def _foreign(wrap: Wrap, call: Call) -> bool:
    return wrap.owner is not None and wrap.owner != call.caller


def _file_ends_early(_: Wrap, call: Call) -> bool:
    end = call.file_offset + call.length
    return call.file is None or end > BIGGEST_OFFSET or end > call.file.size


BAD_PADDING = Check("pad and reserved fields must be 0", EINVAL, lambda w, c: c.padding != 0)
BAD_PROT = Check(
    "the mask has other bits than PROT_READ and PROT_WRITE",
    EINVAL,
    lambda w, c: c.prot & ~(PROT_READ | PROT_WRITE) != 0,
)
MINE_ALREADY = Check("it is the caller's already", 0, lambda w, c: w.owner == c.caller)
OWNED_BY_ANOTHER = Check("it is owned by another process", EBUSY, _foreign)
NOT_MINE = Check("the caller does not own it", EBUSY, lambda w, c: w.owner != c.caller)
MAPPED = Check("it is mapped", EINVAL, lambda w, c: w.areas > 0)
LOADING = Check("it is being loaded", EINVAL, lambda w, c: w.loads > 0)
IS_EMPTY = Check("it is empty", ENOENT, lambda w, c: w.empty)
CLOSED_TO_GUESTS = Check(
    "it is owned by another process, which allows no guests",
    EBUSY,
    lambda w, c: _foreign(w, c) and not w.guests,
)
READ_ONLY_SOURCE = Check(
    "PROT_WRITE on a dma-buf that was opened read-only",
    EACCES,
    lambda w, c: bool(c.prot & PROT_WRITE) and not w.source_writable,
)
READ_ONLY_WRAP = Check("it is read-only", EACCES, lambda w, c: not w.writable)
WRITES_READ_ONLY = Check("it is read-only", EACCES, lambda w, c: bool(c.prot & PROT_WRITE) and not w.writable)
NEGATIVE = Check(
    "an offset or the length is negative", EINVAL, lambda w, c: min(c.file_offset, c.offset, c.length) < 0
)
UNALIGNED = Check(
    "offsets must be multiples of the page size",
    EINVAL,
    lambda w, c: bool(c.file_offset % PAGESIZE or c.offset % PAGESIZE),
)
UNREADABLE_FILE = Check(
    "the file is not open for reading", EBADF, lambda w, c: c.file is None or not c.file.readable
)
INDIRECT_FILE = Check(
    "the file cannot be read directly", EINVAL, lambda w, c: c.file is None or not c.file.direct
)
PAST_END_OF_FILE = Check("the segment goes past the end of the file", EINVAL, _file_ends_early)
PAST_END = Check("it goes past the end of the buffer", EINVAL, lambda w, c: c.offset + c.length > w.size)
BAD_RANGE = Check(
    "the length must be positive, the offset a multiple of the page size",
    EINVAL,
    lambda w, c: c.length <= 0 or c.offset < 0 or c.offset % PAGESIZE != 0,
)
# The kernel looks at how the descriptor was opened before it asks the driver; a read-only wrap's: read-only.
SHARES_READ_ONLY = Check(
    "a shared writable mapping of a wrap that is open read-only",
    EACCES,
    lambda w, c: c.shared and bool(c.prot & PROT_WRITE) and not w.writable,
)
MAPS_PAST_END = Check(
    "it goes past the end of the buffer", EINVAL, lambda w, c: c.offset + whole_pages(c.length) > w.size
)

Checks = tuple[Check, ...]

NEWEST_CHECKS: Mapping[Op, Checks] = {
    Op.WRAP: (BAD_PADDING, BAD_PROT, READ_ONLY_SOURCE),
    Op.GET_STATE: (BAD_PADDING,),
    Op.ACQUIRE: (MINE_ALREADY, OWNED_BY_ANOTHER, MAPPED, LOADING, IS_EMPTY),
    Op.RELEASE: (NOT_MINE, MAPPED, LOADING),
    Op.LOAD: (
        *(NEGATIVE, BAD_PADDING),
        *(UNREADABLE_FILE, INDIRECT_FILE, PAST_END_OF_FILE),
        *(IS_EMPTY, READ_ONLY_WRAP, PAST_END),
    ),
    Op.REWRAP: (BAD_PADDING, BAD_PROT, NOT_MINE, MAPPED, LOADING, IS_EMPTY, READ_ONLY_SOURCE),
    Op.EMPTY: (NOT_MINE, MAPPED, LOADING, IS_EMPTY),
    Op.ALLOW_GUESTS: (NOT_MINE, MAPPED, LOADING, IS_EMPTY),
    Op.PROHIBIT_GUESTS: (NOT_MINE, MAPPED, LOADING, IS_EMPTY),
    Op.MMAP: (BAD_RANGE, SHARES_READ_ONLY, CLOSED_TO_GUESTS, IS_EMPTY, WRITES_READ_ONLY, MAPS_PAST_END),
    Op.MPROTECT: (WRITES_READ_ONLY,),
    Op.LSEEK: (IS_EMPTY,),
    Op.OTHER_IOCTL: (CLOSED_TO_GUESTS, IS_EMPTY),
}


def refused_by(checks: Mapping[Op, Checks], wrap: Wrap, call: Call) -> Check | None:
    """The first check that settles a call, None if nothing stands against it."""
    return next((check for check in checks[call.op] if check.applies(wrap, call)), None)


def after(wrap: Wrap, call: Call) -> Wrap:
    """What a wrap is once a call that nothing stood against has been carried out; for a load, has begun."""
    match call.op:
        case Op.ACQUIRE:
            return replace(wrap, owner=call.caller)
        case Op.RELEASE:
            return replace(wrap, owner=None, guests=False)
        case Op.LOAD:
            return replace(wrap, loads=wrap.loads + 1)
        case Op.REWRAP | Op.EMPTY:
            return replace(wrap, empty=True)
        case Op.ALLOW_GUESTS | Op.PROHIBIT_GUESTS:
            return replace(wrap, guests=call.op is Op.ALLOW_GUESTS)
        case _:
            return wrap


def rewrapped(wrap: Wrap, prot: int) -> Wrap:
    """The wrap that a rewrap makes: same content, nobody's, no guests."""
    return Wrap(wrap.size, bool(prot & PROT_WRITE), wrap.source_writable)


def without_process(wrap: Wrap, pid: int) -> Wrap:
    """What the death of its owner leaves of a wrap."""
    return replace(wrap, owner=None, guests=False) if wrap.owner == pid else wrap
