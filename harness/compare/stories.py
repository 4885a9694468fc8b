"""Where two stories of one scenario part.

Stories are compared process by process: what one says and hears, in its own order. Across processes, order
may depend on how many deliveries there were to choose from. What the system is asked is everybody's story.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from generated.android.hardware.npu import ISchedulingCallback

from ..record import Event, JsonValue
from ..story import line

EVERYBODY = "everybody"
_SERVICE, _HAL = "system_server", "npu-hal"

# HAL facts, Debouncing: reports of work may be held back for so long, so what comes within it has no order. A
# report that was held back needs a moment more to arrive.
WINDOW = ISchedulingCallback.DEBOUNCE_DURATION_MS / 1000 + 0.005

# Of work that the HAL reports, what is the HAL's own choice or a matter of time.
_BY_CHANCE = {"id", "debugPid", "timestampMs"}
_UIDS = {"uid", "originalUid"}
_FIRST_APP_UID = 10000

# How people reach the service: what they typed is a note, and what these carry is not decoded.
_OF_PEOPLE = {"DUMP", "SHELL_COMMAND"}
_DEAD = "DEAD_OBJECT"
_ANSWER = "IModelLoadCallback.onCanLoadModel"
_BINDER = re.compile(r".+'s \w+ #\d+")


@dataclass(frozen=True, slots=True)
class Hearing:
    """What two runs can be held against each other in.

    Attributes:
        alike: both were played at a place of the same kind, which names and hears everything the same way.
        hal: what service and HAL say to each other was heard in both.
    """

    alike: bool = True
    hal: bool = True


@dataclass(frozen=True, slots=True)
class Parting:
    """Where two stories part.

    Attributes:
        process: whose side of the story it is.
        events: in either story, which event is the first that the other has not; None where nothing follows.
        before: in either story, the last event of this side that both have; None if there is none.
    """

    process: str
    events: tuple[int | None, int | None]
    before: tuple[int | None, int | None]

    @property
    def index(self) -> int:
        """How early it is, counted in events."""
        return min(index for index in self.events if index is not None)

    def reached(self, ends: tuple[float, float], stories: tuple[Sequence[Event], Sequence[Event]]) -> bool:
        """Whether the one that has not the event went on for long enough to have it."""
        for side in (0, 1):
            index = self.events[1 - side]
            if self.events[side] is None and index is not None:
                return stories[1 - side][index].at <= ends[side]
        return True


@dataclass(frozen=True, slots=True)
class _Said:
    """An event in words that two runs have in common."""

    index: int
    at: float
    text: str
    work: JsonValue = None  # whose, if it is a report of the HAL's
    target: str = ""  # what is called, if the sender does not wait


def part(
    first: Sequence[Event],
    second: Sequence[Event],
    hearing: Hearing,
    ends: tuple[float, float] = (math.inf, math.inf),
) -> Parting | None:
    """The earliest place where two stories part; None if they tell the same.

    Args:
        first, second: the stories.
        hearing: what they can be compared in.
        ends: when either ended, in seconds since it began. What one had no time for is told only if there is
            no other difference: a scenario that fails ends early.
    """
    stories = first, second
    mine, other = _words(first, second, hearing)
    sides = _sides(first, mine), _sides(second, other)
    found = [
        parting
        for process in sorted({*sides[0], *sides[1]} - {EVERYBODY})
        if (
            parting := _part_of(
                process, sides[0].get(process, []), sides[1].get(process, []), alike=hearing.alike
            )
        )
    ]
    found.sort(key=lambda parting: (not parting.reached(ends, stories), parting.index))
    if found and not found[0].reached(ends, stories):
        # All say the same up to where one story ends, so something must have come at another time.
        together = _part_of(
            EVERYBODY, sides[0].get(EVERYBODY, []), sides[1].get(EVERYBODY, []), alike=hearing.alike
        )
        if together is not None and together.reached(ends, stories):
            return together
    return found[0] if found else None


def in_common_words(
    first: Sequence[Event], second: Sequence[Event], hearing: Hearing
) -> tuple[list[str], list[str]]:
    """Each event of two stories as it is compared: without what differs from run to run."""
    mine, other = _words(first, second, hearing)
    return [mine.of(event) for event in first], [other.of(event) for event in second]


def _part_of(process: str, first: Sequence[_Said], second: Sequence[_Said], *, alike: bool) -> Parting | None:
    mine, other = list(first), list(second)
    if not alike:
        _without_loose_end(mine, other)
    at = 0
    while at < len(mine) or at < len(other):
        if at == len(mine) or at == len(other) or not _agree(mine, other, at):
            return Parting(process, _indexes(mine, other, at), _indexes(mine, other, at - 1))
        at += 1
    return None


def _agree(mine: list[_Said], other: list[_Said], at: int) -> bool:
    """Whether both say the same there, or may as well have done so."""
    if mine[at].text == other[at].text:
        return True
    return _bring(mine, at, other[at].text) or _bring(other, at, mine[at].text)


def _bring(side: list[_Said], at: int, text: str) -> bool:
    """Moves what says `text` forward to a place, if it might as well have come there."""
    for index in range(at + 1, len(side)):
        if side[index].at - side[at].at > WINDOW:
            return False
        if side[index].text == text:
            if all(_unordered(earlier, side[index]) for earlier in side[at:index]):
                side.insert(at, side.pop(index))
                return True
            return False
    return False


def _unordered(one: _Said, other: _Said) -> bool:
    """Whether two events have no order.

    So have a report of work and what is no report of the same work, and two calls that nobody waits for to
    different objects: the driver keeps the order of those to one.
    """
    return one.work != other.work or bool(one.target and other.target and one.target != other.target)


def _indexes(mine: Sequence[_Said], other: Sequence[_Said], at: int) -> tuple[int | None, int | None]:
    def index(side: Sequence[_Said]) -> int | None:
        return side[at].index if 0 <= at < len(side) else None

    return index(mine), index(other)


def _sides(events: Sequence[Event], words: _Words) -> dict[str, list[_Said]]:
    """By process, the calls it has made or served; all there were for `EVERYBODY`."""
    sides: dict[str, list[_Said]] = {}
    for index, event in enumerate(events):
        if event.method and words.heard(event):
            target = event.target if event.oneway else ""
            said = _Said(index, event.at, words.of(event), _work(event), target)
            for process in {event.sender, event.receiver, EVERYBODY} - {_SERVICE}:
                sides.setdefault(process, []).append(said)
    if words.hearing.alike:
        return sides
    # A device may repeat an answer whenever it reconsiders.
    return {process: list(_without_repeats(side, events)) for process, side in sides.items()}


def _without_loose_end(first: list[_Said], second: list[_Said]) -> None:
    """Takes away the reports with which only the longer one ends: nobody waited for them."""
    longer, length = (first, len(second)) if len(first) > len(second) else (second, len(first))
    while len(longer) > length and longer[-1].work is not None:
        longer.pop()


def _without_repeats(side: Sequence[_Said], events: Sequence[Event]) -> Iterator[_Said]:
    for _, same in groupby(side, key=lambda said: said.text):
        first, *more = same
        yield first
        if events[first.index].method != _ANSWER:
            yield from more


def _work(event: Event) -> JsonValue:
    """Whose work the HAL reports; None if it is no report."""
    if event.method.partition(".")[0] != "ISchedulingCallback":
        return None
    info = event.arguments.get("workInfo", event.arguments.get("info"))
    return [info.get(key) for key in sorted(_UIDS)] if isinstance(info, dict) else None


class _Words:
    """What a story says, without what differs from run to run.

    Args:
        hearing: what is compared.
        names: of uids that both runs can name.
    """

    def __init__(self, hearing: Hearing, names: Mapping[int, str]) -> None:
        self.hearing = hearing
        self._apps = dict(names)
        self._unknown = 0

    def heard(self, event: Event) -> bool:
        """Whether both runs would have heard it."""
        if {event.sender, event.receiver} == {_SERVICE, _HAL}:
            return self.hearing.hal
        if self.hearing.alike:
            return True
        # A driver tells who calls the dead, and nobody else.
        return event.method.rpartition(".")[2] not in _OF_PEOPLE and not event.error.startswith(_DEAD)

    def of(self, event: Event) -> str:
        """An event in words that do not depend on the run."""
        by_chance = _BY_CHANCE if _work(event) is not None else set()
        arguments = {
            key: self._plain(value, by_chance)
            for key, value in event.arguments.items()
            if key not in by_chance
        }
        return line(replace(event, arguments=arguments))

    def _plain(self, value: JsonValue, by_chance: set[str]) -> JsonValue:
        if isinstance(value, Mapping):
            return {
                key: self._app(item) if key in _UIDS else self._plain(item, by_chance)
                for key, item in value.items()
                if key not in by_chance
            }
        if isinstance(value, list):
            return [self._plain(item, by_chance) for item in value]
        if isinstance(value, str) and not self.hearing.alike and _BINDER.fullmatch(value):
            return "a binder"  # all that is known of those that service and HAL exchange on a device
        return value

    def _app(self, uid: JsonValue) -> JsonValue:
        """Apps get other uids on another device: what counts is which one of the story it is."""
        if not isinstance(uid, int) or uid < _FIRST_APP_UID:
            return uid
        if uid not in self._apps:
            self._unknown += 1
            self._apps[uid] = f"app {self._unknown}"
        return self._apps[uid]


def _words(first: Sequence[Event], second: Sequence[Event], hearing: Hearing) -> tuple[_Words, _Words]:
    """The words of either story. Who calls in both goes by its label, a uid of both by itself."""
    labels = _labels(first), _labels(second)
    common = set(labels[0].values()) & set(labels[1].values())
    same = {uid: str(uid) for uid in _uids(first) & _uids(second)}
    mine, other = (
        _Words(hearing, same | {uid: label for uid, label in known.items() if label in common})
        for known in labels
    )
    return mine, other


def _labels(story: Sequence[Event]) -> dict[int, str]:
    return {event.sender_uid: event.sender for event in story if event.sender_uid is not None}


def _uids(story: Sequence[Event]) -> set[int]:
    """Every uid that is mentioned."""
    found: set[int] = set()

    def look(value: JsonValue) -> None:
        if isinstance(value, Mapping):
            found.update(uid for key in _UIDS if isinstance(uid := value.get(key), int))
            for item in value.values():
                look(item)
        elif isinstance(value, list):
            for item in value:
                look(item)

    for event in story:
        look(event.arguments)
    return found
