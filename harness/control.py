"""The control channel of a served reference device, seen from its host."""

from __future__ import annotations

import json
from itertools import count
from typing import Any, Protocol

from .backend import ScenarioFailure
from .placement import LineProgram, PlacementError

CONTROL_VERSION = 1
CONTROL_SECONDS = 60.0


class Stage(Protocol):
    """What may be done to a device and to what surrounds its apps."""

    def __call__(self, command: str, **arguments: Any) -> Any:
        """Has a command of `reference_impl/control.py` carried out. Raises `ScenarioFailure`."""


class Control:
    """The served reference device. See `reference_impl/control.py` for what it understands.

    Raises:
        PlacementError: it does not start, or says what it should not.
    """

    def __init__(self, program: LineProgram) -> None:
        self._program = program
        self._numbers = count(1)
        try:
            greeting = self._read()
            if greeting.get("version") != CONTROL_VERSION:
                raise PlacementError(f"the server's control channel has another version: {greeting}")
        except BaseException:
            program.close()
            raise

    def __call__(self, command: str, **arguments: Any) -> Any:
        """Has a command carried out. Raises `ScenarioFailure` if it cannot be."""
        number = next(self._numbers)
        self._program.send(json.dumps({"id": number, "do": command, **arguments}))
        answer = self._read()
        if answer.get("id") != number:
            raise PlacementError(f"an answer to something else than {command}: {answer}")
        if "error" in answer:
            raise ScenarioFailure(f"{command}: {answer['error']}")
        return answer.get("result")

    def close(self) -> None:
        self._program.close()

    def _read(self) -> dict[str, Any]:
        line = self._program.line(CONTROL_SECONDS)
        try:
            answer = json.loads(line)
        except ValueError:
            answer = None
        if not isinstance(answer, dict):
            raise PlacementError(f"the server says what is no JSON object: {line.strip()!r}")
        return answer
