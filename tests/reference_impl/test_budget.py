"""The Budget policy, told as stories. Weights are 1, 2, 4 and the cap is 4, unless a test says otherwise."""

from __future__ import annotations

import pytest

from binder import PersistableBundle
from reference_impl.policies import BudgetPolicy
from reference_impl.policies.events import AnswerCanLoad, CanLoad, PolicyArgumentError, RequestKey
from reference_impl.policies.state import PolicyState, Rank, Standing
from tests.reference_impl.policy_script import PolicyScript

ARRIVAL = {
    "models_share_the_cap": """
        album asks 1 BETWEEN_1GB_AND_2GB      -> album/1 CAN_LOAD_NOW
        album asks 2 LESS_THAN_1GB            -> album/2 CAN_LOAD_NOW
        assistant asks 1 LESS_THAN_1GB        -> assistant/1 CAN_LOAD_NOW
        assistant asks 2 LESS_THAN_1GB        -> assistant/2 NOT_PRIORITIZED
    """,
    "a_more_important_app_asks_a_loaded_model_to_unload": """
        album asks 1 GREATER_THAN_2G          -> album/1 CAN_LOAD_NOW
        album loaded 1
        assistant is FOREGROUND
        assistant asks 1 GREATER_THAN_2G      -> album/1 UNLOAD, assistant/1 WAIT_FOR_UNLOAD
        album unloaded 1                      -> album/1 COMPLETE, assistant/1 CAN_LOAD_NOW
    """,
    "a_more_important_app_cancels_a_pending_model_and_loads_at_once": """
        album asks 1 GREATER_THAN_2G          -> album/1 CAN_LOAD_NOW
        assistant is FOREGROUND
        assistant asks 1 GREATER_THAN_2G      -> album/1 CANCELLED, assistant/1 CAN_LOAD_NOW
        album loaded 1
        album unloaded 1
    """,
    "a_less_important_app_is_not_prioritized_even_if_the_holder_never_loads": """
        assistant is FOREGROUND
        assistant asks 1 GREATER_THAN_2G      -> assistant/1 CAN_LOAD_NOW
        album asks 1 GREATER_THAN_2G          -> album/1 NOT_PRIORITIZED
    """,
    "the_least_important_uid_gives_first_and_no_more_than_needed": """
        cached asks 1 BETWEEN_1GB_AND_2GB     -> cached/1 CAN_LOAD_NOW
        cached loaded 1
        service is SERVICE
        service asks 1 BETWEEN_1GB_AND_2GB    -> service/1 CAN_LOAD_NOW
        service loaded 1
        assistant is FOREGROUND
        assistant asks 1 LESS_THAN_1GB        -> cached/1 UNLOAD, assistant/1 WAIT_FOR_UNLOAD
    """,
    "the_walk_goes_on_until_there_is_enough": """
        cached asks 1 BETWEEN_1GB_AND_2GB     -> cached/1 CAN_LOAD_NOW
        cached loaded 1
        service is SERVICE
        service asks 1 BETWEEN_1GB_AND_2GB    -> service/1 CAN_LOAD_NOW
        service loaded 1
        assistant is FOREGROUND
        assistant asks 1 GREATER_THAN_2G  -> cached/1 UNLOAD, service/1 UNLOAD, assistant/1 WAIT_FOR_UNLOAD
        cached unloaded 1                     -> cached/1 COMPLETE
        service unloaded 1                    -> service/1 COMPLETE, assistant/1 CAN_LOAD_NOW
    """,
    "the_walk_stops_at_a_more_important_uid_and_touches_nothing": """
        cached asks 1 BETWEEN_1GB_AND_2GB     -> cached/1 CAN_LOAD_NOW
        cached loaded 1
        assistant is FOREGROUND
        assistant asks 1 BETWEEN_1GB_AND_2GB  -> assistant/1 CAN_LOAD_NOW
        service is SERVICE
        service asks 1 GREATER_THAN_2G        -> service/1 NOT_PRIORITIZED
        assistant unloaded 1  -> assistant/1 COMPLETE, cached/1 UNLOAD, service/1 WAIT_FOR_UNLOAD
        cached unloaded 1                     -> cached/1 COMPLETE, service/1 CAN_LOAD_NOW
    """,
    "an_app_does_not_evict_its_own_models": """
        album asks 1 GREATER_THAN_2G          -> album/1 CAN_LOAD_NOW
        album loaded 1
        album asks 2 GREATER_THAN_2G          -> album/2 NOT_PRIORITIZED
        album unloaded 1                      -> album/1 COMPLETE, album/2 CAN_LOAD_NOW
    """,
    "pending_models_go_before_loaded_ones_of_the_same_app_and_background_ones_first": """
        album asks 1 LESS_THAN_1GB            -> album/1 CAN_LOAD_NOW
        album loaded 1
        album asks 2 LESS_THAN_1GB BACKGROUND -> album/2 CAN_LOAD_NOW
        album asks 3 LESS_THAN_1GB            -> album/3 CAN_LOAD_NOW
        album asks 4 LESS_THAN_1GB            -> album/4 CAN_LOAD_NOW
        album loaded 4
        assistant is FOREGROUND
        assistant asks 1 LESS_THAN_1GB        -> album/2 CANCELLED, assistant/1 CAN_LOAD_NOW
        assistant asks 2 LESS_THAN_1GB        -> album/3 CANCELLED, assistant/2 CAN_LOAD_NOW
        assistant asks 3 LESS_THAN_1GB        -> album/4 UNLOAD, assistant/3 WAIT_FOR_UNLOAD
    """,
    "any_loaded_model_among_the_evicted_makes_the_caller_wait": """
        cached asks 1 BETWEEN_1GB_AND_2GB     -> cached/1 CAN_LOAD_NOW
        cached asks 2 BETWEEN_1GB_AND_2GB     -> cached/2 CAN_LOAD_NOW
        cached loaded 2
        assistant is FOREGROUND
        assistant asks 1 GREATER_THAN_2G  -> cached/1 CANCELLED, cached/2 UNLOAD, assistant/1 WAIT_FOR_UNLOAD
        cached unloaded 2                     -> cached/2 COMPLETE, assistant/1 CAN_LOAD_NOW
    """,
    "two_apps_may_use_the_same_id": """
        album asks 7 BETWEEN_1GB_AND_2GB      -> album/7 CAN_LOAD_NOW
        assistant asks 7 BETWEEN_1GB_AND_2GB  -> assistant/7 CAN_LOAD_NOW
        gallery asks 7 BETWEEN_1GB_AND_2GB    -> gallery/7 NOT_PRIORITIZED
        album cancelled 7                     -> album/7 CANCELLED, gallery/7 CAN_LOAD_NOW
    """,
}

