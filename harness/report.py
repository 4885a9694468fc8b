"""A run for people and for programs."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from .catalogue import Entry
from .record import event_from_json
from .resources import in_words
from .rules import RULES, coverage, uncovered
from .run import Result, Run
from .story import tell

# Where output goes that is no terminal, lines may be this long.
_WIDTH_ELSEWHERE = 150
# A narrower terminal has no room for a table with names that never break.
_WIDTH_OF_TABLES = 110
_STYLES = {"passed": "green", "failed": "bold red", "skipped": "yellow"}


class _Console(Console):
    def on_broken_pipe(self) -> None:
        # Whoever read the output has seen enough; files and the exit code are still wanted.
        self.quiet = True
        discard_output()


def console() -> Console:
    """Standard output, as wide as it is."""
    return _Console(width=None if sys.stdout.isatty() else _WIDTH_ELSEWHERE, highlight=False)


def discard_output() -> None:
    """Sends what is still to be written to standard output nowhere."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, sys.stdout.fileno())
    os.close(null)


def _table(*headings: str) -> Table:
    """A table whose first column has names of scenarios, which never break."""
    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("scenario", no_wrap=True)
    for heading in headings:
        table.add_column(heading)
    return table


def print_catalogue(entries: Sequence[Entry], out: Console) -> None:
    """Every scenario with its needs and rules, then the sum."""
    table = _table("needs", "rule it covers")
    for entry in entries:
        name = f"{entry.name} ({len(entry.variants)})" if entry.variants else entry.name
        if out.width < _WIDTH_OF_TABLES:
            out.print(Text("\n  ".join([name, ", ".join(entry.needs), *entry.covers])), soft_wrap=True)
        else:
            table.add_row(Text(name), ", ".join(entry.needs), Text("\n".join(entry.covers)))
    if table.rows:
        out.print(table)
    out.print(f"\n{len(entries)} scenarios, {sum(len(entry.names) for entry in entries)} with their variants")
    out.print(coverage(entries), soft_wrap=True)
    for rule in uncovered(entries):
        out.print(Text(f"not covered: {rule.text}", "bold red"), soft_wrap=True)


def print_rules(entries: Sequence[Entry], out: Console) -> None:
    """Every public rule with the scenarios that cover it, then the sum."""
    for rule in RULES:
        names = rule.covered_by(entries) or ["nothing covers it"]
        out.print(Text("\n  ".join([rule.text, *names])), soft_wrap=True)
    out.print()
    out.print(coverage(entries), soft_wrap=True)


def print_run(run: Run, out: Console, *, quiet: bool = False) -> None:
    """The table unless `quiet`, then each failure with its story, then the sum."""
    table = _table("result", "rule it covers", "ms")
    for result in run.results if not quiet else ():
        outcome = Text(result.outcome, _STYLES[result.outcome])
        if out.width < _WIDTH_OF_TABLES:
            out.print(Text.assemble(outcome, f"  {result.name}"), soft_wrap=True)
        else:
            time = Text(f"{result.wall_seconds * 1000:.1f}", justify="right")
            table.add_row(Text(result.name), outcome, Text("\n".join(result.covers)), time)
    if table.rows:
        out.print(table)
    for result in run.results:
        if result.outcome == "failed":
            out.print()
            out.print(Text(failure_text(result)), soft_wrap=True)
    print_skips(run, out)
    out.print()
    if run.before and run.after and any("buffers" in result.needs for result in run.results):
        out.print(in_words(run.before, run.after), soft_wrap=True)
    out.print(summary(run), soft_wrap=True)


def print_differences(run: Run, policy: str, out: Console) -> None:
    """Where a policy that was tried differs from Budget: the first thing in each scenario."""
    found = run.differences or []
    name = policy.rpartition(":")[2]
    out.print(f"\n{name} differs from Budget in {len(found)} of {len(run.results)} scenarios", soft_wrap=True)
    width = max(len(name), len("Budget"))
    for difference in found:
        out.print(Text(f"  {difference.scenario}, as {difference.process} sees it"), soft_wrap=True)
        for who, what in ((name, difference.ours), ("Budget", difference.theirs)):
            out.print(Text(f"    {who:{width}}  {what}"), soft_wrap=True)


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
    lines = [f"FAILED {result.name}", *(f"  {line}" for line in result.reason.splitlines())]
    lines += [f"  rule: {rule}" for rule in result.covers]
    if result.where:
        lines.append(f"  at {result.where}")
    lines += [f"    {line}" for line in result.detail.splitlines()]
    if result.events:
        story = tell(event_from_json(event) for event in result.events)
        lines += ["  what happened:", *(f"    {line}" for line in story.splitlines())]
    return "\n".join(lines)


def summary(run: Run) -> str:
    """One line."""
    parts = [f"{run.count('passed')} passed"]
    parts += [f"{run.count(outcome)} {outcome}" for outcome in ("failed", "skipped") if run.count(outcome)]
    time = f"{run.wall_seconds:.2f} s (seed {run.seed})"
    scenarios = "1 scenario" if len(run.results) == 1 else f"{len(run.results)} scenarios"
    return f"{scenarios} on {run.backend}: {', '.join(parts)} in {time}"
