"""The areas that a mapping consists of, as the kernel counts them: one, and one more for each split.

A process that maps a wrap has one area. Taking pages out of its middle, or changing how a part of it may be
used, splits it; trimming an end does not. Split areas stay split. A forked child has as many of its own.
Offsets are in bytes from the mapping's start and multiples of the page size.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from errno import EINVAL
from itertools import pairwise
from mmap import PAGESIZE


@dataclass(frozen=True, slots=True)
class Area:
    """Pages from `start` up to `end` that are used in the same way."""

    start: int
    end: int
    prot: int


Areas = tuple[Area, ...]


def whole_pages(length: int) -> int:
    """A length in bytes, rounded up to pages."""
    return -(-length // PAGESIZE) * PAGESIZE


def page_range(offset: int, length: int) -> int:
    """Where a range of pages ends. Raises OSError(EINVAL) as the kernel does for what is no such range."""
    if offset < 0 or offset % PAGESIZE or length <= 0:
        raise OSError(EINVAL, "no range of whole pages")
    return offset + whole_pages(length)


def mapped(length: int, prot: int) -> Areas:
    """A new mapping of `length` bytes."""
    return (Area(0, length, prot),)


def without(areas: Areas, start: int, end: int) -> Areas:
    """What munmap of a range, or another mapping on top of it, leaves."""
    return tuple(part for area in areas for part in _split(area, start, end) if not _inside(part, start, end))


def protected(areas: Areas, start: int, end: int, prot: int) -> Areas:
    """What mprotect of a range makes of it. Pages that have the protection already are left alone."""
    return tuple(
        replace(part, prot=prot) if _inside(part, start, end) else part
        for area in areas
        for part in ((area,) if area.prot == prot else _split(area, start, end))
    )


def covers(areas: Areas, start: int, end: int) -> bool:
    """Whether every page of a range is mapped."""
    for area in sorted(areas, key=lambda area: area.start):
        if area.start <= start < area.end:
            start = area.end
    return start >= end


def _split(area: Area, start: int, end: int) -> Iterator[Area]:
    """The parts of an area before, in and after a range."""
    cuts = [area.start, *(cut for cut in (start, end) if area.start < cut < area.end), area.end]
    for left, right in pairwise(cuts):
        yield replace(area, start=left, end=right)


def _inside(area: Area, start: int, end: int) -> bool:
    return start <= area.start and area.end <= end
