"""Constant expressions have the values that Google's compiler gives them, or are refused as there.

The right answers were taken from its version 14.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from codegen.arithmetic import Kind, Refused, binary, integer, text
from codegen.ast import ConstValue

from .compiling import compile_aidl, enum, parcelable


def _value(folder: Path, type_: str, expression: str, before: str = "") -> ConstValue:
    """The value of a field's default, or the slugs of what is wrong with it."""
    result = compile_aidl(folder, parcelable(f"{before} {type_} field = {expression};"))
    return ", ".join(sorted(result.slugs)) if result.diagnostics.failed else result.defaults()["field"]


# --- integers ---


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("1_000", 1000),
        ("0_1", 1),
        ("0xF_F", 255),
        ("0X1f", 31),
        ("4294967295u32", -1),
        ("2147483648u32", -(2**31)),
        ("255u8", -1),
        ("0xFFu8", -1),
        ("0xFFFFFFFFFFFFFFFF", -1),
        ("18446744073709551615u64", -1),
        ("0xFFL", 255),
        ("1l", 1),
        ("2147483648 - 1", 2**31 - 1),
        ("-(2147483648)", -(2**31)),
        ("true + true", 2),
        ("-true", 1),
        ("-(5 > 3)", 1),
        ("-(true & true)", -1),
        ("!255u8", 0),
        ("!5 - 2", -2),
        ("~0", -1),
        ("~5u8", -6),
        ("255u8 + 1", 0),
        ("127 + 1", 128),
        ("8 >> -1", 16),
        ("8 << -1", 4),
        ("1 << 31", -(2**31)),
        ("true << 3", 8),
        ("1 < 2 < 3", 1),
        ("3 > 2 > 1", 0),
        ("5 / true", 5),
        ("7 / -2", -3),
        ("7 % -2", 1),
        ("1 || 0 && 0", 1),
        ("5u8 - 6u8", -1),
    ],
)
def test_integer_expressions(expression: str, value: int, tmp_path: Path) -> None:
    assert _value(tmp_path, "int", expression) == value


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("1L << 63", -(2**63)),
        ("3L << 62", -(2**62)),
        ("1 << 30 | 1L << 40", 2**30 + 2**40),
        ("1 << 40L", 2**40),
        ("9223372036854775807", 2**63 - 1),
        ("0x80000000", -(2**31)),
        ("0xffffffffu64", -1),
        ("0xfffffffffu32", 2**36 - 1),
        ("4294967295u64", 2**32 - 1),
        ("1u64 << 40", 2**40),
        ("0x1L << 40", 2**40),
    ],
)
def test_expressions_of_64_bits(expression: str, value: int, tmp_path: Path) -> None:
    assert _value(tmp_path, "long", expression) == value


@pytest.mark.parametrize(
    ("expression", "slug"),
    [
        ("256u8", "overflow"),
        ("0x1FFu8", "overflow"),
        ("9223372036854775808", "overflow"),
        ("-0x80000000", "overflow"),
        ("-128u8", "overflow"),
        ("-(~127)", "overflow"),
        ("-false", "overflow"),
        ("2 << 31", "overflow"),
        ("0x1u64 << 40", "overflow"),
        ("-1 << 1", "overflow"),
        ("1 >> 32", "overflow"),
        ("1 << -32", "overflow"),
        ("0x7fffffff * 2", "overflow"),
        ("(-2147483647 - 1) / -1", "overflow"),
        ("(-2147483647 - 1) % -1", "overflow"),
        ("1 % 0", "division-by-zero"),
        ("1 || 1 / 0", "division-by-zero"),
        ("0 && 1 / 0", "division-by-zero"),
        ("~true", "bad-operand"),
        ("'a' < 'b'", "bad-operand"),
        ("1.0 < 2.0", "bad-operand"),
        ('"a" == "a"', "bad-operand"),
        ('"a" + 1', "bad-operand"),
        ("!1.5", "bad-operand"),
        ('+"a"', "bad-operand"),
        ("{1} + 1", "bad-operand"),
        ("1__0", "bad-number"),
        ("1u16", "bad-number"),
        ("1LL", "bad-number"),
        ("0x", "bad-number"),
        ("00x1", "bad-number"),
        ("1.5.5", "bad-number"),
        ("1.5d", "bad-number"),
        ("1L << 40", "out-of-range"),
        ("2147483648", "out-of-range"),
    ],
)
def test_what_is_refused(expression: str, slug: str, tmp_path: Path) -> None:
    assert _value(tmp_path, "int", expression) == slug