EQUALS = {
    "of_two_that_never_completed_work_the_newcomer_loses": """
        album asks 1 GREATER_THAN_2G          -> album/1 CAN_LOAD_NOW
        album loaded 1
        assistant asks 1 GREATER_THAN_2G      -> assistant/1 NOT_PRIORITIZED
    """,
    "an_equal_gets_its_turn_when_the_holders_work_completes": """
        album asks 1 GREATER_THAN_2G          -> album/1 CAN_LOAD_NOW
        album loaded 1
        assistant asks 1 GREATER_THAN_2G      -> assistant/1 NOT_PRIORITIZED
        album fails
        album works                           -> album/1 UNLOAD
        album works
        album unloaded 1                      -> album/1 COMPLETE, assistant/1 CAN_LOAD_NOW
    """,
    "a_newcomer_takes_from_an_equal_that_completed_work": """
        album asks 1 GREATER_THAN_2G          -> album/1 CAN_LOAD_NOW
        album loaded 1
        album works
        assistant asks 1 GREATER_THAN_2G      -> album/1 UNLOAD, assistant/1 WAIT_FOR_UNLOAD
        album unloaded 1                      -> album/1 COMPLETE, assistant/1 CAN_LOAD_NOW
    """,
    "who_completed_more_recently_takes_nothing": """
        assistant works
        album works
        assistant asks 1 GREATER_THAN_2G      -> assistant/1 CAN_LOAD_NOW
        assistant loaded 1
        album asks 1 GREATER_THAN_2G          -> album/1 NOT_PRIORITIZED
    """,
    "an_equal_that_may_not_be_asked_is_skipped_not_stopped_at": """
        album works
        camera works
        gallery asks 1 BETWEEN_1GB_AND_2GB    -> gallery/1 CAN_LOAD_NOW
        gallery loaded 1
        camera asks 1 BETWEEN_1GB_AND_2GB     -> camera/1 CAN_LOAD_NOW
        camera loaded 1
        album asks 1 BETWEEN_1GB_AND_2GB      -> camera/1 UNLOAD, album/1 WAIT_FOR_UNLOAD
    """,
    "completed_work_costs_nothing_if_only_others_than_equals_wait": """
        assistant is FOREGROUND
        assistant asks 1 GREATER_THAN_2G      -> assistant/1 CAN_LOAD_NOW
        assistant loaded 1
        album asks 1 GREATER_THAN_2G          -> album/1 NOT_PRIORITIZED
        assistant works
    """,
    "all_loaded_models_of_the_completed_app_are_asked_and_pending_ones_are_not": """
        album asks 1 LESS_THAN_1GB            -> album/1 CAN_LOAD_NOW
        album asks 2 LESS_THAN_1GB            -> album/2 CAN_LOAD_NOW
        album asks 3 BETWEEN_1GB_AND_2GB      -> album/3 CAN_LOAD_NOW
        album loaded 1
        album loaded 2
        assistant asks 1 LESS_THAN_1GB        -> assistant/1 NOT_PRIORITIZED
        album works                           -> album/1 UNLOAD, album/2 UNLOAD
    """,
    "what_an_equal_was_promised_is_not_taken_by_a_later_equal": """
        album asks 1 GREATER_THAN_2G          -> album/1 CAN_LOAD_NOW
        album loaded 1
        assistant asks 1 GREATER_THAN_2G      -> assistant/1 NOT_PRIORITIZED
        album works                           -> album/1 UNLOAD
        gallery asks 1 GREATER_THAN_2G        -> gallery/1 NOT_PRIORITIZED
        album unloaded 1                      -> album/1 COMPLETE, assistant/1 CAN_LOAD_NOW
    """,
    "re_evaluation_does_not_swap_equals": """
        album asks 1 GREATER_THAN_2G          -> album/1 CAN_LOAD_NOW
        album loaded 1
        assistant asks 1 GREATER_THAN_2G      -> assistant/1 NOT_PRIORITIZED
        other is VISIBLE
        other is CACHED
    """,
}

