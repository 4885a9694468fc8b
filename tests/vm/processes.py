"""Programs that must not outlive the tests, ports and places for them, and waiting with a deadline."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from threading import Event

SLOTS = 2
"""How many sessions of tests run machines at once on this computer: each keeps a core busy."""

PREFIX = "npukit-vm-"
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "npukit" / "vm"


def wait_until(condition: Callable[[], bool], timeout: float, interval: float = 0.05) -> bool:
    """Whether the condition came true in time."""
    deadline = time.monotonic() + timeout
    never = Event()
    while not condition():
        if time.monotonic() > deadline:
            return False
        never.wait(interval)
    return True


def start(
    arguments: Sequence[str], log: Path, environment: Mapping[str, str] | None = None
) -> subprocess.Popen[bytes]:
    """Starts a program that ends when the thread that calls this ends, even by SIGKILL.

    It is not in our process group: Ctrl-C is for the tests, which then stop it in order.
    """
    with log.open("wb") as output:
        return subprocess.Popen(
            ["setpriv", "--pdeathsig", "KILL", "--", *arguments],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            env={**os.environ, **(environment or {})},
            start_new_session=True,
        )


def stop(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait(10)


def free_port() -> int:
    """A port of the loopback device that is free now. Whoever uses it must be ready to try another."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextlib.contextmanager
def locked(path: Path) -> Iterator[bool]:
    """Whether the file's lock could be had at once. The system takes it back from a process that ends."""
    with path.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True


class Turn:
    """Keeps too many processes from running machines at once, out of politeness: it does not refuse for ever.

    All machines of a process share it, so that two processes which each have one and want another never
    wait for each other.
    """

    def __init__(self, directory: Path = CACHE) -> None:
        self._directory = directory
        self._held = contextlib.ExitStack()
        self._users = 0
        self._waited_in_vain = False

    def take(self, timeout: float) -> bool:
        """Waits until few enough others run machines; in vain only once, for a person may keep one."""
        self._users += 1
        if self._users > 1:
            return True
        self._directory.mkdir(parents=True, exist_ok=True)
        in_time = wait_until(self._take, 0 if self._waited_in_vain else timeout, interval=0.2)
        self._waited_in_vain |= not in_time
        return in_time

    def give_back(self) -> None:
        self._users -= 1
        if not self._users:
            self._held.close()

    def _take(self) -> bool:
        for number in range(SLOTS):
            with contextlib.ExitStack() as attempt:
                if attempt.enter_context(locked(self._directory / f"slot-{number}")):
                    self._held = attempt.pop_all()
                    return True
        return False


TURN = Turn()


class Workplace:
    """A directory that goes away with its owner, or when the next one comes if the owner was killed."""

    def __init__(self, parent: Path | None = None) -> None:
        parent = parent or Path(tempfile.gettempdir())
        for left_behind in parent.glob(f"{PREFIX}*/owner"):
            with contextlib.suppress(OSError), locked(left_behind) as dead:
                if dead:
                    shutil.rmtree(left_behind.parent)
        self._owner = contextlib.ExitStack()
        while not self._make(parent):
            pass

    def _make(self, parent: Path) -> bool:
        self.path = Path(tempfile.mkdtemp(prefix=PREFIX, dir=parent))
        owner = self.path / "owner"
        # Somebody who tidies up may have come between the making of the file and the lock.
        return self._owner.enter_context(locked(owner)) and owner.exists()

    def remove(self) -> None:
        shutil.rmtree(self.path, ignore_errors=True)
        self._owner.close()
