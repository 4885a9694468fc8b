"""What a story says of models, budget, work and buffers over time: spans and levels, from event to event.

A pure fold over recorded events: nobody is asked, so it is the same for a device and for the reference. It is
what the apps were told and have said, not what a service thinks; the two differ while a call is on its way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from .record import Event, JsonValue

ASKED, PENDING, WAITING, LOST = "ASKED", "PENDING_LOAD", "WAIT_FOR_UNLOAD", "NOT_PRIORITIZED"
LOADED, UNLOADING = "LOADED", "UNLOADING"
MODEL_STATES = (ASKED, PENDING, WAITING, LOST, LOADED, UNLOADING)
RESIDENT = frozenset({PENDING, LOADED, UNLOADING})
"""What uses budget: told CAN_LOAD_NOW and not over yet."""

# By the status of onCanLoadModel.
_ANSWERS = {0: PENDING, 1: WAITING, 2: LOST}
# What an app may still be told in good faith when it has loaded, or has been asked to unload.
_STAYS = {(LOADED, PENDING), (UNLOADING, PENDING), (UNLOADING, LOADED)}

STATUS_QUO, TURN_TAKING, BUDGET = 0, 1, 2
_POLICY_COMMANDS = {
    "set-status-quo-policy": STATUS_QUO,
    "set-turn-taking-policy": TURN_TAKING,
    "set-budget-policy": BUDGET,
}
_SIZES = ("LESS_THAN_1GB", "BETWEEN_1GB_AND_2GB", "GREATER_THAN_2G")
_WEIGHTS = {"LESS_THAN_1GB": 1, "BETWEEN_1GB_AND_2GB": 2, "GREATER_THAN_2G": 4}
_TURN_TAKING_WEIGHTS = dict.fromkeys(_SIZES, 1)

Key: TypeAlias = "tuple[int | str, JsonValue]"
"""Whose (the uid, or the label where it is not known), and the id."""


@dataclass(frozen=True, slots=True)
class ModelSpan:
    """A request that is in one state.

    Attributes:
        app: the label of the process that asked.
        request: the request's id.
        size: the model's.
        state: one of MODEL_STATES.
        begin, end: the events that began and ended it, by index; `end` is None if nothing did.
    """

    app: str
    request: JsonValue
    size: str
    state: str
    begin: int
    end: int | None = None


@dataclass(frozen=True, slots=True)
class WorkSpan:
    """Work that an NPU does in the name of one uid; `device` is the NPU's number."""

    uid: int
    begin: int
    end: int | None = None
    device: int = 0


@dataclass(frozen=True, slots=True)
class Level:
    """How much is in use, from an event to the next level's.

    Attributes:
        event: by index.
        used: budget or bytes.
        reserved: budget promised to those who wait for an unload.
        limit: how much there is, if that is known.
    """

    event: int
    used: int
    reserved: int = 0
    limit: int | None = None


@dataclass(frozen=True, slots=True)
class History:
    """What a story says.

    Attributes:
        models: by when they began.
        budget: of the service; empty under StatusQuo, which has none.
        work: of the NPU, by when it began.
        heaps: bytes in buffers, by the number of the NPU they are for.
    """

    models: tuple[ModelSpan, ...]
    budget: tuple[Level, ...]
    work: tuple[WorkSpan, ...]
    heaps: dict[int, tuple[Level, ...]]


def history_of(events: Iterable[Event]) -> History:
    """The spans and levels of a story."""
    story = _Story()
    for index, event in enumerate(events):
        story.hear(index, event)
    return story.told()


@dataclass(slots=True)
class _Model:
    app: str
    request: JsonValue
    size: str
    state: str
    since: int


