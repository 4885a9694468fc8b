"""Where a scenario's story leaves the path that its rule demands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from .backend import NewsAbout, ScenarioFailure
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


def _event(news: NewsAbout, events: Sequence[Event]) -> int | None:
    """Which event the news is: calls back are counted from the call that asked for them."""
    asks, is_about = _BUFFER if news.is_buffer else _MODEL
    # An id that is used again is another request, and a failure is about the latest.
    numbers = range(len(events) - 1, -1, -1)
    asked = next((n for n in numbers if events[n].sender == news.app and asks(events[n], news.id)), None)
    if asked is None:
        return None
    heard = [
        number
        for number, event in enumerate(events)
        if number > asked and event.kind == "callback" and event.receiver == news.app
        if is_about(event, events[asked], news.id)
    ]
    return heard[news.number] if news.number < len(heard) else None


def _asks_to_load(event: Event, number: int | None) -> bool:
    return event.method == "INpuManagerService.canLoadModel" and request_id(event) == number


def _is_about_model(event: Event, asked: Event, number: int | None) -> bool:
    return not event.target or event.target == asked.arguments.get("callback")


def _asks_for_buffer(event: Event, number: int | None) -> bool:
    requests = event.arguments.get("requests")
    return event.method == "INpuAllocator.getBuffers" and any(
        isinstance(request, dict) and request.get("appReqId") == number
        for request in (requests if isinstance(requests, list) else [])
    )


def _is_about_buffer(event: Event, asked: Event, number: int | None) -> bool:
    return event.arguments.get("appReqId") == number


_MODEL = _asks_to_load, _is_about_model
_BUFFER = _asks_for_buffer, _is_about_buffer


def request_id(event: Event) -> JsonValue:
    """The id of the model-load request that a call is about; None if it is about none."""
    request = event.arguments.get("request")
    return request.get("id") if isinstance(request, dict) else None