WAITING = {
    "a_waiting_request_keeps_its_room_from_later_less_important_ones": """
        cached asks 1 GREATER_THAN_2G         -> cached/1 CAN_LOAD_NOW
        cached loaded 1
        assistant is FOREGROUND
        assistant asks 1 GREATER_THAN_2G      -> cached/1 UNLOAD, assistant/1 WAIT_FOR_UNLOAD
        service is SERVICE
        service asks 1 LESS_THAN_1GB          -> service/1 NOT_PRIORITIZED
        cached unloaded 1                     -> cached/1 COMPLETE, assistant/1 CAN_LOAD_NOW
    """,
    "a_model_on_its_way_out_serves_a_second_waiter_without_being_asked_again": """
        cached asks 1 GREATER_THAN_2G         -> cached/1 CAN_LOAD_NOW
        cached loaded 1
        assistant is FOREGROUND
        assistant asks 1 BETWEEN_1GB_AND_2GB  -> cached/1 UNLOAD, assistant/1 WAIT_FOR_UNLOAD
        service is SERVICE
        service asks 1 BETWEEN_1GB_AND_2GB    -> service/1 WAIT_FOR_UNLOAD
        cached unloaded 1       -> cached/1 COMPLETE, assistant/1 CAN_LOAD_NOW, service/1 CAN_LOAD_NOW
    """,
    "a_waiting_request_is_itself_cancelled_for_a_more_important_one": """
        cached asks 1 GREATER_THAN_2G         -> cached/1 CAN_LOAD_NOW
        cached loaded 1
        service is SERVICE
        service asks 1 GREATER_THAN_2G        -> cached/1 UNLOAD, service/1 WAIT_FOR_UNLOAD
        assistant is FOREGROUND
        assistant asks 1 GREATER_THAN_2G      -> service/1 CANCELLED, assistant/1 WAIT_FOR_UNLOAD
        cached unloaded 1                     -> cached/1 COMPLETE, assistant/1 CAN_LOAD_NOW
    """,
    "a_model_on_its_way_out_gives_nothing_to_a_less_important_app": """
        assistant is FOREGROUND
        camera is FOREGROUND
        assistant asks 1 GREATER_THAN_2G      -> assistant/1 CAN_LOAD_NOW
        assistant loaded 1
        camera asks 1 GREATER_THAN_2G         -> camera/1 NOT_PRIORITIZED
        assistant works                       -> assistant/1 UNLOAD
        camera cancelled 1                    -> camera/1 CANCELLED
        album asks 1 GREATER_THAN_2G          -> album/1 NOT_PRIORITIZED
        assistant unloaded 1                  -> assistant/1 COMPLETE, album/1 CAN_LOAD_NOW
    """,
    "a_model_on_its_way_out_gives_nothing_to_an_equal_or_its_own_app": """
        album asks 1 GREATER_THAN_2G          -> album/1 CAN_LOAD_NOW
        album loaded 1
        assistant is FOREGROUND
        assistant asks 1 GREATER_THAN_2G      -> album/1 UNLOAD, assistant/1 WAIT_FOR_UNLOAD
        assistant cancelled 1                 -> assistant/1 CANCELLED
        gallery asks 1 GREATER_THAN_2G        -> gallery/1 NOT_PRIORITIZED
        album asks 2 GREATER_THAN_2G          -> album/2 NOT_PRIORITIZED
        album unloaded 1                      -> album/1 COMPLETE, gallery/1 CAN_LOAD_NOW
    """,
    "an_app_does_not_wait_for_its_own_model_on_its_way_out": """
        album asks 1 GREATER_THAN_2G          -> album/1 CAN_LOAD_NOW
        album loaded 1
        assistant is FOREGROUND
        assistant asks 1 GREATER_THAN_2G      -> album/1 UNLOAD, assistant/1 WAIT_FOR_UNLOAD
        assistant cancelled 1                 -> assistant/1 CANCELLED
        album works
        album asks 2 GREATER_THAN_2G          -> album/2 NOT_PRIORITIZED
        album unloaded 1                      -> album/1 COMPLETE, album/2 CAN_LOAD_NOW
    """,
    "when_a_waiter_cancels_the_next_one_is_served": """
        cached asks 1 GREATER_THAN_2G         -> cached/1 CAN_LOAD_NOW
        cached loaded 1
        assistant is FOREGROUND
        assistant asks 1 GREATER_THAN_2G      -> cached/1 UNLOAD, assistant/1 WAIT_FOR_UNLOAD
        service is SERVICE
        service asks 1 GREATER_THAN_2G        -> service/1 NOT_PRIORITIZED
        assistant cancelled 1                 -> assistant/1 CANCELLED, service/1 WAIT_FOR_UNLOAD
        cached unloaded 1                     -> cached/1 COMPLETE, service/1 CAN_LOAD_NOW
    """,
    "when_a_waiter_dies_the_next_one_is_served": """
        cached asks 1 GREATER_THAN_2G         -> cached/1 CAN_LOAD_NOW
        cached loaded 1
        assistant is FOREGROUND
        assistant asks 1 GREATER_THAN_2G      -> cached/1 UNLOAD, assistant/1 WAIT_FOR_UNLOAD
        service is SERVICE
        service asks 1 GREATER_THAN_2G        -> service/1 NOT_PRIORITIZED
        assistant dies                        -> assistant/1 FORGET, service/1 WAIT_FOR_UNLOAD
        cached dies                           -> cached/1 FORGET, service/1 CAN_LOAD_NOW
    """,
    "a_client_that_never_unloads_does_not_hold_up_room_that_is_there": """
        stuck asks 1 BETWEEN_1GB_AND_2GB      -> stuck/1 CAN_LOAD_NOW
        stuck loaded 1
        album asks 1 BETWEEN_1GB_AND_2GB      -> album/1 CAN_LOAD_NOW
        album loaded 1
        assistant is FOREGROUND
        assistant asks 1 GREATER_THAN_2G  -> album/1 UNLOAD, stuck/1 UNLOAD, assistant/1 WAIT_FOR_UNLOAD
        service is SERVICE
        service asks 1 BETWEEN_1GB_AND_2GB    -> service/1 NOT_PRIORITIZED
        album unloaded 1                      -> album/1 COMPLETE
        assistant cancelled 1                 -> assistant/1 CANCELLED, service/1 CAN_LOAD_NOW
    """,
    "the_death_of_a_holder_frees_its_budget": """
        assistant is FOREGROUND
        assistant asks 1 GREATER_THAN_2G      -> assistant/1 CAN_LOAD_NOW
        album asks 1 GREATER_THAN_2G          -> album/1 NOT_PRIORITIZED
        assistant dies                        -> assistant/1 FORGET, album/1 CAN_LOAD_NOW
    """,
    "of_an_apps_own_waiting_requests_a_normal_one_comes_before_a_background_one": """
        album asks 1 GREATER_THAN_2G              -> album/1 CAN_LOAD_NOW
        album asks 2 GREATER_THAN_2G BACKGROUND   -> album/2 NOT_PRIORITIZED
        album asks 3 GREATER_THAN_2G              -> album/3 NOT_PRIORITIZED
        album unloaded 1                          -> album/1 COMPLETE, album/3 CAN_LOAD_NOW
    """,
    "a_lost_request_weighs_nothing": """
        assistant is FOREGROUND
        assistant asks 1 BETWEEN_1GB_AND_2GB  -> assistant/1 CAN_LOAD_NOW
        album asks 1 GREATER_THAN_2G          -> album/1 NOT_PRIORITIZED
        album asks 2 BETWEEN_1GB_AND_2GB      -> album/2 CAN_LOAD_NOW
    """,
}

