"""TurnTaking: one model at a time."""

from __future__ import annotations

from binder import PersistableBundle
from reference_impl.policies.budget import BudgetPolicy
from reference_impl.policies.params import TURN_TAKING_LIMITS


class TurnTakingPolicy(BudgetPolicy):
    """The budget policy where every model weighs 1 and the cap is 1."""

    dump_name = "turntaking"

    def __init__(self, params: PersistableBundle | None = None) -> None:
        """Parameters are ignored: the limits are what makes this policy."""
        self.limits = TURN_TAKING_LIMITS
