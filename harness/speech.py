"""How commands speak: results on standard output, everything else on standard error, in a sentence."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

from .report import discard_output


class Refused(Exception):
    """The command cannot do what it was asked for; the text says why."""


def say(text: str) -> None:
    # Not what the command is for, so not on standard output.
    print(text, file=sys.stderr)  # noqa: T201


def refuse(message: str) -> NoReturn:
    raise Refused(message)


@contextmanager
def printing() -> Iterator[None]:
    """For writing to standard output. Whoever closes it has seen enough, which is nobody's fault."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        discard_output()
    except OSError as error:
        discard_output()
        refuse(f"cannot write to standard output: {error.strerror}")
