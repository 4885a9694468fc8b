"""Text becomes the right tree with the right places; every syntax error is found and told in words."""

from __future__ import annotations

from pathlib import Path

import pytest

from codegen.ast import (
    ArrayExpr,
    Binary,
    Constant,
    Document,
    Enum,
    Expr,
    Interface,
    Literal,
    NameExpr,
    Parcelable,
    Unary,
    Union,
    UnstructuredParcelable,
)
from codegen.diagnostics import Diagnostics
from codegen.parser import MAX_ERRORS, parse, read_source
from codegen.source import SourceFile, Span

from .compiling import write


def _parse(text: str) -> Document:
    diagnostics = Diagnostics()
    document = parse(SourceFile(Path("q/A.aidl"), text), diagnostics)
    assert document is not None, [item.render() for item in diagnostics.items]
    assert not diagnostics.items
    return document


def _errors(text: str) -> list[str]:
    """The messages about a text, each after its line and column."""
    diagnostics = Diagnostics()
    assert parse(SourceFile(Path("q/A.aidl"), text), diagnostics) is None
    return [f"{item.span.line}:{item.span.column} {item.message}" for item in diagnostics.sorted()]


def _hints(text: str) -> list[str]:
    diagnostics = Diagnostics()
    parse(SourceFile(Path("q/A.aidl"), text), diagnostics)
    return [item.hint for item in diagnostics.sorted()]


def _text(span: Span) -> str:
    return span.source.text[span.start : span.end]


def _parcelable(body: str) -> Parcelable:
    declaration = _parse(f"package q; parcelable A {{ {body} }}").declarations[0]
    assert isinstance(declaration, Parcelable)
    return declaration


def _interface(body: str) -> Interface:
    declaration = _parse(f"package q; interface IA {{ {body} }}").declarations[0]
    assert isinstance(declaration, Interface)
    return declaration


def _shown(expr: Expr) -> str:
    """An expression with all its brackets."""
    if isinstance(expr, Literal):
        return expr.text
    if isinstance(expr, NameExpr):
        return expr.name
    if isinstance(expr, Unary):
        return f"({expr.op}{_shown(expr.operand)})"
    if isinstance(expr, Binary):
        return f"({_shown(expr.left)} {expr.op} {_shown(expr.right)})"
    return "{" + ", ".join(map(_shown, expr.items)) + "}"


# --- trees ---


def test_a_file_has_its_package_imports_and_declarations() -> None:
    document = _parse("package a.b.c; import x.Y; import x . Z; parcelable A { } ")
    assert document.package == "a.b.c"
    assert [each.name for each in document.imports] == ["x.Y", "x.Z"]
    assert [d.qualified_name for d in document.declarations] == ["a.b.c.A"]


def test_a_file_need_not_have_a_package() -> None:
    document = _parse("parcelable A { parcelable B { } }")
    assert document.package == ""
    assert document.package_span is None
    assert document.declarations[0].nested[0].qualified_name == "A.B"


def test_declarations_nest_in_each_other() -> None:
    body = """
        parcelable P { } union U { int a; } enum E { X } interface I { } oneway interface O { }
        int x; const int K=1;
    """
    outer = _parcelable(body)
    assert [(type(n).__name__, n.path) for n in outer.nested] == [
        ("Parcelable", "A.P"),
        ("Union", "A.U"),
        ("Enum", "A.E"),
        ("Interface", "A.I"),
        ("Interface", "A.O"),
    ]
    assert all(nested.parent is outer and nested.package == "q" for nested in outer.nested)
    assert [field.name for field in outer.fields] == ["x"]
    assert [constant.name for constant in outer.constants] == ["K"]


def test_oneway_of_an_interface_is_oneway_of_its_methods() -> None:
    declaration = _parse("oneway interface IA { void f(); oneway void g(); }").declarations[0]
    assert isinstance(declaration, Interface)
    assert [(m.oneway, m.says_oneway) for m in declaration.methods] == [(True, False), (True, True)]
    assert [m.oneway for m in _interface("void f(); oneway void g();").methods] == [False, True]


