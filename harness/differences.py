"""Where two runs of the same scenarios tell different stories.

Stories are compared process by process: what one says and hears, in its own order. Across processes, order
may depend on how many deliveries there were to choose from.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import Any

from .record import Event, event_from_json
from .run import Difference, Result, Run
from .story import line

NOTHING = "nothing more"


def differences(ours: Run, theirs: Run) -> list[Difference]:
    """One for every scenario of both runs that differs, by name."""
    others = {result.name: result for result in theirs.results}
    pairs = [(mine, others[mine.name]) for mine in ours.results if mine.name in others]
    return [found for pair in pairs if (found := _first(*pair)) is not None]


def _first(mine: Result, other: Result) -> Difference | None:
    """The earliest difference of two stories, by when it happened in either; else that of what came of it."""
    found: list[tuple[float, Difference]] = []
    sides = _sides(mine.events), _sides(other.events)
    for process in [*sides[0], *(name for name in sides[1] if name not in sides[0])]:
        for a, b in zip_longest(sides[0].get(process, ()), sides[1].get(process, ())):
            texts = [NOTHING if event is None else line(event) for event in (a, b)]
            if texts[0] != texts[1]:
                at = min(event.at for event in (a, b) if event is not None)
                found.append((at, Difference(mine.name, process, *texts)))
                break
    if found:
        return min(found, key=lambda entry: entry[0])[1]
    if mine.outcome != other.outcome:
        return Difference(
            mine.name, "the scenario", *(f"{r.outcome} {r.reason}".strip() for r in (mine, other))
        )
    return None


def _sides(events: Iterable[dict[str, Any]]) -> dict[str, Sequence[Event]]:
    """By process, the calls it has made or served. What the system is asked is everybody's story."""
    sides: dict[str, list[Event]] = {}
    for event in map(event_from_json, events):
        if event.method:
            for process in {event.sender, event.receiver} - {"system_server"}:
                sides.setdefault(process, []).append(event)
    return dict(sorted(sides.items()))
