"""What holds for the Budget policy whatever apps, people and hardware do.

A machine plays random apps against the pure policy and keeps its own books of what each request was told.
"""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from binder import PersistableBundle
from reference_impl.constants import Importance, LoadStatus, ModelSize, RequestStatus
from reference_impl.policies import BudgetPolicy
from reference_impl.policies.events import (
    AnswerCanLoad,
    Cancel,
    CanLoad,
    ClientDied,
    Complete,
    Forget,
    ImportanceChanged,
    Loaded,
    PolicyEvent,
    Replaced,
    RequestKey,
    RequestUnload,
    Unloaded,
    WorkEnded,
)
from reference_impl.policies.state import PolicyState

UIDS = range(10001, 10006)
LEVELS = (Importance.FOREGROUND, Importance.SERVICE, Importance.CACHED)

uids = st.sampled_from(UIDS)
ids = st.integers(1, 3)
keys = st.builds(RequestKey, uids, ids)


@dataclass
class Book:
    """What an app was told about one request, and what it told."""

    weight: int
    granted: bool = False
    loaded: bool = False
    asked: bool = False
    last: LoadStatus | None = None

    @property
    def holds(self) -> bool:
        return self.granted or self.loaded

    @property
    def waits(self) -> bool:
        return not self.holds


class BudgetMachine(RuleBasedStateMachine):
    """Random events; after each, the books are compared with the promises of the policy."""

    def __init__(self) -> None:
        super().__init__()
        self.policy = BudgetPolicy()
        self.state = PolicyState()
        self.importance = dict.fromkeys(UIDS, int(Importance.CACHED))
        self.books: dict[RequestKey, Book] = {}
        self.ranks_are_stale = False

    @initialize(cap=st.integers(1, 9))
    def set_cap(self, cap: int) -> None:
        self.policy = BudgetPolicy(PersistableBundle.of({"maxBudget": cap}))

    @rule(key=keys, size=st.sampled_from(ModelSize), priority=st.sampled_from([0, 1000]))
    def ask(self, key: RequestKey, size: ModelSize, priority: int) -> None:
        before = self.books.get(key)
        fresh = Book(self.policy.weight_of(size))
        self.step(CanLoad(key, size, priority), opens=(key, fresh))
        assert fresh.last is not None, "every request is answered at once"
        assert before is None or self.books[key] is fresh

    @rule(key=keys, load_against_the_answer=st.booleans())
    def report_loaded(self, key: RequestKey, load_against_the_answer: bool) -> None:
        book = self.books.get(key)
        if book is None or book.granted or load_against_the_answer:
            if book is not None:
                book.loaded = True
            self.step(Loaded(key))

    @rule(key=keys)
    def report_unloaded(self, key: RequestKey) -> None:
        self.step(Unloaded(key), ends=key, status=RequestStatus.COMPLETE)

    @rule(key=keys)
    def cancel(self, key: RequestKey) -> None:
        self.step(Cancel(key), ends=key, status=RequestStatus.CANCELLED)

    @rule(uid=uids, level=st.sampled_from(LEVELS))
    def change_importance(self, uid: int, level: int) -> None:
        self.importance[uid] = level
        self.step(ImportanceChanged(uid))

    @rule(uid=uids, completed=st.booleans())
    def end_work(self, uid: int, completed: bool) -> None:
        self.step(WorkEnded(uid, completed))
        # Completed work changes who outranks whom; by contract, re-evaluation follows later.
        self.ranks_are_stale |= completed

    @rule(uid=uids)
    def die(self, uid: int) -> None:
        self.step(ClientDied(uid))
        assert not any(key.uid == uid for key in self.books)

    def step(
        self,
        event: PolicyEvent,
        opens: tuple[RequestKey, Book] | None = None,
        ends: RequestKey | None = None,
        status: RequestStatus | None = None,
    ) -> None:
        """Do one step and enter its actions in the books; every action must be about an open request."""
        expects_end = ends in self.books
        if expects_end or isinstance(event, ImportanceChanged | ClientDied):
            self.ranks_are_stale = False
        self.state, actions = self.policy.step(self.state, event, lambda uid: self.importance[uid])
        if opens is not None:
            key, fresh = opens
            assert (Replaced(key) in actions) is (key in self.books)
            self.books[key] = fresh
        for action in actions:
            book = self.books[action.key]  # a KeyError here is a callback after the terminal one
            match action:
                case AnswerCanLoad(_, answer):
                    assert answer is not book.last, "an answer that has not changed is not repeated"
                    assert not book.granted, "a CAN_LOAD_NOW is not taken back"
                    book.last = answer
                    book.granted = answer is LoadStatus.CAN_LOAD_NOW
                case RequestUnload():
                    assert book.loaded, "only a loaded model is asked to unload"
                    assert not book.asked, "a model is asked to unload once"
                    book.asked = True
                case Complete(key, _) | Forget(key):
                    del self.books[key]
        if expects_end and ends is not None and status is not None:
            assert actions[0] == Complete(ends, status)
            assert ends not in self.books

    def importance_of(self, key: RequestKey) -> int:
        return self.importance[key.uid]

    @invariant()
    def policy_and_books_know_the_same_requests(self) -> None:
        assert set(self.state.requests) == set(self.books)

    @invariant()
    def granted_models_stay_within_the_cap(self) -> None:
        granted = sum(book.weight for book in self.books.values() if book.granted)
        assert granted <= self.policy.limits.max_budget

    @invariant()
    def what_is_promised_fits_once_the_asked_have_left(self) -> None:
        promised = sum(
            book.weight
            for book in self.books.values()
            if not book.asked and (book.holds or book.last is LoadStatus.WAIT_FOR_UNLOAD)
        )
        assert promised <= self.policy.limits.max_budget

    @invariant()
    def nobody_waits_for_room_that_is_free(self) -> None:
        if any(book.asked for book in self.books.values()):
            return
        free = self.policy.limits.max_budget - sum(b.weight for b in self.books.values() if b.holds)
        for key, book in self.books.items():
            if book.waits:
                assert book.last is LoadStatus.NOT_PRIORITIZED, (
                    f"{key} waits for an unload nobody was asked for"
                )
                assert book.weight > free, f"{key} waits although there is room"

    @invariant()
    def a_more_important_waiter_is_not_left_behind(self) -> None:
        if self.ranks_are_stale or any(book.asked for book in self.books.values()):
            return
        for key, book in self.books.items():
            kept = sum(
                other.weight
                for holder, other in self.books.items()
                if other.holds and self.importance_of(holder) <= self.importance_of(key)
            )
            if book.waits:
                less = [
                    k
                    for k, b in self.books.items()
                    if b.holds and self.importance_of(k) > self.importance_of(key)
                ]
                assert not less or kept + book.weight > self.policy.limits.max_budget, f"{key} behind {less}"


BudgetMachine.TestCase.settings = settings(
    max_examples=150, stateful_step_count=40, deadline=None, derandomize=True
)
TestBudgetProperties = BudgetMachine.TestCase
