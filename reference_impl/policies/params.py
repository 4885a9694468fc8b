"""The limits of the budget policies: defaults with their sources, and what setPolicy may change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from binder import PersistableBundle
from reference_impl.constants import KEY_MAX_BUDGET, KEY_MODEL_SIZE_WEIGHTS, ModelSize
from reference_impl.policies.events import PolicyArgumentError


@dataclass(frozen=True, slots=True)
class BudgetLimits:
    """What each size weighs, and how much may be on the NPU at once. All values are greater than 0."""

    weights: Mapping[int, int]
    max_budget: int


# BudgetModelLoadingPolicy.DEFAULT_MODEL_WEIGHTS; the cap is the weight of one large model.
BUDGET_LIMITS = BudgetLimits(
    weights={ModelSize.LESS_THAN_1GB: 1, ModelSize.BETWEEN_1GB_AND_2GB: 2, ModelSize.GREATER_THAN_2G: 4},
    max_budget=4,
)

# TurnTakingModelLoadingPolicy hands these to the budget policy it extends.
TURN_TAKING_LIMITS = BudgetLimits(weights=dict.fromkeys(ModelSize, 1), max_budget=1)


def parse_limits(params: PersistableBundle | None) -> BudgetLimits:
    """The limits that a bundle of setPolicy asks for.

    Sizes the bundle leaves out keep their default weight. Without a cap of its own, the cap is the weight of
    the large size. Keys that mean nothing here are ignored.

    Raises:
        PolicyArgumentError: a weight or the cap is no int, or not greater than 0; the weights are no bundle.
    """
    if params is None:
        return BUDGET_LIMITS
    weights = dict(BUDGET_LIMITS.weights)
    given = params.get_bundle(KEY_MODEL_SIZE_WEIGHTS)
    if given is not None:
        keys = {size: str(size.value) for size in ModelSize}
        weights |= {size: _positive(given, key) for size, key in keys.items() if key in given}
    elif KEY_MODEL_SIZE_WEIGHTS in params:
        raise PolicyArgumentError(f"{KEY_MODEL_SIZE_WEIGHTS} is no bundle")
    has_cap = KEY_MAX_BUDGET in params
    max_budget = _positive(params, KEY_MAX_BUDGET) if has_cap else weights[ModelSize.GREATER_THAN_2G]
    return BudgetLimits(weights, max_budget)


def _positive(bundle: PersistableBundle, key: str) -> int:
    # A value of another type reads as 0, as from Java's getInt.
    value = bundle.get_int(key)
    if value <= 0:
        raise PolicyArgumentError(f"{key!r} must be an int greater than 0, not {bundle.get(key)!r}")
    return value
