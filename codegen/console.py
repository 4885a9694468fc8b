"""What all `codegen` commands share: the program, and how it speaks."""

from __future__ import annotations

from typing import Annotated

import typer

from .reports import plain_errors, report
from .speech import complain, fail, say

__all__ = ["app", "complain", "fail", "plain_errors", "report", "say"]

app = typer.Typer(
    name="codegen",
    help="Compile AIDL to typed Python.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _show_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        say(f"codegen {version('npukit')}")
        raise typer.Exit


Version = Annotated[
    bool,
    typer.Option("--version", callback=_show_version, is_eager=True, help="Say which version this is."),
]


@app.callback()
def _options(version: Version = False) -> None:
    """Compile AIDL to typed Python."""
