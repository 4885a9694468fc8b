"""A policy to start from: small models before large ones, whoever asks.

harness run --policy docs/examples/smallest_first.py:SmallestFirst
"""

from __future__ import annotations

from binder import PersistableBundle
from reference_impl.constants import LoadStatus
from reference_impl.policies import Policy
from reference_impl.policies.params import parse_limits
from reference_impl.policies.request_state import HOLDING, State
from reference_impl.policies.state import LoadRequest
from reference_impl.policies.turn import Turn


class SmallestFirst(Policy):
    """What fits is admitted; what does not waits its turn, the smallest first. Nobody is sent away."""

    dump_name = "smallestfirst"

    def __init__(self, params: PersistableBundle | None = None) -> None:
        self.limits = parse_limits(params)

    def admit(self, turn: Turn, request: LoadRequest) -> None:
        """Answer a new request."""
        if self._weight(turn, request) <= self._room(turn, besides=request):
            turn.answer(request, LoadStatus.CAN_LOAD_NOW)
        else:
            turn.answer(request, LoadStatus.NOT_PRIORITIZED)

    def reconsider(self, turn: Turn) -> None:
        """Offer what is free to those that wait."""
        super().reconsider(turn)
        waiting = [r for r in turn.requests.values() if r.state is State.NOT_PRIORITIZED]
        for request in sorted(waiting, key=lambda r: (r.size, r.arrival)):
            if self._weight(turn, request) <= self._room(turn):
                turn.answer(request, LoadStatus.CAN_LOAD_NOW)

    def _weight(self, turn: Turn, request: LoadRequest) -> int:
        return self.limits.weights.get(request.size, self.limits.max_budget)

    def _room(self, turn: Turn, besides: LoadRequest | None = None) -> int:
        used = sum(self._weight(turn, r) for r in turn.requests.values() if r.state in HOLDING)
        return self.limits.max_budget - used + (self._weight(turn, besides) if besides else 0)
