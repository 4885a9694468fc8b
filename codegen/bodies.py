"""The short way to a parcelable's body: its bytes made in a few calls, or read in one.

It is there for what is known without looking at a parcel: numbers, strings, and parcelables of such.
Whatever else a body may hold must be null for it; otherwise, and where a value cannot be sent, the
long way is gone, which knows everything.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby

from . import ast
from .layout import (
    Array,
    FileDescriptorValue,
    MapValue,
    ParcelableValue,
    Scalar,
    Slot,
    String,
    body_slots,
    steps,
)
from .marshal import Marshal
from .text import assign_names, call

_IN_METHOD = 8
_IN_BRANCH = 12


def _lies_packed(element: Scalar) -> bool:
    """Whether an array of such elements is packed as it is: `bytes`, or numbers that need no look."""
    return element.letter in "iqfd" or (element.letter == "b" and not element.enum)


@dataclass(frozen=True, slots=True)
class ShortBody:
    """The short way as text.

    Attributes:
        rows: what it needs at module level.
        write: statements that give back the bytes of a body, or None.
        fixed: the row of a body that is of one size, "" if it is not.
        read: statements that take such a body's values apart.
    """

    rows: list[str] = field(default_factory=list)
    write: list[str] = field(default_factory=list)
    fixed: str = ""
    read: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Part:
    """How a slot is written: values to pack by letters or, without letters, a call.

    Attributes:
        unless: where only the long way will do.
    """

    letters: str
    values: list[str]
    unless: str = ""


def short_body(slots: Sequence[Slot], names: Sequence[str], row: str, marshal: Marshal) -> ShortBody | None:
    """The short way to a body, None if there is none.

    Args:
        slots: the fields in order.
        names: what they are called in Python.
        row: how the names of rows at module level start.
        marshal: writes a scalar as it is packed and unpacked.
    """
    if not slots:
        return None
    parts: list[_Part] = []
    for slot, name in zip(slots, names, strict=True):
        part = _part(slot, f"self.{name}", marshal)
        if part is None:
            return None
        parts.append(part)
    unless = [f"if {part.unless}:\n{' ' * _IN_BRANCH}return None" for part in parts if part.unless]
    if all(len(part.letters) == 1 for part in parts):
        body = f"{row}_BODY"
        size = 4 + sum(8 if part.letters in "qd" else 4 for part in parts)
        values = [str(size), *(value for part in parts for value in part.values)]
        text = call(_IN_METHOD, f"return {body}.pack", values, "")
        letters = "".join(part.letters for part in parts)
        return ShortBody(
            [f'{body} = FixedBody("{letters}")'], [*unless, text], body, _taken(slots, names, marshal)
        )
    return _in_pieces(parts, row, unless)


def _taken(slots: Sequence[Slot], names: Sequence[str], marshal: Marshal) -> list[str]:
    """Statements that take a body's values apart, into what the long way leaves in the same variables."""
    names_of = {slot.name: name for slot, name in zip(slots, names, strict=True)}
    targets = ["_", *(names_of[slot.name] if isinstance(slot.type, Scalar) else "_" for slot in slots)]
    lines = [assign_names(_IN_BRANCH, targets, "whole")]
    for step in steps(slots):
        name = names_of[step.slots[0].name]
        type_ = step.slots[0].type
        if not isinstance(type_, Scalar):
            lines.append(f"{name} = None")
        elif not step.is_run and (unpacked := marshal.unpacked(type_, name)) != name:
            # The long way has a method for a value by itself.
            lines.append(f"{name} = {unpacked}")
    return lines


def _in_pieces(parts: Sequence[_Part], row: str, unless: list[str]) -> ShortBody:
    """A body of neighbours that are packed together, and of what is not of fixed size."""
    short = ShortBody(write=list(unless))
    pieces: list[str] = []
    for is_fixed, group in groupby(parts, key=lambda part: bool(part.letters)):
        neighbours = list(group)
        if not is_fixed:
            pieces += [part.values[0] for part in neighbours]
            continue
        name = f"{row}_PACK_{len(short.rows)}"
        letters = "".join(part.letters.replace("n", "i").replace("N", "i") for part in neighbours)
        short.rows.append(f'{name} = packer("{letters}")')
        pieces.append(call(_IN_BRANCH, name, [value for part in neighbours for value in part.values], ""))
    short.write.append(call(_IN_METHOD, "return sized_body", pieces, ""))
    return short


def _part(slot: Slot, value: str, marshal: Marshal) -> _Part | None:
    given = f'given({value}, "{slot.name}")'
    match slot.type:
        case Scalar("b"):
            return _Part("b", [value], f"not -128 <= {value} <= 127")
        case Scalar(letter) as scalar:
            return _Part(letter, [marshal.packed(scalar, value)])
        case String(nullable):
            return _Part("", [f"string16_bytes({value if nullable else given})"])
        case Array(Scalar() as element, False, int(count)) if count and _lies_packed(element):
            return _fixed_array(element, value, count)
        case ParcelableValue(ast.Parcelable() as declaration, nullable) if _is_plain(declaration):
            return _Part("", [f"marked_bytes({value if nullable else given})"])
        case ParcelableValue(nullable=True) | FileDescriptorValue(True, True):
            return _Part("n", ["0"], f"{value} is not None")
        case Array(nullable=True) | MapValue(nullable=True):
            return _Part("N", ["-1"], f"{value} is not None")
        case _:
            return None


def _fixed_array(element: Scalar, value: str, count: int) -> _Part:
    padding = -(count * element.element_size) & 3
    padded = f"{padding}x" if padding else ""
    different = f"len({value}) != {count}"
    if element.letter == "b":
        return _Part(f"i{count}s{padded}", [str(count), value], different)
    return _Part(f"i{count}{element.letter}", [str(count), f"*{value}"], different)


def _is_plain(parcelable: ast.Parcelable, around: tuple[int, ...] = ()) -> bool:
    """Whether the short way is open for every value that can be sent at all."""
    if id(parcelable) in around:
        return False
    inside = (*around, id(parcelable))
    for slot in body_slots(parcelable):
        match slot.type:
            case Scalar() | String():
                pass
            case Array(Scalar() as element, False, int(count)) if count and _lies_packed(element):
                pass
            case ParcelableValue(ast.Parcelable() as declaration) if _is_plain(declaration, inside):
                pass
            case _:
                return False
    return bool(parcelable.fields)
