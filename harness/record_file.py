"""The file that a run leaves, in the newest format; docs/record.md describes it, `reading` reads it."""

from __future__ import annotations

from typing import Any

from .record_schema import FORMAT_NAME, FORMAT_NUMBER
from .run import Run


def as_json(run: Run) -> dict[str, Any]:
    """A run as data, as docs/record.md describes it.

    Keys of wall-clock values begin with `wall_`; all else depends on the seed and the environment only.
    """
    here = run.environment
    return {
        "format": {"name": FORMAT_NAME, "number": FORMAT_NUMBER},
        "environment": {
            "backend": run.backend,
            "seed": run.seed,
            "npukit": here.npukit,
            "python": here.python,
            "policy": here.policy,
            "interfaces": here.interfaces,
            "devices": here.devices,
        },
        "wall_started": run.wall_started,
        "wall_seconds": round(run.wall_seconds, 6),
        "passed": run.count("passed"),
        "failed": run.count("failed"),
        "skipped": run.count("skipped"),
        **({} if run.differences is None else {"differences": [d.as_json() for d in run.differences]}),
        "scenarios": [result.as_json() for result in run.results],
    }
