"""What docs/ci.md says to paste into a CI system does what it says."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
CHAPTERS = {text.partition("\n")[0]: text for text in TEXT.split("\n## ")}
SYSTEMS = ["Plain shell", "GitHub Actions", "GitLab CI", "Jenkins"]
# A command in a list of YAML, in a step of Jenkins, or by itself.
COMMAND = re.compile(r"^\s*(?:- run: |- |sh ')?((?:python3|\.venv/bin/\w+) .*?)'?$", re.MULTILINE)
INSTALLING = ("python3 -m venv", ".venv/bin/pip install")


def block(title: str) -> str:
    (found,) = re.findall(r"^```\w+\n(.*?)^```$", CHAPTERS[title], re.MULTILINE | re.DOTALL)
    return str(found)


def commands(title: str) -> list[str]:
    return COMMAND.findall(block(title))


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clone in which npukit has been installed: `.venv` is that of the project itself."""
    folder = tmp_path_factory.mktemp("workspace")
    program = folder / ".venv" / "bin" / "harness"
    program.parent.mkdir(parents=True)
    start = f"import sys; sys.path.insert(0, {str(ROOT)!r}); from harness.cli import main; main()"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -c {shlex.quote(start)} "$@"\n')
    program.chmod(0o755)
    return folder


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, shell=True, cwd=folder, capture_output=True, text=True, timeout=100)


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_system_is_told_the_same_commands(system: str) -> None:
    assert commands(system) == commands("Plain shell")
    assert [command.startswith(INSTALLING) for command in commands(system)] == [True, True, False]


def test_commands_leave_what_is_published(workspace: Path) -> None:
    (command,) = [c for c in commands("Plain shell") if not c.startswith(INSTALLING)]
    done = run(f"{command} status_quo", workspace)  # a few will do
    assert (done.returncode, done.stderr) == (0, "")
    cases = ElementTree.parse(workspace / "npukit.xml").findall(".//testcase")
    assert f"{len(cases)} scenarios on reference: {len(cases)} passed" in done.stdout
    for name in ("npukit.html", "npukit.json"):
        assert (workspace / name).stat().st_size > 0
    (workspace / "good.json").write_bytes((workspace / "npukit.json").read_bytes())
    (command,) = commands("Against the last good run")
    done = run(command, workspace)
    assert (done.returncode, done.stderr) == (0, "")
    assert (workspace / "compare.html").stat().st_size > 0


@pytest.mark.parametrize("system", SYSTEMS[1:])
def test_what_the_commands_write_is_what_is_published(system: str) -> None:
    text = block(system)
    (command,) = [c for c in commands(system) if not c.startswith(INSTALLING)]
    published = text.replace(command, "")
    for option in ("--junit", "--html", "--json", "--evidence"):
        (file,) = re.findall(rf"{option} (\S+)", command)
        assert file in published


def test_every_property_of_a_scenario_is_explained() -> None:
    from harness.junit import junit_of
    from harness.run import Result, Run

    result = Result("a.b", covers=["a rule"], needs=["hal"], device="emulator-5554")
    text = junit_of(Run("adb", 1, [result], 0, 1.0))
    names = {item.get("name", "") for item in ElementTree.fromstring(text.encode()).iter("property")}
    assert {name for name in names if f"`{name}`" not in TEXT} == set()