REEVALUATION = {
    "a_change_of_importance_turns_the_tables": """
        album asks 1 GREATER_THAN_2G          -> album/1 CAN_LOAD_NOW
        album loaded 1
        assistant asks 1 GREATER_THAN_2G      -> assistant/1 NOT_PRIORITIZED
        assistant is FOREGROUND               -> album/1 UNLOAD, assistant/1 WAIT_FOR_UNLOAD
        assistant is VISIBLE
        album unloaded 1                      -> album/1 COMPLETE, assistant/1 CAN_LOAD_NOW
    """,
    "a_pending_model_outside_the_ideal_set_is_cancelled": """
        album asks 1 GREATER_THAN_2G          -> album/1 CAN_LOAD_NOW
        assistant asks 1 GREATER_THAN_2G      -> assistant/1 NOT_PRIORITIZED
        assistant is FOREGROUND               -> album/1 CANCELLED, assistant/1 CAN_LOAD_NOW
    """,
    "a_model_that_would_not_help_is_left_alone": """
        cached asks 1 BETWEEN_1GB_AND_2GB     -> cached/1 CAN_LOAD_NOW
        cached loaded 1
        assistant is FOREGROUND
        assistant asks 1 BETWEEN_1GB_AND_2GB  -> assistant/1 CAN_LOAD_NOW
        service asks 1 GREATER_THAN_2G        -> service/1 NOT_PRIORITIZED
        service is VISIBLE
    """,
    "a_can_load_now_is_not_taken_back": """
        album asks 1 BETWEEN_1GB_AND_2GB      -> album/1 CAN_LOAD_NOW
        cached asks 1 BETWEEN_1GB_AND_2GB     -> cached/1 CAN_LOAD_NOW
        cached loaded 1
        service asks 1 BETWEEN_1GB_AND_2GB    -> service/1 NOT_PRIORITIZED
        album is FOREGROUND
        service is VISIBLE                    -> cached/1 UNLOAD, service/1 WAIT_FOR_UNLOAD
    """,
    "cancelling_a_loaded_model_frees_its_budget": """
        album asks 1 GREATER_THAN_2G          -> album/1 CAN_LOAD_NOW
        album loaded 1
        assistant asks 1 GREATER_THAN_2G      -> assistant/1 NOT_PRIORITIZED
        album cancelled 1                     -> album/1 CANCELLED, assistant/1 CAN_LOAD_NOW
        album unloaded 1
    """,
    "a_replaced_request_gives_its_budget_to_who_waits": """
        album asks 1 GREATER_THAN_2G          -> album/1 CAN_LOAD_NOW
        album loaded 1
        assistant asks 1 BETWEEN_1GB_AND_2GB  -> assistant/1 NOT_PRIORITIZED
        album asks 1 LESS_THAN_1GB  -> album/1 REPLACED, album/1 CAN_LOAD_NOW, assistant/1 CAN_LOAD_NOW
    """,
    "a_replaced_request_keeps_its_place_among_equals": """
        album asks 1 GREATER_THAN_2G          -> album/1 CAN_LOAD_NOW
        album loaded 1
        assistant asks 1 GREATER_THAN_2G      -> assistant/1 NOT_PRIORITIZED
        album asks 1 GREATER_THAN_2G          -> album/1 REPLACED, album/1 CAN_LOAD_NOW
    """,
    "a_replaced_request_does_not_keep_its_place_before_who_outranks_it": """
        album asks 1 GREATER_THAN_2G          -> album/1 CAN_LOAD_NOW
        assistant asks 1 GREATER_THAN_2G      -> assistant/1 NOT_PRIORITIZED
        album works
        album asks 1 GREATER_THAN_2G  -> album/1 REPLACED, album/1 NOT_PRIORITIZED, assistant/1 CAN_LOAD_NOW
    """,
    "foreign_and_unknown_requests_are_ignored": """
        album asks 1 GREATER_THAN_2G          -> album/1 CAN_LOAD_NOW
        assistant cancelled 1
        assistant loaded 1
        assistant unloaded 1
        album loaded 2
        album cancelled 2
        gallery asks 1 LESS_THAN_1GB          -> gallery/1 NOT_PRIORITIZED
    """,
    "loading_against_the_answer_is_answered_with_a_request_to_unload": """
        album asks 1 GREATER_THAN_2G          -> album/1 CAN_LOAD_NOW
        album loaded 1
        assistant asks 1 GREATER_THAN_2G      -> assistant/1 NOT_PRIORITIZED
        assistant loaded 1                    -> assistant/1 UNLOAD
        assistant unloaded 1                  -> assistant/1 COMPLETE
    """,
    "a_late_loaded_report_does_not_take_back_a_request_to_unload": """
        album asks 1 GREATER_THAN_2G          -> album/1 CAN_LOAD_NOW
        album loaded 1
        assistant is FOREGROUND
        assistant asks 1 GREATER_THAN_2G      -> album/1 UNLOAD, assistant/1 WAIT_FOR_UNLOAD
        album loaded 1
        assistant is VISIBLE
        album unloaded 1                      -> album/1 COMPLETE, assistant/1 CAN_LOAD_NOW
    """,
}

