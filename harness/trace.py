"""A run in the Trace Event Format, the JSON that the Perfetto UI and chrome://tracing open.

Scenarios stand one after the other on one time line, each with its own times from where it begins. A process
of a scenario is a process of the trace: a track with its calls, tracks with its models or, for the HAL, the
work of each NPU, and counters. Calls are slices on both sides with a flow between them.

Much may happen in one moment of a virtual clock, and two slices of one moment would hide each other. So every
event is given a place of its own, a few microseconds after the one before; `at` among its arguments is true.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeAlias

from .activity import Activity, Kind, Span, activity
from .record import Event, event_from_json
from .run import Result, Run
from .story import line

TraceEvent: TypeAlias = dict[str, Any]

SCENARIOS = "scenarios"
SERVICE, HAL = "system_server", "npu-hal"

# All in microseconds, the unit of the format.
_SLOT = 4  # what an event takes at least
_SENT, _SERVED = 3, 1  # how long the slices of a call are, the inner one beginning 1 later
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
        self._flows = 0

    def add(self, result: Result, start: int) -> int:
        """Adds a scenario that begins at `start`, and returns where it ends."""
        story = [event_from_json(event) for event in result.events]
        places = _places(story, start)
        end = max([start + round(result.virtual_seconds * 1e6), *(place + _SLOT for place in places)])
        end = max(end, start + _SLOT)
        self._scenario(result, start, end)
        for event, place in zip(story, places, strict=True):
            if event.method:
                self._call(event, place)
            else:
                self._instant(event.note, self.tracks.thread(SCENARIOS, "notes"), place, {"at": event.at})
        self._activity(activity(story), places, start, end)
        return end

    def _scenario(self, result: Result, start: int, end: int) -> None:
        about = {"outcome": result.outcome, "covers": result.covers}
        about |= {"reason": result.reason, "where": result.where} if result.reason else {}
        where = self.tracks.thread(SCENARIOS, "scenarios")
        colour = {"cname": _COLOURS[result.outcome]}
        self._slice(result.name, result.outcome, where, start, end, about, colour)
        if result.outcome == "failed":
            track = self.tracks.thread(SCENARIOS, "failures")
            about = {"scenario": result.name, "reason": result.reason}
            self._instant(f"FAILED {result.reason.partition(chr(10))[0]}", track, end - 1, about)

    def _call(self, event: Event, place: int) -> None:
        interface, _, method = event.method.rpartition(".")
        about: dict[str, Any] = {"at": event.at, "said": line(event), "interface": interface}
        about |= {"arguments": event.arguments} if event.arguments else {}
        about |= {"result": event.result} if event.result is not None else {}
        about |= {"error": event.error} if event.error else {}
        ends = [self.tracks.thread(process, "calls") for process in (event.sender, event.receiver)]
        self._slice(method, "oneway" if event.oneway else "call", ends[0], place, place + _SENT, about)
        self._slice(method, "served", ends[1], place + 1, place + 1 + _SERVED, about)
        self._flows += 1
        flow = {"cat": "flow", "name": "calls", "id": self._flows}
        self.events.append({"ph": "s", **flow, **ends[0], "ts": place})
        self.events.append({"ph": "f", "bp": "e", **flow, **ends[1], "ts": place + 1})

    def _activity(self, found: Activity, places: Sequence[int], start: int, end: int) -> None:
        lanes = _Lanes()
        for span in found.spans:
            last = end if span.last is None else places[span.last]
            lane = lanes.lane(span, places[span.first], last)
            where = self.tracks.thread(span.who, lane)
            about = {**span.details, **({"unfinished": True} if span.last is None else {})}
            self._slice(span.name, span.kind, where, places[span.first], last, about)
        for level in found.levels:
            self._counter(level.name, places[level.at], level.series)
        # What is in use belongs to its scenario.
        for name, series in {level.name: level.series for level in found.levels}.items():
            self._counter(name, end, dict.fromkeys(series, 0))

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

    def _counter(self, name: str, at: int, series: Any) -> None:
        where = {"pid": self.tracks.process(SERVICE)}
        self.events.append({"ph": "C", "name": name, "cat": "use", **where, "ts": at, "args": dict(series)})


def _places(story: Sequence[Event], start: int) -> list[int]:
    """Where each event goes: at its time, but after the one before."""
    places: list[int] = []
    for event in story:
        wanted = start + round(event.at * 1e6)
        places.append(max(wanted, places[-1] + _SLOT) if places else wanted)
    return places


_LANES = {Kind.WAITING: "models", Kind.RESIDENT: "models", Kind.QUEUED: "queue", Kind.RUNNING: "NPU"}


class _Lanes:
    """Tracks for spans. Those that overlap stand side by side, as slices of one track must not."""

    def __init__(self) -> None:
        self._ends: dict[tuple[str, str], list[int]] = {}

    def lane(self, span: Span, start: int, end: int) -> str:
        """The track for a span; they come by when they begin."""
        name = _LANES[span.kind]
        name = name if name == "models" else f"{name} {span.device}"
        ends = self._ends.setdefault((span.who, name), [])
        for index, free in enumerate(ends):
            if free <= start:
                ends[index] = end
                break
        else:
            index = len(ends)
            ends.append(end)
        return f"{name} ({index + 1})" if index else name
