"""Our compiler and Google's make the same of programs that nobody wrote.

NPUKIT_RANDOM_PROGRAMS says how many of each kind, NPUKIT_RANDOM_SEED where to start; what fails is
printed with its seed, and the last test shrinks what it finds.
"""

from __future__ import annotations

import os
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from .agreement import compile_ours, render
from .comparing import OPTIONS, compare_each, compare_one, compare_together, write
from .random_aidl import Program, mutated, program

PROGRAMS = int(os.environ.get("NPUKIT_RANDOM_PROGRAMS", "240"))
FIRST = int(os.environ.get("NPUKIT_RANDOM_SEED", "0"))
_BATCHES = 4
_BATCH = 20

with_google = pytest.mark.aidl(newest=True)
batches = pytest.mark.parametrize("batch", range(_BATCHES))


def seeds(batch: int) -> range:
    each = max(1, PROGRAMS // _BATCHES)
    return range(FIRST + batch * each, FIRST + (batch + 1) * each)


def valid(seed: int) -> Program:
    return program(Random(seed), f"r{seed}")


def probably_invalid(seed: int) -> Program:
    rng = Random(seed)
    return mutated(rng, program(rng, f"r{seed}"))


def story(seed: int, program: Program, found: list[str]) -> str:
    return "\n".join([f"seed {seed}:", *found, str(program)])


@with_google
@pytest.mark.timeout(1200)
@batches
def test_valid_programs_are_the_same_to_both(batch: int, tmp_path: Path) -> None:
    stories = []
    numbers = list(seeds(batch))
    for start in range(0, len(numbers), _BATCH):
        some = numbers[start : start + _BATCH]
        results = compare_together([valid(seed) for seed in some], tmp_path / "batch")
        stories += [story(seed, *result) for seed, result in zip(some, results, strict=True) if result[1]]
    assert not stories, "\n\n".join(stories)


@with_google
@pytest.mark.timeout(1200)
@batches
def test_changed_programs_are_the_same_to_both(batch: int, tmp_path: Path) -> None:
    numbers = seeds(batch)
    results = compare_each(map(probably_invalid, numbers), tmp_path)
    stories = [story(seed, *result) for seed, result in zip(numbers, results, strict=True) if result[1]]
    assert not stories, "\n\n".join(stories)


@with_google
@settings(
    max_examples=30,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.generate, Phase.shrink],
    suppress_health_check=list(HealthCheck),
)
@given(rng=st.randoms(use_true_random=False), change=st.booleans())
def test_what_the_two_disagree_about_is_made_small(tmp_path: Path, rng: Random, change: bool) -> None:
    made = program(rng)
    made = mutated(rng, made) if change else made
    assert compare_one(made, tmp_path / "program") == [], f"\n{made}"


@pytest.mark.parametrize("seed", range(40))
def test_most_programs_are_valid_and_can_be_generated(seed: int, tmp_path: Path) -> None:
    made = valid(seed)
    write(made, tmp_path / "program")
    compiled = compile_ours(tmp_path / "program", list(made.files), OPTIONS)
    if compiled.accepted:
        modules = render(compiled.program, compiled.diagnostics)
        assert not compiled.diagnostics.failed, compiled.text
        for package, text in modules.items():
            compile(text, package, "exec")
    else:
        assert {error.partition(":")[0] for error in compiled.errors} <= {"duplicate-name"}, compiled.text


@pytest.mark.parametrize("seed", range(100))
def test_changed_programs_are_only_reported(seed: int, tmp_path: Path) -> None:
    made = probably_invalid(seed)
    write(made, tmp_path / "program")
    compiled = compile_ours(tmp_path / "program", list(made.files), OPTIONS)
    if compiled.accepted:
        render(compiled.program, compiled.diagnostics)
    for item in compiled.diagnostics.sorted():
        assert item.render()