STORIES = {**ARRIVAL, **EQUALS, **WAITING, **REEVALUATION}


@pytest.mark.parametrize("story", STORIES.values(), ids=STORIES.keys())
def test_budget(story: str) -> None:
    PolicyScript(BudgetPolicy()).run(story)


CAPS = {
    "a_cap_too_small_for_a_large_model": (
        1,
        """
        album asks 1 GREATER_THAN_2G          -> album/1 NOT_PRIORITIZED
        assistant is FOREGROUND
        assistant asks 1 GREATER_THAN_2G      -> assistant/1 NOT_PRIORITIZED
        album asks 2 LESS_THAN_1GB            -> album/2 CAN_LOAD_NOW
        assistant asks 2 GREATER_THAN_2G      -> assistant/2 NOT_PRIORITIZED
        """,
    ),
    "a_cap_for_two_large_models": (
        8,
        """
        album asks 1 GREATER_THAN_2G          -> album/1 CAN_LOAD_NOW
        assistant asks 1 GREATER_THAN_2G      -> assistant/1 CAN_LOAD_NOW
        gallery asks 1 GREATER_THAN_2G        -> gallery/1 NOT_PRIORITIZED
        """,
    ),
    "a_loaded_model_that_was_asked_is_waited_for_even_if_a_cancelled_one_was_enough": (
        5,
        """
        cached asks 1 LESS_THAN_1GB           -> cached/1 CAN_LOAD_NOW
        cached loaded 1
        service is SERVICE
        service asks 1 GREATER_THAN_2G        -> service/1 CAN_LOAD_NOW
        assistant is FOREGROUND
        assistant asks 1 GREATER_THAN_2G
            -> cached/1 UNLOAD, service/1 CANCELLED, assistant/1 WAIT_FOR_UNLOAD
        cached unloaded 1                     -> cached/1 COMPLETE, assistant/1 CAN_LOAD_NOW
        """,
    ),
}


