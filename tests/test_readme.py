"""What the README shows is what happens."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from harness import scenarios
from tests.harness.command import ROOT, run_command

README = (ROOT / "README.md").read_text()
MAX_LINES = 140


def _blocks(page: str = README) -> list[str]:
    """The indented blocks, without their indent."""
    found = re.findall(r"(?:^(?:    .*)?\n)+", page, re.MULTILINE)
    return [re.sub(r"^    ", "", block, flags=re.MULTILINE).strip("\n") for block in found if block.strip()]


def _after(command: str, page: str = README) -> str:
    """What a page shows after a command, up to the next one."""
    (block,) = (block for block in _blocks(page) if f"$ {command}\n" in block)
    return block.partition(f"$ {command}\n")[2].partition("\n$ ")[0].strip("\n")


def test_is_short() -> None:
    assert len(README.splitlines()) <= MAX_LINES


def test_greeter_works_as_shown(tmp_path: Path) -> None:
    (tmp_path / "hello").mkdir()
    (tmp_path / "hello/IGreeter.aidl").write_text(_after("cat hello/IGreeter.aidl") + "\n")
    done = run_command("codegen", "generate", "-o", "out", "hello/IGreeter.aidl", cwd=tmp_path)
    assert done.code == 0
    assert done.err.strip() == _after("codegen generate -o out hello/IGreeter.aidl")
    (tmp_path / "greet.py").write_text(_after("cat greet.py") + "\n")
    greeted = subprocess.run(
        [sys.executable, "greet.py"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert greeted.stdout.strip() == _after("python greet.py")


def test_downloads_work_as_shown(tmp_path: Path) -> None:
    page = (ROOT / "docs/binder.md").read_text()
    for name in ("downloads/IDownloads.aidl", "downloads/IProgress.aidl", "download.py"):
        write = tmp_path / name
        write.parent.mkdir(exist_ok=True)
        write.write_text(_after(f"cat {name}", page) + "\n")
    done = run_command("codegen", "generate", "-o", "out", "downloads", cwd=tmp_path)
    assert done.err.strip() == _after("codegen generate -o out downloads", page)
    ran = subprocess.run(
        [sys.executable, "download.py"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout.strip() == _after("python download.py", page)


def test_wire_prints_what_is_shown() -> None:
    path = "aidl/android.npumanager/android/npumanager/ModelLoadRequestParcelable.aidl"
    assert run_command("codegen", "wire", path).out.strip() == _after(f"codegen wire {path}")


def test_run_prints_what_is_shown() -> None:
    done = run_command("harness", "run", "turn_taking.foreground*", "--seed", "7")
    shown = _after("harness run 'turn_taking.foreground*' --seed 7")
    # Times differ from run to run, and the width of their column with them.
    assert _timeless(done.out) == _timeless(shown)


def _timeless(text: str) -> list[list[str]]:
    lines = [re.sub(r"\d+\.\d+", "N", line).split() for line in text.strip().splitlines()]
    return [line for line in lines if line]


def test_scenario_is_the_one_that_is_played() -> None:
    (block,) = (block for block in _blocks() if block.startswith("@covers("))
    scenario = block.partition("\n\n")[0]
    assert scenario in Path(scenarios.__path__[0], "test_turn_taking.py").read_text()


def test_failure_story_is_what_a_broken_policy_prints() -> None:
    before = (
        "from reference_impl.policies.budget import BudgetPolicy as Policy; "
        "Policy.rank = lambda self, uid: (-uid.priority, uid.completed or 0)"
    )
    done = run_command("harness", "run", "turn_taking.foreground_takes_the_turn", before=before)
    (block,) = (block for block in _blocks() if block.startswith("FAILED "))
    for line in block.splitlines():
        assert line.strip().removesuffix(" ...") in done.out, line
