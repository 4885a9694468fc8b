"""An adb server of our own: nobody else's devices are in it, and nobody else's server ends with it."""

from __future__ import annotations

import os
import socket
import subprocess
from pathlib import Path

from . import processes
from .qemu import MachineError

CONNECT_TIMEOUT = 60.0


class Adb:
    """The server, and the adb program talking to it about one device."""

    def __init__(self, directory: Path) -> None:
        self.serial = ""
        self._log = directory / "adb.log"
        for _ in range(3):  # another process may take the port just before we do
            self.port = processes.free_port()
            self.environment = {
                "ANDROID_ADB_SERVER_PORT": str(self.port),
                "ADB_LOCAL_TRANSPORT_MAX_PORT": "5553",  # no looking for emulators on this computer
                "ADB_MDNS": "0",
            }
            self._server = processes.start(["adb", "nodaemon", "server"], self._log, self.environment)
            if processes.wait_until(lambda: self._server.poll() is not None or self._listens(), 30):
                if self._server.poll() is None:
                    return
            else:
                processes.stop(self._server)
        raise MachineError(f"adb's server does not start:\n{self._log.read_text(errors='replace')}")

    @property
    def pid(self) -> int:
        return self._server.pid

    def connect(self, port: int) -> None:
        """Makes the device behind the port the one that we talk to."""
        self.disconnect()
        self.serial = f"127.0.0.1:{port}"
        if not processes.wait_until(self._connects, CONNECT_TIMEOUT, interval=0.1):
            raise MachineError(f"adb does not reach the machine within {CONNECT_TIMEOUT:.0f} s")

    def disconnect(self) -> None:
        if self.serial:
            self.call("disconnect", self.serial)

    def command(self, *arguments: str) -> list[str]:
        return ["adb", *(("-s", self.serial) if self.serial else ()), *arguments]

    def call(
        self, *arguments: str, input: bytes = b"", timeout: float = 30
    ) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            self.command(*arguments),
            input=input,
            capture_output=True,
            timeout=timeout,
            env={**os.environ, **self.environment},
            check=False,
        )

    def popen(self, *arguments: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            self.command(*arguments),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, **self.environment},
        )

    def stop(self) -> None:
        processes.stop(self._server)

    def _listens(self) -> bool:
        with socket.socket() as probe:
            probe.settimeout(1)
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def _connects(self) -> bool:
        self.call("connect", self.serial)
        if self.call("get-state").stdout.strip() == b"device":
            return True
        # An entry that was offline once stays so for ever.
        self.call("disconnect", self.serial)
        return False
