"""Replacing the policy: who may, with what, and what becomes of open requests."""

from __future__ import annotations

import pytest

from binder import (
    IllegalArgumentException,
    ParcelFileDescriptor,
    SecurityException,
    UnsupportedOperationException,
)
from generated.android.npumanager import BnNpuAllocatorCallback
from harness.backend import ScenarioFailure
from harness.vocabulary import (
    BUDGET,
    GREATER_THAN_2G,
    NOT_PRIORITIZED,
    POLICY_NAMES,
    STATUS_QUO,
    TURN_TAKING,
    Npu,
    check,
    covers,
    needs,
)


@covers("CTS CtsNpuModelManagerTest: setPolicy without permission")
@needs("service", "many-uids")
def test_needs_the_permission(npu: Npu) -> None:
    album = npu.app("album")
    with npu.refuses(SecurityException, "Model Manager permission denied"):
        album.service.setPolicy(BUDGET, None)


@covers("setPolicy: an app that holds ACCESS_NPU_MODEL_MANAGER_API may set the policy")
@needs("service", "packages", "shell")
def test_holder_of_the_permission_may(npu: Npu) -> None:
    settings = npu.app("settings", permissions=["android.permission.ACCESS_NPU_MODEL_MANAGER_API"])
    settings.service.setPolicy(TURN_TAKING, None)
    check("Policy: turntaking" in npu.dump(), "the policy is turn-taking now")


@covers("setPolicy: the other calls are not permission-checked")
@needs("service", "callbacks", "many-uids")
def test_asking_needs_no_permission(npu: Npu) -> None:
    npu.policy(BUDGET)
    npu.app("album").request().load().unload()


@covers("setPolicy: an unknown policy is an illegal argument, and the old one stays")
@needs("service", "shell")
@pytest.mark.parametrize("policy", [3, 99, -1])
def test_refuses_an_unknown_policy(npu: Npu, policy: int) -> None:
    npu.policy(TURN_TAKING)
    with npu.refuses(IllegalArgumentException):
        npu.policy(policy)
    check("Policy: turntaking" in npu.dump(), "the old policy stays")


@covers("Budget: illegal parameters leave the old policy and its requests as they were")
@needs("service", "callbacks", "many-uids")
def test_bad_parameters_change_nothing(npu: Npu) -> None:
    npu.policy(TURN_TAKING)
    held = npu.app("album").request().load()
    with npu.refuses(IllegalArgumentException):
        npu.policy(BUDGET, maxBudget=0)
    lost = npu.app("camera").request()
    lost.expect(NOT_PRIORITIZED)
    held.unload()
    lost.load()


@covers("setPolicy: requests of the old policy are forgotten, and no callback fires for them")
@needs("service", "callbacks", "many-uids")
def test_forgets_the_requests_of_the_old_policy(npu: Npu) -> None:
    npu.policy(BUDGET)
    album = npu.app("album")
    loaded = album.request(GREATER_THAN_2G).load()
    lost = npu.app("camera").request()
    lost.expect(NOT_PRIORITIZED)
    npu.policy(BUDGET)
    loaded.expect_nothing()
    lost.expect_nothing()
    npu.app("assistant").request(GREATER_THAN_2G).load()
    loaded.report_unloaded().expect_nothing()


@covers("setPolicy: the death of a client that only the old policy knew touches nobody")
@needs("service", "callbacks", "many-uids")
def test_death_of_a_forgotten_client(npu: Npu) -> None:
    npu.policy(BUDGET)
    album = npu.app("album")
    album.request(GREATER_THAN_2G).load()
    npu.policy(TURN_TAKING)
    held = npu.app("camera").request().load()
    album.dies()
    held.expect_nothing()


@covers("setPolicy: a process that only the old policy knew takes no request of the new one with it")
@needs("service", "callbacks", "many-uids", "packages")
def test_death_of_a_forgotten_process_of_a_known_uid(npu: Npu) -> None:
    npu.policy(BUDGET)
    album = npu.app("album")
    album.request(GREATER_THAN_2G, id=1).load()
    npu.policy(TURN_TAKING)
    held = npu.app("helper", shares_uid_with=album).request(id=2).load()
    album.dies()
    held.expect_nothing()
    npu.app("camera").request().expect(NOT_PRIORITIZED)


@covers("setPolicy: null parameters are accepted by every policy")
@needs("service", "shell")
@pytest.mark.parametrize("policy", [STATUS_QUO, TURN_TAKING, BUDGET], ids=POLICY_NAMES.get)
def test_takes_null_parameters(npu: Npu, policy: int) -> None:
    npu.policy(policy)
    check(f"Policy: {POLICY_NAMES[policy]}" in npu.dump(), "the policy is the one that was set")


@covers("createAllocator: unsupported on a device without /dev/wrapfd")
@needs("service", "no-wrapfd")
def test_no_allocator_without_wrapfd(npu: Npu) -> None:
    class Callback(BnNpuAllocatorCallback):
        def onGetBuffer(
            self, appReqId: int, bufFd: ParcelFileDescriptor | None, errno: int, errMsg: str | None
        ) -> None:
            raise ScenarioFailure("no buffer was asked for")

        def onLoad(self, appReqId: int, errno: int, errMsg: str | None) -> None:
            raise ScenarioFailure("nothing was to be loaded")

        def onNotifyPreempted(self, appReqId: int) -> None:
            raise ScenarioFailure("there is nothing to preempt")

    npu.has_no_wrapfd()
    with npu.refuses(UnsupportedOperationException):
        npu.app("album").service.createAllocator(Callback())
