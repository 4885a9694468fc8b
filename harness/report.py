"""A run for people and for programs."""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from .record import event_from_json
from .run import Result, Run
from .story import tell

# Where output goes that is no terminal, lines may be this long.
_WIDTH_ELSEWHERE = 150
_STYLES = {"passed": "green", "failed": "bold red", "skipped": "yellow"}


def console() -> Console:
    """Standard output, as wide as it is."""
    return Console(width=None if sys.stdout.isatty() else _WIDTH_ELSEWHERE, highlight=False)


def scenario_table(*headings: str) -> Table:
    """A table whose first column has names of scenarios, which never break."""
    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("scenario", no_wrap=True)
    for heading in headings:
        table.add_column(heading)
    return table


def print_run(run: Run, out: Console) -> None:
    """The table, then each failure with its story, then the sum."""
    table = scenario_table("result", "rule it covers", "ms")
    for result in run.results:
        table.add_row(
            Text(result.name),
            Text(result.outcome, _STYLES[result.outcome]),
            Text("\n".join(result.covers)),
            Text(f"{result.wall_seconds * 1000:.1f}", justify="right"),
        )
    out.print(table)
    for result in run.results:
        if result.outcome == "failed":
            out.print()
            out.print(Text(failure_text(result)), soft_wrap=True)
    print_skips(run, out)
    out.print()
    out.print(summary(run))


def print_skips(run: Run, out: Console) -> None:
    """Each reason for skipping once."""
    reasons: dict[str, int] = {}
    for result in run.results:
        if result.outcome == "skipped":
            reasons[result.reason] = reasons.get(result.reason, 0) + 1
    for reason, count in reasons.items():
        out.print()
        out.print(Text(f"{count} skipped: {reason}", "yellow"), soft_wrap=True)


def failure_text(result: Result) -> str:
    """What went wrong, where, and everything that led there."""
    lines = [f"FAILED {result.name}", f"  {result.reason}"]
    lines += [f"  rule: {rule}" for rule in result.covers]
    if result.where:
        lines.append(f"  at {result.where}")
    if result.events:
        story = tell(event_from_json(event) for event in result.events)
        lines += ["  what happened:", *(f"    {line}" for line in story.splitlines())]
    else:
        lines += [f"    {line}" for line in result.detail.splitlines()]
    return "\n".join(lines)


def summary(run: Run) -> str:
    """One line."""
    parts = [f"{run.count('passed')} passed"]
    parts += [f"{run.count(outcome)} {outcome}" for outcome in ("failed", "skipped") if run.count(outcome)]
    time = f"{run.wall_seconds:.2f} s (seed {run.seed})"
    scenarios = "1 scenario" if len(run.results) == 1 else f"{len(run.results)} scenarios"
    return f"{scenarios} on {run.backend}: {', '.join(parts)} in {time}"


def npukit_version() -> str:
    """The installed version, or "unknown" where npukit runs from a bare checkout."""
    try:
        return version("npukit")
    except PackageNotFoundError:
        return "unknown"


def as_json(run: Run) -> dict[str, Any]:
    """A run as data. Keys of wall-clock values begin with `wall_`; all else depends on the seed only."""
    return {
        "npukit": npukit_version(),
        "backend": run.backend,
        "seed": run.seed,
        "wall_started": datetime.now(UTC).isoformat(timespec="seconds"),
        "wall_seconds": round(run.wall_seconds, 6),
        "passed": run.count("passed"),
        "failed": run.count("failed"),
        "skipped": run.count("skipped"),
        "scenarios": [result.as_json() for result in run.results],
    }


def write_json(run: Run, path: Path) -> None:
    """Writes `as_json` to a file. Raises OSError."""
    path.write_text(json.dumps(as_json(run), indent=1) + "\n", encoding="utf-8")
