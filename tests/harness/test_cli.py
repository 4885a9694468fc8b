"""The `harness` command, as a user meets it."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from time import monotonic

import pytest

from .command import ROOT, command_line, run_command
from .kit import timeless


def test_run_prints_a_table_with_rules_and_exits_0() -> None:
    done = run_command("harness", "run", "turn_taking")
    assert done.code == 0, done.err
    assert "foreground_takes_the_turn" in done.out
    assert "CTS CtsNpuModelManagerTest: turn-taking preemption by a foreground app" in done.out
    assert re.search(r"\d+ scenarios on reference: \d+ passed in \d+\.\d\d s \(seed 0\)", done.out)


def test_same_seed_gives_the_same_json_and_another_seed_passes_too(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("a.json", "b.json", "c.json")]
    for file, seed in zip(files, ("7", "7", "8"), strict=True):
        done = run_command("harness", "run", "budget", "--seed", seed, "--json", str(file))
        assert done.code == 0, done.out + done.err
    first, again, other = (timeless(json.loads(file.read_text())) for file in files)
    assert first == again
    assert first["environment"]["seed"] == 7
    assert other["failed"] == 0
    assert all(scenario["events"] for scenario in first["scenarios"] if "callbacks" in scenario["needs"])


# --- streams, signals, surroundings ---------------------------------------------------------------


def test_reader_that_has_seen_enough_is_no_failure(tmp_path: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    try:
        done = run_command("harness", "run", "budget", "--json", str(tmp_path / "a.json"), stdout=write)
    finally:
        os.close(write)
    assert (done.code, done.err) == (0, "")
    assert json.loads((tmp_path / "a.json").read_text())["failed"] == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("args", [("run", "status_quo"), ("list",), ("list", "--json")], ids=" ".join)
def test_full_disk_is_one_sentence_and_other_files_are_written(args: tuple[str, ...], tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    if args[0] == "run":
        args = (*args, "--json", str(file))
    full = os.open("/dev/full", os.O_WRONLY)
    try:
        done = run_command("harness", *args, stdout=full)
    finally:
        os.close(full)
    assert file.exists() == (args[0] == "run")
    assert done.code == 2
    assert done.err == "harness: cannot write to standard output: No space left on device\n"


@pytest.mark.parametrize("stream", [1, 2])
def test_stream_that_was_closed_before_the_start_is_no_failure(stream: int) -> None:
    name = {1: "stdout", 2: "stderr"}[stream]
    before = f"sys.{name} = sys.__{name}__ = None"
    assert run_command("harness", "run", "status_quo", before=before).code == 0


def test_works_where_nothing_can_be_written() -> None:
    done = run_command("harness", "run", "status_quo", cwd=Path("/proc"))
    assert (done.code, done.err) == (0, "")


def test_plain_surroundings_get_plain_text() -> None:
    env = {"NO_COLOR": "1", "LC_ALL": "C", "COLUMNS": "40", "PYTHONIOENCODING": "ascii", "TERM": "dumb"}
    done = run_command("harness", "run", "status_quo", env=env)
    assert done.code == 0
    assert done.out.isascii()
    assert "\x1b" not in done.out
    assert "status_quo.grant_then_cancel" in done.out


def test_settings_for_other_tests_do_not_matter(tmp_path: Path) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = --nonsense\n")
    (tmp_path / "conftest.py").write_text("raise RuntimeError\n")
    env = {"PYTEST_ADDOPTS": "--nonsense", "PYTEST_PLUGINS": "nonsense"}
    done = run_command("harness", "run", "-n", "2", "status_quo", cwd=tmp_path, env=env)
    assert (done.code, done.err) == (0, "")


INTERRUPT_AFTER_FIVE = """
import os, signal
from harness.run import _Gatherer
real, seen = _Gatherer.pytest_runtest_logreport, []
def logreport(self, report):
    seen.append(report)
    if len(seen) == 15:
        {kill}(os.getpid(), signal.SIGINT)
    real(self, report)
_Gatherer.pytest_runtest_logreport = logreport
"""


@pytest.mark.parametrize("processes", ["1", "2"])
@pytest.mark.parametrize("kill", ["os.kill", "os.killpg"])
def test_ctrl_c_ends_quietly_and_leaves_nothing(tmp_path: Path, processes: str, kill: str) -> None:
    args = ["run", "-n", processes, "--json", "a.json", "--junit", "b.xml"]
    before = INTERRUPT_AFTER_FIVE.format(kill=kill)
    with subprocess.Popen(
        command_line("harness", *args, before=before),
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert (out, err) == ("", "harness: interrupted\n")
    assert list(tmp_path.iterdir()) == []
    assert _wait_until_gone(process.pid)


def _wait_until_gone(group: int) -> bool:
    """Whether nothing of a process group is left alive a moment later."""
    deadline = monotonic() + 10
    while _alive(group) and monotonic() < deadline:
        os.sched_yield()
    return not _alive(group)


def _alive(group: int) -> list[str]:
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            state, _, pgrp = stat.read_text().rpartition(")")[2].split()[:3]
            if int(pgrp) == group and state != "Z":
                found.append(stat.parent.name)
    return found


def test_ctrl_c_while_loading_ends_quietly(tmp_path: Path) -> None:
    before = "import builtins\nreal = __import__\ndef interrupted(name, *rest, **more):\n"
    before += "    if name == 'typer': raise KeyboardInterrupt\n    return real(name, *rest, **more)\n"
    before += "builtins.__import__ = interrupted"
    done = run_command("harness", "run", before=before)
    assert (done.code, done.out, done.err) == (130, "", "harness: interrupted\n")


def test_failures_last_line_can_be_typed(tmp_path: Path) -> None:
    before = ""
    before += (
        "from reference_impl.policies.budget import BudgetPolicy as P; P.weight_of = lambda self, size: 1"
    )
    done = run_command("harness", "run", "fills_the_default_cap_exactly", "--seed", "3", before=before)
    assert done.code == 1
    last = done.err.strip().splitlines()[-1]
    assert last.startswith("harness: to see one again: harness run '")
    command = shlex.split(last.partition("again: harness ")[2])
    again = run_command("harness", *command, before=before)
    assert again.code == 1
    assert "1 scenario on reference: 0 passed, 1 failed" in again.out


def test_package_runs_as_a_module(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "harness", "fly"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("harness: no such command 'fly'")
