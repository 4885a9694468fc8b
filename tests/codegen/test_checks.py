"""Every rule catches what it is for and nothing else; warnings can be turned off."""

from __future__ import annotations

from pathlib import Path

import pytest

from codegen.diagnostics import Severity
from codegen.rules import RULES

from .compiling import Compiled, Files, compile_aidl, interface, parcelable
from .rule_examples import EXAMPLES, Example


def _compile(folder: Path, example: Example, files: Files) -> Compiled:
    return compile_aidl(
        folder,
        files,
        example.others,
        roots=example.roots,
        vintf=example.vintf,
        structured=example.structured,
        lint=example.lint,
    )


def test_every_rule_has_examples() -> None:
    assert EXAMPLES.keys() == RULES.keys()


def test_every_slug_is_that_of_its_row_and_in_kebab_case() -> None:
    for slug, rule in RULES.items():
        assert slug == rule.slug
        assert slug.replace("-", "").isalnum()
        assert slug == slug.lower()


def test_every_help_line_is_one_sentence_or_empty() -> None:
    for rule in RULES.values():
        assert "\n" not in rule.help
        assert not rule.help or rule.help.endswith((".", "}."))


@pytest.mark.parametrize("slug", EXAMPLES)
def test_rejects(slug: str, tmp_path: Path) -> None:
    example = EXAMPLES[slug]
    result = _compile(tmp_path, example, example.rejects)
    assert result.slugs == {slug}, result.text
    assert result.diagnostics.failed == (RULES[slug].severity is Severity.ERROR)


@pytest.mark.parametrize("slug", EXAMPLES)
def test_accepts(slug: str, tmp_path: Path) -> None:
    example = EXAMPLES[slug]
    result = _compile(tmp_path, example, example.accepts)
    assert not result.items, result.text


@pytest.mark.parametrize("slug", [slug for slug, rule in RULES.items() if rule.severity is Severity.WARNING])
def test_a_warning_can_be_disabled(slug: str, tmp_path: Path) -> None:
    example = EXAMPLES[slug]
    result = compile_aidl(
        tmp_path, example.rejects, example.others, lint=example.lint, disabled=frozenset({slug})
    )
    assert not result.items, result.text


# --- suppression in the source ---


def test_a_method_suppresses_a_warning_about_itself(tmp_path: Path) -> None:
    methods = '@SuppressWarnings(value={"inout-parameter"}) void f(inout int[] a); void g(inout int[] b);'
    result = compile_aidl(tmp_path, interface(methods), lint=True)
    assert [item.message.split()[0] for item in result.items] == ["b"]


def test_a_type_suppresses_warnings_about_all_inside_it(tmp_path: Path) -> None:
    text = 'package q; @SuppressWarnings(value={"const-name"}) parcelable A { enum E { x } const int k = 1; }'
    assert not compile_aidl(tmp_path, {"q/A.aidl": text}, lint=True).items


def test_an_error_cannot_be_suppressed(tmp_path: Path) -> None:
    text = 'package q; @SuppressWarnings(value={"void"}) parcelable A { void a; }'
    assert compile_aidl(tmp_path, {"q/A.aidl": text}).diagnostics.failed


# --- what a table cannot say ---

_DIRECTIONS = {
    "int": {"", "in"},
    "String": {"", "in"},
    "CharSequence": {"", "in"},
    "IBinder": {"", "in"},
    "FileDescriptor": {"", "in"},
    "q.IB": {"", "in"},
    "q.E": {"", "in"},
    "ParcelFileDescriptor": {"in", "inout"},
    "int[]": {"in", "out", "inout"},
    "int[2]": {"in", "out", "inout"},
    "q.E[]": {"in", "out", "inout"},
    "IBinder[]": {"in", "out", "inout"},
    "ParcelFileDescriptor[]": {"in", "out", "inout"},
    "List<String>": {"in", "out", "inout"},
    "Map<String, String>": {"in", "out", "inout"},
    "q.B": {"in", "out", "inout"},
    "q.U": {"in", "out", "inout"},
}
_OTHERS: Files = {
    "q/B.aidl": "package q; parcelable B { }",
    "q/IB.aidl": "package q; interface IB { }",
    "q/E.aidl": "package q; enum E { X }",
    "q/U.aidl": "package q; union U { int a; }",
}


@pytest.mark.parametrize("name", _DIRECTIONS)
def test_a_type_takes_its_directions_and_no_others(name: str, tmp_path: Path) -> None:
    for direction in ("", "in", "out", "inout"):
        result = compile_aidl(tmp_path, interface(f"void f({direction} {name} a);"), _OTHERS)
        assert (result.slugs == set()) == (direction in _DIRECTIONS[name]), (direction, result.text)