def test_methods_have_results_parameters_and_ids() -> None:
    (method,) = _interface(
        "List<String> f(in int a, out b.C[] d, inout Map<String, int[]> e, IBinder g) = 3;"
    ).methods
    assert str(method.returns) == "List<String>"
    assert [(p.direction, str(p.type), p.name) for p in method.parameters] == [
        ("in", "int", "a"),
        ("out", "b.C[]", "d"),
        ("inout", "Map<String, int[]>", "e"),
        ("", "IBinder", "g"),
    ]
    assert isinstance(method.explicit_id, Literal)


def test_type_parameters_and_headers() -> None:
    document = _parse(
        'package q; parcelable A<T, U>; parcelable B.C cpp_header "x" rust_type "y" ndk_header "z"; '
        "parcelable D<T> { }"
    )
    first, second, third = document.declarations
    assert isinstance(first, UnstructuredParcelable)
    assert first.type_parameters == ["T", "U"]
    assert isinstance(second, UnstructuredParcelable)
    assert second.name == "B.C"
    assert second.headers == {"cpp_header": "x", "rust_type": "y", "ndk_header": "z"}
    assert isinstance(third, Parcelable)
    assert third.type_parameters == ["T"]


def test_lists_of_lists_end_in_two_brackets_and_shifts_are_one_sign() -> None:
    field, shift = _parcelable("List<List<List<String>>> a; int b = 1 >> K.L >> 2;").fields
    assert str(field.type) == "List<List<List<String>>>"
    assert shift.default is not None
    assert _shown(shift.default) == "((1 >> K.L) >> 2)"


def test_annotations_about_types_go_to_types_and_others_to_members() -> None:
    body = '@nullable @JavaPassthrough(annotation="x") @utf8InCpp String f(in @nullable @Foo String a);'
    (method,) = _interface(body).methods
    assert [a.name for a in method.annotations] == ["JavaPassthrough"]
    assert [a.name for a in method.returns.annotations] == ["nullable", "utf8InCpp"]
    (parameter,) = method.parameters
    assert [a.name for a in parameter.annotations] == ["Foo"]
    assert parameter.type.nullable


def test_annotations_around_oneway_and_const() -> None:
    interface = _interface('@A oneway @B @nullable String f(); @C const @utf8InCpp String K = "x";')
    assert [a.name for a in interface.methods[0].annotations] == ["A", "B"]
    assert interface.methods[0].returns.nullable
    assert [a.name for a in interface.constants[0].annotations] == ["C"]
    assert [a.name for a in interface.constants[0].type.annotations] == ["utf8InCpp"]


@pytest.mark.parametrize(
    ("written", "args"),
    [
        ("@X", {}),
        ("@X()", {}),
        ('@X("a" + "b")', {"value": '("a" + "b")'}),
        ("@X({1, 2,})", {"value": "{1, 2}"}),
        ("@X(a=1, b={}, c=-K)", {"a": "1", "b": "{}", "c": "(-K)"}),
        ('@X(a="(\\")")', {"a": '"(\\")"'}),
    ],
)
def test_arguments_of_annotations(written: str, args: dict[str, str]) -> None:
    (annotation,) = _parse(f"{written} parcelable A {{ }}").declarations[0].annotations
    assert {key: _shown(expr) for key, expr in annotation.args.items()} == args


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("1 + 2 * 3", "(1 + (2 * 3))"),
        ("(1 + 2) * 3", "((1 + 2) * 3)"),
        ("10 - 4 - 3", "((10 - 4) - 3)"),
        ("1 << 2 + 3", "(1 << (2 + 3))"),
        ("1 < 2 == 3 > 4", "((1 < 2) == (3 > 4))"),
        ("1 & 2 == 2", "(1 & (2 == 2))"),
        ("1 | 2 ^ 3 & 4", "(1 | (2 ^ (3 & 4)))"),
        ("1 || 2 && 3 | 4", "(1 || (2 && (3 | 4)))"),
        ("-1 + ~2 * !3", "((-1) + ((~2) * (!3)))"),
        ("- - +1", "(-(-(+1)))"),
        ("1--1", "(1 - (-1))"),
        ("1 <= 2 != 3 >= 4", "((1 <= 2) != (3 >= 4))"),
        ("7 / 2 % 3", "((7 / 2) % 3)"),
        ("{1, {2}, {}}", "{1, {2}, {}}"),
        ("a.b.C < D", "(a.b.C < D)"),
        ("true && false", "(true && false)"),
        ("0xFFu8 + 1_000L", "(0xFFu8 + 1_000L)"),
        (".5", ".5"),
        ("1e-3", "1e-3"),
        ("'x'", "'x'"),
    ],
)
def test_expressions_group_as_in_c(written: str, shown: str) -> None:
    (field,) = _parcelable(f"int a = {written};").fields
    assert field.default is not None
    assert _shown(field.default) == shown


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("1", "int"),
        ("0x1f", "int"),
        ("1L", "int"),
        ("0xeF", "int"),
        ("1.5", "float"),
        ("1f", "float"),
        ("1e3", "float"),
    ],
)
def test_numbers_have_a_kind(text: str, kind: str) -> None:
    default = _parcelable(f"int a = {text};").fields[0].default
    assert isinstance(default, Literal)
    assert default.kind == kind


