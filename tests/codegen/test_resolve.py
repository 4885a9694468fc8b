"""Names mean what AIDL's scoping says; files are found, and what is not found is explained."""

from __future__ import annotations

from pathlib import Path

import pytest

from codegen.ast import Declaration, Parcelable
from codegen.diagnostics import Diagnostics
from codegen.frontend import compile_files
from codegen.resolve import load
from codegen.walk import fields

from .compiling import Compiled, Files, compile_aidl, interface, parcelable, write

_OTHERS: Files = {
    "q/B.aidl": "package q; parcelable B { parcelable N { } const int K = 4; enum E { X, Y } }",
    "z/B.aidl": "package z; parcelable B { parcelable N { } }",
    "z/D.aidl": "package z; parcelable D { parcelable B { } parcelable N { } }",
    "z/U.aidl": "package z; union U { int a; String b; }",
    "q/w/W.aidl": "package q.w; parcelable W { }",
    "Root.aidl": "parcelable Root { }",
}


def _meaning(folder: Path, imports: str, type_: str, inside: str = "") -> str:
    """The qualified name of what a type stands for in a parcelable q.A."""
    text = f"package q; {imports} parcelable A {{ {inside} {type_} field; }}"
    result = compile_aidl(folder, {"q/A.aidl": text}, _OTHERS)
    if result.diagnostics.failed:
        return ", ".join(sorted(result.slugs))
    declaration = fields(result.main)[0].type.declaration
    return declaration.qualified_name if declaration else "built-in"


@pytest.mark.parametrize(
    ("imports", "type_", "meaning"),
    [
        ("", "B", "unknown-type"),
        ("", "B.N", "unknown-type"),
        ("", "q.B", "q.B"),
        ("", "z.B", "z.B"),
        ("", "z.D.B", "z.D.B"),
        ("", "w.W", "unknown-type"),
        ("", "q.w.W", "q.w.W"),
        ("", "Root", "Root"),
        ("import Root;", "Root", "Root"),
        ("import z.B;", "B", "z.B"),
        ("import z.B;", "B.N", "z.B.N"),
        ("import z.B;", "q.B", "q.B"),
        ("import z.D;", "D.B", "z.D.B"),
        ("import z.D;", "N", "unknown-type"),
        ("import z.D;", "D.X", "unknown-type"),
        ("import z.D.B;", "B", "z.D.B"),
        ("import z.U;", "U.Tag", "z.U.Tag"),
        ("import z.U.Tag;", "Tag", "z.U.Tag"),
        ("", "z.U.Tag", "z.U.Tag"),
        ("", "String", "built-in"),
        ("", "java.util.Map<String, String>", "built-in"),
        ("import android.os.IBinder; import java.util.List;", "IBinder", "built-in"),
        ("", "android.os.ParcelFileDescriptor", "built-in"),
        ("", "android.os.IBinder", "unknown-type"),
    ],
)
def test_a_name_means_what_scoping_says(imports: str, type_: str, meaning: str, tmp_path: Path) -> None:
    assert _meaning(tmp_path, imports, type_) == meaning


def test_a_nested_type_hides_an_imported_one(tmp_path: Path) -> None:
    assert _meaning(tmp_path, "import z.B;", "B", inside="parcelable B { }") == "q.A.B"


def test_names_are_looked_for_from_the_inside_out(tmp_path: Path) -> None:
    body = "parcelable X { parcelable Y { Z[] a; X[] b; A.X.Y[] c; } } parcelable Z { X.Y d; }"
    result = compile_aidl(tmp_path, parcelable(body)).ok()
    inner = result.program.declarations["q.A.X.Y"]
    assert isinstance(inner, Parcelable)
    assert [f.type.declaration and f.type.declaration.path for f in inner.fields] == ["A.Z", "A.X", "A.X.Y"]


def test_what_is_nested_in_a_sibling_is_not_seen(tmp_path: Path) -> None:
    body = "parcelable X { parcelable Y { } } parcelable Z { Y y; }"
    assert compile_aidl(tmp_path, parcelable(body)).slugs == {"unknown-type"}


def test_built_in_types_with_a_package_are_the_same_types(tmp_path: Path) -> None:
    result = compile_aidl(tmp_path, parcelable("android.os.ParcelFileDescriptor a;")).ok()
    assert result.parcelable.fields[0].type.name == "ParcelFileDescriptor"


def test_of_two_imports_of_one_name_the_first_counts(tmp_path: Path) -> None:
    text = "package q; import z.B; import q.B; parcelable A { B b; }"
    result = compile_aidl(tmp_path, {"q/A.aidl": text}, _OTHERS).ok()
    declaration = fields(result.main)[0].type.declaration
    assert declaration is not None
    assert declaration.qualified_name == "z.B"


