"""Runs that take over what an earlier one found, and those that must not."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from codegen import cache, generate
from codegen.cache import Cache, Entry
from codegen.inputs import Inputs
from codegen.outcome import Outcome
from codegen.parser import TABLES
from codegen.request import Request
from tests.harness.command import ROOT

from .aidl_files import write_files

FILES = {
    "src/q/IA.aidl": "package q;\nimport q.P;\nimport r.D;\ninterface IA { P f(in D d); }\n",
    "src/q/P.aidl": "package q;\nparcelable P { int a; }\n",
    "lib/r/D.aidl": "package r;\nimport r.Mine;\nparcelable D { long d; @nullable Mine m; }\n",
    "lib/r/Mine.aidl": "package r;\nparcelable Mine;\n",
}
WARNING = "package q;\nimport q.P;\nimport r.P;\ninterface IA { P f(); }\n"


class Workshop:
    """A folder to generate in, and what each run did."""

    def __init__(self, folder: Path, capture: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self._capture = capture
        self.compiled = self.partly = 0

    def run(self, request: Request) -> tuple[int, str, dict[str, bytes]]:
        """The exit code, what was said, and the files that are there then."""
        self._capture.readouterr()
        try:
            generate.generate(request, [])
            code = 0
        except SystemExit as end:
            code = int(end.code or 0)
        output = self.folder / request.output
        files = {str(path.relative_to(output)): path.read_bytes() for path in output.rglob("*.py")}
        return code, "".join(self._capture.readouterr()), files

    def compiles(self, request: Request) -> bool:
        """Whether a run compiles; its result must be that of one without the cache."""
        before = self.compiled, self.partly
        found = self.run(request)
        compiled = (self.compiled, self.partly) != before
        plain = self.run(request._replace(cache=False, output="plain"))
        assert found[0] == plain[0]
        assert found[1].replace(request.output, "plain").splitlines()[:-1] == plain[1].splitlines()[:-1]
        assert found[0] or found[2] == plain[2]
        return compiled


REQUEST = Request(paths=("src",), roots=("first", "lib"), output="out")


@pytest.fixture
def workshop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Workshop:
    write_files(tmp_path, FILES)
    (tmp_path / "first").mkdir()
    monkeypatch.chdir(tmp_path)
    workshop = Workshop(tmp_path, capsys)
    compile_ = generate._compile

    def counted(request: Request, inputs: Inputs) -> Outcome:
        workshop.compiled += 1
        return compile_(request, inputs)

    compile_changed = generate._compile_changed

    def counted_changes(
        request: Request, inputs: Inputs, earlier: Outcome, changed: set[str]
    ) -> Outcome | None:
        outcome = compile_changed(request, inputs, earlier, changed)
        workshop.partly += outcome is not None
        return outcome

    # The compiler's own files may be edited while its tests run.
    monkeypatch.setattr(generate, "compiler_identity", lambda: "this one")
    monkeypatch.setattr(generate, "_compile", counted)
    monkeypatch.setattr(generate, "_compile_changed", counted_changes)
    return workshop


def test_an_unchanged_run_compiles_nothing_and_says_the_same(workshop: Workshop) -> None:
    (workshop.folder / "src/q/IA.aidl").write_text(WARNING)
    write_files(workshop.folder, {"lib/r/P.aidl": "package r;\nparcelable P { int a; }\n"})
    assert workshop.compiles(REQUEST)
    assert not workshop.compiles(REQUEST)
    assert "shadowed-import" in workshop.run(REQUEST)[1]


def test_checking_takes_over_what_writing_found(workshop: Workshop) -> None:
    assert workshop.compiles(REQUEST)
    code, said, _ = workshop.run(REQUEST._replace(check=True))
    assert (code, workshop.compiled) == (0, 2)
    (workshop.folder / "out/q/__init__.py").write_text("other\n")
    code, said, _ = workshop.run(REQUEST._replace(check=True))
    assert (code, workshop.compiled) == (1, 2)
    assert "out/q/__init__.py: different" in said


def test_an_output_that_was_changed_or_removed_is_mended(workshop: Workshop) -> None:
    assert workshop.compiles(REQUEST)
    (workshop.folder / "out/q/__init__.py").unlink()
    (workshop.folder / "out/r/__init__.py").write_text("other\n")
    assert not workshop.compiles(REQUEST)


def test_touching_a_file_changes_nothing(workshop: Workshop) -> None:
    assert workshop.compiles(REQUEST)
    for path in workshop.folder.rglob("*.aidl"):
        path.write_bytes(path.read_bytes())
        os.utime(path, (1, 1))
    assert not workshop.compiles(REQUEST)


def _write(name: str, text: str) -> Callable[[Path], object]:
    return lambda folder: write_files(folder, {name: text})


def _link(folder: Path) -> None:
    (folder / "lib").rename(folder / "lib2")
    shutil.copytree(folder / "lib2", folder / "lib3")
    (folder / "lib").symlink_to("lib3")


CHANGES: dict[str, Callable[[Path], object]] = {
    "a file": _write("src/q/P.aidl", "package q;\nparcelable P { long a; }\n"),
    "only its comment": _write("src/q/P.aidl", "package q;\n/** Doc. */\nparcelable P { int a; }\n"),
    "an imported file": _write("lib/r/D.aidl", "package r;\nparcelable D { int d; }\n"),
    "a new file": _write("src/q/N.aidl", "package q;\nparcelable N { int a; }\n"),
    "a new file in a new folder": _write("src/q/w/N.aidl", "package q.w;\nparcelable N { int a; }\n"),
    "a removed file": lambda folder: (folder / "src/q/IA.aidl").unlink(),
    "a removed import": lambda folder: (folder / "lib/r/D.aidl").unlink(),
    "a file in an earlier root": _write("first/r/D.aidl", "package r;\nparcelable D { int d; }\n"),
    "an error": _write("src/q/P.aidl", "package q;\nparcelable P { long a }\n"),
    "a link": _link,
    "a project": _write("aidl/interfaces.toml", '[parcelables]\n"r.Mine" = "mine:Own"\n'),
    "a project that is wrong": _write("aidl/interfaces.toml", '["q"]\nroot = "none"\n'),
}


@pytest.mark.parametrize("change", list(CHANGES))
def test_a_change_of_what_was_read_or_looked_for_is_seen(workshop: Workshop, change: str) -> None:
    assert workshop.compiles(REQUEST)
    CHANGES[change](workshop.folder)
    assert workshop.compiles(REQUEST)


def test_a_change_of_the_project_is_seen(workshop: Workshop) -> None:
    project = '["q"]\nroot = "../src"\n["r"]\nroot = "../lib"\n'
    write_files(workshop.folder, {"aidl/interfaces.toml": project})
    request = Request(output="out")
    assert workshop.compiles(request)
    assert not workshop.compiles(request)
    write_files(workshop.folder, {"aidl/interfaces.toml": project + "version = 2\n"})
    assert workshop.compiles(request)
    assert not workshop.compiles(request)
    write_files(workshop.folder, {"src/q/N.aidl": "package q;\nparcelable N { int a; }\n"})
    assert workshop.compiles(request)


@pytest.mark.parametrize(
    "change",
    [
        {"roots": ("lib",)},
        {"paths": ("src/q/IA.aidl",)},
        {"lint": True},
        {"disabled": ("enum-without-default",)},
        {"version": 2},
        {"hash": "abc"},
        {"parcelables": ("r.Mine=mine:Own",)},
    ],
)
def test_other_options_have_other_results(workshop: Workshop, change: dict[str, object]) -> None:
    assert workshop.compiles(REQUEST)
    assert workshop.compiles(REQUEST._replace(**change))  # type: ignore[arg-type]
    assert not workshop.compiles(REQUEST)


def test_another_compiler_has_other_results(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    assert workshop.compiles(REQUEST)
    monkeypatch.setattr(generate, "compiler_identity", lambda: "another")
    assert workshop.compiles(REQUEST)


@pytest.mark.parametrize("file", ["cache.py", "checks/types.py", "templates/enum.py.j2", "grammar.lark"])
def test_a_compiler_with_another_file_is_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str
) -> None:
    shutil.copytree(ROOT / "codegen", tmp_path / "codegen", ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(cache, "__file__", str(tmp_path / "codegen/cache.py"))
    before = cache.compiler_identity()
    assert cache.compiler_identity() == before
    with (tmp_path / "codegen" / file).open("a") as end:
        end.write("\n")
    assert cache.compiler_identity() != before


def _results(folder: Path) -> list[Path]:
    return [path for path in folder.glob("*") if not path.name.startswith(TABLES)]


def test_errors_are_never_kept(workshop: Workshop, cache_folder: Path) -> None:
    (workshop.folder / "src/q/P.aidl").write_text("package q; parcelable P { int }")
    assert workshop.compiles(REQUEST)
    assert workshop.compiles(REQUEST)
    assert _results(cache_folder) == []


def test_damaged_entries_are_as_good_as_none(workshop: Workshop, cache_folder: Path) -> None:
    assert workshop.compiles(REQUEST)
    (entry,) = _results(cache_folder)
    sound = entry.read_bytes()
    for damaged in (b"", sound[:-1], sound[:50], sound.replace(b"parcelable", b"parcelablf"), b"\xff" * 99):
        entry.write_bytes(damaged)
        assert workshop.compiles(REQUEST)
        assert entry.read_bytes() == sound
    assert not workshop.compiles(REQUEST)


def test_a_folder_that_cannot_be_used_does_not_matter(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    (workshop.folder / "file").write_text("")
    for folder in ("file", "file/below", "/proc/npukit"):
        monkeypatch.setenv("NPUKIT_CACHE", folder)
        assert workshop.compiles(REQUEST)
        assert workshop.compiles(REQUEST)


def test_a_folder_that_others_can_write_is_not_trusted(workshop: Workshop, cache_folder: Path) -> None:
    assert workshop.compiles(REQUEST)
    cache_folder.chmod(0o777)
    assert workshop.compiles(REQUEST)
    cache_folder.chmod(0o700)
    assert not workshop.compiles(REQUEST)


def test_the_folder_is_the_users_alone(workshop: Workshop, cache_folder: Path) -> None:
    workshop.run(REQUEST)
    assert cache_folder.stat().st_mode & 0o777 == 0o700


def test_the_place_is_where_the_user_wants_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert cache.default_folder() == os.environ["NPUKIT_CACHE"]
    monkeypatch.delenv("NPUKIT_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", "/x")
    assert cache.default_folder() == "/x/npukit/codegen"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", "/h")
    assert cache.default_folder() == "/h/.cache/npukit/codegen"


def test_those_unused_for_longest_go_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Cache(str(tmp_path / "c"))
    monkeypatch.setattr(cache, "MAX_BYTES", 2500)
    for number, key in enumerate("abc"):
        store.save(key, Entry([], ["x" * 700]))
        os.utime(tmp_path / "c" / key, (number, number))
    assert store.load("a")  # is used now
    store.save("d", Entry([], ["x" * 700]))
    assert sorted(path.name for path in (tmp_path / "c").iterdir()) == ["a", "c", "d"]


def test_entries_come_back_as_they_were(tmp_path: Path) -> None:
    store = Cache(str(tmp_path / "c"))
    entry = Entry({"a": [1, "ü\n"]}, ["", "one\ntwo\n", "ü𝄞"])
    store.save("k", entry)
    assert store.load("k") == entry
    assert store.load("other") is None


def test_runs_may_overlap(tmp_path: Path) -> None:
    stores = [Cache(str(tmp_path / "c")) for _ in range(4)]
    wrong: list[Entry] = []

    def use(store: Cache, number: int) -> None:
        for _ in range(30):
            store.save("k", Entry(number, [str(number) * 2000]))
            found = store.load("k")
            if found is None or found.texts != [str(found.data) * 2000]:
                wrong.append(found or Entry("none", []))

    threads = [threading.Thread(target=use, args=(store, n)) for n, store in enumerate(stores)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


_KILLED = """
import os, signal, sys
from codegen import cache, output
from codegen.cli import main
def killed(*args): os.kill(os.getpid(), signal.SIGKILL)
if sys.argv.pop(1) == "cache": cache.os.replace = killed
else: output.os.replace = killed
main()
"""


@pytest.mark.parametrize("where", ["cache", "output"])
def test_a_killed_run_leaves_whole_files_and_a_usable_cache(workshop: Workshop, where: str) -> None:
    words = ["generate", "-I", "lib", "-o", "out", "src"]
    done = subprocess.run(
        [sys.executable, "-c", _KILLED, where, *words],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        check=False,
    )
    assert done.returncode == -signal.SIGKILL
    assert not list((workshop.folder / "out").rglob("*.py"))
    request = Request(paths=("src",), roots=("lib",), output="out")
    workshop.compiles(request)
    assert not workshop.compiles(request)
