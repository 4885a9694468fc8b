"""What is refused, and for which of several reasons."""

from __future__ import annotations

from errno import EACCES, EAGAIN, EBADF, EBUSY, EINVAL, ENOENT
from mmap import PAGESIZE, PROT_READ, PROT_WRITE

import pytest

from reference_impl.buffers.profiles import CONTRACT, FIRST, NEWEST, PROFILES, Profile
from reference_impl.buffers.rules import (
    Call,
    Check,
    FileFacts,
    Op,
    Wrap,
    after,
    refused_by,
    rewrapped,
    without_process,
)
from reference_impl.buffers.wrapfd import PROT_RW

ME, OTHER = 1, 2
SIZE = 4 * PAGESIZE
FILE = FileFacts(readable=True, direct=True, size=SIZE + 3)
MINE = Wrap(SIZE, writable=True, owner=ME)
FREE = Wrap(SIZE, writable=True)
THEIRS = Wrap(SIZE, writable=True, owner=OTHER)
HOSTED = Wrap(SIZE, writable=True, owner=OTHER, guests=True)
READ_ONLY = Wrap(SIZE, writable=False, owner=ME)
MAPPED = Wrap(SIZE, writable=True, owner=ME, areas=1)
LOADING = Wrap(SIZE, writable=True, owner=ME, loads=1)
GONE = Wrap(SIZE, writable=True, owner=ME, empty=True)


def load(**changes: object) -> Call:
    values: dict[str, object] = {"length": PAGESIZE, "file": FILE, **changes}
    return Call(Op.LOAD, ME, **values)  # type: ignore[arg-type]


def op(kind: Op, **changes: object) -> Call:
    return Call(kind, ME, **changes)  # type: ignore[arg-type]


def answer(profile: Profile, wrap: Wrap, call: Call) -> int:
    check = refused_by(profile.checks, wrap, call)
    return 0 if check is None else check.errno


MASKS = [
    op(Op.REWRAP, prot=4),
    op(Op.REWRAP, prot=PROT_READ, padding=1),
    op(Op.WRAP, prot=4),
    op(Op.WRAP, padding=1),
]


@pytest.mark.parametrize("profile", PROFILES.values(), ids=PROFILES)
@pytest.mark.parametrize("call", MASKS, ids=["bad bits", "padding", "wrap bad bits", "wrap padding"])
def test_bad_masks_come_before_ownership(profile: Profile, call: Call) -> None:
    assert answer(profile, THEIRS, call) == EINVAL


ANSWERS = [
    (Op.ACQUIRE, [(FREE, 0), (MINE, 0), (MAPPED, 0), (GONE, 0), (THEIRS, EBUSY), (HOSTED, EBUSY)]),
    (Op.RELEASE, [(MINE, 0), (GONE, 0), (FREE, EBUSY), (THEIRS, EBUSY), (MAPPED, EINVAL), (LOADING, EINVAL)]),
    (
        Op.EMPTY,
        [(MINE, 0), (FREE, EBUSY), (HOSTED, EBUSY), (MAPPED, EINVAL), (LOADING, EINVAL), (GONE, ENOENT)],
    ),
    (Op.ALLOW_GUESTS, [(MINE, 0), (FREE, EBUSY), (MAPPED, EINVAL), (LOADING, EINVAL), (GONE, ENOENT)]),
    (Op.PROHIBIT_GUESTS, [(MINE, 0), (FREE, EBUSY), (MAPPED, EINVAL), (LOADING, EINVAL), (GONE, ENOENT)]),
    (Op.REWRAP, [(MINE, 0), (FREE, EBUSY), (MAPPED, EINVAL), (LOADING, EINVAL), (GONE, ENOENT)]),
    (Op.OTHER_IOCTL, [(FREE, 0), (HOSTED, 0), (THEIRS, EBUSY), (GONE, ENOENT)]),
    (Op.GET_STATE, [(THEIRS, 0), (GONE, 0), (MAPPED, 0)]),
    (Op.LSEEK, [(THEIRS, 0), (GONE, ENOENT)]),
]


@pytest.mark.parametrize(
    ("kind", "wrap", "expected"), [(kind, wrap, code) for kind, rows in ANSWERS for wrap, code in rows]
)
def test_answers_of_the_newest(kind: Op, wrap: Wrap, expected: int) -> None:
    assert answer(NEWEST, wrap, op(kind)) == expected


@pytest.mark.parametrize(
    ("wrap", "expected"),
    [
        (Wrap(SIZE, writable=True, owner=OTHER, areas=1, empty=True), EBUSY),
        (Wrap(SIZE, writable=True, areas=1), EINVAL),
        (Wrap(SIZE, writable=True, loads=1), EINVAL),
        (Wrap(SIZE, writable=True, empty=True), ENOENT),
    ],
    ids=["another's", "mapped", "loading", "empty"],
)
def test_acquire_has_an_order(wrap: Wrap, expected: int) -> None:
    assert answer(CONTRACT, wrap, op(Op.ACQUIRE)) == expected


