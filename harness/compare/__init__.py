"""Two runs of the same scenarios, next to each other: what is the same, and where stories part."""

from __future__ import annotations

from .runs import Comparison, Only, Pair, compare
from .stories import Hearing, Parting, part

__all__ = ["Comparison", "Hearing", "Only", "Pair", "Parting", "compare", "part"]
