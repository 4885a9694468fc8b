"""Where a policy that was tried tells other stories than Budget."""

from __future__ import annotations

from .compare import compare
from .run import Difference, Run


def differences(ours: Run, theirs: Run) -> list[Difference]:
    """One for every scenario of both runs that differs, by name: the first thing."""
    pairs = sorted(compare(ours, theirs).differing, key=lambda pair: pair.name)
    return [
        Difference(pair.name, pair.parting.process if pair.parting else "the scenario", *pair.told())
        for pair in pairs
    ]