@pytest.mark.parametrize(
    "word", ["cpp_header", "ndk_header", "rust_type", "int", "List", "class", "inn", "constant"]
)
def test_words_that_are_not_reserved_are_names(word: str) -> None:
    body = (
        f"int {word}; const int {word} = {word}; parcelable {word} {{ }} {word} x; enum {word} {{ {word} }}"
    )
    assert _parcelable(body).fields[0].name == word


# --- places ---


def test_spans_are_exact() -> None:
    text = (
        "package q.r;\n/** doc */ @Foo(a = 1) parcelable Abc {\n"
        "  @nullable q . B<C>[ 2 ] field = (1 + 2) ;\n}"
    )
    document = _parse(text)
    assert document.package_span is not None
    assert _text(document.package_span) == "q.r"
    declaration = document.declarations[0]
    assert isinstance(declaration, Parcelable)
    assert _text(declaration.span) == "Abc"
    assert _text(declaration.annotations[0].span) == "@Foo(a = 1)"
    (field,) = declaration.fields
    assert _text(field.span) == "field"
    assert (field.span.line, field.span.column) == (3, 27)
    assert _text(field.type.span) == "q . B<C>[ 2 ]"
    assert _text(field.type.dimensions[0].span) == "[ 2 ]"
    assert _text(field.type.annotations[0].span) == "@nullable"
    assert field.default is not None
    assert _text(field.default.span) == "(1 + 2)"


def test_spans_count_characters_not_bytes() -> None:
    document = _parse("/* é€😀 */ parcelable A { }")
    assert document.declarations[0].span.column == 22


# --- documentation ---


def test_documentation_loses_its_stars() -> None:
    text = "/**\n * One line.\n *\n *   indented\n plain\n *no space\n */\nparcelable A { }"
    assert _parse(text).declarations[0].doc == "One line.\n\n  indented\nplain\nno space"


def test_documentation_belongs_to_what_follows_it() -> None:
    text = """
        /** of nothing */
        package q;
        /* not documentation */
        /** of A */ // a note
        /* another */
        @Foo @Bar(x="/** no */")
        parcelable A {
            /** of a */ @nullable String a;
            String b; /** of c */
            @Foo
            /** too late */
            String c;
            /** of K */ const int K = 1;
            /** of E */ enum E {
                /** of X */ X,
                Y, /** of Z */ @Foo Z
            }
            /** first */ /** of I */ interface I {
                /** of f */ @Foo void f();
                /** of g */ oneway void g();
            }
            /**/ int d;
        }
    """
    declaration = _parse(text).declarations[0]
    assert isinstance(declaration, Parcelable)
    assert declaration.doc == "of A"
    assert [(field.name, field.doc) for field in declaration.fields] == [
        ("a", "of a"),
        ("b", ""),
        ("c", "of c"),
        ("d", ""),
    ]
    assert declaration.constants[0].doc == "of K"
    enum, interface = declaration.nested
    assert isinstance(enum, Enum)
    assert isinstance(interface, Interface)
    assert (enum.doc, interface.doc) == ("of E", "of I")
    assert [(e.name, e.doc) for e in enum.enumerators] == [("X", "of X"), ("Y", ""), ("Z", "of Z")]
    assert [(m.name, m.doc) for m in interface.methods] == [("f", "of f"), ("g", "of g")]


