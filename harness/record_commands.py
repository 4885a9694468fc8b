"""The commands that look at runs which were recorded earlier."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from .compare import compare as compare_runs
from .compare.page import page as comparison_page
from .compare.report import print_comparison
from .outputs import check_file, write
from .reading import read_run
from .report import console
from .speech import printing, refuse
from .trace import as_text, trace_of

RecordFile = Annotated[Path, typer.Argument(metavar="RUN.json", help="What harness run --json wrote.")]


def page(
    run: RecordFile,
    output: Annotated[Path, typer.Option("-o", "--output", metavar="F", help="The page.")],
) -> None:
    """Write a recorded run as a page of HTML, which needs no other file and no network."""
    from .page import page_of

    check_file(output)
    if output.absolute() == run.absolute():
        refuse(f"-o would write the page over {run} itself")
    write(output, page_of(read_run(run)))


def trace(
    run: RecordFile,
    output: Annotated[Path, typer.Option("-o", "--output", metavar="F", help="The trace.")],
) -> None:
    """Write a recorded run as a trace, which the Perfetto UI and chrome://tracing open."""
    check_file(output)
    if output.absolute() == run.absolute():
        refuse(f"-o would write the trace over {run} itself")
    write(output, as_text(trace_of(read_run(run))))


def compare(
    first: Annotated[Path, typer.Argument(metavar="A.json", help="What harness run --json wrote.")],
    second: Annotated[Path, typer.Argument(metavar="B.json", help="The same of another run.")],
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
    html: Annotated[Path | None, typer.Option(metavar="F", help="Write a page, too.")] = None,
) -> int:
    """Compare two recorded runs: what differs, with the first event at which stories part.

    Exits 0 if nothing differs, 1 if something does, 2 if a file cannot be read. What only one run has played
    is listed, and is no difference.
    """
    if html is not None:
        check_file(html)
        if html.absolute() in (first.absolute(), second.absolute()):
            refuse(f"--html would write the page over {html} itself")
    found = compare_runs(read_run(first), read_run(second))
    if not found.compared:
        refuse(f"{first} and {second} have no scenario in common that both have played")
    if html is not None:
        write(html, comparison_page(found, (first, second)))
    with printing():
        if as_json:
            print(json.dumps(found.as_json(), indent=1))  # noqa: T201
        else:
            print_comparison(found, (first, second), console())
    return 1 if found.differing else 0
