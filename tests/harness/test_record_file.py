"""Files of runs: written, read again, and read in older formats."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from harness.divergence import Divergence
from harness.environment import Environment
from harness.reading import ReadingError, read_run, run_from_json, upgraded
from harness.record_file import as_json
from harness.record_schema import FORMAT_NUMBER, faults
from harness.run import Difference, Result, Run

RECORDS = Path(__file__).parent / "records"
PASSED = Result("budget.passes", covers=["a rule"], needs=["service"], wall_seconds=0.0123)
FAILED = Result(
    "budget.fails[x]",
    outcome="failed",
    reason="it should hear this, but heard that",
    where="test_budget.py:7: held.expect(X)",
    events=[{"kind": "note", "at": 0.5, "note": "something happened"}],
    divergence=Divergence("this", "that", "album", 0),
    device="emulator-5554",
)


def run_of(*results: Result) -> Run:
    return Run(
        "reference",
        7,
        list(results),
        1 if FAILED in results else 0,
        1.234,
        differences=[Difference("budget.passes", "album", "a", "b")],
        environment=Environment.here("own.py:Own", {"emulator-5554": "a build"}),
        wall_started="2026-01-01T00:00:00+00:00",
    )


def test_run_survives_its_file(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    path.write_text(json.dumps(as_json(run_of(PASSED, FAILED))))
    assert read_run(path) == run_of(PASSED, FAILED)


def test_json_says_what_depends_on_the_wall_clock() -> None:
    data = as_json(run_of(PASSED, FAILED))
    timed = {key for key in (*data, *data["scenarios"][0]) if "second" in key or "started" in key}
    assert timed == {"wall_started", "wall_seconds", "virtual_seconds"}
    assert (data["passed"], data["failed"], data["environment"]["seed"]) == (1, 1, 7)


def test_addresses_of_objects_are_left_out() -> None:
    fault = Result("budget.breaks", outcome="failed", detail="x = <Npu object at 0x7fd775c73390>")
    assert fault.as_json()["detail"] == "x = <Npu object>"


def test_there_is_a_sample_of_every_format() -> None:
    names = {path.name for path in RECORDS.glob("format-*.json")}
    assert names == {f"format-{number}.json" for number in range(1, FORMAT_NUMBER + 1)}


@pytest.mark.parametrize("number", range(1, FORMAT_NUMBER + 1))
def test_every_format_is_read_as_the_newest(number: int) -> None:
    data = json.loads((RECORDS / f"format-{number}.json").read_text())
    newest = upgraded(data)
    assert newest["format"] == {"name": "npukit run", "number": FORMAT_NUMBER}
    assert list(faults(newest)) == []
    run = run_from_json(data)
    assert [(result.name, result.outcome) for result in run.results] == [
        ("sample.is_refused", "failed"),
        ("sample.is_skipped", "skipped"),
        ("sample.is_wrong_about_the_answer", "failed"),
        ("sample.takes_the_turn", "passed"),
    ]
    assert (run.backend, run.seed, run.environment.npukit) == ("reference", 7, "0.1.0")
    assert all(event["kind"] for result in run.results for event in result.events)


def test_newest_sample_is_read_and_written_without_a_change() -> None:
    data = json.loads((RECORDS / f"format-{FORMAT_NUMBER}.json").read_text())
    assert as_json(run_from_json(data)) == data


@pytest.mark.parametrize(
    "data",
    [
        [],
        {},
        {"scenarios": []},
        {"format": {"name": "another", "number": 2}},
        {"format": {"name": "npukit run", "number": 0}},
        {"format": 2},
        {"npukit": "0.1.0", "scenarios": [{"events": [{"nothing": 1}]}]},
        {"npukit": "0.1.0", "scenarios": [7]},
    ],
    ids=str,
)
def test_what_is_no_run_is_refused(data: Any) -> None:
    with pytest.raises(ReadingError, match="no record of a run"):
        run_from_json(data)


def test_format_of_a_newer_npukit_is_refused_with_its_number() -> None:
    with pytest.raises(ReadingError, match=r"is of format 99, .* use a newer npukit"):
        run_from_json({"format": {"name": "npukit run", "number": 99}})


@pytest.mark.parametrize(
    "text", ["", "no JSON", "[" * 100_000, "\udcff"], ids=["empty", "text", "deep", "bytes"]
)
def test_file_that_is_no_json_is_refused_by_name(tmp_path: Path, text: str) -> None:
    path = tmp_path / "run.json"
    path.write_bytes(text.encode(errors="surrogateescape"))
    with pytest.raises(ReadingError, match=r"run\.json is no record"):
        read_run(path)


def test_file_that_is_not_there_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(ReadingError, match=r"cannot read .*run\.json: No such file"):
        read_run(tmp_path / "run.json")
