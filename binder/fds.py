"""File descriptors that travel in parcels."""

from __future__ import annotations

import os
from contextlib import suppress
from types import TracebackType
from typing import Self

from .errors import UsageError, shown

_DETACHED = 2


class ParcelFileDescriptor:
    """Owns an open file descriptor and closes it, at the latest when it is garbage.

    Args:
        fd: an open descriptor. It belongs to this object from now on, unless `owned` is false.
        owned: false for one that somebody else closes.
    """

    __slots__ = ("__weakref__", "_held", "_owned")

    def __init__(self, fd: int, *, owned: bool = True) -> None:
        # A list, because taking its one item is atomic: a process may be killed, and its
        # descriptors closed, while one of its threads is about to close the same one.
        self._held: list[int] = []
        self._owned = owned
        if not isinstance(fd, int) or fd < 0:
            raise UsageError(f"{shown(fd)} is not an open file descriptor")
        self._held.append(fd)

    @classmethod
    def dup(cls, fd: int) -> Self:
        """An object with its own copy of `fd`. Raises OSError if `fd` is not open."""
        return cls(os.dup(fd))

    @property
    def closed(self) -> bool:
        return not self._held

    def fileno(self) -> int:
        """The descriptor. Raises `UsageError` after `close` or `detach`."""
        try:
            return self._held[0]
        except IndexError:
            raise UsageError("the file descriptor is closed") from None

    def copy(self) -> ParcelFileDescriptor:
        """Another one for the same, in the process whose it is. Raises `UsageError` if this one is closed."""
        return ParcelFileDescriptor.dup(self.fileno())

    def detach(self) -> int:
        """Gives the descriptor, a copy if it is somebody else's, to the caller, who must close it."""
        try:
            fd = self._held.pop()
        except IndexError:
            raise UsageError("the file descriptor is closed") from None
        return fd if self._owned else os.dup(fd)

    def close(self) -> None:
        """Closes the descriptor. Doing it twice is fine."""
        try:
            fd = self._held.pop()
        except IndexError:
            return
        if self._owned:
            os.close(fd)

    def report_detached(self) -> None:
        """Tells the other end of a status pipe that its descriptor lives on by itself."""
        # Nobody may be listening any more, which is fine.
        with suppress(OSError):
            os.write(self.fileno(), _DETACHED.to_bytes(4, "big"))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __del__(self) -> None:
        # An object whose __init__ was called wrongly holds nothing.
        if hasattr(self, "_held"):
            self.close()

    def __repr__(self) -> str:
        held = self._held[:]
        return f"ParcelFileDescriptor({held[0] if held else 'closed'})"
