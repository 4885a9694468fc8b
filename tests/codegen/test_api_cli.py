"""`codegen dump-api`, `check-api` and `freeze`, as a user meets them."""

from __future__ import annotations

from pathlib import Path

import pytest

import codegen.api_cli  # noqa: F401  # adds the commands
from codegen.console import app
from tests.harness.command import Outcome, run_command

from .aidl_files import write_files

FILES = {
    "aidl/interfaces.toml": '["q"]\nroot = "src"\n',
    "aidl/src/q/IA.aidl": "package q;\nimport q.P;\ninterface IA {\n  void f(in P p);\n}\n",
    "aidl/src/q/P.aidl": "package q;\nparcelable P {\n  int a;\n}\n",
    "broken/q/X.aidl": "package q;\nparcelable X {\n  int a\n}\n",
    "empty/x.txt": "",
}
BROKEN = FILES["aidl/src/q/P.aidl"].replace("int", "long")


class Project:
    """A folder to work in, and the program called there, in this process to save time."""

    def __init__(self, folder: Path, capture: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self._capture = capture

    def run(self, *args: str) -> Outcome:
        self._capture.readouterr()
        with pytest.raises(SystemExit) as end:
            app(list(args), prog_name="codegen")
        out, err = self._capture.readouterr()
        return Outcome(int(end.value.code or 0), out, err)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Project:
    write_files(tmp_path, FILES)
    monkeypatch.chdir(tmp_path)
    return Project(tmp_path, capsys)


def test_dumps_one_file_per_type_and_names_them(project: Project) -> None:
    done = project.run("dump-api", "-o", "out", "aidl/src")
    assert (done.code, done.out) == (0, "out/q/IA.aidl\nout/q/P.aidl\n")
    assert "2 files in out, 2 changed" in done.err
    assert "  void f(in q.P p);\n" in (project.folder / "out/q/IA.aidl").read_text()


def test_snapshot_is_equal_to_its_sources(project: Project) -> None:
    project.run("dump-api", "-o", "out", "aidl/src/q/IA.aidl", "aidl/src/q/P.aidl")
    done = project.run("check-api", "--equal", "aidl/src", "out")
    assert (done.code, done.out) == (0, "")
    assert done.err == "codegen: out is equal to aidl/src\n"


def test_incompatible_changes_are_a_line_each(project: Project) -> None:
    write_files(project.folder, {"new/q/P.aidl": BROKEN})
    done = project.run("check-api", "aidl/src", "new")
    assert done.code == 1
    assert done.out.splitlines() == [
        "aidl/src/q/IA.aidl:3:11: error: q.IA is gone [removed-type]",
        "new/q/P.aidl:3:8: error: q.P.a was int and is long [changed-type]",
    ]
    assert "changed-type: Add another member" in done.err
    assert done.err.splitlines()[-1].startswith("codegen: 2 incompatible changes; ")


def test_compatible_changes_are_differences(project: Project) -> None:
    write_files(
        project.folder,
        {"new/q/IA.aidl": FILES["aidl/src/q/IA.aidl"], "new/q/P.aidl": "package q; parcelable P { int b; }"},
    )
    assert project.run("check-api", "aidl/src", "new").code == 0
    done = project.run("check-api", "--equal", "aidl/src", "new")
    assert done.code == 1
    assert done.out == "new/q/P.aidl:1:23: error: q.P differs: 'int a;' became 'int b;' [not-equal]\n"


def test_freezes_and_says_what_to_write_down(project: Project) -> None:
    done = project.run("freeze", "q", "--version", "1")
    assert done.code == 0, done.err
    recorded = (project.folder / "aidl/q/aidl_api/q/1/.hash").read_text().strip()
    assert done.out == f'version = 1\nhash = "{recorded}"\n'
    assert "now frozen in aidl/q/aidl_api/q/1" in done.err
    again = project.run("freeze", "q", "--version", "1")
    assert (again.code, again.out) == (0, done.out)
    assert "already frozen" in again.err


def test_version_that_breaks_the_one_before_is_not_frozen(project: Project) -> None:
    project.run("freeze", "q", "--version", "1", "--hash", "0123456789" * 4)
    write_files(project.folder, {"aidl/src/q/P.aidl": BROKEN})
    done = project.run("freeze", "q", "--version", "2")
    assert done.code == 1
    assert done.out == "aidl/src/q/P.aidl:3:8: error: q.P.a was int and is long [changed-type]\n"
    assert not (project.folder / "aidl/q/aidl_api/q/2").exists()


def test_frozen_versions_are_no_sources(project: Project) -> None:
    project.run("freeze", "q", "--version", "1")
    assert project.run("dump-api", "-o", "out", "aidl").out == "out/q/IA.aidl\nout/q/P.aidl\n"
    assert project.run("check-api", "aidl/q/aidl_api/q/1", "aidl").code == 0


@pytest.mark.parametrize(
    ("args", "code", "message"),
    [
        (["dump-api", "-o", "out", "missing.aidl"], 1, "missing.aidl"),
        (["dump-api", "-o", "out", "empty"], 1, "there are no .aidl files in empty"),
        (["dump-api", "-o", "empty/x.txt", "aidl/src"], 1, "cannot be written"),
        (["dump-api", "aidl/src"], 2, "-o"),
        (["dump-api", "-o", "aidl/src", "aidl/src"], 2, "aidl/src/q/IA.aidl is a source"),
        (["check-api", "missing", "aidl/src"], 2, "there is no folder missing"),
        (["check-api", "aidl/src", "empty"], 1, "there are no .aidl files in empty"),
        (["check-api", "aidl/src", "broken"], 1, "broken/q/X.aidl:4:1: error: "),
        (["check-api", "aidl/src"], 2, "NEW_DIR"),
        (["freeze", "r", "--version", "1"], 2, "there is no package r in aidl/interfaces.toml; it has q"),
        (["freeze", "q"], 2, "--version"),
        (["check-api", "aidl/src", "aidl/interfaces.toml"], 2, "there is no folder aidl/interfaces.toml"),
        (["freeze", "q", "--version", "0"], 2, "--version"),
        (["freeze", "q", "--version", "2"], 1, "the next version of q is 1, not 2"),
        (["freeze", "q", "--version", "1", "--hash", "xyz"], 2, "40 lower-case hexadecimal digits"),
    ],
)
def test_users_mistakes_are_one_sentence(project: Project, args: list[str], code: int, message: str) -> None:
    done = project.run(*args)
    assert (done.code, done.out) == (code, "")
    assert message in done.err
    assert "Traceback" not in done.err


def test_freezing_needs_a_project(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project.folder / "empty")
    (project.folder / "aidl/interfaces.toml").unlink()
    done = project.run("freeze", "q", "--version", "1")
    assert (done.code, done.out) == (2, "")
    assert done.err == "codegen: there is no aidl/interfaces.toml here or above; run it in a project\n"


@pytest.mark.parametrize("command", ["dump-api", "check-api", "freeze"])
def test_help_has_an_example(command: str, project: Project) -> None:
    done = project.run(command, "--help")
    assert done.code == 0
    assert f"Example: codegen {command}" in done.out


def test_installed_program_has_the_commands(tmp_path: Path) -> None:
    done = run_command("codegen", "--help", cwd=tmp_path)
    assert done.code == 0
    assert all(command in done.out for command in ("dump-api", "check-api", "freeze"))
