"""/dev/wrapfd: who may do what to a wrapped buffer, and in which order it is refused.

The generation that the published description promises; `docs/divergences.md` says where public drivers
differ.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from contextlib import nullcontext
from errno import EACCES, EBADF, EBUSY, EINVAL, ENOENT, ENOTTY
from mmap import PAGESIZE, PROT_READ, PROT_WRITE

import pytest

from harness.memory import Mapping
from harness.news import (
    EMPTY,
    NO_FILES,
    OK,
    PROT_NONE,
    PROT_RW,
    RDONLY,
    RDWR,
    pages,
    refused,
)
from harness.vocabulary import Npu, check, covers, needs
from harness.wrapfd import Wrap

P = PAGESIZE


class Situation:
    """A wrap of two pages as `me` sees it, an owner elsewhere, and what has been done to it."""

    def __init__(self, npu: Npu, *done: str) -> None:
        self.me, self.other = npu.app("me"), npu.app("other")
        self.file = self.me.memory.file(pages("ABC"))
        self.wrap = self.me.driver.wrap(PROT_READ if "read-only" in done else PROT_RW)
        self.theirs = self.wrap.by(self.other)
        self.mapping: Mapping | None = None
        for what in done:
            if what in DEEDS:
                DEEDS[what](self)


DEEDS: dict[str, Callable[[Situation], object]] = {
    "mine": lambda s: s.wrap.acquire(),
    "theirs": lambda s: s.theirs.acquire(),
    "guests": lambda s: s.theirs.allow_guests(),
    "mapped": lambda s: setattr(s, "mapping", s.wrap.map()),
    "empty": lambda s: s.wrap.empty(),
    "emptied by them": lambda s: s.theirs.empty(),
    "let go": lambda s: s.wrap.release(),
}

OPERATIONS: dict[str, Callable[[Situation], object]] = {
    "acquire": lambda s: s.wrap.acquire(),
    "release": lambda s: s.wrap.release(),
    "load": lambda s: s.wrap.load(s.file),
    "rewrap": lambda s: s.wrap.rewrap(PROT_RW),
    "empty": lambda s: s.wrap.empty(),
    "allow guests": lambda s: s.wrap.allow_guests(),
    "prohibit guests": lambda s: s.wrap.prohibit_guests(),
    "map": lambda s: s.wrap.map().close(),
    "map writable": lambda s: s.wrap.map(PROT_RW).close(),
    "map a writable copy": lambda s: s.wrap.map(PROT_RW, shared=False).close(),
    "lseek": lambda s: s.wrap.size(),
    "get state": lambda s: s.wrap.state(),
    "sync": lambda s: s.wrap.ioctl(0x40086200, bytes(8)),
    "an unknown request": lambda s: s.wrap.ioctl(0xBC77),
}

# The situation, then what each operation is answered in it.
ROWS: list[tuple[str, dict[str, int]]] = [
    (
        "free",
        {
            **{"acquire": OK, "map": OK, "map writable": OK, "map a writable copy": OK, "lseek": OK},
            **{"get state": OK, "sync": OK, "an unknown request": ENOTTY},
            **{"release": EBUSY, "load": EBUSY, "rewrap": EBUSY, "empty": EBUSY},
            **{"allow guests": EBUSY, "prohibit guests": EBUSY},
        },
    ),
    (
        "mine",
        {
            **{"acquire": OK, "release": OK, "load": OK, "rewrap": OK, "empty": OK, "map": OK},
            **{"allow guests": OK, "prohibit guests": OK, "sync": OK},
        },
    ),
    (
        "theirs",
        {
            **{"acquire": EBUSY, "release": EBUSY, "load": EBUSY, "rewrap": EBUSY, "empty": EBUSY},
            **{"allow guests": EBUSY, "prohibit guests": EBUSY, "map": EBUSY, "map a writable copy": EBUSY},
            **{"sync": EBUSY, "an unknown request": EBUSY, "lseek": OK, "get state": OK},
        },
    ),
    (
        "theirs, guests",
        {
            "map": OK,
            "sync": OK,
            "acquire": EBUSY,
            "load": EBUSY,
            "empty": EBUSY,
            "an unknown request": ENOTTY,
        },
    ),
    (
        "mine, mapped",
        {
            **{"acquire": OK, "map": OK, "load": OK, "get state": OK, "lseek": OK, "sync": OK},
            **{"release": EINVAL, "rewrap": EINVAL, "empty": EINVAL},
            **{"allow guests": EINVAL, "prohibit guests": EINVAL},
        },
    ),
    ("mapped", {"acquire": EINVAL, "release": EBUSY, "map": OK}),
    (
        "mine, empty",
        {
            **{"acquire": OK, "release": OK, "get state": OK, "load": ENOENT, "rewrap": ENOENT},
            **{"empty": ENOENT, "allow guests": ENOENT, "prohibit guests": ENOENT, "map": ENOENT},
            **{"lseek": ENOENT, "sync": ENOENT, "an unknown request": ENOENT},
        },
    ),
    (
        "mine, empty, let go",
        {
            **{"acquire": ENOENT, "map": ENOENT, "release": EBUSY, "rewrap": EBUSY, "empty": EBUSY},
            **{"allow guests": EBUSY, "prohibit guests": EBUSY, "load": EBUSY},
        },
    ),
    ("theirs, emptied by them", {"map": EBUSY, "acquire": EBUSY, "sync": EBUSY, "lseek": ENOENT}),
    (
        "read-only",
        {"map": OK, "map writable": EACCES, "map a writable copy": EACCES, "acquire": OK, "load": EBUSY},
    ),
    ("read-only, mine", {"load": EACCES, "rewrap": OK, "empty": OK}),
    ("read-only, theirs", {"map writable": EACCES, "map a writable copy": EBUSY, "map": EBUSY}),
    (
        "read-only, mine, empty",
        {"map writable": EACCES, "map a writable copy": ENOENT, "load": ENOENT, "map": ENOENT},
    ),
]
CASES = [(situation, name, code) for situation, row in ROWS for name, code in row.items()]


@covers("wrapfd: who may do what, and what is checked first")
@needs("service", "many-uids", "wrapfd")
@pytest.mark.parametrize(
    ("situation", "operation", "code"),
    CASES,
    ids=[f"{situation.replace(', ', '+')}/{name}" for situation, name, _ in CASES],
)
def test_answer(npu: Npu, situation: str, operation: str, code: int) -> None:
    there = Situation(npu, *situation.split(", "))
    with refused(code, operation) if code else nullcontext():
        OPERATIONS[operation](there)


# --- wrap -----------------------------------------------------------------------------------------


@covers("wrapfd: a mask with PROT_WRITE makes RDWR, any other RDONLY")
@needs("service", "wrapfd")
@pytest.mark.parametrize(
    ("prot", "state"),
    [(PROT_NONE, RDONLY), (PROT_READ, RDONLY), (PROT_WRITE, RDWR), (PROT_RW, RDWR)],
    ids=["none", "read", "write", "both"],
)
def test_state_of_a_new_wrap(npu: Npu, prot: int, state: int) -> None:
    wrap = npu.app("me").driver.wrap(prot, pages=3)
    wrap.expect_state(state)
    check(wrap.size() == 3 * P, "lseek tells the size")
    check(wrap.info("owner") == "<none>", "nobody owns it yet")


@covers("wrapfd: what cannot be wrapped")
@needs("service", "wrapfd")
@pytest.mark.parametrize("kind", ["path", "pipe", "directory", "zero", "memfd"])
def test_only_a_dmabuf_can_be_wrapped(npu: Npu, kind: str) -> None:
    me = npu.app("me")
    with refused(EBADF if kind == "path" else EINVAL, f"wrapping {kind}"):
        me.driver.wrap_fd(me.memory.special(kind))


@covers("wrapfd: what cannot be wrapped")
@needs("service", "wrapfd")
def test_a_wrap_cannot_be_wrapped(npu: Npu) -> None:
    me = npu.app("me")
    with refused(EINVAL, "wrapping a wrap"):
        me.driver.wrap_fd(me.driver.wrap().fd)


@covers("wrapfd: other mask bits and reserved fields are refused before the descriptor is looked at")
@needs("service", "wrapfd")
@pytest.mark.parametrize(("prot", "reserved"), [(4, 0), (8 | PROT_READ, 0), (PROT_READ, 1)])
def test_bad_masks_and_reserved_fields(npu: Npu, prot: int, reserved: int) -> None:
    me = npu.app("me")
    nothing = 2**31 - 1
    argument = struct.pack("<IIQ", nothing, prot, reserved)
    with refused(EINVAL, "the wrap"):
        me.memory.driver.port.wrap(argument)


@covers("wrapfd: one dma-buf may be wrapped many times, each wrap with its own owner")
@needs("service", "many-uids", "wrapfd")
def test_two_wraps_of_one_dmabuf(npu: Npu) -> None:
    me, other = npu.app("me"), npu.app("other")
    dmabuf = me.driver.dmabuf()
    first = me.driver.wrap_fd(dmabuf).acquire()
    second = me.driver.wrap_fd(dmabuf, PROT_READ).by(other).acquire()
    first.load(me.memory.file(pages("AB")))
    check(second.reads() == b"AA", "both have the same content")
    first.empty()
    check(second.reads() == b"AA", "emptying one leaves the other")


@covers("wrapfd: get state of what is no wrap")
@needs("service", "wrapfd")
@pytest.mark.parametrize("kind", ["path", "pipe", "memfd"])
def test_state_of_something_else(npu: Npu, kind: str) -> None:
    me = npu.app("me")
    with refused(EBADF if kind == "path" else ENOTTY, f"the state of {kind}"):
        Wrap(me, me.memory.special(kind)).state()


# --- load -----------------------------------------------------------------------------------------


@covers("wrapfd: a load changes the bytes it says and no others")
@needs("service", "wrapfd")
@pytest.mark.parametrize(
    ("file_offset", "offset", "length"), [(0, 0, P), (P, 0, P), (P, P, P), (2 * P, 0, 3), (0, P, 1)]
)
def test_load_is_exact(npu: Npu, file_offset: int, offset: int, length: int) -> None:
    me = npu.app("me")
    content = pages("ABC")
    wrap = me.driver.wrap().acquire()
    wrap.load(me.memory.file(content), file_offset=file_offset, offset=offset, length=length)
    expected = bytearray(2 * P)
    expected[offset : offset + length] = content[file_offset : file_offset + length]
    mapping = wrap.map(pages=2)
    check(bytes(mapping.view[:]) == expected, "the segment is there, and zeros elsewhere")
    mapping.close()


@covers("wrapfd: bad offsets and lengths of a load are refused")
@needs("service", "wrapfd")
@pytest.mark.parametrize(
    ("file_offset", "offset", "length"),
    [
        *[(-1, 0, P), (-P, 0, P), (0, -P, P), (0, 0, -1), (0, 0, 4 * P), (3 * P, 0, 1), (P, 0, 2**63 - P)],
        *[(0, P, 2 * P), (0, 2 * P, 1), (512, 0, 1), (0, 512, 1)],
    ],
)
def test_bad_ranges(npu: Npu, file_offset: int, offset: int, length: int) -> None:
    me = npu.app("me")
    wrap = me.driver.wrap().acquire()
    with refused(EINVAL, "the load"):
        wrap.load(me.memory.file(pages("ABC")), file_offset=file_offset, offset=offset, length=length)
    check(wrap.reads() == bytes(2), "nothing is loaded")


@covers("wrapfd: what cannot be loaded from")
@needs("service", "wrapfd")
@pytest.mark.parametrize("kind", NO_FILES)
def test_bad_files(npu: Npu, kind: str) -> None:
    me = npu.app("me")
    wrap = me.driver.wrap().acquire()
    with refused(NO_FILES[kind], f"loading from {kind}"):
        wrap.load(me.memory.special(kind))


@covers("wrapfd: what cannot be loaded from")
@needs("service", "wrapfd")
def test_buffers_are_no_files(npu: Npu) -> None:
    me = npu.app("me")
    wrap = me.driver.wrap().acquire()
    for fd in (me.driver.dmabuf(), me.driver.wrap().fd):
        with refused(EINVAL, "loading from a buffer"):
            wrap.load(fd)


@covers("wrapfd: load needs ownership")
@needs("service", "wrapfd")
def test_load_needs_ownership(npu: Npu) -> None:
    me = npu.app("me")
    wrap = me.driver.wrap()
    with refused(EBUSY, "a load by nobody in particular"):
        wrap.load(me.memory.file(pages("A")))
    with refused(EINVAL, "a load past the end of the file, which is looked at first"):
        wrap.load(me.memory.file(pages("A")), length=2 * P)


@covers("wrapfd: load needs page-aligned offsets")
@needs("service", "wrapfd")
def test_load_needs_aligned_offsets(npu: Npu) -> None:
    me = npu.app("me")
    wrap = me.driver.wrap().acquire()
    file = me.memory.file(pages("ABC"))
    with refused(EINVAL, "an unaligned file offset"):
        wrap.load(file, file_offset=100, length=1)
    with refused(EINVAL, "an unaligned buffer offset"):
        wrap.load(file, offset=100, length=1)
    wrap.load(file, length=100)


# --- rewrap and empty -----------------------------------------------------------------------------


@covers("wrapfd: rewrap moves the content; the old wrap is EMPTY, stays owned and keeps guests")
@needs("service", "many-uids", "wrapfd")
@pytest.mark.parametrize("prot", [PROT_READ, PROT_RW], ids=["read-only", "writable"])
def test_rewrap(npu: Npu, prot: int) -> None:
    me, other = npu.app("me"), npu.app("other")
    wrap = me.driver.wrap().acquire().load(me.memory.file(pages("AB"))).allow_guests()
    new = wrap.rewrap(prot).expect_state(RDWR if prot & PROT_WRITE else RDONLY)
    wrap.expect_state(EMPTY)
    check((wrap.info("guests"), wrap.info("empty")) == ("yes", "yes"), "the old one keeps guests")
    check((new.info("owner"), new.info("guests")) == ("<none>", "no"), "the new one is nobody's")
    with refused(EBUSY, "acquiring the old one, which is owned"):
        wrap.by(other).acquire()
    check(new.by(other).reads() == b"AA", "the content is in the new one")
    check(wrap.peek() != b"AA", "and not in the old one")


@covers("wrapfd: a read-only wrap of a read-write dma-buf can become writable")
@needs("service", "wrapfd")
def test_rewrap_makes_writable(npu: Npu) -> None:
    new = npu.app("me").driver.wrap(PROT_READ).acquire().rewrap(PROT_RW)
    new.expect_state(RDWR).map(PROT_RW).close()


@covers("wrapfd: rewrap refuses other mask bits and a padding that is not 0 before it asks who owns the wrap")
@needs("service", "wrapfd")
@pytest.mark.parametrize(("prot", "pad", "reserved"), [(4, 0, 0), (1, 1, 0), (1, 0, 1)])
def test_bad_rewraps(npu: Npu, prot: int, pad: int, reserved: int) -> None:
    wrap = npu.app("me").driver.wrap()
    argument = struct.pack("<IIQ", prot, pad, reserved)
    with refused(EINVAL, "the rewrap"):
        wrap.ioctl(0x4010BC05, argument)


@covers(
    "wrapfd: after empty no reader anywhere gets old content", "seed: a preempted buffer cannot be mapped"
)
@needs("service", "many-uids", "wrapfd")
def test_reader_in_another_process_fails_after_empty(npu: Npu) -> None:
    me, reader = npu.app("me"), npu.app("reader")
    wrap = me.driver.wrap().acquire().load(me.memory.file(pages("AB")))
    wrap.release()
    theirs = wrap.by(reader)
    check(theirs.reads() == b"AA", "it reads as long as it may")
    wrap.acquire().empty().release()
    with refused(ENOENT, "the reader's new mapping"):
        theirs.map()
    check(theirs.peek() in (b"", bytes(2)), "its old descriptor yields no old data")
    theirs.expect_state(EMPTY)


# --- mappings -------------------------------------------------------------------------------------


@covers("wrapfd: a read-only mapping of a read-only wrap can never be made writable")
@needs("service", "wrapfd")
def test_read_only_stays_read_only(npu: Npu) -> None:
    mapping = npu.app("me").driver.wrap(PROT_READ).map()
    with refused(EACCES, "making it writable"):
        mapping.protect(0, P, PROT_RW)
    mapping.close()


@covers("wrapfd: a read-only mapping of a writable wrap can be made writable")
@needs("service", "wrapfd")
def test_writable_wrap_can_be_written_later(npu: Npu) -> None:
    wrap = npu.app("me").driver.wrap()
    mapping = wrap.map()
    mapping.protect(0, P, PROT_RW)
    mapping.view[:2] = b"hi"
    check(wrap.reads() == b"hi", "what was written is there")
    mapping.close()


@covers("wrapfd: mappings are counted as the kernel counts areas")
@needs("service", "wrapfd")
def test_counting_areas(npu: Npu) -> None:
    wrap = npu.app("me").driver.wrap(pages=6)
    mapping = wrap.map(pages=6)
    steps: list[tuple[str, Callable[[], None], str]] = [
        ("a hole splits", lambda: mapping.unmap(P, P), "2"),
        ("trimming the end does not", lambda: mapping.unmap(5 * P, P), "2"),
        ("nor does trimming the start", lambda: mapping.unmap(0, P), "1"),
        ("protecting a part splits", lambda: mapping.protect(3 * P, P, PROT_RW), "3"),
    ]
    for rule, do, count in steps:
        do()
        check(wrap.info("maps") == count, f"{rule}: {count} areas, not {wrap.info('maps')}")
    mapping.close()
    check(wrap.info("maps") == "0", "all are gone in the end")


@covers("wrapfd: only whole pages within the buffer can be mapped")
@needs("service", "wrapfd")
def test_mapping_past_the_end(npu: Npu) -> None:
    wrap = npu.app("me").driver.wrap(pages=2)
    for count, offset in ((3, 0), (2, P), (1, 2 * P)):
        with refused(EINVAL, f"mapping {count} pages at {offset}"):
            wrap.map(pages=count, offset=offset)


# --- owners ---------------------------------------------------------------------------------------


@covers("wrapfd: ownership survives closing descriptors and ends with its process")
@needs("service", "wrapfd", "many-uids")
def test_client_that_dies_holding_ownership(npu: Npu) -> None:
    me, other = npu.app("me"), npu.app("other")
    wrap = me.driver.wrap().acquire()
    theirs = wrap.by(other)
    wrap.close()
    with refused(EBUSY, "acquiring what is still owned"):
        theirs.acquire()
    me.dies()
    theirs.acquire().release()


@covers("wrapfd: release prohibits guests")
@needs("service", "wrapfd")
def test_release_prohibits_guests(npu: Npu) -> None:
    wrap = npu.app("me").driver.wrap().acquire().allow_guests().release().acquire()
    check(wrap.info("guests") == "no", "guests are prohibited again")


@covers("wrapfd: fdinfo says who owns a wrap and what is in it")
@needs("service", "wrapfd")
def test_fdinfo(npu: Npu) -> None:
    wrap = npu.app("me").driver.wrap(PROT_READ).acquire()
    found = {line: wrap.info(line) for line in ("guests", "maps", "empty", "rdonly", "type", "size")}
    expected = {"guests": "no", "maps": "0", "empty": "no", "rdonly": "yes", "type": "dmabuf"}
    check(found == {**expected, "size": str(2 * P)}, f"fdinfo says {found}")
    check(wrap.info("owner").isdecimal(), "the owner is a pid")
