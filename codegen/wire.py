"""Layouts for people: transaction codes, and what is where in a request, a reply or a body.

Everything is for API level 37, whose stability word makes a binder 28 bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from . import ast
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
    reply_slots,
    request_slots,
)

_BINDER_SIZE = 28
_FD_SIZE = 24
_TOKEN_WORDS = 3  # strict mode, work source, header

_SCALAR_NAMES = {
    "z": "boolean",
    "b": "byte, sign-extended",
    "c": "char, zero-extended",
    "i": "int",
    "q": "long",
    "f": "float",
    "d": "double",
}


@dataclass(frozen=True, slots=True)
class Row:
    """One value. `offset` and `size` are in bytes; None where they depend on what comes before, or on it."""

    offset: int | None
    size: int | None
    name: str
    type: str


@dataclass(frozen=True, slots=True)
class Table:
    """A title and rows. `facts` are for programs: a method's code, an enum's backing, ..."""

    title: str
    kind: str
    rows: list[Row]
    facts: dict[str, str | int | bool] = field(default_factory=dict)


def describe(document: ast.Document) -> Iterator[Table]:
    """What is to be said about everything that a file declares. Raises `Unsupported`."""
    for outer in document.declarations:
        for declaration in outer.walk():
            yield from _describe(declaration)


def _describe(declaration: ast.Declaration) -> Iterator[Table]:
    name = declaration.qualified_name
    match declaration:
        case ast.Parcelable():
            slots = body_slots(declaration)
            body = [Row(None, 4, "(size)", "int, of the body, itself included"), *_values(slots)]
            rows = _placed([Row(None, 4, "(marker)", "int, 1; 0 alone for null"), *body])
            yield Table(f"parcelable {name}", "parcelable", rows, {"name": name})
        case ast.Enum():
            scalar = Scalar({"byte": "b", "int": "i", "long": "q"}[declaration.backing], declaration)
            values = [Row(None, None, item.name, str(item.value)) for item in declaration.enumerators]
            title = f"enum {name}: {_enum_size(scalar)}"
            yield Table(title, "enum", values, {"name": name, "backing": declaration.backing})
        case ast.Interface():
            for method in declaration.methods:
                yield from _describe_method(declaration, method)
        case ast.UnstructuredParcelable():
            yield Table(
                f"parcelable {name}: its bytes are not defined by AIDL", "parcelable", [], {"name": name}
            )
        case ast.Union():
            head = [Row(0, 4, "(marker)", "int, 1; 0 alone for null"), Row(4, 4, "(tag)", "int")]
            members = [
                Row(8, row.size, f"{row.name} (tag {tag})", row.type)
                for tag, row in enumerate(_values(body_slots(declaration)))
            ]
            yield Table(f"union {name}: one of its members", "union", head + members, {"name": name})


def _enum_size(scalar: Scalar) -> str:
    backing = scalar.enum.backing if scalar.enum else ""
    return f"{backing} enum, {scalar.size} bytes, {scalar.element_size} as an element of an array"


def _describe_method(interface: ast.Interface, method: ast.Method) -> Iterator[Table]:
    token = 4 * _TOKEN_WORDS + 4 + _padded(2 * len(interface.descriptor) + 2)
    code = method.id + 1
    facts: dict[str, str | int | bool] = {
        "interface": interface.descriptor,
        "method": method.name,
        "id": method.id,
        "code": code,
        "oneway": method.oneway,
    }
    kind = "oneway request" if method.oneway else "request"
    title = f"{interface.descriptor}.{method.name}: id {method.id}, code {code}"
    rows = [Row(None, token, "(token)", f'interface token "{interface.descriptor}"')]
    yield Table(f"{title}, {kind}", "request", _placed([*rows, *_values(request_slots(method))]), facts)
    if not method.oneway:
        rows = [Row(None, 4, "(exception)", "int, 0 for none"), *_values(reply_slots(method))]
        yield Table(f"{title}, reply", "reply", _placed(rows), facts)


def _values(slots: Iterable[Slot]) -> list[Row]:
    return [Row(None, fixed_size(slot.type), slot.name, _slot_text(slot)) for slot in slots]


def _slot_text(slot: Slot) -> str:
    if slot.length_of_array:
        return "int, how long the array in the reply is to be"
    return type_text(slot.type)


def _placed(rows: Iterable[Row]) -> list[Row]:
    """The rows with their offsets, for as long as those are fixed."""
    placed = []
    offset: int | None = 0
    for row in rows:
        placed.append(Row(offset, row.size, row.name, row.type))
        offset = None if offset is None or row.size is None else offset + row.size
    return placed


def fixed_size(type_: WireType) -> int | None:
    """How many bytes a value takes, markers and counts included; None if that depends on it."""
    match type_:
        case Scalar():
            return type_.size
        case BinderValue():
            return _BINDER_SIZE
        case FileDescriptorValue(parcel, nullable):
            if parcel:
                return None if nullable else 8 + _FD_SIZE
            return _FD_SIZE
        case ParcelableValue(ast.Parcelable() as declaration, False):
            sizes = [fixed_size(slot.type) for slot in body_slots(declaration)]
            known = [size for size in sizes if size is not None]
            return 8 + sum(known) if len(known) == len(sizes) else None
        case Array(Scalar() as element, False, int(count)):
            return 4 + _padded(count * element.element_size)
        case Array(element, False, int(count)):
            size = fixed_size(element)
            return None if size is None else 4 + count * size
        case _:
            return None


def type_text(type_: WireType) -> str:
    """A value's type in a few words."""
    text = _type_text(type_)
    return text if isinstance(type_, Scalar) or not type_.nullable else f"nullable {text}"


