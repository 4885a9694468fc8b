"""A program in the machine, seen from here."""

from __future__ import annotations

import contextlib
import queue
import subprocess
import threading
import time
from typing import IO, Self

from .adb import Adb
from .qemu import MachineError

START_TIMEOUT = 30.0
"""Until a shell in the machine has said its first word: normally 0.1 s."""


class Running:
    """Started through `adb shell`, by a command that says its process number in its first line."""

    def __init__(self, adb: Adb, command: str) -> None:
        self._adb = adb
        self._client = adb.popen("shell", "-T", command)
        self._stdin, stdout, stderr = self._client.stdin, self._client.stdout, self._client.stderr
        self._lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._errors: list[bytes] = []
        self._readers = [
            threading.Thread(target=self._read_lines, args=(stdout,), daemon=True),
            threading.Thread(target=self._read_errors, args=(stderr,), daemon=True),
        ]
        for reader in self._readers:
            reader.start()
        self.pid = 0
        try:
            self.pid = int(self._next(START_TIMEOUT))
        except (EOFError, TimeoutError, ValueError) as error:
            self.kill()
            raise MachineError(f"the machine does not start a program: {self.stderr!r}") from error
        except BaseException:
            self.kill()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.kill()

    @property
    def stderr(self) -> bytes:
        """What it has said there so far."""
        return b"".join(self._errors)

    def line(self, timeout: float = 30) -> str:
        """The next line of its output, without the end of line.

        Raises:
            TimeoutError: none came in time.
            EOFError: it will say no more.
        """
        return self._next(timeout).decode().removesuffix("\n")

    def line_with(self, text: str, timeout: float = 30) -> str:
        """The next line that has the text in it; those before it are passed over."""
        deadline = time.monotonic() + timeout
        while True:
            line = self.line(max(0, deadline - time.monotonic()))
            if text in line:
                return line

    def send(self, data: bytes) -> None:
        """Writes to its input."""
        if self._stdin:
            self._stdin.write(data)
            self._stdin.flush()

    def end_input(self) -> None:
        if self._stdin:
            with contextlib.suppress(BrokenPipeError):
                self._stdin.close()

    def wait(self, timeout: float = 30) -> int:
        """The exit code, when it has ended; 137 after a kill."""
        try:
            return self._client.wait(timeout)
        except subprocess.TimeoutExpired:
            raise TimeoutError(f"the program has not ended within {timeout} s") from None

    def communicate(self, data: bytes, timeout: float) -> tuple[bytes, bytes, int]:
        """Gives it all of its input, takes all of its output, and waits for its end."""
        deadline = time.monotonic() + timeout
        writer = threading.Thread(target=self._write_all, args=(data,), daemon=True)
        writer.start()
        output: list[bytes] = []
        with contextlib.suppress(EOFError):
            while True:
                output.append(self._next(max(0, deadline - time.monotonic())))
        code = self.wait(max(0.1, deadline - time.monotonic()))
        for thread in (*self._readers, writer):
            thread.join(5)
        return b"".join(output), self.stderr, code

    def kill(self) -> None:
        """Kills it and all that it has started, if it is still there."""
        if self._client.poll() is None:
            if self.pid:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    self._adb.call("shell", f"kill -KILL -{self.pid}", timeout=10)
            # The client ends by itself when its program has ended, and then knows the exit code.
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._client.wait(5 if self.pid else 0)
            self._client.kill()
            self._client.wait(10)
        self.end_input()
        for reader in self._readers:
            reader.join(5)
        for stream in (self._client.stdout, self._client.stderr):
            if stream:
                stream.close()

    def _next(self, timeout: float) -> bytes:
        try:
            line = self._lines.get(timeout=timeout)
        except queue.Empty:
            raise TimeoutError(f"no output within {timeout:.1f} s; on stderr: {self.stderr!r}") from None
        if line is None:
            self._lines.put(None)
            raise EOFError(f"the program has ended; on stderr: {self.stderr!r}")
        return line

    def _read_lines(self, stream: IO[bytes]) -> None:
        for line in stream:
            self._lines.put(line)
        self._lines.put(None)

    def _read_errors(self, stream: IO[bytes]) -> None:
        while data := stream.read1(65536):  # type: ignore[attr-defined]
            self._errors.append(data)

    def _write_all(self, data: bytes) -> None:
        # A program need not read its input.
        with contextlib.suppress(BrokenPipeError, ValueError):
            self.send(data)
            self.end_input()
