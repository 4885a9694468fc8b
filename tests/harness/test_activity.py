"""What goes on between the events of a story."""

from __future__ import annotations

from typing import Any

import pytest

from harness.activity import BUDGET_CAP, BUDGET_USE, HEAP_USE, Kind, activity
from harness.record import Event
from harness.vocabulary import BETWEEN_1GB_AND_2GB, BUDGET
from harness.vocabulary import LESS_THAN_1GB as SMALL_SIZE

from .kit import open_npu

LARGE = "GREATER_THAN_2G"
SMALL = "LESS_THAN_1GB"


def call(app: str, method: str, number: int = 1, size: str = LARGE) -> Event:
    return Event(
        0.0, app, "system_server", f"INpuManagerService.{method}", {"request": {"id": number, "size": size}}
    )


def policy(number: int, params: dict[str, Any] | None = None) -> Event:
    arguments: Any = {"policy": number, "policyParams": params}
    return Event(0.0, "shell", "system_server", "INpuManagerService.setPolicy", arguments)


def work(report: str, uid: int = 10123, reason: str = "", **info: Any) -> Event:
    said: Any = {"uid": uid, "originalUid": uid, "deviceNumber": 0, **info}
    arguments = {
        "info" if report == "onWorkRequested" else "workInfo": said,
        **({"reason": reason} if reason else {}),
    }
    return Event(0.0, "npu-hal", "system_server", f"ISchedulingCallback.{report}", arguments, oneway=True)


def note(text: str) -> Event:
    return Event(0.0, note=text)


def spans(*events: Event) -> list[tuple[str, int, int | None]]:
    return [(str(span.kind), span.first, span.last) for span in activity(events).spans]


def levels(name: str, *events: Event) -> list[dict[str, int]]:
    return [dict(level.series) for level in activity(events).levels if level.name == name]


def test_request_waits_and_then_its_model_is_resident() -> None:
    story = [call("album", verb) for verb in ("canLoadModel", "notifyModelLoaded", "notifyModelUnloaded")]
    assert spans(*story) == [("waiting", 0, 1), ("resident", 1, 2)]


@pytest.mark.parametrize("end", ["cancelModelLoad", "notifyModelUnloaded"])
def test_request_may_end_without_a_model(end: str) -> None:
    assert spans(call("album", "canLoadModel"), call("album", end)) == [("waiting", 0, 1)]


def test_model_that_stays_has_no_end() -> None:
    story = [call("album", "canLoadModel"), call("album", "notifyModelLoaded")]
    assert spans(*story) == [("waiting", 0, 1), ("resident", 1, None)]


def test_refused_call_changes_nothing() -> None:
    refused = Event(
        0.0, "album", "system_server", "INpuManagerService.canLoadModel", {}, error="SecurityException"
    )
    assert spans(refused) == []


def test_model_nobody_asked_for_is_not_resident() -> None:
    assert spans(call("album", "notifyModelLoaded")) == []


def test_same_number_of_two_apps_is_two_requests() -> None:
    story = [call("album", "canLoadModel"), call("camera", "canLoadModel"), call("album", "cancelModelLoad")]
    assert spans(*story) == [("waiting", 0, 2), ("waiting", 1, None)]


@pytest.mark.parametrize("death", ["album is killed", "album is removed", "the system restarts"])
def test_end_of_a_process_ends_what_is_its(death: str) -> None:
    story = [policy(2), call("album", "canLoadModel"), call("album", "notifyModelLoaded"), note(death)]
    assert spans(*story)[-1] == ("resident", 2, 3)
    assert levels(BUDGET_USE, *story) == [{"album": 4}, {"album": 0}]


def test_death_of_another_changes_nothing() -> None:
    assert spans(call("album", "canLoadModel"), note("camera is killed")) == [("waiting", 0, None)]


@pytest.mark.parametrize(
    ("policy_event", "cap", "use"),
    [
        (policy(2), 4, 1),
        (policy(1), 1, 1),
        (policy(1, {"maxBudget": 9}), 1, 1),
        (policy(2, {"maxBudget": 7}), 7, 1),
        (policy(2, {"modelSizeWeights": {"0": 3, "2": 5}}), 5, 3),
    ],
)
def test_budget_counts_weights_of_resident_models(policy_event: Event, cap: int, use: int) -> None:
    loading = [call("album", verb, size=SMALL) for verb in ("canLoadModel", "notifyModelLoaded")]
    assert levels(BUDGET_CAP, policy_event, *loading) == [{"cap": cap}]
    assert levels(BUDGET_USE, policy_event, *loading) == [{"album": use}]


def test_status_quo_has_no_budget() -> None:
    story = [policy(0), call("album", "canLoadModel"), call("album", "notifyModelLoaded")]
    assert activity(story).levels == []


def test_work_is_queued_and_runs() -> None:
    story = [work("onWorkRequested"), work("onWorkStarted"), work("onWorkEnded", reason="COMPLETED")]
    found = activity(story).spans
    assert [(span.kind, span.first, span.last) for span in found] == [
        (Kind.QUEUED, 0, 1),
        (Kind.RUNNING, 1, 2),
    ]
    assert found[1].details["end"] == "COMPLETED"


def test_paused_work_waits_again() -> None:
    story = [
        work("onWorkStarted"),
        work("onWorkEnded", reason="PAUSED"),
        work("onWorkStarted", reason="RESUMED"),
    ]
    assert spans(*story) == [("running", 0, 1), ("queued", 1, 2), ("running", 2, None)]


def test_work_ends_with_the_hal() -> None:
    assert spans(work("onWorkStarted"), note("the HAL is killed")) == [("running", 0, 1)]


def test_work_for_another_says_so() -> None:
    (span,) = activity([work("onWorkStarted", originalUid=10200)]).spans
    assert span.name == "work of uid 10123 for 10200"


def test_heap_use_is_what_clients_hold() -> None:
    def allocator(method: str, **arguments: Any) -> Event:
        interface = "INpuAllocatorCallback" if method.startswith("on") else "INpuAllocator"
        ends = ("system_server", "album") if method.startswith("on") else ("album", "system_server")
        return Event(0.0, *ends, f"{interface}.{method}", arguments)

    requests = [{"appReqId": number, "size": 4096 * number} for number in (1, 2, 3)]
    story = [
        allocator("getBuffers", requests=requests),
        allocator("onGetBuffer", appReqId=1, errno=0),
        allocator("onGetBuffer", appReqId=2, errno=12),
        allocator("onGetBuffer", appReqId=3, errno=0),
        allocator("putBuffers", appReqIds=[1]),
        allocator("onNotifyPreempted", appReqId=3),
    ]
    assert [level["album"] for level in levels(HEAP_USE, *story)] == [4096, 16384, 12288, 0]


def test_story_of_the_reference_has_the_budget_that_was_set() -> None:
    npu = open_npu()
    npu.policy(BUDGET, maxBudget=3)
    album = npu.app("album").in_foreground()
    album.request(SMALL_SIZE).load()
    album.request(BETWEEN_1GB_AND_2GB).load()
    story = npu.session.events()
    assert levels(BUDGET_CAP, *story) == [{"cap": 3}]
    assert levels(BUDGET_USE, *story) == [{"album": 1}, {"album": 3}]
    assert [span.kind for span in activity(story).spans] == [Kind.WAITING, Kind.RESIDENT] * 2
