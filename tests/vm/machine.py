"""A virtual machine with the real binder driver and the real adbd, for tests.

    with Machine("trixie") as machine:             # boots
        machine.run("id -u", uid=2000).check()     # Completed(stdout=b"2000\\n", stderr=b"", code=0)
        machine.save()
        machine.restore()                          # as it was when saved

Nothing outlives the process that started it: neither QEMU nor adb's server, however that process ends.
"""

from __future__ import annotations

import io
import re
import shlex
import subprocess
import tarfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Self

from .adb import Adb
from .processes import TURN, Workplace
from .qemu import MachineError, Qemu
from .running import Running

Variant = Literal["trixie", "sid"]
Command = str | Sequence[str]

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
CODE = ("binder", "generated", "service_manager", "reference_impl")
"""What runs in the machine: it needs nothing but the standard library."""

BUILD_TIMEOUT = 1800
TURN_TIMEOUT = 60.0


@dataclass(frozen=True, slots=True)
class Completed:
    """What a program in the machine left."""

    stdout: bytes
    stderr: bytes
    code: int

    @property
    def text(self) -> str:
        return self.stdout.decode()

    def check(self) -> Self:
        """Raises if the program failed."""
        if self.code:
            raise AssertionError(f"exit code {self.code}\n{self.stdout.decode()}{self.stderr.decode()}")
        return self


def image(variant: Variant) -> Path:
    """The directory with the machine's files, built if need be."""
    built = subprocess.run(
        [HERE / "build-image.sh", variant], capture_output=True, text=True, timeout=BUILD_TIMEOUT, check=False
    )
    if built.returncode:
        raise MachineError(f"the virtual machine could not be built: {built.stderr.strip()}")
    return Path(built.stdout.strip())


class Machine:
    """One virtual machine, started when told to.

    Args:
        takes_turns: waits until few enough other processes run machines, as tests should.
    """

    def __init__(self, variant: Variant = "trixie", *, takes_turns: bool = True) -> None:
        self.variant = variant
        self._image = image(variant)
        self._workplace = Workplace()
        self._state = self._workplace.path / "state"
        self._adb: Adb | None = None
        self._qemu: Qemu | None = None
        self._takes_turns = takes_turns
        self._has_turn = False
        self._last_words = ""

    def start(self) -> None:
        """Boots."""
        kernel, root = self._image / "vmlinux", self._image / f"{self.variant}.cpio"
        self._begin(lambda: Qemu.boot(self._workplace.path, kernel, root))

    def save(self) -> None:
        """Keeps the state of now, for `restore`, and stops."""
        self.adb.disconnect()
        self._running().save(self._state)
        self.stop()

    def restore(self) -> None:
        """Goes back to the saved state, whatever has happened since."""
        self.stop()
        self._begin(lambda: Qemu.restore(self._workplace.path, self._state))
        # The guest's clock has stood still since.
        self.run(f"date -s @{time.time():.3f}").check()

    def stop(self) -> None:
        """Ends the machine at once. What was saved can be restored."""
        if self._qemu:
            self._qemu.stop()
            self._last_words, self._qemu = self._qemu.output(), None
        if self._has_turn:
            TURN.give_back()
            self._has_turn = False

    def close(self) -> None:
        """Ends the machine and adb's server, and forgets what was saved."""
        self.stop()
        if self._adb:
            self._adb.stop()
            self._adb = None
        self._workplace.remove()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    @property
    def adb(self) -> Adb:
        """The server that knows the machine, and under which serial number."""
        if self._adb is None:
            self._adb = Adb(self._workplace.path)
        return self._adb

    def pids(self) -> list[int]:
        """The processes on this computer that the machine consists of."""
        return [part.pid for part in (self._qemu, self._adb) if part]

    def log(self) -> str:
        """What a person wants to see after a failure: the console, and the kernel's last messages."""
        if self._qemu is None:
            return self._last_words
        try:
            kernel = self.adb.call("shell", "dmesg | tail -n 40", timeout=10).stdout
        except subprocess.TimeoutExpired:
            kernel = b"(the machine does not answer)"
        return self._qemu.output() + kernel.decode(errors="replace")

    def run(
        self, command: Command, input: bytes = b"", timeout: float = 30, uid: int | None = None
    ) -> Completed:
        """Runs a shell command, or a program with arguments, to its end.

        Args:
            uid: the user and group to run as, without capabilities; root if it is None.

        Raises:
            TimeoutError: it took longer, and was killed.
            MachineError: the machine does not answer.
        """
        with self.spawn(command, uid=uid) as running:
            try:
                completed = Completed(*running.communicate(input, timeout))
            except TimeoutError as error:
                raise TimeoutError(f"{command!r} took longer than {timeout} s: {error}") from None
        self._running()
        return completed

    def spawn(self, command: Command, uid: int | None = None) -> Running:
        """Starts a program and lets it run; leave the returned object's `with` block to kill it."""
        qemu = self._running()
        try:
            return Running(self.adb, wrapped(command, uid))
        except MachineError:
            self.adb.connect(qemu.adb_port)
            return Running(self.adb, wrapped(command, uid))

    def push(self, source: Path, destination: str) -> None:
        """Copies a file or a directory."""
        pushed = self.adb.call("push", str(source), destination, timeout=120)
        if pushed.returncode:
            raise MachineError(
                f"adb push {source} {destination}: {pushed.stdout.decode()}{pushed.stderr.decode()}"
            )

    def push_code(self) -> None:
        """Copies the code under test to where every Python in the machine finds it."""
        self.run("rm -rf /opt/npukit/* && tar -x -C /opt/npukit", input=archive(), timeout=120).check()

    def forward(self, remote: str) -> int:
        """The port on this computer that reaches a socket of the machine, such as `localabstract:agent`."""
        forwarded = self.adb.call("forward", "tcp:0", remote)
        if forwarded.returncode:
            raise MachineError(f"adb forward {remote}: {forwarded.stderr.decode()}")
        return int(forwarded.stdout)

    def _begin(self, launch: Callable[[], Qemu]) -> None:
        if self._qemu:
            raise MachineError("the machine is running already")
        if self._takes_turns:
            TURN.take(TURN_TIMEOUT)
            self._has_turn = True
        try:
            try:
                self._qemu = launch()
            except MachineError:  # its port was taken at the last moment, or this computer was too busy
                self._qemu = launch()
            self.adb.connect(self._qemu.adb_port)
        except BaseException:
            self.stop()
            raise

    def _running(self) -> Qemu:
        if self._qemu is None:
            raise MachineError("the machine is not running")
        self._qemu.check()
        return self._qemu


def wrapped(command: Command, uid: int | None) -> str:
    """A shell command that says its process first, so that it can be killed, with all that it starts."""
    script = command if isinstance(command, str) else shlex.join(command)
    become = "" if uid is None else f"setpriv --reuid={uid} --regid={uid} --clear-groups --inh-caps=-all "
    return f"echo $$; exec {become}sh -c {shlex.quote(script)}"


def archive() -> bytes:
    """The code under test, as a tar file."""

    def kept(member: tarfile.TarInfo) -> tarfile.TarInfo | None:
        member.uid = member.gid = 0
        return None if re.search(r"__pycache__|\.egg-info", member.name) else member

    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as tar:
        for room in CODE:
            tar.add(ROOT / room, room, filter=kept)
    return packed.getvalue()
