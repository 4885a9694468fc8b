"""The arithmetic of AIDL's constant expressions, without anything of the tree.

It is C's in 32 and 64 bits, except that overflow is an error, shifting by a negative amount
shifts the other way, and only non-negative numbers can be shifted. A decimal literal that fits in
a byte is one: a sign in front of it is applied in 8 bits, all other operators work in 32 or more.
"""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum

from .ast import ConstValue


class Kind(IntEnum):
    """What a value is; integers in the order in which they are promoted."""

    BOOL = 0
    INT8 = 8
    INT32 = 32
    INT64 = 64
    FLOAT = 100  # written with an f
    DOUBLE = 101
    CHAR = 102
    STRING = 103
    ARRAY = 104

    @property
    def is_integer(self) -> bool:
        return self <= Kind.INT64


_NAMES = {
    Kind.BOOL: "a boolean",
    Kind.FLOAT: "a float",
    Kind.DOUBLE: "a double",
    Kind.CHAR: "a char",
    Kind.STRING: "a string",
    Kind.ARRAY: "an array",
}


@dataclass(frozen=True, slots=True)
class Value:
    kind: Kind
    value: ConstValue

    def __str__(self) -> str:
        return _NAMES.get(self.kind, "an integer")

    @property
    def number(self) -> int:
        return self.value if isinstance(self.value, int) else 0


class Refused(Exception):
    """An expression has no value. `slug` is the rule it breaks."""

    def __init__(self, slug: str, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.slug, self.message, self.hint = slug, message, hint


# --- literals ---

_INTEGER = re.compile(
    r"(?:(?P<hex>0[xX](?:_?[0-9a-fA-F])+)|(?P<decimal>[0-9](?:_?[0-9])*))(?P<suffix>[lL]|u8|u32|u64)?"
)
_FLOAT = re.compile(r"(?:[0-9]*\.)?[0-9]+(?:[eE][-+]?[0-9]+)?f?")
_SUFFIXES = {"u8": Kind.INT8, "u32": Kind.INT32, "u64": Kind.INT64, "l": Kind.INT64, "L": Kind.INT64}


def integer(text: str) -> Value:
    """The value of an integer literal, the type of which follows from how it is written."""
    match = _INTEGER.fullmatch(text)
    if match is None:
        hint = "A suffix is L, u8, u32 or u64; one _ may stand between two digits."
        raise Refused("bad-number", f"'{_short(text)}' is not a number", hint)
    suffix = match["suffix"] or ""
    digits = (match["hex"] or match["decimal"]).lower().removeprefix("0x").replace("_", "").lstrip("0")
    # The first forty digits are more than any type holds, and int() refuses thousands of them.
    number = int(digits[:40] or "0", 16 if match["hex"] else 10)
    if match["hex"] and suffix in ("", "u32", "u64"):  # hex is as wide as it needs to be
        kind, limit = Kind.INT32 if number < 2**32 else Kind.INT64, 2**64
    elif suffix:
        kind = _SUFFIXES[suffix]
        limit = 2**kind if suffix[0] == "u" or match["hex"] else 2**63
    else:
        kind = Kind.INT8 if number < 2**7 else Kind.INT32 if number < 2**31 else Kind.INT64
        limit = 2**63
    if number >= limit:
        raise Refused(
            "overflow", f"{_short(text)} does not fit in {int(kind)} bits", _too_large(number, suffix)
        )
    return Value(kind, _wrap(number, kind))


def _short(text: str) -> str:
    """As much of a literal as a message needs."""
    return text if len(text) <= 60 else f"{text[:40]}..."


def _too_large(number: int, suffix: str) -> str:
    if number == 2**63 and not suffix:
        return "The smallest long is -9223372036854775807 - 1."
    return "" if suffix else "The largest long is 9223372036854775807; a u64 suffix takes any 64 bits."


def single(number: float) -> float:
    """What a float keeps of a number. Raises `OverflowError`."""
    kept: float = struct.unpack("<f", struct.pack("<f", number))[0]
    return kept


def floating(text: str) -> Value:
    if _FLOAT.fullmatch(text) is None:
        hint = "Write a digit after the point; the only suffix is f."
        raise Refused("bad-number", f"'{_short(text)}' is not a number", hint)
    is_single = text.endswith("f")
    number = float(text.removesuffix("f"))
    try:
        stored = single(number) if is_single else number
    except OverflowError:
        stored = math.inf
    is_zero = re.match(r"[0.]*(?:[eEf]|$)", text) is not None
    if math.isinf(stored) or (stored == 0 and not is_zero):
        size = "large" if math.isinf(stored) else "small"
        raise Refused(
            "out-of-range", f"{_short(text)} is too {size} for a {'float' if is_single else 'double'}"
        )
    return Value(Kind.FLOAT if is_single else Kind.DOUBLE, number)


def text(literal: str) -> Value:
    """The value of a literal in quotes, of either kind."""
    inside = literal[1:-1]
    for char in inside:
        if char == "\\" or not " " <= char <= "~":
            raise Refused("bad-text", f"{char!r} is not allowed in {_short(literal)}")
    if literal[0] == '"':
        return Value(Kind.STRING, inside)
    if len(inside) != 1:
        raise Refused("bad-text", f"{literal} is not one character", "A char is one character.")
    return Value(Kind.CHAR, inside)


# --- operators ---


def _wrap(number: int, kind: Kind) -> int:
    """The number that the lowest bits of another are."""
    half = 1 << (kind - 1)
    return (number + half) % (2 * half) - half


def _fitting(number: int, kind: Kind, shown: str) -> Value:
    if number != _wrap(number, kind):
        raise Refused("overflow", f"{shown} does not fit in {int(kind)} bits")
    return Value(kind, number)


def unary(op: str, operand: Value) -> Value:
    kind, number = operand.kind, operand.value
    if kind in (Kind.FLOAT, Kind.DOUBLE) and isinstance(number, float) and op in "+-":
        return Value(kind, -number if op == "-" else number)
    if not kind.is_integer:
        raise Refused("bad-operand", f"{op} cannot be applied to {operand}")
    if kind is Kind.BOOL:
        if op == "~":
            raise Refused("bad-operand", "~ of a boolean is always true", "For the opposite, write !.")
        if op == "-" and not number:  # as in Google's compiler, where - of true is true
            raise Refused("overflow", "- cannot be applied to false", "For the opposite, write !.")
        return Value(kind, (not number) if op == "!" else bool(number))
    if op == "!":
        return Value(kind, int(not number))
    if op == "~":
        return Value(kind, ~operand.number)
    return _fitting(-operand.number, kind, f"-({number})") if op == "-" else operand


def _quotient(left: int, right: int) -> int:
    """C's division, which cuts towards zero."""
    return abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)


