"""A device: commands, streams and files, each within a deadline."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

from . import shell, sync
from .deadline import Deadline, poll
from .errors import DeviceUnavailable, OutcomeUnknown, Refused, TimedOut
from .server import ANSWER_SECONDS, Server
from .shell import Command, Completed
from .states import State
from .stream import ExecStream
from .wire import Link

SHELL_SECONDS = 30.0
"""What a command gets, if nothing else is said."""

_SLOWEST_TRANSFER = 1 << 20  # bytes per second, for the deadlines of transfers
_TRIES = 3


class Device:
    """One device, as one adb server knows it.

    Args:
        server: which one.
        serial: as the server lists it, of whatever signs.
    """

    def __init__(self, server: Server, serial: str) -> None:
        self.server = server
        self.serial = serial
        self._features: frozenset[str] | None = None

    def __repr__(self) -> str:
        return f"Device({self.serial!r} at {self.server})"

    @property
    def state(self) -> State:
        """How the server lists it now."""
        return self.server.state(self.serial)

    def check(self) -> None:
        """Raises `DeviceUnavailable` if nothing can be done with it now."""
        if not (state := self.state).usable:
            raise DeviceUnavailable(self.serial, state)

    @property
    def features(self) -> frozenset[str]:
        """What its adbd and the server both know, such as "shell_v2". Asked for once."""
        if self._features is None:
            try:
                answer = self.server.ask(f"host-serial:{self.serial}:features")
            except Refused:
                self.check()
                answer = ""  # a server from before there were any
            self._features = frozenset(filter(None, answer.strip().split(",")))
        return self._features

    def forget(self) -> None:
        """Forgets what a restart of the device or of its adbd may have changed."""
        self._features = None

    def shell(
        self, command: Command, *, timeout: float = SHELL_SECONDS, repeatable: bool = False
    ) -> Completed:
        """Runs a command in the device's shell, to its end.

        Args:
            command: a line for the shell, or a program and its arguments.
            timeout: seconds for all of it.
            repeatable: whether it may be run again if the connection is lost while it runs.

        Raises:
            DeviceUnavailable: the device's state does not allow it; nothing was run.
            OutcomeUnknown: it was started and its end was not seen.
        """
        deadline = Deadline(timeout, f"running {shell.line_of(command)!r} on {self.serial!r}")

        def once() -> Completed:
            packets = "shell_v2" in self.features
            return shell.run(
                lambda service: self.server.open_device(self.serial, service, deadline),
                command,
                packets=packets,
            )

        def recover() -> None:
            self.forget()
            self.wait_until_usable(deadline)

        return shell.retried(once, recover, _TRIES if repeatable else 1)

    def stream(self, command: Command, *, timeout: float = ANSWER_SECONDS) -> ExecStream:
        """Starts a program whose input and output are a raw stream.

        Args:
            timeout: seconds until it has started.
        """
        line = shell.line_of(command)
        deadline = Deadline(timeout, f"starting {line!r} on {self.serial!r}")
        return ExecStream(self.server.open_device(self.serial, f"exec:{line}", deadline), line)

    def status(self, path: str) -> sync.Status | None:
        """What is known of a file on the device; None if there is none."""
        with self._sync(f"looking at {path!r}", ANSWER_SECONDS) as link:
            return sync.status(link, path, v2="stat_v2" in self.features)

    def exists(self, path: str) -> bool:
        """Whether there is such a file or folder, whenever it was modified."""
        return self.status(path) is not None

    def push(self, source: Path | bytes, path: str, *, mode: int = 0o644) -> sync.Sent:
        """Writes a file on the device and checks that it arrived: its size, and its SHA-256 if it can.

        Args:
            source: the file, or its content.
            path: the whole path of the file, not of its folder.
            mode: permissions, 0 to 0o777.

        Raises:
            SyncRefused: the device does not take it.
            OutcomeUnknown: it is not what was sent.
        """
        if isinstance(source, bytes):
            return self._push(BytesIO(source), len(source), path, mode, int(time.time()))
        found = source.stat()
        with source.open("rb") as file:
            return self._push(file, found.st_size, path, mode, int(found.st_mtime))

    def pull(self, path: str, *, timeout: float = 120.0) -> bytes:
        """The content of a file on the device. Raises `SyncRefused`."""
        with self._sync(f"reading {path!r}", timeout) as link:
            return b"".join(sync.receive(link, path))

    def wait_until_usable(self, deadline: Deadline) -> None:
        """Waits while the state may pass. Raises `DeviceUnavailable` once it may not, or time is over."""
        state = self.state

        def usable() -> bool:
            nonlocal state
            state = self.state
            if not (state.usable or state.may_pass):
                raise DeviceUnavailable(self.serial, state)
            return state.usable

        try:
            poll(usable, deadline)
        except TimedOut:
            raise DeviceUnavailable(self.serial, state, " still") from None

    @contextmanager
    def _sync(self, doing: str, seconds: float) -> Iterator[Link]:
        deadline = Deadline(seconds, f"{doing} on {self.serial!r}")
        with self.server.open_device(self.serial, "sync:", deadline) as link:
            yield link

    def _push(self, source: BinaryIO, size: int, path: str, mode: int, modified: int) -> sync.Sent:
        seconds = SHELL_SECONDS + size / _SLOWEST_TRANSFER
        with self._sync(f"writing {path!r}", seconds) as link:
            sent = sync.send(link, source, path, mode=mode, modified=modified)
        arrived = self.status(path)
        if arrived is None or not arrived.has_size(sent.size):
            there = "nothing" if arrived is None else f"{arrived.size} bytes"
            raise OutcomeUnknown(f"{path!r} on {self.serial!r}: {sent.size} bytes were sent, {there} arrived")
        summed = self.shell(["sha256sum", path], timeout=seconds, repeatable=True)
        if summed.code == 0 and sent.sha256 not in summed.text:
            raise OutcomeUnknown(f"{path!r} on {self.serial!r} is not what was sent: its SHA-256 is another")
        return sent
