"""Playing scenarios: one pytest run, gathered as results."""

from __future__ import annotations

import os
import re
import signal
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from . import scenarios
from .divergence import Divergence
from .environment import Environment
from .names import scenario_name
from .on_device.options import DeviceOptions
from .plugin import REPORT_ATTRIBUTE
from .resources import Resources

SCENARIO_FOLDER = Path(scenarios.__file__).parent

# Where objects lie in memory says nothing, and differs from run to run.
_ADDRESS = re.compile(r" at 0x[0-9a-f]+")

# Parts of pytest that say nothing to users of `harness`, or look for a terminal that need not be there.
_NOT_WANTED = (
    "terminal cacheprovider faulthandler logging doctest unittest pastebin stepwise"
    " unraisableexception threadexception"
).split()


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
        detail: a failure's traceback, if it is no broken rule but a fault of scenario or harness.
        evidence: of a failure, texts by the name of a file to put them into.
        divergence: of a failure, what was expected, what happened, and where.
        device: the serial of the device it was played on, if it was one.
        apps: the uids of the apps that played, by what the scenario calls them.
        wall_began: seconds from the run's begin to its own.
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
    evidence: dict[str, str] = field(default_factory=dict)
    divergence: Divergence | None = None
    device: str = ""
    apps: dict[str, int] = field(default_factory=dict)
    wall_began: float = 0.0

    def as_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "outcome": self.outcome,
            "covers": self.covers,
            "needs": self.needs,
            **({"reason": self.reason} if self.reason else {}),
            **({"where": self.where} if self.where else {}),
            **({"detail": _ADDRESS.sub("", self.detail)} if self.detail else {}),
            **({"divergence": self.divergence.as_json()} if self.divergence else {}),
            **({"device": self.device} if self.device else {}),
            **({"apps": self.apps} if self.apps else {}),
            "virtual_seconds": self.virtual_seconds,
            "wall_seconds": round(self.wall_seconds, 6),
            "wall_began": round(self.wall_began, 6),
            "events": self.events,
        }


@dataclass(frozen=True, slots=True)
class Difference:
    """The first thing that differs between two plays of a scenario.

    Attributes:
        scenario: its name.
        process: whose side of the story it is.
        ours, theirs: what happened there in one run and in the other.
    """

    scenario: str
    process: str
    ours: str
    theirs: str

    def as_json(self) -> dict[str, str]:
        return {
            "scenario": self.scenario,
            "process": self.process,
            "ours": self.ours,
            "theirs": self.theirs,
        }


@dataclass(slots=True)
class Run:
    """A whole run.

    Attributes:
        environment: where it was played, and with what.
        wall_started: when, in ISO 8601.
        exit_code: 0 if all passed, 1 for failures, 2 if it could not be started or nothing was played.
        problems: what went wrong that is no scenario's failure.
        before, after: what the playing processes had open, all together; None where nobody knows.
        differences: where another run differs, if it was compared with one.
    """

    backend: str
    seed: int
    results: list[Result]
    exit_code: int
    wall_seconds: float
    problems: list[str] = field(default_factory=list)
    before: Resources | None = None
    after: Resources | None = None
    differences: list[Difference] | None = None
    environment: Environment = field(default_factory=Environment)
    wall_started: str = ""

    def count(self, outcome: str) -> int:
        return sum(result.outcome == outcome for result in self.results)


class Progress:
    """Hears of every scenario as it is played."""

    def begin(self, name: str, worker: str) -> None:
        """Called once per scenario when it is set up; `worker` is who plays it, if there are several."""

    def step(self, result: Result) -> None:
        """Called once per scenario when it has ended."""


