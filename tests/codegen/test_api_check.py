"""Versions as folders: what is read, what is said, and where."""

from __future__ import annotations

from pathlib import Path

import pytest

from codegen.api_check import load_api
from codegen.diagnostics import Diagnostics
from codegen.interfaces import Interfaces
from codegen.job import NothingToDo

from .aidl_files import write_files
from .api_pairs import changes

OLD = {
    "q/IA.aidl": "package q;\nimport q.P;\ninterface IA {\n  void f(in P p);\n  void gone();\n}\n",
    "q/P.aidl": "package q;\nparcelable P {\n  int a;\n}\n",
}


def test_changes_are_located_in_the_new_version(tmp_path: Path) -> None:
    new = {**OLD, "q/P.aidl": "package q;\n\nparcelable P {\n  long a;\n}\n"}
    (change,) = changes(tmp_path, OLD, new)
    assert str(change) == f"{tmp_path}/new/q/P.aidl:4:8: error: q.P.a was int and is long [changed-type]"


def test_what_is_gone_is_located_in_the_old_version(tmp_path: Path) -> None:
    new = {"q/IA.aidl": "package q;\ninterface IA {\n  void f(in P p);\n  parcelable P {}\n}\n"}
    found = [str(change).removeprefix(f"{tmp_path}/") for change in changes(tmp_path, OLD, new)]
    assert found == [
        "new/q/IA.aidl:3:8: error: the parameters of q.IA.f were (q.P) and are (q.IA.P) [changed-parameters]",
        "old/q/IA.aidl:5:8: error: q.IA.gone is gone [removed-method]",
        "old/q/P.aidl:2:12: error: q.P is gone [removed-type]",
    ]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("interface A { int f(); }", "interface A { long f(); }", "what q.A.f returns was int and is long"),
        (
            "interface A { void f(in int[] x); }",
            "interface A { void f(out int[] y); }",
            "y of q.A.f was in and is out",
        ),
        ("interface A { void f() = 2; }", "interface A { void f() = 3; }", "q.A.f had the id 2 and has 3"),
        ("interface A { oneway void f(); }", "interface A { void f(); }", "q.A.f was oneway"),
        ("interface A { void f(); }", "interface A { oneway void f(); }", "q.A.f was not oneway"),
        ("enum A { X }", "interface A {}", "q.A was an enum and is an interface"),
        ("enum A { X }", "parcelable A;", "q.A was an enum and is a parcelable without a body"),
        ("enum A { X, Y }", "enum A { X }", "q.A.Y is gone"),
        ("enum A { X }", "enum A { X = 7 }", "q.A.X was 0 and is 7"),
        ("parcelable A { int a; int b; }", "parcelable A { int b; }", "q.A had 2 fields and has 1; gone: a"),
        ("parcelable A { int a; }", "parcelable A { int a = 1; }", "the default of q.A.a was 0 and is 1"),
        ("parcelable A { String a; }", 'parcelable A { String a = ""; }', 'q.A.a was not given and is ""'),
        (
            "parcelable A {}",
            "parcelable A { E e; enum E { X = 1 } }",
            "field q.A.e has no default, and A.E has no 0",
        ),
        ("parcelable A {}", "parcelable A { String s; }", "the new field q.A.s has no default"),
        (
            "parcelable A { int a; int b; }",
            "parcelable A { int b; int a; }",
            "q.A.b was field 1 and is field 0",
        ),
        (
            'parcelable A { const String S = "a"; }',
            'parcelable A { const String S = "b"; }',
            'was "a" and is "b"',
        ),
        ("enum A { X }", '@Backing(type="int") enum A { X }', 'of q.A changed: @Backing(type="int") is new'),
        ("@VintfStability enum A { X }", "enum A { X }", "of q.A changed: @VintfStability is gone"),
    ],
)
def test_messages_name_what_was_and_what_is(old: str, new: str, message: str, tmp_path: Path) -> None:
    found = changes(tmp_path, {"q/A.aidl": f"package q; {old}"}, {"q/A.aidl": f"package q; {new}"})
    assert message in "\n".join(map(str, found))


@pytest.mark.parametrize(
    ("old", "new", "difference"),
    [
        ("int a;", "int a; int b;", "q.A differs: 'int b;' is new"),
        ("int a;", "/** @hide */ int a;", "q.A differs: '/* @hide */' is new"),
        ("int a; const int K = 1;", "int b; const int K = 1;", "q.A differs: 'int a;' became 'int b;'"),
        ("/** @deprecated x */ int a;", "int a;", "q.A differs: '/** * @deprecated x */' is gone"),
    ],
)
def test_equal_versions_differ_in_nothing(old: str, new: str, difference: str, tmp_path: Path) -> None:
    before, after = ({"q/A.aidl": f"package q; parcelable A {{ {body} }}"} for body in (old, new))
    assert not changes(tmp_path, before, after)
    (change,) = changes(tmp_path, before, after, equal=True)
    assert change.message == difference


def test_equal_versions_have_the_same_types(tmp_path: Path) -> None:
    new = {**OLD, "q/New.aidl": "package q; parcelable New {}"}
    assert not changes(tmp_path, OLD, new)
    (change,) = changes(tmp_path, OLD, new, equal=True)
    assert change.rule.slug == "added-type"


def test_values_are_compared_and_not_how_they_are_written(tmp_path: Path) -> None:
    old = {"q/A.aidl": "package q; parcelable A { const int K = 1 + 1; int a = K; enum E { X } }"}
    new = {"q/A.aidl": "package q; parcelable A { int a = 2; enum E { X = 0 } const int K = 2; }"}
    assert not changes(tmp_path, old, new, equal=True)


def test_imports_come_from_the_version_itself_before_anywhere_else(tmp_path: Path) -> None:
    files = {"q/A.aidl": "package q; import r.R; parcelable A { @nullable R r; }"}
    write_files(tmp_path / "api", files)
    write_files(tmp_path / "more", {"r/R.aidl": "package r; parcelable R {}"})
    diagnostics = Diagnostics()
    load_api(tmp_path / "api", [], Interfaces(), diagnostics)
    assert diagnostics.failed
    diagnostics = Diagnostics()
    load_api(tmp_path / "api", [tmp_path / "more"], Interfaces(), diagnostics)
    assert not diagnostics.failed


def test_folder_without_aidl_is_no_version(tmp_path: Path) -> None:
    with pytest.raises(NothingToDo, match=r"no \.aidl files"):
        load_api(tmp_path, [], Interfaces(), Diagnostics())
