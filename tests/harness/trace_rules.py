"""What the Trace Event Format demands of a file, as far as Perfetto and chrome://tracing rely on it.

Perfetto's own reader skips what breaks a rule and counts it, so a faulty trace opens with pieces missing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

_METADATA = {"process_name", "process_sort_index", "thread_name", "thread_sort_index"}
_NEEDED = {
    "X": {"name", "cat", "ts", "dur", "pid", "tid"},
    "i": {"name", "cat", "ts", "pid", "tid", "s"},
    "C": {"name", "ts", "pid", "args"},
    "s": {"name", "cat", "ts", "pid", "tid", "id"},
    "f": {"name", "cat", "ts", "pid", "tid", "id", "bp"},
    "M": {"name", "pid", "args"},
}


def breaches(trace: dict[str, Any]) -> list[str]:
    """Every broken rule, in a sentence."""
    events: list[dict[str, Any]] = trace["traceEvents"]
    return [*_shapes(events)] or [*_names(events), *_nesting(events), *_flows(events)]


def _shapes(events: list[dict[str, Any]]) -> Iterator[str]:
    for event in events:
        needed = _NEEDED.get(event.get("ph", ""))
        if needed is None:
            yield f"{event}: no such phase"
        elif missing := needed - event.keys():
            yield f"{event}: lacks {sorted(missing)}"
        elif not all(type(time := event.get(key, 0)) is int and time >= 0 for key in ("ts", "dur")):
            yield f"{event}: times are microseconds from 0 on"
        elif event["ph"] == "M" and event["name"] not in _METADATA:
            yield f"{event}: no such metadata"
        elif event["ph"] == "C" and not all(isinstance(value, int) for value in event["args"].values()):
            yield f"{event}: counters count"


def _names(events: list[dict[str, Any]]) -> Iterator[str]:
    """Every process and thread that is used has a name, and a thread belongs to one process."""
    processes = {event["pid"] for event in events if event["name"] == "process_name"}
    threads = {event["tid"]: event["pid"] for event in events if event["name"] == "thread_name"}
    for event in events:
        if event["pid"] not in processes:
            yield f"{event}: its process has no name"
        if "tid" in event and threads.get(event["tid"]) != event["pid"]:
            yield f"{event}: its thread has no name, or another process"


def _nesting(events: list[dict[str, Any]]) -> Iterator[str]:
    """Slices of one track lie in or beside each other; none has the same place as another."""
    tracks = defaultdict(list)
    for event in events:
        if event["ph"] == "X":
            tracks[event["tid"]].append((event["ts"], -event["dur"], event["name"]))
    for track in tracks.values():
        open_until: list[int] = []
        for start, length, name in sorted(track):
            while open_until and open_until[-1] <= start:
                open_until.pop()
            if length == 0:
                yield f"{name} at {start} takes no time"
            if open_until and start - length > open_until[-1]:
                yield f"{name} at {start} ends after the slice in which it begins"
            open_until.append(start - length)


def _flows(events: list[dict[str, Any]]) -> Iterator[str]:
    """A flow leaves one slice and enters another, later."""
    ends: dict[int, list[dict[str, Any]]] = defaultdict(list)
    slices = defaultdict(list)
    for event in events:
        if event["ph"] in "sf":
            ends[event["id"]].append(event)
        elif event["ph"] == "X":
            slices[event["tid"]].append(range(event["ts"], event["ts"] + event["dur"]))
    for number, pair in ends.items():
        if [event["ph"] for event in pair] != ["s", "f"]:
            yield f"flow {number} has not one begin and one end"
            continue
        if pair[0]["ts"] >= pair[1]["ts"]:
            yield f"flow {number} goes back in time"
        for event in pair:
            if not any(event["ts"] in places for places in slices[event["tid"]]):
                yield f"flow {number}: {event} is in no slice"
