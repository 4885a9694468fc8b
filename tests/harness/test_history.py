"""Models, budget, work and buffers over time, derived from stories."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from binder import SecurityException
from harness.history import HANDLERS, History, Level, history_of
from harness.record import Event, JsonValue
from harness.vocabulary import (
    BETWEEN_1GB_AND_2GB,
    BUDGET,
    GREATER_THAN_2G,
    LESS_THAN_1GB,
    STATUS_QUO,
    TURN_TAKING,
    WAIT_FOR_UNLOAD,
    Npu,
)
from tests.harness.kit import open_npu


def told(npu: Npu) -> History:
    npu.session.settle()
    return history_of(npu.session.events())


def states(history: History, app: str) -> list[str]:
    return [span.state for span in history.models if span.app == app]


def levels(found: Sequence[Level]) -> list[tuple[int, int]]:
    return [(level.used, level.reserved) for level in found]


def turn_given() -> Npu:
    npu = open_npu()
    npu.policy(TURN_TAKING)
    held = npu.app("album").in_background().request(GREATER_THAN_2G).load()
    wanted = npu.app("assistant").in_foreground().request(GREATER_THAN_2G).expect(WAIT_FOR_UNLOAD)
    held.give_way()
    wanted.load()
    return npu


def test_request_passes_through_its_states() -> None:
    history = told(turn_given())
    assert states(history, "album") == ["ASKED", "PENDING_LOAD", "LOADED", "UNLOADING"]
    assert states(history, "assistant") == ["ASKED", "WAIT_FOR_UNLOAD", "PENDING_LOAD", "LOADED"]


def test_states_of_a_request_follow_without_a_gap() -> None:
    spans = [span for span in told(turn_given()).models if span.app == "assistant"]
    assert [span.end for span in spans] == [*(span.begin for span in spans[1:]), None]
    assert {(span.request, span.size) for span in spans} == {(1, "GREATER_THAN_2G")}


def test_turn_is_used_and_reserved_meanwhile() -> None:
    history = told(turn_given())
    assert levels(history.budget) == [(0, 0), (1, 0), (1, 1), (0, 1), (1, 0)]
    assert {level.limit for level in history.budget} == {1}


def test_budget_weighs_sizes_and_has_the_cap_of_its_parameters() -> None:
    npu = open_npu()
    npu.policy(BUDGET, maxBudget=9, modelSizeWeights={"1": 3})
    app = npu.app("album")
    for size in (LESS_THAN_1GB, BETWEEN_1GB_AND_2GB, GREATER_THAN_2G):
        app.request(size).load()
    assert told(npu).budget[-1] == Level(told(npu).budget[-1].event, 8, 0, 9)


def test_cap_without_a_parameter_is_the_weight_of_the_large_size() -> None:
    npu = open_npu()
    npu.policy(BUDGET, modelSizeWeights={"2": 6})
    assert told(npu).budget[-1].limit == 6


def test_refused_policy_changes_nothing() -> None:
    npu = open_npu()
    npu.policy(BUDGET)
    app = npu.app("album")
    with npu.refuses(SecurityException):
        app.service.setPolicy(STATUS_QUO, None)
    assert told(npu).budget[-1].limit == 4


def test_new_policy_forgets_requests_and_status_quo_has_no_budget() -> None:
    npu = open_npu()
    npu.cmd("set-budget-policy")
    npu.app("album").request(GREATER_THAN_2G).load()
    npu.policy(STATUS_QUO)
    history = told(npu)
    assert levels(history.budget) == [(0, 0), (4, 0), (0, 0)]
    assert history.budget[-1].limit is None
    assert all(span.end is not None for span in history.models)


def test_status_quo_alone_shows_no_budget() -> None:
    npu = open_npu()
    npu.app("album").request().load()
    assert told(npu).budget == ()
    assert states(told(npu), "album") == ["ASKED", "PENDING_LOAD", "LOADED"]


@pytest.mark.parametrize("end", ["dies", "is_removed"])
def test_models_end_with_their_app(end: str) -> None:
    npu = open_npu()
    npu.policy(BUDGET)
    app = npu.app("album")
    app.request(GREATER_THAN_2G).load()
    getattr(app, end)()
    history = told(npu)
    assert history.models[-1].end is not None
    assert history.budget[-1].used == 0


def test_restart_ends_everything() -> None:
    npu = open_npu()
    npu.policy(BUDGET)
    npu.app("album").request(GREATER_THAN_2G).load()
    npu.restarts()
    history = told(npu)
    assert (history.budget[-1].used, history.budget[-1].limit) == (0, None)
    assert history.models[-1].end is not None


def test_two_requests_of_an_app_are_told_apart() -> None:
    npu = open_npu()
    npu.policy(BUDGET)
    app = npu.app("album")
    first, second = app.request(GREATER_THAN_2G), app.request(LESS_THAN_1GB)
    first.load()
    second.expect(2)
    spans = told(npu).models
    assert [span.state for span in spans if span.request == 2] == ["ASKED", "NOT_PRIORITIZED"]
    assert [span.state for span in spans if span.request == 1][-1] == "LOADED"


def test_same_id_again_is_another_request() -> None:
    npu = open_npu()
    app = npu.app("album")
    app.request(id=1).load()
    app.request(id=1).load()
    spans = told(npu).models
    assert [span.state for span in spans] == ["ASKED", "PENDING_LOAD", "LOADED"] * 2
    assert spans[2].end == spans[3].begin


def test_story_without_targets_is_about_the_latest_request() -> None:
    request: JsonValue = {"id": 3, "size": "LESS_THAN_1GB", "priority": 0}
    story = [
        Event(0, "a", "s", "INpuManagerService.canLoadModel", {"request": request, "callback": "a's #1"}),
        Event(1, "s", "a", "IModelLoadCallback.onCanLoadModel", {"status": 0}, oneway=True),
    ]
    assert states(history_of(story), "a") == ["ASKED", "PENDING_LOAD"]


def test_work_is_from_its_start_to_its_end() -> None:
    npu = open_npu()
    app = npu.app("album").finishes_work()
    (span,) = told(npu).work
    events = npu.session.events()
    assert span.uid == app.uid
    assert span.end is not None
    assert events[span.begin].method.endswith("onWorkStarted")
    assert events[span.end].method.endswith("onWorkEnded")


def test_work_ends_with_the_hal() -> None:
    npu = open_npu()
    npu.app("album").starts_work(seconds=30)
    npu.session.settle()
    npu.hal.dies()
    (span,) = told(npu).work
    assert span.end is not None


GET = "INpuAllocator.getBuffers"
GOT = "INpuAllocatorCallback.onGetBuffer"


def wants(*sizes: int, device: int = 0) -> Event:
    requests: list[JsonValue] = [
        {"appReqId": number, "deviceNumber": device, "size": size} for number, size in enumerate(sizes)
    ]
    return Event(0, "a", "s", GET, {"requests": requests}, sender_uid=10123)


def test_buffers_are_bytes_by_device() -> None:
    story = [
        wants(4096, 8192),
        Event(1, "s", "a", GOT, {"appReqId": 0, "errno": 0}),
        Event(2, "s", "a", GOT, {"appReqId": 1, "errno": 12}),
        wants(100, device=1),
        Event(3, "s", "a", GOT, {"appReqId": 0, "errno": 0}),
    ]
    heaps = history_of(story).heaps
    assert heaps[1] == (Level(4, 100),)
    assert heaps[0] == (Level(1, 4096), Level(4, 0))  # the same id again: the first has gone


@pytest.mark.parametrize(
    "end",
    [
        Event(2, "a", "s", "INpuAllocator.putBuffers", {"appReqIds": [0]}, sender_uid=10123),
        Event(2, "s", "a", "INpuAllocatorCallback.onNotifyPreempted", {"appReqId": 0}),
        Event(2, note="a is killed"),
    ],
    ids=["given back", "taken away", "died"],
)
def test_buffers_end(end: Event) -> None:
    story = [wants(4096), Event(1, "s", "a", GOT, {"appReqId": 0, "errno": 0}), end]
    assert history_of(story).heaps == {0: (Level(1, 4096), Level(2, 0))}


@pytest.mark.parametrize(
    "arguments", [{}, {"request": 7}, {"(unreadable)": "why"}, {"request": {"id": [1]}}], ids=str
)
def test_odd_stories_are_survived(arguments: dict[str, JsonValue]) -> None:
    history_of([Event(0, "a", "b", method, arguments) for method in HANDLERS])
