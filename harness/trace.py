"""A run in the Trace Event Format, the JSON that the Perfetto UI and chrome://tracing open.

Scenarios stand one after the other on one time line, each with its own times from where it begins. A process
of a scenario is a process of the trace: a track with its calls, tracks with its models or, for the HAL, the
work of each NPU, and counters. Calls are slices on both sides with a flow between them.

Much may happen in one moment of a virtual clock, and two slices of one moment would hide each other. So every
event is given a place of its own, a few microseconds after the one before; `at` among its arguments is true.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from .history import LOADED, UNLOADING, History, history_of
from .record import Event, event_from_json
from .run import Result, Run

TraceEvent: TypeAlias = dict[str, Any]

SCENARIOS = "scenarios"
SERVICE, HAL = "system_server", "npu-hal"

# All in microseconds, the unit of the format.
_SLOT = 4  # what an event takes at least
_SENT = 3  # how long a call is at least; the slice of who serves it lies within, 1 from either end
_GAP = 1000  # between two scenarios

# Names from the palette of chrome://tracing; others ignore them.
_COLOURS = {"passed": "good", "failed": "terrible", "skipped": "grey"}


def trace_of(run: Run) -> dict[str, Any]:
    """The trace of a run whose events were recorded. Skipped scenarios took no time and are not in it."""
    writer = _Writer()
    start = 0
    for result in run.results:
        if result.outcome != "skipped":
            start = writer.add(result, start) + _GAP
    return {
        "traceEvents": [*writer.tracks.metadata(), *writer.events],
        "displayTimeUnit": "ms",
        "otherData": {"backend": run.backend, "seed": run.seed},
    }


def as_text(trace: dict[str, Any]) -> str:
    """A trace as a file's text: an event a line, so that two can be compared with `diff`."""
    rest = {key: value for key, value in trace.items() if key != "traceEvents"}
    lines = ",\n".join(json.dumps(event, separators=(",", ":")) for event in trace["traceEvents"])
    return f'{{"traceEvents":[\n{lines}\n],{json.dumps(rest)[1:]}\n'


class _Tracks:
    """Numbers for processes and threads, given out as they are first named.

    No two threads of a trace have the same number, as on a real machine.
    """

    def __init__(self) -> None:
        self._processes: dict[str, int] = {}
        self._threads: dict[tuple[str, str], int] = {}

    def process(self, name: str) -> int:
        return self._processes.setdefault(name, len(self._processes) + 1)

    def thread(self, process: str, name: str) -> dict[str, int]:
        """Where an event goes."""
        number = self._threads.setdefault((process, name), len(self._threads) + 1001)
        return {"pid": self.process(process), "tid": number}

    def metadata(self) -> Iterator[TraceEvent]:
        """What names and orders them: scenarios, apps, the service, the HAL."""
        rank = {SCENARIOS: 0, SERVICE: 2, HAL: 3}
        by_rank = sorted(self._processes, key=lambda name: (rank.get(name, 1), name))
        for index, name in enumerate(by_rank):
            pid = self.process(name)
            yield {"ph": "M", "name": "process_name", "pid": pid, "args": {"name": name}}
            yield {"ph": "M", "name": "process_sort_index", "pid": pid, "args": {"sort_index": index}}
        for (process, name), tid in self._threads.items():
            place = {"pid": self.process(process), "tid": tid}
            yield {"ph": "M", "name": "thread_name", **place, "args": {"name": name}}
            yield {"ph": "M", "name": "thread_sort_index", **place, "args": {"sort_index": tid}}


