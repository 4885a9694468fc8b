"""The commands that look at runs which were recorded earlier."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .outputs import check_file, write
from .reading import read_run
from .speech import refuse
from .trace import as_text, trace_of

RecordFile = Annotated[Path, typer.Argument(metavar="RUN.json", help="What harness run --json wrote.")]


def trace(
    run: RecordFile,
    output: Annotated[Path, typer.Option("-o", "--output", metavar="F", help="The trace.")],
) -> None:
    """Write a recorded run as a trace, which the Perfetto UI and chrome://tracing open."""
    check_file(output)
    if output.absolute() == run.absolute():
        refuse(f"-o would write the trace over {run} itself")
    write(output, as_text(trace_of(read_run(run))))
