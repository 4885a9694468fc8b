"""One step of a policy while it is being made."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import replace

from reference_impl.constants import LoadStatus, RequestStatus
from reference_impl.policies.events import (
    Action,
    AnswerCanLoad,
    CanLoad,
    Complete,
    Forget,
    Replaced,
    RequestUnload,
)
from reference_impl.policies.ranking import heat_leaves, seniority
from reference_impl.policies.request_state import HOLDING, Event, State, next_state
from reference_impl.policies.sorted_map import SortedMap
from reference_impl.policies.state import Line, LoadRequest, PolicyState, Rank, Ranked, Standing

PriorityOf = Callable[[int], int]
"""The priority of a uid, from 0, the most important, to 1000."""


class Turn:
    """The working copy of one step: collects new state and actions, and keeps requests within the table.

    Attributes:
        requests: the open requests.
        holders: those that hold budget, in order of rank.
        too_hot: loaded ones that heat leaves no room for, in order of rank.
        lines: by size, those that may be given budget or keep it, in order of rank.
        actions: what is to be done so far.
    """

    def __init__(self, state: PolicyState, priority_of: PriorityOf, rank: Callable[[Standing], Rank]) -> None:
        self.requests = state.requests
        self.completions = state.completions
        self.ticks = state.ticks
        self.thermal = state.thermal
        self.holders = state.holders
        self.too_hot = state.too_hot
        self.lines = dict(state.lines)
        self.actions: list[Action] = []
        self._uids = state.uids
        self._tally = dict(state.tally)
        self._priority_of = priority_of
        self._rank = rank

    def result(self) -> tuple[PolicyState, tuple[Action, ...]]:
        """The state after the step, and what is to be done."""
        state = PolicyState(
            self.requests,
            self.completions,
            self.ticks,
            self.thermal,
            self._uids,
            self.lines,
            self.holders,
            self.too_hot,
            self._tally,
        )
        return state, tuple(self.actions)

    # --- what is known -----------------------------------------------------------------------------

    def standing(self, uid: int) -> Standing:
        """What counts of a uid when it is ranked."""
        ranked = self._uids.get(uid)
        return self._fresh(uid).standing if ranked is None else ranked.standing

    def requests_of(self, uid: int) -> list[LoadRequest]:
        """The open requests of a uid, by id."""
        found: list[LoadRequest] = []
        for key, request in self.requests.items_from((uid,)):
            if key.uid != uid:
                break
            found.append(request)
        return found

    def count(self, states: Collection[State]) -> dict[int, int]:
        """How many requests are in these states, by size."""
        counts: dict[int, int] = {}
        for (state, size), number in self._tally.items():
            if state in states:
                counts[size] = counts.get(size, 0) + number
        return counts

    def may_hold(self, uid: int) -> bool:
        """Whether the device is cool enough for a model of `uid`."""
        return heat_leaves(self.thermal, self.standing(uid).priority)

    def losing_holders(self) -> Iterator[LoadRequest]:
        """Those that hold budget, the least important uid first, and of equals the last that came."""
        holders = self.holders
        return (self.requests[holders[place]] for place in reversed(holders))

    def lines_if(self, request: LoadRequest, state: State) -> dict[int, Line]:
        """`lines` as they would be if an open request were in this state."""
        line = self.lines[request.size].without(self._place(request))
        imagined = replace(request, state=state)
        return {**self.lines, request.size: line.with_entry(self._place(imagined), request.key)}

    # --- what happens ------------------------------------------------------------------------------

    def open(self, event: CanLoad) -> LoadRequest:
        """Enter a new request, in place of an open one with the same key."""
        before = self.requests.get(event.key)
        if before is not None:
            self._leave(before)
            self.actions.append(Replaced(event.key))
        request = LoadRequest(event.key, event.size, event.priority, self._tick())
        self._enter(request)
        return request

    def answer(self, request: LoadRequest, status: LoadStatus) -> None:
        """Tell the app what it may do."""
        self._move(request, Event[status.name])
        self.actions.append(AnswerCanLoad(request.key, status))

    def request_unload(self, request: LoadRequest) -> None:
        """Ask the app to give up a loaded model."""
        self._move(request, Event.UNLOAD_REQUESTED)
        self.actions.append(RequestUnload(request.key))

    def report_loaded(self, request: LoadRequest) -> None:
        """Note that the model is loaded."""
        self._move(request, Event.LOADED)

    def end(self, request: LoadRequest, event: Event) -> None:
        """End a request, by a report of the app or by the service's COMPLETED_AS_CANCELLED."""
        self._move(request, event)
        status = RequestStatus.COMPLETE if event is Event.UNLOADED else RequestStatus.CANCELLED
        self.actions.append(Complete(request.key, status))

    def forget(self, request: LoadRequest) -> None:
        """Drop a request whose app is dead."""
        self._leave(request)
        self.actions.append(Forget(request.key))

    def stamp_completion(self, uid: int) -> None:
        """Note that work of `uid` completed now."""
        self.completions = self.completions.with_entry(uid, self._tick())
        self.rank_anew([uid])

    def set_thermal(self, status: int) -> None:
        """Note the platform's thermal status."""
        self.thermal = status
        self.rank_anew(list(self._uids))

    def rank_anew(self, uids: Collection[int]) -> None:
        """What these uids are ranked by may have changed."""
        for uid in uids:
            requests = self.requests_of(uid)
            for request in requests:
                self._leave(request)
            for request in requests:
                self._enter(request)

    def _tick(self) -> int:
        self.ticks += 1
        return self.ticks

    def _move(self, request: LoadRequest, event: Event) -> None:
        before = self.requests[request.key]
        state = next_state(before.state, event)
        if state is before.state:
            return
        self._leave(before, stays=state is not State.ENDED)
        if state is not State.ENDED:
            self._enter(replace(before, state=state))

    # --- the views ---------------------------------------------------------------------------------

    def _fresh(self, uid: int) -> Ranked:
        standing = Standing(uid, self._priority_of(uid), self.completions.get(uid))
        return Ranked(standing, self._rank(standing))

    def _place(self, request: LoadRequest) -> tuple[int, ...]:
        return (*self._uids[request.key.uid].rank, *seniority(request))

    def _enter(self, request: LoadRequest) -> None:
        key = request.key
        self.requests = self.requests.with_entry(key, request)
        if key.uid not in self._uids:
            self._uids = self._uids.with_entry(key.uid, self._fresh(key.uid))
        place = self._place(request)
        cool = self.may_hold(key.uid)
        if request.state is State.LOADED and not cool:
            self.too_hot = self.too_hot.with_entry(place, key)
        elif request.state is not State.UNLOADING and cool:
            line: Line = self.lines.get(request.size) or SortedMap()
            self.lines[request.size] = line.with_entry(place, key)
        if request.state in HOLDING:
            self.holders = self.holders.with_entry(place, key)
        kind = (request.state, request.size)
        self._tally[kind] = self._tally.get(kind, 0) + 1

    def _leave(self, request: LoadRequest, *, stays: bool = False) -> None:
        """Take a request out of every view; its uid, too, unless the request `stays` and comes back."""
        key, place = request.key, self._place(request)
        line = self.lines.get(request.size)
        if line is not None and place in line:
            self.lines[request.size] = line.without(place)
        if self.too_hot and place in self.too_hot:
            self.too_hot = self.too_hot.without(place)
        if request.state in HOLDING:
            self.holders = self.holders.without(place)
        self._tally[request.state, request.size] -= 1
        if not stays:
            self.requests = self.requests.without(key)
            following = next(self.requests.items_from((key.uid,)), None)
            if following is None or following[0].uid != key.uid:
                self._uids = self._uids.without(key.uid)
