"""One QEMU process: boots an image or goes on from a saved state, and is told what to do through QMP."""

from __future__ import annotations

import json
import shlex
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

from . import processes

BOOT_TIMEOUT = 120.0
"""Seconds until the guest must be ready. Alone on two cores it takes 6; the limit is for a busy computer."""

# One processor: with two, QEMU 7.2 may run code that the kernel is just patching, and the kernel panics.
# `pc` and not `microvm`: the latter lacks a clock to calibrate against and sometimes hangs.
# Translation, also where /dev/kvm exists: it is the same everywhere.
MACHINE = (
    "-M pc -accel tcg -cpu max -smp 1 -m 512 -nodefaults -no-user-config -display none -no-reboot".split()
)

# The initcalls left out check cryptography and load certificates, for 2 seconds.
KERNEL = (
    "console=ttyS0 quiet loglevel=4 panic=-1 mitigations=off nokaslr audit=0 apparmor=0 rdinit=/init "
    "cryptomgr.notests=1 "
    "initcall_blacklist=crypto_kdf108_init,init_encrypted,load_system_certificate_list,jent_mod_init"
)


class MachineError(Exception):
    """The machine, not what ran in it, failed."""


class Qmp:
    """QEMU's control connection."""

    def __init__(self, path: Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(30)
        self._socket.connect(str(path))
        self._file = self._socket.makefile("rwb")
        self._file.readline()  # the greeting
        self.execute("qmp_capabilities")

    def execute(self, command: str, **arguments: object) -> Any:
        self._file.write(json.dumps({"execute": command, "arguments": arguments}).encode() + b"\n")
        self._file.flush()
        for line in self._file:
            message = json.loads(line)
            if "return" in message:
                return message["return"]
            if "error" in message:
                raise MachineError(f"QEMU refuses {command}: {message['error']['desc']}")
        raise MachineError(f"QEMU ended during {command}")

    def close(self) -> None:
        self._file.close()
        self._socket.close()


class Qemu:
    """A running machine. Its port for adb is on the loopback device, and it reaches no other network."""

    def __init__(self, directory: Path, arguments: list[str]) -> None:
        self.adb_port = processes.free_port()
        self.console = directory / "console"
        self.console.write_bytes(b"")
        self._log = directory / "qemu.log"
        control = directory / "qmp"
        control.unlink(missing_ok=True)
        forward = f"hostfwd=tcp:127.0.0.1:{self.adb_port}-10.0.2.15:5555"
        self._process = processes.start(
            [
                *("qemu-system-x86_64", *MACHINE),
                *("-serial", f"file:{self.console}"),
                *("-netdev", f"user,id=net,restrict=on,{forward}"),
                *("-device", "virtio-net-pci,romfile=,netdev=net"),
                *("-qmp", f"unix:{control},server=on,wait=off"),
                *arguments,
            ],
            self._log,
        )
        try:
            self._await(control.exists, 30, "started")
            self._qmp = Qmp(control)
        except OSError as error:
            processes.stop(self._process)
            raise MachineError(f"QEMU ended at once: {error}\n{self.output()}") from error
        except BaseException:
            processes.stop(self._process)
            raise

    @classmethod
    def boot(cls, directory: Path, kernel: Path, root: Path) -> Self:
        arguments = ["-kernel", str(kernel), "-initrd", str(root), "-append", KERNEL]
        return cls(directory, arguments)._once(cls._is_ready, "ready")

    @classmethod
    def restore(cls, directory: Path, state: Path) -> Self:
        return cls(directory, ["-incoming", f"exec:cat {shlex.quote(str(state))}"])._once(
            cls._runs, "restored"
        )

    def save(self, state: Path) -> None:
        """Writes the running machine to a file. It runs on only from there."""
        # Not paused first: a guest that was saved running goes on by itself.
        self._qmp.execute("migrate-set-parameters", **{"max-bandwidth": 1 << 40})
        self._qmp.execute("migrate", uri=f"exec:cat > {shlex.quote(str(state))}")
        self._await(self._is_saved, 60, "saved")

    def stop(self) -> None:
        self._qmp.close()
        processes.stop(self._process)

    def check(self) -> None:
        """Raises if the machine has ended by itself, or its kernel has."""
        if self._process.poll() is not None or "Kernel panic" in self.output():
            raise MachineError(f"the machine has broken down:\n{self.output()}")

    @property
    def pid(self) -> int:
        return self._process.pid

    def output(self) -> str:
        """What the guest's console and QEMU itself have said."""
        return "".join(
            path.read_text(encoding="utf-8", errors="replace")
            for path in (self.console, self._log)
            if path.exists()
        )

    def _once(self, condition: Callable[..., bool], what: str) -> Self:
        try:
            self._await(lambda: bool(condition(self)), BOOT_TIMEOUT, what)
        except BaseException:
            self.stop()
            raise
        return self

    def _await(self, condition: Callable[..., bool], timeout: float, what: str) -> None:
        def over() -> bool:
            return self._process.poll() is not None or condition()

        came = processes.wait_until(over, timeout)
        if self._process.poll() is not None:
            raise MachineError(f"QEMU ended before the machine was {what}:\n{self.output()}")
        if not came:
            raise MachineError(f"the machine was not {what} within {timeout:.0f} s:\n{self.output()}")

    def _is_ready(self) -> bool:
        said = self.console.read_bytes().splitlines()
        if any(line.startswith(b"FAILED") for line in said):
            raise MachineError(f"the machine could not start:\n{self.output()}")
        return any(line.startswith(b"READY") for line in said)

    def _runs(self) -> bool:
        return bool(self._qmp.execute("query-status")["running"])

    def _is_saved(self) -> bool:
        status = self._qmp.execute("query-migrate").get("status")
        if status == "failed":
            raise MachineError("QEMU could not save the machine")
        return bool(status == "completed")
