"""What setPolicy's bundle means to the Budget policy."""

from __future__ import annotations

import pytest

from binder import BundleType, PersistableBundle
from reference_impl.constants import KEY_MAX_BUDGET, KEY_MODEL_SIZE_WEIGHTS, ModelSize
from reference_impl.policies.events import PolicyArgumentError
from reference_impl.policies.params import BUDGET_LIMITS, parse_limits

SMALL, MEDIUM, LARGE = ModelSize


def bundle(weights: dict[str, object] | None = None, **values: object) -> PersistableBundle:
    nested = {} if weights is None else {KEY_MODEL_SIZE_WEIGHTS: weights}
    return PersistableBundle.of({**values, **nested})  # type: ignore[dict-item]


ACCEPTED = {
    "nothing": (None, {SMALL: 1, MEDIUM: 2, LARGE: 4}, 4),
    "an_empty_bundle": (bundle(), {SMALL: 1, MEDIUM: 2, LARGE: 4}, 4),
    "a_cap": (bundle(maxBudget=8), {SMALL: 1, MEDIUM: 2, LARGE: 4}, 8),
    "a_cap_below_every_weight": (bundle({"0": 3}, maxBudget=1), {SMALL: 3, MEDIUM: 2, LARGE: 4}, 1),
    "one_weight": (bundle({"1": 3}), {SMALL: 1, MEDIUM: 3, LARGE: 4}, 4),
    "a_large_weight_that_becomes_the_cap": (bundle({"2": 9}), {SMALL: 1, MEDIUM: 2, LARGE: 9}, 9),
    "weights_and_cap": (bundle({"0": 5, "1": 6, "2": 7}, maxBudget=20), {SMALL: 5, MEDIUM: 6, LARGE: 7}, 20),
    "keys_that_mean_nothing": (bundle({"7": -1, "x": 0}, other=-1), {SMALL: 1, MEDIUM: 2, LARGE: 4}, 4),
}


@pytest.mark.parametrize(("params", "weights", "cap"), ACCEPTED.values(), ids=ACCEPTED.keys())
def test_accepts(params: PersistableBundle | None, weights: dict[int, int], cap: int) -> None:
    limits = parse_limits(params)
    assert (limits.weights, limits.max_budget) == (weights, cap)


REFUSED = {
    "a_cap_of_0": bundle(maxBudget=0),
    "a_negative_cap": bundle(maxBudget=-4),
    "a_weight_of_0": bundle({"0": 0}),
    "a_negative_weight": bundle({"2": -1}, maxBudget=4),
    "a_cap_that_is_a_string": bundle(maxBudget="4"),
    "a_cap_that_is_a_boolean": bundle(maxBudget=True),
    "a_weight_that_is_a_double": bundle({"1": 2.0}),
    "weights_that_are_no_bundle": bundle(modelSizeWeights=3),
}


@pytest.mark.parametrize("params", REFUSED.values(), ids=REFUSED.keys())
def test_refuses(params: PersistableBundle) -> None:
    with pytest.raises(PolicyArgumentError):
        parse_limits(params)


def test_refuses_a_long_as_java_would_not_read_it_as_an_int() -> None:
    params = PersistableBundle()
    params.put(KEY_MAX_BUDGET, BundleType.LONG, 4)
    with pytest.raises(PolicyArgumentError, match="maxBudget"):
        parse_limits(params)


def test_the_default_cap_is_one_large_model() -> None:
    assert BUDGET_LIMITS.max_budget == BUDGET_LIMITS.weights[LARGE]
