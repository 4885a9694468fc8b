"""What a policy remembers, and how it finds what it needs without looking at everything.

Beside the requests themselves there are three views of them: who is in line for each size, in order of rank;
who holds budget, in order of rank; and how many there are of each state and size. `Turn` keeps them true.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from reference_impl.policies.events import RequestKey
from reference_impl.policies.request_state import State
from reference_impl.policies.sorted_map import SortedMap

Rank = tuple[int, int]
"""A uid's place: its importance, and among equals how long it has waited. The smaller comes first."""


@dataclass(frozen=True, slots=True)
class LoadRequest:
    """One open request. `arrival` orders requests: the smaller came first."""

    key: RequestKey
    size: int
    priority: int
    arrival: int
    state: State = State.PENDING_LOAD


@dataclass(frozen=True, slots=True)
class Standing:
    """What counts of a uid when it is ranked.

    `priority` is 0 for the most important to 1000. `completed` orders last completions of work, the greater
    the later; None if no work of the uid ever completed under the policy.
    """

    uid: int
    priority: int
    completed: int | None


class Ranked(NamedTuple):
    """A uid that has requests, and its rank."""

    standing: Standing
    rank: Rank


Line = SortedMap[tuple[int, ...], RequestKey]
"""Requests by rank of their uid, and then by what `ranking.seniority` says."""


@dataclass(frozen=True, slots=True)
class PolicyState:
    """All a policy remembers. A value: no step changes it.

    Attributes:
        requests: the open ones.
        completions: by uid, when work last completed. Only the order of completions matters, so the count
            `ticks` stands in for the monotonic clock, and two completions at one instant still have an order.
        thermal: the platform's thermal status.
        uids: those that have requests.
        lines: by size, who may be given budget or keep it.
        holders: who has budget.
        too_hot: who has a loaded model that heat leaves no room for.
        tally: how many requests there are of a state and a size.
    """

    requests: SortedMap[RequestKey, LoadRequest] = field(default_factory=SortedMap)
    completions: SortedMap[int, int] = field(default_factory=SortedMap)
    ticks: int = 0
    thermal: int = 0
    uids: SortedMap[int, Ranked] = field(default_factory=SortedMap)
    lines: Mapping[int, Line] = field(default_factory=dict)
    holders: Line = field(default_factory=SortedMap)
    too_hot: Line = field(default_factory=SortedMap)
    tally: Mapping[tuple[State, int], int] = field(default_factory=dict)
