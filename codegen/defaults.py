"""What a field is when nothing else is said, as Python text."""

from __future__ import annotations

from collections.abc import Callable

from . import ast, naming
from .layout import (
    Array,
    BinderValue,
    FileDescriptorValue,
    HolderValue,
    MapValue,
    ParcelableValue,
    Scalar,
    Slot,
    String,
    WireType,
    body_slots,
)
from .text import literal

# What a scalar without a default is, where that is not 0.
_ZERO: dict[str, ast.ConstValue] = {"z": False, "c": "\0", "f": 0.0, "d": 0.0}

_LONGEST_LIST = 16
"""How many elements are written one by one."""


def is_required(type_: WireType) -> bool:
    """Whether a field of this type has no value that it could default to."""
    if isinstance(type_, Scalar | String) or type_.nullable:
        return False
    if isinstance(type_, Array):
        return bool(type_.count) and is_required(type_.element)
    match type_:
        case ParcelableValue(ast.Parcelable() as parcelable):
            return any(is_required(slot.type) for slot in body_slots(parcelable))
        case ParcelableValue(ast.Union() as union):
            return is_required(body_slots(union)[0].type)
        case _:
            return isinstance(type_, BinderValue | FileDescriptorValue)


class Defaults:
    """Writes the text.

    Args:
        spell: how the module in question spells a declaration's class.
    """

    def __init__(self, spell: Callable[[ast.Declaration], str]) -> None:
        self._spell = spell

    def assigned(self, slot: Slot) -> str:
        """What stands behind the `=` of a field, so that no two objects share a default."""
        default = self.expression(slot)
        if _is_plain_default(slot.type, default):
            return default
        factory = {"[]": "list", "{}": "dict"}.get(default, f"lambda: {default}")
        return f"field(default_factory={factory})"

    def expression(self, slot: Slot) -> str:
        """The expression for what a field is unless something else is said."""
        declared = slot.field.default_value if slot.field else None
        return self._value(slot.type, declared)

    def _value(self, type_: WireType, value: ast.ConstValue) -> str:
        match type_:
            case Scalar(letter, enum):
                if enum is not None:
                    return self._enumerator(enum, value if isinstance(value, int) else 0)
                return literal(_ZERO.get(letter, 0) if value is None else value)
            case String(nullable):
                return "None" if value is None and nullable else literal("" if value is None else value)
            case Array():
                return self._array_value(type_, value)
            case ParcelableValue(declaration, False):
                return f"{self._spell(declaration)}()"
            case MapValue(_, False):
                return "{}"
            case HolderValue(vintf):
                return f"ParcelableHolder({'Stability.VINTF' if vintf else ''})"
            case _:
                return "None"

    def _array_value(self, type_: Array, value: ast.ConstValue) -> str:
        if value is None and type_.nullable:
            return "None"
        element = type_.element
        is_bytes = isinstance(element, Scalar) and element.letter == "b" and not element.enum
        if isinstance(value, list):
            return (
                _bytes(value) if is_bytes else f"[{', '.join(self._value(element, item) for item in value)}]"
            )
        count = type_.count or 0
        if is_bytes:
            return f"bytes({count})" if count else 'b""'
        return self._repeated(element, count)

    def _repeated(self, element: WireType, count: int) -> str:
        """A list of defaults: in full if it is short; no two elements that can be changed are the same."""
        text = self._value(element, None)
        if count <= _LONGEST_LIST:
            return f"[{', '.join([text] * count)}]"
        if isinstance(element, Scalar | String):
            return f"[{text}] * {count}"
        return f"[{text} for _ in range({count})]"

    def _enumerator(self, enum: ast.Enum, number: int) -> str:
        for item in enum.enumerators:
            if item.value == number:
                return f"{self._spell(enum)}.{naming.member_name(enum, item.name)}"
        return f"{self._spell(enum)}({number})"


def _bytes(items: list[ast.ConstValue]) -> str:
    numbers = [item if isinstance(item, int) else 0 for item in items]
    if not any(numbers):
        return f"bytes({len(numbers)})" if numbers else 'b""'
    return f"bytes([{', '.join(str(number & 0xFF) for number in numbers)}])"


def _is_plain_default(type_: WireType, default: str) -> bool:
    """Whether a default may be shared by all instances, and is known when the class is made."""
    if default == "None" or isinstance(type_, String):
        return True
    if isinstance(type_, Scalar):
        # Top-level enums of the same module come first in it; others may not be there yet.
        return type_.enum is None or (default.count(".") == 1 and type_.enum.parent is None)
    return isinstance(type_, Array) and default.startswith(('b"', "bytes("))


def wire_default(slot: Slot) -> str:
    """A field's default as a run holds it: numbers only."""
    value = slot.field.default_value if slot.field else None
    if isinstance(value, str):
        return str(ord(value))
    return literal(int(value) if isinstance(value, bool) else value if isinstance(value, int | float) else 0)
