"""Syntax errors in words a person would use.

The parser knows which terminals of the grammar could have come; the tables here turn them into
"a value", "';'" or "a parameter", and a few common slips into advice.
"""

from __future__ import annotations

import re
from collections.abc import Set

from lark import Token

_VALUE = frozenset({"NUMBER", "STRING", "CHAR", "BOOL", "NAME", "LPAR", "LBRACE", "UNARY"})
_OPERATORS = frozenset(
    {"OR", "AND", "BIT_OR", "BIT_XOR", "BIT_AND", "EQUALITY", "COMPARISON", "SHIFT", "SUM", "PRODUCT"}
)
_NESTED = frozenset({"INTERFACE", "PARCELABLE", "UNION", "ENUM"})

# Which terminals together make which words; earlier rows take theirs away from later ones.
_GROUPS: list[tuple[frozenset[str], str]] = [
    (_NESTED | {"PACKAGE", "IMPORT"}, "a declaration"),
    (_NESTED | {"CONST", "NAME"}, "a member"),
    (_NESTED, "a declaration"),
    (frozenset({"DIRECTION", "NAME"}), "a parameter"),
    (_VALUE, "a value"),
    (frozenset({"CPP_HEADER", "NDK_HEADER", "RUST_TYPE"}), "a header"),
]

# Said only if nothing else could have come: they are always possible, and seldom what is missing.
_OPTIONAL = _OPERATORS | {"ANNOTATION", "ONEWAY", "DOT", "LSQB", "LESSTHAN", "CONST", "_ERROR"}

_WORDS = {
    "NAME": "a name",
    "NUMBER": "a number",
    "STRING": "a string",
    "ANNOTATION": "an annotation",
    "$END": "the end of the file",
    "SEMICOLON": "';'",
    "COMMA": "','",
    "DOT": "'.'",
    "EQUAL": "'='",
    "LPAR": "'('",
    "RPAR": "')'",
    "LSQB": "'['",
    "RSQB": "']'",
    "LBRACE": "'{'",
    "RBRACE": "'}'",
    "LESSTHAN": "'<'",
    "MORETHAN": "'>'",
    **dict.fromkeys(_OPERATORS, "an operator"),
}

KEYWORDS = frozenset({"package", "import", "interface", "parcelable", "union", "enum", "const", "oneway"}) | {
    *("in", "out", "inout", "true", "false")
}

# What a token is for, by the token and what may follow it.
_ROLES: list[tuple[str, frozenset[str], str]] = [
    (")", frozenset({"SEMICOLON", "EQUAL"}), "the method's ')'"),
    ("name", frozenset({"SEMICOLON", "EQUAL"}), "the field's name '{}'"),
    ("name", frozenset({"COMMA", "EQUAL", "RBRACE"}), "the enumerator '{}'"),
    ("name", frozenset({"COMMA", "RPAR"}), "the parameter's name '{}'"),
    ("name", frozenset({"EQUAL"}), "the constant's name '{}'"),
    ("name", frozenset({"LPAR"}), "the method's name '{}'"),
    ("name", frozenset({"NAME"}), "the type '{}'"),
]


def line_ending_hint(text: str) -> str:
    """What to say if a comment swallows what follows because lines end the wrong way."""
    for line in text.split("\n"):
        comment = line.find("//")
        if comment >= 0 and line[comment:].partition("\r")[2].strip():
            return "Lines end in CR alone, so a // comment runs to the end of the file: end them in LF."
    return ""


def _quote(token: Token) -> str:
    if token.type == "$END":
        return "the end of the file"
    text = token if len(token) <= 40 else token[:37] + "..."
    return f"the keyword '{text}'" if token in KEYWORDS else f"'{text}'"


def _expectation(accepts: Set[str]) -> str:
    left, words = set(accepts), []
    for members, phrase in _GROUPS:
        if members <= left:
            words.append(phrase)
            left -= members
    if words:
        left.discard("$END")
    rare = left & _OPTIONAL
    words += sorted({_WORDS.get(name, f"'{name.lower()}'") for name in left - rare}, key=_rank)
    if not words:
        words = sorted({_WORDS.get(name, f"'{name.lower()}'") for name in rare - {"_ERROR"}}, key=_rank)
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def _rank(word: str) -> tuple[bool, str]:
    """Words before signs, and '}' last."""
    return word.startswith("'"), word.replace("}", "\x7f")


def _place(previous: str, accepts: Set[str]) -> str:
    if not previous:
        return "at the start of the file"
    kind = "name" if re.fullmatch(r"[A-Za-z_]\w*", previous) and previous not in KEYWORDS else previous
    common = accepts - _OPTIONAL
    for sign, following, phrase in _ROLES:
        if sign == kind and following == common:
            return "after " + phrase.format(previous)
    return f"after '{previous}'"


def describe(token: Token, accepts: Set[str], previous: str) -> tuple[str, str]:
    """The message and the hint for a token that is not among those the parser accepts."""
    found = _quote(token)
    if token == ";" and previous in (";", "}", "{"):
        return f"found a ';' that ends nothing, after '{previous}'", "Remove it."
    message = f"expected {_expectation(accepts)} {_place(previous, accepts)}, found {found}"
    return message, _hint(token, accepts, previous)


def _hint(token: Token, accepts: Set[str], previous: str) -> str:
    if previous == "," and token == ")":
        return "Remove the comma: nothing follows it."
    if token in ("in", "out", "inout") and previous.startswith(("@", ")")):
        return "The direction comes before the annotations: in @nullable String name."
    if token in ("in", "out") and previous in ("in", "out"):
        return "Both directions at once are inout."
    if token == "*" and previous == ".":
        return "Import each type by its name; there are no wildcards."
    if token == "const" and "NAME" in accepts:
        return "const comes before the type."
    if token in KEYWORDS and "NAME" in accepts and "CONST" not in accepts:
        return f"'{token}' is a reserved word; choose another name."
    if token.type == "NUMBER" and "NAME" in accepts and "NUMBER" not in accepts:
        return "A name does not start with a digit."
    if token == ";" and accepts >= {"COMMA", "RBRACE"} and "LPAR" not in accepts:
        return "Items between braces are separated by commas."
    return ""
