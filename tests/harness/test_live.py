"""What is seen of a run while it goes on."""

from __future__ import annotations

import os
import pty
import re
import signal
import subprocess
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from harness.live import Lines, View, line_of
from harness.run import Progress, Result, play

from .command import ROOT, command_line, run_command
from .conftest import Command
from .kit import write_scenarios

PASSED = Result("a.passes", wall_seconds=0.0123)
FAILED = Result("a.fails", outcome="failed", reason="it should hear this\nand more", device="emulator-5554")
SKIPPED = Result("a.skips", outcome="skipped", reason="lacks hal")


class Clock:
    """Seconds that pass when a test says so."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def lines_of(*results: Result, verbose: bool = False) -> list[str]:
    out = StringIO()
    progress = Lines(len(results), out, verbose=verbose)
    for result in results:
        progress.begin(result.name, "")
        progress.step(result)
    return out.getvalue().splitlines()


def drawn(view: View, width: int = 80) -> str:
    out = StringIO()
    Console(file=out, width=width).print(view)
    return out.getvalue()


def test_failure_is_a_line_as_it_comes() -> None:
    assert lines_of(PASSED, FAILED, SKIPPED) == ["failed a.fails on emulator-5554: it should hear this"]


def test_verbose_has_a_line_for_every_scenario() -> None:
    assert lines_of(PASSED, SKIPPED, verbose=True) == [
        "passed a.passes 12.3 ms",
        "skipped a.skips: lacks hal",
    ]


def test_long_run_says_now_and_then_how_far_it_is() -> None:
    out, clock = StringIO(), Clock()
    progress = Lines(100, out, clock=clock)
    for _ in range(50):
        clock.now += 0.5
        progress.step(PASSED)
    assert [line.partition(",")[0] for line in out.getvalue().splitlines()] == [
        "20 of 100 played",
        "40 of 100 played",
    ]


def test_reader_that_has_gone_is_no_matter() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    out = open(writing, "w", encoding="utf-8")  # noqa: SIM115  # cannot be closed without a complaint
    progress = Lines(2, out)
    progress.step(FAILED)
    progress.step(FAILED)
    with pytest.raises(BrokenPipeError):
        out.close()


def test_picture_has_what_each_worker_plays() -> None:
    view = View(10)
    view.begin("a.first", "gw1")
    view.begin("a.second", "gw0")
    view.step(Result("a.first"))
    text = drawn(view)
    assert "1 of 10 played" in text
    assert "gw0  a.second" in text
    assert "a.first" not in text


def test_picture_counts_failures() -> None:
    view = View(10)
    view.begin(FAILED.name, "")
    view.step(FAILED)
    assert "1 of 10 played, 1 failed" in drawn(view)


def test_next_scenario_of_a_worker_replaces_the_one_before() -> None:
    view = View(10)
    view.begin("a.first", "")
    view.begin("a.second", "")
    view.step(Result("a.first"))
    assert "a.second" in drawn(view)


@pytest.mark.parametrize("width", [20, 60, 200])
def test_picture_fits_any_width(width: int) -> None:
    view = View(3)
    view.begin("a." + "long_" * 30, "gw0")
    assert all(len(line) <= width for line in drawn(view, width).splitlines())


def test_line_has_no_markup() -> None:
    odd = Result("a.x[bold]", outcome="failed", reason="[red]no[/red]")
    assert line_of(odd).plain == "failed a.x[bold]: [red]no[/red]"


class Listener(Progress):
    """Who heard what."""

    def __init__(self) -> None:
        self.began: list[tuple[str, str]] = []
        self.ended: list[str] = []

    def begin(self, name: str, worker: str) -> None:
        self.began.append((name, worker))

    def step(self, result: Result) -> None:
        assert result.name in [name for name, _ in self.began]
        self.ended.append(result.name)


@pytest.mark.parametrize(("processes", "workers"), [(1, {""}), (2, {"gw0", "gw1"})])
def test_every_scenario_begins_and_ends_at_a_worker(
    processes: int, workers: set[str], tmp_path: Path
) -> None:
    source = """
        @pytest.mark.parametrize("number", range(6))
        def test_one(npu, number): ...
    """
    listener = Listener()
    folder = write_scenarios(tmp_path, f"live_{processes}", source)
    play(folder=folder, processes=processes, progress=listener)
    assert {worker for _, worker in listener.began} == workers
    assert sorted(listener.ended) == [f"live_{processes}.one[{number}]" for number in range(6)]


def test_quiet_has_no_table(harness: Command) -> None:
    done = harness("run", "status_quo", "--quiet")
    assert (done.code, done.err) == (0, "")
    assert len(done.out.splitlines()) == 2
    assert "passed in" in done.out


def test_quiet_and_verbose_exclude_each_other(harness: Command) -> None:
    done = harness("run", "--quiet", "--verbose")
    assert (done.code, done.err) == (2, "harness: --quiet and --verbose exclude each other\n")


def test_lines_go_to_standard_error() -> None:
    done = run_command("harness", "run", "status_quo.grant_then_cancel", "-v")
    assert re.fullmatch(r"passed status_quo\.grant_then_cancel \d+\.\d ms\n", done.err)


def test_ctrl_c_wipes_the_view_and_ends_quietly() -> None:
    master, slave = pty.openpty()
    command = command_line("harness", "run")
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=slave, env={**os.environ, "TERM": "xterm"}
    ) as process:
        os.close(slave)
        seen = b""
        while b"played" not in seen:
            seen += os.read(master, 65536)
        process.send_signal(signal.SIGINT)
        seen += rest_of(master)
        assert process.wait(60) == 130
    os.close(master)
    assert seen.decode().rstrip().endswith("harness: interrupted")
    assert b"Traceback" not in seen


def rest_of(master: int) -> bytes:
    """What is written to a terminal until nobody is left who writes."""
    seen = b""
    try:
        while data := os.read(master, 65536):
            seen += data
    except OSError:  # Linux says so when the other end is closed
        pass
    return seen


@pytest.mark.parametrize("processes", ["1", "2"])
def test_terminal_shows_a_view_and_clears_it(processes: str) -> None:
    master, slave = pty.openpty()
    command = command_line("harness", "run", "status_quo", "budget.*", "-n", processes)
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=slave, env={**os.environ, "TERM": "xterm"}
    ) as process:
        os.close(slave)
        seen = rest_of(master)
        out = process.stdout.read() if process.stdout else b""
        assert process.wait(60) == 0
    os.close(master)
    text = seen.decode()
    total = re.search(r"(\d+) scenarios on reference", out.decode())
    assert total is not None
    assert f"of {total[1]} played" in text
    assert text.rstrip().endswith("\x1b[2K")  # the last thing is that it is wiped
