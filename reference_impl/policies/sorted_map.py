"""A sorted mapping that is a value: changing one gives another, and the two share nearly everything.

Entries lie in blocks of bounded length. A change copies one block and the list of blocks, both of which the
interpreter does at memory speed, so ten thousand entries cost little more than a hundred.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping
from typing import Any, Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")

_ABSENT = object()

BLOCK = 64
"""Where a block becomes two."""


class SortedMap(Mapping[K, V], Generic[K, V]):
    """Keys must be comparable with each other. Iterates from the smallest key."""

    __slots__ = ("_blocks", "_firsts", "_length")

    def __init__(self) -> None:
        """An empty mapping."""
        self._firsts: list[Any] = []
        self._blocks: list[tuple[list[Any], list[V]]] = []
        self._length = 0

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[K]:
        for keys, _ in self._blocks:
            yield from keys

    def __reversed__(self) -> Iterator[K]:
        for keys, _ in reversed(self._blocks):
            yield from reversed(keys)

    def __getitem__(self, key: K) -> V:
        found = self._find(key)
        if found is _ABSENT:
            raise KeyError(key)
        value: V = found
        return value

    # Mapping's own would raise and catch an exception for every key that is not there.
    def __contains__(self, key: object) -> bool:
        return self._find(key) is not _ABSENT

    def _find(self, key: Any) -> Any:
        block = bisect_right(self._firsts, key) - 1
        if block >= 0:
            keys, values = self._blocks[block]
            place = bisect_left(keys, key)
            if place < len(keys) and keys[place] == key:
                return values[place]
        return _ABSENT

    def __repr__(self) -> str:
        return f"SortedMap({dict(self.items())})"

    def items_from(self, key: Any) -> Iterator[tuple[K, V]]:
        """Entries whose keys are not smaller than `key`, from the smallest."""
        first = max(bisect_right(self._firsts, key) - 1, 0)
        for number in range(first, len(self._blocks)):
            keys, values = self._blocks[number]
            place = bisect_left(keys, key) if number == first else 0
            yield from zip(keys[place:], values[place:], strict=True)

    def with_entry(self, key: K, value: V) -> SortedMap[K, V]:
        """This mapping with an entry added or replaced."""
        if not self._blocks:
            return self._with_blocks(0, 0, [([key], [value])], 1)
        number = max(bisect_right(self._firsts, key) - 1, 0)
        keys, values = self._blocks[number]
        place = bisect_left(keys, key)
        there = place < len(keys) and keys[place] == key
        keys = [*keys[:place], key, *keys[place + there :]]
        values = [*values[:place], value, *values[place + there :]]
        blocks = [(keys, values)]
        if len(keys) > BLOCK:
            half = len(keys) // 2
            blocks = [(keys[:half], values[:half]), (keys[half:], values[half:])]
        return self._with_blocks(number, 1, blocks, 0 if there else 1)

    def without(self, key: K) -> SortedMap[K, V]:
        """This mapping without an entry. Raises KeyError if there is none."""
        number = bisect_right(self._firsts, key) - 1
        keys, values = self._blocks[number] if number >= 0 else ([], [])
        place = bisect_left(keys, key)
        if place == len(keys) or keys[place] != key:
            raise KeyError(key)
        keys, values = [*keys[:place], *keys[place + 1 :]], [*values[:place], *values[place + 1 :]]
        return self._with_blocks(number, 1, [(keys, values)] if keys else [], -1)

    def _with_blocks(
        self, number: int, count: int, blocks: list[tuple[list[Any], list[V]]], change: int
    ) -> SortedMap[K, V]:
        """This mapping with other blocks in place of `count` of its own."""
        new: SortedMap[K, V] = SortedMap()
        end = number + count
        new._blocks = [*self._blocks[:number], *blocks, *self._blocks[end:]]
        new._firsts = [*self._firsts[:number], *(keys[0] for keys, _ in blocks), *self._firsts[end:]]
        new._length = self._length + change
        return new
