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
    HolderValue,
    MapValue,
    ParcelableValue,
    Scalar,
    String,
    Unsupported,
    body_slots,
    reply_slots,
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
    built = {"List", "Map", "ParcelableHolder", "void"}
    assert set(TYPE_TABLE) | set(REFUSED_TYPES) | built == set(BUILT_IN)


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
    ("method", "reason"),
    [
        ("void f(in Map m);", "Java's own values"),
        ("void f(in Map<String, String> m, in CharSequence c);", "only in Java"),
        ("void f(in List l);", "without an element type"),
    ],
)
def test_refuses_what_has_no_fixed_bytes(tmp_path: Path, method: str, reason: str) -> None:
    files = {"q/IA.aidl": f"package q;\ninterface IA {{ {method} }}"}
    (declaration,) = compile_text(tmp_path, files).requested[0].declarations
    assert isinstance(declaration, ast.Interface)
    with pytest.raises(Unsupported, match=reason) as refusal:
        request_slots(declaration.methods[0])
    assert refusal.value.span.line == 2


def test_maps_and_holders_have_types_of_their_own(tmp_path: Path) -> None:
    found = {name: wire_type(ref) for name, ref in _field_types(tmp_path, "int x;").items()}
    assert found == {"x": Scalar("i")}
    files = {
        "q/A.aidl": "package q; parcelable A { ParcelableHolder h; }",
        "q/B.aidl": "package q; @VintfStability parcelable B { ParcelableHolder h; }",
        "q/IA.aidl": "package q; interface IA {"
        " Map<String, IBinder> f(in @nullable Map<String, String> m); }",
    }
    local, vintf, interface = (
        document.declarations[0] for document in compile_text(tmp_path, files, vintf=True).requested
    )
    assert isinstance(local, ast.Parcelable)
    assert isinstance(vintf, ast.Parcelable)
    assert isinstance(interface, ast.Interface)
    assert body_slots(local)[0].type == HolderValue(vintf=False)
    assert body_slots(vintf)[0].type == HolderValue(vintf=True)
    assert request_slots(interface.methods[0])[0].type == MapValue(String(True), True)
    assert reply_slots(interface.methods[0])[0].type == MapValue(BinderValue(None, False), False)


def test_out_arrays_are_announced_by_their_length(tmp_path: Path) -> None:
    method = (
        "int f(inout String[] a, out List<String> b, in int c, out int[] d, out int[3] e,"
        " out @nullable String[] g);"
    )
    files = {"q/IA.aidl": f"package q; interface IA {{ {method} }}"}
    (declaration,) = compile_text(tmp_path, files).requested[0].declarations
    assert isinstance(declaration, ast.Interface)
    (f,) = declaration.methods
    assert [slot.name for slot in request_slots(f)] == ["a", "c", "d_length", "g_length"]
    assert [slot.length_of_array for slot in request_slots(f)] == [False, False, True, True]
    assert [slot.name for slot in reply_slots(f)] == ["result", "a", "b", "d", "e", "g"]


def test_neighbouring_fixed_fields_are_one_step(tmp_path: Path) -> None:
    fields = "int a; boolean b; String s; long c; String t; byte d; byte e;"
    files = {"q/A.aidl": f"package q; parcelable A {{ {fields} }}"}
    (declaration,) = compile_text(tmp_path, files).requested[0].declarations
    assert isinstance(declaration, ast.Parcelable)
    found = [[slot.name for slot in step.slots] for step in steps(body_slots(declaration))]
    assert found == [["a", "b"], ["s"], ["c"], ["t"], ["d", "e"]]


def test_elements_of_a_nullable_fixed_array_may_be_null_but_not_its_rows(tmp_path: Path) -> None:
    """As in Google's Rust: `Option<[[Option<String>; 3]; 2]>`."""
    program = compile_text(
        tmp_path, {"q/A.aidl": "package q; parcelable A { @nullable String[2][3] a; @nullable int[2] b; }"}
    )
    declaration = program.declarations["q.A"]
    assert isinstance(declaration, ast.Parcelable)
    assert [slot.type for slot in body_slots(declaration)] == [
        Array(Array(String(True), False, 3), True, 2),
        Array(Scalar("i"), True, 2),
    ]


def test_maps_lead_to_arrays_and_to_what_may_be_null(tmp_path: Path) -> None:
    fields = "Map<String, int[]> a; Map<String, @nullable String> b; @nullable Map<String, String[]> c;"
    program = compile_text(tmp_path, {"q/A.aidl": f"package q; parcelable A {{ {fields} }}"})
    declaration = program.declarations["q.A"]
    assert isinstance(declaration, ast.Parcelable)
    assert [slot.type for slot in body_slots(declaration)] == [
        MapValue(Array(Scalar("i"), False), False),
        MapValue(String(True), False),
        MapValue(Array(String(True), True), True),
    ]
