"""Nothing of a machine outlives the process that it belongs to."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from .machine import ROOT
from .processes import Slot, Workplace, wait_until

pytestmark = [pytest.mark.vm, pytest.mark.timeout(400, func_only=True)]

PATIENCE = 60.0


@pytest.fixture
def place() -> Iterator[Path]:
    """For temporary files. Pytest's own is too long a name for the sockets in it."""
    with tempfile.TemporaryDirectory() as directory:
        yield Path(directory)


@contextmanager
def started(place: Path) -> Iterator[subprocess.Popen[str]]:
    """What `make vm` runs."""
    arguments = [sys.executable, "-m", "tests.vm"]
    environment = {**os.environ, "TMPDIR": str(place)}
    with subprocess.Popen(arguments, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def children(process: subprocess.Popen[str]) -> set[str]:
    """The process numbers of its children, as names of directories in /proc."""
    found = set()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            name_and_rest = stat.read_text()
        except OSError:  # ended meanwhile
            continue
        if name_and_rest.rpartition(")")[2].split()[1] == str(process.pid):
            found.add(stat.parent.name)
    return found


def program(pid: str) -> str:
    try:
        return os.path.basename(os.readlink(f"/proc/{pid}/exe"))
    except OSError:
        return ""


def all_gone(pids: set[str]) -> bool:
    return not any(os.path.exists(f"/proc/{pid}") for pid in pids)


def test_an_interrupted_machine_leaves_nothing(saved_machine: object, place: Path) -> None:
    with started(place) as process:
        assert process.stdout is not None
        said = "".join(iter(process.stdout.readline, "Ctrl-C ends it.\n"))
        assert "ANDROID_ADB_SERVER_PORT=" in said
        parts = children(process)
        assert {program(pid) for pid in parts} == {"qemu-system-x86_64", "adb"}
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 0
    assert wait_until(lambda: all_gone(parts), PATIENCE)
    assert list(place.iterdir()) == []


def test_a_machine_whose_owner_is_killed_while_it_boots_leaves_nothing(
    saved_machine: object, place: Path
) -> None:
    with started(place) as process:
        assert wait_until(
            lambda: any(program(pid).startswith("qemu") for pid in children(process)), PATIENCE, 0.01
        )
        parts = children(process)
        process.kill()
    assert wait_until(lambda: all_gone(parts), PATIENCE)
    Workplace(place).remove()  # the next machine to come tidies up
    assert list(place.iterdir()) == []


def test_a_third_machine_waits_for_one_of_two_to_end(tmp_path: Path) -> None:
    first, second = Slot(0, tmp_path), Slot(0, tmp_path)
    with pytest.raises(TimeoutError, match="other virtual machines"):
        Slot(0, tmp_path)
    first.release()
    Slot(0, tmp_path).release()
    second.release()
