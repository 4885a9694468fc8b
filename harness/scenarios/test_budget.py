"""Budget: models share the NPU as long as their weights stay within a cap."""

from __future__ import annotations

import pytest

from binder import IllegalArgumentException
from harness.vocabulary import (
    BETWEEN_1GB_AND_2GB,
    BUDGET,
    CAN_LOAD_NOW,
    CANCELLED,
    GREATER_THAN_2G,
    LESS_THAN_1GB,
    NOT_PRIORITIZED,
    WAIT_FOR_UNLOAD,
    Npu,
    check,
    covers,
    needs,
)


@covers("CTS CtsNpuModelManagerTest: budget preemption")
@needs("service", "callbacks", "many-uids")
def test_foreground_preempts_a_loaded_model(npu: Npu) -> None:
    npu.policy(BUDGET)
    held = npu.app("album").in_background().request(GREATER_THAN_2G).load()
    wanted = npu.app("assistant").in_foreground().request(GREATER_THAN_2G)
    wanted.expect(WAIT_FOR_UNLOAD)
    held.give_way()
    wanted.load().expect_nothing()


@covers("CTS CtsNpuModelManagerTest: two apps, the first never reports loaded")
@needs("service", "callbacks", "many-uids")
def test_granted_budget_counts_before_the_model_is_loaded(npu: Npu) -> None:
    npu.policy(BUDGET)
    granted = npu.app("assistant").in_foreground().request(GREATER_THAN_2G)
    granted.expect(CAN_LOAD_NOW)
    npu.app("album").in_background().request(GREATER_THAN_2G).expect(NOT_PRIORITIZED)
    granted.expect_nothing()


@covers("CTS CtsNpuModelManagerTest: foreground app killed, budget")
@needs("service", "callbacks", "many-uids")
def test_dead_holder_frees_its_budget(npu: Npu) -> None:
    npu.policy(BUDGET)
    assistant = npu.app("assistant").in_foreground()
    assistant.request(GREATER_THAN_2G).load()
    waiting = npu.app("album").in_background().request(GREATER_THAN_2G)
    waiting.expect(NOT_PRIORITIZED)
    assistant.dies()
    waiting.load()


@covers("CTS CtsNpuModelManagerTest: a pending background request cancelled by a foreground one")
@needs("service", "callbacks", "many-uids")
def test_foreground_cancels_a_pending_request(npu: Npu) -> None:
    npu.policy(BUDGET)
    pending = npu.app("album").in_background().request(GREATER_THAN_2G)
    pending.expect(CAN_LOAD_NOW)
    npu.app("assistant").in_foreground().request(GREATER_THAN_2G).load()
    pending.expect_complete(CANCELLED).expect_nothing()


@covers("CTS CtsNpuModelManagerTest: cap too small for a large model")
@needs("service", "callbacks")
def test_model_heavier_than_the_cap_is_never_prioritized(npu: Npu) -> None:
    npu.policy(BUDGET, maxBudget=3)
    npu.app("assistant").in_foreground().request(GREATER_THAN_2G).expect(NOT_PRIORITIZED).expect_nothing()


@covers("CTS CtsNpuModelManagerTest: cap for two large models")
@needs("service", "callbacks", "many-uids")
def test_two_large_models_fit_a_larger_cap(npu: Npu) -> None:
    npu.policy(BUDGET, maxBudget=8)
    first = npu.app("album").request(GREATER_THAN_2G).load()
    npu.app("assistant").request(GREATER_THAN_2G).load()
    npu.app("camera").request(LESS_THAN_1GB).expect(NOT_PRIORITIZED)
    first.expect_nothing()


@covers("CTS CtsNpuModelManagerTest: illegal cap")
@needs("service")
@pytest.mark.parametrize("cap", [0, -1])
def test_refuses_a_cap_that_is_not_positive(npu: Npu, cap: int) -> None:
    with npu.refuses(IllegalArgumentException):
        npu.policy(BUDGET, maxBudget=cap)