def test_type_arguments_are_resolved(tmp_path: Path) -> None:
    text = "package q; import z.B; parcelable A { List<B> a; Map<String, B> b; }"
    result = compile_aidl(tmp_path, {"q/A.aidl": text}, _OTHERS).ok()
    first, second = fields(result.main)
    assert (
        first.type.args[0].declaration
        is second.type.args[1].declaration
        is result.program.declarations["z.B"]
    )


# --- constants ---


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("K", 1),
        ("A.K", 1),
        ("q.A.K", 1),
        ("In.L", 2),
        ("A.In.L", 2),
        ("E.X", 7),
        ("q.B.K", 4),
        ("q.B.E.Y", 1),
        ("z.U.Tag.b", 1),
        ("K + q.B.K", 5),
    ],
)
def test_constants_are_found_by_their_types(expression: str, value: int, tmp_path: Path) -> None:
    body = f"int a = {expression}; const int K = 1; parcelable In {{ const int L = 2; }} enum E {{ X = 7 }}"
    assert compile_aidl(tmp_path, parcelable(body), _OTHERS).ok().defaults() == {"a": value}


@pytest.mark.parametrize(
    ("body", "hint"),
    [
        ("const int K = 1; parcelable In { int a = K; }", "Write A.K"),
        ("enum E { X } E e = X;", "Write E.X"),
        ("int a = b; int b = 1;", "b is a field"),
    ],
)
def test_a_constant_that_is_out_of_sight_is_pointed_to(body: str, hint: str, tmp_path: Path) -> None:
    result = compile_aidl(tmp_path, parcelable(body))
    assert result.slugs == {"unknown-constant"}
    assert hint in result.text


# --- advice ---


@pytest.mark.parametrize(
    ("type_", "advice"),
    [
        ("short", "AIDL has no short; use int."),
        ("bool", "use boolean"),
        ("string", "use String"),
        ("uint64_t", "use long"),
        ("B", "Add `import q.B;`"),
    ],
)
def test_an_unknown_type_gets_advice(type_: str, advice: str, tmp_path: Path) -> None:
    assert advice in compile_aidl(tmp_path, parcelable(f"{type_} a;"), _OTHERS).text


def test_a_missing_import_lists_the_roots_searched(tmp_path: Path) -> None:
    files = {"one/q/A.aidl": "package q; import z.B; parcelable A { B b; }", "two/x": ""}
    result = compile_aidl(tmp_path, files, roots=("one", "two"))
    assert result.slugs == {"missing-import"}
    assert f"{tmp_path / 'one'}, {tmp_path / 'two'}" in result.text


def test_a_root_beside_the_others_is_suggested(tmp_path: Path) -> None:
    files = {
        "one/q/A.aidl": "package q; import z.B; parcelable A { B b; }",
        "two/z/B.aidl": "package z; parcelable B { }",
    }
    assert f"Add -I {tmp_path / 'two'}." in compile_aidl(tmp_path, files, roots=("one",)).text


def test_a_root_above_the_others_is_suggested(tmp_path: Path) -> None:
    files = {
        "one/q/A.aidl": "package q; import z.B; parcelable A { B b; }",
        "z/B.aidl": "package z; parcelable B { }",
    }
    assert f"Add -I {tmp_path}." in compile_aidl(tmp_path, files, roots=("one",)).text


def test_a_wrong_case_is_pointed_out(tmp_path: Path) -> None:
    files = {
        "q/A.aidl": "package q; import q.bee; parcelable A { }",
        "q/Bee.aidl": "package q; parcelable Bee { }",
    }
    assert "There is Bee.aidl" in compile_aidl(tmp_path, files).text


# --- files ---


def test_the_root_of_a_file_asked_for_need_not_be_given(tmp_path: Path) -> None:
    files = {
        "r/q/A.aidl": "package q; import q.B; parcelable A { B b; }",
        "r/q/B.aidl": "package q; parcelable B { }",
    }
    result = compile_aidl(tmp_path, files, roots=()).ok()
    assert result.program.roots == [tmp_path / "r"]


def test_imports_of_imports_are_loaded(tmp_path: Path) -> None:
    files = {
        "q/A.aidl": "package q; import q.B; parcelable A { B b; }",
        "q/B.aidl": "package q; import q.C; parcelable B { C c; }",
        "q/C.aidl": "package q; parcelable C { int x = 3; }",
    }
    result = compile_aidl(tmp_path, files).ok()
    assert sorted(result.program.declarations) == ["q.A", "q.B", "q.C"]
    assert [d.declarations[0].name for d in result.program.requested] == ["A"]
    assert fields(result.program.declarations["q.C"])[0].default_value == 3


def test_an_import_that_a_mere_import_does_not_use_may_be_missing(tmp_path: Path) -> None:
    files = {
        "q/A.aidl": "package q; import q.B; parcelable A { B b; }",
        "q/B.aidl": "package q; import z.Missing; parcelable B { }",
    }
    compile_aidl(tmp_path, files).ok()


