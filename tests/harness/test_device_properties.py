"""Whatever apps, people and hardware do, the promises of the protocol hold; and the machine that says so sees
when they do not."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from reference_impl.constants import PolicyType
from reference_impl.policies import POLICY_TYPES, BudgetPolicy, TurnTakingPolicy
from reference_impl.policies.base import Policy
from reference_impl.policies.events import AnswerCanLoad, RequestUnload
from reference_impl.policies.request_state import State

from .device_machine import DeviceMachine

FEW, MANY = 15, 2000
IN_CI = "all" in os.environ.get("NPUKIT_REQUIRE", "").split(",")
EXAMPLES = int(os.environ.get("NPUKIT_EXAMPLES", MANY if IN_CI else FEW))
STEPS = 30
TRIES = 8000
"""So many examples may go by until a broken policy is found; most are found within some hundreds."""


@pytest.mark.timeout(1800)
def test_promises_hold() -> None:
    run_state_machine_as_test(
        DeviceMachine,
        settings=settings(
            max_examples=EXAMPLES,
            stateful_step_count=STEPS,
            deadline=None,
            derandomize=True,
            suppress_health_check=list(HealthCheck),
        ),
    )


def _step_with(change: Callable[[tuple[Any, ...]], tuple[Any, ...]]) -> Any:
    """A `step` whose actions are changed; state and actions then disagree, as in a policy with a bug."""

    def step(self: Policy, *args: Any) -> Any:
        state, actions = Policy.step(self, *args)
        return state, change(actions)

    return step


def _weighs_less(self: BudgetPolicy, turn: Any, states: Any) -> int:
    return WEIGHT(self, turn, set(states) - {State.UNLOADING, State.LOADED})


WEIGHT = BudgetPolicy._weight

# By what is broken: the method, and what it does instead.
MUTATIONS: dict[str, tuple[str, Any]] = {
    "importance-inverted": ("rank", lambda self, uid: (-uid.priority, uid.completed or 0)),
    "loaded-models-do-not-weigh": ("_weight", _weighs_less),
    "nobody-is-reconsidered": ("reconsider", lambda self, turn: None),
    "nobody-is-evicted": (
        "step",
        _step_with(lambda actions: tuple(a for a in actions if not isinstance(a, RequestUnload))),
    ),
    "grants-get-lost": (
        "step",
        _step_with(
            lambda actions: (*actions[:1], *(a for a in actions[1:] if not isinstance(a, AnswerCanLoad)))
        ),
    ),
    "heat-is-ignored": ("_is_at_rest", lambda self, turn: True),
}


# Those that are found in a moment; where there is time, all.
QUICK = ("nobody-is-reconsidered", "nobody-is-evicted", "heat-is-ignored")


@pytest.mark.timeout(600)
@pytest.mark.parametrize("mutation", MUTATIONS if IN_CI else QUICK)
def test_a_broken_policy_is_caught_with_its_story_and_seed(mutation: str) -> None:
    name, broken = MUTATIONS[mutation]
    types = {
        **POLICY_TYPES,
        PolicyType.BUDGET: type("Broken", (BudgetPolicy,), {name: broken}),
        PolicyType.TURN_TAKING: type("Broken", (TurnTakingPolicy,), {name: broken}),
    }
    machine = type("Broken", (DeviceMachine,), {"policy_types": types})
    with pytest.raises(AssertionError, match=r"(?s)seed \d+.*canLoadModel") as caught:
        run_state_machine_as_test(
            machine,
            settings=settings(
                max_examples=TRIES,
                stateful_step_count=STEPS,
                deadline=None,
                derandomize=True,
                database=None,
                phases=[Phase.generate],
                report_multiple_bugs=False,
                suppress_health_check=list(HealthCheck),
            ),
        )
    assert "Traceback" not in str(caught.value)
