"""Two runs, scenario by scenario."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from ..record import Event, event_from_json
from ..run import Result, Run
from ..story import line
from .stories import Hearing, Parting, part

NOTHING = "nothing more"


@dataclass(frozen=True, slots=True)
class Pair:
    """A scenario that both runs have played.

    Attributes:
        first, second: how it went.
        parting: where the stories part; None if they do not.
    """

    first: Result
    second: Result
    parting: Parting | None

    @property
    def name(self) -> str:
        return self.first.name

    @property
    def outcomes(self) -> tuple[str, str]:
        return self.first.outcome, self.second.outcome

    @property
    def differs(self) -> bool:
        return self.parting is not None or self.first.outcome != self.second.outcome

    def events(self) -> tuple[Event | None, Event | None]:
        """In either story, the first event that the other has not."""
        if self.parting is None:
            return None, None
        return self._event(self.first, self.parting.events[0]), self._event(
            self.second, self.parting.events[1]
        )

    def before(self) -> Event | None:
        """The last event that both have on the side where they part."""
        return None if self.parting is None else self._event(self.first, self.parting.before[0])

    def told(self) -> tuple[str, str]:
        """The first thing that differs, in either run: an event, or how it ended."""
        if self.parting is not None:
            first, second = (NOTHING if event is None else line(event) for event in self.events())
            return first, second
        first, second = (f"{result.outcome} {result.reason}".strip() for result in (self.first, self.second))
        return first, second

    def stories(self) -> tuple[list[Event], list[Event]]:
        """What happened in either run."""
        first, second = ([event_from_json(e) for e in r.events] for r in (self.first, self.second))
        return first, second

    @staticmethod
    def _event(result: Result, index: int | None) -> Event | None:
        return None if index is None else event_from_json(result.events[index])


@dataclass(frozen=True, slots=True)
class Only:
    """A scenario that one run has not played; `why` not, if that is known."""

    name: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two runs next to each other.

    Attributes:
        first, second: the runs.
        hearing: what they were compared in.
        same: names of scenarios that went the same way.
        differing: the others that both have played; those that end otherwise come first.
        only_first, only_second: what only one has played.
    """

    first: Run
    second: Run
    hearing: Hearing
    same: list[str]
    differing: list[Pair]
    only_first: list[Only]
    only_second: list[Only]

    @property
    def compared(self) -> int:
        """How many scenarios both have played."""
        return len(self.same) + len(self.differing)

    def commonest(self, count: int) -> list[tuple[tuple[str, str], int]]:
        """What the first difference is most often, without who says it to whom; what is so twice at least."""
        kinds: Counter[tuple[str, str]] = Counter()
        for pair in self.differing:
            first, second = (text.partition("  ")[2] or text for text in pair.told())
            kinds[first, second] += 1
        return [(kind, number) for kind, number in kinds.most_common(count) if number > 1]

    def as_json(self) -> dict[str, Any]:
        """For programs."""
        return {
            "first": _about(self.first),
            "second": _about(self.second),
            "compared_with_hal": self.hearing.hal,
            "same": self.same,
            "differ": [_difference(pair) for pair in self.differing],
            "only_first": [{"name": only.name, "why": only.why} for only in self.only_first],
            "only_second": [{"name": only.name, "why": only.why} for only in self.only_second],
        }


def compare(first: Run, second: Run) -> Comparison:
    """Compares two runs. What one of them has skipped was played in the other only."""
    hearing = Hearing(first.backend == second.backend, _hears_hal(first) and _hears_hal(second))
    ours, theirs = ({result.name: result for result in run.results} for run in (first, second))
    pairs = [
        Pair(result, theirs[name], _parting(result, theirs[name], hearing))
        for name, result in ours.items()
        if name in theirs and _played(result) and _played(theirs[name])
    ]
    differing = [pair for pair in pairs if pair.differs]
    return Comparison(
        first,
        second,
        hearing,
        same=[pair.name for pair in pairs if not pair.differs],
        differing=sorted(differing, key=lambda pair: (pair.first.outcome == pair.second.outcome, pair.name)),
        only_first=list(_only(ours, theirs)),
        only_second=list(_only(theirs, ours)),
    )


def _only(mine: dict[str, Result], other: dict[str, Result]) -> Iterable[Only]:
    for name, result in mine.items():
        if _played(result) and (name not in other or not _played(other[name])):
            yield Only(name, other[name].reason if name in other else "")


def _played(result: Result) -> bool:
    return result.outcome != "skipped"


def _parting(first: Result, second: Result, hearing: Hearing) -> Parting | None:
    ours, theirs = ([event_from_json(event) for event in result.events] for result in (first, second))
    return part(ours, theirs, hearing, (first.virtual_seconds, second.virtual_seconds))


def _hears_hal(run: Run) -> bool:
    ends = {"system_server", "npu-hal"}
    return any(
        {event.get("sender"), event.get("receiver")} == ends
        for result in run.results
        for event in result.events
    )


def _about(run: Run) -> dict[str, Any]:
    here = run.environment
    return {
        "backend": run.backend,
        "seed": run.seed,
        "policy": here.policy,
        "npukit": here.npukit,
        "devices": here.devices,
        "wall_started": run.wall_started,
        "scenarios": len(run.results),
    }


def _difference(pair: Pair) -> dict[str, Any]:
    sides = {}
    for side, result, event, told in zip(
        ("first", "second"), (pair.first, pair.second), pair.events(), pair.told(), strict=True
    ):
        sides[side] = {
            "outcome": result.outcome,
            **({"reason": result.reason} if result.reason else {}),
            "text": told,
            "event": None if event is None else event.as_json(),
        }
    before = pair.before()
    return {
        "scenario": pair.name,
        "process": pair.parting.process if pair.parting else "",
        "after": None if before is None else line(before),
        **sides,
    }