@dataclass(slots=True)
class _Story:
    """What is known after the events so far."""

    limits: tuple[Mapping[str, int], int] | None = None
    models: dict[Key, _Model] = field(default_factory=dict)
    count: Counter[tuple[str, str]] = field(default_factory=Counter)
    callbacks: dict[str, Key] = field(default_factory=dict)
    working: dict[int, tuple[int, int]] = field(default_factory=dict)
    wanted: dict[Key, tuple[int, int]] = field(default_factory=dict)
    held: dict[Key, tuple[int, int]] = field(default_factory=dict)
    bytes: Counter[int] = field(default_factory=Counter)
    model_spans: list[ModelSpan] = field(default_factory=list)
    work_spans: list[WorkSpan] = field(default_factory=list)
    budget: list[Level] = field(default_factory=list)
    heaps: dict[int, list[Level]] = field(default_factory=dict)
    labels: dict[str, int | str] = field(default_factory=dict)

    def hear(self, index: int, event: Event) -> None:
        if event.kind == "note":
            self._hear_note(index, event.note)
        elif (handler := HANDLERS.get(event.method)) is not None and not event.error:
            handler(self, index, event)
        else:
            return
        self._take_levels(index)

    def told(self) -> History:
        """Everything, with what has not ended."""
        models = [*self.model_spans, *(_span(model, None) for model in self.models.values())]
        work = [
            *self.work_spans,
            *(WorkSpan(uid, since, None, npu) for uid, (since, npu) in self.working.items()),
        ]
        return History(
            models=tuple(sorted(models, key=lambda span: span.begin)),
            budget=tuple(self.budget),
            work=tuple(sorted(work, key=lambda span: span.begin)),
            heaps={device: tuple(levels) for device, levels in sorted(self.heaps.items())},
        )

    # --- what people and the system do -------------------------------------------------------------

    def _hear_note(self, index: int, note: str) -> None:
        who, _, what = note.rpartition(" is ")
        if what in ("killed", "removed") and who in self.labels:
            self._forget(index, {self.labels[who]})
        elif note == "the HAL is killed":
            for uid in list(self.working):
                self._end_work(index, uid)
        elif note == "the system restarts":
            self._forget(index, set(self.labels.values()))
            self.limits = None
        elif " cmd npu " in note:
            policy = _POLICY_COMMANDS.get(note.rpartition(" ")[2])
            if policy is not None:
                self._replace_policy(index, policy, None)

    def _forget(self, index: int, owners: set[int | str]) -> None:
        for key in [key for key in self.models if key[0] in owners]:
            self._end(index, key)
        for key in [key for key in self.held if key[0] in owners]:
            self._drop(key)

    def set_policy(self, index: int, event: Event) -> None:
        self._replace_policy(index, event.arguments.get("policy"), event.arguments.get("policyParams"))

    def _replace_policy(self, index: int, policy: JsonValue, params: JsonValue) -> None:
        # The requests that the old one knew are forgotten, without a word to anybody.
        for key in list(self.models):
            self._end(index, key)
        self.limits = _limits(policy, params)

    # --- models ------------------------------------------------------------------------------------

    def can_load(self, index: int, event: Event) -> None:
        key = self._key(event, _request(event).get("id"))
        self._end(index, key)
        size = str(_request(event).get("size", ""))
        self.models[key] = _Model(event.sender, key[1], size, ASKED, index)
        self.count[size, ASKED] += 1
        self.callbacks[str(event.arguments.get("callback", ""))] = key

    def answered(self, index: int, event: Event) -> None:
        status = event.arguments.get("status")
        if isinstance(status, int) and status in _ANSWERS:
            self._move(index, self._called(event), _ANSWERS[status])

    def asked_to_unload(self, index: int, event: Event) -> None:
        self._move(index, self._called(event), UNLOADING)

    def completed(self, index: int, event: Event) -> None:
        self._end(index, self._called(event))

    def loaded(self, index: int, event: Event) -> None:
        self._move(index, self._key(event, _request(event).get("id")), LOADED)

    def over(self, index: int, event: Event) -> None:
        self._end(index, self._key(event, _request(event).get("id")))

    def _called(self, event: Event) -> Key | None:
        """The request whose callback is called. Where that is not recorded, the app's latest."""
        if event.target:
            return self.callbacks.get(event.target)
        latest = reversed(self.models.items())
        return next((key for key, model in latest if model.app == event.receiver), None)

    def _move(self, index: int, key: Key | None, state: str) -> None:
        model = None if key is None else self.models.get(key)
        if model is None or model.state == state or (model.state, state) in _STAYS:
            return
        self.model_spans.append(_span(model, index))
        self.count[model.size, model.state] -= 1
        self.count[model.size, state] += 1
        model.state, model.since = state, index

    def _end(self, index: int, key: Key | None) -> None:
        model = None if key is None else self.models.pop(key, None)
        if model is not None:
            self.model_spans.append(_span(model, index))
            self.count[model.size, model.state] -= 1

    def _key(self, event: Event, number: JsonValue) -> Key:
        owner = event.sender if event.sender_uid is None else event.sender_uid
        self.labels[event.sender] = owner
        return owner, number if isinstance(number, int | str) else str(number)

    # --- work --------------------------------------------------------------------------------------

    def started(self, index: int, event: Event) -> None:
        self.working.setdefault(_uid_of_work(event), (index, _npu_of_work(event)))

    def ended(self, index: int, event: Event) -> None:
        self._end_work(index, _uid_of_work(event))

    def _end_work(self, index: int, uid: int) -> None:
        if (working := self.working.pop(uid, None)) is not None:
            since, npu = working
            self.work_spans.append(WorkSpan(uid, since, index, npu))

    # --- buffers -----------------------------------------------------------------------------------

    def wants(self, index: int, event: Event) -> None:
        requests = event.arguments.get("requests")
        for request in requests if isinstance(requests, list) else ():
            if isinstance(request, dict):
                size, device = request.get("size"), request.get("deviceNumber")
                if isinstance(size, int) and isinstance(device, int):
                    self.wanted[self._key(event, request.get("appReqId"))] = device, size

    def got(self, index: int, event: Event) -> None:
        key = self._held_by(event)
        if (buffer := self.wanted.pop(key, None)) is not None and event.arguments.get("errno") == 0:
            self._drop(key)
            self.held[key] = buffer
            self.bytes[buffer[0]] += buffer[1]

    def lost(self, index: int, event: Event) -> None:
        self._drop(self._held_by(event))

    def puts(self, index: int, event: Event) -> None:
        ids = event.arguments.get("appReqIds")
        for number in ids if isinstance(ids, list) else ():
            self._drop(self._key(event, number))

    def _drop(self, key: Key) -> None:
        device, size = self.held.pop(key, (0, 0))
        self.bytes[device] -= size

    def _held_by(self, event: Event) -> Key:
        number = event.arguments.get("appReqId")
        owner = self.labels.get(event.receiver, event.receiver)
        return owner, number if isinstance(number, int) else str(number)

    # --- levels ------------------------------------------------------------------------------------

    def _take_levels(self, index: int) -> None:
        if self.limits is not None:
            weights, limit = self.limits
            used = reserved = 0
            for (size, state), number in self.count.items():
                used += number * weights.get(size, 0) * (state in RESIDENT)
                reserved += number * weights.get(size, 0) * (state == WAITING)
            _append(self.budget, Level(index, used, reserved, limit))
        elif self.budget:
            _append(self.budget, Level(index, 0))
        for device, used in self.bytes.items():
            if used or device in self.heaps:
                _append(self.heaps.setdefault(device, []), Level(index, used))


