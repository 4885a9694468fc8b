"""What goes on between events: models that wait or are resident, work on the NPU, and how much is in use.

An event is a moment. What has a beginning and an end is put together here, from the events alone, so that a
record of any backend gives the same picture.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from generated.android.npumanager import NpuModelSize

from .record import Event

# Service facts, Budget: what a request weighs, by size, and the cap if nobody has set another.
_WEIGHTS = {
    NpuModelSize.LESS_THAN_1GB.name: 1,
    NpuModelSize.BETWEEN_1GB_AND_2GB.name: 2,
    NpuModelSize.GREATER_THAN_2G.name: 4,
}
_LARGEST = NpuModelSize.GREATER_THAN_2G.name
# Keys of the bundle of setPolicy; sizes in it go by their number.
_WEIGHTS_KEY, _CAP_KEY = "modelSizeWeights", "maxBudget"
_TURN_TAKING, _BUDGET = 1, 2

BUDGET_USE, BUDGET_CAP = "budget use", "budget cap"
HEAP_USE = "heap use"


class Kind(StrEnum):
    """What a span is."""

    WAITING = "waiting"
    """A request that has been made and whose model is not loaded yet."""
    RESIDENT = "resident"
    """A model that is loaded."""
    QUEUED = "queued"
    """Work that the NPU has not begun, or has put aside."""
    RUNNING = "running"
    """Work that the NPU does, as far as the HAL reports it."""


@dataclass(frozen=True, slots=True)
class Span:
    """Something with a beginning and an end.

    Attributes:
        kind: what it is.
        who: the app for models, the HAL for work; labels of processes.
        name: what to call it.
        device: for work, the number of the NPU.
        first: index of the event with which it begins.
        last: index of the event with which it ends; None if it goes on when the story ends.
        details: more about it.
    """

    kind: Kind
    who: str
    name: str
    first: int
    last: int | None = None
    device: int = 0
    details: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Level:
    """How much of something is in use from an event on.

    Attributes:
        at: index of the event.
        name: of what.
        series: by what it is divided, such as an app; its value.
    """

    at: int
    name: str
    series: Mapping[str, int]


@dataclass(slots=True)
class Activity:
    """Everything that goes on, spans by when they begin."""

    spans: list[Span] = field(default_factory=list)
    levels: list[Level] = field(default_factory=list)


def activity(events: Sequence[Event]) -> Activity:
    """What goes on in a story."""
    watcher = _Watcher()
    for index, event in enumerate(events):
        watcher.see(index, event)
    return watcher.finish()


@dataclass(slots=True)
class _Open:
    """A span that has begun."""

    kind: Kind
    who: str
    name: str
    first: int
    device: int = 0
    details: dict[str, Any] = field(default_factory=dict)

    def closed(self, last: int | None) -> Span:
        return Span(self.kind, self.who, self.name, self.first, last, self.device, self.details)


_Key = tuple[str, object]


class _Watcher:
    """Goes through a story and keeps what is open."""

    def __init__(self) -> None:
        self._done = Activity()
        self._models: dict[_Key, _Open] = {}
        self._work: dict[_Key, _Open] = {}
        self._buffers: dict[_Key, int] = {}
        self._asked: dict[_Key, int] = {}
        self._weights: dict[str, int] = {}
        self._by_method: dict[str, Callable[[int, Event], None]] = {
            "INpuManagerService.setPolicy": self._policy,
            "INpuManagerService.canLoadModel": self._request,
            "INpuManagerService.notifyModelLoaded": self._loaded,
            "INpuManagerService.notifyModelUnloaded": self._gone,
            "INpuManagerService.cancelModelLoad": self._gone,
            "ISchedulingCallback.onWorkRequested": self._work_requested,
            "ISchedulingCallback.onWorkStarted": self._work_started,
            "ISchedulingCallback.onWorkEnded": self._work_ended,
            "INpuAllocator.getBuffers": self._buffers_wanted,
            "INpuAllocatorCallback.onGetBuffer": self._buffer_given,
            "INpuAllocatorCallback.onNotifyPreempted": self._buffer_gone,
            "INpuAllocator.putBuffers": self._buffers_returned,
        }

    def see(self, index: int, event: Event) -> None:
        if event.note:
            self._note(index, event.note)
        elif not event.error and (handle := self._by_method.get(event.method)) is not None:
            handle(index, event)

    def finish(self) -> Activity:
        for span in (*self._models.values(), *self._work.values()):
            self._done.spans.append(span.closed(None))
        self._done.spans.sort(key=lambda span: span.first)
        return self._done

    def _close(self, spans: dict[_Key, _Open], key: _Key, index: int) -> _Open | None:
        span = spans.pop(key, None)
        if span is not None:
            self._done.spans.append(span.closed(index))
        return span

    # --- notes ------------------------------------------------------------------------------------

    def _note(self, index: int, text: str) -> None:
        """What the harness does to processes is told in notes."""
        if text == "the system restarts":
            self._end(index, lambda key: True)
        elif text == "the HAL is killed":
            for key in list(self._work):
                self._close(self._work, key, index)
        elif found := re.fullmatch(r"(.+) is (?:killed|removed)", text):
            self._end(index, lambda key: key[0] == found[1])

    def _end(self, index: int, concerned: Callable[[_Key], bool]) -> None:
        for key in [*filter(concerned, self._models)]:
            self._close(self._models, key, index)
        for key in [*filter(concerned, self._buffers)]:
            del self._buffers[key]
        self._tell_budget(index)
        self._tell_heap(index)

    # --- models -----------------------------------------------------------------------------------

    def _policy(self, index: int, event: Event) -> None:
        policy, parameters = event.arguments.get("policy"), event.arguments.get("policyParams")
        self._weights, cap = _limits(policy, parameters if isinstance(parameters, dict) else {})
        if self._weights:
            self._done.levels.append(Level(index, BUDGET_CAP, {"cap": cap}))
        self._tell_budget(index)

    def _request(self, index: int, event: Event) -> None:
        key, size = _request_in(event)
        self._close(self._models, key, index)
        self._models[key] = _Open(
            Kind.WAITING, event.sender, f"request {key[1]} {size}", index, details={"size": size}
        )

    def _loaded(self, index: int, event: Event) -> None:
        key, _ = _request_in(event)
        known = self._models.get(key)
        if known is None or known.kind is Kind.RESIDENT:
            return  # nobody has asked for it, or it is said twice
        self._close(self._models, key, index)
        name = f"model {key[1]} {known.details['size']}"
        self._models[key] = _Open(Kind.RESIDENT, known.who, name, index, details=known.details)
        self._tell_budget(index)

    def _gone(self, index: int, event: Event) -> None:
        if self._close(self._models, _request_in(event)[0], index) is not None:
            self._tell_budget(index)

    def _tell_budget(self, index: int) -> None:
        if self._weights:
            resident = [span for span in self._models.values() if span.kind is Kind.RESIDENT]
            self._tell(
                index,
                BUDGET_USE,
                [(span.who, self._weights.get(str(span.details["size"]), 0)) for span in resident],
            )

    # --- work -------------------------------------------------------------------------------------

    def _work_requested(self, index: int, event: Event) -> None:
        key, name, device, details = _work_in(event)
        self._close(self._work, key, index)
        self._work[key] = _Open(Kind.QUEUED, event.sender, name, index, device, details)

    def _work_started(self, index: int, event: Event) -> None:
        key, name, device, details = _work_in(event)
        self._close(self._work, key, index)
        details["start"] = event.arguments.get("reason")
        self._work[key] = _Open(Kind.RUNNING, event.sender, name, index, device, details)

    def _work_ended(self, index: int, event: Event) -> None:
        key, name, device, details = _work_in(event)
        if key in self._work:
            self._work[key].details["end"] = event.arguments.get("reason")
        self._close(self._work, key, index)
        if event.arguments.get("reason") == "PAUSED":
            self._work[key] = _Open(Kind.QUEUED, event.sender, name, index, device, details)

    # --- buffers ----------------------------------------------------------------------------------

    def _buffers_wanted(self, index: int, event: Event) -> None:
        for request in _list(event.arguments.get("requests")):
            self._asked[event.sender, request.get("appReqId")] = request.get("size") or 0

    def _buffer_given(self, index: int, event: Event) -> None:
        key = (event.receiver, event.arguments.get("appReqId"))
        size = self._asked.pop(key, 0)
        if event.arguments.get("errno") == 0:
            self._buffers[key] = size
            self._tell_heap(index)

    def _buffer_gone(self, index: int, event: Event) -> None:
        self._buffers.pop((event.receiver, event.arguments.get("appReqId")), None)
        self._tell_heap(index)

    def _buffers_returned(self, index: int, event: Event) -> None:
        given = event.arguments.get("appReqIds")
        for number in given if isinstance(given, list) else []:
            self._buffers.pop((event.sender, number), None)
        self._tell_heap(index)

    def _tell_heap(self, index: int) -> None:
        self._tell(index, HEAP_USE, [(key[0], size) for key, size in self._buffers.items()])

    def _tell(self, index: int, name: str, shares: Sequence[tuple[str, int]]) -> None:
        """Adds a level unless it is what was told last. Who has been named stays, with 0."""
        before = next((level.series for level in reversed(self._done.levels) if level.name == name), {})
        now = dict.fromkeys(before, 0)
        for who, amount in shares:
            now[who] = now.get(who, 0) + amount
        if now != before:
            self._done.levels.append(Level(index, name, now))


def _limits(policy: object, parameters: Mapping[str, Any]) -> tuple[dict[str, int], int]:
    """What requests weigh under a policy, by size, and its cap; nothing for one without a budget."""
    if policy == _TURN_TAKING:
        return dict.fromkeys(_WEIGHTS, 1), 1
    if policy != _BUDGET:
        return {}, 0
    given = parameters.get(_WEIGHTS_KEY)
    given = given if isinstance(given, dict) else {}
    weights = {size: given.get(str(int(NpuModelSize[size])), weight) for size, weight in _WEIGHTS.items()}
    return weights, parameters.get(_CAP_KEY, weights[_LARGEST])


def _request_in(event: Event) -> tuple[_Key, str]:
    request = event.arguments.get("request")
    request = request if isinstance(request, dict) else {}
    return (event.sender, request.get("id")), str(request.get("size", ""))


def _work_in(event: Event) -> tuple[_Key, str, int, dict[str, Any]]:
    """Whose work it is, what to call it, which NPU does it, and the rest."""
    info = event.arguments.get("workInfo", event.arguments.get("info"))
    info = info if isinstance(info, dict) else {}
    uid, original = info.get("uid"), info.get("originalUid")
    name = f"work of uid {uid}"
    if isinstance(original, int) and original >= 0 and original != uid:
        name += f" for {original}"
    device = info.get("deviceNumber")
    return (event.sender, (uid, original)), name, device if isinstance(device, int) else 0, dict(info)


def _list(value: object) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
