"""Playing scenarios: one pytest run, gathered as results."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO

import pytest

from . import scenarios
from .plugin import REPORT_ATTRIBUTE

SCENARIO_FOLDER = Path(scenarios.__file__).parent


@dataclass(slots=True)
class Result:
    """How one scenario went.

    Attributes:
        outcome: "passed", "failed" or "skipped".
        reason: why it failed or was skipped.
        where: the scenario's own line that failed.
        virtual_seconds: how long it took on the backend's clock.
        wall_seconds: how long it took here.
        events: what happened, as JSON, if it was recorded.
        detail: a failure's traceback, for faults that are not the scenario's.
    """

    name: str
    covers: list[str] = field(default_factory=list)
    needs: list[str] = field(default_factory=list)
    outcome: str = "passed"
    reason: str = ""
    where: str = ""
    virtual_seconds: float = 0.0
    wall_seconds: float = 0.0
    events: list[dict[str, Any]] = field(default_factory=list)
    detail: str = ""

    def as_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "outcome": self.outcome,
            "covers": self.covers,
            "needs": self.needs,
            **({"reason": self.reason} if self.reason else {}),
            **({"where": self.where} if self.where else {}),
            "virtual_seconds": self.virtual_seconds,
            "wall_seconds": round(self.wall_seconds, 6),
            "events": self.events,
        }


@dataclass(slots=True)
class Run:
    """A whole run. `exit_code` is 0 if all passed, 1 for failures, 2 if it could not be started."""

    backend: str
    seed: int
    results: list[Result]
    exit_code: int
    wall_seconds: float
    problems: list[str] = field(default_factory=list)

    def count(self, outcome: str) -> int:
        return sum(result.outcome == outcome for result in self.results)


class _Gatherer:
    """Collects reports as they come in; with xdist they come from the workers."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self.results: dict[str, Result] = {}
        self.problems: list[str] = []
        self.interrupted = False

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        facts: dict[str, Any] | None = getattr(report, REPORT_ATTRIBUTE, None)
        if facts is None:
            return
        result = self.results.setdefault(
            report.nodeid, Result(facts["name"], facts["covers"], facts["needs"])
        )
        result.wall_seconds += report.duration
        if "virtual_seconds" in facts:
            result.virtual_seconds = facts["virtual_seconds"]
            result.events = facts.get("events", [])
        if report.skipped:
            result.outcome = "skipped"
            result.reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
            result.reason = result.reason.removeprefix("Skipped: ")
        elif report.failed:
            result.outcome = "failed"
            result.reason = facts.get("failure", "")
            result.where = facts.get("where", "")
            result.detail = report.longreprtext
        if report.when == "teardown":
            self._progress.step(result)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.problems.append(report.longreprtext)

    def pytest_keyboard_interrupt(self) -> None:
        self.interrupted = True


class Progress:
    """Hears of every scenario that has ended."""

    def step(self, result: Result) -> None:
        """Called once per scenario."""


def play(
    patterns: Sequence[str] = (),
    *,
    backend: str = "reference",
    seed: int = 0,
    processes: int = 1,
    record: bool = False,
    junit: Path | None = None,
    progress: Progress | None = None,
) -> Run:
    """Plays the scenarios whose names match a pattern; all of them without any.

    Args:
        patterns: names or globs, as `plugin.matches` takes them.
        backend: where to play them.
        seed: chooses what may happen in any order.
        processes: how many to play with.
        record: whether to keep the events of scenarios that pass.
        junit: where to write a JUnit file.
        progress: hears of every scenario that has ended.

    Raises:
        KeyboardInterrupt: somebody interrupted it; everything has been ended.
    """
    gatherer = _Gatherer(progress or Progress())
    args = [
        str(SCENARIO_FOLDER),
        "-p",
        "no:terminal",
        "-p",
        "no:cacheprovider",
        "--rootdir",
        str(SCENARIO_FOLDER),
    ]
    # Settings of whatever project this is run in are not meant for scenarios.
    args += ["-c", os.devnull, "-p", "npukit"]
    args += [f"--npu-backend={backend}", f"--npu-seed={seed}", f"--npu-select={','.join(patterns)}"]
    args += ["--npu-record"] if record else []
    args += [f"--junitxml={junit}"] if junit else []
    args += ["-n", str(processes)] if processes > 1 else ["-p", "no:xdist"]
    start = time.perf_counter()
    with _silenced():
        code = pytest.main(args, plugins=[gatherer])
    if gatherer.interrupted:
        raise KeyboardInterrupt
    results = sorted(gatherer.results.values(), key=lambda result: result.name)
    exit_code = {pytest.ExitCode.OK: 0, pytest.ExitCode.TESTS_FAILED: 1}.get(pytest.ExitCode(code), 2)
    return Run(backend, seed, results, exit_code, time.perf_counter() - start, gatherer.problems)


def _silenced() -> redirect_stdout[TextIO]:
    """What pytest itself would print is not for the users of `harness`."""
    return redirect_stdout(open(os.devnull, "w", encoding="utf-8"))  # closed with the program
