"""Where the kernel backend's processes run: on this machine, or on one that adb reaches.

Both need a binder device that has no context manager yet, and root for apps of several uids.
"""

from __future__ import annotations

import os
import platform
import queue
import shlex
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Protocol

from binder.kernel.remote import RemoteDevice
from binder.kernel.streams import ProcessStream

from .adb import AdbError, Device, Server
from .agent.build import BuildError, build
from .agent.install import InstallError, install, start
from .backend import BackendUnusable

START_SECONDS = 60.0
_END_SECONDS = 10.0
_SYSTEM_UID = 1000

_SERVER = "-m reference_impl.serving --context-manager --control".split()

HAL_APART = "NPUKIT_HAL_APART"
"""If it is set, the HAL is a program of its own, which scenarios kill as one."""


def server_words(binder: str) -> list[str]:
    """The server's arguments after the interpreter."""
    return [*_SERVER, *(["--hal-apart"] if os.environ.get(HAL_APART) else []), "--binder", binder]


ROOT = Path(__file__).parents[1]


class PlacementError(BackendUnusable):
    """Processes cannot be started there. The message says why, and what helps."""


class LineProgram(Protocol):
    """What is talked to in lines."""

    def line(self, timeout: float) -> str:
        """The next line that it writes. Raises `PlacementError` if there is none in time."""

    def send(self, line: str) -> None:
        """Raises `PlacementError` if it has ended."""

    def close(self) -> None:
        """Ends it."""


class Program:
    """A process of this machine as a `LineProgram`."""

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


@contextmanager
def _understood() -> Iterator[None]:
    """What keeps an agent from being made or started is what keeps the backend from being used."""
    try:
        yield
    except (AdbError, BuildError, InstallError, OSError) as error:
        raise PlacementError(str(error)) from None


class Agents(Protocol):
    """Starts agents."""

    def open_device(self, uid: int) -> RemoteDevice:
        """The binder device, opened by a process of its own under that uid."""


class Placement(Agents, Protocol):
    """Starts what the kernel backend needs."""

    def check(self) -> None:
        """Raises `PlacementError` if it is clear beforehand that nothing can be started."""

    def start_server(self) -> Program:
        """The reference device, to be controlled."""


class Here:
    """This machine. Needs root."""

    def __init__(self, binder: str = "/dev/binder") -> None:
        self.binder = binder

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
        return Program([*as_system, sys.executable, *server_words(self.binder)], {"PYTHONPATH": str(ROOT)})

    def open_device(self, uid: int) -> RemoteDevice:
        with _understood():
            return RemoteDevice(ProcessStream([str(build(platform.machine()))]), self.binder, uid=uid)


class OverAdb:
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
        self.binder = binder
        self._adb = ["adb", "-s", serial]
        self._environment = dict(environment or {})
        with _understood():
            self._device = Device(Server.from_environment({**os.environ, **self._environment}), serial)
        self._folder = folder
        self._agent: str | None = None

    def check(self) -> None:
        with _understood():
            user = self._device.shell("id -u").check().text.strip()
        if user != "0":
            raise PlacementError(
                f"adb reaches {self._device.serial} as user {user}; apps of several uids need adb root"
            )

    def start_server(self) -> Program:
        as_system = ["setpriv", f"--reuid={_SYSTEM_UID}", f"--regid={_SYSTEM_UID}", "--clear-groups"]
        return self._start([*as_system, "python3", *server_words(self.binder)])

    def open_device(self, uid: int) -> RemoteDevice:
        with _understood():
            if self._agent is None:
                self._agent = install(self._device)
            return start(self._device, self._agent, self.binder, uid=uid)

    def _start(self, command: Sequence[str]) -> Program:
        # Without a terminal, which would change bytes.
        line = f"PYTHONPATH={shlex.quote(self._folder)} exec {shlex.join(command)}"
        return Program([*self._adb, "shell", "-T", line], self._environment)


def placement_from_environment() -> Placement:
    """Here, or where NPUKIT_KERNEL_SERIAL says; NPUKIT_BINDER names another device than /dev/binder."""
    binder = os.environ.get("NPUKIT_BINDER", "/dev/binder")
    serial = os.environ.get("NPUKIT_KERNEL_SERIAL")
    return OverAdb(serial, binder=binder) if serial else Here(binder)