@covers("Budget: weights must be positive")
@needs("service")
@pytest.mark.parametrize("weight", [0, -4])
def test_refuses_a_weight_that_is_not_positive(npu: Npu, weight: int) -> None:
    with npu.refuses(IllegalArgumentException):
        npu.policy(BUDGET, modelSizeWeights={"1": weight})


@covers("Budget: default weights 1, 2 and 4, cap 4")
@needs("service", "callbacks")
@pytest.mark.parametrize(
    "sizes",
    [
        [LESS_THAN_1GB] * 4,
        [LESS_THAN_1GB, LESS_THAN_1GB, BETWEEN_1GB_AND_2GB],
        [BETWEEN_1GB_AND_2GB] * 2,
        [GREATER_THAN_2G],
    ],
    ids=["four-small", "two-small-one-medium", "two-medium", "one-large"],
)
def test_fills_the_default_cap_exactly(npu: Npu, sizes: list[int]) -> None:
    npu.policy(BUDGET)
    album = npu.app("album")
    for size in sizes:
        album.request(size).load()
    album.request(LESS_THAN_1GB).expect(NOT_PRIORITIZED)


@covers("Budget: overriding the weights without the cap makes the cap the large weight")
@needs("service", "callbacks")
def test_cap_follows_an_overridden_large_weight(npu: Npu) -> None:
    npu.policy(BUDGET, modelSizeWeights={"2": 2})
    album = npu.app("album")
    album.request(GREATER_THAN_2G).load()
    album.request(LESS_THAN_1GB).expect(NOT_PRIORITIZED)


@covers("Budget: sizes missing from the bundle keep their weight, unknown keys are ignored")
@needs("service", "callbacks")
def test_ignores_what_it_does_not_know(npu: Npu) -> None:
    npu.policy(BUDGET, maxBudget=5, modelSizeWeights={"0": 2, "17": 9}, colour="blue")
    album = npu.app("album")
    album.request(GREATER_THAN_2G).load()
    album.request(LESS_THAN_1GB).expect(NOT_PRIORITIZED)


@covers("Budget: a request with a size outside the enum is refused and not recorded")
@needs("service", "callbacks", "shell")
def test_refuses_an_unknown_size(npu: Npu) -> None:
    npu.policy(BUDGET)
    album = npu.app("album")
    with npu.refuses(IllegalArgumentException):
        album.request(7)
    check(str(album.uid) not in npu.dump().partition("Priorities:")[0], "nothing is recorded of the request")
    album.request(GREATER_THAN_2G).load()


@covers("Budget: takes from the least important first, and no more than needed")
@needs("service", "callbacks", "many-uids", "graded-importance")
def test_takes_from_the_least_important_first(npu: Npu) -> None:
    npu.policy(BUDGET)
    visible = npu.app("camera").at("visible").request(BETWEEN_1GB_AND_2GB).load()
    cached = npu.app("album").in_background().request(BETWEEN_1GB_AND_2GB).load()
    wanted = npu.app("assistant").in_foreground().request(BETWEEN_1GB_AND_2GB)
    wanted.expect(WAIT_FOR_UNLOAD)
    cached.give_way()
    wanted.load()
    visible.expect_nothing()


@covers("Budget: takes from several apps where one is not enough")
@needs("service", "callbacks", "many-uids", "graded-importance")
def test_takes_from_several(npu: Npu) -> None:
    npu.policy(BUDGET)
    camera = npu.app("camera").at("visible").request(BETWEEN_1GB_AND_2GB).load()
    album = npu.app("album").in_background().request(BETWEEN_1GB_AND_2GB).load()
    wanted = npu.app("assistant").in_foreground().request(GREATER_THAN_2G)
    wanted.expect(WAIT_FOR_UNLOAD)
    album.give_way()
    wanted.expect_nothing()
    camera.give_way()
    wanted.load()


