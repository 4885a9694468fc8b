"""The comparisons that policies rank uids and requests with."""

from __future__ import annotations

import pytest

from reference_impl.policies.base import LoadRequest, RequestKey
from reference_impl.policies.ranking import Standing, completed_longer_ago, is_more_important, seniority
from reference_impl.policies.request_state import State


@pytest.mark.parametrize(("a", "b", "expected"), [(0, 1000, True), (100, 100, False), (125, 100, False)])
def test_the_smaller_number_is_the_more_important_one(a: int, b: int, expected: bool) -> None:
    assert is_more_important(Standing(1, a, None), Standing(2, b, None)) is expected


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
def test_completed_longer_ago_is_strict(a: int | None, b: int | None, expected: bool) -> None:
    assert completed_longer_ago(Standing(1, 100, a), Standing(2, 100, b)) is expected


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
