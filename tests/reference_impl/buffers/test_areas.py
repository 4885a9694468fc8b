"""How many areas the kernel counts."""

from __future__ import annotations

from mmap import PAGESIZE, PROT_READ

import pytest

from reference_impl.buffers.areas import Area, Areas, covers, mapped, page_range, protected, without
from reference_impl.buffers.wrapfd import PROT_RW

P = PAGESIZE
FOUR = mapped(4 * P, PROT_READ)


@pytest.mark.parametrize(
    ("start", "end", "left"),
    [(P, 2 * P, 2), (0, P, 1), (3 * P, 4 * P, 1), (0, 4 * P, 0), (8 * P, 9 * P, 1), (3 * P, 8 * P, 1)],
    ids=["hole", "front", "back", "all", "elsewhere", "beyond the end"],
)
def test_only_a_hole_adds_an_area(start: int, end: int, left: int) -> None:
    assert len(without(FOUR, start, end)) == left


@pytest.mark.parametrize(
    ("start", "end", "count"),
    [(0, 4 * P, 1), (0, P, 2), (3 * P, 4 * P, 2), (P, 2 * P, 3)],
    ids=["all", "front", "back", "middle"],
)
def test_protecting_a_part_splits(start: int, end: int, count: int) -> None:
    assert len(protected(FOUR, start, end, PROT_RW)) == count


def test_the_same_protection_splits_nothing() -> None:
    assert protected(FOUR, P, 2 * P, PROT_READ) == FOUR


def test_split_areas_stay_split() -> None:
    split = protected(FOUR, P, 2 * P, PROT_RW)
    assert len(protected(split, P, 2 * P, PROT_READ)) == 3


def test_a_range_over_several_areas() -> None:
    holed = without(mapped(6 * P, PROT_READ), 2 * P, 3 * P)
    assert without(holed, P, 4 * P) == (Area(0, P, PROT_READ), Area(4 * P, 6 * P, PROT_READ))


@pytest.mark.parametrize(
    ("areas", "covered"),
    [(FOUR, True), (without(FOUR, P, 2 * P), False), ((), False)],
    ids=["whole", "holed", "none"],
)
def test_covers(areas: Areas, covered: bool) -> None:
    assert covers(areas, 0, 4 * P) is covered


def test_a_range_is_whole_pages() -> None:
    assert page_range(P, 1) == 2 * P


@pytest.mark.parametrize(("offset", "length"), [(1, P), (-P, P), (0, 0), (0, -1)])
def test_no_range(offset: int, length: int) -> None:
    with pytest.raises(OSError, match="whole pages"):
        page_range(offset, length)
