"""Runs that were written to a file, read again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from .run import Result, Run


class ReadingError(Exception):
    """A file is no record of a run. The message says which file, and why."""


def read_run(path: Path) -> Run:
    """The run that `harness run --json` wrote. Wall-clock values that a record may lack are 0.

    Raises:
        ReadingError: it cannot be read, or it is something else.
    """
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ReadingError(f"cannot read {path}: {error.strerror}") from None
    except ValueError as error:
        raise ReadingError(
            f"{path} is no record of a run, which harness run --json writes: {error}"
        ) from None
    try:
        return _run(data)
    except (KeyError, TypeError, AttributeError) as error:
        raise ReadingError(
            f"{path} is no record of a run, which harness run --json writes: {error!r}"
        ) from None


def _run(data: dict[str, Any]) -> Run:
    results = [_result(entry) for entry in data["scenarios"]]
    failed = any(result.outcome == "failed" for result in results)
    return Run(
        backend=data["backend"],
        seed=data["seed"],
        results=results,
        exit_code=int(failed),
        wall_seconds=data.get("wall_seconds", 0.0),
    )


def _result(data: dict[str, Any]) -> Result:
    return Result(
        name=data["name"],
        covers=list(data["covers"]),
        needs=list(data["needs"]),
        outcome=data["outcome"],
        reason=data.get("reason", ""),
        where=data.get("where", ""),
        virtual_seconds=data.get("virtual_seconds", 0.0),
        wall_seconds=data.get("wall_seconds", 0.0),
        events=list(data["events"]),
    )
