"""Many processes, and one, give the same."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from codegen import generate
from codegen.request import Request
from tests.bench.aidl_tree import write_tree
from tests.harness.command import ROOT, run_command

from .aidl_files import write_files


def _run(request: Request, capture: pytest.CaptureFixture[str]) -> tuple[int, str, dict[str, bytes]]:
    capture.readouterr()
    try:
        generate.generate(request._replace(cache=False), [])
        code = 0
    except SystemExit as end:
        code = int(end.code or 0)
    files = {str(path): path.read_bytes() for path in Path(request.output).rglob("*.py")}
    for path in map(Path, files):
        path.unlink()
    return code, "".join(capture.readouterr()), files


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write_tree(tmp_path / "tree", 90)
    monkeypatch.chdir(tmp_path)
    return tmp_path / "tree"


@pytest.mark.parametrize("jobs", [2, 8])
def test_files_are_the_same_for_any_number_of_processes(
    tree: Path, jobs: int, capsys: pytest.CaptureFixture[str]
) -> None:
    request = Request(paths=("tree",), output="out")
    one = _run(request, capsys)
    assert one[0] == 0
    assert len(one[2]) > 3
    assert _run(request._replace(jobs=jobs), capsys) == one


@pytest.mark.parametrize("kind", ["warnings", "syntax errors", "missing types", "not generated"])
def test_diagnostics_are_the_same_for_any_number_of_processes(
    tree: Path, kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for number, path in enumerate(sorted(tree.rglob("*.aidl"))):
        text = path.read_text()
        if kind == "warnings":
            first = text.index("\n\n") + 1
            package = text[len("package ") : text.index(";")]
            twice = f"import {package}.{path.stem};\nimport other.{path.stem};\n"
            path.write_text(text[:first] + twice + text[first:])
        elif number % 7 == 0 and kind == "syntax errors":
            path.write_text(text.replace(";", ";;", 2).replace("{", "{ ]", 1))
        elif number % 7 == 0 and kind == "missing types":
            path.write_text(text + f"\nparcelable More{number} {{ Missing{number} a; }}\n")
        elif number % 7 == 0:
            path.write_text(text + f"\ninterface IMore{number} {{ void f(in Map a); CharSequence g(); }}\n")
    request = Request(paths=("tree",), output="out")
    one = _run(request, capsys)
    assert one[1].count("\n") > 20
    assert one[0] == (0 if kind == "warnings" else 1)
    assert _run(request._replace(jobs=3), capsys) == one


_INTERRUPTED = """
import os, signal
from codegen import runs
from codegen.cli import main
share = runs.share
def interrupted(function, items, jobs):
    parent = os.getpid()
    def last(item):
        if os.getpid() == parent:
            os.kill(parent, signal.SIGINT)
        return function(item)
    return share(last, items, jobs)
runs.share = interrupted
main()
"""


def test_ctrl_c_ends_all_processes_and_writes_nothing(tree: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _INTERRUPTED, "generate", "-j", "3", "-o", "out", "tree"],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "codegen: interrupted\n")
    assert not Path("out").exists()


def test_number_of_processes_must_be_positive(tmp_path: Path) -> None:
    write_files(tmp_path, {"q/P.aidl": "package q; parcelable P { int a; }"})
    done = run_command("codegen", "generate", "-j", "0", "q", cwd=tmp_path)
    assert done.code == 2
    assert "Traceback" not in done.err
