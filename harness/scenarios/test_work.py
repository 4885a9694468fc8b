"""Work on the NPU: who may do it, in what order, in whose name, and what it means for loaded models."""

from __future__ import annotations

from harness.record import JsonValue
from harness.vocabulary import (
    BETWEEN_1GB_AND_2GB,
    BUDGET,
    CAN_LOAD_NOW,
    NOT_PRIORITIZED,
    TURN_TAKING,
    Npu,
    check,
    covers,
    needs,
)

ATTRIBUTE_WORK = "android.permission.ATTRIBUTE_WORK_TO_OTHER_APPS"


@covers("CTS cts_npu_manager_test (Mobly): foreground inference finishes before an earlier background one")
@needs("service", "inference", "many-uids")
def test_foreground_finishes_before_an_earlier_background(npu: Npu) -> None:
    npu.app("album").in_background().starts_work(seconds=2.0)
    npu.app("assistant").in_foreground().starts_work(seconds=0.5)
    check(npu.finished_work(2, within=30.0) == ["assistant", "album"], "the foreground app's work ends first")


@covers("PriorityManager: effective priority is that of the uid plus that of the job")
@needs("service", "inference", "many-uids")
def test_job_priority_decides_between_equals(npu: Npu) -> None:
    npu.app("album").in_background().starts_work(seconds=2.0, job_priority=900)
    npu.app("camera").in_background().starts_work(seconds=0.5, job_priority=100)
    check(npu.finished_work(2, within=30.0) == ["camera", "album"], "the more urgent job ends first")


@covers("PriorityManager: a modest job of an important app comes before an urgent one of an unimportant app")
@needs("service", "inference", "many-uids")
def test_uid_and_job_priority_are_one_scale(npu: Npu) -> None:
    npu.app("album").in_background().starts_work(seconds=2.0, job_priority=400)
    npu.app("assistant").in_foreground().starts_work(seconds=0.5, job_priority=600)
    check(npu.finished_work(2, within=30.0) == ["assistant", "album"], "700 comes before 800")


def as_mapping(value: JsonValue) -> dict[str, JsonValue]:
    assert isinstance(value, dict)
    return value


@covers("HAL events: requested, started, ended; ids rise, times do not fall, effective priority is the sum")
@needs("service", "hal", "inference", "many-uids", "graded-importance")
def test_one_inference_is_reported_from_request_to_end(npu: Npu) -> None:
    npu.app("album").at("visible").finishes_work(job_priority=300)
    events = npu.hal.reported()
    names = [event.method.rpartition(".")[2] for event in events]
    check(names == ["onWorkRequested", "onWorkStarted", "onWorkEnded"], f"three events in order, not {names}")
    infos = [as_mapping(next(iter(event.arguments.values()))) for event in events]
    check(all(info["effectivePriority"] == 500 for info in infos), "effective priority is 200 + 300")
    ids, times = (
        [value for info in infos if isinstance(value := info[key], int)] for key in ("id", "timestampMs")
    )
    check(len(set(ids)) == 3 and ids == sorted(ids), f"ids rise: {ids}")
    check(times == sorted(times), f"times do not fall: {times}")


@covers("attribution: without ATTRIBUTE_WORK_TO_OTHER_APPS, work in another's name is refused")
@needs("service", "inference", "many-uids")
def test_no_work_in_anothers_name_without_the_permission(npu: Npu) -> None:
    album, camera = npu.app("album").in_foreground(), npu.app("camera")
    album.is_refused_work(original_uid=camera.uid)
    album.finishes_work()


@covers("Budget: completed work counts for the uid in whose name it was done")
@needs("service", "callbacks", "packages", "inference", "many-uids")
def test_work_in_anothers_name_ends_the_others_turn(npu: Npu) -> None:
    npu.policy(TURN_TAKING)
    runtime = npu.app("runtime", permissions=[ATTRIBUTE_WORK])
    album, camera = npu.app("album"), npu.app("camera")
    held = album.request().load()
    wanted = camera.request()
    wanted.expect(NOT_PRIORITIZED)
    runtime.finishes_work(original_uid=album.uid)
    held.give_way()
    wanted.load()