def test_an_import_that_a_mere_import_uses_may_not(tmp_path: Path) -> None:
    files = {
        "q/A.aidl": "package q; import q.B; parcelable A { B b; }",
        "q/B.aidl": "package q; import z.Missing; parcelable B { Missing m; }",
    }
    result = compile_aidl(tmp_path, files)
    assert [(i.rule.slug, i.span.source.path.name) for i in result.items] == [("unknown-type", "B.aidl")]


def test_errors_in_an_import_are_reported_there_and_at_the_import(tmp_path: Path) -> None:
    files = {
        "q/A.aidl": "package q; import q.B; parcelable A { B b; }",
        "q/B.aidl": "package q; parcelable B {",
    }
    result = compile_aidl(tmp_path, files)
    assert {(i.rule.slug, i.span.source.path.name) for i in result.items} == {
        ("missing-import", "A.aidl"),
        ("syntax", "B.aidl"),
    }


def test_a_root_given_twice_is_one_root(tmp_path: Path) -> None:
    files = {
        "q/A.aidl": "package q; import q.B; parcelable A { B b; }",
        "q/B.aidl": "package q; parcelable B { }",
    }
    compile_aidl(tmp_path, files, roots=(".", ".", "q/..")).ok()


def test_a_file_asked_for_twice_is_one_file(tmp_path: Path) -> None:
    (path,) = write(tmp_path, parcelable(""))
    diagnostics = Diagnostics()
    program = load([path, tmp_path / "q" / ".." / "q" / "A.aidl"], [tmp_path], diagnostics)
    assert len(program.requested) == 1
    assert not diagnostics.items


def test_a_type_asked_for_in_two_roots_is_reported_with_both_places(tmp_path: Path) -> None:
    paths = write(
        tmp_path,
        {"one/q/A.aidl": "package q; parcelable A { }", "two/q/A.aidl": "package q; parcelable A { }"},
    )
    diagnostics = Diagnostics()
    compile_files(paths, [], diagnostics=diagnostics)
    (item,) = diagnostics.items
    assert item.rule.slug == "duplicate-type"
    assert str(paths[0]) in item.render()
    assert str(paths[1]) in item.render()


def test_a_name_that_no_file_can_have_is_only_unknown(tmp_path: Path) -> None:
    assert compile_aidl(tmp_path, interface(f"void f(in {'x' * 5000} a);")).slugs == {"unknown-type"}


def test_messages_name_a_file_as_the_user_did(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, {"q/A.aidl": "package q; parcelable A { B b; }"})
    monkeypatch.chdir(tmp_path)
    diagnostics = Diagnostics()
    compile_files([Path("q/A.aidl")], [Path(".")], diagnostics=diagnostics)
    assert diagnostics.items[0].render().startswith("q/A.aidl:1:27: error: ")


# --- unions ---


def test_every_union_has_a_tag_also_a_nested_one(tmp_path: Path) -> None:
    result = compile_aidl(tmp_path, parcelable("union U { int a; int b; } U.Tag t = U.Tag.b;")).ok()
    assert result.defaults() == {"t": 1}
    union = result.union("q.A.U")
    assert [nested.name for nested in union.nested] == ["Tag"]
    assert result.enum("q.A.U.Tag").parent is union


def test_the_tag_of_a_union_of_fixed_size_is_a_byte(tmp_path: Path) -> None:
    result = compile_aidl(tmp_path, parcelable("@FixedSize union F { int a; } union U { int a; }")).ok()
    assert (result.enum("q.A.F.Tag").backing, result.enum("q.A.U.Tag").backing) == ("byte", "int")


def test_a_document_is_found_by_its_declarations(tmp_path: Path) -> None:
    result: Compiled = compile_aidl(tmp_path, parcelable("parcelable B { }"))
    nested: Declaration = result.main.nested[0]
    assert result.program.document_of(nested) is result.program.requested[0]


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("package q; import z.Buffer; parcelable A { Bufer b; }", "Did you mean Buffer?"),
        ("package q; import z.Bufffer; parcelable A { Bufffer b; }", "Did you mean z.Buffer?"),
        ("package q; import z.buffer; parcelable A { }", "There is Buffer.aidl: the case of letters matters"),
        ("package q; parcelable A { boolena b; }", "Did you mean boolean?"),
        ("package q; parcelable A { string b; }", "AIDL has no string; use String."),
        ("package q; parcelable A { enum Mode { FAST } Moed b; }", "Did you mean Mode?"),
        (
            "package q; parcelable A { enum Mode { FAST, SLOW } Mode b = Mode.SLWO; }",
            "Did you mean SLOW?",
        ),
        ("package q; parcelable A { Elsewhere b; }", "Import it, or write it with its package."),
    ],
)
def test_the_name_that_was_meant_is_pointed_to(text: str, hint: str, tmp_path: Path) -> None:
    files = {"q/A.aidl": text, "z/Buffer.aidl": "package z; parcelable Buffer { }"}
    assert f"help: {hint}" in compile_aidl(tmp_path, {"q/A.aidl": text}, files).text
