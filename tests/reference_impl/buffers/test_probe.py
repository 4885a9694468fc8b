"""A driver's generation, from its answers."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from errno import EOWNERDEAD
from pathlib import Path

import pytest

from reference_impl.buffers.probe import expected, identify, observe, probe
from reference_impl.buffers.profiles import CONTRACT, NEWEST, PROFILES
from reference_impl.buffers.rules import IS_EMPTY, Op

from .kit import Bench, is_back_at, open_descriptors

ROOT = Path(__file__).parents[3]


@pytest.fixture(autouse=True)
def nothing_stays_open() -> Iterator[None]:
    before = open_descriptors()
    yield
    assert is_back_at(before)


@pytest.mark.parametrize("name", PROFILES)
def test_every_generation_is_told(name: str, file: int) -> None:
    bench = Bench(PROFILES[name])
    found = probe(bench.process(), lambda size: bench.contents.allocate("npu", size), file)
    assert found.generations == (name,)
    assert str(found) == f"generation: {name}"
    bench.close()
    assert bench.contents.used("npu") == 0


def test_no_two_generations_answer_alike() -> None:
    assert len({tuple(expected(name).items()) for name in PROFILES}) == len(PROFILES)


def test_one_that_nobody_knows() -> None:
    strange = {**expected("newest"), "load while mapped": "EIO"}
    found = identify(strange)
    assert found.generations == ()
    assert str(found) == "no known generation; nearest: newest, but load while mapped: EIO instead of ok"


def test_nothing_dangerous_is_tried(file: int) -> None:
    """Whatever it does to an empty wrap, or with a load that is empty or long and odd, would show here."""
    from reference_impl.buffers.rules import Call, Check, Wrap

    tried: list[Call] = []

    def remember(wrap: Wrap, call: Call) -> bool:
        tried.append(call)
        return False

    watch = Check("watched", EOWNERDEAD, remember)
    checks = {op: (watch, *rest) for op, rest in NEWEST.checks.items()}
    bench = Bench(replace(NEWEST, checks=checks))
    observe(bench.process(), lambda size: bench.contents.allocate("npu", size), file)
    bench.close()
    loads = [call for call in tried if call.op is Op.LOAD]
    assert loads
    assert all(0 < call.length <= 4096 for call in loads)
    assert not any(call.op in (Op.EMPTY, Op.REWRAP) for call in tried)
    assert IS_EMPTY in CONTRACT.checks[Op.LSEEK]


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "reference_impl.buffers.probe", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60)


def test_as_a_program() -> None:
    done = run("--stand-in", "first")
    assert done.returncode == 0
    assert "wrapfd: stand-in (first) on memfd, generation: first" in done.stdout
    assert "  lseek tells the size: ESPIPE" in done.stdout


@pytest.mark.skipif(os.path.exists("/dev/wrapfd"), reason="there is a driver here")
def test_without_a_driver_it_says_so() -> None:
    done = run()
    assert done.returncode == 2
    assert "wrapfd: /dev/wrapfd cannot be used: No such file or directory" in done.stdout
    assert done.stderr == ""
