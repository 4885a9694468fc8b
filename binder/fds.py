"""File descriptors that travel in parcels."""

from __future__ import annotations

import os
from contextlib import suppress
from types import TracebackType
from typing import Self

from .errors import UsageError

_DETACHED = 2


class ParcelFileDescriptor:
    """Owns an open file descriptor and closes it, at the latest when it is garbage.

    Args:
        fd: an open descriptor. It belongs to this object from now on, unless `owned` is false.
        owned: false for one that somebody else closes.
    """

    __slots__ = ("__weakref__", "_fd", "_owned")

    def __init__(self, fd: int, *, owned: bool = True) -> None:
        self._fd = fd
        self._owned = owned

    @classmethod
    def dup(cls, fd: int) -> Self:
        """An object with its own copy of `fd`. Raises OSError if `fd` is not open."""
        return cls(os.dup(fd))

    @property
    def closed(self) -> bool:
        return self._fd < 0

    def fileno(self) -> int:
        """The descriptor. Raises `UsageError` after `close` or `detach`."""
        if self._fd < 0:
            raise UsageError("the file descriptor is closed")
        return self._fd

    def detach(self) -> int:
        """Gives the descriptor to the caller, who must close it."""
        fd = self.fileno()
        self._fd = -1
        return fd

    def close(self) -> None:
        """Closes the descriptor. Doing it twice is fine."""
        fd, self._fd = self._fd, -1
        if fd >= 0 and self._owned:
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
        if self._fd >= 0:
            self.close()

    def __repr__(self) -> str:
        return f"ParcelFileDescriptor({'closed' if self.closed else self._fd})"
