"""Nothing of a machine outlives the process that it belongs to."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import takewhile
from pathlib import Path
from signal import SIGINT, SIGTERM, Signals

import pytest

from .machine import ROOT
from .processes import Turn, Workplace, wait_until

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


def stat(pid: str) -> list[str]:
    """A process's state, its parent and more: /proc/PID/stat from behind the name. Nothing if it is gone."""
    try:
        return Path("/proc", pid, "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def children(process: subprocess.Popen[str]) -> set[str]:
    pids = (path.name for path in Path("/proc").glob("[0-9]*"))
    return {pid for pid in pids if stat(pid)[1:2] == [str(process.pid)]}


def program(pid: str) -> str:
    try:
        return os.path.basename(os.readlink(f"/proc/{pid}/exe"))
    except OSError:
        return ""


def all_gone(pids: set[str]) -> bool:
    """Whether all have ended, also if nobody has asked for their exit codes yet."""
    return all(stat(pid)[:1] in ([], ["Z"]) for pid in pids)


@pytest.mark.parametrize("signal", [SIGINT, SIGTERM])
def test_an_interrupted_machine_leaves_nothing(saved_machine: object, place: Path, signal: Signals) -> None:
    with started(place) as process:
        assert process.stdout is not None
        said = list(takewhile(lambda line: "Ctrl-C" not in line, process.stdout))
        assert "ANDROID_ADB_SERVER_PORT=" in "".join(said)
        parts = children(process)
        assert {program(pid) for pid in parts} == {"qemu-system-x86_64", "adb"}
        process.send_signal(signal)
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


def test_a_third_session_waits_for_one_of_two_to_end(tmp_path: Path) -> None:
    first, second, third = (Turn(tmp_path) for _ in range(3))
    assert first.take(0)
    assert first.take(0)  # its second machine
    assert second.take(0)
    assert not third.take(0)
    third.give_back()
    first.give_back()
    assert not third.take(0)
    third.give_back()
    first.give_back()
    assert third.take(0)
    third.give_back()
    second.give_back()
