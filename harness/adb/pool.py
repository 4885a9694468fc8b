"""Devices that workers share, in one process or several: never two on one, and none idle while one waits.

    pool = Pool(find(servers, serials), run="a name that the workers of a run have in common")
    with pool.lease() as device:
        ...

A device is held by a lock on a file, which the system takes back from a process that ends, however it ends.
That a device was lost is written down for the run's other workers.
"""

from __future__ import annotations

import fcntl
import os
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from .deadline import Deadline, poll
from .device import Device
from .errors import AdbError
from .filenames import file_name
from .finding import Found

LEASE_SECONDS = 3600.0
_ANSWER_SECONDS = 10.0
_LOST = ".lost"

# Whoever is forked has copies of our locks, which would hold on to them.
_held: set[int] = set()


def _drop_inherited() -> None:
    for descriptor in _held:
        with suppress(OSError):
            os.close(descriptor)
    _held.clear()


os.register_at_fork(after_in_child=_drop_inherited)


class NoDeviceLeft(AdbError):
    """All devices of the pool have been lost. The message says which, and why."""


class Pool:
    """Devices to be used one after the other by whoever needs one.

    Args:
        devices: each once; see `find`.
        run: tells this run's losses from those of others.
        folder: where the locks are; one that all runs on this computer have in common.
    """

    def __init__(self, devices: Sequence[Found], run: str, folder: Path | None = None) -> None:
        self._devices = list(devices)
        self._folder = folder or Path(tempfile.gettempdir()) / "npukit-devices"
        self._folder.mkdir(mode=0o777, parents=True, exist_ok=True)
        self._run = file_name(run)

    def __len__(self) -> int:
        return len(self._devices)

    @contextmanager
    def lease(self, timeout: float = LEASE_SECONDS) -> Iterator[Device]:
        """A device that nobody else has, for the `with` block.

        If the block fails and the device turns out to be gone, it is lost to the whole run.

        Args:
            timeout: seconds to wait for one.

        Raises:
            NoDeviceLeft: all have been lost.
            TimedOut: others hold all of them for too long.
        """
        found, descriptor = self._take(timeout)
        try:
            yield found.device
        except Exception as error:
            if isinstance(error, AdbError) and (why := _gone(found.device)):
                self.lose(found.device, why)
            raise
        finally:
            _unlock(descriptor)

    def lose(self, device: Device, reason: str) -> None:
        """Leaves a device out for the rest of the run, in every worker."""
        for found in self._devices:
            if found.device is device:
                # Whole at once: others read it at any time.
                draft = self._folder / f"{os.getpid()}-{threading.get_ident()}.draft"
                draft.write_text(reason, encoding="utf-8")
                draft.replace(self._mark(found))

    def look_at(self, device: Device) -> None:
        """Leaves a device out if its server says that nothing can be done with it any more."""
        if why := _unlisted(device):
            self.lose(device, why)

    def losses(self) -> dict[str, str]:
        """By its key, why a device was lost."""
        lost = {}
        for found in self._devices:
            with suppress(FileNotFoundError):
                lost[found.key] = self._mark(found).read_text(encoding="utf-8")
        return lost

    def check(self) -> None:
        """Raises `NoDeviceLeft` if all have been lost."""
        lost = self.losses()
        if len(lost) == len({found.key for found in self._devices}):
            told = "; ".join(f"{key}: {reason}" for key, reason in lost.items())
            raise NoDeviceLeft(f"no device is left ({told or 'there was none'})")

    def close(self) -> None:
        """Forgets this run's losses. For whoever began the run, at its end."""
        for found in self._devices:
            self._mark(found).unlink(missing_ok=True)

    def _take(self, timeout: float) -> tuple[Found, int]:
        taken: list[tuple[Found, int]] = []

        def attempt() -> bool:
            self.check()
            for found in self._devices:
                if self._mark(found).exists():
                    continue
                descriptor = self._lock(found)
                if descriptor is None:
                    continue
                if not (why := _unlisted(found.device)):
                    taken.append((found, descriptor))
                    return True
                self.lose(found.device, why)
                _unlock(descriptor)
            self.check()
            return False

        poll(attempt, Deadline(timeout, "waiting for a device that nobody uses"), interval=0.05)
        return taken[0]

    def _lock(self, found: Found) -> int | None:
        path = self._folder / f"{file_name(found.key)}.lock"
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            return None
        _held.add(descriptor)
        os.ftruncate(descriptor, 0)
        os.write(descriptor, f"{os.getpid()}\n".encode())  # for people who wonder who has it
        return descriptor

    def _mark(self, found: Found) -> Path:
        return self._folder / f"{file_name(found.key)}.{self._run}{_LOST}"


def _unlock(descriptor: int) -> None:
    _held.discard(descriptor)
    # Said, and not only left to the close: a process that is being started may have a copy for a moment.
    fcntl.flock(descriptor, fcntl.LOCK_UN)
    os.close(descriptor)


def _unlisted(device: Device) -> str:
    """Why its server says that nothing can be done with a device; empty if something can."""
    try:
        state = device.state
    except AdbError as error:
        return str(error)
    return "" if state.usable else f"it is {state.meaning}"


def _gone(device: Device) -> str:
    """Why nothing can be done with a device any more: one that is listed as ready need not answer."""
    if why := _unlisted(device):
        return why
    try:
        device.shell("true", timeout=_ANSWER_SECONDS).check()
    except AdbError as error:
        return str(error)
    return ""