def _type_text(type_: WireType) -> str:
    match type_:
        case Scalar(_, enum):
            return f"{enum.path}, {enum.backing} enum" if enum else _SCALAR_NAMES[type_.letter]
        case String():
            return "String"
        case Array(element, _, count):
            what = (
                f"{element.enum.path} ({element.enum.backing} enum)"
                if (isinstance(element, Scalar) and element.enum)
                else type_text(element).split(",")[0]
            )
            return f"{what}[{'' if count is None else count}]"
        case ParcelableValue(declaration):
            return declaration.path
        case BinderValue(declaration):
            return declaration.path if declaration else "IBinder"
        case FileDescriptorValue(parcel):
            return "ParcelFileDescriptor" if parcel else "FileDescriptor"
        case MapValue(value):
            return f"Map<String, {type_text(value)}>"
        case HolderValue(vintf):
            return f"ParcelableHolder of {'VINTF' if vintf else 'local'} stability"


def _padded(size: int) -> int:
    return size + (-size & 3)


def as_text(table: Table) -> str:
    """A table for a terminal."""
    lines = [table.title]
    if table.kind == "enum":
        width = max((len(row.name) for row in table.rows), default=0)
        lines += [f"  {row.name:{width}} = {row.type}" for row in table.rows]
        return "\n".join(lines)
    if not table.rows:
        return table.title
    cells = [("offset", "size", "value", "type")]
    for row in table.rows:
        offset = "?" if row.offset is None else str(row.offset)
        size = "varies" if row.size is None else str(row.size)
        cells.append((offset, size, row.name, row.type))
    width = max(len(cell[2]) for cell in cells)
    lines += [f"  {a:>6}  {b:>6}  {c:{width}}  {d}" for a, b, c, d in cells]
    return "\n".join(lines)


def as_data(table: Table) -> dict[str, object]:
    """A table for `--json`."""
    rows = [{"offset": r.offset, "size": r.size, "name": r.name, "type": r.type} for r in table.rows]
    if table.kind == "enum":
        rows = [{"name": row.name, "value": int(row.type)} for row in table.rows]
    return {"title": table.title, "kind": table.kind, **table.facts, "rows": rows}
