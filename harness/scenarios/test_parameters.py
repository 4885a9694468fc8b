"""What may be asked for: weights, caps and sizes, sensible and not."""

from __future__ import annotations

from typing import Any

import pytest

from binder import IllegalArgumentException
from harness.vocabulary import (
    BACKGROUND,
    BETWEEN_1GB_AND_2GB,
    BUDGET,
    CANCELLED,
    GREATER_THAN_2G,
    LESS_THAN_1GB,
    NORMAL,
    NOT_PRIORITIZED,
    POLICY_NAMES,
    STATUS_QUO,
    TURN_TAKING,
    Npu,
    check,
    covers,
    needs,
)

LARGEST_INT = 2**31 - 1


@covers("Budget: a cap or a weight of another type than int is an illegal argument, and the old policy stays")
@needs("service", "shell")
@pytest.mark.parametrize(
    "params",
    [
        {"maxBudget": "8"},
        {"maxBudget": [8]},
        {"modelSizeWeights": {"1": "2"}},
        {"modelSizeWeights": {"2": None}},
    ],
    ids=["text-for-a-cap", "array-for-a-cap", "text-for-a-weight", "null-for-a-weight"],
)
def test_refuses_a_wrong_type(npu: Npu, params: dict[str, Any]) -> None:
    npu.policy(TURN_TAKING)
    with npu.refuses(IllegalArgumentException):
        npu.policy(BUDGET, **params)
    check("Policy: turntaking" in npu.dump(), "the old policy stays")


@covers("Budget: one bad weight spoils the bundle, wherever it is")
@needs("service", "shell")
@pytest.mark.parametrize("size", ["0", "1", "2"])
def test_refuses_a_bad_weight_of_any_size(npu: Npu, size: str) -> None:
    npu.policy(TURN_TAKING)
    with npu.refuses(IllegalArgumentException):
        npu.policy(BUDGET, maxBudget=8, modelSizeWeights={"0": 1, "1": 2, "2": 4} | {size: 0})
    check("Policy: turntaking" in npu.dump(), "the old policy stays")


@covers("Budget: every weight may be overridden")
@needs("service", "callbacks")
def test_overridden_weights_count(npu: Npu) -> None:
    npu.policy(BUDGET, maxBudget=10, modelSizeWeights={"0": 5, "1": 3, "2": 2})
    album = npu.app("album")
    for size in (LESS_THAN_1GB, BETWEEN_1GB_AND_2GB, GREATER_THAN_2G):
        album.request(size).load()
    album.request(GREATER_THAN_2G).expect(NOT_PRIORITIZED)


@covers("Budget: an empty bundle changes nothing")
@needs("service", "callbacks", "shell")
def test_empty_weights_are_the_defaults(npu: Npu) -> None:
    npu.policy(BUDGET, modelSizeWeights={})
    check("Max: 4" in npu.dump(), "the cap is the default one")
    npu.app("album").request(GREATER_THAN_2G).load()


@covers("Budget: parameters count until the policy is set again, and then not any more")
@needs("service", "shell")
def test_parameters_go_with_their_policy(npu: Npu) -> None:
    npu.policy(BUDGET, maxBudget=9)
    check("Max: 9" in npu.dump(), "the cap is the one that was given")
    npu.policy(BUDGET)
    check("Max: 4" in npu.dump(), "the cap is the default one again")


@covers("Budget: the largest weights do not add up to something small")
@needs("service", "callbacks", "many-uids")
def test_sum_of_weights_does_not_overflow(npu: Npu) -> None:
    npu.policy(BUDGET, maxBudget=LARGEST_INT, modelSizeWeights={"2": LARGEST_INT})
    held = npu.app("album").request(GREATER_THAN_2G).load()
    npu.app("camera").request(GREATER_THAN_2G).expect(NOT_PRIORITIZED)
    held.expect_nothing()


@covers("TurnTaking: weights and cap are 1 whatever the bundle says")
@needs("service", "callbacks")
def test_turn_taking_takes_no_parameters(npu: Npu) -> None:
    npu.policy(TURN_TAKING, maxBudget=8)
    album = npu.app("album")
    album.request(LESS_THAN_1GB).load()
    album.request(LESS_THAN_1GB).expect(NOT_PRIORITIZED)


@covers("Budget: a request with a size outside the enum is refused, under every policy that has weights")
@needs("service", "callbacks")
@pytest.mark.parametrize("size", [3, -1, LARGEST_INT])
@pytest.mark.parametrize("policy", [BUDGET, TURN_TAKING], ids=POLICY_NAMES.get)
def test_refuses_sizes_outside_the_enum(npu: Npu, policy: int, size: int) -> None:
    npu.policy(policy)
    album = npu.app("album")
    with npu.refuses(IllegalArgumentException):
        album.request(size)
    album.request(GREATER_THAN_2G).load()


@covers("Budget: a refused request does not replace the open one with its id")
@needs("service", "callbacks")
def test_refused_request_replaces_nothing(npu: Npu) -> None:
    npu.policy(BUDGET)
    album = npu.app("album")
    held = album.request(GREATER_THAN_2G, id=4).load()
    with npu.refuses(IllegalArgumentException):
        album.request(7, id=4)
    held.expect_nothing().unload()


@covers("StatusQuo: answers CAN_LOAD_NOW whatever the size")
@needs("service", "callbacks")
@pytest.mark.parametrize("size", [3, -1])
def test_status_quo_asks_for_no_size(npu: Npu, size: int) -> None:
    npu.policy(STATUS_QUO)
    npu.app("album").request(size).load().cancel().expect_complete(CANCELLED)


@covers("requests: ids are the app's own, any int will do")
@needs("service", "callbacks")
@pytest.mark.parametrize("id", [0, -1, LARGEST_INT, -LARGEST_INT - 1])
def test_any_id_will_do(npu: Npu, id: int) -> None:
    npu.policy(BUDGET)
    npu.app("album").request(id=id).load().unload()


@covers("Budget: 1 is greater than 0, as a cap and as a weight")
@needs("service", "callbacks")
def test_cap_and_weights_of_one(npu: Npu) -> None:
    npu.policy(BUDGET, maxBudget=1, modelSizeWeights={"0": 1, "1": 1, "2": 1})
    album = npu.app("album")
    album.request(GREATER_THAN_2G).load()
    album.request(LESS_THAN_1GB).expect(NOT_PRIORITIZED)


OPPORTUNISTIC = 500


@covers("requests: a third priority is kept as it comes; an unknown size is refused")
@needs("service", "callbacks", "many-uids")
def test_third_priority_ranks_between(npu: Npu) -> None:
    npu.policy(BUDGET)
    held = npu.app("camera").in_foreground().request(GREATER_THAN_2G).load()
    album = npu.app("album")
    waiting = {}
    for priority in (BACKGROUND, OPPORTUNISTIC, NORMAL):
        waiting[priority] = album.request(GREATER_THAN_2G, priority=priority)
        waiting[priority].expect(NOT_PRIORITIZED)
    with npu.refuses(IllegalArgumentException):
        album.request(7)
    held.unload()
    for priority in (NORMAL, OPPORTUNISTIC, BACKGROUND):
        waiting[priority].load().unload()
