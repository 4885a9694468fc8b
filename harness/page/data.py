"""What the page is told of a run: an index, and a story per scenario, which is read when that is opened."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..catalogue import Entry
from ..history import WorkSpan, history_of
from ..record import Event, JsonValue, event_from_json
from ..rules import RULES
from ..run import Result, Run
from ..story import named
from .lanes import Lanes, rows_of

_BRIEF = 30
"""As many signs of a call's arguments have room beside its arrow."""


def index_of(run: Run) -> dict[str, Any]:
    """What the overview and the list of scenarios show."""
    return {
        "backend": run.backend,
        "seconds": round(run.wall_seconds, 3),
        "environment": _environment(run),
        "problems": list(run.problems),
        "differences": [difference.as_json() for difference in run.differences or []],
        "rules": _rules(run.results),
        "scenarios": [_row(result) for result in run.results],
    }


def _environment(run: Run) -> list[list[str]]:
    here = run.environment
    rows = [
        ("played on", run.backend),
        ("seed", str(run.seed)),
        ("policy in place of Budget", here.policy),
        ("began", run.wall_started),
        ("npukit", here.npukit),
        ("Python", here.python),
        *((f"device {serial}", build or "tells no build") for serial, build in here.devices.items()),
        *((f"interface {name.rpartition('.')[2]}", value) for name, value in here.interfaces.items()),
    ]
    return [[name, value] for name, value in rows if value]


def _rules(results: Sequence[Result]) -> list[dict[str, Any]]:
    """The public rules, each with the scenarios of this run that cover it, by index."""
    entries = [Entry(f"{number}", tuple(result.covers), (), ()) for number, result in enumerate(results)]
    return [
        {"origin": rule.origin, "text": rule.text, "scenarios": [int(n) for n in rule.covered_by(entries)]}
        for rule in RULES
    ]


def _row(result: Result) -> dict[str, Any]:
    methods = {event["method"].rpartition(".")[2] for event in result.events if "method" in event}
    apps = {event[end] for event in result.events for end in ("sender", "receiver") if end in event}
    return {
        "name": result.name,
        "outcome": result.outcome,
        "reason": result.reason,
        "covers": result.covers,
        "needs": result.needs,
        "device": result.device,
        "wall": round(result.wall_seconds * 1000, 1),
        "events": len(result.events),
        "words": " ".join(sorted(methods | apps)),
    }


def story_of(result: Result) -> dict[str, Any]:
    """What the section of one scenario shows."""
    events = [event_from_json(event) for event in result.events]
    history = history_of(events)
    lanes = Lanes(events, history, result.apps)
    return {
        "where": result.where,
        "detail": result.detail,
        "virtual": result.virtual_seconds,
        "failure": _failure(result, lanes),
        "lanes": lanes.as_json(),
        "events": [_event(event, lanes) for event in events],
        "models": rows_of(history.models, lanes),
        "work": [_work(span, lanes) for span in history.work],
    }


def _work(span: WorkSpan, lanes: Lanes) -> dict[str, Any]:
    return {"name": lanes.name_of_uid(span.uid), "begin": span.begin, "end": span.end}


def _failure(result: Result, lanes: Lanes) -> dict[str, Any] | None:
    if result.outcome != "failed":
        return None
    found = result.divergence
    if found is None:
        return {"reason": result.reason, "event": None, "lane": None}
    return {
        "reason": result.reason,
        "expected": found.expected,
        "actual": found.actual,
        "event": found.event if found.event is not None and 0 <= found.event < len(result.events) else None,
        "lane": lanes.find(found.app),
    }


def _event(event: Event, lanes: Lanes) -> dict[str, Any]:
    if event.kind == "note":
        lane, text = lanes.of_note(event.note)
        return {"kind": "note", "at": event.at, "from": lane, "to": lane, "title": text}
    arguments = {name: named(event.method, name, value) for name, value in event.arguments.items()}
    found: dict[str, Any] = {
        "kind": event.kind,
        "at": event.at,
        "from": lanes.find(event.sender),
        "to": lanes.find(event.receiver),
        "title": event.method.rpartition(".")[2],
        "brief": brief(arguments),
        "method": event.method,
        "arguments": arguments,
        "result": event.result,
        "error": event.error,
        "oneway": event.oneway or None,
        "target": event.target,
        "sent": event.sent,
        "ended": event.ended,
        "wall": event.wall_at,
    }
    # What is not there need not be said fifty thousand times.
    return {key: value for key, value in found.items() if value is not None and value not in ("", {})}


def brief(arguments: Mapping[str, JsonValue]) -> str:
    """The arguments in so few signs that they have room beside an arrow."""
    if isinstance(request := arguments.get("request"), dict):
        return _cut(f"{request.get('id')} {request.get('size', '')}")
    parts = [_flat(value) for name, value in arguments.items() if value is not None and name != "callback"]
    return _cut(" ".join(filter(None, parts)))


def _flat(value: JsonValue) -> str:
    if isinstance(value, dict):
        return " ".join(f"{key}={_flat(item)}" for key, item in value.items() if item is not None)
    if isinstance(value, list):
        return ", ".join(map(_flat, value))
    return str(value)


def _cut(text: str) -> str:
    return text if len(text) <= _BRIEF else text[: _BRIEF - 1] + "…"
