"""What is typed at a shell: a table of commands, each a function of a call and the system.

Output is shaped as Android's own tools shape it, as far as their users look at it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from io import StringIO
from typing import TypeAlias

from reference_impl.android.activity import Activities
from reference_impl.device import ReferenceDevice

NOT_FOUND, USAGE = 20, 255


@dataclass(slots=True)
class Call:
    """A command as it was typed, and what it has said so far.

    Attributes:
        uid: who typed it.
        pid: of the process that waits for it.
        words: what follows the command's name.
    """

    uid: int
    pid: int
    words: list[str]
    out: StringIO = field(default_factory=StringIO)
    err: StringIO = field(default_factory=StringIO)

    def say(self, line: str) -> int:
        """Writes a line of output; 0, for a command to return."""
        self.out.write(line + "\n")
        return 0

    def fail(self, line: str, code: int = 1) -> int:
        """Writes a line of complaint; `code`, for a command to return."""
        self.err.write(line + "\n")
        return code

    def options(self, *with_value: str) -> tuple[dict[str, str], list[str]]:
        """Options and the other words. Options in `with_value` take the next word as their value."""
        options: dict[str, str] = {}
        rest: list[str] = []
        words = iter(self.words)
        for word in words:
            if word in with_value:
                options[word] = next(words, "")
            elif word.startswith("-"):
                options[word] = ""
            else:
                rest.append(word)
        return options, rest


@dataclass(slots=True)
class System:
    """What commands act on. `device` and `activities` change when the system restarts.

    Attributes:
        properties: what `getprop` says.
        log: the lines of `logcat`.
        names: what the service manager lists, by name the descriptor.
        pid_of: the process behind a service; 0 if it is not known.
        transact: makes a binder call for `service call`: service, code and request; the bytes of the reply.
    """

    device: ReferenceDevice
    activities: Activities
    properties: dict[str, str]
    log: list[str]
    names: Callable[[], dict[str, str]]
    transact: Callable[[str, int, list[str]], bytes]
    pid_of: Callable[[str], int]


Command: TypeAlias = Callable[[Call, System], int]
"""Carries out a call and returns its exit code."""


def run(name: str, call: Call, system: System) -> int:
    """Does what was typed. Returns an exit code from 0 to 255."""
    from reference_impl.android import activity_commands, package_commands, service_commands

    tables = (activity_commands.COMMANDS, package_commands.COMMANDS, service_commands.COMMANDS)
    command = next((table[name] for table in tables if name in table), None)
    if command is None:
        return call.fail(f"{name}: inaccessible or not found", 127)
    return command(call, system) & 0xFF


NAMES = (
    "aflags am cmd device_config dumpsys getenforce getprop input logcat lshal pm service setprop settings"
).split()
"""By which names the shell finds the client."""
