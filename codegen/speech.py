"""How the program speaks: results on standard output, everything else on standard error."""

from __future__ import annotations

import sys
from typing import NoReturn


def complain(text: str) -> None:
    """Says something that is no result."""
    print(text, file=sys.stderr)  # noqa: T201  # what this program is for


def say(text: str) -> None:
    """Prints a result."""
    print(text)  # noqa: T201  # what this program is for


def fail(message: str, code: int) -> NoReturn:
    """Ends the program."""
    complain(message)
    raise SystemExit(code)
