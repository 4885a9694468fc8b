"""Where the kernel backend's processes run: on this machine, or on one that adb reaches.

Both need a binder device that has no context manager yet, and root for apps of several uids.
"""

from __future__ import annotations

import os
import queue
import shlex
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Protocol

from binder.kernel.remote import SocketStream, Stream

from .backend import BackendUnusable

START_SECONDS = 60.0
_END_SECONDS = 10.0
_AGENTS = "npukit-agent"
_SYSTEM_UID = 1000

_SERVER = "-m reference_impl.serving --context-manager --control --binder".split()
_LISTENER = "-m binder.kernel.agent --listen".split()

ROOT = Path(__file__).parents[1]


class PlacementError(BackendUnusable):
    """Processes cannot be started there. The message says why, and what helps."""


class Program:
    """A program that is talked to in lines."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str]) -> None:
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env={**os.environ, **environment},
                text=True,
            )
        except OSError as error:
            raise PlacementError(f"cannot run {command[0]}: {error.strerror}") from None
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._errors: list[str] = []
        self._readers = [
            threading.Thread(target=self._read_lines, args=(self._process.stdout,), daemon=True),
            threading.Thread(target=self._read_errors, args=(self._process.stderr,), daemon=True),
        ]
        for reader in self._readers:
            reader.start()

    def line(self, timeout: float) -> str:
        """The next line that it writes. Raises `PlacementError` if there is none in time."""
        try:
            line = self._lines.get(timeout=timeout)
        except queue.Empty:
            raise PlacementError(f"no answer within {timeout:.0f} s; {self._said()}") from None
        if line is None:
            self._lines.put(None)
            self._readers[1].join(1)
            raise PlacementError(f"the program has ended; {self._said()}")
        return line

    def send(self, line: str) -> None:
        """Raises `PlacementError` if it has ended."""
        stream = self._process.stdin
        try:
            if stream is not None:
                stream.write(line + "\n")
                stream.flush()
        except (OSError, ValueError):
            raise PlacementError(f"the program has ended; {self._said()}") from None

    def close(self) -> None:
        """Ends it: by the end of its input, or else by force."""
        if self._process.stdin is not None:
            with suppress(OSError):
                self._process.stdin.close()
        try:
            self._process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait(_END_SECONDS)
        for reader in self._readers:
            reader.join(_END_SECONDS)
        for stream in (self._process.stdout, self._process.stderr):
            if stream is not None:
                stream.close()

    def _said(self) -> str:
        return f"it said: {''.join(self._errors[-20:]).strip() or 'nothing'}"

    def _read_lines(self, stream: IO[str]) -> None:
        for line in stream:
            self._lines.put(line)
        self._lines.put(None)

    def _read_errors(self, stream: IO[str]) -> None:
        for line in stream:
            self._errors.append(line)


class Placement(Protocol):
    """Starts what the kernel backend needs."""

    @property
    def binder(self) -> str:
        """The binder device."""

    def check(self) -> None:
        """Raises `PlacementError` if it is clear beforehand that nothing can be started."""

    def start_server(self) -> Program:
        """The reference device, to be controlled."""

    def connect_agent(self) -> Stream:
        """A stream to a fresh agent, which may choose its uid."""

    def close(self) -> None:
        """Ends the agents. The server is the backend's."""


class _Listening:
    """The part of a placement that has a program which makes agents."""

    def __init__(self) -> None:
        self._listener: Program | None = None

    def _listen(self, program: Program) -> None:
        self._listener = program
        if program.line(START_SECONDS).strip() != "listening":
            raise PlacementError("the agent does not listen")

    def close(self) -> None:
        if self._listener is not None:
            self._listener.close()
            self._listener = None


class Here(_Listening):
    """This machine. Needs root."""

    def __init__(self, binder: str = "/dev/binder") -> None:
        super().__init__()
        self.binder = binder
        self._name = f"{_AGENTS}-{os.getpid()}"

    def check(self) -> None:
        if not Path(self.binder).exists():
            raise PlacementError(
                f"this machine has no {self.binder}: load the kernel's binder_linux module, or set"
                " NPUKIT_KERNEL_SERIAL to a machine that adb reaches and that has one (make vm)"
            )
        if os.geteuid() != 0:
            raise PlacementError("apps of several uids need root: run as root")

    def start_server(self) -> Program:
        as_system = ["setpriv", f"--reuid={_SYSTEM_UID}", f"--regid={_SYSTEM_UID}", "--clear-groups"]
        return Program([*as_system, sys.executable, *_SERVER, self.binder], {"PYTHONPATH": str(ROOT)})

    def connect_agent(self) -> Stream:
        if self._listener is None:
            self._listen(Program([sys.executable, *_LISTENER, self._name], {"PYTHONPATH": str(ROOT)}))
        connection = socket.socket(socket.AF_UNIX)
        connection.connect(f"\0{self._name}")
        return SocketStream(connection)


class OverAdb(_Listening):
    """A machine that adb reaches as root, with our code in `folder`.

    Args:
        serial: which one.
        environment: for adb, such as the port of its server.
    """

    def __init__(
        self,
        serial: str,
        environment: Mapping[str, str] | None = None,
        *,
        binder: str = "/dev/binder",
        folder: str = "/opt/npukit",
    ) -> None:
        super().__init__()
        self.binder = binder
        self._serial = serial
        self._adb = ["adb", "-s", serial]
        self._environment = dict(environment or {})
        self._folder = folder
        self._port: int | None = None
        self._name = f"{_AGENTS}-{os.getpid()}-{time.monotonic_ns()}"

    def check(self) -> None:
        if (user := self._call("shell", "id -u").strip()) != "0":
            raise PlacementError(
                f"adb reaches {self._serial} as user {user}; apps of several uids need adb root"
            )

    def start_server(self) -> Program:
        as_system = ["setpriv", f"--reuid={_SYSTEM_UID}", f"--regid={_SYSTEM_UID}", "--clear-groups"]
        return self._start([*as_system, "python3", *_SERVER, self.binder])

    def connect_agent(self) -> Stream:
        if self._port is None:
            self._listen(self._start(["python3", *_LISTENER, self._name]))
            self._port = int(self._call("forward", "tcp:0", f"localabstract:{self._name}"))
        return SocketStream(socket.create_connection(("127.0.0.1", self._port), START_SECONDS))

    def close(self) -> None:
        super().close()
        if self._port is not None:
            with suppress(PlacementError):
                self._call("forward", "--remove", f"tcp:{self._port}")
            self._port = None

    def _start(self, command: Sequence[str]) -> Program:
        # Without a terminal, which would change bytes.
        line = f"PYTHONPATH={shlex.quote(self._folder)} exec {shlex.join(command)}"
        return Program([*self._adb, "shell", "-T", line], self._environment)

    def _call(self, *arguments: str) -> str:
        called = subprocess.run(
            [*self._adb, *arguments],
            capture_output=True,
            text=True,
            timeout=START_SECONDS,
            env={**os.environ, **self._environment},
            check=False,
        )
        if called.returncode:
            raise PlacementError(f"adb {arguments[0]}: {called.stderr.strip()}")
        return called.stdout


def placement_from_environment() -> Placement:
    """Here, or where NPUKIT_KERNEL_SERIAL says; NPUKIT_BINDER names another device than /dev/binder."""
    binder = os.environ.get("NPUKIT_BINDER", "/dev/binder")
    serial = os.environ.get("NPUKIT_KERNEL_SERIAL")
    return OverAdb(serial, binder=binder) if serial else Here(binder)