@pytest.mark.parametrize(("cap", "story"), CAPS.values(), ids=CAPS.keys())
def test_with(cap: int, story: str) -> None:
    PolicyScript(BudgetPolicy(PersistableBundle.of({"maxBudget": cap}))).run(story)


def test_a_size_outside_the_enum_is_refused_and_nothing_is_recorded() -> None:
    with pytest.raises(PolicyArgumentError, match="3 is not a model size"):
        BudgetPolicy().step(PolicyState(), CanLoad(RequestKey(10001, 1), size=3), lambda uid: 100)


def test_a_step_leaves_the_state_it_was_given_as_it_was() -> None:
    policy = BudgetPolicy()
    before, _ = policy.step(PolicyState(), CanLoad(RequestKey(10001, 1), size=2), lambda uid: 100)
    requests = dict(before.requests)
    policy.step(before, CanLoad(RequestKey(10002, 1), size=2), lambda uid: uid)
    assert before.requests == requests


def test_a_policy_that_differs_in_ranks_overrides_one_method() -> None:
    class LastCompletionFirst(BudgetPolicy):
        def rank(self, standing: Standing) -> Rank:
            importance, waited = super().rank(standing)
            return importance, -waited

    script = PolicyScript(LastCompletionFirst())
    script.run("""
        assistant works
        album asks 1 GREATER_THAN_2G      -> album/1 CAN_LOAD_NOW
        album loaded 1
        assistant asks 1 GREATER_THAN_2G  -> album/1 UNLOAD, assistant/1 WAIT_FOR_UNLOAD
    """)
    assert not any(isinstance(action, AnswerCanLoad) for action in script.do("album is CACHED"))
