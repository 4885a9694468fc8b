"""What generated value types are made of: open enums, parcelables, and runs of fixed-size fields."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from operator import itemgetter
from struct import Struct
from struct import error as StructError
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar

from .errors import UsageError, shown
from .protocol import Stability

if TYPE_CHECKING:
    from .parcel import Parcel


class OpenEnum(IntEnum):
    """An AIDL enum. A number that has no name is a value too, so that it survives a round trip.

    Compare with `==`: two equal values without a name need not be the same object.
    """

    @classmethod
    def _missing_(cls, value: object) -> Self | None:
        return _unnamed(cls, int(value)) if isinstance(value, int) else None


E = TypeVar("E", bound=OpenEnum)


# A peer may send a long array of the same few numbers; it may also send a different one each time,
# so not all are kept.
@lru_cache(maxsize=1024)
def _unnamed(cls: type[E], value: int) -> E:
    member = int.__new__(cls, value)
    member._name_ = shown(value)
    member._value_ = value
    return member


@dataclass(frozen=True, slots=True)
class ParcelableInfo:
    """What is known of a parcelable: its AIDL name, and whom it may be handed to."""

    name: str
    stability: Stability = Stability.UNDECLARED


class Parcelable(ABC):
    """A value that knows its own bytes. The marker for null is not part of them."""

    __slots__ = ()

    aidl: ClassVar[ParcelableInfo]

    @abstractmethod
    def write_to(self, parcel: Parcel) -> None:
        """Append this value's body."""

    def pack_body(self) -> bytes | None:
        """The bytes that `write_to` would append, where a shorter way leads to them; None elsewhere.

        It may raise anything where `write_to` would raise: `write_to` is asked then what is wrong.
        """
        return None

    @classmethod
    @abstractmethod
    def read_from(cls, parcel: Parcel) -> Self:
        """Read a body at the parcel's position. Raises `ParcelError`."""


class OpaqueParcelable(Parcelable):
    """Stands for a parcelable whose bytes AIDL does not define, until a class for it is named."""

    def write_to(self, parcel: Parcel) -> None:
        raise UsageError(_no_class(self.aidl.name))

    @classmethod
    def read_from(cls, parcel: Parcel) -> Self:
        raise UsageError(_no_class(cls.aidl.name))


def _no_class(name: str) -> str:
    return (
        f"{name} has no Python class; name one with `codegen generate --parcelable {name}=module:Class`, "
        "or under [parcelables] in interfaces.toml"
    )


def int8(value: int) -> int:
    """`value`, if an AIDL byte can hold it."""
    try:
        if -128 <= value <= 127:
            return value
    except TypeError:
        pass
    raise UsageError(f"{shown(value)} does not fit a byte (-128 to 127)")


# One letter per fixed-size AIDL type: how it is written, and how it is read. They differ for a
# byte, which is written sign-extended to four bytes but read from the lowest one.
_WRITE_FORMATS = {"i": "i", "q": "q", "f": "f", "d": "d", "z": "i", "b": "i", "c": "H2x"}
_READ_FORMATS = _WRITE_FORMATS | {"b": "b3x"}


# What stands for null, as a letter among those types: no parcelable, and no array.
_NULLS = {"n": 0, "N": -1}


class FixedBody:
    """A parcelable's body of fixed size: its size word, fields, and words that stand for null.

    Args:
        types: letters as of a `Run`; n where a parcelable, N where an array is null.
    """

    __slots__ = ("_constants", "_expected", "pack", "size", "unpack_from")

    def __init__(self, types: str) -> None:
        words = dict.fromkeys(_NULLS, "i")
        self.pack = Struct("<i" + "".join((_WRITE_FORMATS | words)[t] for t in types)).pack
        reader = Struct("<i" + "".join((_READ_FORMATS | words)[t] for t in types))
        self.size = reader.size
        self.unpack_from = reader.unpack_from
        nulls = [index for index, letter in enumerate(types) if letter in _NULLS]
        self._constants = itemgetter(0, 0, *(index + 1 for index in nulls))
        self._expected = (self.size, self.size, *(_NULLS[types[index]] for index in nulls))

    def has_form(self, values: tuple[Any, ...]) -> bool:
        """Whether what `unpack_from` gave is a body of this form, neither an older nor a newer peer's."""
        return bool(self._constants(values) == self._expected)


def packer(types: str) -> Callable[..., bytes]:
    """What packs neighbouring fixed-size values: letters as of a `Run`, counts and padding as of `struct`."""
    return Struct("<" + "".join(_WRITE_FORMATS.get(t, t) for t in types)).pack


class Run:
    """Neighbouring fields of fixed size, packed and unpacked in one go.

    Args:
        types: a letter per field: i int, q long, f float, d double, z boolean, b byte, c char.
        names: the fields, separated by spaces, for messages.
        defaults: what a field is when an older peer did not send it, as written on the wire.
    """

    __slots__ = ("_fields", "defaults", "names", "pack", "reader", "size", "unpack_from", "writer")

    def __init__(self, types: str, names: str, defaults: tuple[int | float, ...]) -> None:
        self.names = names.split()
        self.defaults = defaults
        self.writer = Struct("<" + "".join(_WRITE_FORMATS[t] for t in types))
        self.reader = Struct("<" + "".join(_READ_FORMATS[t] for t in types))
        self.pack = self.writer.pack
        self.unpack_from = self.reader.unpack_from
        self.size = self.reader.size
        self._fields = [(Struct("<" + _WRITE_FORMATS[t]), Struct("<" + _READ_FORMATS[t])) for t in types]

    @property
    def readers(self) -> list[Struct]:
        """One reader per field, for a peer that sent only the first few."""
        return [reader for _, reader in self._fields]

    def explain(self, values: tuple[int | float, ...]) -> UsageError:
        """The error for values that could not be packed, naming the first that is to blame."""
        for name, value, (writer, _) in zip(self.names, values, self._fields, strict=False):
            try:
                writer.pack(value)
            except (StructError, OverflowError) as error:
                return UsageError(f"{name}: cannot send {shown(value)}: {error}")
        return UsageError(f"{len(values)} values for the {len(self.names)} fields {', '.join(self.names)}")
