"""Pieces of Python text."""

from __future__ import annotations

import ast

import pytest

from codegen.text import LINE_LENGTH, call, conditional, docstring, documentation, literal, sequence


@pytest.mark.parametrize(
    "value", ["plain", 'with "quotes"', "it's", "both ' and \"", "new\nline", "back\\slash", "é😀", "\0", ""]
)
def test_literals_of_strings_are_read_back(value: str) -> None:
    assert ast.literal_eval(literal(value)) == value


@pytest.mark.parametrize("value", [0, -1, 2**63, 1.5, True, None, [1, 2], ["a", None], []])
def test_literals_of_other_values_are_read_back(value: object) -> None:
    assert ast.literal_eval(literal(value)) == value


def test_long_calls_have_an_item_a_line() -> None:
    items = [f"argument_{number}" for number in range(20)]
    text = call(4, "f", items, "")
    assert text.splitlines()[0] == "f("
    assert text.splitlines()[-1] == "    )"
    assert all(len(line) <= LINE_LENGTH for line in text.splitlines())
    assert call(4, "f", items[:2], "") == "f(argument_0, argument_1)"


def test_a_tuple_of_one_keeps_its_comma() -> None:
    assert sequence(0, ["a"]) == "(a,)"
    assert sequence(0, ["a", "b"], "return ") == "return (a, b)"


def test_long_conditionals_are_parenthesised() -> None:
    text = conditional(8, "name", "x" * 100, "condition", "fallback")
    assert text.splitlines()[0] == "name = ("
    assert len(text.splitlines()) == 5


@pytest.mark.parametrize("comment", ['ends with "', 'has """ inside', "has \\ inside", "two\n\nparagraphs"])
def test_docstrings_are_valid_whatever_the_comment_says(comment: str) -> None:
    body = ast.parse(docstring(0, comment)).body[0]
    assert isinstance(body, ast.Expr)
    assert isinstance(body.value, ast.Constant)
    assert str(body.value.value).strip() == comment.strip()


def test_tags_become_sections() -> None:
    comment = "Does it.\n\n@param size how big, in\n       bytes\n@return whether it {@code worked}\n@hide"
    assert documentation(comment) == [
        "Does it.",
        "",
        "Args:",
        "    size: how big, in",
        "        bytes",
        "",
        "Returns:",
        "    whether it `worked`",
    ]


def test_no_comment_is_no_docstring() -> None:
    assert docstring(0, "") == ""
    assert docstring(0, "  \n ") == ""
