"""Which revision of the HAL's interface a device speaks: by what it answers, then by names in its program.

What is not known is said to be unknown; nothing is guessed.
"""

from __future__ import annotations

from dataclasses import dataclass

from generated.android.hardware.npu import IScheduling

from .facts import Hal
from .findings import Finding, Level

FROZEN_VERSION, FROZEN_HASH = IScheduling.aidl.version, IScheduling.aidl.hash
NOT_FROZEN = "notfrozen"
"""What a build answers whose interface is still in development."""

SUBJECT = "HAL revision"


@dataclass(frozen=True, slots=True)
class Revision:
    """A revision that is no frozen one.

    Attributes:
        names: what a program has in it that was built against it, and no other has.
    """

    title: str
    names: frozenset[str]
    consequence: str


REVISIONS = (
    Revision(
        "the dialect of the documentation page",
        frozenset({"minPriority", "appPriority", "NpuUuid"}),
        "its SchedulingConfig has six fields and its WorkInfo an NpuUuid, so it cannot understand Android",
    ),
    Revision(
        "an early revision",
        frozenset({"ISchedulingCallback6onIdle"}),
        "its callback begins with onIdle, so every later method has another code",
    ),
)

NAMES = tuple(sorted(name for revision in REVISIONS for name in revision.names))
"""All names to look for in the HAL's program."""


def judge(hal: Hal) -> Finding:
    """Names the revision. The frozen one is fine; an unknown hash of its version is a loud warning."""
    version, answer = hal.version.value, hal.hash.value
    if version == FROZEN_VERSION and answer == FROZEN_HASH:
        return Finding(SUBJECT, Level.OK, f"version {version}, hash {answer}: the frozen interface")
    told = f"version {version}, hash {answer or 'not told'}"
    for revision in REVISIONS:
        if found := sorted(revision.names & hal.names.get(frozenset())):
            says = f"{told}: {revision.title}; its program has {', '.join(found)}; {revision.consequence}"
            return Finding(
                SUBJECT, Level.FAILURE, says, f"build the HAL against version {FROZEN_VERSION}, {FROZEN_HASH}"
            )
    if version is None:
        return Finding(SUBJECT, Level.UNKNOWN, f"it does not tell: {hal.version.problem}", "adb root")
    if version != FROZEN_VERSION:
        says = f"{told}: only version {FROZEN_VERSION} is known here"
        return Finding(SUBJECT, Level.FAILURE, says, "use a newer npukit, or another HAL")
    if answer == NOT_FROZEN:
        says = f"{told}: an interface in development, which may be any revision"
        return Finding(SUBJECT, Level.WARNING, says, f"build the HAL against the frozen {FROZEN_HASH}")
    says = f"{told}: NOT the known hash {FROZEN_HASH}; calls may be misunderstood"
    return Finding(SUBJECT, Level.WARNING, says, "compare its AIDL: codegen check-api")