LOADS = [
    (NEWEST, FREE, load(), 0),
    (NEWEST, THEIRS, load(), 0),
    (NEWEST, MAPPED, load(), 0),
    (NEWEST, LOADING, load(), 0),
    (NEWEST, FREE, load(file_offset=1, offset=3), 0),
    (NEWEST, FREE, load(length=0), 0),
    (NEWEST, GONE, load(length=-1), EINVAL),
    (NEWEST, GONE, load(offset=-1), EINVAL),
    (NEWEST, GONE, load(file_offset=-1), EINVAL),
    (NEWEST, GONE, load(padding=1), EINVAL),
    (NEWEST, GONE, load(file=None), EBADF),
    (NEWEST, GONE, load(file=FileFacts(False, True, SIZE)), EBADF),
    (NEWEST, GONE, load(file=FileFacts(True, False, SIZE)), EINVAL),
    (NEWEST, GONE, load(file_offset=SIZE), EINVAL),
    (NEWEST, GONE, load(length=2**63 - 1, file_offset=2), EINVAL),
    (NEWEST, Wrap(SIZE, writable=False, empty=True), load(), ENOENT),
    (NEWEST, READ_ONLY, load(offset=2**40), EACCES),
    (NEWEST, FREE, load(offset=SIZE), EINVAL),
    (NEWEST, FREE, load(length=SIZE), 0),
    (CONTRACT, FREE, load(), EBUSY),
    (CONTRACT, THEIRS, load(), EBUSY),
    (CONTRACT, MINE, load(), 0),
    (CONTRACT, MAPPED, load(), 0),
    (CONTRACT, MINE, load(file_offset=512), EINVAL),
    (CONTRACT, MINE, load(offset=512), EINVAL),
    (CONTRACT, MINE, load(length=5), 0),
    (CONTRACT, FREE, load(file=None), EBADF),
    (CONTRACT, FREE, load(file_offset=2 * SIZE), EINVAL),
    (CONTRACT, READ_ONLY, load(), EACCES),
    (FIRST, MAPPED, load(), EINVAL),
    (FIRST, FREE, load(), EBUSY),
    (FIRST, READ_ONLY, load(), 0),
    (FIRST, MINE, load(offset=512), EINVAL),
]


@pytest.mark.parametrize(("profile", "wrap", "call", "expected"), LOADS)
def test_answers_to_load(profile: Profile, wrap: Wrap, call: Call, expected: int) -> None:
    assert answer(profile, wrap, call) == expected


MAPS = [
    (FREE, {}, 0),
    (FREE, {"prot": PROT_RW}, 0),
    (HOSTED, {}, 0),
    (THEIRS, {}, EBUSY),
    (READ_ONLY, {}, 0),
    (Wrap(SIZE, False, owner=OTHER, empty=True), {"prot": PROT_WRITE}, EACCES),
    (Wrap(SIZE, False, owner=OTHER, empty=True), {"prot": PROT_WRITE, "shared": False}, EBUSY),
    (Wrap(SIZE, False, empty=True), {"prot": PROT_WRITE, "shared": False}, ENOENT),
    (READ_ONLY, {"prot": PROT_WRITE, "shared": False, "offset": SIZE}, EACCES),
    (FREE, {"length": SIZE + 1}, EINVAL),
    (FREE, {"offset": SIZE}, EINVAL),
    (FREE, {"offset": 1}, EINVAL),
    (FREE, {"length": 0}, EINVAL),
]


@pytest.mark.parametrize(("wrap", "changes", "expected"), MAPS)
def test_answers_to_mmap(wrap: Wrap, changes: dict[str, object], expected: int) -> None:
    values = {"prot": PROT_READ, "length": PAGESIZE, **changes}
    assert answer(CONTRACT, wrap, op(Op.MMAP, **values)) == expected


def test_what_a_read_only_dmabuf_allows() -> None:
    wrap = Wrap(SIZE, writable=False, source_writable=False, owner=ME)
    assert answer(CONTRACT, wrap, op(Op.REWRAP, prot=PROT_RW)) == EACCES
    assert answer(CONTRACT, wrap, op(Op.WRAP, prot=PROT_RW)) == EACCES
    assert answer(CONTRACT, wrap, op(Op.REWRAP, prot=PROT_READ)) == 0
    assert answer(FIRST, wrap, op(Op.REWRAP, prot=PROT_RW)) == 0


def test_first_says_try_again_during_a_load() -> None:
    assert answer(FIRST, LOADING, op(Op.REWRAP)) == EAGAIN
    assert answer(FIRST, LOADING, op(Op.EMPTY)) == EAGAIN
    assert answer(FIRST, LOADING, op(Op.RELEASE)) == EINVAL


def test_first_does_not_ask_who_sends_another_ioctl() -> None:
    assert answer(FIRST, THEIRS, op(Op.OTHER_IOCTL)) == 0


def test_release_ends_what_guests_may() -> None:
    assert after(Wrap(SIZE, True, owner=ME, guests=True), op(Op.RELEASE)) == FREE


def test_emptied_it_stays_owned_and_keeps_guests() -> None:
    wrap = after(Wrap(SIZE, True, owner=ME, guests=True), op(Op.EMPTY))
    assert (wrap.empty, wrap.owner, wrap.guests, wrap.size) == (True, ME, True, SIZE)


def test_a_rewrap_is_nobodys() -> None:
    new = rewrapped(Wrap(SIZE, True, owner=ME, guests=True), PROT_READ)
    assert new == Wrap(SIZE, writable=False)


def test_death_of_the_owner_frees_and_prohibits_guests() -> None:
    assert without_process(HOSTED, OTHER) == FREE
    assert without_process(HOSTED, ME) == HOSTED


@pytest.mark.parametrize("profile", PROFILES.values(), ids=PROFILES)
@pytest.mark.parametrize("kind", Op)
def test_every_profile_has_checks_for_every_operation(profile: Profile, kind: Op) -> None:
    assert profile.checks[kind]
    assert all(isinstance(check, Check) and check.name for check in profile.checks[kind])
