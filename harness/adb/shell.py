"""Running a command on the device to its end: output, errors and exit code.

A device with `shell_v2` sends them in packets. An older one sends output and errors in one stream and no exit
code: then a line of our own asks for it, with a marker that is new every time.
"""

from __future__ import annotations

import re
import secrets
import shlex
import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Self

from .errors import AdbError, CommandFailed, LinkLost, OutcomeUnknown, TimedOut
from .wire import Link

Command = str | Sequence[str]
"""A line for the device's shell, or a program and its arguments, which are quoted."""

_CHUNK = 1 << 16
_HEADER = struct.Struct("<BI")
_STDOUT, _STDERR, _EXIT, _CLOSE_STDIN = 1, 2, 3, 4


@dataclass(frozen=True, slots=True)
class Completed:
    """What a command on the device left.

    Attributes:
        code: its exit code; 128 and more for a signal, as a shell says it.
        errors_apart: False if the device could not tell errors from output; then `stdout` has both.
    """

    command: str
    stdout: bytes
    stderr: bytes
    code: int
    errors_apart: bool = True

    @property
    def text(self) -> str:
        """The output as text; what is no UTF-8 is replaced."""
        return self.stdout.decode(errors="replace")

    @property
    def said(self) -> str:
        """Output and errors, for a message."""
        return (self.stdout + self.stderr).decode(errors="replace")

    def check(self) -> Self:
        """Raises `CommandFailed` if the exit code is not 0."""
        if self.code:
            raise CommandFailed(self.command, self.code, self.said)
        return self


def line_of(command: Command) -> str:
    """The command as one line for the device's shell."""
    line = command if isinstance(command, str) else shlex.join(command)
    if "\0" in line:
        raise AdbError(f"a command with a zero byte in it cannot be sent: {line!r}")
    return line


def run(open_service: Callable[[str], Link], command: Command, *, packets: bool) -> Completed:
    """Runs a command.

    Args:
        open_service: connects to a service of the device.
        packets: whether the device has `shell_v2`.

    Raises:
        OutcomeUnknown: it was started, and its end was not seen, for the connection was cut or time is over.
        AdbError: it was not started.
    """
    line = line_of(command)
    how = _in_packets if packets else _with_marker
    service, read = how(line)
    # What goes wrong in here happened before the device had the command.
    link = open_service(service)
    with link:
        try:
            return read(link)
        except (LinkLost, TimedOut) as error:
            raise OutcomeUnknown(
                f"{line!r} was started on the device and its end was not seen: {error}",
                "find out whether it has happened before doing it again",
            ) from error


_Reader = Callable[[Link], Completed]


def _in_packets(line: str) -> tuple[str, _Reader]:
    def read(link: Link) -> Completed:
        link.write(_HEADER.pack(_CLOSE_STDIN, 0))
        streams = {_STDOUT: bytearray(), _STDERR: bytearray()}
        while True:
            kind, size = _HEADER.unpack(link.read_exact(_HEADER.size))
            if kind == _EXIT:
                code = link.read_exact(size)
                return Completed(
                    line, bytes(streams[_STDOUT]), bytes(streams[_STDERR]), code[0] if code else 0
                )
            data = link.read_exact(size)
            if kind in streams:  # others are for later versions
                streams[kind] += data

    return f"shell,v2,raw:{line}", read


def _with_marker(line: str) -> tuple[str, _Reader]:
    marker = secrets.token_hex(16)
    # `eval` in a shell of its own: `exit`, comments and open quotes end with it. What it leaves in the
    # background keeps the stream open, so the marker ends the reading.
    script = f"(eval {shlex.quote(line)}) 2>&1 </dev/null; printf '%s%d.' {marker} $?"
    ending = re.compile(re.escape(marker.encode()) + rb"(\d+)\.")

    def read(link: Link) -> Completed:
        data = bytearray()
        while True:
            start = max(0, len(data) - len(marker) - 8)
            chunk = link.read(_CHUNK)
            data += chunk
            if found := ending.search(data, start):
                return Completed(line, bytes(data[: found.start()]), b"", int(found[1]), errors_apart=False)
            if not chunk:
                raise LinkLost(f"{link.deadline.doing}: the connection ended before the exit code came")

    return f"exec:{script}", read


def retried(action: Callable[[], Completed], recover: Callable[[], None], tries: int) -> Completed:
    """Does something that may be done twice until its end is seen.

    Args:
        recover: called before each further try; raises if there is no point.
    """
    for _ in range(tries - 1):
        try:
            return action()
        except (LinkLost, OutcomeUnknown) as error:
            if isinstance(error.__cause__, TimedOut):
                raise  # it hangs, and would again
        recover()
    return action()
