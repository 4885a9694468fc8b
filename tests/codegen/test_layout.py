"""The wire layout of types: one row per built-in, or a named refusal."""

from __future__ import annotations

from pathlib import Path

import pytest

from codegen import ast
from codegen.layout import (
    REFUSED_TYPES,
    TYPE_TABLE,
    Array,
    BinderValue,
    FileDescriptorValue,
    ParcelableValue,
    Scalar,
    String,
    Unsupported,
    body_slots,
    request_slots,
    steps,
    wire_type,
)
from codegen.resolve import BUILT_IN

from .aidl_files import compile_text


def _field_types(folder: Path, fields: str) -> dict[str, ast.TypeRef]:
    files = {
        "q/A.aidl": f"package q; import q.E; import q.P; import q.I; parcelable A {{ {fields} }}",
        "q/E.aidl": 'package q; @Backing(type="long") enum E { X }',
        "q/P.aidl": "package q; parcelable P { int x; }",
        "q/I.aidl": "package q; interface I { }",
    }
    (declaration,) = compile_text(folder, files).requested[0].declarations
    assert isinstance(declaration, ast.Parcelable)
    return {field.name: field.type for field in declaration.fields}


def test_every_built_in_type_has_a_row_or_a_refusal() -> None:
    assert set(TYPE_TABLE) | set(REFUSED_TYPES) | {"List", "void"} == set(BUILT_IN)


def test_rows_of_the_type_table(tmp_path: Path) -> None:
    fields = (
        "boolean z; byte b; char c; int i; long q; float f; double d; String s; @utf8InCpp String u;"
        "@nullable String n; IBinder o; @nullable IBinder no; FileDescriptor fd; ParcelFileDescriptor pfd;"
        "@nullable ParcelFileDescriptor npfd; E e; P p; @nullable P np; I x;"
    )
    found = {name: wire_type(ref) for name, ref in _field_types(tmp_path, fields).items()}
    for letter in "zbciqfd":
        assert found[letter] == Scalar(letter)
    assert found["s"] == found["u"] == String(False)
    assert found["n"] == String(True)
    assert found["o"] == BinderValue(None, False)
    assert found["no"] == BinderValue(None, True)
    assert found["fd"] == FileDescriptorValue(parcel=False, nullable=False)
    assert found["pfd"] == FileDescriptorValue(parcel=True, nullable=False)
    assert found["npfd"] == FileDescriptorValue(parcel=True, nullable=True)
    enum, parcelable, nullable, interface = (found[name] for name in ("e", "p", "np", "x"))
    assert isinstance(enum, Scalar)
    assert enum.letter == "q"
    assert isinstance(parcelable, ParcelableValue)
    assert not parcelable.nullable
    assert isinstance(nullable, ParcelableValue)
    assert nullable.nullable
    assert isinstance(interface, BinderValue)
    assert interface.declaration is not None


def test_array_forms(tmp_path: Path) -> None:
    fields = (
        "int[] a; @nullable String[] ns; List<String> l; @nullable List<String> nl; byte[16] f;"
        "int[2][3] m; E[] e;"
    )
    found = {name: wire_type(ref) for name, ref in _field_types(tmp_path, fields).items()}
    assert found["a"] == Array(Scalar("i"), False)
    # Where an array may be null, so may its elements, unless they are plain numbers.
    assert found["ns"] == Array(String(True), True)
    assert found["l"] == Array(String(False), False)
    assert found["nl"] == Array(String(True), True)
    assert found["f"] == Array(Scalar("b"), False, 16)
    assert found["m"] == Array(Array(Scalar("i"), False, 3), False, 2)
    assert isinstance(found["e"], Array)


@pytest.mark.parametrize(
    ("field", "reason"),
    [
        ("ParcelableHolder h;", "ParcelableHolder is not supported"),
        ("U u;", "union"),
        ("G<int> g;", "generic"),
    ],
)
def test_refuses_what_it_cannot_generate(tmp_path: Path, field: str, reason: str) -> None:
    files = {
        "q/A.aidl": f"package q; import q.U; import q.G; parcelable A {{ int x; {field} }}",
        "q/U.aidl": "package q; union U { int a; String s; }",
        "q/G.aidl": "package q; parcelable G<T> { int x; }",
    }
    (declaration,) = compile_text(tmp_path, files).requested[0].declarations
    assert isinstance(declaration, ast.Parcelable)
    with pytest.raises(Unsupported, match=reason) as refusal:
        body_slots(declaration)
    assert refusal.value.span.line == 1


@pytest.mark.parametrize("direction", ["out", "inout"])
def test_refuses_results_through_arguments(tmp_path: Path, direction: str) -> None:
    files = {"q/IA.aidl": f"package q; interface IA {{ void f({direction} int[] a); }}"}
    (declaration,) = compile_text(tmp_path, files).requested[0].declarations
    assert isinstance(declaration, ast.Interface)
    with pytest.raises(Unsupported, match=f"'{direction}' is not supported yet"):
        request_slots(declaration.methods[0])


def test_neighbouring_fixed_fields_are_one_step(tmp_path: Path) -> None:
    fields = "int a; boolean b; String s; long c; String t; byte d; byte e;"
    files = {"q/A.aidl": f"package q; parcelable A {{ {fields} }}"}
    (declaration,) = compile_text(tmp_path, files).requested[0].declarations
    assert isinstance(declaration, ast.Parcelable)
    found = [[slot.name for slot in step.slots] for step in steps(body_slots(declaration))]
    assert found == [["a", "b"], ["s"], ["c"], ["t"], ["d", "e"]]