def test_strings_may_look_like_comments() -> None:
    field, other = _parcelable('String a = "/*"; /** of b */ String b = "*/ // x";').fields
    assert isinstance(field.default, Literal)
    assert other.doc == "of b"


# --- errors ---


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("interface IA { void f() }", "1:25 expected ';' or '=' after the method's ')', found '}'"),
        ("interface IA { void f(int); }", "1:26 expected a name after the type 'int', found ')'"),
        ("interface IA { void f; }", "1:22 expected '(' after the method's name 'f', found ';'"),
        (
            "interface IA { void f(in a b c); }",
            "1:30 expected ')' or ',' after the parameter's name 'b', found 'c'",
        ),
        ("parcelable A { int a[3]; }", "1:21 expected ';' or '=' after the field's name 'a', found '['"),
        ("parcelable A { int a = ; }", "1:24 expected a value after '=', found ';'"),
        ("parcelable A { const int K; }", "1:27 expected '=' after the constant's name 'K', found ';'"),
        ("parcelable A { int in; }", "1:20 expected a name after the type 'int', found the keyword 'in'"),
        ("parcelable A { List<int a; }", "1:25 expected ',' or '>' after 'int', found 'a'"),
        ("enum E { A B }", "1:12 expected ',', '=' or '}' after the enumerator 'A', found 'B'"),
        ("enum E { }", "1:10 expected a name after '{', found '}'"),
        ("package q parcelable A { }", "1:11 expected ';' after 'q', found the keyword 'parcelable'"),
        ("hello", "1:1 expected a declaration at the start of the file, found 'hello'"),
        ("parcelable A {", "1:15 expected a member or '}' after '{', found the end of the file"),
        ("parcelable A { int a; };", "1:24 found a ';' that ends nothing, after '}'"),
        ("parcelable A { int a = true && ; }", "1:32 expected a value after '&&', found ';'"),
        ("parcelable A { int # a; }", "1:20 '#' means nothing here"),
        ("parcelable A { int é; }", "1:20 'é' means nothing here"),
        ('parcelable A { String s = "x; }', '1:27 this " has no partner on the same line'),
        (
            "oneway parcelable A { }",
            "1:8 expected 'interface' after 'oneway', found the keyword 'parcelable'",
        ),
        ("@ Foo parcelable A { }", "1:1 '@' means nothing here"),
    ],
)
def test_a_syntax_error_says_what_was_expected_and_found(text: str, error: str) -> None:
    assert _errors(text)[0] == error
    assert not any(name in error for name in ("LBRACE", "SEMICOLON", "_ERROR", "Token("))


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("interface IA { void f(int a,); }", "Remove the comma: nothing follows it."),
        ("interface IA { void f(@nullable in String a); }", "The direction comes before the annotations"),
        ("interface IA { void f(in out int a); }", "Both directions at once are inout."),
        ("import q.*; parcelable A { }", "there are no wildcards"),
        ("parcelable A { int in; }", "'in' is a reserved word"),
        ("parcelable A { int const K = 1; }", "const comes before the type."),
        ("parcelable A { int 1a; }", "A name does not start with a digit."),
        ("enum E { A; B }", "separated by commas"),
        ("parcelable A { int a;; }", ""),
    ],
)
def test_common_slips_get_advice(text: str, hint: str) -> None:
    assert hint in _hints(text)[0]


def test_all_errors_of_a_file_are_reported_and_no_consequences_of_them() -> None:
    text = """package q;
interface IA {
  void f(int a, , int b);
  void g(int a int b);
  void h(int);
  viod;
  int const K = 4;
  void i(int a;
  void j();
  void k() throws X;
  String s = "abc;
  int l = (1 + 2;
  void m();
}
"""
    places = [error.split()[0] for error in _errors(text)]
    assert places == ["3:17", "4:16", "5:13", "6:7", "7:7", "8:15", "10:12", "11:12", "12:9"]


