"""What all `codegen` commands share: the program, and how it speaks."""

from __future__ import annotations

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
