"""Work shared among processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from codegen import parallel
from codegen.parallel import share
from tests.harness.command import ROOT


def _square(number: int) -> int:
    return number * number


def _pid(_: int) -> int:
    return os.getpid()


@pytest.mark.parametrize("jobs", [1, 2, 5])
@pytest.mark.parametrize("count", [0, 1, 3, 100])
def test_results_are_in_order_for_any_number_of_processes(jobs: int, count: int) -> None:
    assert share(_square, range(count), jobs) == [number * number for number in range(count)]


def test_helpers_may_be_fresh_interpreters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel, "METHOD", "spawn")
    assert share(_square, range(100), 2) == [number * number for number in range(100)]


def test_one_job_makes_no_process() -> None:
    assert set(share(_pid, range(50), 1)) == {os.getpid()}


def test_helpers_have_ended_when_the_work_is_done() -> None:
    # A process that waits for its own turn would leave nothing to the helpers, so both take turns.
    for pid in set(share(_pid, range(200), 3)) - {os.getpid()}:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def _only_here(parent: int) -> Callable[[int], int]:
    def function(number: int) -> int:
        if os.getpid() != parent:
            os._exit(9)
        return number

    return function


def test_work_of_a_helper_that_dies_is_done_again() -> None:
    assert share(_only_here(os.getpid()), range(40), 3) == list(range(40))


def _refuse(number: int) -> int:
    if number == 17:
        raise ValueError("17")
    return number


@pytest.mark.parametrize("jobs", [1, 3])
def test_an_exception_is_that_of_the_item(jobs: int) -> None:
    with pytest.raises(ValueError, match="17"):
        share(_refuse, range(40), jobs)


def _deep(_: int) -> list[object]:
    nest: list[object] = []
    for _ in range(100_000):
        nest = [nest]
    return nest


def test_results_too_deep_to_be_sent_are_made_again() -> None:
    assert len(share(_deep, range(4), 2)) == 4


_ENDLESS = """
import os, sys
from codegen.parallel import share
def work(number):
    if os.getpid() != parent:
        os.write(1, b"%d\\n" % os.getpid())
        while True: pass
    while True: pass
parent = os.getpid()
try:
    share(work, range(10), 3)
except KeyboardInterrupt:
    print("interrupted", flush=True)
    sys.exit(130)
"""


def test_an_interrupt_ends_all_processes(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", _ENDLESS],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout
    helpers = {int(process.stdout.readline()) for _ in range(2)}
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert (out, err, process.returncode) == ("interrupted\n", "", 130)
    for pid in helpers:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
