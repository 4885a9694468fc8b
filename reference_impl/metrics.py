"""What the service has done, counted and as a stream of events: admissions, evictions, waits, work."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from reference_impl.constants import LoadStatus, RequestStatus
from reference_impl.policies.events import (
    Action,
    AnswerCanLoad,
    Complete,
    Forget,
    Replaced,
    RequestUnload,
)

KEPT = 1000
"""How many events are kept; counts go on for ever."""

ANSWERS = {
    LoadStatus.CAN_LOAD_NOW: "admitted",
    LoadStatus.WAIT_FOR_UNLOAD: "waiting",
    LoadStatus.NOT_PRIORITIZED: "not_prioritized",
}
ENDS = {RequestStatus.CANCELLED: "cancelled", RequestStatus.COMPLETE: "completed"}
KINDS = (
    *ANSWERS.values(),
    *ENDS.values(),
    *("evicted", "died", "replaced"),
    *("work_requested", "work_started", "work_ended"),
    *("policy", "thermal", "hal"),
)
"""What can be counted."""


@dataclass(frozen=True, slots=True)
class MetricEvent:
    """Something that happened.

    Attributes:
        at: when, in seconds on the service's clock.
        kind: one of KINDS.
        uid: whom it is about, if it is about an app.
        id: of the request, if it is about one.
        detail: what else there is to say.
    """

    at: float
    kind: str
    uid: int | None = None
    id: int | None = None
    detail: str = ""

    def as_json(self) -> dict[str, Any]:
        return {name: value for name, value in asdict(self).items() if value not in (None, "")}


class Metrics:
    """Counts and the latest events.

    Attributes:
        counts: how often each kind happened.
    """

    def __init__(self, now: Callable[[], float]) -> None:
        """Start at nothing. `now` is the clock, in seconds."""
        self._now = now
        self._events: deque[MetricEvent] = deque(maxlen=KEPT)
        self.counts: Counter[str] = Counter()

    def note(self, kind: str, uid: int | None = None, id: int | None = None, detail: str = "") -> None:
        """Count something that has happened."""
        self.counts[kind] += 1
        self._events.append(MetricEvent(round(self._now(), 6), kind, uid, id, detail))

    def note_action(self, action: Action) -> None:
        """Count what a policy wants done."""
        match action:
            case AnswerCanLoad(key, status):
                self.note(ANSWERS[status], *key)
            case Complete(key, status):
                self.note(ENDS[status], *key)
            case RequestUnload(key):
                self.note("evicted", *key)
            case Replaced(key):
                self.note("replaced", *key)
            case Forget(key):
                self.note("died", *key)

    def events(self) -> list[MetricEvent]:
        """The latest events, in order."""
        return list(self._events)

    def as_json(self) -> dict[str, Any]:
        """Counts and events, for programs."""
        return {
            "counts": dict(sorted(self.counts.items())),
            "events": [event.as_json() for event in self._events],
        }
