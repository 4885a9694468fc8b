"""Where a model-load request is in its life, as a table.

The theory: the service and the app each hold half of the truth. The service decides (CAN_LOAD_NOW,
WAIT_FOR_UNLOAD, NOT_PRIORITIZED, UNLOAD_REQUESTED, COMPLETED_AS_CANCELLED), the app reports (LOADED,
UNLOADED, CANCEL). The service trusts what the app reports, so a report is accepted in every state that is not
the end: the memory is in use, or free again, whatever the service thought. What the service decides, on the
other hand, must follow the table.

- PENDING_LOAD may load now. A new request starts here, before its first answer.
- WAIT_FOR_UNLOAD has its budget reserved; other models must leave first.
- NOT_PRIORITIZED lost. It stays known, so that it can be offered a slot that frees up.
- UNLOADING was asked to unload. Its memory is in use until the app says otherwise, and it cannot be un-asked.
- ENDED heard its one terminal callback. Nothing follows, so nothing leads out of it.

The documented diagram draws cancellation from two states only. The contract lets an app cancel, and report as
unloaded, any request that is known, so those arcs exist everywhere.
"""

from __future__ import annotations

from enum import Enum


class State(Enum):
    """The state of one request."""

    PENDING_LOAD = "PENDING_LOAD"
    WAIT_FOR_UNLOAD = "WAIT_FOR_UNLOAD"
    NOT_PRIORITIZED = "NOT_PRIORITIZED"
    LOADED = "LOADED"
    UNLOADING = "UNLOADING"
    ENDED = "ENDED"


class Event(Enum):
    """What can happen to one request: answers and demands of the service, then reports of the app."""

    CAN_LOAD_NOW = "CAN_LOAD_NOW"
    WAIT_FOR_UNLOAD = "WAIT_FOR_UNLOAD"
    NOT_PRIORITIZED = "NOT_PRIORITIZED"
    UNLOAD_REQUESTED = "UNLOAD_REQUESTED"
    COMPLETED_AS_CANCELLED = "COMPLETED_AS_CANCELLED"
    LOADED = "LOADED"
    UNLOADED = "UNLOADED"
    CANCEL = "CANCEL"


_ENDS = {Event.UNLOADED: State.ENDED, Event.CANCEL: State.ENDED}

TRANSITIONS: dict[State, dict[Event, State]] = {
    State.PENDING_LOAD: {
        Event.CAN_LOAD_NOW: State.PENDING_LOAD,
        Event.WAIT_FOR_UNLOAD: State.WAIT_FOR_UNLOAD,
        Event.NOT_PRIORITIZED: State.NOT_PRIORITIZED,
        Event.COMPLETED_AS_CANCELLED: State.ENDED,
        Event.LOADED: State.LOADED,
        **_ENDS,
    },
    State.WAIT_FOR_UNLOAD: {
        Event.CAN_LOAD_NOW: State.PENDING_LOAD,
        Event.COMPLETED_AS_CANCELLED: State.ENDED,
        Event.LOADED: State.LOADED,
        **_ENDS,
    },
    State.NOT_PRIORITIZED: {
        Event.CAN_LOAD_NOW: State.PENDING_LOAD,
        Event.WAIT_FOR_UNLOAD: State.WAIT_FOR_UNLOAD,
        Event.LOADED: State.LOADED,
        **_ENDS,
    },
    State.LOADED: {
        Event.UNLOAD_REQUESTED: State.UNLOADING,
        Event.LOADED: State.LOADED,
        **_ENDS,
    },
    State.UNLOADING: {
        Event.LOADED: State.UNLOADING,  # a late or repeated report does not take the demand back
        **_ENDS,
    },
    State.ENDED: {},
}

# Holding part of the budget. A loaded or pending model counts (BudgetModelLoadingPolicy); one that waits
# for an unload is pending with its part reserved; one that was asked to unload is still loaded.
HOLDING = frozenset({State.PENDING_LOAD, State.WAIT_FOR_UNLOAD, State.LOADED, State.UNLOADING})

# Told CAN_LOAD_NOW and not yet ended: its memory is in use, or may be at any moment.
RESIDENT = frozenset({State.PENDING_LOAD, State.LOADED, State.UNLOADING})

# The names a dump uses; it tells three states apart.
DUMP_NAMES = {
    State.PENDING_LOAD: "PENDING_LOAD",
    State.WAIT_FOR_UNLOAD: "PENDING_LOAD",
    State.NOT_PRIORITIZED: "NOT_PRIORITIZED",
    State.LOADED: "LOADED",
    State.UNLOADING: "LOADED",
}


class IllegalTransition(Exception):
    """A policy decided something that the table does not allow; a bug in the policy, never a client's
    fault."""

    def __init__(self, state: State, event: Event) -> None:
        super().__init__(f"{event.name} does not apply to a request that is {state.name}")
        self.state = state
        self.event = event


def next_state(state: State, event: Event) -> State:
    """The state after `event`. Raises IllegalTransition if the table has no such arc."""
    try:
        return TRANSITIONS[state][event]
    except KeyError:
        raise IllegalTransition(state, event) from None