@covers("Budget: completed work in another's name does not count for the worker")
@needs("service", "callbacks", "packages", "inference", "many-uids")
def test_work_in_anothers_name_leaves_the_workers_turn(npu: Npu) -> None:
    npu.policy(TURN_TAKING)
    runtime = npu.app("runtime", permissions=[ATTRIBUTE_WORK])
    album, camera = npu.app("album"), npu.app("camera")
    held = runtime.request().load()
    wanted = camera.request()
    wanted.expect(NOT_PRIORITIZED)
    runtime.finishes_work(original_uid=album.uid)
    held.expect_nothing()
    wanted.expect_nothing()


@covers("Budget: after completed work all loaded models of the uid are asked to unload, if an equal waits")
@needs("service", "callbacks", "inference", "many-uids")
def test_all_models_of_the_worker_are_asked(npu: Npu) -> None:
    npu.policy(BUDGET)
    album = npu.app("album")
    first, second = (album.request(BETWEEN_1GB_AND_2GB).load() for _ in range(2))
    wanted = npu.app("camera").request(BETWEEN_1GB_AND_2GB)
    wanted.expect(NOT_PRIORITIZED)
    album.finishes_work()
    first.expect_unload_request()
    second.expect_unload_request().unload()
    wanted.load_in_the_end()
    first.unload()


@covers("Budget: completed work asks nobody to unload if nobody waits")
@needs("service", "callbacks", "inference", "many-uids")
def test_work_alone_ends_no_turn(npu: Npu) -> None:
    npu.policy(TURN_TAKING)
    album = npu.app("album")
    held = album.request().load()
    npu.app("camera")
    album.finishes_work()
    held.expect_nothing()


@covers("Budget: completed work asks nobody to unload for somebody who is less important")
@needs("service", "callbacks", "inference", "many-uids")
def test_work_ends_no_turn_for_the_less_important(npu: Npu) -> None:
    npu.policy(TURN_TAKING)
    assistant = npu.app("assistant").in_foreground()
    held = assistant.request().load()
    lost = npu.app("album").in_background().request()
    lost.expect(NOT_PRIORITIZED)
    assistant.finishes_work()
    held.expect_nothing()
    lost.expect_nothing()


@covers("Budget: a model that is not loaded yet is not asked to unload after completed work")
@needs("service", "callbacks", "inference", "many-uids")
def test_work_does_not_take_a_granted_turn(npu: Npu) -> None:
    npu.policy(TURN_TAKING)
    album = npu.app("album")
    granted = album.request()
    granted.expect(CAN_LOAD_NOW)
    npu.app("camera").request().expect(NOT_PRIORITIZED)
    album.finishes_work()
    granted.expect_nothing()


@covers("Budget: turns go back and forth between equals as they work")
@needs("service", "callbacks", "inference", "many-uids")
def test_equals_take_turns(npu: Npu) -> None:
    npu.policy(TURN_TAKING)
    resting, working = npu.app("album"), npu.app("camera")
    held = working.request().load()
    for _ in range(3):
        waiting = resting.request()
        waiting.expect(NOT_PRIORITIZED)
        working.finishes_work()
        held.give_way()
        held = waiting.load()
        working, resting = resting, working


@covers("Budget: work that was paused has not completed")
@needs("service", "callbacks", "inference", "many-uids")
def test_paused_work_does_not_end_the_turn(npu: Npu) -> None:
    npu.policy(TURN_TAKING)
    album = npu.app("album")
    held = album.request().load()
    wanted = npu.app("camera").request()
    wanted.expect(NOT_PRIORITIZED)
    album.starts_work(seconds=2.0)
    npu.app("assistant").in_foreground().starts_work(seconds=0.5)
    held.expect_nothing()
    check(npu.finished_work(2, within=30.0) == ["assistant", "album"], "album's work goes on afterwards")
    held.give_way()
    wanted.load()


@covers("PriorityManager: work of a uid that is known tells the HAL nothing new")
@needs("service", "hal", "inference")
def test_work_of_a_known_uid_changes_nothing(npu: Npu) -> None:
    album = npu.app("album").in_foreground()
    before = len(npu.hal.heard())
    album.finishes_work()
    check(npu.hal.heard()[before:] == [], "the HAL hears nothing")
