"""Who goes first."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from reference_impl.buffers.preemption import Importance, in_order

HELD = [
    (Importance(100, 500), 1, "foreground"),
    (Importance(400, 500), 2, "background"),
    (Importance(400, 500), 0, "background, older"),
    (Importance(400, 900), 3, "background, less wanted"),
    (Importance(1000, 0), 4, "gone"),
]


def test_less_important_owners_first_then_buffers_then_age() -> None:
    assert in_order(Importance(100, 0), HELD) == [
        *("gone", "background, less wanted", "background, older", "background", "foreground"),
    ]


def test_never_a_more_important_one() -> None:
    assert in_order(Importance(400, 600), HELD) == ["gone", "background, less wanted"]


importances = st.builds(Importance, st.integers(0, 3), st.integers(0, 3))


@given(importances, st.lists(st.tuples(importances, st.integers(0, 9)), max_size=8))
def test_whoever_goes_is_no_more_important_than_who_comes_after(
    wanted: Importance, entries: list[tuple[Importance, int]]
) -> None:
    order = in_order(wanted, [(importance, age, (importance, age)) for importance, age in entries])
    keys = [(-i.uid_priority, -i.buffer_priority, age) for i, age in order]
    assert keys == sorted(keys)
    assert all(importance >= wanted for importance, _ in order)
