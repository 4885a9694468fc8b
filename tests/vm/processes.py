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
"""How many machines run at once on this computer, whoever starts them: each keeps a core busy."""

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


class Slot:
    """The right to run one machine on this computer."""

    def __init__(self, timeout: float, directory: Path = CACHE) -> None:
        self._directory = directory
        self._held = contextlib.ExitStack()
        directory.mkdir(parents=True, exist_ok=True)
        if not wait_until(self._take, timeout, interval=0.2):
            raise TimeoutError(f"{SLOTS} other virtual machines have been running for {timeout:.0f} s")

    def _take(self) -> bool:
        for number in range(SLOTS):
            with contextlib.ExitStack() as attempt:
                if attempt.enter_context(locked(self._directory / f"slot-{number}")):
                    self._held = attempt.pop_all()
                    return True
        return False

    def release(self) -> None:
        self._held.close()


class Workplace:
    """A directory that goes away with its owner, or when the next one comes if the owner was killed."""

    def __init__(self, parent: Path | None = None) -> None:
        parent = parent or Path(tempfile.gettempdir())
        for left_behind in parent.glob(f"{PREFIX}*/owner"):
            with contextlib.suppress(OSError), locked(left_behind) as dead:
                if dead:
                    shutil.rmtree(left_behind.parent)
        self.path = Path(tempfile.mkdtemp(prefix=PREFIX, dir=parent))
        self._owner = contextlib.ExitStack()
        self._owner.enter_context(locked(self.path / "owner"))

    def remove(self) -> None:
        shutil.rmtree(self.path, ignore_errors=True)
        self._owner.close()
