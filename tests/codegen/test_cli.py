"""The `codegen` command, as a user meets it."""

from __future__ import annotations

import json
import shutil
from importlib.metadata import version
from pathlib import Path

import pytest

from tests.harness.command import ROOT, run_command

from .aidl_files import write_files

REQUEST = "aidl/android.npumanager/android/npumanager/ModelLoadRequestParcelable.aidl"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A copy of what `generate` reads and writes."""
    for folder in ("aidl", "generated"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def test_committed_code_is_up_to_date() -> None:
    done = run_command("codegen", "generate", "--check")
    assert done.code == 0, done.out + done.err


def test_one_changed_byte_is_named_with_the_command_that_mends_it(project: Path) -> None:
    module = project / "generated/android/npumanager/__init__.py"
    module.write_bytes(module.read_bytes().replace(b"LESS", b"MESS", 1))
    done = run_command("codegen", "generate", "--check", cwd=project)
    assert done.code == 1
    assert "generated/android/npumanager/__init__.py: different" in done.out
    assert done.err.strip().splitlines()[-1].endswith("run: codegen generate")
    assert b"MESS" in module.read_bytes()
    assert run_command("codegen", "generate", cwd=project).code == 0
    assert run_command("codegen", "generate", "--check", cwd=project).code == 0


def test_all_faults_of_a_file_are_printed_and_nothing_is_written(tmp_path: Path) -> None:
    write_files(tmp_path, {"q/IA.aidl": "package q;\ninterface IA {\n  void f(int a,);\n  void g(;\n}\n"})
    done = run_command("codegen", "generate", "-o", "out", "q/IA.aidl", cwd=tmp_path)
    assert done.code == 1
    assert "q/IA.aidl:3:16: error: " in done.err
    assert "q/IA.aidl:4:10: error: " in done.err
    assert "    " + "  void f(int a,);" in done.err
    assert "^" in done.err
    assert not (tmp_path / "out").exists()
    assert done.out == ""


def test_generates_from_a_file_and_what_it_imports(tmp_path: Path) -> None:
    files = {
        "q/IA.aidl": "package q; import r.P; import android.os.PersistableBundle;"
        " interface IA { P f(in PersistableBundle b); }",
        "r/P.aidl": "package r; parcelable P { int x; }",
    }
    write_files(tmp_path, files)
    android = ROOT / "aidl/android.os"
    done = run_command("codegen", "generate", "-I", str(android), "-o", "out", "q/IA.aidl", cwd=tmp_path)
    assert done.code == 0, done.err
    made = sorted(str(path.relative_to(tmp_path / "out")) for path in (tmp_path / "out").rglob("*.py"))
    assert made == [
        "__init__.py",
        "android/__init__.py",
        "android/os/__init__.py",
        "q/__init__.py",
        "r/__init__.py",
    ]
    done = run_command(
        "codegen", "generate", "--check", "-I", str(android), "-o", "out", "q/IA.aidl", cwd=tmp_path
    )
    assert done.code == 0, done.out + done.err


def test_generates_from_a_folder(tmp_path: Path) -> None:
    write_files(tmp_path, {"src/q/IA.aidl": "package q; interface IA { void f(); }"})
    done = run_command("codegen", "generate", "-o", "out", "src", cwd=tmp_path)
    assert done.code == 0, done.err
    assert "class BnA(Stub, IA)" in (tmp_path / "out/q/__init__.py").read_text()


def test_types_left_out_of_a_package_are_named(tmp_path: Path) -> None:
    write_files(
        tmp_path, {"q/A.aidl": "package q; parcelable A { }", "q/B.aidl": "package q; parcelable B { }"}
    )
    assert run_command("codegen", "generate", "-o", "out", "q", cwd=tmp_path).code == 0
    done = run_command("codegen", "generate", "-o", "out", "q/A.aidl", cwd=tmp_path)
    assert done.code == 0
    assert "out/q/__init__.py has B no longer" in done.err


def test_what_cannot_be_generated_is_refused_where_it_stands(tmp_path: Path) -> None:
    write_files(
        tmp_path,
        {
            "q/IA.aidl": "package q;\ninterface IA {\n  void f(in Map a);\n}\n",
            "q/IB.aidl": "package q;\ninterface IB {\n\n  CharSequence f();\n}\n",
        },
    )
    done = run_command("codegen", "generate", "-o", "out", "q/IA.aidl", "q/IB.aidl", cwd=tmp_path)
    assert done.code == 1
    assert "q/IA.aidl:3:" in done.err
    assert "Map<String, ...>" in done.err
    assert "q/IB.aidl:4:3: error: CharSequence exists only in Java" in done.err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("args", "code", "message"),
    [
        (["generate"], 2, "no aidl/interfaces.toml here or above"),
        (["generate", "missing.aidl"], 1, "missing.aidl"),
        (["generate", "empty"], 1, "there are no .aidl files in empty"),
        (["generate", "--stability", "high", "x.aidl"], 2, "'local' or 'vintf'"),
        (["wire", "missing.aidl"], 1, "missing.aidl"),
    ],
)
def test_users_mistakes_are_one_sentence(tmp_path: Path, args: list[str], code: int, message: str) -> None:
    (tmp_path / "empty").mkdir()
    done = run_command("codegen", *args, cwd=tmp_path)
    assert done.code == code
    assert message in done.err
    assert "Traceback" not in done.err


def test_unwritable_output_is_named(tmp_path: Path) -> None:
    write_files(tmp_path, {"q/IA.aidl": "package q; interface IA { void f(); }", "out": "a file"})
    done = run_command("codegen", "generate", "-o", "out", "q/IA.aidl", cwd=tmp_path)
    assert done.code == 1
    assert "cannot be written" in done.err
    assert "Traceback" not in done.err


WARNED = 'package q; interface IA { @EnforcePermission("A") @RequiresNoPermission void f(); }'


def test_warnings_are_said_and_can_be_turned_off(tmp_path: Path) -> None:
    write_files(tmp_path, {"q/IA.aidl": WARNED})
    done = run_command("codegen", "generate", "-o", "out", "q/IA.aidl", cwd=tmp_path)
    assert done.code == 0
    slug = done.err.partition(" [")[2].partition("]")[0]
    assert "q/IA.aidl:1:" in done.err
    assert "warning" in done.err
    done = run_command("codegen", "generate", "-o", "out", "--no-warning", slug, "q/IA.aidl", cwd=tmp_path)
    assert done.code == 0
    assert "warning" not in done.err
    done = run_command("codegen", "generate", "--no-warning", "no-such-thing", "q/IA.aidl", cwd=tmp_path)
    assert done.code == 2
    assert "there is no diagnostic 'no-such-thing'" in done.err


def test_style_is_nobodys_business_unless_asked_for(tmp_path: Path) -> None:
    write_files(tmp_path, {"q/IA.aidl": "package q; interface IA { const int lower = 1; void Upper(); }"})
    plain = run_command("codegen", "generate", "-o", "out", "q/IA.aidl", cwd=tmp_path)
    linted = run_command("codegen", "generate", "-o", "out", "--lint", "q/IA.aidl", cwd=tmp_path)
    assert (plain.code, linted.code) == (0, 0)
    assert "warning" not in plain.err
    assert "warning" in linted.err


def test_vintf_wants_every_type_stable(tmp_path: Path) -> None:
    write_files(tmp_path, {"q/IA.aidl": "package q; interface IA { }"})
    done = run_command("codegen", "generate", "-o", "out", "--stability", "vintf", "q/IA.aidl", cwd=tmp_path)
    assert done.code == 1
    assert "VintfStability" in done.err


def test_registered_class_stands_for_its_parcelable(tmp_path: Path) -> None:
    files = {
        "q/Mine.aidl": "package q; parcelable Mine;",
        "q/A.aidl": "package q; import q.Mine; parcelable A { @nullable Mine m; }",
        "mine.py": "from binder import Parcelable\nclass Own(Parcelable): ...\n",
    }
    write_files(tmp_path, files)
    done = run_command(
        "codegen", "generate", "-o", "out", "--parcelable", "q.Mine=mine:Own", "q/A.aidl", cwd=tmp_path
    )
    assert done.code == 0, done.err
    assert "from mine import Own as Mine" in (tmp_path / "out/q/__init__.py").read_text()
    done = run_command("codegen", "generate", "--parcelable", "q.Mine=mine", "q/A.aidl", cwd=tmp_path)
    assert done.code == 2
    assert "write module:Class" in done.err


def test_wire_shows_offsets_and_byte_enums() -> None:
    done = run_command("codegen", "wire", REQUEST)
    assert done.code == 0, done.err
    rows = {words[2]: words[:2] for words in map(str.split, done.out.splitlines()[1:])}
    assert rows["(marker)"] == ["0", "4"]
    assert rows["id"] == ["8", "4"]
    assert rows["priority"] == ["16", "4"]
    done = run_command("codegen", "wire", "aidl/android.npumanager/android/npumanager/BufferType.aidl")
    assert "byte enum" in done.out


def test_wire_json_is_for_programs() -> None:
    done = run_command("codegen", "wire", "--json", REQUEST)
    (table,) = json.loads(done.out)
    assert [row["offset"] for row in table["rows"]] == [0, 4, 8, 12, 16]


@pytest.mark.parametrize("args", [("--help",), ("generate", "--help"), ("wire", "--help")])
def test_help_exits_0(args: tuple[str, ...]) -> None:
    done = run_command("codegen", *args)
    assert done.code == 0
    assert "Usage" in done.out
    if args[0] != "--help":
        assert "Example" in done.out


@pytest.mark.parametrize("program", ["codegen", "harness"])
def test_programs_know_their_version(program: str) -> None:
    done = run_command(program, "--version")
    assert (done.code, done.out) == (0, f"{program} {version('npukit')}\n")
