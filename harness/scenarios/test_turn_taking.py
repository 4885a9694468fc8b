"""TurnTaking: one model at a time; a more important app takes the turn."""

from __future__ import annotations

from harness.vocabulary import (
    CAN_LOAD_NOW,
    CANCELLED,
    GREATER_THAN_2G,
    LESS_THAN_1GB,
    NOT_PRIORITIZED,
    TURN_TAKING,
    WAIT_FOR_UNLOAD,
    Npu,
    covers,
    needs,
)


@covers("CTS CtsNpuModelManagerTest: turn-taking preemption by a foreground app")
@needs("service", "callbacks", "many-uids")
def test_foreground_takes_the_turn(npu: Npu) -> None:
    npu.policy(TURN_TAKING)
    held = npu.app("album").in_background().request(GREATER_THAN_2G).load()
    wanted = npu.app("assistant").in_foreground().request(GREATER_THAN_2G)
    wanted.expect(WAIT_FOR_UNLOAD)
    held.give_way()
    wanted.load().expect_nothing()


@covers("CTS CtsNpuModelManagerTest: turn-taking at equal importance after a finished inference")
@needs("service", "callbacks", "many-uids", "inference", "two-in-front")
def test_equal_takes_the_turn_after_finished_work(npu: Npu) -> None:
    npu.policy(TURN_TAKING)
    album, camera = npu.app("album").in_foreground(), npu.app("camera").in_foreground()
    held = album.request().load()
    wanted = camera.request()
    wanted.expect(NOT_PRIORITIZED)
    album.finishes_work()
    held.give_way()
    wanted.load()


@covers("CTS CtsNpuModelManagerTest: foreground app killed, turn-taking")
@needs("service", "callbacks", "many-uids")
def test_dead_holder_frees_the_turn(npu: Npu) -> None:
    npu.policy(TURN_TAKING)
    assistant = npu.app("assistant").in_foreground()
    assistant.request().load()
    waiting = npu.app("album").in_background().request()
    waiting.expect(NOT_PRIORITIZED)
    assistant.dies()
    waiting.load()


@covers("TurnTaking: every size weighs 1 and the cap is 1")
@needs("service", "callbacks", "many-uids")
def test_two_small_models_are_one_too_many(npu: Npu) -> None:
    npu.policy(TURN_TAKING)
    held = npu.app("album").request(LESS_THAN_1GB).load()
    wanted = npu.app("assistant").in_foreground().request(LESS_THAN_1GB)
    wanted.expect(WAIT_FOR_UNLOAD)
    held.give_way()
    wanted.load()


@covers("TurnTaking: one app has one turn, too")
@needs("service", "callbacks")
def test_second_model_of_one_app_waits(npu: Npu) -> None:
    npu.policy(TURN_TAKING)
    album = npu.app("album")
    first = album.request().load()
    second = album.request()
    second.expect(NOT_PRIORITIZED)
    first.unload()
    second.load()


@covers("Budget tie-break: of two that never completed work, the newcomer loses")
@needs("service", "callbacks", "many-uids")
def test_equal_newcomer_is_not_prioritized(npu: Npu) -> None:
    npu.policy(TURN_TAKING)
    held = npu.app("album").request().load()
    wanted = npu.app("camera").request()
    wanted.expect(NOT_PRIORITIZED)
    held.expect_nothing()


@covers("Budget tie-break: whoever completed work longer ago may take from an equal")
@needs("service", "callbacks", "many-uids", "inference", "two-in-front")
def test_equal_that_worked_longer_ago_takes_the_turn(npu: Npu) -> None:
    npu.policy(TURN_TAKING)
    album, camera = npu.app("album").in_foreground(), npu.app("camera").in_foreground()
    held = album.request().load()
    camera.finishes_work()
    album.finishes_work()
    wanted = camera.request()
    wanted.expect(WAIT_FOR_UNLOAD)
    held.give_way()
    wanted.load()


@covers("Budget tie-break: whoever completed work more recently may not")
@needs("service", "callbacks", "many-uids", "inference", "two-in-front")
def test_equal_that_worked_recently_is_not_prioritized(npu: Npu) -> None:
    npu.policy(TURN_TAKING)
    album, camera = npu.app("album").in_foreground(), npu.app("camera").in_foreground()
    held = album.request().load()
    album.finishes_work()
    camera.finishes_work()
    camera.request().expect(NOT_PRIORITIZED)
    held.expect_nothing()


@covers("Budget: work that did not complete does not count")
@needs("service", "callbacks", "many-uids", "inference", "two-in-front")
def test_failed_work_does_not_end_the_turn(npu: Npu) -> None:
    npu.policy(TURN_TAKING)
    album, camera = npu.app("album").in_foreground(), npu.app("camera").in_foreground()
    held = album.request().load()
    wanted = camera.request()
    wanted.expect(NOT_PRIORITIZED)
    album.fails_work()
    held.expect_nothing()
    wanted.expect_nothing()


@covers("Budget re-evaluation: at equal importance the one whose completion is older comes first")
@needs("service", "callbacks", "many-uids", "inference")
def test_freed_turn_goes_to_the_one_that_worked_longer_ago(npu: Npu) -> None:
    npu.policy(TURN_TAKING)
    assistant = npu.app("assistant").in_foreground()
    album, camera = npu.app("album"), npu.app("camera")
    held = assistant.request().load()
    first, second = album.request(), camera.request()
    first.expect(NOT_PRIORITIZED)
    second.expect(NOT_PRIORITIZED)
    camera.finishes_work()
    album.finishes_work()
    held.unload()
    second.load()
    first.expect_nothing()


@covers("Budget re-evaluation: an importance change moves the turn")
@needs("service", "callbacks", "many-uids")
def test_turn_follows_the_user(npu: Npu) -> None:
    npu.policy(TURN_TAKING)
    album, assistant = npu.app("album").in_foreground(), npu.app("assistant").in_background()
    held = album.request().load()
    wanted = assistant.request()
    wanted.expect(NOT_PRIORITIZED)
    album.in_background()
    held.expect_nothing()
    assistant.in_foreground()
    wanted.expect(WAIT_FOR_UNLOAD)
    held.give_way()
    wanted.load()


@covers("TurnTaking: a background app that asks while a foreground app has not loaded yet")
@needs("service", "callbacks", "many-uids")
def test_background_does_not_take_a_granted_turn(npu: Npu) -> None:
    npu.policy(TURN_TAKING)
    granted = npu.app("assistant").in_foreground().request()
    granted.expect(CAN_LOAD_NOW)
    npu.app("album").in_background().request().expect(NOT_PRIORITIZED)
    granted.expect_nothing()


@covers("TurnTaking: a granted turn that was not used yet is taken back without waiting")
@needs("service", "callbacks", "many-uids")
def test_foreground_takes_a_turn_not_used_yet(npu: Npu) -> None:
    npu.policy(TURN_TAKING)
    granted = npu.app("album").in_background().request()
    granted.expect(CAN_LOAD_NOW)
    npu.app("assistant").in_foreground().request().load()
    granted.expect_complete(CANCELLED)
