"""What the HAL hears of apps: the table of priorities and rights."""

from __future__ import annotations

import pytest

from harness.vocabulary import Npu, check, covers, needs

BLOCK_MISSING_FEATURE = "npumanager_block_missing_feature"
ATTRIBUTE_WORK = "android.permission.ATTRIBUTE_WORK_TO_OTHER_APPS"


@covers("PriorityManager: a uid's priority is its importance")
@needs("service", "hal", "many-uids", "exact-importance")
@pytest.mark.parametrize("importance", [100, 125, 200, 230, 300, 325, 350, 400, 1000])
def test_priority_is_importance(npu: Npu, importance: int) -> None:
    album = npu.app("album").at(importance)
    npu.session.settle()
    check(npu.session.hal_table()[album.uid][0] == importance, f"the HAL has priority {importance}")


@covers("PriorityManager: importance is clamped to the scale 0..1000")
@needs("service", "hal", "many-uids", "exact-importance")
@pytest.mark.parametrize(("importance", "priority"), [(1001, 1000), (-5, 0)])
def test_importance_is_clamped(npu: Npu, importance: int, priority: int) -> None:
    album = npu.app("album").at(importance)
    npu.session.settle()
    check(npu.session.hal_table()[album.uid][0] == priority, f"the HAL has priority {priority}")


@covers("PriorityManager: root and system have static priority 100, access and attribution")
@needs("service", "hal")
@pytest.mark.parametrize("uid", [0, 1000])
def test_system_uids_are_static(npu: Npu, uid: int) -> None:
    npu.session.settle()
    check(npu.session.hal_table().get(uid) == (100, True, True), "static priority, all rights")


@covers("PriorityManager: ATTRIBUTE_WORK_TO_OTHER_APPS lets an app work in another's name")
@needs("service", "hal", "packages", "many-uids")
def test_attribution_follows_the_permission(npu: Npu) -> None:
    runtime = npu.app("runtime", permissions=[ATTRIBUTE_WORK])
    album = npu.app("album")
    npu.session.settle()
    table = npu.session.hal_table()
    check(table[runtime.uid][2], "the holder of the permission may attribute")
    check(not table[album.uid][2], "another may not")


@covers("feature gate: an app for Android 17 without the feature has no direct access once the flag is on")
@needs("service", "hal", "packages", "flags", "inference")
@pytest.mark.parametrize(
    ("flag", "target_sdk", "declares", "access"),
    [
        (True, 37, False, False),
        (False, 37, False, True),
        (True, 36, False, True),
        (True, 37, True, True),
    ],
    ids=["blocked", "only-warned", "older-target", "declares-the-feature"],
)
def test_feature_gate(npu: Npu, flag: bool, target_sdk: int, declares: bool, access: bool) -> None:
    npu.session.set_flag(BLOCK_MISSING_FEATURE, flag)
    album = npu.app("album", target_sdk=target_sdk, declares_feature=declares).in_foreground()
    album.finishes_work()
    npu.session.settle()
    check(npu.session.hal_table()[album.uid][1] is access, f"direct access is {access}")