def _span(model: _Model, end: int | None) -> ModelSpan:
    return ModelSpan(model.app, model.request, model.size, model.state, model.since, end)


def _append(levels: list[Level], level: Level) -> None:
    last = levels[-1] if levels else None
    if last is None or (last.used, last.reserved, last.limit) != (level.used, level.reserved, level.limit):
        levels.append(level)


def _request(event: Event) -> dict[str, JsonValue]:
    request = event.arguments.get("request")
    return request if isinstance(request, dict) else {}


def _uid_of_work(event: Event) -> int:
    info = event.arguments.get("workInfo")
    uids = [info.get("originalUid"), info.get("uid")] if isinstance(info, dict) else []
    # A HAL may leave out in whose name it is by a negative number.
    return next((uid for uid in uids if isinstance(uid, int) and uid >= 0), -1)


def _npu_of_work(event: Event) -> int:
    info = event.arguments.get("workInfo")
    number = info.get("deviceNumber") if isinstance(info, dict) else None
    return number if isinstance(number, int) else 0


def _limits(policy: JsonValue, params: Any) -> tuple[Mapping[str, int], int] | None:
    """Weights by size, and the cap, that a policy has with a bundle; None for one without a budget."""
    if policy == TURN_TAKING:
        return _TURN_TAKING_WEIGHTS, 1
    if policy != BUDGET:
        return None
    given = params if isinstance(params, dict) else {}
    own = given.get("modelSizeWeights")
    weights = dict(_WEIGHTS)
    for number, size in enumerate(_SIZES):
        if isinstance(own, dict) and isinstance(weight := own.get(str(number)), int):
            weights[size] = weight
    cap = given.get("maxBudget")
    return weights, cap if isinstance(cap, int) else weights["GREATER_THAN_2G"]


HANDLERS: dict[str, Callable[[_Story, int, Event], None]] = {
    "INpuManagerService.setPolicy": _Story.set_policy,
    "INpuManagerService.canLoadModel": _Story.can_load,
    "INpuManagerService.notifyModelLoaded": _Story.loaded,
    "INpuManagerService.notifyModelUnloaded": _Story.over,
    "INpuManagerService.cancelModelLoad": _Story.over,
    "IModelLoadCallback.onCanLoadModel": _Story.answered,
    "IModelLoadCallback.onRequestUnloadModel": _Story.asked_to_unload,
    "IModelLoadCallback.onModelLoadRequestComplete": _Story.completed,
    "ISchedulingCallback.onWorkStarted": _Story.started,
    "ISchedulingCallback.onWorkEnded": _Story.ended,
    "INpuAllocator.getBuffers": _Story.wants,
    "INpuAllocator.putBuffers": _Story.puts,
    "INpuAllocatorCallback.onGetBuffer": _Story.got,
    "INpuAllocatorCallback.onNotifyPreempted": _Story.lost,
}
"""By method, what a call of it that did not fail says."""
