"""What went wrong, said in the program's way."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from .diagnostics import Diagnostics, Severity
from .interfaces import InterfacesError
from .job import NothingToDo
from .registry import RegistryError
from .speech import complain, fail


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
