"""Commands as JSON lines: one object a line asks, one object a line answers, in order."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import IO, Any

from binder import BinderError


class CommandError(Exception):
    """A command cannot be carried out."""


def answer(commands: Mapping[str, Callable[..., Any]], line: str) -> dict[str, Any]:
    """Does what a line asks for.

    Args:
        commands: by name, what takes the line's other members as keyword arguments.
        line: `{"id": N, "do": NAME, ...}`.

    Returns:
        `{"id": N, "result": ...}` or `{"id": N, "error": TEXT}`.
    """
    number = None
    try:
        command = json.loads(line)
        if not isinstance(command, dict):
            raise CommandError("a command is an object")
        number = command.pop("id", None)
        name = command.pop("do", None)
        method = commands.get(name) if isinstance(name, str) else None
        if method is None:
            raise CommandError(f"there is no command {name!r}")
        return {"id": number, "result": method(**command)}
    except (BinderError, CommandError, LookupError, TypeError, ValueError) as error:
        return {"id": number, "error": f"{type(error).__name__}: {error}"}


def write(stream: IO[str], content: dict[str, Any]) -> None:
    """Writes one line, at once."""
    stream.write(json.dumps(content) + "\n")
    stream.flush()