def test_an_error_is_reported_once_though_others_build_on_it(tmp_path: Path) -> None:
    body = "const int A = 1 / 0; const int B = A + 1; int c = B; int[B] d;"
    result = compile_aidl(tmp_path, parcelable(body))
    assert [item.rule.slug for item in result.items] == ["division-by-zero"]


# --- declared types ---


@pytest.mark.parametrize(
    ("type_", "expression", "value"),
    [
        ("byte", "-128", -128),
        ("byte", "100 + 27", 127),
        ("byte", "300 - 200", 100),
        ("byte", "1L", 1),
        ("byte", "5 > 3", 1),
        ("byte", "0x80", "out-of-range"),
        ("byte", "-129", "out-of-range"),
        ("byte", "'a'", "wrong-value"),
        ("int", "true", 1),
        ("int", "'a'", "wrong-value"),
        ("boolean", "2", True),
        ("boolean", "0", False),
        ("boolean", "true & false", False),
        ("boolean", '"true"', "wrong-value"),
        ("char", "'\"'", '"'),
        ("char", "97", "wrong-value"),
        ("char", "'ab'", "bad-text"),
        ("char", "''", "bad-text"),
        ("char", r"'\n'", "bad-text"),
        ("char", "'é'", "bad-text"),
        ("float", "1f", 1.0),
        ("float", "-(1.5f)", -1.5),
        ("float", "1e5f", 1e5),
        ("float", "-0.0f", -0.0),
        ("float", "16777217f", 16777216.0),
        ("float", "0.1f", 0.10000000149011612),
        ("double", "0.1f", 0.1),
        ("float", "1e40f", "out-of-range"),
        ("float", "1e-50f", "out-of-range"),
        ("double", "1e3", 1000.0),
        ("double", ".5", 0.5),
        ("double", "1", "wrong-value"),
        ("double", "0e-400", 0.0),
        ("String", '("a")', "a"),
        ("String", '"it\'s"', "it's"),
        ("String", '"é"', "bad-text"),
        ("String", r'"a\"b"', "bad-text"),
        ("String", "'a'", "wrong-value"),
        ("@nullable String", '"x"', "x"),
        ("IBinder", "0", "wrong-value"),
        ("List<String>", '{"a"}', "wrong-value"),
    ],
)
def test_a_value_is_converted_to_its_declared_type(
    type_: str, expression: str, value: ConstValue, tmp_path: Path
) -> None:
    found = _value(tmp_path, type_, expression)
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    ("type_", "expression", "value"),
    [
        ("int[]", "{1, 1L,}", [1, 1]),
        ("byte[]", "{255u8}", [-1]),
        ("char[]", "{'a', 'b'}", ["a", "b"]),
        ("boolean[]", "{true, 1}", [True, True]),
        ("String[]", '{"x", "y" + "z"}', ["x", "yz"]),
        ("double[]", "{1.5f, 1.5}", [1.5, 1.5]),
        ("int[2]", "{1, 2}", [1, 2]),
        ("int[0]", "{}", []),
        ("int[2][2]", "{{1, 2}, {3, 4}}", [[1, 2], [3, 4]]),
        ("int[2]", "{1}", "wrong-value"),
        ("int[2][2]", "{{1, 2}, {3}}", "wrong-value"),
        ("int[2][2]", "{1, 2}", "wrong-value"),
        ("int[]", "1", "wrong-value"),
        ("int", "{1}", "wrong-value"),
        ("int[]", '{1, "a"}', "wrong-value"),
        ("byte[]", "{1000}", "out-of-range"),
    ],
)
def test_arrays_are_converted_item_by_item(
    type_: str, expression: str, value: ConstValue, tmp_path: Path
) -> None:
    assert _value(tmp_path, type_, expression) == value


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("E.X", 3),
        ("(E.X)", 3),
        ("q.A.E.X", 3),
        ("3", "wrong-value"),
        ("E.X + 1", "wrong-value"),
        ("G.X", "wrong-value"),
    ],
)
def test_the_default_of_an_enum_is_one_of_its_enumerators(
    expression: str, value: ConstValue, tmp_path: Path
) -> None:
    before = "enum E { X = 3 } enum G { X = 3 }"
    assert _value(tmp_path, "E", expression, before) == value


# --- sizes ---


