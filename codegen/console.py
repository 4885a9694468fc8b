"""What all `codegen` commands share: the program, and how it speaks.

Results go to standard output, everything else to standard error.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

import typer

from .diagnostics import Diagnostics, Severity
from .interfaces import InterfacesError
from .job import NothingToDo
from .registry import RegistryError

app = typer.Typer(
    name="codegen",
    help="Compile AIDL to typed Python.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def complain(text: str) -> None:
    """Says something that is no result."""
    print(text, file=sys.stderr)  # noqa: T201  # what this program is for


def say(text: str) -> None:
    """Prints a result."""
    print(text)  # noqa: T201  # what this program is for


def fail(message: str, code: int) -> NoReturn:
    """Ends the program."""
    complain(message)
    raise typer.Exit(code)


def report(diagnostics: Diagnostics, outcome: str = "nothing was written") -> None:
    """Says what the compiler found, and ends the program if any of it is an error."""
    for item in diagnostics.sorted():
        complain(item.render())
    if diagnostics.failed:
        count = sum(item.rule.severity is Severity.ERROR for item in diagnostics.items)
        fail(f"codegen: {count} error{'s' if count > 1 else ''}; {outcome}", 1)


@contextmanager
def plain_errors() -> Iterator[None]:
    """A user's mistake is one sentence."""
    try:
        yield
    except InterfacesError as error:
        fail(str(error), 1)
    except NothingToDo as error:
        fail(f"codegen: {error}", 1)
    except RegistryError as error:
        fail(f"codegen: --parcelable: {error}", 2)
