"""Who comes before whom: pure comparisons.

The Budget policy has a method for each, so that one can be replaced.
"""

from __future__ import annotations

from dataclasses import dataclass

from reference_impl.policies.base import LoadRequest
from reference_impl.policies.request_state import HOLDING


@dataclass(frozen=True, slots=True)
class Standing:
    """What counts of a uid when it is ranked.

    `priority` is 0 for the most important to 1000. `completed` orders last completions of work, the greater
    the later; None if no work of the uid ever completed under the policy.
    """

    uid: int
    priority: int
    completed: int | None


def is_more_important(a: Standing, b: Standing) -> bool:
    """Whether `a` comes before `b` by priority alone; the smaller number is the more important one."""
    return a.priority < b.priority


def completed_longer_ago(a: Standing, b: Standing) -> bool:
    """Whether the last completed work of `a` is older than that of `b`; never is older than any.

    Strict: of two uids that never completed work, neither has waited longer (CTS,
    testNpuModelManager_turnTakingPolicy at equal importance: the newcomer is not prioritized).
    """
    if b.completed is None:
        return False
    return a.completed is None or a.completed < b.completed


def seniority(request: LoadRequest) -> tuple[bool, int, int]:
    """Orders requests whose uids are of equal rank, the first to be served first.

    Who holds budget keeps it: without that, re-evaluation could make two equals take turns for ever. Then the
    app's own model priority, then the order of arrival.
    """
    return (request.state not in HOLDING, request.priority, request.arrival)
