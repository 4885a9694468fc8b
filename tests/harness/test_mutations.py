"""A reference broken on purpose makes the scenario fail that is about it, and the failure tells a story."""

from __future__ import annotations

from typing import Any

import pytest

from reference_impl import priority_manager, service
from reference_impl.hal_bridge import HalBridge
from reference_impl.policies import BudgetPolicy
from reference_impl.policies.events import WorkEnded
from reference_impl.policies.request_state import State
from reference_impl.service import NpuManagerService

from .conftest import Command


def completed_always(self: Any, info: Any, reason: Any) -> None:
    self._submit(WorkEnded(info.originalUid, completed=True))


WEIGHT = BudgetPolicy._weight

# By what is broken: where and how, the scenario that must notice, and what its story must show.
MUTATIONS: dict[str, tuple[object, str, object, str, str]] = {
    "importance-inverted": (
        BudgetPolicy,
        "rank",
        lambda self, uid: (-uid.priority, uid.completed or 0),
        "turn_taking.foreground_takes_the_turn",
        "should hear onCanLoadModel(WAIT_FOR_UNLOAD), but heard onCanLoadModel(NOT_PRIORITIZED)",
    ),
    "fairness-inverted": (
        BudgetPolicy,
        "rank",
        lambda self, uid: (uid.priority, -(uid.completed or 0)),
        "turn_taking.equal_that_worked_longer_ago_takes_the_turn",
        "* album runs an inference that completes",
    ),
    "newcomer-wins-ties": (
        BudgetPolicy,
        "rank",
        lambda self, uid: (uid.priority, -uid.uid),
        "turn_taking.equal_newcomer_is_not_prioritized",
        "but heard onCanLoadModel(WAIT_FOR_UNLOAD)",
    ),
    "nobody-is-reconsidered": (
        BudgetPolicy,
        "reconsider",
        lambda self, turn: None,
        "budget.offers_a_freed_slot_to_a_request_that_lost",
        "should hear onCanLoadModel(CAN_LOAD_NOW), but heard nothing",
    ),
    "lost-requests-weigh": (
        BudgetPolicy,
        "_weight",
        lambda self, turn, states: WEIGHT(self, turn, set(State)),
        "budget.lost_request_does_not_weigh",
        "should hear onCanLoadModel(CAN_LOAD_NOW), but heard onCanLoadModel(NOT_PRIORITIZED)",
    ),
    "any-end-of-work-counts": (
        NpuManagerService,
        "work_ended",
        completed_always,
        "work.paused_work_does_not_end_the_turn",
        "onWorkEnded(workInfo={id=4",
    ),
    "work-counts-for-the-worker": (
        service,
        "original_uid",
        lambda info: info.uid,
        "work.work_in_anothers_name_ends_the_others_turn",
        "should hear onRequestUnloadModel, but heard nothing",
    ),
    "deaths-go-unnoticed": (
        NpuManagerService,
        "_client_died",
        lambda self, key, client: None,
        "budget.dead_holder_frees_its_budget",
        "* assistant is killed",
    ),
    "importance-not-clamped": (
        priority_manager,
        "clamp_importance",
        lambda importance: importance,
        "priorities.importance_is_clamped[1001-1000]",
        "the HAL has priority 1000",
    ),
    "hal-never-found-again": (
        HalBridge,
        "_died",
        lambda self: None,
        "hal_connection.hal_that_comes_back_is_told_everything",
        "* the HAL starts",
    ),
}


@pytest.mark.parametrize("mutation", MUTATIONS)
def test_broken_reference_fails_with_a_readable_story(
    mutation: str, harness: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    target, name, broken, scenario, shown = MUTATIONS[mutation]
    monkeypatch.setattr(target, name, broken)
    done = harness("run", scenario)
    assert done.code == 1, done.out + done.err
    story = done.out.partition(f"FAILED {scenario}\n")[2]
    assert "rule: " in story
    assert "what happened:" in story
    assert shown in story
    assert done.err == f"harness: to see one again: harness run '{scenario}' --seed 0\n"
