"""A moment of `fuzz`, which continuous integration runs for longer."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from .fuzz import Broken, Fuzzer, Input, Inputs, fuzz


@pytest.mark.parametrize("seed", range(2))
def test_no_input_breaks_the_compiler(seed: int) -> None:
    assert "refused" in fuzz(0.5, seed)


def test_every_kind_of_input_is_made_and_some_are_accepted(tmp_path: Path) -> None:
    inputs, fuzzer = Inputs(Random(5)), Fuzzer(tmp_path / "files")
    for make in (inputs.deep, inputs.huge_number, inputs.long_line, inputs.much_of_one, inputs.noise):
        fuzzer.run(Input(make()), command=True)
    for _ in range(25):
        fuzzer.run(inputs.next())
    fuzzer.run(Input(b"package q; parcelable A { int a; }"), command=True)
    assert fuzzer.accepted > 1
    assert fuzzer.refused > 10


def test_what_is_broken_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.codegen.fuzz.LONGEST", 0)
    with pytest.raises(Broken, match="took"):
        Fuzzer(tmp_path / "files").run(Input(b"package q; parcelable A { int a; }"))
