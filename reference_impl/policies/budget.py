"""Budget: models may share the NPU as long as their weights stay within a cap.

Two rules answer every question, and both rank uids in the same way.

*Arrival.* A request that fits is admitted. Otherwise it may take from uids it outranks, the least important
first, and only if that makes enough room; else it is not prioritized and nothing is touched.

*Re-evaluation.* After anything that frees budget or changes importance, the cap is filled in order of rank:
the ideal set. Holders outside it make way, waiting requests inside it are served.

Three things keep the books straight while a model that was asked to unload is still there:

- it keeps its weight, so nobody is told CAN_LOAD_NOW before it is really gone;
- it has no claim to the future, so it is no candidate for the ideal set, and it is never asked twice;
- what it frees belongs to whoever ranks highest. A request told WAIT_FOR_UNLOAD holds its weight from that
  answer on, and a newcomer does not get the room that a waiting request which outranks it is about to be
  given.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from heapq import heapify, heappop, heapreplace

from binder import PersistableBundle
from reference_impl.constants import LoadStatus
from reference_impl.policies.base import Policy
from reference_impl.policies.events import CanLoad, PolicyArgumentError, RequestKey, RequestUnload
from reference_impl.policies.params import BudgetLimits, parse_limits
from reference_impl.policies.ranking import is_hot
from reference_impl.policies.request_state import HOLDING, RESIDENT, Event, State
from reference_impl.policies.state import Line, LoadRequest, Standing
from reference_impl.policies.turn import Turn

# Whose leaving costs an app least comes first: a model already on its way out, then those not loaded yet. The
# contract leaves the order within one uid open.
_LEAST_LOSS = (State.UNLOADING, State.WAIT_FOR_UNLOAD, State.PENDING_LOAD, State.LOADED)

_IN_MEMORY = frozenset({State.LOADED, State.UNLOADING})
_WAITING = frozenset({State.NOT_PRIORITIZED, State.WAIT_FOR_UNLOAD})


class BudgetPolicy(Policy):
    """The real arbiter. A policy that differs in who comes first overrides `rank` alone."""

    dump_name = "budget"
    limits: BudgetLimits

    def __init__(self, params: PersistableBundle | None = None) -> None:
        """Take weights and cap from the bundle of setPolicy; see `parse_limits`."""
        self.limits = parse_limits(params)

    def weight_of(self, size: int) -> int:
        """What a model of `size` weighs. Raises PolicyArgumentError for a size outside the enum."""
        try:
            return self.limits.weights[size]
        except KeyError:
            raise PolicyArgumentError(f"{size} is not a model size") from None

    def outranks(self, a: Standing, b: Standing) -> bool:
        """Whether uid `a` may take budget from uid `b`."""
        return self.rank(a) < self.rank(b)

    def check(self, event: CanLoad) -> None:
        """Refuse a size that has no weight."""
        self.weight_of(event.size)

    def admit(self, turn: Turn, request: LoadRequest) -> None:
        """Answer a new request, making room for it if its uid may."""
        replaced = bool(turn.actions)
        if not turn.may_hold(request.key.uid):
            turn.answer(request, LoadStatus.NOT_PRIORITIZED)
            if replaced:
                self.reconsider(turn)
            return
        missing = self._weight(turn, HOLDING) - self.limits.max_budget
        evicted = self._find_room(turn, request, missing) if missing > 0 else []
        for holder in evicted:
            if holder.state is State.LOADED:
                turn.request_unload(holder)
            elif holder.state is not State.UNLOADING:
                turn.end(holder, Event.COMPLETED_AS_CANCELLED)
        if any(holder.state in _IN_MEMORY for holder in evicted):
            turn.answer(request, LoadStatus.WAIT_FOR_UNLOAD)
        elif evicted or (missing <= 0 and not (replaced and self._lost_its_place(turn, request))):
            turn.answer(request, LoadStatus.CAN_LOAD_NOW)
        else:
            turn.answer(request, LoadStatus.NOT_PRIORITIZED)
        if replaced or any(holder.state not in _IN_MEMORY for holder in evicted):
            self.reconsider(turn)

    def reconsider(self, turn: Turn) -> None:
        """Re-evaluate: make the holders the ideal set, as far as that can be done now.

        An answer that has not changed is not repeated, and a CAN_LOAD_NOW is not taken back.
        """
        if self._is_at_rest(turn):
            return
        ideal = [turn.requests[key] for key in self._ideal_set(turn.lines)]
        chosen = {request.key for request in ideal}
        for request in list(turn.losing_holders()):
            if request.key in chosen:
                continue
            if request.state is State.LOADED:
                turn.request_unload(request)
            elif request.state in (State.PENDING_LOAD, State.WAIT_FOR_UNLOAD):
                turn.end(request, Event.COMPLETED_AS_CANCELLED)
        asked = any(isinstance(action, RequestUnload) for action in turn.actions)
        free = self.limits.max_budget - self._weight(turn, RESIDENT)
        for request in ideal:
            if request.state not in _WAITING:
                continue
            weight = self.weight_of(request.size)
            if weight <= free and not asked:
                turn.answer(request, LoadStatus.CAN_LOAD_NOW)
                free -= weight
            elif request.state is State.NOT_PRIORITIZED:
                turn.answer(request, LoadStatus.WAIT_FOR_UNLOAD)

    def work_completed(self, turn: Turn, uid: int) -> None:
        """Give an equally important uid that waits its turn.

        Re-evaluation follows when the unload is reported.

        A request told WAIT_FOR_UNLOAD does not count as waiting here: its room is already being made.
        """
        turn.stamp_completion(uid)
        if self._has_waiting_peer(turn, uid):
            for request in turn.requests_of(uid):
                if request.state is State.LOADED:
                    turn.request_unload(request)

    def _has_waiting_peer(self, turn: Turn, uid: int) -> bool:
        importance = self.rank(turn.standing(uid))[0]
        for line in turn.lines.values():
            for place, key in line.items_from((importance,)):
                if place[0] != importance:
                    break
                if key.uid != uid and turn.requests[key].state is State.NOT_PRIORITIZED:
                    return True
        return False

    def _is_at_rest(self, turn: Turn) -> bool:
        """Whether everybody who wants budget has it, and may keep it."""
        if is_hot(turn.thermal) or any(turn.count(_WAITING).values()):
            return False
        return self._weight(turn, HOLDING) <= self.limits.max_budget

    def _find_room(self, turn: Turn, request: LoadRequest, missing: int) -> list[LoadRequest]:
        """Requests of outranked uids whose leaving frees `missing`; none if they are not enough."""
        caller = turn.standing(request.key.uid)
        evicted: list[LoadRequest] = []
        for uid in _unique(holder.key.uid for holder in turn.losing_holders()):
            if uid == caller.uid:
                continue  # no app makes room for itself
            if not self.outranks(caller, turn.standing(uid)):
                break
            for holder in self._least_loss_first(turn.requests_of(uid)):
                evicted.append(holder)
                missing -= self.weight_of(holder.size)
                if missing <= 0:
                    return evicted if self._has_claim(turn, request) else []
        return []

    def _has_claim(self, turn: Turn, request: LoadRequest) -> bool:
        """Whether the room would be the newcomer's, and not that of somebody who waits and outranks it.

        The contract's walk over the uids asks holders only. The two differ after completed work, which
        changes ranks and has models unload before the re-evaluation that serves those who wait. Room taken in
        between would be taken from them, or lost again in that re-evaluation.
        """
        return request.key in self._ideal_set(turn.lines_if(request, State.NOT_PRIORITIZED))

    def _lost_its_place(self, turn: Turn, request: LoadRequest) -> bool:
        """Whether a request that replaced an older one of its app fits only because that one is gone.

        It stands where the older one stood, but budget that came free goes by rank.
        """
        return request.key not in self._ideal_set(turn.lines)

    def _ideal_set(self, lines: Mapping[int, Line]) -> list[RequestKey]:
        """Who would hold the budget if everybody could be moved at once, the first in rank first.

        One that does not fit is passed over, and smaller ones after it may still fit: asking them to leave
        would not help it. Neither will the next of its size fit, so nobody looks at them: this takes as many
        steps as there is room, however many wait.
        """
        room = self.limits.max_budget
        entries = {size: iter(line.items()) for size, line in lines.items() if line}
        heads = [(*next(entries[size]), size) for size in entries]
        heapify(heads)
        ideal: list[RequestKey] = []
        while heads:
            _, key, size = heads[0]
            weight = self.weight_of(size)
            following = next(entries[size], None) if weight <= room else None
            if weight <= room:
                ideal.append(key)
                room -= weight
            if following is None:
                heappop(heads)
            else:
                heapreplace(heads, (*following, size))
        return ideal

    def _weight(self, turn: Turn, states: Collection[State]) -> int:
        return sum(self.weight_of(size) * number for size, number in turn.count(states).items())

    @staticmethod
    def _least_loss_first(requests: Iterable[LoadRequest]) -> list[LoadRequest]:
        """The requests that hold budget; first those an app misses least: background, then newest."""
        return sorted(
            (request for request in requests if request.state in HOLDING),
            key=lambda request: (_LEAST_LOSS.index(request.state), -request.priority, -request.arrival),
        )


def _unique(uids: Iterable[int]) -> Iterator[int]:
    """Each uid once, where it comes first."""
    seen: set[int] = set()
    for uid in uids:
        if uid not in seen:
            seen.add(uid)
            yield uid
