"""The channel to a served device; what needs a binder driver is in `test_kernel_backend`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager

import pytest

from harness.backend import ScenarioFailure
from harness.control import Control
from harness.placement import PlacementError, Program

VERSION_1 = '{"version": 1, "pid": 7}'


@contextmanager
def control(greeting: str, *answers: str) -> Iterator[Control]:
    """The channel to a program that has its answers ready, whatever it is asked."""
    lines = "".join(f"input(); print({answer!r}, flush=True)\n" for answer in answers)
    script = f"print({greeting!r}, flush=True)\n{lines}"
    with closing(Control(Program([sys.executable, "-Sc", script], {}))) as channel:
        yield channel


def test_gives_the_result_of_a_command() -> None:
    with control(VERSION_1, '{"id": 1, "result": [2]}', '{"id": 2}') as channel:
        assert channel("packages", uid=1) == [2]
        assert channel("settle") is None


def test_a_command_that_fails_is_the_scenarios_failure() -> None:
    with (
        control(VERSION_1, '{"id": 1, "error": "CommandError: no HAL"}') as channel,
        pytest.raises(ScenarioFailure, match="work: CommandError: no HAL"),
    ):
        channel("work")


@pytest.mark.parametrize(
    ("greeting", "message"),
    [
        ('{"version": 2}', "another version"),
        ("hello", "no JSON object: 'hello'"),
        ("[1]", "no JSON object"),
    ],
)
def test_does_not_talk_to_what_greets_otherwise(greeting: str, message: str) -> None:
    with pytest.raises(PlacementError, match=message), control(greeting):
        pass


@pytest.mark.parametrize(
    ("answers", "message"),
    [
        (('{"id": 5, "result": 1}',), "an answer to something else than settle"),
        (("what?",), "no JSON object: 'what\\?'"),
        ((), "the program has ended"),
    ],
)
def test_an_answer_to_something_else_is_the_placements_error(answers: tuple[str, ...], message: str) -> None:
    with control(VERSION_1, *answers) as channel, pytest.raises(PlacementError, match=message):
        channel("settle")
