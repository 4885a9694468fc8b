"""A run as a trace: valid by the format's rules, and with what a person looks for in it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from harness.run import Result, Run
from harness.trace import as_text, trace_of

from .conftest import Command
from .trace_rules import breaches

CALL = {
    "at": 0.5,
    "sender": "album",
    "receiver": "system_server",
    "method": "INpuManagerService.canLoadModel",
    "arguments": {"request": {"id": 1, "size": "LESS_THAN_1GB", "priority": 0}},
}


def run_of(*results: Result) -> Run:
    return Run("reference", 7, list(results), 0, 1.0)


def story(*events: dict[str, Any], name: str = "budget.x", **more: Any) -> Result:
    return Result(name, events=list(events), **more)


def of_phase(trace: dict[str, Any], phase: str) -> list[dict[str, Any]]:
    return [event for event in trace["traceEvents"] if event["ph"] == phase]


def slices(trace: dict[str, Any], category: str) -> list[dict[str, Any]]:
    return [event for event in of_phase(trace, "X") if event["cat"] == category]


def process_of(trace: dict[str, Any], event: dict[str, Any]) -> str:
    names = {e["pid"]: e["args"]["name"] for e in of_phase(trace, "M") if e["name"] == "process_name"}
    return str(names[event["pid"]])


def thread_of(trace: dict[str, Any], event: dict[str, Any]) -> str:
    names = {e["tid"]: e["args"]["name"] for e in of_phase(trace, "M") if e["name"] == "thread_name"}
    return str(names[event["tid"]])


def test_call_is_a_slice_on_both_sides_with_a_flow_between() -> None:
    trace = trace_of(run_of(story(CALL)))
    (sent,), (served,) = slices(trace, "call"), slices(trace, "served")
    assert (process_of(trace, sent), process_of(trace, served)) == ("album", "system_server")
    assert sent["name"] == served["name"] == "canLoadModel"
    assert sent["args"]["at"] == 0.5
    assert sent["args"]["arguments"] == CALL["arguments"]
    (leaves,), (enters,) = of_phase(trace, "s"), of_phase(trace, "f")
    assert (leaves["tid"], enters["tid"]) == (sent["tid"], served["tid"])
    assert breaches(trace) == []


def test_events_of_one_moment_have_places_of_their_own_in_their_order() -> None:
    trace = trace_of(run_of(story(*[CALL] * 50)))
    places = [event["ts"] for event in slices(trace, "call")]
    assert places == sorted(set(places))
    assert places[0] == 500_000
    assert places[-1] < 501_000
    assert breaches(trace) == []


def test_scenarios_stand_one_after_the_other_under_their_names() -> None:
    first, second = story(CALL, name="budget.a", virtual_seconds=2.0), story(CALL, name="budget.b")
    trace = trace_of(run_of(first, second))
    a, b = slices(trace, "passed")
    assert (a["name"], b["name"]) == ("budget.a", "budget.b")
    assert a["dur"] == 2_000_000
    assert b["ts"] > a["ts"] + a["dur"]
    assert process_of(trace, a) == "scenarios"


def test_failure_is_marked_with_its_reason() -> None:
    failed = story(CALL, outcome="failed", reason="should hear this\nbut did not", where="test_x.py:7")
    trace = trace_of(run_of(failed))
    (mark,) = [event for event in of_phase(trace, "i") if event["name"].startswith("FAILED")]
    assert mark["name"] == "FAILED should hear this"
    (scenario,) = slices(trace, "failed")
    assert scenario["args"]["reason"] == failed.reason
    assert scenario["ts"] <= mark["ts"] < scenario["ts"] + scenario["dur"]


def test_skipped_scenarios_are_not_in_it() -> None:
    assert trace_of(run_of(story(outcome="skipped", reason="no HAL")))["traceEvents"] == []


def test_notes_are_moments() -> None:
    trace = trace_of(run_of(story({"at": 0.0, "note": "album is killed"})))
    (moment,) = of_phase(trace, "i")
    assert (moment["name"], thread_of(trace, moment)) == ("album is killed", "notes")


def test_file_is_json_with_a_line_for_each_event() -> None:
    trace = trace_of(run_of(story(CALL)))
    text = as_text(trace)
    assert json.loads(text) == trace
    assert len(text.splitlines()) == len(trace["traceEvents"]) + 2
    assert json.loads(as_text(trace_of(run_of())))["traceEvents"] == []


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Models, work that is preempted, several apps at once: what the reference's stories are made of."""
    from harness.run import play

    patterns = ["hal_reports.*", "hal_order.*", "budget.caps*", "budget.dead*", "turn_taking.*"]
    trace: dict[str, Any] = json.loads(as_text(trace_of(play(patterns, record=True, seed=3))))
    return trace


