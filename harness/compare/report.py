"""A comparison for people, as text: what differs first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.console import Console
from rich.text import Text

from ..run import Run
from ..story import line
from .runs import Comparison, Only, Pair

NAMES = ("A", "B")
_COMMONEST = 3


def print_comparison(found: Comparison, files: Sequence[Path], out: Console) -> None:
    """Which runs, how many scenarios differ, what is so most often, each difference, what only one played."""
    for name, file, run in zip(NAMES, files, (found.first, found.second), strict=True):
        out.print(Text(f"{name}  {file}: {about(run)}"), soft_wrap=True)
    out.print(Text(summary(found), "bold red" if found.differing else "bold green"), soft_wrap=True)
    for remark in remarks(found):
        out.print(Text(remark), soft_wrap=True)
    for (first, second), number in found.commonest(_COMMONEST):
        out.print(Text(f"{number} times:  A {first}  |  B {second}"), soft_wrap=True)
    for pair in found.differing:
        out.print()
        out.print(Text("\n".join(told(pair))), soft_wrap=True)
    for name, others in zip(NAMES, (found.only_first, found.only_second), strict=True):
        _print_only(name, others, out)


def about(run: Run) -> str:
    """A run in a few words."""
    here = run.environment
    devices = [f"{serial} with {build}" if build else serial for serial, build in here.devices.items()]
    parts = [run.backend, *devices, f"policy {here.policy}" if here.policy else "", f"seed {run.seed}"]
    parts += [f"{run.count('passed')} passed", f"{run.count('failed')} failed", run.wall_started]
    return ", ".join(filter(None, parts))


def summary(found: Comparison) -> str:
    """The figures of a comparison, in a line."""
    parts = [f"{len(found.differing)} differ", f"{len(found.same)} same"]
    only = zip(NAMES, (found.only_first, found.only_second), strict=True)
    parts += [f"{len(others)} only in {name}" for name, others in only if others]
    return ", ".join(parts)


def remarks(found: Comparison) -> Iterator[str]:
    """What to keep in mind."""
    if found.first.seed != found.second.seed:
        yield "The seeds differ: what may happen in any order may have happened in another."
    if not found.hearing.hal:
        yield "What service and HAL say to each other was not heard in both, and is not compared."


def told(pair: Pair) -> Iterator[str]:
    """A difference, in a few lines."""
    first, second = pair.outcomes
    ends = f": {first} in A, {second} in B" if first != second else ""
    yield f"{pair.name}{ends}"
    if pair.parting is not None:
        before = pair.before()
        after = f", after {line(before)}" if before else ""
        yield f"  as {pair.parting.process} sees it{after}"
        for name, event, text in zip(NAMES, pair.events(), pair.told(), strict=True):
            at = "" if event is None else f"{event.at:9.6f}"
            yield f"    {name} {at:9}  {text}"
    for name, result in zip(NAMES, (pair.first, pair.second), strict=True):
        if result.outcome == "failed" and first != second:
            yield f"    {name} failed: {result.reason.partition(chr(10))[0]}"


def _print_only(name: str, others: Sequence[Only], out: Console) -> None:
    if others:
        out.print(f"\nonly in {name}:")
    for only in others:
        out.print(Text(f"  {only.name}" + (f" ({only.why})" if only.why else "")), soft_wrap=True)
