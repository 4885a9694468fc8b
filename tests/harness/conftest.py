"""The `harness` command without a process of its own, for tests that need many of it."""

from __future__ import annotations

import sys

import pytest

from harness.commands import run_command_line

from .command import Outcome


class Command:
    """`harness`, within this process."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._monkeypatch = monkeypatch
        self._capsys = capsys

    def __call__(self, *args: str) -> Outcome:
        self._monkeypatch.setattr(sys, "argv", ["harness", *args])
        code = run_command_line()
        return Outcome(code, *self._capsys.readouterr())


@pytest.fixture
def harness(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(monkeypatch, capsys)