def test_trace_of_the_reference_breaks_no_rule(played: dict[str, Any]) -> None:
    assert breaches(played) == []


def test_models_have_tracks_of_their_app(played: dict[str, Any]) -> None:
    resident = slices(played, "resident")
    assert {process_of(played, event) for event in resident} >= {"album", "assistant"}
    assert all(thread_of(played, event).startswith("models") for event in resident)


def test_work_has_a_track_for_each_npu(played: dict[str, Any]) -> None:
    running = slices(played, "running")
    assert {process_of(played, event) for event in running} == {"npu-hal"}
    assert {thread_of(played, event).partition(" (")[0] for event in running} >= {"NPU 0", "NPU 1"}
    # A job of 0.3 s, and 50 ms until its end is reported.
    assert any(349_000 <= event["dur"] <= 351_000 for event in running)


def test_budget_is_counted_and_ends_with_its_scenario(played: dict[str, Any]) -> None:
    use = [event for event in of_phase(played, "C") if event["name"] == "budget"]
    cap = [event for event in of_phase(played, "C") if event["name"] == "budget cap"]
    assert max(event["args"]["used"] for event in use) > 0
    assert max(event["args"]["cap"] for event in cap) > 0
    assert use[-1]["args"] == {"used": 0, "reserved": 0}


def test_buffers_are_counted_by_npu() -> None:
    def allocator(at: float, method: str, **arguments: Any) -> dict[str, Any]:
        back = method.startswith("on")
        ends = ("system_server", "album") if back else ("album", "system_server")
        interface = "INpuAllocatorCallback" if back else "INpuAllocator"
        call = {"sender": ends[0], "receiver": ends[1], "method": f"{interface}.{method}"}
        return {"at": at, **call, "arguments": arguments}

    wanted = [{"appReqId": 1, "size": 4096, "deviceNumber": 2}]
    asked = allocator(0.0, "getBuffers", requests=wanted)
    given = allocator(0.1, "onGetBuffer", appReqId=1, errno=0)
    counted = of_phase(trace_of(run_of(story(asked, given, virtual_seconds=0.3))), "C")
    assert [(event["name"], event["ts"], event["args"]) for event in counted] == [
        ("heap of NPU 2", 100_000, {"bytes": 4096}),
        ("heap of NPU 2", 300_000, {"bytes": 0}),
    ]


def test_call_is_as_long_as_it_took_and_those_beside_it_have_tracks_of_their_own() -> None:
    long, short = {**CALL, "ended": 0.9}, {**CALL, "at": 0.6}
    trace = trace_of(run_of(story(long, short)))
    first, second = slices(trace, "call")
    assert (first["dur"], second["dur"]) == (400_000, 3)
    assert (thread_of(trace, first), thread_of(trace, second)) == ("calls", "calls (2)")
    assert breaches(trace) == []


def test_work_is_named_after_whose_it_is() -> None:
    started = {
        "at": 0.6,
        "sender": "npu-hal",
        "receiver": "system_server",
        "method": "ISchedulingCallback.onWorkStarted",
        "arguments": {"workInfo": {"uid": 10123, "originalUid": 10123, "deviceNumber": 1}},
        "oneway": True,
    }
    trace = trace_of(run_of(story({**CALL, "sender_uid": 10123}, started)))
    (work,) = slices(trace, "running")
    assert (work["name"], thread_of(trace, work)) == ("work of album", "NPU 1")
    assert work["args"]["unfinished"]