def _divide(op: str, left: int, right: int, kind: Kind) -> Value:
    if right == 0:
        raise Refused("division-by-zero", f"{left} {op} 0: division by zero")
    quotient = _fitting(_quotient(left, right), kind, f"{left} / {right}")
    return quotient if op == "/" else Value(kind, left - right * quotient.number)


def _shift(op: str, number: int, count: int, kind: Kind) -> Value:
    shown = f"{number} {op} {count}"
    if count < 0:
        op, count = ">>" if op == "<<" else "<<", -count
    if number < 0:
        raise Refused("overflow", f"{shown}: a negative number cannot be shifted", "Divide or multiply.")
    if count >= kind or (op == "<<" and number << count >= 2**kind):
        raise Refused("overflow", f"{shown} does not fit in {int(kind)} bits")
    return Value(kind, _wrap(number << count, kind) if op == "<<" else number >> count)


_ARITHMETIC: dict[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
}
_TESTS: dict[str, Callable[[int, int], bool]] = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    ">": lambda a, b: a > b,
    "<=": lambda a, b: a <= b,
    ">=": lambda a, b: a >= b,
    "&&": lambda a, b: bool(a) and bool(b),
    "||": lambda a, b: bool(a) or bool(b),
}


def binary(op: str, left: Value, right: Value) -> Value:
    if left.kind is Kind.STRING and right.kind is Kind.STRING:
        if op == "+":
            return Value(Kind.STRING, f"{left.value}{right.value}")
        raise Refused("bad-operand", f"{op} cannot be applied to strings; only + can")
    if not (left.kind.is_integer and right.kind.is_integer):
        raise Refused("bad-operand", f"{op} cannot be applied to {left} and {right}")
    kind = max(Kind.INT32, left.kind, right.kind)
    a, b = int(left.number), int(right.number)
    if op in _TESTS:
        return Value(Kind.BOOL, _TESTS[op](a, b))
    if op in ("<<", ">>"):
        return _shift(op, a, b, kind)
    if op in ("/", "%"):
        return _divide(op, a, b, kind)
    return _fitting(_ARITHMETIC[op](a, b), kind, f"{a} {op} {b}")
