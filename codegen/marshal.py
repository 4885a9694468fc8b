"""Python text that writes and reads wire types.

`PLAIN` has a row per scalar; everything else is put together from the parcel's own methods.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from . import ast
from .layout import (
    Array,
    BinderValue,
    FileDescriptorValue,
    HolderValue,
    MapValue,
    ParcelableValue,
    Scalar,
    String,
    WireType,
)


@dataclass(frozen=True, slots=True)
class Plain:
    """A scalar: its Python type, its methods, and those of an array of it."""

    python: str
    method: str
    array: str


PLAIN = {
    "z": Plain("bool", "bool", "bool_array"),
    "b": Plain("int", "byte", "byte_array"),
    "c": Plain("str", "char", "char_array"),
    "i": Plain("int", "int32", "int32_array"),
    "q": Plain("int", "int64", "int64_array"),
    "f": Plain("float", "float", "float_array"),
    "d": Plain("float", "double", "double_array"),
}


class Marshal:
    """Writes the text.

    Args:
        spell: how the module in question spells a declaration's class.
    """

    def __init__(self, spell: Callable[[ast.Declaration], str]) -> None:
        self._spell = spell

    # --- types ---------------------------------------------------------------------------------

    def annotation(self, type_: WireType) -> str:
        """The Python type."""
        text = self._bare_annotation(type_)
        return text if isinstance(type_, Scalar) or not type_.nullable else f"{text} | None"

    def _bare_annotation(self, type_: WireType) -> str:
        match type_:
            case Scalar(letter, enum):
                return self._spell(enum) if enum else PLAIN[letter].python
            case String():
                return "str"
            case Array(Scalar("b", None)):
                return "bytes"
            case Array(element):
                return f"list[{self.annotation(element)}]"
            case ParcelableValue(declaration):
                return self._spell(declaration)
            case BinderValue(declaration):
                return self._spell(declaration) if declaration else "IBinder"
            case FileDescriptorValue():
                return "ParcelFileDescriptor"
            case MapValue(value):
                return f"dict[str, {self.annotation(value)}]"
            case HolderValue():
                return "ParcelableHolder"

    # --- writing -------------------------------------------------------------------------------

    def write(self, type_: WireType, value: str, name: str) -> str:
        """A statement that writes the expression `value`, called `name` in messages."""
        if isinstance(type_, Array) and type_.count is not None:
            checked = f'exactly({value}, {type_.count}, "{name}")'
            value = f"None if {value} is None else {checked}" if type_.nullable else checked
        elif not isinstance(type_, Scalar) and not type_.nullable:
            value = f'given({value}, "{name}")'
        return self._write_call(type_, value)

    def packed(self, type_: Scalar, value: str) -> str:
        """The expression `value` as a run takes it."""
        if type_.letter == "b":
            return f"int8({value})"
        if type_.letter == "z":
            return f"bool({value})"
        return f"utf16_unit({value})" if type_.letter == "c" else value

    def _write_call(self, type_: WireType, value: str) -> str:
        match type_:
            case Array(Scalar(letter, enum)):
                return f"parcel.write_{_array_method(letter, enum)}({value})"
            case Array(ParcelableValue(nullable=False), False):
                return f"parcel.write_parcelables({value})"
            case Array(element):
                method = "write_nullable_array" if _may_hold_null(type_) else "write_array"
                return f"parcel.{method}({value}, {self._writer(element)})"
            case MapValue(element):
                method = "write_nullable_map" if _may_hold_null(type_) else "write_map"
                return f"parcel.{method}({value}, {self._writer(element)})"
            case _:
                return f"{self._writer(type_)}({value})"

    def _writer(self, type_: WireType) -> str:
        """An expression for a function that writes one value of a type."""
        match type_:
            case Scalar(letter):
                return f"parcel.write_{PLAIN[letter].method}"
            case String():
                return "parcel.write_string16"
            case Array():
                return f"lambda row: {self.write(type_, 'row', 'a row')}"
            case ParcelableValue() | HolderValue():
                return "parcel.write_parcelable"
            case MapValue():
                return f"lambda row: {self.write(type_, 'row', 'a map')}"
            case BinderValue(declaration):
                return "parcel.write_interface" if declaration else "parcel.write_strong_binder"
            case FileDescriptorValue(parcel):
                return "parcel.write_parcel_file_descriptor" if parcel else "parcel.write_file_descriptor"

    # --- reading -------------------------------------------------------------------------------

    def read(self, type_: WireType) -> str:
        """An expression that reads a value."""
        if isinstance(type_, Scalar):
            return self.unpacked(type_, f"parcel.read_{PLAIN[type_.letter].method}()", converted=True)
        text = self._read_call(type_)
        never_null = isinstance(type_, HolderValue) or (
            (
                isinstance(type_, MapValue)
                or (isinstance(type_, Array) and not isinstance(type_.element, Scalar))
            )
            and not _may_hold_null(type_)
        )
        if not type_.nullable and not (never_null or type_ == FileDescriptorValue(False, False)):
            text = f"parcel.non_null({text})"
        if isinstance(type_, Array):
            # Enumerators arrive as numbers.
            if isinstance(type_.element, Scalar) and type_.element.enum:
                text = self._enumerators(type_.element.enum, text, nullable=type_.nullable)
            if type_.count is not None:
                text = f"parcel.sized({text}, {type_.count})"
        return text

    def unpacked(self, type_: Scalar, value: str, *, converted: bool = False) -> str:
        """The expression `value`, as a run gives it, or as its own method does, in Python's type."""
        if type_.enum:
            return f"{self._spell(type_.enum)}({value})"
        if converted:
            return value
        if type_.letter == "z":
            return f"{value} != 0"
        return f"chr({value})" if type_.letter == "c" else value

    def _enumerators(self, enum: ast.Enum, text: str, *, nullable: bool) -> str:
        spelled = self._spell(enum)
        if nullable:
            return f"None if (numbers := {text}) is None else [{spelled}(number) for number in numbers]"
        return f"[{spelled}(number) for number in {text}]"

    def _read_call(self, type_: WireType) -> str:
        match type_:
            case Array(Scalar(letter, enum)):
                return f"parcel.read_{_array_method(letter, enum)}()"
            case Array(element):
                method = "read_nullable_array" if _may_hold_null(type_) else "read_array"
                return f"parcel.{method}({self._reader(element)})"
            case MapValue(element):
                method = "read_nullable_map" if _may_hold_null(type_) else "read_map"
                return f"parcel.{method}({self._reader(element)})"
            case _:
                return _called(self._reader(type_))

    def _reader(self, type_: WireType) -> str:
        """An expression for a function without arguments that reads one value of a type."""
        match type_:
            case Scalar(letter):
                return f"parcel.read_{PLAIN[letter].method}"
            case String():
                return "parcel.read_string16"
            case Array() | MapValue():
                return f"lambda: {self.read(type_)}"
            case HolderValue(vintf):
                return f"lambda: read_holder(parcel, Stability.{'VINTF' if vintf else 'UNDECLARED'})"
            case ParcelableValue(declaration):
                return f"lambda: parcel.read_parcelable({self._spell(declaration)})"
            case BinderValue(declaration):
                if declaration is None:
                    return "parcel.read_strong_binder"
                return f"lambda: parcel.read_interface({self._spell(declaration)}.from_binder)"
            case FileDescriptorValue(parcel):
                return "parcel.read_parcel_file_descriptor" if parcel else "parcel.read_file_descriptor"


def _may_hold_null(type_: Array | MapValue) -> bool:
    """Whether an array or a map may be null, or what is in it: a row of a matrix may not, but holds nulls."""
    element = type_.element if isinstance(type_, Array) else type_.value
    return type_.nullable or (not isinstance(element, Scalar) and element.nullable)


def _called(reader: str) -> str:
    return reader.removeprefix("lambda: ") if reader.startswith("lambda: ") else f"{reader}()"


def _array_method(letter: str, enum: ast.Enum | None) -> str:
    """A byte array is `bytes` in Python; an array of byte-backed enumerators is a list."""
    return "int8_array" if letter == "b" and enum else PLAIN[letter].array
