"""A run in parts gives what a run in one piece gives, or nothing."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from codegen import runs
from codegen.inputs import Inputs
from codegen.outcome import Known, Outcome, Warned
from codegen.parts import Part, cut, join
from codegen.request import Request

from .aidl_files import write_files


def test_parts_weigh_about_the_same_and_keep_the_order() -> None:
    sizes = {"a": 5, "b": 1, "c": 9, "d": 3, "e": 2}
    assert cut(sizes, 2) == [["c", "b"], ["a", "d", "e"]] or cut(sizes, 2) == [["b", "c"], ["a", "d", "e"]]
    assert cut({"a": 1}, 4) == [["a"]]


def _inputs(digests: dict[str, str]) -> Inputs:
    return Inputs(("", ""), [], {}, {}, {}, digests, [(["root"], {path: [0] for path in digests})])


def _part(
    package: str, files: dict[str, Known], text: str = "x", *, roots: str = "root", digest: str = "d"
) -> Part:
    packages: dict[str, set[str]] = {}
    for path, known in files.items():
        packages.setdefault(known.package, set()).add(path)
    modules = {f"{name}/__init__.py": f"{text} {name}" for name in packages}
    warning = Warned("n", 1, "slug", next(iter(files)), f"of {package}")
    return Part(_inputs(dict.fromkeys(files, digest)), Outcome([warning], modules, files, [roots]), packages)


_A, _B = Known("a.aidl", "a", True, ["a.A"], []), Known("b.aidl", "b", True, ["b.B"], [])
_USED_B = _B._replace(requested=False)


def test_a_package_comes_from_who_has_seen_all_of_it() -> None:
    other = _B._replace(name="c.aidl", declares=["b.C"])
    first = _part("a", {"a.aidl": _A, "b.aidl": _USED_B}, "first")
    second = _part("b", {"b.aidl": _B, "c.aidl": other}, "second")
    inputs = Inputs.begin()
    outcome = join([first, second], inputs)
    assert outcome is not None
    assert outcome.modules["a/__init__.py"] == "first a"
    assert outcome.modules["b/__init__.py"] == "second b"
    assert "__init__.py" in outcome.modules
    assert outcome.files == {"a.aidl": _A, "b.aidl": _B, "c.aidl": other}
    assert [warning.text for warning in outcome.warnings] == ["of a", "of b"]
    assert inputs.digests.keys() == {"a.aidl", "b.aidl", "c.aidl"}
    assert inputs.lookups == [(["root"], {"a.aidl": [0], "b.aidl": [0], "c.aidl": [0]})]


@pytest.mark.parametrize(
    "other",
    [
        None,
        _part("b", {"b.aidl": _B}, roots="elsewhere"),
        _part("b", {"a.aidl": _A._replace(requested=False), "b.aidl": _B}, digest="changed meanwhile"),
        _part("b", {"b.aidl": _B._replace(declares=["a.A"])}),
        _part("b", {"b.aidl": _B, "more.aidl": _A._replace(declares=["a.More"])}),
    ],
    ids=["has errors", "other roots", "other content", "type in two files", "other files of a package"],
)
def test_parts_that_do_not_fit_give_nothing(other: Part | None) -> None:
    inputs = Inputs.begin()
    assert join([_part("a", {"a.aidl": _A}), other], inputs) is None
    assert not inputs.digests


def _compiled(request: Request) -> tuple[Inputs, Outcome]:
    inputs = Inputs.begin()
    return inputs, runs.compile_all(request, inputs)


def _spy(monkeypatch: pytest.MonkeyPatch) -> list[Outcome | None]:
    """What comes of joining parts, as it happens."""
    joined: list[Outcome | None] = []

    def spy(parts: Sequence[Part | None], inputs: Inputs) -> Outcome | None:
        joined.append(join(parts, inputs))
        return joined[-1]

    monkeypatch.setattr(runs, "join", spy)
    return joined


def _users(count: int, imported: str) -> dict[str, str]:
    return {
        f"tree/p{number % 2}/F{number}.aidl": f"package p{number % 2};\n"
        f"import lib.{imported.format(number % 2)};\n"
        f"parcelable F{number} {{ lib.{imported.format(number % 2)} a; }}\n"
        for number in range(count)
    }


@pytest.mark.parametrize(("imported", "in_parts"), [("L0", True), ("L{}", False)])
def test_what_is_only_imported_is_the_same(
    imported: str, in_parts: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = {f"lib/lib/L{n}.aidl": f"package lib;\nparcelable L{n} {{ int a; }}\n" for n in range(2)}
    write_files(tmp_path, library | _users(30, imported))
    monkeypatch.chdir(tmp_path)
    request = Request(paths=("tree",), roots=("lib",))
    joined = _spy(monkeypatch)
    inputs, outcome = _compiled(request._replace(jobs=2))
    assert (joined[0] is not None) is in_parts
    alone = _compiled(request)
    assert alone[1].modules == outcome.modules
    assert alone[1].files == outcome.files
    assert alone[0].digests == inputs.digests
    assert dict(alone[0].lookups[0][1]) == dict(inputs.lookups[0][1])
    assert alone[0].real == inputs.real


def test_the_packages_of_a_project_are_shared_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {
        f"aidl/p{n % 3}/p{n % 3}/F{n}.aidl": f"package p{n % 3};\nparcelable F{n} {{ int a; }}\n"
        for n in range(30)
    }
    rows = "".join(f'[p{n}]\nroot = "p{n}"\nversion = {n + 1}\n' for n in range(3))
    write_files(tmp_path, files | {"aidl/interfaces.toml": rows})
    monkeypatch.chdir(tmp_path)
    joined = _spy(monkeypatch)
    inputs, outcome = _compiled(Request(jobs=2))
    assert joined == [outcome]
    assert len(outcome.modules) == 4
    alone = _compiled(Request())
    assert alone[1] == outcome._replace(modules=alone[1].modules)
    assert alone[1].modules == outcome.modules
    assert alone[0].sources == inputs.sources
    assert alone[0].digests == inputs.digests
