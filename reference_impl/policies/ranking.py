"""Who comes before whom, and whom heat leaves on the NPU: pure functions."""

from __future__ import annotations

from collections.abc import Mapping

from reference_impl.constants import Importance, ThermalStatus
from reference_impl.policies.request_state import HOLDING
from reference_impl.policies.state import LoadRequest, Rank, Standing


def rank(standing: Standing) -> Rank:
    """The rank of a uid: by importance, and at equal importance by how long ago its work last completed.

    Never is longer ago than any. Two uids that never completed work have one rank, and neither may take from
    the other (CTS, testNpuModelManager_turnTakingPolicy at equal importance: the newcomer is not
    prioritized).
    """
    # Ticks begin at 1.
    return standing.priority, standing.completed or 0


def seniority(request: LoadRequest) -> tuple[bool, int, int]:
    """Orders requests whose uids are of equal rank, the first to be served first.

    Who holds budget keeps it: without that, re-evaluation could make two equals take turns for ever. Then the
    app's own model priority, then the order of arrival.
    """
    return (request.state not in HOLDING, request.priority, request.arrival)


NOBODY = -1

HEAT_LIMITS: Mapping[int, int] = {
    ThermalStatus.SEVERE: Importance.PERCEPTIBLE,
    ThermalStatus.CRITICAL: Importance.FOREGROUND_SERVICE,
    ThermalStatus.EMERGENCY: NOBODY,
    ThermalStatus.SHUTDOWN: NOBODY,
}
"""By thermal status, the largest priority number that may still have a model on the NPU. The documentation
only says that a spike makes the service ask for unloads; who is asked is this project's own contract."""

HOTTEST = max(HEAT_LIMITS)


def is_hot(thermal: int) -> bool:
    """Whether a thermal status takes models off the NPU."""
    return thermal >= min(HEAT_LIMITS)


def heat_leaves(thermal: int, priority: int) -> bool:
    """Whether a uid of this priority may have a model on the NPU at this thermal status."""
    return not is_hot(thermal) or priority <= HEAT_LIMITS[min(thermal, HOTTEST)]
