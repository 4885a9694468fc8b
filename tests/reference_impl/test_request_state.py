"""The table of request states: every pair of state and event, and every arc of the documented diagram."""

from __future__ import annotations

import itertools

import pytest

from reference_impl.policies.request_state import (
    DUMP_NAMES,
    HOLDING,
    RESIDENT,
    TRANSITIONS,
    Event,
    IllegalTransition,
    State,
    next_state,
)

# The documented life of a request. An arc from the start is the state a new request is made in.
DOCUMENTED_ARCS = [
    (State.PENDING_LOAD, [Event.CAN_LOAD_NOW, Event.LOADED], State.LOADED),
    (State.PENDING_LOAD, [Event.NOT_PRIORITIZED], State.NOT_PRIORITIZED),
    (State.PENDING_LOAD, [Event.WAIT_FOR_UNLOAD], State.WAIT_FOR_UNLOAD),
    (State.WAIT_FOR_UNLOAD, [Event.CAN_LOAD_NOW, Event.LOADED], State.LOADED),
    (State.NOT_PRIORITIZED, [Event.CAN_LOAD_NOW], State.PENDING_LOAD),
    (State.LOADED, [Event.UNLOAD_REQUESTED], State.UNLOADING),
    (State.UNLOADING, [Event.UNLOADED], State.ENDED),
    (State.PENDING_LOAD, [Event.CANCEL], State.ENDED),
    (State.NOT_PRIORITIZED, [Event.CANCEL], State.ENDED),
]

APP_REPORTS = (Event.LOADED, Event.UNLOADED, Event.CANCEL)


@pytest.mark.parametrize(("state", "events", "end"), DOCUMENTED_ARCS)
def test_every_arc_of_the_documented_diagram_exists(state: State, events: list[Event], end: State) -> None:
    for event in events:
        state = next_state(state, event)
    assert state is end


@pytest.mark.parametrize(("state", "event"), list(itertools.product(State, Event)))
def test_a_pair_of_state_and_event_leads_where_the_table_says_or_nowhere(state: State, event: Event) -> None:
    if event in TRANSITIONS[state]:
        assert next_state(state, event) is TRANSITIONS[state][event]
    else:
        with pytest.raises(IllegalTransition, match=f"{event.name} does not apply .* {state.name}"):
            next_state(state, event)


@pytest.mark.parametrize(
    ("state", "event"),
    list(itertools.product([state for state in State if state is not State.ENDED], APP_REPORTS)),
)
def test_a_report_of_the_app_is_accepted_in_every_open_state(state: State, event: Event) -> None:
    assert event in TRANSITIONS[state]


def test_nothing_leads_out_of_the_end() -> None:
    assert TRANSITIONS[State.ENDED] == {}


def test_only_a_loaded_model_can_be_asked_to_unload_and_only_once() -> None:
    assert [state for state in State if Event.UNLOAD_REQUESTED in TRANSITIONS[state]] == [State.LOADED]


def test_what_is_resident_holds_budget() -> None:
    assert RESIDENT < HOLDING


def test_a_dump_knows_three_states() -> None:
    assert set(DUMP_NAMES) == set(State) - {State.ENDED}
    assert set(DUMP_NAMES.values()) == {"PENDING_LOAD", "LOADED", "NOT_PRIORITIZED"}
