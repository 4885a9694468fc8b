"""Streams to an agent: what carries bytes both ways, however it was opened."""

from __future__ import annotations

import socket
import subprocess
import threading
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import IO, Protocol, runtime_checkable

WRITE_SECONDS = 30.0
"""How long the other side may take nothing of what is written to it."""

_END_SECONDS = 5.0
_LAST_LINES = 20


class Stream(Protocol):
    """Carries bytes both ways."""

    def read(self, size: int) -> bytes:
        """At least one byte, unless the stream has ended."""

    def write(self, data: bytes) -> None:
        """Writes all of it, or raises an `OSError`."""

    def close(self) -> None:
        """Ends the stream, and a `read` that another thread waits in."""


@runtime_checkable
class Talkative(Protocol):
    """A stream that knows what its other end has said beside it."""

    def last_words(self) -> str:
        """The last lines of its error output."""


class SocketStream:
    """A stream over a connected socket.

    Args:
        connection: it belongs to this object from now on.
        write_seconds: how long a write may take.
    """

    def __init__(self, connection: socket.socket, *, write_seconds: float = WRITE_SECONDS) -> None:
        self._connection = connection
        connection.settimeout(write_seconds)

    def read(self, size: int) -> bytes:
        while True:
            # The limit is for writes: an agent may well have nothing to say for long.
            with suppress(TimeoutError):
                return self._connection.recv(size)

    def write(self, data: bytes) -> None:
        self._connection.sendall(data)

    def close(self) -> None:
        with suppress(OSError):
            self._connection.shutdown(socket.SHUT_RDWR)
        self._connection.close()


class ProcessStream(SocketStream):
    """A stream to a program's standard input and from its standard output. The program ends with it.

    Args:
        command: the program and its arguments.
        environment: all of it; this process's unless given.

    Raises:
        OSError: it cannot be run.
    """

    def __init__(self, command: Sequence[str], environment: Mapping[str, str] | None = None) -> None:
        ours, its = socket.socketpair()
        with its:
            try:
                self._process = subprocess.Popen(
                    command, stdin=its.fileno(), stdout=its.fileno(), stderr=subprocess.PIPE, env=environment
                )
            except BaseException:
                ours.close()
                raise
        super().__init__(ours)
        self._lines: deque[bytes] = deque(maxlen=_LAST_LINES)
        self._errors = threading.Thread(target=self._listen, args=(self._process.stderr,), daemon=True)
        self._errors.start()

    @property
    def pid(self) -> int:
        return self._process.pid

    def _listen(self, stream: IO[bytes]) -> None:
        with stream:
            self._lines.extend(stream)

    def last_words(self) -> str:
        self._errors.join(1)  # an agent that has just ended has just said why
        return b"".join(self._lines).decode(errors="replace").strip()

    def close(self) -> None:
        super().close()
        self._process.kill()
        self._process.wait(_END_SECONDS)
        self._errors.join(_END_SECONDS)
