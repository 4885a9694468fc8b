"""What every policy is: a function from (state, event) to (state, actions).

A policy never calls anybody and never reads a clock. The service turns calls into events and carries the
actions out; tests do the same without a service. A policy knows importance only through the function it is
handed.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar, assert_never

from binder import PersistableBundle
from reference_impl.policies import ranking
from reference_impl.policies.events import (
    Action,
    Cancel,
    CanLoad,
    ClientDied,
    ImportanceChanged,
    Loaded,
    PolicyEvent,
    RequestKey,
    ThermalChanged,
    Unloaded,
    WorkEnded,
)
from reference_impl.policies.params import BudgetLimits
from reference_impl.policies.request_state import Event, State
from reference_impl.policies.state import LoadRequest, PolicyState, Rank, Standing
from reference_impl.policies.turn import PriorityOf, Turn


class Policy(ABC):
    """Decides who may load a model. Objects hold settings only; what happened is in the PolicyState.

    Policies differ in `admit`, and may use the hooks after it. See docs/policies.md for writing one.
    """

    dump_name: ClassVar[str]
    """How a dump calls the policy."""

    limits: BudgetLimits | None = None
    """What a dump shows of limits, if there are any."""

    @abstractmethod
    def __init__(self, params: PersistableBundle | None = None) -> None:
        """Take the parameters given to setPolicy. Raises PolicyArgumentError if they make no sense."""

    @abstractmethod
    def admit(self, turn: Turn, request: LoadRequest) -> None:
        """Answer a request that has just been opened."""

    def check(self, event: CanLoad) -> None:  # noqa: B027 - most policies refuse nothing
        """Raise PolicyArgumentError for a request that must not even be recorded."""

    def rank(self, standing: Standing) -> Rank:
        """The place of a uid among others, the smallest first; see `ranking.rank`."""
        return ranking.rank(standing)

    def reconsider(self, turn: Turn) -> None:
        """Budget, ranks or heat may have changed: find out who gains and who loses.

        Without a limit of its own, a policy loses only what heat takes.
        """
        too_hot = turn.too_hot
        for place in reversed(too_hot):
            turn.request_unload(turn.requests[too_hot[place]])

    def work_completed(self, turn: Turn, uid: int) -> None:  # noqa: B027 - most policies do not look at work
        """Work done in the name of `uid` completed."""

    def step(
        self, state: PolicyState, event: PolicyEvent, priority_of: PriorityOf
    ) -> tuple[PolicyState, tuple[Action, ...]]:
        """What follows from `event`. `state` is left as it is.

        Args:
            state: what the previous step returned, or `PolicyState()` for a policy just set.
            event: what happened. Calls about requests that their caller does not own change nothing.
            priority_of: the priority of a uid at this moment.

        Returns:
            The new state, and what the service has to do, in order.

        Raises:
            PolicyArgumentError: the request is refused, and nothing happened.
        """
        turn = Turn(state, priority_of, self.rank)
        match event:
            case CanLoad():
                self.check(event)
                self.admit(turn, turn.open(event))
            case Cancel(key):
                self._end(turn, key, Event.CANCEL)
            case Unloaded(key):
                self._end(turn, key, Event.UNLOADED)
            case Loaded(key):
                self._report_loaded(turn, key)
            case ImportanceChanged(uid):
                turn.rank_anew([uid])
                self.reconsider(turn)
            case ThermalChanged(status):
                turn.set_thermal(status)
                self.reconsider(turn)
            case ClientDied(uid):
                for request in turn.requests_of(uid):
                    turn.forget(request)
                self.reconsider(turn)
            case WorkEnded(uid, completed):
                if completed:
                    self.work_completed(turn, uid)
            case _:
                assert_never(event)
        return turn.result()

    def _end(self, turn: Turn, key: RequestKey, event: Event) -> None:
        request = turn.requests.get(key)
        if request is not None:
            turn.end(request, event)
            self.reconsider(turn)

    def _report_loaded(self, turn: Turn, key: RequestKey) -> None:
        request = turn.requests.get(key)
        if request is None:
            return
        turn.report_loaded(request)
        # An app that loads against the answer takes memory nobody accounted for: somebody has to make way. So
        # does one that is told to load in spite of the heat.
        if request.state is State.NOT_PRIORITIZED or not turn.may_hold(key.uid):
            self.reconsider(turn)
