"""adb's servers: where they are, and which devices they list."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

from .deadline import Deadline
from .errors import AdbError, DeviceUnavailable, NoServer, Refused
from .states import State, refused_state, state_called
from .wire import Link

DEFAULT_PORT = 5037
ANSWER_SECONDS = 10.0
"""What a server gets for an answer of its own."""

_START_SECONDS = 30.0
_LOOPBACK = ("127.0.0.1", "localhost", "::1")


@dataclass(frozen=True, slots=True)
class Listed:
    """A line of the server's list of devices."""

    serial: str
    state: State


@dataclass(frozen=True, slots=True)
class Server:
    """An adb server, here or on another host. It is never ended by us."""

    host: str = "127.0.0.1"
    port: int = DEFAULT_PORT

    @classmethod
    def parse(cls, text: str) -> Self:
        """A server from "HOST:PORT", "[IPV6]:PORT" or "HOST". Raises `AdbError`."""
        match = re.fullmatch(
            r"(?:\[(?P<six>[^\]]+)\]|(?P<name>[^:\s]+))(?::(?P<port>\d{1,5}))?", text.strip()
        )
        port = int(match["port"] or DEFAULT_PORT) if match else 0
        if match is None or not 0 < port < 1 << 16:
            raise AdbError(f"{text!r} is no address of an adb server", "write HOST:PORT")
        return cls(match["six"] or match["name"], port)

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Self:
        """Where the adb program would look for it: ADB_SERVER_SOCKET, or address and port by themselves."""
        if spec := environment.get("ADB_SERVER_SOCKET", ""):
            if not spec.startswith("tcp:"):
                raise AdbError(f"ADB_SERVER_SOCKET is {spec!r}", "only tcp:HOST:PORT is known here")
            rest = spec.removeprefix("tcp:")
            return cls.parse(f"127.0.0.1:{rest}" if rest.isdecimal() else rest)
        host = environment.get("ANDROID_ADB_SERVER_ADDRESS") or environment.get("ANDROID_ADB_SERVER_HOST")
        port = environment.get("ANDROID_ADB_SERVER_PORT", "")
        host = host or "127.0.0.1"
        return cls.parse(f"{f'[{host}]' if ':' in host else host}:{port or DEFAULT_PORT}")

    @property
    def is_here(self) -> bool:
        """Whether it is on this computer."""
        return self.host in _LOOPBACK

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    def open(self, service: str, deadline: Deadline) -> Link:
        """A connection on which the server has said OKAY to a service. Raises `AdbError`."""
        link = Link(self.host, self.port, deadline)
        try:
            link.request(service)
        except BaseException:
            link.close()
            raise
        return link

    def open_device(self, serial: str, service: str, deadline: Deadline) -> Link:
        """A connection to a service of a device. Raises `DeviceUnavailable` with its state."""
        try:
            link = self.open(f"host:transport:{serial}", deadline)
        except Refused as refusal:
            raise self._unavailable(serial, refusal) from None
        try:
            link.request(service)
        except Refused as refusal:
            link.close()
            # What speaks of the device's state comes from the server, other reasons from the device.
            if refused_state(refusal.reason) is None:
                raise
            raise self._unavailable(serial, refusal) from None
        except BaseException:
            link.close()
            raise
        return link

    def ask(self, service: str, seconds: float = ANSWER_SECONDS) -> str:
        """The server's answer in text."""
        with self.open(
            service, Deadline(seconds, f"asking the adb server at {self} for {service!r}")
        ) as link:
            return link.read_block()

    def version(self) -> int:
        """The server's own version: 41 for adb 1.0.41."""
        answer = self.ask("host:version")
        try:
            return int(answer, 16)
        except ValueError:
            raise NoServer(f"what answers at {self} is no adb server: its version is {answer!r}") from None

    def devices(self, seconds: float = ANSWER_SECONDS) -> list[Listed]:
        """Every device that the server lists, in whatever state.

        A tab ends the serial, which may have spaces, as those found by mDNS have; states have spaces, too.
        """
        lines = self.ask("host:devices", seconds).splitlines()
        pairs = [line.partition("\t") for line in lines if "\t" in line]
        return [Listed(serial, state_called(state)) for serial, _, state in pairs]

    def state(self, serial: str, seconds: float = ANSWER_SECONDS) -> State:
        """The state of a device, "absent" if it is not listed."""
        listed = {entry.serial: entry.state for entry in self.devices(seconds)}
        return listed.get(serial) or state_called("absent")

    def ensure_running(self) -> bool:
        """Starts a server with the adb program if it should be here and there is none; whether it did.

        Raises:
            NoServer: there is none, and it cannot be started.
        """
        try:
            self.version()
        except NoServer as absent:
            if not self.is_here or not _is_refusal(absent):
                raise
            self._start()
            self.version()
            return True
        return False

    def _start(self) -> None:
        adb = shutil.which("adb")
        if adb is None:
            raise NoServer(f"no adb server answers at {self}, and there is no adb program", "install adb")
        try:
            started = subprocess.run(
                [adb, "-P", str(self.port), "start-server"],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,  # the server inherits it, and would keep a pipe open
                stderr=subprocess.DEVNULL,
                timeout=_START_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise NoServer(f"adb start-server takes longer than {_START_SECONDS:g} s") from None
        if started.returncode:
            raise NoServer(
                f"adb start-server ended with {started.returncode}", f"see: adb -P {self.port} start-server"
            )

    def _unavailable(self, serial: str, refusal: Refused) -> AdbError:
        # The list knows more than the refusal says: "device offline" is also what a bootloader gets.
        state = self.state(serial)
        if not state.usable:
            return DeviceUnavailable(serial, state)
        refused = refused_state(refusal.reason)
        return DeviceUnavailable(serial, refused) if refused else refusal


def _is_refusal(absent: NoServer) -> bool:
    """Whether nothing listens at all, as opposed to something else that does."""
    return "no adb server answers" in str(absent)
