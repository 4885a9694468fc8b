"""The comparisons that policies rank uids and requests with."""

from __future__ import annotations

import pytest

from reference_impl.policies.events import RequestKey
from reference_impl.policies.ranking import HEAT_LIMITS, NOBODY, heat_leaves, rank, seniority
from reference_impl.policies.request_state import State
from reference_impl.policies.state import LoadRequest, Standing


@pytest.mark.parametrize(("a", "b", "expected"), [(0, 1000, True), (100, 100, False), (125, 100, False)])
def test_the_smaller_number_is_the_more_important_one(a: int, b: int, expected: bool) -> None:
    assert (rank(Standing(1, a, None)) < rank(Standing(2, b, None))) is expected


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        (None, None, False),  # neither has waited longer
        (None, 1, True),
        (1, None, False),
        (1, 2, True),
        (2, 1, False),
        (2, 2, False),
    ],
)
def test_who_completed_longer_ago_comes_first_among_equals(
    a: int | None, b: int | None, expected: bool
) -> None:
    assert (rank(Standing(1, 100, a)) < rank(Standing(2, 100, b))) is expected


@pytest.mark.parametrize(
    ("thermal", "last"),
    [(0, 1000), (2, 1000), (3, 230), (4, 125), (5, NOBODY), (6, NOBODY), (7, NOBODY)],
)
def test_heat_leaves_the_more_important(thermal: int, last: int) -> None:
    assert [p for p in range(1001) if heat_leaves(thermal, p)] == list(range(last + 1))


def test_the_hotter_the_fewer() -> None:
    limits = [HEAT_LIMITS[status] for status in sorted(HEAT_LIMITS)]
    assert limits == sorted(limits, reverse=True)


def test_who_holds_budget_comes_first_then_model_priority_then_arrival() -> None:
    def request(arrival: int, priority: int, state: State) -> LoadRequest:
        return LoadRequest(RequestKey(1, arrival), 0, priority, arrival, state)

    rows = [
        request(4, 1000, State.LOADED),
        request(3, 0, State.NOT_PRIORITIZED),
        request(5, 0, State.NOT_PRIORITIZED),
        request(1, 1000, State.NOT_PRIORITIZED),
    ]
    assert sorted([rows[2], rows[3], rows[0], rows[1]], key=seniority) == rows
