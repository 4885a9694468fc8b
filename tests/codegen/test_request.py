"""Plain command lines are understood as the parser of command lines understands them."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from codegen import commands
from codegen.request import Request, plain_request

PLAIN = [
    [],
    ["--check"],
    ["a.aidl", "b"],
    ["-I", "x", "a", "-I", "y", "b", "-o", "out"],
    ["-o", "one", "-o", "two"],
    ["-j", "4", "--no-cache", "--stability", "vintf", "--version", "3", "--hash", "abc"],
    ["--parcelable", "a.B=c:D", "--parcelable", "e.F=g:H", "x"],
]
NOT_PLAIN = [
    ["-Ix", "a"],
    ["-oout"],
    ["--hash=abc"],
    ["--hash", "--check"],
    ["-o"],
    ["-j", "0"],
    ["-j", "-1"],
    ["-j", "two"],
    ["-j", "٣"],
    ["--version", "-1"],
    ["--stability", "high"],
    ["--help"],
    ["--", "-a"],
    ["--unknown", "a"],
]


@pytest.mark.parametrize("words", PLAIN, ids=" ".join)
def test_plain_words_mean_what_they_mean_to_the_parser(
    monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    found: list[Request] = []

    def keep(request: Request, said: Sequence[str]) -> None:
        found.append(request)

    monkeypatch.setattr(commands, "carry_out", keep)
    monkeypatch.setattr("sys.argv", ["codegen", "generate", *words])
    with pytest.raises(SystemExit):
        commands.run()
    assert found == [plain_request(words)]


@pytest.mark.parametrize("words", NOT_PLAIN, ids=" ".join)
def test_all_others_are_left_to_the_parser(words: list[str]) -> None:
    assert plain_request(words) is None