def test_processes_are_ordered_apps_then_service_then_hal(played: dict[str, Any]) -> None:
    order = {
        process_of(played, event): event["args"]["sort_index"]
        for event in of_phase(played, "M")
        if event["name"] == "process_sort_index"
    }
    names = sorted(order, key=order.__getitem__)
    assert (names[0], names[-2], names[-1]) == ("scenarios", "system_server", "npu-hal")


def test_run_writes_it_and_so_does_trace(harness: Command, tmp_path: Path) -> None:
    record, first, second = tmp_path / "a.json", tmp_path / "a.trace", tmp_path / "b.trace"
    done = harness("run", "status_quo", "--json", str(record), "--trace", str(first))
    assert (done.code, done.err) == (0, "")
    done = harness("trace", str(record), "-o", str(second))
    assert (done.code, done.out, done.err) == (0, "", "")
    assert first.read_bytes() == second.read_bytes()
    assert breaches(json.loads(first.read_text())) == []


@pytest.mark.parametrize(
    ("args", "says"),
    [
        ("trace nowhere.json -o {tmp}/t", "cannot read nowhere.json: No such file or directory"),
        ("trace README.md -o {tmp}/t", "README.md is no record of a run"),
        ("trace {tmp}/list.json -o {tmp}/t", "is no record of a run"),
        ("trace {tmp}/list.json -o {tmp}/list.json", "over"),
        ("trace {tmp}/list.json -o {tmp}", "it is a folder"),
        ("trace {tmp}/list.json", "missing option"),
        ("run --trace {tmp}", "it is a folder"),
        ("run --trace {tmp}/t --json {tmp}/t", "--json and --trace cannot both write"),
    ],
)
def test_mistake_is_one_sentence(harness: Command, tmp_path: Path, args: str, says: str) -> None:
    (tmp_path / "list.json").write_text("[1, 2]")
    done = harness(*args.format(tmp=tmp_path).split())
    assert (done.code, done.out) == (2, "")
    assert says in done.err
    assert len(done.err.splitlines()) == 1


SLICE = {"ph": "X", "name": "a", "cat": "c", "pid": 1, "tid": 2, "ts": 10, "dur": 5}
NAMES = [
    {"ph": "M", "name": "process_name", "pid": 1, "args": {"name": "p"}},
    {"ph": "M", "name": "thread_name", "pid": 1, "tid": 2, "args": {"name": "t"}},
]
LEAVES = {"ph": "s", "name": "f", "cat": "c", "pid": 1, "tid": 2, "ts": 10, "id": 1}
ENTERS = {**LEAVES, "ph": "f", "bp": "e", "ts": 12}


@pytest.mark.parametrize(
    ("events", "says"),
    [
        ([SLICE, {**SLICE, "ts": 12}], "ends after the slice"),
        ([{**SLICE, "dur": 0}], "takes no time"),
        ([{**SLICE, "ts": -1}], "microseconds from 0 on"),
        ([{**SLICE, "ts": 1.5}], "microseconds from 0 on"),
        ([{**SLICE, "ph": "Q"}], "no such phase"),
        ([{**SLICE, "tid": 3}], "thread has no name"),
        ([{**SLICE, "pid": 3}], "process has no name"),
        ([SLICE, LEAVES], "not one begin and one end"),
        ([SLICE, LEAVES, {**ENTERS, "ts": 9}], "goes back in time"),
        ([SLICE, LEAVES, {**ENTERS, "ts": 99}], "in no slice"),
    ],
)
def test_rules_notice_a_faulty_trace(events: list[dict[str, Any]], says: str) -> None:
    assert breaches({"traceEvents": [*NAMES, SLICE, LEAVES, ENTERS]}) == []
    assert any(says in breach for breach in breaches({"traceEvents": [*NAMES, *events]}))
