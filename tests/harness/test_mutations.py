"""A policy broken on purpose makes scenarios fail, and the failure tells a story."""

from __future__ import annotations

import pytest

from .command import run_command

_POLICY = "from reference_impl.policies.budget import BudgetPolicy as Policy; "

MUTATIONS = {
    "importance-inverted": (
        _POLICY + "Policy.is_more_important = lambda self, a, b: a.priority > b.priority",
        "turn_taking.foreground_takes_the_turn",
    ),
    "fairness-inverted": (
        _POLICY + "Policy.completed_longer_ago = lambda self, a, b: (a.completed or 0) > (b.completed or 0)",
        "turn_taking.equal_that_worked_longer_ago_takes_the_turn",
    ),
    "newcomer-wins-ties": (
        _POLICY + "Policy.completed_longer_ago = lambda self, a, b: (a.completed or 0) <= (b.completed or 0)",
        "turn_taking.equal_newcomer_is_not_prioritized",
    ),
    "every-size-weighs-one": (
        _POLICY + "Policy.weight_of = lambda self, size: 1",
        "budget.fills_the_default_cap_exactly[one-large]",
    ),
    "nobody-is-reconsidered": (
        _POLICY + "Policy.reconsider = lambda self, turn: None",
        "budget.offers_a_freed_slot_to_a_request_that_lost",
    ),
}


@pytest.mark.parametrize("mutation", MUTATIONS)
def test_broken_policy_fails_with_a_readable_story(mutation: str) -> None:
    before, scenario = MUTATIONS[mutation]
    done = run_command("harness", "run", "turn_taking", "budget", before=before)
    assert done.code == 1, done.out + done.err
    story = done.out.partition(f"FAILED {scenario}\n")[2].partition("\nFAILED ")[0]
    assert story, f"{scenario} should be among the failures:\n{done.out}"
    assert "should" in story or "does not expect" in story
    assert "what happened:" in story
    assert "canLoadModel(request={id=1" in story
    assert "system_server ~>" in story
    assert done.err.strip().splitlines()[-1].startswith("harness: to see one again: harness run ")
