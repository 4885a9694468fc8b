"""The `harness` command."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, NoReturn

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
from rich.progress import Progress as Bar
from rich.text import Text

from .backends import BACKENDS
from .catalogue import Entry, catalogue, nearest, unmatched
from .plugin import matches
from .report import console, print_run, scenario_table, write_json
from .run import Progress, Result, Run, play

PASSED, FAILED, UNUSABLE = 0, 1, 2

app = typer.Typer(
    name="harness",
    help="Play NPU Manager scenarios.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

_errors = Console(stderr=True, highlight=False)


def main() -> None:
    """Entry point: like `app`, but Ctrl-C ends quietly."""
    try:
        app()
    except KeyboardInterrupt:
        _errors.print("harness: interrupted")
        sys.exit(130)


def _fail(message: str) -> NoReturn:
    _errors.print(message, soft_wrap=True, markup=False)
    raise typer.Exit(UNUSABLE)


@app.command(name="list", epilog="Example: harness list --json | jq '.[].name'")
def list_(as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False) -> None:
    """List the scenarios: what each needs of a backend, and which public rule it covers."""
    entries = catalogue()
    if as_json:
        print(json.dumps([entry.as_json() for entry in entries], indent=1))  # noqa: T201
        return
    table = scenario_table("needs", "rule it covers")
    for entry in entries:
        name = entry.name if entry.variants == 1 else f"{entry.name} ({entry.variants})"
        table.add_row(Text(name), ", ".join(entry.needs), Text("\n".join(entry.covers)))
    out = console()
    out.print(table)
    out.print(f"\n{len(entries)} scenarios, {sum(entry.variants for entry in entries)} with their variants")


@app.command(epilog="Example: harness run 'turn_taking.*' --seed 7 --json out.json")
def run(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[NAME-OR-GLOB]...", help="Which scenarios; all by default.")
    ] = None,
    backend: Annotated[str, typer.Option(help=f"Where to play them: {', '.join(BACKENDS)}.")] = "reference",
    processes: Annotated[int, typer.Option("-n", min=1, metavar="N", help="Processes to play with.")] = 1,
    seed: Annotated[int, typer.Option(metavar="N", help="Chooses what may happen in any order.")] = 0,
    json_file: Annotated[
        Path | None, typer.Option("--json", metavar="F", help="Write results and events.")
    ] = None,
    junit: Annotated[Path | None, typer.Option(metavar="F", help="Write a JUnit XML file.")] = None,
) -> None:
    """Play scenarios. Exits 0 if all passed, 1 if some failed, 2 if it could not begin."""
    if backend not in BACKENDS:
        _fail(f"harness: there is no backend {backend!r}; there is: {', '.join(BACKENDS)}")
    entries = catalogue()
    patterns = [_underscored(name) for name in names or []]
    for name in names or []:
        if unmatched([_underscored(name)], entries):
            close = " or ".join(nearest(name, entries))
            _fail(f"harness: no scenario is called {name!r}; did you mean {close}?")
    for path in filter(None, (json_file, junit)):
        if not path.absolute().parent.is_dir():
            _fail(f"harness: cannot write {path}: there is no folder {path.parent}")
    done = _played(
        patterns,
        _expected(patterns, entries),
        backend,
        seed,
        processes,
        record=json_file is not None,
        junit=junit,
    )
    if done.exit_code == UNUSABLE and not done.results:
        _fail("\n".join(["harness: the scenarios could not be played", *done.problems]))
    print_run(done, console())
    if json_file is not None:
        try:
            write_json(done, json_file)
        except OSError as error:
            _fail(f"harness: cannot write {json_file}: {error.strerror}")
    if done.exit_code == FAILED:
        failed = next(result.name for result in done.results if result.outcome == "failed")
        _errors.print(f"harness: to see one again: harness run '{failed}' --seed {seed}", soft_wrap=True)
    raise typer.Exit(done.exit_code)


def _underscored(name: str) -> str:
    """A name as scenarios have it, for those who write dashes; what varies in brackets is left alone."""
    base, bracket, variant = name.partition("[")
    return base.replace("-", "_") + bracket + variant


def _expected(patterns: Sequence[str], entries: Sequence[Entry]) -> int:
    chosen = [entry for entry in entries if not patterns or matches(entry.name, list(patterns))]
    return sum(entry.variants for entry in chosen)


class _BarProgress(Progress):
    def __init__(self, bar: Bar, total: int) -> None:
        self._bar = bar
        self._task = bar.add_task("playing", total=total)

    def step(self, result: Result) -> None:
        self._bar.update(self._task, advance=1, description=result.name)


def _played(
    patterns: Sequence[str],
    total: int,
    backend: str,
    seed: int,
    processes: int,
    *,
    record: bool,
    junit: Path | None,
) -> Run:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Bar(*columns, console=_errors, transient=True, disable=not sys.stderr.isatty()) as bar:
        return play(
            patterns,
            backend=backend,
            seed=seed,
            processes=processes,
            record=record,
            junit=junit,
            progress=_BarProgress(bar, total),
        )
