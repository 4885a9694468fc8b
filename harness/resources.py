"""What a run leaves open: descriptors of this process, and memory files of buffers, measured."""

from __future__ import annotations

import gc
import os
from contextlib import suppress
from typing import NamedTuple

_DESCRIPTORS = "/proc/self/fd"
_BUFFER = "/memfd:npubuf"


class Resources(NamedTuple):
    """At one moment: descriptors that are open, and bytes that buffers take."""

    descriptors: int
    buffer_bytes: int


def measure() -> Resources | None:
    """What is open now, garbage not counted; None where the system does not say."""
    gc.collect()
    try:
        names = os.listdir(_DESCRIPTORS)
    except OSError:
        return None
    return Resources(len(names), sum(_buffers(names).values()))


def _buffers(names: list[str]) -> dict[int, int]:
    """Bytes by inode, because a file may be open more than once."""
    found: dict[int, int] = {}
    for name in names:
        # Listing opens a descriptor itself, which is gone by now.
        with suppress(OSError):
            path = f"{_DESCRIPTORS}/{name}"
            if os.readlink(path).startswith(_BUFFER):
                status = os.stat(path)
                found[status.st_ino] = status.st_blocks * 512
    return found


def in_words(before: Resources, after: Resources) -> str:
    """For people."""
    return (
        f"descriptors open: {before.descriptors} before, {after.descriptors} after; "
        f"bytes of buffers: {before.buffer_bytes} before, {after.buffer_bytes} after"
    )
