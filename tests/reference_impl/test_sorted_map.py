"""The sorted mapping that is a value."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_impl.policies.sorted_map import BLOCK, SortedMap

keys = st.integers(0, 300)


def filled(entries: dict[int, str]) -> SortedMap[int, str]:
    found: SortedMap[int, str] = SortedMap()
    for key, value in entries.items():
        found = found.with_entry(key, value)
    return found


@given(st.lists(st.tuples(st.booleans(), keys)))
def test_does_what_a_dict_does_and_keeps_order(steps: list[tuple[bool, int]]) -> None:
    ours = filled({})
    theirs: dict[int, str] = {}
    for number, (adds, key) in enumerate(steps):
        if adds:
            ours, theirs = ours.with_entry(key, str(number)), {**theirs, key: str(number)}
        elif key in theirs:
            ours = ours.without(key)
            del theirs[key]
        else:
            with pytest.raises(KeyError):
                ours.without(key)
    assert ours == theirs
    assert list(ours) == sorted(theirs)
    assert list(reversed(ours)) == sorted(theirs, reverse=True)
    assert len(ours) == len(theirs)


def test_many_blocks_come_and_go() -> None:
    order = list(range(BLOCK * 20))
    Random(1).shuffle(order)
    full = filled({key: str(key) for key in order})
    assert list(full) == sorted(order)
    assert [key for key, _ in full.items_from(500)] == list(range(500, BLOCK * 20))
    assert [key for key, _ in full.items_from(-1)] == sorted(order)
    assert list(full.items_from(BLOCK * 20)) == []
    rest = full
    for key in order:
        assert rest[key] == str(key)
        rest = rest.without(key)
        assert key not in rest
    assert len(rest) == 0
    assert list(rest.items_from(0)) == []
    assert list(full) == sorted(order), "what others were made of is as it was"


def test_a_change_leaves_the_one_before_as_it_was() -> None:
    one = filled({1: "a", 2: "b"})
    assert dict(one.with_entry(1, "c").without(2)) == {1: "c"}
    assert dict(one) == {1: "a", 2: "b"}
    with pytest.raises(KeyError):
        one[3]
