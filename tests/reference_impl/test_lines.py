"""Commands as JSON lines."""

from __future__ import annotations

from collections.abc import Callable
from io import StringIO

import pytest

from reference_impl.lines import CommandError, answer, write


def refuse() -> None:
    raise CommandError("not now")


NOTHING: dict[str, int] = {}

COMMANDS: dict[str, Callable[..., object]] = {
    "add": lambda a, b: a + b,
    "refuse": refuse,
    "break": lambda: NOTHING["x"],
}


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"id": 1, "do": "add", "a": 2, "b": 3}', {"id": 1, "result": 5}),
        ('{"id": 2, "do": "refuse"}', {"id": 2, "error": "CommandError: not now"}),
        ('{"id": 3, "do": "break"}', {"id": 3, "error": "KeyError: 'x'"}),
        ('{"id": 4, "do": "fly"}', {"id": 4, "error": "CommandError: there is no command 'fly'"}),
        ('{"id": 5}', {"id": 5, "error": "CommandError: there is no command None"}),
        ("[]", {"id": None, "error": "CommandError: a command is an object"}),
    ],
)
def test_lines_are_answered(line: str, said: dict[str, object]) -> None:
    assert answer(COMMANDS, line) == said


@pytest.mark.parametrize("line", ["", "{", '{"id": 6, "do": "add", "a": 1}'])
def test_nonsense_is_answered_too(line: str) -> None:
    assert "error" in answer(COMMANDS, line)


def test_an_answer_is_one_line() -> None:
    stream = StringIO()
    write(stream, {"id": 1, "result": "two\nlines"})
    assert stream.getvalue() == '{"id": 1, "result": "two\\nlines"}\n'
