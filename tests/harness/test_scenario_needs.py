"""Scenarios say what they need: what they do is held against it."""

from __future__ import annotations

import re

import pytest

from harness.catalogue import catalogue
from harness.record import event_from_json
from harness.run import Run, play

_MOVE = re.compile(r"(\S+) moves to importance (\S.*)")
_END = re.compile(r"(\S+) is (?:killed|removed)")
_FRONT = {"foreground", "100"}


@pytest.fixture(scope="module")
def played() -> Run:
    return play([entry.names[0] for entry in catalogue()], record=True, processes=2)


def test_two_apps_are_in_front_at_once_only_where_it_is_said(played: Run) -> None:
    found = {result.name for result in played.results if _most_in_front(result.events) > 1}
    said = {result.name for result in played.results if "two-in-front" in result.needs}
    assert found - said == set()


def _most_in_front(events: list[dict[str, object]]) -> int:
    """How many apps of a story are in front at the same time, at most."""
    in_front: set[str] = set()
    most = 0
    for event in map(event_from_json, events):
        if move := _MOVE.fullmatch(event.note):
            (in_front.add if move[2] in _FRONT else in_front.discard)(move[1])
        elif end := _END.fullmatch(event.note):
            in_front.discard(end[1])
        elif "restarts" in event.note:
            in_front.clear()
        most = max(most, len(in_front))
    return most
