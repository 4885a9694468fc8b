"""Making the agent: for which machines, once, and always the same."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from harness.agent import build as building
from harness.agent.build import (
    SOURCES,
    TARGETS,
    BuildError,
    abi_named,
    build,
    compile_agent,
    key,
    sources,
)
from harness.commands import run_command_line

from ..command import Outcome
from .kit import Raw

# The first compilation on a machine takes a minute.
pytestmark = pytest.mark.timeout(600)


@pytest.mark.parametrize(
    ("called", "abi"),
    [
        ("arm64-v8a", "aarch64"),
        ("aarch64", "aarch64"),
        ("armeabi-v7a", "arm"),
        ("armv8l", "arm"),
        ("x86_64", "x86_64"),
        ("i686", "x86"),
    ],
)
def test_a_machine_has_one_kind_whatever_it_is_called(called: str, abi: str) -> None:
    assert abi_named(called) == abi


def test_there_is_none_for_other_machines() -> None:
    with pytest.raises(BuildError, match="no agent for mips, only for aarch64, x86_64, arm, x86"):
        abi_named("mips")


def test_what_it_depends_on_is_in_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keys = {abi: key(abi) for abi in TARGETS}
    assert len(set(keys.values())) == len(TARGETS)
    for path in sources():
        shutil.copy(path, tmp_path)
    monkeypatch.setattr(building, "SOURCES", tmp_path)
    assert {abi: key(abi) for abi in TARGETS} == keys
    with (tmp_path / "agent.h").open("a") as header:
        header.write("\n")
    assert not {key(abi) for abi in TARGETS} & set(keys.values())


def test_without_a_compiler_it_says_what_helps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [])
    monkeypatch.delitem(sys.modules, "ziglang", raising=False)
    with pytest.raises(BuildError, match=r"pip install 'npukit\[agent\]'"):
        build("x86_64")


def test_two_builds_are_the_same_and_the_program_stands_alone(tmp_path: Path) -> None:
    made = build("x86_64")
    for path in sources():
        shutil.copy(path, tmp_path)
    again = tmp_path / "elsewhere"
    compile_agent("x86_64", again, folder=tmp_path, local_cache=tmp_path / "cache")
    assert again.read_bytes() == made.read_bytes()
    elf = made.read_bytes()
    assert elf[:5] == b"\x7fELF\x02"
    assert b"/ld-musl" not in elf  # which it would name if it were linked to anything
    assert str(SOURCES).encode() not in elf
    assert b".symtab" not in elf
    assert len(elf) < 100_000
    with Raw([str(made)], tmp_path) as raw:
        assert raw.shake_hands()[0] == raw.process.pid


def test_what_was_made_is_not_made_again() -> None:
    def report(text: str) -> None:
        raise AssertionError(text)

    build("x86_64")
    before = build("x86_64", report).stat()
    assert build("x86_64", report).stat().st_mtime_ns == before.st_mtime_ns


def test_a_warning_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "agent.c").write_text("int main(void) { int unused; return 0; }\n")
    with pytest.raises(BuildError, match=r"agent.c:1:22: error: unused variable"):
        compile_agent("x86_64", tmp_path / "made", folder=tmp_path)
    assert not (tmp_path / "made").exists()


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Outcome]:
    """`harness agent` with arguments, in this process."""

    def run(*arguments: str) -> Outcome:
        monkeypatch.setattr(sys, "argv", ["harness", "agent", *arguments])
        code = run_command_line()
        return Outcome(code, *capsys.readouterr())

    return run


Command = Callable[..., Outcome]


def test_the_command_says_where_it_is(command: Command) -> None:
    build("x86_64")
    assert command("build", "--abi", "amd64") == Outcome(0, f"{build('x86_64')}\n", "")


def test_the_command_says_what_is_wrong_with_it(command: Command) -> None:
    said = "harness: there is no agent for mips, only for aarch64, x86_64, arm, x86\n"
    assert command("build", "--abi", "x86_64", "--abi", "mips") == Outcome(2, "", said)
    said = "harness: missing option '--serial'; see: harness agent push --help\n"
    assert command("push") == Outcome(2, "", said)


@pytest.mark.parametrize("arguments", [(), ("build",), ("push",)])
def test_help_has_an_example(command: Command, arguments: tuple[str, ...]) -> None:
    assert "Example: harness agent" in command(*arguments, "--help").out
