"""What goes on the wire, computed once from the syntax tree.

A `WireType` says how one value is laid out, a `Slot` gives it a name, and a list of slots is a
request, a reply or a parcelable's body. Generated code and `codegen wire` both read these.

`TYPE_TABLE` is the only place that knows AIDL's built-in types. A type without a row, or a
construct that cannot be generated, is refused through `Unsupported`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import TypeAlias

from . import ast
from .diagnostics import Rule, Severity
from .source import Span

# How many bytes a value of each kind takes, by itself and as an array's element. `None` means
# that it depends on the value.
_SIZES = {"z": (4, 4), "b": (4, 1), "c": (4, 4), "i": (4, 4), "q": (8, 8), "f": (4, 4), "d": (8, 8)}


UNSUPPORTED = Rule("unsupported", Severity.ERROR, "Leave it out, or wait for a version that knows it.")


class Unsupported(Exception):
    """The generator cannot do this. `span` says where the construct is."""

    def __init__(self, message: str, span: Span) -> None:
        super().__init__(message)
        self.span = span


@dataclass(frozen=True, slots=True)
class Scalar:
    """A value of fixed size. `letter` is z boolean, b byte, c char, i int, q long, f float, d double."""

    letter: str
    enum: ast.Enum | None = None

    @property
    def size(self) -> int:
        return _SIZES[self.letter][0]

    @property
    def element_size(self) -> int:
        return _SIZES[self.letter][1]


@dataclass(frozen=True, slots=True)
class String:
    nullable: bool


@dataclass(frozen=True, slots=True)
class Array:
    """A count and elements. `count` is set for a fixed size. A List is laid out like an array."""

    element: WireType
    nullable: bool
    count: int | None = None


@dataclass(frozen=True, slots=True)
class ParcelableValue:
    """A marker and, if it is 1, a body."""

    declaration: ast.Parcelable | ast.Union | ast.UnstructuredParcelable
    nullable: bool


@dataclass(frozen=True, slots=True)
class BinderValue:
    """A flat object and a stability word. `declaration` is None for a plain IBinder."""

    declaration: ast.Interface | None
    nullable: bool


@dataclass(frozen=True, slots=True)
class FileDescriptorValue:
    """A flat object; with `parcel` (ParcelFileDescriptor), two words before it."""

    parcel: bool
    nullable: bool


@dataclass(frozen=True, slots=True)
class MapValue:
    """A count, and that many strings, each with a value."""

    value: WireType
    nullable: bool


@dataclass(frozen=True, slots=True)
class HolderValue:
    """A ParcelableHolder: a marker, a stability, a size and, unless that is 0, a name and a body."""

    vintf: bool
    nullable: bool = False


WireType: TypeAlias = (
    Scalar | String | Array | ParcelableValue | BinderValue | FileDescriptorValue | MapValue | HolderValue
)

TYPE_TABLE: dict[str, WireType] = {
    "boolean": Scalar("z"),
    "byte": Scalar("b"),
    "char": Scalar("c"),
    "int": Scalar("i"),
    "long": Scalar("q"),
    "float": Scalar("f"),
    "double": Scalar("d"),
    "String": String(False),
    "IBinder": BinderValue(None, False),
    "FileDescriptor": FileDescriptorValue(parcel=False, nullable=False),
    "ParcelFileDescriptor": FileDescriptorValue(parcel=True, nullable=False),
}

# Built-in types with no row above, and why.
REFUSED_TYPES = {
    "CharSequence": "CharSequence exists only in Java, and its bytes are Java's own",
}

_BACKING_LETTERS = {"byte": "b", "int": "i", "long": "q"}


@dataclass(frozen=True, slots=True)
class Slot:
    """One named value of a request, a reply or a body.

    `field` is set in a body. `length_of_array` marks an int that only says how long an `out` array
    is to be; it is -1 for null.
    """

    name: str
    type: WireType
    field: ast.Field | None = None
    length_of_array: bool = False


def wire_type(ref: ast.TypeRef) -> WireType:
    """The layout of a use of a type. Raises `Unsupported`."""
    return _wire_type(ref, nullable=ref.nullable)


def _wire_type(ref: ast.TypeRef, *, nullable: bool) -> WireType:
    element = _element_type(ref, nullable=nullable)
    for dimension in reversed(ref.dimensions):
        outermost = dimension is ref.dimensions[0]
        element = Array(element, nullable and outermost, dimension.value)
    return element


def _element_type(ref: ast.TypeRef, *, nullable: bool) -> WireType:
    declaration = ref.declaration
    if declaration is None:
        return _builtin_type(ref, nullable=nullable)
    if isinstance(declaration, ast.Enum):
        return Scalar(_BACKING_LETTERS[declaration.backing], declaration)
    if isinstance(declaration, ast.Interface):
        return BinderValue(declaration, nullable)
    return ParcelableValue(declaration, nullable)


def _builtin_type(ref: ast.TypeRef, *, nullable: bool) -> WireType:
    if ref.name == "List":
        if not ref.args:
            raise Unsupported("a List without an element type has no fixed layout", ref.span)
        return Array(_element_type(ref.args[0], nullable=nullable), nullable)
    if ref.name == "Map":
        return _map_type(ref, nullable=nullable)
    if ref.name == "ParcelableHolder":
        raise Unsupported("a ParcelableHolder can only be a field", ref.span)
    found = TYPE_TABLE.get(ref.name)
    if found is None:
        reason = REFUSED_TYPES.get(ref.name, f"{ref.name} is not a type that can be generated")
        raise Unsupported(f"{reason}, so it cannot be generated", ref.span)
    if isinstance(found, String):
        return String(nullable)
    if isinstance(found, BinderValue):
        return BinderValue(None, nullable)
    if isinstance(found, FileDescriptorValue):
        return FileDescriptorValue(found.parcel, nullable)
    return found


def _map_type(ref: ast.TypeRef, *, nullable: bool) -> MapValue:
    if len(ref.args) != 2 or ref.args[0].name != "String":
        raise Unsupported("a Map other than Map<String, ...> holds Java's own values", ref.span)
    value = ref.args[1]
    return MapValue(_wire_type(value, nullable=nullable or value.nullable), nullable)


def body_slots(parcelable: ast.Parcelable | ast.Union) -> list[Slot]:
    """The fields of a structured parcelable, or the members of a union. Raises `Unsupported`."""
    return [Slot(field.name, _field_type(parcelable, field.type), field) for field in parcelable.fields]


def _field_type(parcelable: ast.Parcelable | ast.Union, ref: ast.TypeRef) -> WireType:
    if ref.declaration is None and ref.name == "ParcelableHolder" and not ref.dimensions:
        return HolderValue(is_vintf(parcelable))
    return wire_type(ref)


def is_vintf(declaration: ast.Declaration) -> bool:
    """Whether a declaration, or one that it is nested in, is marked @VintfStability."""
    outer: ast.Declaration | None = declaration
    while outer is not None:
        if outer.annotation("VintfStability"):
            return True
        outer = outer.parent
    return False


def request_slots(method: ast.Method) -> list[Slot]:
    """What follows the interface token. Raises `Unsupported`."""
    slots = []
    for parameter in method.parameters:
        type_ = wire_type(parameter.type)
        if parameter.direction != "out":
            slots.append(Slot(parameter.name, type_))
        elif isinstance(type_, Array) and type_.count is None and parameter.type.name != "List":
            # An array that can be of any length is made by the other side, which has to be told.
            slots.append(Slot(f"{parameter.name}_length", Scalar("i"), length_of_array=True))
    return slots


def reply_slots(method: ast.Method) -> list[Slot]:
    """What follows the exception header of a reply. Raises `Unsupported`."""
    slots = [] if method.returns.name == "void" else [Slot("result", wire_type(method.returns))]
    slots += [
        Slot(parameter.name, wire_type(parameter.type))
        for parameter in method.parameters
        if parameter.direction in ("out", "inout")
    ]
    return slots


def has_out_parameters(method: ast.Method) -> bool:
    """Whether a reply carries more than the method's own result."""
    return any(parameter.direction in ("out", "inout") for parameter in method.parameters)


@dataclass(frozen=True, slots=True)
class Step:
    """Neighbouring slots that are packed together, or one slot by itself."""

    slots: tuple[Slot, ...]

    @property
    def is_run(self) -> bool:
        return len(self.slots) > 1


def steps(slots: Iterable[Slot]) -> Iterator[Step]:
    """Slots in order, those of fixed size that are neighbours taken together."""
    for fixed, group in groupby(slots, key=lambda slot: isinstance(slot.type, Scalar)):
        if fixed:
            yield Step(tuple(group))
        else:
            yield from (Step((slot,)) for slot in group)
