"""Snapshots are those of Android's own compiler, but for the comment at their top.

`api_dump/expected` is what `aidl --dumpapi` of Android 14 made of `api_dump/source`, without that
comment. A new pair of files there is a new test.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from codegen.api_dump import dump
from codegen.diagnostics import Diagnostics
from codegen.frontend import compile_files

FOLDER = Path(__file__).with_name("api_dump")
SOURCE, EXPECTED = FOLDER / "source", FOLDER / "expected"
NAMES = sorted(path.relative_to(SOURCE).as_posix() for path in SOURCE.rglob("*.aidl"))


def _dump(root: Path) -> dict[str, str]:
    diagnostics = Diagnostics()
    program = compile_files(sorted(root.rglob("*.aidl")), [root], vintf=True, diagnostics=diagnostics)
    assert not diagnostics.failed, [item.render() for item in diagnostics.items]
    return dump(program)


@pytest.fixture(scope="module")
def snapshots() -> dict[str, str]:
    return _dump(SOURCE)


def _without_header(text: str) -> str:
    return re.sub(r"// A snapshot of an AIDL interface.*?\n\n", "", text, count=1, flags=re.DOTALL)


@pytest.mark.parametrize("name", NAMES)
def test_equals_that_of_androids_compiler(name: str, snapshots: dict[str, str]) -> None:
    assert _without_header(snapshots[name]) == (EXPECTED / name).read_text()


def test_every_source_has_its_snapshot(snapshots: dict[str, str]) -> None:
    expected = {path.relative_to(EXPECTED).as_posix() for path in EXPECTED.rglob("*.aidl")}
    assert {str(name) for name in snapshots} == expected == set(NAMES)


def test_snapshot_of_a_snapshot_is_the_same(snapshots: dict[str, str], tmp_path: Path) -> None:
    # Without a package, and without imports, nothing says what a comment at the top belongs to.
    lost = "NoPackageImport.aidl"
    for name, text in snapshots.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    again = _dump(tmp_path)
    assert {name: text for name, text in again.items() if name != lost} == {
        name: text for name, text in snapshots.items() if name != lost
    }


@pytest.mark.parametrize("end", ["\n", "  \n", "\r\n"])
def test_space_at_the_end_of_lines_is_dropped(end: str, tmp_path: Path) -> None:
    (tmp_path / "q").mkdir()
    lines = [
        "// One.",
        "// Two.",
        "package q;",
        "parcelable A {",
        "/** @hide */",
        "// Three.",
        "int a;",
        "}",
        "",
    ]
    (tmp_path / "q/A.aidl").write_bytes(end.join(lines).encode())
    text = _dump(tmp_path)["q/A.aidl"]
    assert text.startswith("// One.\n// Two.\n// A snapshot")
    assert text.endswith("package q;\nparcelable A {\n  /* @hide */\n  int a;\n}\n")


def test_long_sums_are_no_trouble(tmp_path: Path) -> None:
    (tmp_path / "q").mkdir()
    words = " + ".join(["1"] * 3000)
    (tmp_path / "q/A.aidl").write_text(f"package q; parcelable A {{ const int K = {words}; }}")
    assert "/* 3000 */" in _dump(tmp_path)["q/A.aidl"]


def _normal(text: str) -> str:
    return " ".join(re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.DOTALL).split())


@pytest.mark.aidl
def test_installed_compiler_says_the_same_where_it_can(tmp_path: Path) -> None:
    same = 0
    for name in NAMES:
        command = [
            shutil.which("aidl") or "aidl",
            "--dumpapi",
            "--structured",
            f"--out={tmp_path}",
            "-I",
            ".",
            name,
        ]
        if subprocess.run(command, cwd=SOURCE, capture_output=True, timeout=60).returncode == 0:
            same += 1
            assert _normal((tmp_path / name).read_text()) == _normal((EXPECTED / name).read_text()), name
    assert same >= 15
