"""Perfetto's own reader opens a trace without complaint, and its queries find what was played.

The program is no package of a distribution: https://get.perfetto.dev/trace_processor has it. Name it in
NPUKIT_TRACE_PROCESSOR, or have trace_processor_shell on the path. Nothing can require it of a machine, so
NPUKIT_REQUIRE does not; test_trace.py holds every trace against the rules of the format in any case.
"""

from __future__ import annotations

import csv
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from harness.run import Run, play
from harness.trace import as_text, trace_of

QUERIES: dict[str, tuple[str, Callable[[Run], int]]] = {
    "nothing was dropped or misread": (
        "select count(*) from stats where severity in ('error', 'data_loss') and value > 0",
        lambda run: 0,
    ),
    "a slice for every scenario": (
        "select count(*) from slice where category = 'passed'",
        lambda run: run.count("passed"),
    ),
    "a flow for every call": (
        "select count(*) from flow",
        lambda run: sum("method" in event for result in run.results for event in result.events),
    ),
    "the NPU's work on a track of the HAL": (
        "select count(*) from slice join thread_track on slice.track_id = thread_track.id"
        " join thread using (utid) join process using (upid)"
        " where category = 'running' and thread.name = 'NPU 0' and process.name = 'npu-hal'",
        lambda run: sum(
            event.get("method") == "ISchedulingCallback.onWorkStarted"
            for result in run.results
            for event in result.events
        ),
    ),
    "the largest use of the budget": (
        "select max(value) from counter join process_counter_track on counter.track_id ="
        " process_counter_track.id where name like 'budget%used'",
        lambda run: 1,
    ),
}


@pytest.fixture(scope="module")
def program() -> str:
    found = os.environ.get("NPUKIT_TRACE_PROCESSOR") or shutil.which("trace_processor_shell")
    if found is None:
        pytest.skip("needs Perfetto's trace_processor_shell")
    return found


@pytest.fixture(scope="module")
def run() -> Run:
    return play(["turn_taking.equal_that_worked_longer_ago_takes_the_turn"], record=True)


@pytest.mark.parametrize("question", QUERIES)
def test_query_finds_what_was_played(question: str, program: str, run: Run, tmp_path: Path) -> None:
    query, expected = QUERIES[question]
    file, text = tmp_path / "run.trace", tmp_path / "query.sql"
    file.write_text(as_text(trace_of(run)), encoding="utf-8")
    text.write_text(f"{query};\n", encoding="utf-8")
    done = subprocess.run(
        [program, "-q", str(text), str(file)], capture_output=True, text=True, timeout=60, check=True
    )
    rows = list(csv.reader(done.stdout.strip().splitlines()))
    assert float(rows[-1][0]) == expected(run)
