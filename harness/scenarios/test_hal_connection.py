"""The service and its HAL: finding it, feeding it, and getting over its death."""

from __future__ import annotations

from generated.android.hardware.npu import ISchedulingCallback
from harness.record import Event
from harness.vocabulary import (
    NOT_PRIORITIZED,
    TURN_TAKING,
    WAIT_FOR_UNLOAD,
    Npu,
    check,
    covers,
    needs,
)

ENABLED = "npumanager_enabled"


def methods(calls: list[Event]) -> list[str]:
    return [call.method.rpartition(".")[2] for call in calls]


def told_uids(call: Event) -> list[int]:
    """The uids in a call that carries scheduling configs."""
    (configs,) = call.arguments.values()
    assert isinstance(configs, list)
    return [
        config["uid"] for config in configs if isinstance(config, dict) and isinstance(config["uid"], int)
    ]


@covers("HAL death: the callback is set again, and the whole table goes down in one setSchedulingConfigs")
@needs("service", "hal", "many-uids")
def test_hal_that_comes_back_is_told_everything(npu: Npu) -> None:
    album, camera = npu.app("album"), npu.app("camera").in_foreground()
    npu.hal.dies()
    before = len(npu.hal.heard())
    npu.hal.comes_back()
    calls = npu.hal.heard()[before:]
    check(methods(calls).count("setCallback") == 1, "the callback is set again, once")
    tables = [call for call in calls if call.method == "IScheduling.setSchedulingConfigs"]
    check(
        len(tables) == 1 and {0, 1000, album.uid, camera.uid} <= set(told_uids(tables[0])), "one whole table"
    )
    check("updateSchedulingConfigs" not in methods(calls), "nothing goes down piece by piece")


@covers("HAL death: what changed while it was away is not lost")
@needs("service", "hal", "many-uids")
def test_changes_while_the_hal_is_away_are_not_lost(npu: Npu) -> None:
    album = npu.app("album").in_background()
    npu.hal.dies()
    album.in_foreground()
    camera = npu.app("camera")
    npu.hal.comes_back()
    check(npu.hal.entry(album.uid).priority == 100, "the HAL has the new importance")
    check(npu.hal.knows(camera.uid), "the HAL knows the app that was installed meanwhile")


@covers("HAL death: work that the new HAL reports counts")
@needs("service", "callbacks", "hal", "many-uids", "inference")
def test_work_counts_after_the_hal_came_back(npu: Npu) -> None:
    npu.policy(TURN_TAKING)
    album, camera = npu.app("album"), npu.app("camera")
    held = album.request().load()
    wanted = camera.request()
    wanted.expect(NOT_PRIORITIZED)
    npu.hal.dies()
    npu.hal.comes_back()
    album.finishes_work()
    held.give_way()
    wanted.load()


@covers("HAL death: models stay loaded and arbitration goes on without a HAL")
@needs("service", "callbacks", "hal", "many-uids")
def test_arbitration_goes_on_without_a_hal(npu: Npu) -> None:
    npu.policy(TURN_TAKING)
    album, assistant = npu.app("album"), npu.app("assistant")
    held = album.request().load()
    wanted = assistant.request()
    wanted.expect(NOT_PRIORITIZED)
    npu.hal.dies()
    held.expect_nothing()
    assistant.in_foreground()
    wanted.expect(WAIT_FOR_UNLOAD)
    held.give_way()
    wanted.load()


@covers("HAL death: it is found again every time")
@needs("service", "hal", "many-uids", "graded-importance")
def test_hal_may_die_again_and_again(npu: Npu) -> None:
    album = npu.app("album")
    for importance in ("foreground", "visible", "background"):
        npu.hal.dies()
        npu.hal.comes_back()
        before = len(npu.hal.heard())
        album.at(importance)
        check(methods(npu.hal.heard()[before:]) == ["updateSchedulingConfigs"], "a change is told once")
    check(npu.hal.entry(album.uid).priority == 400, "the third HAL hears of importance, too")


@covers("PriorityManager: later changes of importance go down one by one")
@needs("service", "hal", "many-uids")
def test_change_of_importance_goes_down_alone(npu: Npu) -> None:
    album = npu.app("album").in_background()
    before = len(npu.hal.heard())
    album.in_foreground()
    calls = npu.hal.heard()[before:]
    check(methods(calls) == ["updateSchedulingConfigs"], "one update")
    check(told_uids(calls[0]) == [album.uid], "and it is about this uid alone")


@covers("PriorityManager: a HAL that appears late is told every app's importance as it is then")
@needs("service", "hal", "restart", "many-uids")
def test_late_hal_is_told_what_is(npu: Npu) -> None:
    npu.restarts(with_hal=False)
    album, assistant = npu.app("album").in_background(), npu.app("assistant").in_foreground()
    npu.hal.comes_back()
    check(npu.hal.entry(album.uid).priority == 400, "the background app's importance")
    check(npu.hal.entry(assistant.uid).priority == 100, "the foreground app's importance")


@covers("PriorityManager: before a HAL has appeared, every uid is unknown and has priority 1000")
@needs("service", "callbacks", "hal", "restart", "many-uids")
def test_all_are_equal_before_the_hal_appears(npu: Npu) -> None:
    npu.restarts(with_hal=False)
    npu.policy(TURN_TAKING)
    held = npu.app("album").in_background().request().load()
    npu.app("assistant").in_foreground().request().expect(NOT_PRIORITIZED)
    held.expect_nothing()


@covers("service: with npumanager_enabled off it does not connect to the HAL, and arbitrates all the same")
@needs("service", "callbacks", "hal", "flags", "restart")
def test_disabled_service_leaves_the_hal_alone(npu: Npu) -> None:
    npu.session.set_flag(ENABLED, False)
    before = len(npu.hal.heard())
    npu.restarts()
    album = npu.app("album").in_foreground()
    check(npu.hal.heard()[before:] == [], "the HAL hears nothing")
    album.request().load()


@covers("service: with npumanager_enabled on again it connects")
@needs("service", "hal", "flags", "restart", "many-uids")
def test_enabled_service_connects(npu: Npu) -> None:
    npu.session.set_flag(ENABLED, False)
    npu.restarts()
    npu.session.set_flag(ENABLED, True)
    npu.restarts()
    album = npu.app("album")
    check(npu.hal.entry(album.uid).priority == 400, "the HAL hears of the app")


@covers("service: answers getInterfaceVersion and getInterfaceHash on its ISchedulingCallback")
@needs("service", "hal")
def test_callback_tells_its_version(npu: Npu) -> None:
    version, digest = npu.hal.callback_version()
    check(version == 1, f"the version is 1, not {version}")
    check(digest == ISchedulingCallback.aidl.hash, f"the hash is that of version 1, not {digest}")
