"""Odd AIDL that is valid: it compiles, and to these values.

Named after the cases they come from. What goes on the wire is tested with the back end.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from codegen.ast import ConstValue, Interface, UnstructuredParcelable
from codegen.diagnostics import Diagnostics
from codegen.frontend import compile_files
from codegen.walk import declarations, methods

from .compiling import compile_aidl, enum, interface, parcelable


def test_c01_parentheses_in_a_string_do_not_end_an_annotation(tmp_path: Path) -> None:
    text = 'package q; @JavaPassthrough(annotation="@x.Y(v=@x.Z(1))") interface IA { void f(); }'
    annotation = compile_aidl(tmp_path, {"q/IA.aidl": text}).ok().main.annotations[0]
    assert annotation.values == {"annotation": "@x.Y(v=@x.Z(1))"}


def test_c02_arguments_of_annotations_are_expressions(tmp_path: Path) -> None:
    text = 'package q; @Backing(type="by"+"te") enum E { A = (1 + (2 << (1))), B }'
    result = compile_aidl(tmp_path, {"q/E.aidl": text}).ok()
    assert result.enum("q.E").backing == "byte"
    assert result.enumerators("q.E") == {"A": 5, "B": 6}


def test_c03_permissions_are_kept_with_their_arguments(tmp_path: Path) -> None:
    body = (
        '@EnforcePermission(anyOf={"A","B",}) void f(); @EnforcePermission("C") void g(); '
        "@RequiresNoPermission void h();"
    )
    methods = compile_aidl(tmp_path, interface(body)).ok().interface.methods
    assert [(m.annotations[0].name, m.annotations[0].values) for m in methods] == [
        ("EnforcePermission", {"anyOf": ["A", "B"]}),
        ("EnforcePermission", {"value": "C"}),
        ("RequiresNoPermission", {}),
    ]


def test_c04_hex_of_32_bits_is_a_signed_pattern_even_for_a_long(tmp_path: Path) -> None:
    body = (
        "const int A=0xFFFFFFFF; const long B=0xFFFFFFFF; const long C=0xFFFFFFFFL; const int D=0x80000000;"
    )
    result = compile_aidl(tmp_path, interface(body)).ok()
    assert result.constants() == {"A": -1, "B": -1, "C": 4294967295, "D": -2147483648}


def test_c06_leading_zeros_are_decimal(tmp_path: Path) -> None:
    result = compile_aidl(tmp_path, interface("const int A=010; const int B=09;")).ok()
    assert result.constants() == {"A": 10, "B": 9}


def test_c07_the_smallest_numbers_can_be_written(tmp_path: Path) -> None:
    body = "const int A=-2147483648; const long B=0x8000000000000000; const long C=-9223372036854775807 - 1;"
    result = compile_aidl(tmp_path, interface(body)).ok()
    assert result.constants() == {"A": -(2**31), "B": -(2**63), "C": -(2**63)}


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("6 & 2 == 2", 0),
        ("1 + 2 << 3", 24),
        ("7 | 1 ^ 3 & 2", 7),
        ("5 > 3 == true", 1),
        ("!0 + 5", 6),
        ("-7 / 2", -3),
        ("-7 % 3", -1),
    ],
)
def test_c08_operators_bind_and_divide_as_in_c(expression: str, value: int, tmp_path: Path) -> None:
    assert compile_aidl(tmp_path, interface(f"const int A = {expression};")).ok().constants() == {"A": value}


def test_c10_promotion_follows_the_operands(tmp_path: Path) -> None:
    result = compile_aidl(tmp_path, interface("const long A = 2147483647L + 1;")).ok()
    assert result.constants() == {"A": 2147483648}


def test_c12_strings_add_up_and_hide_comments(tmp_path: Path) -> None:
    body = 'const String A="x"+"y"+"z"; const String U="http://x/*y*/";'
    assert compile_aidl(tmp_path, interface(body)).ok().constants() == {"A": "xyz", "U": "http://x/*y*/"}


def test_c14_two_enumerators_may_share_a_value(tmp_path: Path) -> None:
    assert compile_aidl(tmp_path, enum("A=1, B=1, C")).ok().enumerators("q.E") == {"A": 1, "B": 1, "C": 2}


def test_c15_an_enum_of_longs(tmp_path: Path) -> None:
    text = 'package q; @Backing(type="long") enum E { A=-1, B, C=1L<<40 }'
    result = compile_aidl(tmp_path, {"q/E.aidl": text}).ok()
    assert result.enum("q.E").backing == "long"
    assert result.enumerators("q.E") == {"A": -1, "B": 0, "C": 1099511627776}


def test_c15_an_enum_is_of_bytes_if_it_does_not_say(tmp_path: Path) -> None:
    assert compile_aidl(tmp_path, enum("A")).ok().enum("q.E").backing == "byte"


def test_c17_every_kind_of_default(tmp_path: Path) -> None:
    body = """
        boolean a=true; byte b=-1; char c='z'; int d=-5; long e=1L<<33; float f=1.5f;
        double g=-2.25; double g2=.5; String s="hi"; int[] h={1,2,}; String[] k={}; byte[] m={1,-1};
        int none;
    """
    expected: dict[str, ConstValue] = {
        "a": True,
        "b": -1,
        "c": "z",
        "d": -5,
        "e": 1 << 33,
        "f": 1.5,
        "g": -2.25,
        "g2": 0.5,
        "s": "hi",
        "h": [1, 2],
        "k": [],
        "m": [1, -1],
        "none": None,
    }
    defaults = compile_aidl(tmp_path, parcelable(body)).ok().defaults()
    assert defaults == expected
    assert defaults["a"] is True


def test_c19_an_array_may_have_size_zero(tmp_path: Path) -> None:
    field = compile_aidl(tmp_path, parcelable("int[0] a;")).ok().parcelable.fields[0]
    assert field.type.dimensions[0].value == 0


def test_c20_a_union_starts_as_its_first_field(tmp_path: Path) -> None:
    text = (
        "package q; union U { int a=7; String s; ParcelFileDescriptor fd; @nullable IBinder b; "
        "const int K=3; }"
    )
    result = compile_aidl(tmp_path, {"q/U.aidl": text}).ok()
    assert result.defaults() == {"a": 7, "s": None, "fd": None, "b": None}
    assert result.constants() == {"K": 3}
    assert result.enumerators("q.U.Tag") == {"a": 0, "s": 1, "fd": 2, "b": 3}
    assert result.enum("q.U.Tag").backing == "int"


@pytest.mark.parametrize("type_", ["U.Tag", "q.U.Tag"])
def test_c22_the_tag_of_a_union_is_a_type(type_: str, tmp_path: Path) -> None:
    text = f"package q; import q.U; interface IA {{ {type_} f(); }}"
    others = {"q/U.aidl": "package q; union U { int a; String b; }"}
    result = compile_aidl(tmp_path, {"q/IA.aidl": text}, others).ok()
    assert result.interface.methods[0].returns.declaration is result.enum("q.U.Tag")
    assert result.enum("q.U.Tag").tag_of is result.union("q.U")


def test_c23_nested_types_by_every_spelling(tmp_path: Path) -> None:
    body = """
        parcelable B { parcelable C { int x=1; } C c; } B b; q.A.B.C d; A.B e;
        enum E { K } E f=E.K; interface IN { void g(in B b); } @nullable IN cb;
    """
    result = compile_aidl(tmp_path, parcelable(body)).ok()
    names = [f.type.declaration.qualified_name for f in result.parcelable.fields if f.type.declaration]
    assert names == ["q.A.B", "q.A.B.C", "q.A.B", "q.A.E", "q.A.IN"]
    assert result.defaults()["f"] == 0


def test_c25_constants_of_another_type(tmp_path: Path) -> None:
    text = "package q; import q.IZ; parcelable A { int x = IZ.K + q.IZ.K; }"
    others = {"q/IZ.aidl": "package q; interface IZ { const int K=4; }"}
    assert compile_aidl(tmp_path, {"q/A.aidl": text}, others).ok().defaults() == {"x": 8}


def test_c27_lists_of_objects(tmp_path: Path) -> None:
    body = "List<IBinder> a; List<String> b; List<ParcelFileDescriptor> c;"
    fields = compile_aidl(tmp_path, parcelable(body)).ok().parcelable.fields
    assert [str(field.type) for field in fields] == [
        "List<IBinder>",
        "List<String>",
        "List<ParcelFileDescriptor>",
    ]


def test_c29_files_may_import_each_other_and_twice(tmp_path: Path) -> None:
    files = {
        "q/IA.aidl": "package q; import q.IB; import q.IA; import q.IA; interface IA { void f(IB b); }",
        "q/IB.aidl": "package q; import q.IA; interface IB { void f(IA a); }",
    }
    result = compile_aidl(tmp_path, files).ok()
    assert set(result.program.declarations) == {"q.IA", "q.IB"}
    assert result.interface.methods[0].parameters[0].type.declaration is result.program.declarations["q.IB"]


def test_c30_a_qualified_name_needs_no_import(tmp_path: Path) -> None:
    others = {"z/B.aidl": "package z; parcelable B { }"}
    compile_aidl(tmp_path, interface("void f(in z.B b);"), others).ok()


def test_c32_crlf_is_a_line_ending_like_another(tmp_path: Path) -> None:
    text = "package q;\r\n// a comment\r\ninterface IA {\r\n  void f();\r\n  void g(out int a);\r\n}\r\n"
    result = compile_aidl(tmp_path, {"q/IA.aidl": text})
    assert [(item.span.line, item.span.column) for item in result.items] == [(5, 18)]


def test_c32_after_a_comment_with_cr_only_the_message_mentions_line_endings(tmp_path: Path) -> None:
    text = "package q;\r// a comment\rinterface IA {\r void f();\r}\r"
    result = compile_aidl(tmp_path, {"q/IA.aidl": text})
    assert "Lines end in CR alone" in result.text


def test_c34_the_words_of_headers_are_also_names(tmp_path: Path) -> None:
    result = compile_aidl(tmp_path, interface("void f(int cpp_header, int ndk_header, int rust_type);")).ok()
    names = [parameter.name for parameter in result.interface.methods[0].parameters]
    assert names == ["cpp_header", "ndk_header", "rust_type"]


def test_c35_words_of_python_are_names_in_aidl(tmp_path: Path) -> None:
    fields = "None def lambda from from_ is self True __class__ type list str".split()
    methods = "del raise print and match __init__".split()
    body = " ".join(f"int {name};" for name in fields)
    inner = " ".join(f"void {name}();" for name in methods)
    text = f"package q.lambda.async; parcelable A {{ {body} interface IN {{ {inner} }} }}"
    result = compile_aidl(tmp_path, {"q/lambda/async/A.aidl": text}).ok()
    assert [field.name for field in result.parcelable.fields] == fields
    nested = result.parcelable.nested[0]
    assert isinstance(nested, Interface)
    assert [method.name for method in nested.methods] == methods


def test_c37_methods_have_the_ids_they_say(tmp_path: Path) -> None:
    methods = compile_aidl(tmp_path, interface("void a()=5; void b()=2; void c()=0; void d()=16777114;")).ok()
    assert [method.id for method in methods.interface.methods] == [5, 2, 0, 16777114]


def test_c37_methods_without_ids_are_numbered(tmp_path: Path) -> None:
    methods = compile_aidl(tmp_path, interface("void a(); void b(); void c();")).ok().interface.methods
    assert [method.id for method in methods] == [0, 1, 2]


@pytest.mark.parametrize("name", ["A", "Ioo", "I"])
def test_c39_an_interface_need_not_be_named_like_one(name: str, tmp_path: Path) -> None:
    compile_aidl(tmp_path, {f"q/{name}.aidl": f"package q; interface {name} {{ void f(); }}"}).ok()


def test_c42_several_parcelables_defined_elsewhere_may_share_a_file(tmp_path: Path) -> None:
    text = "package q; parcelable A; parcelable A.B; parcelable A.C;"
    result = compile_aidl(tmp_path, {"q/A.aidl": text}).ok()
    assert set(result.program.declarations) == {"q.A", "q.A.B", "q.A.C"}


def test_c42_headers_are_kept(tmp_path: Path) -> None:
    text = 'package q; parcelable A cpp_header "x.h" ndk_header "y.h" rust_type "z::A";'
    main = compile_aidl(tmp_path, {"q/A.aidl": text}).ok().main
    assert isinstance(main, UnstructuredParcelable)
    assert main.headers == {"cpp_header": "x.h", "ndk_header": "y.h", "rust_type": "z::A"}


def test_c43_c44_directions_are_kept(tmp_path: Path) -> None:
    body = (
        "int f(inout String[] a, out List<String> b, in int c); "
        "void g(out int[] a, out int[3] b, out List<String> c, out @nullable String[] g);"
    )
    f, g = compile_aidl(tmp_path, interface(body)).ok().interface.methods
    assert [p.direction for p in f.parameters] == ["inout", "out", "in"]
    assert [(str(p.type), p.type.nullable) for p in g.parameters] == [
        ("int[]", False),
        ("int[3]", False),
        ("List<String>", False),
        ("String[]", True),
    ]


def test_c45_annotations_of_results_and_parameters_belong_to_the_types(tmp_path: Path) -> None:
    body = (
        "@nullable List<String> g(); @nullable IBinder[] h(in @nullable int[] b); "
        "@utf8InCpp String k(in @nullable @utf8InCpp String[] b);"
    )
    g, h, k = compile_aidl(tmp_path, interface(body)).ok().interface.methods
    assert g.returns.nullable
    assert h.returns.nullable
    assert h.parameters[0].type.nullable
    assert k.returns.annotation("utf8InCpp")
    assert not k.annotations


def test_c47_a_parcelable_may_be_empty(tmp_path: Path) -> None:
    assert compile_aidl(tmp_path, parcelable("")).ok().parcelable.fields == []


def test_all_interfaces_of_the_project_compile_without_a_word() -> None:
    roots = [folder for folder in (Path(__file__).parents[2] / "aidl").iterdir() if folder.is_dir()]
    files = [file for root in roots for file in sorted((root / "android").rglob("*.aidl"))]
    diagnostics = Diagnostics()
    program = compile_files(files, roots, vintf=True, diagnostics=diagnostics)
    assert not diagnostics.items
    found = [m for document in program.requested for each in declarations(document) for m in methods(each)]
    assert len(found) > 20
    assert all(method.id >= 0 for method in found)