@pytest.mark.parametrize("size", ["0", "1 + 1", "N", "A.N", "0x10", "true", "+2"])
def test_sizes_of_arrays_are_expressions(size: str, tmp_path: Path) -> None:
    field = compile_aidl(tmp_path, parcelable(f"int[{size}] a; const int N = 3;")).ok().parcelable.fields[0]
    expected = {"0": 0, "1 + 1": 2, "N": 3, "A.N": 3, "0x10": 16, "true": 1, "+2": 2}
    assert field.type.dimensions[0].value == expected[size]


@pytest.mark.parametrize("size", ["-1", '"2"', "1L", "2147483648", "1.0", "{}"])
def test_sizes_that_are_none(size: str, tmp_path: Path) -> None:
    assert compile_aidl(tmp_path, parcelable(f"int[{size}] a;")).slugs == {"array-size"}


# --- references ---


def test_references_have_the_type_of_the_value_not_of_the_constant(tmp_path: Path) -> None:
    assert _value(tmp_path, "long", "L << 40", "const long L = 5;") == "overflow"
    assert _value(tmp_path, "int", "B + B", "const byte B = 100;") == 200


@pytest.mark.parametrize("type_", ["boolean", "char", "int[]", "IBinder", "List<String>"])
def test_constants_of_other_types_are_refused(type_: str, tmp_path: Path) -> None:
    assert "constant-type" in compile_aidl(tmp_path, parcelable(f"const {type_} K = 1;")).slugs


def test_enumerators_refer_to_each_other_in_any_order(tmp_path: Path) -> None:
    values = compile_aidl(tmp_path, enum("A = C, B, C = 5, D = B | 8")).ok().enumerators("q.E")
    assert values == {"A": 5, "B": 6, "C": 5, "D": 14}


def test_an_enumerator_without_value_follows_the_last(tmp_path: Path) -> None:
    text = 'package q; @Backing(type="int") enum E { A = 2147483647, B }'
    assert compile_aidl(tmp_path, {"q/E.aidl": text}).slugs == {"overflow"}


def test_constants_of_two_files_may_use_each_other(tmp_path: Path) -> None:
    files = {
        "q/A.aidl": "package q; parcelable A { const int K = q.B.L + 1; const int M = 1; }",
        "q/B.aidl": "package q; parcelable B { const int L = q.A.M + 1; }",
    }
    assert compile_aidl(tmp_path, files).ok().constants() == {"K": 3, "M": 1}


def test_a_cycle_over_files_is_reported_once_and_shown(tmp_path: Path) -> None:
    files = {
        "q/A.aidl": "package q; parcelable A { const int K = q.B.L; }",
        "q/B.aidl": "package q; parcelable B { const int L = q.A.K; int x = L; }",
    }
    result = compile_aidl(tmp_path, files)
    assert [item.rule.slug for item in result.items] == ["constant-cycle"]
    assert "K -> L -> K" in result.text


def test_a_long_chain_of_references_is_no_problem(tmp_path: Path) -> None:
    chain = "".join(f"const int K{i} = K{i + 1} + 1; " for i in range(3000))
    result = compile_aidl(tmp_path, parcelable(chain + "const int K3000 = 0;")).ok()
    assert result.constants()["K0"] == 3000


def test_a_long_sum_is_no_problem(tmp_path: Path) -> None:
    assert _value(tmp_path, "int", " + ".join(["1"] * 3000)) == 3000


def test_arrays_in_arrays_take_no_longer_for_being_deep(tmp_path: Path) -> None:
    depth = 60
    type_ = "int" + "[1]" * depth
    expected: ConstValue = 1
    for _ in range(depth):
        expected = [expected]
    assert _value(tmp_path, type_, "{" * depth + "1" + "}" * depth) == expected


# --- pieces ---


@pytest.mark.parametrize(
    ("literal", "kind"),
    [
        ("127", Kind.INT8),
        ("128", Kind.INT32),
        ("0x1", Kind.INT32),
        ("2147483648", Kind.INT64),
        ("1L", Kind.INT64),
    ],
)
def test_the_size_of_a_literal_follows_from_how_it_is_written(literal: str, kind: Kind) -> None:
    assert integer(literal).kind is kind


def test_a_refusal_says_what_it_refuses() -> None:
    with pytest.raises(Refused, match="2147483647 \\+ 1 does not fit in 32 bits"):
        binary("+", integer("2147483647"), integer("1"))


def test_text_is_what_is_between_the_quotes() -> None:
    assert text("'x'").value == "x"
    assert text('"x y"').value == "x y"
