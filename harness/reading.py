"""Runs that were written to a file, read again, in whichever format there has been."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from .divergence import Divergence
from .environment import Environment
from .record import event_from_json
from .record_schema import FORMAT_NAME, FORMAT_NUMBER, faults
from .run import Difference, Result, Run

_NOT_A_RUN = "is no record of a run, which harness run --json writes"


class ReadingError(Exception):
    """A file is no record of a run. The message says which file, and why."""


def read_run(path: Path) -> Run:
    """The run that a file has, in whichever format.

    Raises:
        ReadingError: it cannot be read, or is no such file.
    """
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ReadingError(f"cannot read {path}: {error.strerror}") from None
    except (ValueError, RecursionError):
        raise ReadingError(f"{path} {_NOT_A_RUN}") from None
    try:
        return run_from_json(data)
    except ReadingError as error:
        raise ReadingError(f"{path} {error}") from None


def run_from_json(data: Any) -> Run:
    """The run that `as_json` made, now or in an earlier version. Raises `ReadingError`."""
    newest = upgraded(data)
    if fault := next(faults(newest), None):
        raise ReadingError(f"{_NOT_A_RUN}, or a damaged one: {fault}")
    environment = dict(newest["environment"])
    results = [_result(scenario) for scenario in newest["scenarios"]]
    return Run(
        backend=environment.pop("backend"),
        seed=environment.pop("seed"),
        results=results,
        exit_code=1 if any(result.outcome == "failed" for result in results) else 0,
        wall_seconds=newest["wall_seconds"],
        differences=[Difference(**d) for d in newest["differences"]] if "differences" in newest else None,
        environment=Environment(**environment),
        wall_started=newest["wall_started"],
    )


def _result(scenario: Mapping[str, Any]) -> Result:
    known = dict(scenario)
    divergence = known.pop("divergence", None)
    known["divergence"] = None if divergence is None else Divergence.from_json(divergence)
    return Result(**known)


# --- formats --------------------------------------------------------------------------------------


def upgraded(data: Any) -> dict[str, Any]:
    """A file's data in the newest format. Raises `ReadingError` for what is in none of them."""
    number = _number(data)
    if number > FORMAT_NUMBER:
        raise ReadingError(
            f"is of format {number}, and this npukit reads formats up to {FORMAT_NUMBER}; use a newer npukit"
        )
    for step in range(number, FORMAT_NUMBER):
        data = UPGRADES[step](data)
    found: dict[str, Any] = data
    return found


def _number(data: Any) -> int:
    if isinstance(data, dict):
        match data.get("format"):
            case {"name": name, "number": int(number)} if name == FORMAT_NAME and number > 1:
                return number
            case None if "npukit" in data and isinstance(data.get("scenarios"), list):
                return 1  # had no number yet
    raise ReadingError(_NOT_A_RUN)


def _from_1(data: dict[str, Any]) -> dict[str, Any]:
    """Format 1 had no environment but backend, seed and npukit's version, and events had no kind."""
    moved = ("npukit", "backend", "seed", "scenarios")
    rest = {key: value for key, value in data.items() if key not in moved}
    nothing = {"python": "", "policy": "", "interfaces": {}, "devices": {}}
    return {
        "format": {"name": FORMAT_NAME, "number": 2},
        "environment": {key: data.get(key) for key in ("backend", "seed", "npukit")} | nothing,
        **rest,
        "scenarios": [_scenario_from_1(scenario) for scenario in data["scenarios"]],
    }


def _scenario_from_1(scenario: Any) -> Any:
    try:
        events = [event_from_json(event).as_json() for event in scenario["events"]]
        return {**scenario, "wall_began": 0.0, "events": events}
    except (TypeError, KeyError, AttributeError):
        raise ReadingError(f"{_NOT_A_RUN}, or a damaged one") from None


UPGRADES: dict[int, Callable[[dict[str, Any]], dict[str, Any]]] = {1: _from_1}
"""By the number of a format, what makes the next one of it."""
