"""The two aconfig flags, in every combination, and what each decides."""

from __future__ import annotations

import pytest

from harness.vocabulary import NOT_PRIORITIZED, TURN_TAKING, WAIT_FOR_UNLOAD, Npu, check, covers, needs

ENABLED, BLOCK = "npumanager_enabled", "npumanager_block_missing_feature"
ANDROID_16, ANDROID_17 = 36, 37
BOTH = pytest.mark.parametrize("block", [False, True], ids=["lenient", "blocking"])


@covers("flags: enabled, the HAL is told of apps; the other flag says who is blocked")
@needs("service", "hal", "flags", "restart", "packages", "inference", "many-uids")
@BOTH
def test_enabled(npu: Npu, block: bool) -> None:
    npu.session.set_flag(ENABLED, True)
    npu.session.set_flag(BLOCK, block)
    npu.restarts()
    album, plain = npu.app("album"), npu.app("plain", declares_feature=False)
    check(npu.hal.entry(album.uid).direct_access, "who declares the feature has access")
    plain.finishes_work()  # the HAL reports a uid that the service did not know
    check(npu.hal.entry(plain.uid).direct_access is not block, "access follows the flag")


@covers("flags: disabled, the HAL is told nothing, whatever the other flag says, and blocks nobody")
@needs("service", "hal", "flags", "restart", "packages", "inference", "many-uids")
@BOTH
def test_disabled(npu: Npu, block: bool) -> None:
    npu.session.set_flag(ENABLED, False)
    npu.session.set_flag(BLOCK, block)
    npu.restarts()
    plain = npu.app("plain", declares_feature=False)
    plain.finishes_work()
    check(not npu.hal.knows(plain.uid), "the HAL knows nobody")


@covers("flags: disabled, every uid has priority 1000 to the policies: the foreground preempts nobody")
@needs("service", "callbacks", "flags", "restart", "many-uids")
def test_disabled_service_ranks_nobody(npu: Npu) -> None:
    npu.session.set_flag(ENABLED, False)
    npu.restarts()
    npu.policy(TURN_TAKING)
    held = npu.app("album").in_background().request().load()
    npu.app("assistant").in_foreground().request().expect(NOT_PRIORITIZED)
    held.expect_nothing()


@covers("flags: enabled, the foreground preempts")
@needs("service", "callbacks", "flags", "restart", "many-uids")
@BOTH
def test_enabled_service_ranks(npu: Npu, block: bool) -> None:
    npu.session.set_flag(BLOCK, block)
    npu.restarts()
    npu.policy(TURN_TAKING)
    held = npu.app("album").in_background().request().load()
    wanted = npu.app("assistant").in_foreground().request()
    wanted.expect(WAIT_FOR_UNLOAD)
    held.give_way()
    wanted.load()


@covers("feature gate: by target SDK, feature and flag")
@needs("service", "hal", "flags", "packages", "inference", "many-uids")
@BOTH
@pytest.mark.parametrize("feature", [False, True], ids=["without", "with"])
@pytest.mark.parametrize("target_sdk", [ANDROID_16, ANDROID_17], ids=["16", "17"])
def test_feature_gate(npu: Npu, target_sdk: int, feature: bool, block: bool) -> None:
    npu.session.set_flag(BLOCK, block)
    app = npu.app("album", target_sdk=target_sdk, declares_feature=feature)
    app.finishes_work()
    blocked = block and not feature and target_sdk == ANDROID_17
    check(npu.hal.entry(app.uid).direct_access is not blocked, "whether the app has direct access")
    (app.is_refused_work if blocked else app.finishes_work)()