@covers("Budget: never takes from a more important app")
@needs("service", "callbacks", "many-uids")
def test_never_takes_from_the_more_important(npu: Npu) -> None:
    npu.policy(BUDGET)
    held = npu.app("assistant").in_foreground().request(GREATER_THAN_2G).load()
    npu.app("album").in_background().request(LESS_THAN_1GB).expect(NOT_PRIORITIZED)
    held.expect_nothing()


@covers("Budget: if there is not enough to take, nothing is touched")
@needs("service", "callbacks", "many-uids", "graded-importance")
def test_touches_nothing_if_it_is_not_enough(npu: Npu) -> None:
    npu.policy(BUDGET)
    above = npu.app("assistant").in_foreground().request(BETWEEN_1GB_AND_2GB).load()
    below = npu.app("album").in_background().request(BETWEEN_1GB_AND_2GB).load()
    npu.app("camera").at("visible").request(GREATER_THAN_2G).expect(NOT_PRIORITIZED)
    above.expect_nothing()
    below.expect_nothing()


@covers("Budget: loaded victims are asked, pending ones cancelled, and the caller waits for the former")
@needs("service", "callbacks", "many-uids")
def test_asks_the_loaded_and_cancels_the_pending(npu: Npu) -> None:
    npu.policy(BUDGET)
    album = npu.app("album").in_background()
    loaded = album.request(BETWEEN_1GB_AND_2GB).load()
    pending = album.request(BETWEEN_1GB_AND_2GB)
    pending.expect(CAN_LOAD_NOW)
    wanted = npu.app("assistant").in_foreground().request(GREATER_THAN_2G)
    wanted.expect(WAIT_FOR_UNLOAD)
    pending.expect_complete(CANCELLED)
    loaded.give_way()
    wanted.load()


@covers("Budget: a request that lost stays known and is offered the next free slot")
@needs("service", "callbacks", "many-uids")
def test_offers_a_freed_slot_to_a_request_that_lost(npu: Npu) -> None:
    npu.policy(BUDGET)
    held = npu.app("assistant").in_foreground().request(GREATER_THAN_2G).load()
    lost = npu.app("album").in_background().request(GREATER_THAN_2G)
    lost.expect(NOT_PRIORITIZED)
    held.unload()
    lost.load()


@covers("Budget: a request that lost does not weigh on the budget")
@needs("service", "callbacks", "many-uids")
def test_lost_request_does_not_weigh(npu: Npu) -> None:
    npu.policy(BUDGET)
    npu.app("assistant").in_foreground().request(BETWEEN_1GB_AND_2GB).load()
    npu.app("album").in_background().request(GREATER_THAN_2G).expect(NOT_PRIORITIZED)
    npu.app("camera").in_background().request(BETWEEN_1GB_AND_2GB).load()


@covers("Budget re-evaluation: the most important waiting request is served first")
@needs("service", "callbacks", "many-uids", "graded-importance")
def test_serves_the_most_important_waiting_request_first(npu: Npu) -> None:
    npu.policy(BUDGET)
    held = npu.app("assistant").in_foreground().request(GREATER_THAN_2G).load()
    cached = npu.app("album").in_background().request(GREATER_THAN_2G)
    cached.expect(NOT_PRIORITIZED)
    visible = npu.app("camera").at("visible").request(GREATER_THAN_2G)
    visible.expect(NOT_PRIORITIZED)
    held.unload()
    visible.load()
    cached.expect_nothing()


@covers("Budget: a model keeps its weight until it has really been unloaded")
@needs("service", "callbacks", "many-uids", "graded-importance")
def test_slow_unload_keeps_everybody_waiting(npu: Npu) -> None:
    npu.policy(BUDGET)
    held = npu.app("album").in_background().request(GREATER_THAN_2G).load()
    wanted = npu.app("assistant").in_foreground().request(GREATER_THAN_2G)
    wanted.expect(WAIT_FOR_UNLOAD)
    held.expect_unload_request()
    npu.app("camera").at("visible").request(LESS_THAN_1GB).expect(NOT_PRIORITIZED)
    wanted.expect_nothing()
    held.unload()
    wanted.load()
