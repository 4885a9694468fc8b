"""Where stories part, and what is no difference."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from harness.compare import Hearing, Parting, part
from harness.record import Event


def said(app: str, status: int, at: float = 0.0) -> Event:
    arguments: Any = {"status": status}
    return Event(at, "system_server", app, "IModelLoadCallback.onCanLoadModel", arguments, oneway=True)


def asked(app: str, number: int = 1, at: float = 0.0) -> Event:
    return Event(at, app, "system_server", "INpuManagerService.canLoadModel", {"request": {"id": number}})


def report(what: str, uid: int, at: float, **more: Any) -> Event:
    info: Any = {"uid": uid, "originalUid": uid, "jobPriority": 500, **more}
    name = "info" if what == "onWorkRequested" else "workInfo"
    return Event(at, "npu-hal", "tester", f"ISchedulingCallback.{what}", {name: info}, oneway=True)


def config(uid: int, priority: int) -> Event:
    configs: Any = [{"uid": uid, "priority": priority}]
    return Event(0.0, "system_server", "npu-hal", "IScheduling.updateSchedulingConfigs", {"configs": configs})


def parting(first: list[Event], second: list[Event], hearing: Hearing | None = None) -> Parting | None:
    found = part(first, second, hearing or Hearing())
    turned = part(second, first, hearing or Hearing())
    # Whichever comes first, it is the same place.
    assert (found is None) == (turned is None)
    if found is not None and turned is not None:
        assert (found.process, found.events) == (turned.process, turned.events[::-1])
    return found


def test_same_story_does_not_part() -> None:
    assert parting([asked("album"), said("album", 0)], [asked("album"), said("album", 0)]) is None


def test_other_answer_is_where_they_part() -> None:
    first = [asked("album"), said("album", 0)]
    second = [asked("album"), said("album", 2)]
    assert parting(first, second) == Parting("album", (1, 1), (0, 0))


def test_missing_answer_is_where_they_part() -> None:
    assert parting([asked("album"), said("album", 0)], [asked("album")]) == Parting(
        "album", (1, None), (0, 0)
    )


def test_earliest_of_several_is_told() -> None:
    first = [asked("zebra"), said("zebra", 0), asked("album"), said("album", 0)]
    second = [asked("zebra"), said("zebra", 1), asked("album"), said("album", 1)]
    found = parting(first, second)
    assert found is not None
    assert (found.process, found.events) == ("zebra", (1, 1))


def test_order_across_processes_is_no_difference() -> None:
    first = [asked("album"), asked("camera"), said("album", 0), said("camera", 0)]
    second = [asked("camera"), asked("album"), said("camera", 0), said("album", 0)]
    assert parting(first, second) is None


def test_order_within_a_process_is_a_difference() -> None:
    first = [asked("album", 1), asked("album", 2)]
    assert parting(first, first[::-1]) is not None


def test_notes_and_times_are_no_difference() -> None:
    first = [asked("album"), Event(0.1, note="something"), said("album", 0, at=0.5)]
    assert parting(first, [asked("album"), said("album", 0, at=0.7)]) is None


# --- the HAL's debounce window --------------------------------------------------------------------


def test_reports_of_different_work_within_the_window_have_no_order() -> None:
    first = [report("onWorkEnded", 10123, 0.300), report("onWorkStarted", 10124, 0.349)]
    second = [report("onWorkStarted", 10124, 0.300), report("onWorkEnded", 10123, 0.320)]
    assert parting(first, second) is None


def test_reports_further_apart_have_an_order() -> None:
    first = [report("onWorkEnded", 10123, 0.300), report("onWorkStarted", 10124, 0.356)]
    second = [report("onWorkStarted", 10124, 0.300), report("onWorkEnded", 10123, 0.400)]
    assert parting(first, second) is not None


def test_reports_of_the_same_work_have_an_order() -> None:
    first = [report("onWorkRequested", 10123, 0.0), report("onWorkStarted", 10123, 0.001)]
    assert parting(first, first[::-1]) is not None


def test_report_may_come_before_or_after_a_call() -> None:
    first = [config(10123, 100), report("onWorkStarted", 10123, 0.01)]
    assert parting(first, first[::-1]) is None


def test_calls_have_an_order_even_within_the_window() -> None:
    first = [config(10123, 100), config(10123, 400)]
    assert parting(first, first[::-1]) is not None


def test_missing_report_is_a_difference_within_the_window_too() -> None:
    first = [report("onWorkEnded", 10123, 0.300), report("onWorkStarted", 10124, 0.310)]
    found = parting(first, first[1:])
    assert found is not None
    assert found.events[0] is not None


def test_report_that_was_held_back_may_need_a_moment_more() -> None:
    first = [report("onWorkStarted", 10124, 0.10001), report("onWorkEnded", 10123, 0.15002)]
    assert parting(first, first[::-1]) is None


def test_calls_to_different_objects_have_no_order_if_nobody_waits_for_them() -> None:
    first = [replace(said("album", 0), target="#1"), replace(said("album", 2, at=0.01), target="#2")]
    assert parting(first, first[::-1]) is None
    to_one = [replace(event, target="#1") for event in first]
    assert parting(to_one, to_one[::-1]) is not None
    waited_for = [replace(event, oneway=False) for event in first]
    assert parting(waited_for, waited_for[::-1]) is not None


# --- what differs from run to run -----------------------------------------------------------------


def test_numbers_times_and_pids_of_work_are_the_hals_own() -> None:
    first = [report("onWorkStarted", 10123, 0.1, id=1, timestampMs=100, debugPid=0)]
    second = [report("onWorkStarted", 10123, 0.1, id=7, timestampMs=917, debugPid=44)]
    assert parting(first, second) is None


def test_priority_of_work_is_a_difference() -> None:
    first = [report("onWorkStarted", 10123, 0.1, effectivePriority=600)]
    assert parting(first, [report("onWorkStarted", 10123, 0.1, effectivePriority=900)]) is not None


def test_apps_may_have_other_uids() -> None:
    first = [config(10123, 100), config(10124, 400), config(10123, 400)]
    second = [config(10301, 100), config(10299, 400), config(10301, 400)]
    assert parting(first, second) is None


def test_another_app_of_the_story_is_a_difference() -> None:
    first = [config(10123, 100), config(10124, 400), config(10123, 300)]
    assert parting(first, [config(10301, 100), config(10299, 400), config(10299, 300)]) is not None


def test_apps_that_call_go_by_their_names() -> None:
    def story(album: int, camera: int) -> list[Event]:
        calls = [replace(asked("album"), sender_uid=album), replace(asked("camera"), sender_uid=camera)]
        return [*calls, report("onWorkEnded", album, 0.3), report("onWorkStarted", camera, 0.32)]

    first, second = story(10123, 10124), story(10124, 10099)
    assert parting(first, second) is None
    assert parting(first, [*second[:2], *second[:1:-1]]) is None
    assert parting(first, [*second[:2], report("onWorkEnded", 10099, 0.3), second[3]]) is not None


def test_app_that_calls_in_one_story_only_is_still_the_same_app() -> None:
    first = [config(10123, 100), replace(asked("album"), sender_uid=10123)]
    found = parting(first, first[:1])
    assert found is not None
    assert found.process == "album"


def test_uids_of_the_system_are_the_same_everywhere() -> None:
    assert parting([config(0, 100)], [config(1000, 100)]) is not None


# --- between backends -----------------------------------------------------------------------------

APART = Hearing(alike=False, hal=False)


def test_repeated_answer_is_a_difference_only_between_like_backends() -> None:
    first, second = [said("album", 1), said("album", 1)], [said("album", 1)]
    assert parting(first, second) is not None
    assert parting(first, second, APART) is None


def test_other_calls_are_not_repeats() -> None:
    first = [asked("album"), asked("album")]
    assert parting(first, first[:1], APART) is not None


def test_what_was_not_heard_in_both_is_not_compared() -> None:
    assert parting([config(10123, 100)], [], Hearing(alike=False, hal=True)) is not None
    assert parting([config(10123, 100)], [], APART) is None


@pytest.mark.parametrize("method", ["DUMP", "SHELL_COMMAND"])
def test_how_people_reach_the_service_is_the_backends_affair(method: str) -> None:
    dump = [Event(0.0, "shell", "system_server", f"INpuManagerService.{method}")]
    assert parting(dump, [], APART) is None
    assert parting(dump, []) is not None


def test_call_to_the_dead_is_told_by_one_backend_only() -> None:
    call = replace(said("album", 0), error="DEAD_OBJECT: album (pid 1004) is dead")
    assert parting([call], [], APART) is None
    assert parting([call], []) is not None
    assert parting([replace(call, error="SecurityException: no")], [], APART) is not None


def test_last_reports_that_nobody_waited_for_are_a_difference_only_between_like_backends() -> None:
    first = [report("onWorkStarted", 10123, 0.1), report("onWorkEnded", 10123, 0.5)]
    assert parting(first, first[:1]) is not None
    assert parting(first, first[:1], APART) is None
    assert parting([*first, config(10123, 1)], first[:1], Hearing(alike=False, hal=True)) is not None
    assert parting(first, first[1:], APART) is not None


def test_binders_without_a_name_are_all_one_between_backends() -> None:
    def callback(name: str) -> Event:
        return Event(0.0, "tester", "npu-hal", "IScheduling.setCallback", {"callback": name})

    first, second = [callback("tester's ISchedulingCallback #1")], [callback("a binder")]
    assert parting(first, second, APART) is None
    assert parting(first, second) is not None


# --- stories that end early -----------------------------------------------------------------------


def test_what_a_story_had_no_time_for_is_not_told_first() -> None:
    first = [asked("album"), said("zebra", 0, at=0.1), said("album", 0, at=5.0)]
    second = [asked("album"), said("zebra", 2, at=0.1)]
    found = part(first, second, Hearing(), (6.0, 0.2))
    assert found is not None
    assert found.process == "zebra"
    late = part([asked("album"), said("album", 0, at=5.0)], [asked("album")], Hearing(), (6.0, 0.2))
    assert late == Parting("album", (1, None), (0, 0))


def test_what_came_at_another_time_is_found_if_it_ended_the_story() -> None:
    first = [asked("album"), asked("camera", at=1.0), said("album", 0, at=2.0)]
    second = [asked("album"), said("album", 0, at=0.5)]
    found = part(first, second, Hearing(), (3.0, 0.5))
    assert found == Parting("everybody", (1, 1), (0, 0))