def test_a_wrong_direction_is_answered_with_the_right_ones(tmp_path: Path) -> None:
    result = compile_aidl(tmp_path, interface("void f(out ParcelFileDescriptor a);"))
    assert "can only be in or inout" in result.text


def test_the_way_around_a_recursive_type_is_shown(tmp_path: Path) -> None:
    others = {
        "q/B.aidl": "package q; import q.C; parcelable B { C c; }",
        "q/C.aidl": "package q; import q.A; parcelable C { A a; }",
    }
    result = compile_aidl(tmp_path, {"q/A.aidl": "package q; import q.B; parcelable A { B b; }"}, others)
    assert "A contains itself: A -> B -> C -> A" in result.text


def test_types_that_only_point_to_themselves_are_fine(tmp_path: Path) -> None:
    body = "A[] a; @nullable A[] b; List<A> c; @nullable(heap=true) A d; interface I { void f(in A a); } I e;"
    compile_aidl(tmp_path, parcelable(body)).ok()


@pytest.mark.parametrize(
    ("method", "reserved"),
    [
        ("int getInterfaceVersion()", True),
        ("long getInterfaceVersion()", True),
        ("int getInterfaceVersion(int a)", False),
        ("String getInterfaceHash()", True),
        ("String getInterfaceHash(int a)", False),
        ("IBinder asBinder()", True),
        ("void asBinder(int a)", False),
        ("String getTransactionName(int c)", True),
        ("String getTransactionName()", False),
        ("void ping()", False),
    ],
)
def test_reserved_methods_are_known_by_name_and_parameters(
    method: str, reserved: bool, tmp_path: Path
) -> None:
    result = compile_aidl(tmp_path, interface(f"{method};"))
    assert result.slugs == ({"reserved-name"} if reserved else set())


def test_a_vintf_package_must_mark_its_types(tmp_path: Path) -> None:
    result = compile_aidl(tmp_path, parcelable(""), vintf=True, structured=True)
    assert "A is not @VintfStability, but its package is" in result.text


def test_what_is_nested_in_a_vintf_type_is_vintf(tmp_path: Path) -> None:
    text = "package q; @VintfStability interface IA { parcelable P { } void f(in P p); }"
    compile_aidl(tmp_path, {"q/IA.aidl": text}, vintf=True, structured=True).ok()


def test_a_parcelable_that_java_promises_to_keep_counts_as_structured(tmp_path: Path) -> None:
    others = {"q/J.aidl": 'package q; @JavaOnlyStableParcelable parcelable J cpp_header "j.h";'}
    compile_aidl(tmp_path, parcelable("q.J j;"), others, structured=True).ok()


def test_a_file_that_is_only_imported_is_checked_too(tmp_path: Path) -> None:
    result = compile_aidl(tmp_path, parcelable("q.B b;"), {"q/B.aidl": "package q; parcelable B { void a; }"})
    assert result.slugs == {"void"}


def test_a_misspelt_annotation_gets_a_suggestion(tmp_path: Path) -> None:
    assert "Did you mean @nullable?" in compile_aidl(tmp_path, parcelable("@Nullable String a;")).text


@pytest.mark.parametrize("argument", ["'x'", "5", "true", '{"x"}', "1.5"])
def test_a_string_argument_is_a_string(argument: str, tmp_path: Path) -> None:
    text = f"package q; @Descriptor(value={argument}) interface IA {{ }}"
    assert compile_aidl(tmp_path, {"q/IA.aidl": text}).slugs == {"annotation-argument"}


def test_what_a_map_leads_to_may_be_annotated_but_no_other_type_argument(tmp_path: Path) -> None:
    compile_aidl(tmp_path, parcelable("Map<String, @nullable String> a;")).ok()
    assert compile_aidl(tmp_path, parcelable("List<@nullable String> a;")).slugs == {"misplaced-annotation"}


def test_untyped_collections_are_found_inside_others(tmp_path: Path) -> None:
    assert compile_aidl(tmp_path, parcelable("Map<String, Map> a;")).slugs == {"untyped-collection"}


def test_union_accessors_may_not_differ_in_a_capital_only(tmp_path: Path) -> None:
    result = compile_aidl(tmp_path, {"q/A.aidl": "package q; union A { int tag; int Tag; }"})
    assert result.slugs == {"duplicate-name"}


def test_a_union_has_its_own_tag(tmp_path: Path) -> None:
    result = compile_aidl(tmp_path, {"q/A.aidl": "package q; union A { int a; enum Tag { X } }"})
    assert "nested-name" in result.slugs


@pytest.mark.parametrize(
    "body", ["void f() = (5);", "void f() = 1 + 1;", "void f() = 0x5;", "void f() = -1;"]
)
def test_an_id_is_a_plain_number(body: str, tmp_path: Path) -> None:
    assert compile_aidl(tmp_path, interface(body)).slugs == {"method-id"}
