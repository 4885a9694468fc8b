"""Invalid AIDL: it is refused, at the right place, with words that help.

Named after the cases they come from.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from .compiling import Files, compile_aidl, enum, interface, parcelable

_B: Files = {"q/B.aidl": "package q; parcelable B { int x; }"}


def test_c50_a_type_of_the_same_package_must_be_imported(tmp_path: Path) -> None:
    result = compile_aidl(tmp_path, interface("void f(in B b);"), _B)
    assert result.slugs == {"unknown-type"}
    assert "import q.B;" in result.text


def test_c52_a_comment_must_end(tmp_path: Path) -> None:
    result = compile_aidl(tmp_path, {"q/IA.aidl": "package q; interface IA { } /* never closed"})
    assert [(i.rule.slug, i.span.column) for i in result.items] == [("unterminated-comment", 29)]


def test_c52_comments_do_not_nest(tmp_path: Path) -> None:
    result = compile_aidl(tmp_path, {"q/A.aidl": "package q; /* a /* b */ c */ parcelable A { }"})
    assert result.slugs == {"syntax"}
    assert "Comments do not nest" in result.text


@pytest.mark.parametrize(
    ("declaration", "slug"),
    [
        ("int a = 2147483647 + 1;", "overflow"),
        ("long a = 2147483647 + 1;", "overflow"),
        ("int a = 1/0;", "division-by-zero"),
        ("int a = -8 >> 1;", "overflow"),
        ("double a = 1.;", "bad-number"),
        ("long a = -9223372036854775808;", "overflow"),
        ("long a = 0xffffffffffffffffff;", "overflow"),
        ("byte a = 0xff;", "out-of-range"),
        ("byte a = 256;", "out-of-range"),
        ("int a = 2147483650;", "out-of-range"),
    ],
)
def test_c54_numbers_that_do_not_fit(declaration: str, slug: str, tmp_path: Path) -> None:
    result = compile_aidl(tmp_path, parcelable(declaration))
    assert result.slugs == {slug}


def test_c54_division_by_zero_is_not_called_overflow(tmp_path: Path) -> None:
    text = compile_aidl(tmp_path, parcelable("int a = 1/0;")).text
    assert "division by zero" in text
    assert "overflow" not in text


def test_c54_a_byte_pattern_is_suggested(tmp_path: Path) -> None:
    assert "write 255u8" in compile_aidl(tmp_path, parcelable("byte a = 0xff;")).text


@pytest.mark.parametrize("declaration", ["float f=1.5;", "float f=1;", "int f=1.0;"])
def test_c56_numbers_of_another_kind(declaration: str, tmp_path: Path) -> None:
    assert compile_aidl(tmp_path, parcelable(declaration)).slugs == {"wrong-value"}


def test_c56_the_f_of_floats_is_suggested(tmp_path: Path) -> None:
    assert "1.5f" in compile_aidl(tmp_path, parcelable("float f=1.5;")).text


@pytest.mark.parametrize("literal", ["1e400", "1e-400"])
def test_c56_doubles_that_do_not_fit(literal: str, tmp_path: Path) -> None:
    assert compile_aidl(tmp_path, parcelable(f"double f={literal};")).slugs == {"out-of-range"}


def test_c56_a_float_is_a_double_too(tmp_path: Path) -> None:
    assert compile_aidl(tmp_path, parcelable("double f=1.5f;")).ok().defaults() == {"f": 1.5}


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        ("enum E { }", "syntax"),
        ("enum E { A=B, B=A }", "constant-cycle"),
        ("enum E { A=127, B }", "out-of-range"),
        ("@Backing enum E { A }", "backing-type"),
        ('@Backing(type="boolean") enum E { A }', "backing-type"),
        ("enum E { A, A }", "duplicate-name"),
    ],
)
def test_c58_enums_that_cannot_be(text: str, slug: str, tmp_path: Path) -> None:
    assert compile_aidl(tmp_path, {"q/E.aidl": f"package q; {text}"}).slugs == {slug}


def test_c58_a_cycle_is_shown(tmp_path: Path) -> None:
    assert "A -> B -> A" in compile_aidl(tmp_path, enum("A=B, B=A")).text


@pytest.mark.parametrize(
    ("methods", "slug"),
    [
        ("void f(int a); void f(long b);", "overloaded-method"),
        ("void f(int a, int a);", "duplicate-name"),
        ("int getInterfaceVersion();", "reserved-name"),
        ("String getInterfaceHash();", "reserved-name"),
        ("String getTransactionName(int c);", "reserved-name"),
        ("IBinder asBinder();", "reserved-name"),
    ],
)
def test_c60_names_of_methods(methods: str, slug: str, tmp_path: Path) -> None:
    assert compile_aidl(tmp_path, interface(methods)).slugs == {slug}


def test_c60_a_reserved_name_with_other_parameters_is_free(tmp_path: Path) -> None:
    compile_aidl(tmp_path, interface("int getInterfaceVersion(int a);")).ok()


@pytest.mark.parametrize(
    ("method", "slug"),
    [
        ("void f(int[] a);", "direction"),
        ("void f(out int a);", "direction"),
        ("void f(out String a);", "direction"),
        ("void f(out IBinder a);", "direction"),
        ("void f(out ParcelFileDescriptor a);", "direction"),
        ("oneway void f(out int[] a);", "oneway-result"),
        ("oneway int f();", "oneway-result"),
    ],
)
def test_c61_directions(method: str, slug: str, tmp_path: Path) -> None:
    assert compile_aidl(tmp_path, interface(method)).slugs == {slug}


def test_c61_the_allowed_directions_are_listed(tmp_path: Path) -> None:
    assert "in, out or inout" in compile_aidl(tmp_path, interface("void f(int[] a);")).text


@pytest.mark.parametrize(
    ("field", "slug"),
    [
        ("int[][] a;", "array-form"),
        ("int[2][] a;", "array-form"),
        ("int[-1] a;", "array-size"),
        ('int["2"] a;', "array-size"),
        ("int[2] a={1,2,3};", "wrong-value"),
    ],
)
def test_c63_arrays(field: str, slug: str, tmp_path: Path) -> None:
    assert compile_aidl(tmp_path, parcelable(field)).slugs == {slug}


def test_c65_a_parcelable_cannot_contain_itself(tmp_path: Path) -> None:
    result = compile_aidl(tmp_path, parcelable("@nullable A n;"))
    assert result.slugs == {"recursive-type"}
    assert "A -> A" in result.text


def test_c65_nor_through_another(tmp_path: Path) -> None:
    files = {
        "q/A.aidl": "package q; parcelable A { q.B b; }",
        "q/B.aidl": "package q; parcelable B { q.A a; }",
    }
    result = compile_aidl(tmp_path, files)
    assert [item.rule.slug for item in result.items] == ["recursive-type"]
    assert "A -> B -> A" in result.text


@pytest.mark.parametrize(
    ("name", "text", "slug"),
    [
        ("q/A.aidl", "package q; parcelable A { } parcelable B { }", "one-type-per-file"),
        ("q/A.aidl", "package q; parcelable B { }", "file-name"),
        ("z/A.aidl", "package q; parcelable A { }", "file-name"),
        ("q/a.aidl", "package q; parcelable A { }", "file-name"),
        ("q/A.aidl", "", "empty-file"),
        ("q/A.aidl", "package q;", "empty-file"),
        ("q/A.aidl", "package q; import q.*; parcelable A { }", "syntax"),
        ("q/A.aidl", "package q; import z.B; parcelable A { }", "missing-import"),
        ("q/class/A.aidl", "package q.class; parcelable A { }", "reserved-name"),
        ("q/List.aidl", "package q; parcelable List { }", "reserved-name"),
    ],
)
def test_c67_files_and_names(name: str, text: str, slug: str, tmp_path: Path) -> None:
    assert compile_aidl(tmp_path, {name: text}).slugs == {slug}


def test_c67_a_type_in_two_roots_lists_both(tmp_path: Path) -> None:
    files = {
        "one/q/A.aidl": "package q; import q.B; parcelable A { }",
        "one/q/B.aidl": "package q; parcelable B { }",
        "two/q/B.aidl": "package q; parcelable B { }",
    }
    result = compile_aidl(tmp_path, files, roots=("one", "two"))
    assert result.slugs == {"ambiguous-import"}
    assert str(tmp_path / "one/q/B.aidl") in result.text
    assert str(tmp_path / "two/q/B.aidl") in result.text


@pytest.mark.parametrize(
    ("text", "options", "slug"),
    [
        ("@VintfStability parcelable A { }", set(), "vintf"),
        ("@VintfStability parcelable A { q.B b; }", {"vintf", "structured"}, "vintf"),
        ("parcelable A;", {"structured"}, "not-structured"),
        ("@FixedSize parcelable A { String s; }", set(), "fixed-size"),
        ("parcelable A { interface IN { void f(in ParcelableHolder h); } }", set(), "holder-position"),
        ("parcelable A { interface IN { ParcelableHolder f(); } }", set(), "holder-position"),
    ],
)
def test_c68_stability_and_size(text: str, options: set[str], slug: str, tmp_path: Path) -> None:
    result = compile_aidl(
        tmp_path,
        {"q/A.aidl": f"package q; {text}"},
        _B,
        vintf="vintf" in options,
        structured="structured" in options,
    )
    assert result.slugs == {slug}


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("package q; interface IA { void f(int a,); }", [40]),
        ("package q interface IA{}", [11]),
        ("package q; interface IA { void f();; }", [36]),
        ("package q; interface IA { void f(int a,); int g(; void h(); }", [40, 49]),
    ],
)
def test_c70_every_fault_of_a_file_is_reported_in_its_place(
    text: str, places: list[int], tmp_path: Path
) -> None:
    result = compile_aidl(tmp_path, {"q/IA.aidl": text})
    assert [item.span.column for item in result.items] == places
    assert result.text.count("^") == sum(item.span.end - item.span.start for item in result.items)


def test_c71_contradicting_permissions_are_a_warning(tmp_path: Path) -> None:
    result = compile_aidl(tmp_path, interface('@EnforcePermission("A") @RequiresNoPermission void f();'))
    assert result.slugs == {"conflicting-permissions"}
    assert not result.diagnostics.failed
