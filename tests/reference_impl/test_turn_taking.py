"""TurnTaking: one model at a time, whatever its size."""

from __future__ import annotations

import pytest

from binder import PersistableBundle
from reference_impl.constants import ModelSize
from reference_impl.policies import TurnTakingPolicy
from tests.reference_impl.policy_script import PolicyScript

STORIES = {
    "a_more_important_app_takes_the_slot": """
        album asks 1 LESS_THAN_1GB      -> album/1 CAN_LOAD_NOW
        album loaded 1
        assistant is FOREGROUND
        assistant asks 1 LESS_THAN_1GB  -> album/1 UNLOAD, assistant/1 WAIT_FOR_UNLOAD
        album unloaded 1                -> album/1 COMPLETE, assistant/1 CAN_LOAD_NOW
    """,
    "an_equal_waits_until_the_holder_has_completed_work": """
        album asks 1 LESS_THAN_1GB      -> album/1 CAN_LOAD_NOW
        album loaded 1
        assistant asks 1 LESS_THAN_1GB  -> assistant/1 NOT_PRIORITIZED
        album works                     -> album/1 UNLOAD
        album unloaded 1                -> album/1 COMPLETE, assistant/1 CAN_LOAD_NOW
        assistant loaded 1
        album asks 1 LESS_THAN_1GB      -> album/1 NOT_PRIORITIZED
        assistant works                 -> assistant/1 UNLOAD
        assistant unloaded 1            -> assistant/1 COMPLETE, album/1 CAN_LOAD_NOW
    """,
    "an_app_does_not_take_turns_with_itself": """
        album asks 1 LESS_THAN_1GB  -> album/1 CAN_LOAD_NOW
        album loaded 1
        album asks 2 LESS_THAN_1GB  -> album/2 NOT_PRIORITIZED
        album works
        album unloaded 1            -> album/1 COMPLETE, album/2 CAN_LOAD_NOW
    """,
}


@pytest.mark.parametrize("story", STORIES.values(), ids=STORIES.keys())
def test_turn_taking(story: str) -> None:
    PolicyScript(TurnTakingPolicy()).run(story)


@pytest.mark.parametrize("size", ModelSize)
def test_every_size_weighs_the_same(size: ModelSize) -> None:
    assert TurnTakingPolicy().weight_of(size) == TurnTakingPolicy().limits.max_budget


def test_parameters_do_not_change_it() -> None:
    assert TurnTakingPolicy(PersistableBundle.of({"maxBudget": 8})).limits == TurnTakingPolicy().limits