class _Writer:
    """Makes trace events of results."""

    def __init__(self) -> None:
        self.tracks = _Tracks()
        self.events: list[TraceEvent] = []
        self._lanes = _Lanes()
        self._flows = 0

    def add(self, result: Result, start: int) -> int:
        """Adds a scenario that begins at `start`, and returns where it ends."""
        story = [event_from_json(event) for event in result.events]
        places = _places(story, start)
        ends = [_end(event, place, start) for event, place in zip(story, places, strict=True)]
        end = max([start + _SLOT, start + round(result.virtual_seconds * 1e6), *(at + _SLOT for at in ends)])
        self._scenario(result, start, end)
        for event, place, over in zip(story, places, ends, strict=True):
            if event.method:
                self._call(event, place, over)
            else:
                self._instant(event.note, self.tracks.thread(SCENARIOS, "notes"), place, {"at": event.at})
        self._history(history_of(story), _labels(story), [*places, end])
        return end

    def _scenario(self, result: Result, start: int, end: int) -> None:
        about: dict[str, Any] = {"outcome": result.outcome, "covers": result.covers}
        about |= {"reason": result.reason, "where": result.where} if result.reason else {}
        about |= {"device": result.device} if result.device else {}
        where = self.tracks.thread(SCENARIOS, "scenarios")
        colour = {"cname": _COLOURS[result.outcome]}
        self._slice(result.name, result.outcome, where, start, end, about, colour)
        if result.outcome == "failed":
            track = self.tracks.thread(SCENARIOS, "failures")
            about = {"scenario": result.name, "reason": result.reason}
            self._instant(f"FAILED {result.reason.partition(chr(10))[0]}", track, end - 1, about)

    def _call(self, event: Event, place: int, end: int) -> None:
        interface, _, method = event.method.rpartition(".")
        about: dict[str, Any] = {"at": event.at, "interface": interface}
        about |= {"arguments": event.arguments} if event.arguments else {}
        about |= {"result": event.result} if event.result is not None else {}
        about |= {"error": event.error} if event.error else {}
        about |= {"sent": event.sent} if event.sent is not None else {}
        sender = self._track(event.sender, "calls", place, end)
        receiver = self._track(event.receiver, "calls", place + 1, end - 1)
        self._slice(method, "oneway" if event.oneway else "call", sender, place, end, about)
        self._slice(method, "served", receiver, place + 1, end - 1, about)
        self._flows += 1
        flow = {"cat": "flow", "name": "calls", "id": self._flows}
        self.events.append({"ph": "s", **flow, **sender, "ts": place})
        self.events.append({"ph": "f", "bp": "e", **flow, **receiver, "ts": place + 1})

    def _history(self, found: History, labels: Mapping[int, str], places: Sequence[int]) -> None:
        """Spans and levels. `places` are those of the events, and the scenario's end."""
        for model in found.models:
            kind = "resident" if model.state in (LOADED, UNLOADING) else "request"
            about = {"state": model.state, "size": model.size}
            name = f"{model.request} {model.size} {model.state}"
            self._span(name, kind, model.app, "models", (model.begin, model.end), places, about)
        for work in found.work:
            name = f"work of {labels.get(work.uid, f'uid {work.uid}')}"
            ends = (work.begin, work.end)
            self._span(name, "running", HAL, f"NPU {work.device}", ends, places, {"uid": work.uid})
        self._levels(
            "budget", "used reserved", [(at.event, at.used, at.reserved) for at in found.budget], places
        )
        self._levels("budget cap", "cap", [(at.event, at.limit or 0) for at in found.budget], places)
        for npu, levels in found.heaps.items():
            self._levels(f"heap of NPU {npu}", "bytes", [(at.event, at.used) for at in levels], places)

    def _span(
        self,
        name: str,
        kind: str,
        process: str,
        lane: str,
        ends: tuple[int, int | None],
        places: Sequence[int],
        about: dict[str, Any],
    ) -> None:
        start, end = places[ends[0]], places[-1 if ends[1] is None else ends[1]]
        about = {**about, "unfinished": True} if ends[1] is None else about
        self._slice(name, kind, self._track(process, lane, start, end), start, end, about)

    def _levels(
        self, name: str, series: str, levels: Sequence[tuple[int, ...]], places: Sequence[int]
    ) -> None:
        """A counter. What is in use belongs to its scenario, so it ends with it."""
        rows = [(places[event], values) for event, *values in levels]
        if rows:
            rows.append((places[-1], [0] * len(rows[0][1])))
        where = {"pid": self.tracks.process(SERVICE)}
        for at, values in rows:
            args = dict(zip(series.split(), values, strict=True))
            self.events.append({"ph": "C", "name": name, "cat": "use", **where, "ts": at, "args": args})

    def _track(self, process: str, name: str, start: int, end: int) -> dict[str, int]:
        return self.tracks.thread(process, self._lanes.lane(process, name, start, end))

    def _slice(
        self,
        name: str,
        category: str,
        where: dict[str, int],
        start: int,
        end: int,
        about: dict[str, Any],
        more: Iterable[tuple[str, str]] | dict[str, str] = (),
    ) -> None:
        span = {"ts": start, "dur": end - start}
        self.events.append(
            {"ph": "X", "name": name, "cat": category, **where, **span, "args": about, **dict(more)}
        )

    def _instant(self, name: str, where: dict[str, int], at: int, about: dict[str, Any]) -> None:
        self.events.append(
            {"ph": "i", "s": "t", "name": name, "cat": "note", **where, "ts": at, "args": about}
        )


def _places(story: Sequence[Event], start: int) -> list[int]:
    """Where each event goes: at its time, but after the one before."""
    places: list[int] = []
    for event in story:
        wanted = start + round(event.at * 1e6)
        places.append(max(wanted, places[-1] + _SLOT) if places else wanted)
    return places


def _end(event: Event, place: int, start: int) -> int:
    """Where a call ends: when its reply was back, but not at once."""
    return max(place + _SENT, start + round((event.ended or 0.0) * 1e6))


def _labels(story: Sequence[Event]) -> dict[int, str]:
    """What the story calls those with a uid."""
    sides = [(event.sender_uid, event.sender) for event in story]
    sides += [(event.receiver_uid, event.receiver) for event in story]
    return {uid: label for uid, label in sides if uid is not None and label not in (SERVICE, HAL)}


class _Lanes:
    """Tracks for slices. Those that overlap stand side by side, as slices of one track must not."""

    def __init__(self) -> None:
        self._ends: dict[tuple[str, str], list[int]] = {}

    def lane(self, process: str, name: str, start: int, end: int) -> str:
        """The track for a slice. Those of a name come by when they begin."""
        ends = self._ends.setdefault((process, name), [])
        for index, free in enumerate(ends):
            if free <= start:
                ends[index] = end
                break
        else:
            index = len(ends)
            ends.append(end)
        return f"{name} ({index + 1})" if index else name
