"""Apps that come, change and go, and those that the service has never heard of."""

from __future__ import annotations

from harness.vocabulary import (
    NOT_PRIORITIZED,
    TURN_TAKING,
    WAIT_FOR_UNLOAD,
    Npu,
    check,
    covers,
    needs,
)

ATTRIBUTE_WORK = "android.permission.ATTRIBUTE_WORK_TO_OTHER_APPS"
BLOCK_MISSING_FEATURE = "npumanager_block_missing_feature"
ANDROID_16 = 36


@covers("PriorityManager: a package that was added has priority 1000 until its importance is known")
@needs("service", "hal", "packages")
def test_new_package_is_least_important(npu: Npu) -> None:
    uid = npu.installs("album")
    check(npu.hal.entry(uid) == (1000, True, False), "least important, direct access, no attribution")


@covers("PriorityManager: the entry of a package that was removed is gone, and the HAL is told")
@needs("service", "hal", "packages", "many-uids")
def test_removed_package_is_forgotten(npu: Npu) -> None:
    album, camera = npu.app("album"), npu.app("camera")
    check(npu.hal.knows(album.uid), "the HAL knows the app while it is there")
    album.is_removed()
    check(not npu.hal.knows(album.uid), "and not afterwards")
    check(npu.hal.knows(camera.uid), "others are not touched")


@covers("client death: removing an app frees what it held")
@needs("service", "callbacks", "packages", "many-uids")
def test_removed_app_frees_its_turn(npu: Npu) -> None:
    npu.policy(TURN_TAKING)
    album = npu.app("album").in_foreground()
    album.request().load()
    waiting = npu.app("camera").in_background().request()
    waiting.expect(NOT_PRIORITIZED)
    album.is_removed()
    # Whether the package or the process is missed first is open.
    waiting.load_in_the_end()


@covers("PriorityManager: a modified package is looked at again and keeps its priority")
@needs("service", "hal", "packages", "many-uids", "graded-importance")
def test_updated_package_keeps_its_priority(npu: Npu) -> None:
    album = npu.app("album").at("visible")
    check(npu.hal.entry(album.uid) == (200, True, False), "it may not attribute yet")
    album.is_updated(permissions=[ATTRIBUTE_WORK])
    check(npu.hal.entry(album.uid) == (200, True, True), "it may attribute, and is as important as before")


@covers("feature gate: an update that no longer declares the feature loses direct access")
@needs("service", "hal", "packages", "flags", "inference", "many-uids")
def test_update_without_the_feature_loses_access(npu: Npu) -> None:
    npu.session.set_flag(BLOCK_MISSING_FEATURE, True)
    album = npu.app("album").in_foreground().finishes_work()
    album.is_updated(declares_feature=False)
    check(npu.hal.entry(album.uid) == (100, False, False), "no direct access, the same priority")
    album.is_refused_work()


@covers("feature gate: an update that declares the feature gains direct access")
@needs("service", "hal", "packages", "flags", "inference", "many-uids")
def test_update_with_the_feature_gains_access(npu: Npu) -> None:
    npu.session.set_flag(BLOCK_MISSING_FEATURE, True)
    album = npu.app("album").is_updated(declares_feature=False).is_refused_work()
    album.is_updated(declares_feature=True).finishes_work()


@covers("PriorityManager: a package without the feature has no entry")
@needs("service", "hal", "packages", "many-uids")
def test_package_without_the_feature_is_unknown(npu: Npu) -> None:
    game = npu.app("game", target_sdk=ANDROID_16, declares_feature=False).in_foreground()
    check(not npu.hal.knows(game.uid), "the HAL does not know it")


@covers("PriorityManager: work requested by an unknown uid adds it with its importance")
@needs("service", "hal", "packages", "inference", "many-uids", "graded-importance")
def test_work_makes_a_uid_known(npu: Npu) -> None:
    game = npu.app("game", target_sdk=ANDROID_16, declares_feature=False).at("visible").finishes_work()
    check(npu.hal.entry(game.uid).priority == 200, "the HAL has its importance")
    game.in_foreground()
    check(npu.hal.entry(game.uid).priority == 100, "and hears when that changes")


@covers("PriorityManager: work in another's name adds the other uid, not the worker's")
@needs("service", "hal", "packages", "inference", "many-uids")
def test_work_in_anothers_name_makes_the_other_known(npu: Npu) -> None:
    runtime = npu.app("runtime", permissions=[ATTRIBUTE_WORK])
    game = npu.app("game", target_sdk=ANDROID_16, declares_feature=False)
    runtime.finishes_work(original_uid=game.uid)
    check(npu.hal.knows(game.uid), "the HAL knows in whose name the work was done")


@covers("PriorityManager: an unknown uid has priority 1000, wherever its app is")
@needs("service", "callbacks", "packages", "inference", "many-uids", "graded-importance")
def test_unknown_uid_is_least_important(npu: Npu) -> None:
    npu.policy(TURN_TAKING)
    held = npu.app("album").in_background().request().load()
    game = npu.app("game", target_sdk=ANDROID_16, declares_feature=False).in_foreground()
    wanted = game.request()
    wanted.expect(NOT_PRIORITIZED)
    held.expect_nothing()
    # Once it has worked it is known, and its next move counts.
    game.finishes_work().at("foreground service")
    wanted.expect(WAIT_FOR_UNLOAD)
    held.give_way()
    wanted.load()
