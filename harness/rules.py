"""The public rules that scenarios are to cover, as data, and which scenarios do.

A rule is covered by a scenario that says so in `@covers`, in the words of the table. Rules of CTS, VTS and
Mobly bear the name of the public test; the others are what the protocol states and those do not test.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .catalogue import Entry

CTS, MOBLY, VTS, HAL, SERVICE = "CTS", "Mobly", "VTS", "HAL beyond VTS", "service beyond CTS"

_CTS = "CTS CtsNpuModelManagerTest"
_VTS = "VTS VtsHalNpuSchedulingTargetTest"


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule: where it is from, and the words that scenarios cover it with, any of which will do."""

    origin: str
    text: str
    words: tuple[str, ...] = ()

    def covered_by(self, entries: Sequence[Entry]) -> list[str]:
        """Names of the scenarios that cover it."""
        words = {self.text, *self.words}
        return [entry.name for entry in entries if words & set(entry.covers)]

    def as_json(self, entries: Sequence[Entry]) -> dict[str, Any]:
        return {"origin": self.origin, "rule": self.text, "scenarios": self.covered_by(entries)}


def _rules(origin: str, prefix: str, *texts: str) -> tuple[Rule, ...]:
    return tuple(Rule(origin, f"{prefix}: {text}") for text in texts)


RULES: tuple[Rule, ...] = (
    *_rules(
        CTS,
        _CTS,
        "setPolicy without permission",
        "status-quo grant, then cancel",
        "turn-taking preemption by a foreground app",
        "turn-taking at equal importance after a finished inference",
        "budget preemption",
        "two apps, the first never reports loaded",
        "foreground app killed, budget",
        "foreground app killed, turn-taking",
        "a pending background request cancelled by a foreground one",
        "cap too small for a large model",
        "cap for two large models",
        "illegal cap",
    ),
    *_rules(
        MOBLY,
        "CTS cts_npu_manager_test (Mobly)",
        "foreground inference finishes before an earlier background one",
    ),
    *_rules(
        VTS,
        _VTS,
        "valid set",
        "invalid priority",
        "duplicate uid",
        "valid update",
        "a callback may be set",
        "a null callback is legal",
        "one inference gives exactly requested, started and ended",
        "a higher job priority gives a lower effective number",
        "a later job of high priority finishes before an earlier one of low priority",
        "without direct access an inference fails",
        "attribution without the right fails",
        "a device that declares the feature has the HAL",
    ),
    *_rules(
        HAL,
        "HAL",
        "setSchedulingConfigs replaces the table, updateSchedulingConfigs adds to it",
        "an empty array clears the table",
        "a refused call leaves the table as it was",
        "attributed work names both uids and has the priority of the one in whose name it is",
        "without direct access, work still runs through an intermediary",
        "a dead callback is forgotten, and another may be set",
        "one callback only; a later call replaces it",
        "tells version 1 and its hash",
        "a bad parcel is refused, and nothing else happens",
        "jobs of one effective priority run in the order of their arrival",
        "several devices work side by side, and reports say which",
    ),
    *_rules(
        HAL,
        "HAL debouncing",
        "a request less than 50 ms after the uid's last end is suppressed, a later one not",
        "a request while work of the uid is going on is suppressed, and its start with it",
        "an end is told when 50 ms have passed without a new request of the uid",
        "is by uid; one app's work does not hide another's",
    ),
    *_rules(
        HAL,
        "HAL preemption",
        "who makes way is PAUSED and RESUMED later, as the same job",
        "a job that is preempted for good ends as CANCELLED_SYSTEM",
        "is a HAL's own choice; without it, the more important job is next",
    ),
    *_rules(
        SERVICE,
        "HAL restart",
        "no request is lost, whatever state it is in",
        "what apps do while there is no HAL is done",
        "under load nothing is lost: every change of importance reaches the last HAL",
    ),
    *_rules(
        SERVICE,
        "HAL revision",
        "version 1 with an unknown hash is used, with a warning that names the hash",
        "another version is refused with the reason, and arbitration goes on",
        "the early one, whose callback begins with onIdle, is refused by name",
    ),
    Rule(SERVICE, "Budget: default weights 1, 2 and 4, cap 4"),
    Rule(SERVICE, "TurnTaking: every size weighs 1 and the cap is 1"),
    Rule(SERVICE, "TurnTaking: a background app that asks while a foreground app has not loaded yet"),
    Rule(SERVICE, "Budget tie-break: of two that never completed work, the newcomer loses"),
    Rule(SERVICE, "setPolicy: an unknown policy is an illegal argument, and the old one stays"),
    Rule(SERVICE, "shell: no arguments, help and -h print the usage"),
    Rule(SERVICE, "shell: info prints what dumpsys prints"),
    Rule(SERVICE, "createAllocator: unsupported on a device without /dev/wrapfd"),
    Rule(SERVICE, "requests: a third priority is kept as it comes; an unknown size is refused"),
    Rule(SERVICE, "thermal: at severe the least important holders are asked to unload, under every policy"),
    Rule(SERVICE, "fairness: over a long run each of many equals has as many turns as the others"),
    Rule(SERVICE, "storm: of a thousand apps that ask, as many are granted as fit; each is answered once"),
    Rule(
        SERVICE,
        "flags: every combination",
        (
            "flags: enabled, the HAL is told of apps; the other flag says who is blocked",
            "flags: disabled, the HAL is told nothing, whatever the other flag says, and blocks nobody",
        ),
    ),
)


def uncovered(entries: Sequence[Entry]) -> list[Rule]:
    """The rules that no scenario covers."""
    return [rule for rule in RULES if not rule.covered_by(entries)]


def coverage(entries: Sequence[Entry]) -> str:
    """One line: by origin, how many of the rules are covered."""
    missing = uncovered(entries)
    origins = dict.fromkeys(rule.origin for rule in RULES)
    parts = []
    for origin in origins:
        total = sum(rule.origin == origin for rule in RULES)
        parts.append(f"{origin} {total - sum(rule.origin == origin for rule in missing)} of {total}")
    return f"public rules covered: {', '.join(parts)}"
