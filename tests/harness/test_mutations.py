"""A reference broken on purpose makes the scenario fail that is about it, and the failure tells a story."""

from __future__ import annotations

import pytest

from .command import run_command

_BUDGET = "from reference_impl.policies.budget import BudgetPolicy as Policy; "
_SERVICE = "from reference_impl import service; Service = service.NpuManagerService; "

# By what is broken: how, in one line, the scenario that must notice, and what its story must show.
MUTATIONS = {
    "importance-inverted": (
        _BUDGET + "Policy.is_more_important = lambda self, a, b: a.priority > b.priority",
        "turn_taking.foreground_takes_the_turn",
        "should hear onCanLoadModel(WAIT_FOR_UNLOAD), but heard onCanLoadModel(NOT_PRIORITIZED)",
    ),
    "fairness-inverted": (
        _BUDGET + "Policy.completed_longer_ago = lambda self, a, b: (a.completed or 0) > (b.completed or 0)",
        "turn_taking.equal_that_worked_longer_ago_takes_the_turn",
        "* album runs an inference that completes",
    ),
    "newcomer-wins-ties": (
        _BUDGET + "Policy.completed_longer_ago = lambda self, a, b: (a.completed or 0) <= (b.completed or 0)",
        "turn_taking.equal_newcomer_is_not_prioritized",
        "but heard onCanLoadModel(WAIT_FOR_UNLOAD)",
    ),
    "nobody-is-reconsidered": (
        _BUDGET + "Policy.reconsider = lambda self, turn: None",
        "budget.offers_a_freed_slot_to_a_request_that_lost",
        "should hear onCanLoadModel(CAN_LOAD_NOW), but heard nothing",
    ),
    "lost-requests-weigh": (
        "from reference_impl.policies import budget; budget.HOLDING = frozenset(budget.State)",
        "budget.lost_request_does_not_weigh",
        "should hear onCanLoadModel(CAN_LOAD_NOW), but heard onCanLoadModel(NOT_PRIORITIZED)",
    ),
    "any-end-of-work-counts": (
        _SERVICE + "Service._work_ended = lambda self, info, reason: "
        "self._submit(service.WorkEnded(info.originalUid, completed=True))",
        "work.paused_work_does_not_end_the_turn",
        "onWorkEnded(workInfo={id=4",
    ),
    "work-counts-for-the-worker": (
        "from reference_impl import service; service.original_uid = lambda info: info.uid",
        "work.work_in_anothers_name_ends_the_others_turn",
        "should hear onRequestUnloadModel, but heard nothing",
    ),
    "deaths-go-unnoticed": (
        _SERVICE + "Service._client_died = lambda self, key, client: None",
        "budget.dead_holder_frees_its_budget",
        "* assistant is killed",
    ),
    "importance-not-clamped": (
        "from reference_impl import priority_manager; priority_manager.clamp_importance = lambda i: i",
        "priorities.importance_is_clamped[1001-1000]",
        "the HAL has priority 1000",
    ),
    "hal-never-found-again": (
        "from reference_impl.hal_bridge import HalBridge; HalBridge._died = lambda self: None",
        "hal_connection.hal_that_comes_back_is_told_everything",
        "* the HAL starts",
    ),
}


@pytest.mark.parametrize("mutation", MUTATIONS)
def test_broken_reference_fails_with_a_readable_story(mutation: str) -> None:
    before, scenario, shown = MUTATIONS[mutation]
    done = run_command("harness", "run", scenario, before=before)
    assert done.code == 1, done.out + done.err
    story = done.out.partition(f"FAILED {scenario}\n")[2]
    assert "rule: " in story
    assert "what happened:" in story
    assert shown in story
    assert f"harness run '{scenario}' --seed 0" in done.err.strip().splitlines()[-1]
