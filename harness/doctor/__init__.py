"""What a device has, what can be played on it, and what to do about the rest.

`probe` asks the device, `rules` judges what it said without asking anything, `report` tells people.
"""

from __future__ import annotations

from .diagnosis import Diagnosis, diagnose
from .findings import Finding, Level, Tier

__all__ = ["Diagnosis", "Finding", "Level", "Tier", "diagnose"]
