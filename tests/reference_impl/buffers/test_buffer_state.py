"""The life of a buffer: every state, every event."""

from __future__ import annotations

import pytest

from reference_impl.buffers.buffer_state import TRANSITIONS, Action, Event, State, step

# One row a state, one column an event in the order of `Event`: the next state, and how many actions.
EXPECTED = {
    State.ALLOCATING: "Allocated 1, Gone 2, Allocating 0, Gone 3, Allocating 1, Allocating 0",
    State.ALLOCATED: "Allocated 1, Allocated 0, Allocated 0, Gone 1, Loading 1, Freed 2",
    State.LOADING: "Loading 1, Loading 0, Allocated 1, Gone 2, Loading 1, Freed 3",
    State.GONE: "Gone 1, Gone 0, Gone 0, Gone 0, Gone 1, Freed 2",
    State.FREED: "Freed 1, Freed 0, Freed 0, Freed 0, Freed 1, Freed 0",
}


@pytest.mark.parametrize("state", State)
@pytest.mark.parametrize("event", Event)
def test_every_pair(state: State, event: Event) -> None:
    expected = EXPECTED[state].split(", ")[list(Event).index(event)]
    found = step(state, event)
    assert f"{found.state.value} {len(found.actions)}" == expected


def test_there_is_nothing_else() -> None:
    assert {state: set(row) for state, row in TRANSITIONS.items()} == {state: set(Event) for state in State}


@pytest.mark.parametrize("state", State)
def test_a_descriptor_that_comes_is_kept_or_closed(state: State) -> None:
    actions = step(state, Event.GOT_FD).actions
    assert len({Action.TELL_ALLOC, Action.CLOSE_NEW_FD} & set(actions)) == 1


@pytest.mark.parametrize("state", State)
def test_a_load_is_answered_or_asked_for(state: State) -> None:
    assert len({Action.ASK_LOAD, Action.TELL_LOAD_INVALID} & set(step(state, Event.LOAD).actions)) == 1


@pytest.mark.parametrize("event", Event)
def test_loading_ends_with_an_answer(event: Event) -> None:
    found = step(State.LOADING, event)
    told = {Action.TELL_LOAD, Action.TELL_LOAD_CANCELED} & set(found.actions)
    assert (found.state is State.LOADING) == (not told)


@pytest.mark.parametrize("event", Event)
def test_allocating_ends_with_an_answer(event: Event) -> None:
    found = step(State.ALLOCATING, event)
    told = {Action.TELL_ALLOC, Action.TELL_ALLOC_ERROR, Action.TELL_ALLOC_CANCELED} & set(found.actions)
    assert (found.state is State.ALLOCATING) == (not told)
    assert (Action.FORGET in found.actions) == (found.state is State.GONE), "nothing is left to free"


@pytest.mark.parametrize("state", State)
def test_memory_that_is_taken_away_is_gone(state: State) -> None:
    assert step(state, Event.PREEMPTED).state is (State.FREED if state is State.FREED else State.GONE)