def test_errors_after_a_broken_block_are_found() -> None:
    text = "package q;\nparcelable { int x; }\nparcelable B { int y }\nenum { A }\nunion C { int z; }"
    assert [error.split()[0] for error in _errors(text)] == ["2:12", "3:22", "4:6"]


def test_a_missing_semicolon_is_found_at_the_next_line_without_losing_it() -> None:
    assert _errors("parcelable A {\n int a\n int in;\n}") == [
        "3:2 expected ';' or '=' after the field's name 'a', found 'int'",
        "3:6 expected a name after the type 'int', found the keyword 'in'",
    ]


def test_a_file_of_nothing_but_errors_is_given_up() -> None:
    assert len(_errors("parcelable A {\n" + "int a\n" * 1000 + "}")) == MAX_ERRORS


def test_the_package_comes_first_and_once() -> None:
    diagnostics = Diagnostics()
    text = "import a.B; package q; parcelable A { } import c.D; package r;"
    parse(SourceFile(Path("A.aidl"), text), diagnostics)
    assert [(i.rule.slug, i.span.column) for i in diagnostics.sorted()] == [
        ("package-order", 21),
        ("package-order", 48),
        ("package-order", 61),
    ]


def test_a_control_character_does_not_reach_the_terminal() -> None:
    diagnostics = Diagnostics()
    parse(SourceFile(Path("A.aidl"), "parcelable A { \x1b[31m }"), diagnostics)
    assert "\x1b" not in diagnostics.items[0].render()


# --- reading ---


def test_a_byte_order_mark_is_no_part_of_the_text(tmp_path: Path) -> None:
    (path,) = write(tmp_path, {"A.aidl": "\ufeffparcelable A { }"})
    diagnostics = Diagnostics()
    source = read_source(path, diagnostics)
    assert source is not None
    assert source.text == "parcelable A { }"
    assert not diagnostics.items


def test_a_missing_file_is_a_diagnostic(tmp_path: Path) -> None:
    diagnostics = Diagnostics()
    assert read_source(tmp_path / "A.aidl", diagnostics, "given/A.aidl") is None
    assert (
        diagnostics.items[0]
        .render()
        .startswith("given/A.aidl:1:1: error: cannot read the file: No such file")
    )


def test_the_place_of_a_bad_byte_is_told(tmp_path: Path) -> None:
    (path,) = write(tmp_path, {"A.aidl": b"// ok\n// \xff\nparcelable A { }"})
    diagnostics = Diagnostics()
    source = read_source(path, diagnostics)
    assert source is not None
    (item,) = diagnostics.items
    assert (item.span.line, item.span.column, item.message) == (2, 4, "the byte 0xff is not UTF-8")
    assert parse(source, diagnostics) is not None


# --- size ---


def test_a_long_sum_and_a_long_file_are_no_problem() -> None:
    text = "parcelable A { int a = " + "1 + " * 5000 + "1; " + "/** x */ int b; " * 2000 + "}"
    assert len(_parse(text).declarations) == 1


@pytest.mark.parametrize(
    "text",
    [
        "parcelable A { int a = " + "(" * 5000 + "1" + ")" * 5000 + "; }",
        "parcelable A { int a = " + "-" * 5000 + "1; }",
        "parcelable A { int[] a = " + "{" * 5000 + "1" + "}" * 5000 + "; }",
        "parcelable A { " + "List<" * 5000 + "String" + ">" * 5000 + " a; }",
        "parcelable A { " * 5000 + "}" * 5000,
        "parcelable A { int" + "[" * 5000,
    ],
)
def test_what_nests_too_deep_is_refused(text: str) -> None:
    assert "nest too deep" in _errors(text)[0]


def test_constants_are_members_of_every_kind_of_type() -> None:
    for kind in ("interface", "parcelable", "union"):
        declaration = _parse(f"{kind} A {{ const int K = 1; }}").declarations[0]
        assert isinstance(declaration, Interface | Parcelable | Union)
        (constant,) = declaration.constants
        assert isinstance(constant, Constant)


def test_an_array_literal_keeps_its_items() -> None:
    default = _parcelable("int[] a = {1, 2 + 3,};").fields[0].default
    assert isinstance(default, ArrayExpr)
    assert [_shown(item) for item in default.items] == ["1", "(2 + 3)"]
