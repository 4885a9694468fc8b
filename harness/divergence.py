"""Where a scenario's story leaves the path that its rule demands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from .backend import NewsOfRequest, ScenarioFailure
from .record import Event, JsonValue


@dataclass(frozen=True, slots=True)
class Divergence:
    """What should have happened and what did.

    Attributes:
        expected, actual: the two, each a short text.
        app: whose side of the story it is, "" if it is nobody's in particular.
        event: which event it is, counted from 0; None if it is one that did not come.
    """

    expected: str
    actual: str
    app: str = ""
    event: int | None = None

    def as_json(self) -> dict[str, JsonValue]:
        return {
            "expected": self.expected,
            "actual": self.actual,
            **({"app": self.app} if self.app else {}),
            **({} if self.event is None else {"event": self.event}),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        return cls(**data)


def divergence_of(failure: ScenarioFailure, events: Sequence[Event]) -> Divergence:
    """A failure, found again in the story that led to it."""
    news = failure.news
    return Divergence(
        failure.expected,
        failure.actual,
        app="" if news is None else news.app,
        event=None if news is None else _event(news, events),
    )


def _event(news: NewsOfRequest, events: Sequence[Event]) -> int | None:
    """Which event the news is: the callback's calls are counted from the request that handed it over."""
    callback, asked = "", 0
    for index, event in enumerate(events):
        asks = event.method == "INpuManagerService.canLoadModel" and event.sender == news.app
        if asks and request_id(event) == news.request:
            # An id that is used again is another request, and a failure is about the latest.
            callback, asked = str(event.arguments.get("callback", "")), index
    heard = [
        index
        for index, event in enumerate(events)
        if index > asked and event.kind == "callback" and event.receiver == news.app
        if not event.target or event.target == callback
    ]
    return heard[news.number] if callback and news.number < len(heard) else None


def request_id(event: Event) -> JsonValue:
    """The id of the model-load request that a call is about; None if it is about none."""
    request = event.arguments.get("request")
    return request.get("id") if isinstance(request, dict) else None
