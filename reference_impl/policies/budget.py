"""Budget: models may share the NPU as long as their weights stay within a cap.

Two rules answer every question, and both rank uids with the same comparisons.

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

from collections.abc import Collection, Iterable
from dataclasses import replace
from functools import cmp_to_key

from binder import PersistableBundle
from reference_impl.constants import LoadStatus
from reference_impl.policies import ranking
from reference_impl.policies.base import (
    CanLoad,
    LoadRequest,
    Policy,
    PolicyArgumentError,
    RequestUnload,
    Turn,
)
from reference_impl.policies.params import BudgetLimits, parse_limits
from reference_impl.policies.ranking import Standing
from reference_impl.policies.request_state import HOLDING, RESIDENT, Event, State

# Whose leaving costs an app least comes first: a model already on its way out, then those not loaded yet. The
# contract leaves the order within one uid open.
_LEAST_LOSS = (State.UNLOADING, State.WAIT_FOR_UNLOAD, State.PENDING_LOAD, State.LOADED)

_IN_MEMORY = frozenset({State.LOADED, State.UNLOADING})
_WAITING = frozenset({State.NOT_PRIORITIZED, State.WAIT_FOR_UNLOAD})


class BudgetPolicy(Policy):
    """The real arbiter. A policy that differs in one comparison overrides that method alone."""

    dump_name = "budget"

    def __init__(self, params: PersistableBundle | None = None) -> None:
        """Take weights and cap from the bundle of setPolicy; see `parse_limits`."""
        self.limits: BudgetLimits = parse_limits(params)

    def weight_of(self, size: int) -> int:
        """What a model of `size` weighs. Raises PolicyArgumentError for a size outside the enum."""
        try:
            return self.limits.weights[size]
        except KeyError:
            raise PolicyArgumentError(f"{size} is not a model size") from None

    def is_more_important(self, a: Standing, b: Standing) -> bool:
        """Whether uid `a` comes before uid `b` by priority alone."""
        return ranking.is_more_important(a, b)

    def completed_longer_ago(self, a: Standing, b: Standing) -> bool:
        """Whether `a`, as important as `b`, has waited longer since its work last completed."""
        return ranking.completed_longer_ago(a, b)

    def outranks(self, a: Standing, b: Standing) -> bool:
        """Whether uid `a` may take budget from uid `b`."""
        if self.is_more_important(a, b):
            return True
        return not self.is_more_important(b, a) and self.completed_longer_ago(a, b)

    def check(self, event: CanLoad) -> None:
        """Refuse a size that has no weight."""
        self.weight_of(event.size)

    def admit(self, turn: Turn, request: LoadRequest) -> None:
        """Answer a new request, making room for it if its uid may."""
        replaced = bool(turn.actions)
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
        ideal = self._ideal_set(turn, turn.requests.values())
        chosen = {request.key for request in ideal}
        for request in [request for key, request in turn.requests.items() if key not in chosen]:
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
        standing = self._standing(turn, uid)
        if any(
            request.state is State.NOT_PRIORITIZED
            and self._are_peers(standing, self._standing(turn, key.uid))
            for key, request in turn.requests.items()
        ):
            for request in self._requests_of(turn, uid):
                if request.state is State.LOADED:
                    turn.request_unload(request)

    def _find_room(self, turn: Turn, request: LoadRequest, missing: int) -> list[LoadRequest]:
        """Requests of outranked uids whose leaving frees `missing`; none if they are not enough."""
        if not self._has_claim(turn, request):
            return []
        caller = self._standing(turn, request.key.uid)
        evicted: list[LoadRequest] = []
        for victim in reversed(self._ranked_uids(turn)):
            # No app makes room for itself. More important uids, with which the contract's walk ends, and the
            # equals that it skips are not outranked.
            if victim.uid == caller.uid or not self.outranks(caller, victim):
                continue
            for holder in self._least_loss_first(self._requests_of(turn, victim.uid)):
                evicted.append(holder)
                missing -= self.weight_of(holder.size)
                if missing <= 0:
                    return evicted
        return []

    def _has_claim(self, turn: Turn, request: LoadRequest) -> bool:
        """Whether the room would be the newcomer's, and not that of somebody who waits and outranks it.

        The contract's walk over the uids asks holders only. The two differ after completed work, which
        changes ranks and has models unload before the re-evaluation that serves those who wait. Room taken in
        between would be taken from them, or lost again in that re-evaluation.
        """
        newcomer = replace(request, state=State.NOT_PRIORITIZED)
        others = [other for other in turn.requests.values() if other.key != request.key]
        return newcomer in self._ideal_set(turn, [*others, newcomer])

    def _lost_its_place(self, turn: Turn, request: LoadRequest) -> bool:
        """Whether a request that replaced an older one of its app fits only because that one is gone.

        It stands where the older one stood, but budget that came free goes by rank.
        """
        return request not in self._ideal_set(turn, turn.requests.values())

    def _ideal_set(self, turn: Turn, requests: Iterable[LoadRequest]) -> list[LoadRequest]:
        """Who would hold the budget if everybody could be moved at once, the first in rank first.

        One that does not fit is passed over, and smaller ones after it may still fit: asking them to leave
        would not help it.
        """
        candidates = [request for request in requests if request.state is not State.UNLOADING]
        ranks = self._ranks(turn)
        room = self.limits.max_budget
        ideal: list[LoadRequest] = []
        for request in sorted(candidates, key=lambda r: (ranks[r.key.uid], ranking.seniority(r))):
            weight = self.weight_of(request.size)
            if weight <= room:
                ideal.append(request)
                room -= weight
        return ideal

    def _ranks(self, turn: Turn) -> dict[int, int]:
        """Each uid's place in the order of rank; uids of which none outranks the other share one."""
        ranks: dict[int, int] = {}
        place = 0
        before: Standing | None = None
        for standing in self._ranked_uids(turn):
            if before is not None and self._compare(before, standing):
                place += 1
            ranks[standing.uid] = place
            before = standing
        return ranks

    def _ranked_uids(self, turn: Turn) -> list[Standing]:
        standings = [self._standing(turn, uid) for uid in {key.uid: None for key in turn.requests}]
        return sorted(standings, key=cmp_to_key(self._compare))

    def _compare(self, a: Standing, b: Standing) -> int:
        if self.outranks(a, b):
            return -1
        return 1 if self.outranks(b, a) else 0

    def _are_peers(self, a: Standing, b: Standing) -> bool:
        return a.uid != b.uid and not self.is_more_important(a, b) and not self.is_more_important(b, a)

    def _weight(self, turn: Turn, states: Collection[State]) -> int:
        return sum(self.weight_of(r.size) for r in turn.requests.values() if r.state in states)

    @staticmethod
    def _standing(turn: Turn, uid: int) -> Standing:
        return Standing(uid, turn.priority_of(uid), turn.completions.get(uid))

    @staticmethod
    def _requests_of(turn: Turn, uid: int) -> list[LoadRequest]:
        return [request for key, request in turn.requests.items() if key.uid == uid]

    @staticmethod
    def _least_loss_first(requests: Iterable[LoadRequest]) -> list[LoadRequest]:
        """The requests that hold budget; first those an app misses least: background, then newest."""
        return sorted(
            (request for request in requests if request.state in HOLDING),
            key=lambda request: (_LEAST_LOSS.index(request.state), -request.priority, -request.arrival),
        )
