"""Where a client's buffer is in its life, as a table.

The theory: the service answers in its own time, and may take the memory away at any moment. Whoever waits for
an answer then hears at once that there will be none (ECANCELED), and that is the last of it: an answer that
comes all the same is dropped, and what it brought is closed. A buffer's user lets go of it with FREE, which
is due even when the memory is gone; before it has been allocated there is nothing to let go of.

The states and what is heard in them are those of the NDK client in the buffer facts; FREED, where a handle
that is used after its end finds itself, is ours.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import NamedTuple


class State(Enum):
    """The state of one buffer."""

    ALLOCATING = "Allocating"
    ALLOCATED = "Allocated"
    LOADING = "Loading"
    GONE = "Gone"
    FREED = "Freed"


class Event(Enum):
    """What can happen to it: what the service says, then what its user does."""

    GOT_FD = "onGetBuffer with a descriptor"
    GOT_ERROR = "onGetBuffer without one"
    LOADED = "onLoad"
    PREEMPTED = "onNotifyPreempted"
    LOAD = "loadAsync"
    FREE = "free"


class Action(Enum):
    """What is to be done about it, in order."""

    TELL_ALLOC = "onAlloc with the buffer"
    TELL_ALLOC_ERROR = "onAlloc with the service's errno"
    TELL_ALLOC_CANCELED = "onAlloc(ECANCELED)"
    TELL_LOAD = "onLoad with the service's errno"
    TELL_LOAD_CANCELED = "onLoad(ECANCELED)"
    TELL_LOAD_INVALID = "onLoad(EINVAL)"
    TELL_PREEMPT = "onPreempt"
    ASK_LOAD = "loadFileSegmentToBuffer"
    CLOSE_NEW_FD = "close the descriptor that came"
    GIVE_BACK = "putBuffers"
    FORGET = "the entry goes"


class Step(NamedTuple):
    """The state that follows, and what is to be done."""

    state: State
    actions: tuple[Action, ...] = ()


_A, _S, _E = Action, State, Event

TRANSITIONS: Mapping[State, Mapping[Event, Step]] = {
    _S.ALLOCATING: {
        _E.GOT_FD: Step(_S.ALLOCATED, (_A.TELL_ALLOC,)),
        _E.GOT_ERROR: Step(_S.GONE, (_A.TELL_ALLOC_ERROR, _A.FORGET)),
        _E.LOADED: Step(_S.ALLOCATING),
        _E.PREEMPTED: Step(_S.GONE, (_A.TELL_ALLOC_CANCELED, _A.TELL_PREEMPT, _A.FORGET)),
        _E.LOAD: Step(_S.ALLOCATING, (_A.TELL_LOAD_INVALID,)),
        _E.FREE: Step(_S.ALLOCATING),
    },
    _S.ALLOCATED: {
        _E.GOT_FD: Step(_S.ALLOCATED, (_A.CLOSE_NEW_FD,)),
        _E.GOT_ERROR: Step(_S.ALLOCATED),
        _E.LOADED: Step(_S.ALLOCATED),
        _E.PREEMPTED: Step(_S.GONE, (_A.TELL_PREEMPT,)),
        _E.LOAD: Step(_S.LOADING, (_A.ASK_LOAD,)),
        _E.FREE: Step(_S.FREED, (_A.FORGET, _A.GIVE_BACK)),
    },
    _S.LOADING: {
        _E.GOT_FD: Step(_S.LOADING, (_A.CLOSE_NEW_FD,)),
        _E.GOT_ERROR: Step(_S.LOADING),
        _E.LOADED: Step(_S.ALLOCATED, (_A.TELL_LOAD,)),
        _E.PREEMPTED: Step(_S.GONE, (_A.TELL_LOAD_CANCELED, _A.TELL_PREEMPT)),
        _E.LOAD: Step(_S.LOADING, (_A.TELL_LOAD_INVALID,)),
        _E.FREE: Step(_S.FREED, (_A.TELL_LOAD_CANCELED, _A.FORGET, _A.GIVE_BACK)),
    },
    _S.GONE: {
        _E.GOT_FD: Step(_S.GONE, (_A.CLOSE_NEW_FD,)),
        _E.GOT_ERROR: Step(_S.GONE),
        _E.LOADED: Step(_S.GONE),
        _E.PREEMPTED: Step(_S.GONE),
        _E.LOAD: Step(_S.GONE, (_A.TELL_LOAD_INVALID,)),
        _E.FREE: Step(_S.FREED, (_A.FORGET, _A.GIVE_BACK)),
    },
    _S.FREED: {
        _E.GOT_FD: Step(_S.FREED, (_A.CLOSE_NEW_FD,)),
        _E.GOT_ERROR: Step(_S.FREED),
        _E.LOADED: Step(_S.FREED),
        _E.PREEMPTED: Step(_S.FREED),
        _E.LOAD: Step(_S.FREED, (_A.TELL_LOAD_INVALID,)),
        _E.FREE: Step(_S.FREED),
    },
}


def step(state: State, event: Event) -> Step:
    """What an event does in a state."""
    return TRANSITIONS[state][event]
