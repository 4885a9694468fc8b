"""StatusQuo: everybody may load at once."""

from __future__ import annotations

import pytest

from reference_impl.policies import StatusQuoPolicy
from reference_impl.policies.events import CanLoad, RequestKey
from reference_impl.policies.state import PolicyState
from tests.reference_impl.policy_script import PolicyScript

STORIES = {
    "everybody_may_load_at_once": """
        album asks 1 GREATER_THAN_2G      -> album/1 CAN_LOAD_NOW
        album asks 2 GREATER_THAN_2G      -> album/2 CAN_LOAD_NOW
        assistant asks 1 GREATER_THAN_2G  -> assistant/1 CAN_LOAD_NOW
    """,
    "a_cancelled_request_hears_so_once": """
        album asks 54 LESS_THAN_1GB  -> album/54 CAN_LOAD_NOW
        album cancelled 54           -> album/54 CANCELLED
        album cancelled 54
        album unloaded 54
    """,
    "an_unloaded_model_completes": """
        album asks 1 LESS_THAN_1GB  -> album/1 CAN_LOAD_NOW
        album loaded 1
        album unloaded 1            -> album/1 COMPLETE
        album unloaded 1
    """,
    "what_is_not_known_is_ignored": """
        album cancelled 1
        album loaded 1
        album unloaded 1
        album asks 1 LESS_THAN_1GB  -> album/1 CAN_LOAD_NOW
        assistant cancelled 1
        assistant unloaded 1
    """,
    "importance_and_work_change_nothing": """
        album asks 1 GREATER_THAN_2G  -> album/1 CAN_LOAD_NOW
        album loaded 1
        album is GONE
        assistant is FOREGROUND
        album works
        album fails
    """,
    "a_second_request_with_the_same_id_replaces_the_first": """
        album asks 1 GREATER_THAN_2G  -> album/1 CAN_LOAD_NOW
        album asks 1 LESS_THAN_1GB    -> album/1 REPLACED, album/1 CAN_LOAD_NOW
        album cancelled 1             -> album/1 CANCELLED
        album cancelled 1
    """,
    "a_dead_client_is_forgotten_without_a_call": """
        album asks 1 LESS_THAN_1GB  -> album/1 CAN_LOAD_NOW
        album asks 2 LESS_THAN_1GB  -> album/2 CAN_LOAD_NOW
        album dies                  -> album/1 FORGET, album/2 FORGET
        album unloaded 1
    """,
}


@pytest.mark.parametrize("story", STORIES.values(), ids=STORIES.keys())
def test_status_quo(story: str) -> None:
    PolicyScript(StatusQuoPolicy()).run(story)


def test_status_quo_accepts_a_size_it_has_never_heard_of() -> None:
    event = CanLoad(RequestKey(10001, 1), size=99)
    state, actions = StatusQuoPolicy().step(PolicyState(), event, lambda uid: 0)
    assert len(state.requests) == len(actions) == 1
