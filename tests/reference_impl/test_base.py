"""What all policies share: which event reaches which hook, and how state and actions come about."""

from __future__ import annotations

import pytest

from binder import PersistableBundle
from reference_impl.constants import LoadStatus, RequestStatus
from reference_impl.policies.base import Policy
from reference_impl.policies.events import (
    Action,
    AnswerCanLoad,
    Cancel,
    CanLoad,
    ClientDied,
    Complete,
    Forget,
    ImportanceChanged,
    Loaded,
    PolicyArgumentError,
    PolicyEvent,
    Replaced,
    RequestKey,
    Unloaded,
    WorkEnded,
)
from reference_impl.policies.ranking import rank
from reference_impl.policies.state import LoadRequest, PolicyState
from reference_impl.policies.turn import Turn

KNOWN = RequestKey(10001, 1)
OTHER = RequestKey(10002, 1)


class Noting(Policy):
    """Answers NOT_PRIORITIZED, and notes which hooks are called."""

    dump_name = "noting"

    def __init__(self, params: PersistableBundle | None = None) -> None:
        self.hooks: list[str] = []

    def check(self, event: CanLoad) -> None:
        if event.size < 0:
            raise PolicyArgumentError("negative")

    def admit(self, turn: Turn, request: LoadRequest) -> None:
        self.hooks.append("admit")
        turn.answer(request, LoadStatus.NOT_PRIORITIZED)

    def reconsider(self, turn: Turn) -> None:
        self.hooks.append("reconsider")

    def work_completed(self, turn: Turn, uid: int) -> None:
        self.hooks.append("work_completed")


def step(
    event: PolicyEvent, state: PolicyState | None = None
) -> tuple[PolicyState, tuple[Action, ...], list[str]]:
    """Do one step, by default with one request that is known and not prioritized."""
    policy = Noting()
    if state is None:
        state, _ = policy.step(PolicyState(), CanLoad(KNOWN, size=0), lambda uid: 0)
        policy.hooks.clear()
    after, actions = policy.step(state, event, lambda uid: 0)
    return after, actions, policy.hooks


ROWS: list[tuple[PolicyEvent, list[Action], list[str]]] = [
    (CanLoad(OTHER, 0), [AnswerCanLoad(OTHER, LoadStatus.NOT_PRIORITIZED)], ["admit"]),
    (
        CanLoad(KNOWN, 0),
        [Replaced(KNOWN), AnswerCanLoad(KNOWN, LoadStatus.NOT_PRIORITIZED)],
        ["admit"],
    ),
    (Cancel(KNOWN), [Complete(KNOWN, RequestStatus.CANCELLED)], ["reconsider"]),
    (Cancel(OTHER), [], []),
    (Unloaded(KNOWN), [Complete(KNOWN, RequestStatus.COMPLETE)], ["reconsider"]),
    (Unloaded(OTHER), [], []),
    (Loaded(KNOWN), [], ["reconsider"]),
    (Loaded(OTHER), [], []),
    (ImportanceChanged(OTHER.uid), [], ["reconsider"]),
    (ClientDied(KNOWN.uid), [Forget(KNOWN)], ["reconsider"]),
    (ClientDied(OTHER.uid), [], ["reconsider"]),
    (WorkEnded(KNOWN.uid, completed=True), [], ["work_completed"]),
    (WorkEnded(KNOWN.uid, completed=False), [], []),
]


@pytest.mark.parametrize(("event", "actions", "hooks"), ROWS, ids=lambda value: str(value)[:60])
def test_an_event_has_these_actions_and_reaches_these_hooks(
    event: PolicyEvent, actions: list[Action], hooks: list[str]
) -> None:
    _, did, reached = step(event)
    assert (list(did), reached) == (actions, hooks)


@pytest.mark.parametrize("event", [Cancel(KNOWN), Unloaded(KNOWN), ClientDied(KNOWN.uid)])
def test_a_request_that_ended_is_not_known_any_more(event: PolicyEvent) -> None:
    state, _, _ = step(event)
    assert state.requests == {}
    for again in (Cancel(KNOWN), Unloaded(KNOWN), Loaded(KNOWN)):
        assert step(again, state)[1] == ()


def test_a_refused_request_leaves_no_trace() -> None:
    with pytest.raises(PolicyArgumentError):
        step(CanLoad(KNOWN, size=-1))


def test_the_same_step_twice_gives_the_same_result() -> None:
    state, _, _ = step(CanLoad(OTHER, size=0))
    assert step(Cancel(KNOWN), state)[:2] == step(Cancel(KNOWN), state)[:2]


def test_completions_have_an_order_even_within_one_moment() -> None:
    turn = Turn(PolicyState(), lambda uid: 0, rank)
    turn.stamp_completion(1)
    turn.stamp_completion(2)
    turn.stamp_completion(1)
    assert turn.completions[2] < turn.completions[1]
