"""The loading policies, by the number that setPolicy takes."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from binder import PersistableBundle
from reference_impl.constants import PolicyType
from reference_impl.policies.base import Policy
from reference_impl.policies.budget import BudgetPolicy
from reference_impl.policies.status_quo import StatusQuoPolicy
from reference_impl.policies.turn_taking import TurnTakingPolicy

__all__ = ["POLICY_TYPES", "BudgetPolicy", "Policy", "PolicyFactory", "StatusQuoPolicy", "TurnTakingPolicy"]

PolicyFactory = Callable[[PersistableBundle | None], Policy]
"""Makes a policy from the bundle given to setPolicy, or None; a Policy class is one."""

POLICY_TYPES: Mapping[int, PolicyFactory] = {
    PolicyType.STATUS_QUO: StatusQuoPolicy,
    PolicyType.TURN_TAKING: TurnTakingPolicy,
    PolicyType.BUDGET: BudgetPolicy,
}
