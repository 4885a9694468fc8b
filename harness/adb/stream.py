"""A program on the device whose input and output are ours: bytes both ways, no terminal, no port."""

from __future__ import annotations

from types import TracebackType
from typing import Self

from .deadline import Deadline
from .errors import LinkLost
from .wire import Link


class ExecStream:
    """The `exec:` service of adbd. What the program writes to its standard error comes with its output.

    The program sees end of file after `close_write`, and loses both ends when the stream is closed.
    One thread may read while another writes. It is a `binder.kernel.remote.Stream`.

    Args:
        write_seconds: what the other side gets to take what is written.
    """

    def __init__(self, link: Link, command: str, write_seconds: float = 60.0) -> None:
        self._link = link
        self._command = command
        self._write_seconds = write_seconds

    def read(self, size: int, timeout: float | None = None) -> bytes:
        """At least one byte, and at most `size`; nothing once the program has ended its output.

        Args:
            timeout: seconds; without it, as long as it takes.

        Raises:
            TimedOut: nothing came.
            LinkLost: the connection was cut.
        """
        return self._link.read(size, Deadline(timeout, f"reading from {self._command!r}"))

    def read_exact(self, size: int, timeout: float | None = None) -> bytes:
        """So many bytes. Raises `LinkLost` if the stream ends before, `TimedOut` if they take too long."""
        deadline = Deadline(timeout, f"reading from {self._command!r}")
        data = bytearray()
        while len(data) < size:
            chunk = self._link.read(size - len(data), deadline)
            if not chunk:
                raise LinkLost(f"{self._command!r} ended its output after {len(data)} of {size} bytes")
            data += chunk
        return bytes(data)

    def write(self, data: bytes) -> None:
        """Writes all of it. Raises `LinkLost` if the program or the connection has ended."""
        self._link.write(data, Deadline(self._write_seconds, f"writing to {self._command!r}"))

    def close_write(self) -> None:
        """Ends the program's input.

        adb has no half-closed streams: the program gets SIGHUP, too, and what it writes from then on is lost.
        """
        self._link.close_write()

    def close(self) -> None:
        """Ends the stream, and a `read` in which another thread waits."""
        self._link.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
