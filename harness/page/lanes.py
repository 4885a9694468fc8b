"""Who has a lane of the timeline, from top to bottom: the scenario itself, apps, service, HAL, heaps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..history import History, Level, ModelSpan
from ..record import Event

_SERVICE, _HAL = "system_server", "npu-hal"
_STORY = "scenario"


class Lanes:
    """The lanes of one story.

    Args:
        events: the story.
        history: what follows from it.
        apps: those that are known beside it, by label with their uids; some may not say anything.
    """

    def __init__(
        self, events: Sequence[Event], history: History, apps: Mapping[str, int] | None = None
    ) -> None:
        self._history = history
        self._uids: dict[str, int | None] = dict(apps or {})
        for event in events:
            ends = ((event.sender, event.sender_uid), (event.receiver, event.receiver_uid))
            for label, uid in ends if event.method else ():
                if self._uids.get(label) is None:
                    self._uids[label] = uid
        system = [label for label in (_SERVICE, _HAL) if label in self._uids]
        self._apps = [label for label in self._uids if label not in system]
        homeless = any(event.note and self._owner(event.note) is None for event in events)
        self._labels = [*[_STORY] * homeless, *self._apps, *system]
        self._offset = int(homeless)

    def find(self, label: str) -> int | None:
        """The lane of a process."""
        if label not in self._uids:
            return None
        return self._labels.index(label, self._offset)

    def of_note(self, note: str) -> tuple[int | None, str]:
        """The lane of a note, and what is left to say there."""
        owner = self._owner(note)
        return (0, note) if owner is None else (self.find(owner), note.removeprefix(owner).strip())

    def _owner(self, note: str) -> str | None:
        fitting = [app for app in self._apps if note.startswith((f"{app} ", f"{app}'s ", f"{app}$ "))]
        return max(fitting, key=len, default=None)

    def name_of_uid(self, uid: int) -> str:
        """What the story calls a uid."""
        return next((label for label in self._apps if self._uids[label] == uid), f"uid {uid}")

    def as_json(self) -> list[dict[str, Any]]:
        lanes = [self._lane(number, label) for number, label in enumerate(self._labels)]
        for device, levels in self._history.heaps.items():
            lanes.append({"label": f"heap, NPU {device}", "kind": "heap", "levels": _levels(levels)})
        return lanes

    def _lane(self, number: int, label: str) -> dict[str, Any]:
        if number < self._offset:
            return {"label": label, "kind": "story"}
        kind = {_SERVICE: "service", _HAL: "hal"}.get(label, "app")
        lane: dict[str, Any] = {"label": label, "kind": kind, "uid": self._uids[label]}
        if kind == "service" and self._history.budget:
            lane["levels"] = _levels(self._history.budget)
        return lane


def _levels(levels: Iterable[Level]) -> list[dict[str, Any]]:
    return [
        {"event": level.event, "used": level.used, "reserved": level.reserved, "limit": level.limit}
        for level in levels
    ]


def rows_of(models: Sequence[ModelSpan], lanes: Lanes) -> list[dict[str, Any]]:
    """The states of models, those of one request in one row of its app's lane."""
    ends: dict[str, list[tuple[Any, int | None]]] = {}
    found = []
    for span in models:
        rows = ends.setdefault(span.app, [])
        row = _row_for(rows, span)
        rows[row : row + 1] = [(span.request, span.end)]
        found.append(
            {
                "lane": lanes.find(span.app),
                "row": row,
                "request": str(span.request),
                "size": span.size,
                "state": span.state,
                "begin": span.begin,
                "end": span.end,
            }
        )
    return found


def _row_for(rows: list[tuple[Any, int | None]], span: ModelSpan) -> int:
    """The row in which the request was, else the first that is free."""
    for number, (request, end) in enumerate(rows):
        if request == span.request and end == span.begin:
            return number
    for number, (_, end) in enumerate(rows):
        if end is not None and end <= span.begin:
            return number
    return len(rows)
