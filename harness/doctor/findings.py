"""What the doctor says: findings, and tiers of what can be played."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any


class Level(Enum):
    """How a finding is meant."""

    OK = "ok"
    ABSENT = "absent"
    """Not there, and need not be: what needs it is skipped."""
    WARNING = "warning"
    FAILURE = "failure"
    """Against a rule that the device has to keep, or a contradiction."""
    UNKNOWN = "unknown"
    """The device does not tell."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing about a device.

    Attributes:
        subject: what it is about; the same for every device.
        says: what was found, for people.
        remedy: what to do about it; empty if nothing.
    """

    subject: str
    level: Level
    says: str
    remedy: str = ""

    def as_json(self) -> dict[str, Any]:
        return {
            "subject": self.subject,
            "level": self.level.value,
            "says": self.says,
            **({"remedy": self.remedy} if self.remedy else {}),
        }


@dataclass(frozen=True, slots=True)
class Tier:
    """A way to play scenarios.

    Attributes:
        gives: what scenarios get by it.
        why: what it was tried with if it is available, what stands in its way if not.
        remedy: what would make it available.
    """

    name: str
    gives: str
    available: bool
    why: str
    remedy: str = ""

    def as_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "gives": self.gives,
            "available": self.available,
            "why": self.why,
            **({"remedy": self.remedy} if self.remedy else {}),
        }
