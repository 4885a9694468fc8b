"""The bar that says how far a long run is."""

from __future__ import annotations

import io
import sys

import pytest

from codegen import progress
from codegen.progress import Progress


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def _shown(monkeypatch: pytest.MonkeyPatch, stream: io.StringIO, patience: float) -> str:
    monkeypatch.setattr(progress, "PATIENCE", patience)
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    bar = Progress()
    bar.show("files parsed", 3, 10)
    bar.close()
    return stream.getvalue()


def test_a_long_run_on_a_terminal_says_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "files parsed" in _shown(monkeypatch, _Terminal(), 0)


def test_a_short_run_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _shown(monkeypatch, _Terminal(), 1000) == ""


def test_nothing_is_said_where_there_is_no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _shown(monkeypatch, io.StringIO(), 0) == ""