class _Gatherer:
    """Collects reports as they come in; with xdist they come from the workers."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self.results: dict[str, Result] = {}
        self.problems: list[str] = []
        self.resources: list[tuple[int, ...]] = []
        self.devices: dict[str, str] = {}
        self.interrupted = False
        self._began = time.time()

    def interrupt(self, signum: int, frame: FrameType | None) -> None:
        """A signal handler: as Python's own, but the interruption is remembered if somebody swallows it."""
        self.interrupted = True
        raise KeyboardInterrupt

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if self.interrupted:
            raise KeyboardInterrupt
        result = self._result_of(report)
        result.wall_seconds += report.duration
        facts: dict[str, Any] = getattr(report, REPORT_ATTRIBUTE, {})
        if "resources" in facts:
            self.resources.append(tuple(facts["resources"]))
        if report.when == "setup":
            result.wall_began = max(report.start - self._began, 0.0)
            self._progress.begin(result.name, getattr(report, "worker_id", ""))
        if device := facts.get("device"):
            result.device = device["serial"]
            self.devices[device["serial"]] = device["build"]
        if "virtual_seconds" in facts:
            result.virtual_seconds = facts["virtual_seconds"]
            result.events = facts.get("events", [])
            result.apps = facts.get("apps", {})
        if report.skipped:
            result.outcome = "skipped"
            result.reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
            result.reason = result.reason.removeprefix("Skipped: ")
        elif report.failed and result.outcome != "failed":  # what failed first is the cause
            result.outcome = "failed"
            # Without facts a worker has gone, and all that is known is what pytest says of it.
            result.reason = facts.get("failure", report.longreprtext.strip())
            result.where = facts.get("where", "")
            result.evidence = facts.get("evidence", {})
            result.divergence = Divergence.from_json(facts["divergence"]) if "divergence" in facts else None
            result.detail = report.longreprtext if facts.get("is_fault") else ""
        if report.when not in ("setup", "call"):  # torn down, or its worker is gone
            self._progress.step(result)

    def before_and_after(self) -> tuple[Resources | None, Resources | None]:
        """What was open before and after, of all playing processes together."""
        if not self.resources:
            return None, None
        sums = [sum(column) for column in zip(*self.resources, strict=True)]
        return Resources(*sums[:2]), Resources(*sums[2:])

    def _result_of(self, report: pytest.TestReport) -> Result:
        result = self.results.get(report.nodeid)
        if result is None:
            facts: dict[str, Any] | None = getattr(report, REPORT_ATTRIBUTE, None)
            if facts is not None:
                result = Result(facts["name"], facts["covers"], facts["needs"])
            else:
                file, _, test = report.nodeid.rpartition("::")
                function, _, variant = test.partition("[")
                result = Result(scenario_name(Path(file).stem, function, variant.removesuffix("]")))
            self.results[report.nodeid] = result
        return result

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.problems.append(report.longreprtext)

    def pytest_internalerror(self, excrepr: object) -> bool:
        self.problems.append(str(excrepr))
        return True  # pytest need not print it as well

    def pytest_keyboard_interrupt(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        # pytest's own reasons to stop early, such as a module that it cannot import, are subclasses.
        if excinfo.type is KeyboardInterrupt:
            self.interrupted = True


def play(
    patterns: Sequence[str] = (),
    *,
    backend: str = "reference",
    policy: str | None = None,
    devices: DeviceOptions | None = None,
    seed: int = 0,
    processes: int = 1,
    record: bool = False,
    progress: Progress | None = None,
    folder: Path = SCENARIO_FOLDER,
) -> Run:
    """Plays the scenarios whose names match a pattern; all of them without any.

    Args:
        patterns: names or globs, as `names.matches` takes them.
        backend: where to play them.
        policy: `FILE.py:Class`, a policy to be tried in place of Budget.
        devices: which to use, if the backend has a choice of devices.
        seed: chooses what may happen in any order.
        processes: how many to play with.
        record: whether to keep the events of scenarios that pass.
        progress: hears of every scenario as it is played.
        folder: where the scenarios are.

    Raises:
        KeyboardInterrupt: somebody interrupted it; everything has been ended.
    """
    gatherer = _Gatherer(progress or Progress())
    args = [*_pytest_arguments(folder, processes), f"--npu-backend={backend}", f"--npu-seed={seed}"]
    args += [f"--npu-policy={policy}"] if policy is not None else []
    args += [f"--npu-devices={devices.as_text()}"] if devices else []
    args += [*(f"--npu-select={pattern}" for pattern in patterns), *["--npu-record"] * record]
    said = StringIO()
    began, start = datetime.now(UTC), time.perf_counter()
    with (
        _interruptible(gatherer),
        _undisturbed(),
        redirect_stdout(said),
        redirect_stderr(said),
        _workers_silenced(processes),
    ):
        code = pytest.main(args, plugins=[gatherer])
    if gatherer.interrupted:
        raise KeyboardInterrupt
    before, after = gatherer.before_and_after()
    exit_code = {pytest.ExitCode.OK: 0, pytest.ExitCode.TESTS_FAILED: 1}.get(pytest.ExitCode(code), 2)
    if code == pytest.ExitCode.NO_TESTS_COLLECTED:
        gatherer.problems.append("there is no scenario to play")
    elif exit_code == 2 and not gatherer.problems:
        gatherer.problems.append(said.getvalue().strip())
    return Run(
        backend=backend,
        seed=seed,
        results=sorted(gatherer.results.values(), key=lambda result: result.name),
        exit_code=exit_code,
        wall_seconds=time.perf_counter() - start,
        problems=gatherer.problems,
        before=before,
        after=after,
        environment=Environment.here(policy or "", gatherer.devices),
        wall_started=began.isoformat(timespec="seconds"),
    )


def _pytest_arguments(folder: Path, processes: int) -> list[str]:
    """Arguments that keep out what the project in which this is run has set for its own tests."""
    args = [str(folder), "-c", os.devnull, "--rootdir", str(folder), "--noconftest", "--capture=no"]
    for plugin in _NOT_WANTED:
        args += ["-p", f"no:{plugin}"]
    # Without entry points (see `_undisturbed`), whoever is wanted is named.
    args += ["-p", "harness.plugin"]
    if processes > 1:
        args += ["-p", "xdist.plugin", "-n", str(processes)]
    return args


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Hides from pytest what the environment says to it, and plugins that happen to be installed."""
    hidden = {name: os.environ.pop(name) for name in list(os.environ) if name.startswith("PYTEST_")}
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    try:
        yield
    finally:
        del os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"]
        os.environ.update(hidden)


@contextmanager
def _workers_silenced(processes: int) -> Iterator[None]:
    """Workers that lose their controller complain to its standard error; nobody needs to read that."""
    if processes == 1:
        yield
        return
    before, null = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 2)
    try:
        yield
    finally:
        os.dup2(before, 2)
        os.close(before)
        os.close(null)


@contextmanager
def _interruptible(gatherer: _Gatherer) -> Iterator[None]:
    """Sees to it that Ctrl-C ends the run, even if it comes where Python ignores exceptions."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, gatherer.interrupt)
    try:
        yield
    finally:
        with suppress(TypeError):  # a handler that was not set from Python
            signal.signal(signal.SIGINT, before)
