"""Who has to give memory up. Public sources leave the choice open; this is ours.

When a heap is full, buffers of less important owners go first: by the priority of the owner's uid, then by
that of the buffer, then the oldest. Never one that is more important than what is wanted.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, TypeVar

T = TypeVar("T")


class Importance(NamedTuple):
    """How important a buffer is, the smaller the more: its uid's priority, then its own. Both 0..1000."""

    uid_priority: int
    buffer_priority: int


def in_order(wanted: Importance, held: Iterable[tuple[Importance, int, T]]) -> list[T]:
    """Those that may be taken for something as important as `wanted`, whoever goes first first.

    Args:
        held: for each buffer its importance, its age as a number that grows, and the buffer.
    """
    allowed = [entry for entry in held if entry[0] >= wanted]
    allowed.sort(key=lambda entry: (-entry[0].uid_priority, -entry[0].buffer_priority, entry[1]))
    return [buffer for _, _, buffer in allowed]
