"""Random values of generated types, made from nothing but the types themselves.

How wide a number may be is not in its annotation, so it is found by trying: a field takes what its
class can write.
"""

from __future__ import annotations

import importlib
import os
import pkgutil
import types
import typing
from collections.abc import Callable
from dataclasses import MISSING, Field, fields
from enum import Enum
from functools import cache
from inspect import isabstract
from typing import Any, get_args, get_origin, get_type_hints

from hypothesis import strategies as st

import generated
from binder import (
    Binder,
    IBinder,
    OpenEnum,
    Parcel,
    Parcelable,
    ParcelFileDescriptor,
    PersistableBundle,
    Stub,
    UsageError,
)

# The widest first: what a field can hold decides.
_RANGES = [(-(2**63), 2**63 - 1), (-(2**31), 2**31 - 1), (-128, 127)]
_FILE = ParcelFileDescriptor(os.open(os.devnull, os.O_RDONLY))
_BINDER = Binder()


def _as_units(text: str) -> str:
    """The same text with no two halves of a pair side by side, which would arrive as one character."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


TEXT = st.text(st.characters(exclude_categories=()), max_size=20).map(_as_units)


def public_classes() -> list[type]:
    """Every class that a generated module lists as its own."""
    found = {}
    for info in pkgutil.walk_packages(generated.__path__, "generated."):
        module = importlib.import_module(info.name)
        for name in getattr(module, "__all__", ()):
            thing = getattr(module, name)
            if isinstance(thing, type) and thing.__module__ == info.name:
                found[f"{info.name}.{name}"] = thing
    return [found[name] for name in sorted(found)]


PARCELABLES: list[type[Parcelable]] = [cls for cls in public_classes() if issubclass(cls, Parcelable)]
UNIONS: list[type[Parcelable]] = [cls for cls in PARCELABLES if hasattr(cls, "Tag")]
STRUCTURED: list[type[Parcelable]] = [cls for cls in PARCELABLES if cls not in UNIONS]
ENUMS: list[type[OpenEnum]] = [cls for cls in public_classes() if issubclass(cls, OpenEnum)]
STUBS: list[type[Stub]] = [cls for cls in public_classes() if issubclass(cls, Stub)]


def bundles() -> st.SearchStrategy[PersistableBundle]:
    ints = st.integers(-(2**63), 2**63 - 1)
    floats = st.floats(allow_nan=False)
    plain: st.SearchStrategy[Any] = (
        st.none() | st.booleans() | ints | floats | TEXT | st.binary(max_size=9) | st.lists(ints, max_size=3)
    )
    plain |= st.lists(TEXT, max_size=3) | st.lists(st.booleans(), max_size=3) | st.lists(floats, max_size=3)
    nested = st.recursive(plain, lambda inner: st.dictionaries(TEXT, inner, max_size=3), max_leaves=5)
    return st.dictionaries(TEXT, nested, max_size=4).map(PersistableBundle.of)


def can_write(cls: type[Parcelable], field: str, value: object) -> bool:
    example = minimal(cls)
    setattr(example, field, value)
    try:
        Parcel().write_parcelable(example)
    except UsageError:
        return False
    return True


@cache
def _range_of(cls: type[Parcelable], field: str, wrap: Callable[[int], object]) -> tuple[int, int]:
    return next(
        (low, high) for low, high in _RANGES if all(can_write(cls, field, wrap(n)) for n in (low, high))
    )


def minimal(cls: type[Parcelable]) -> Any:
    """An object with defaults wherever there are some, and a descriptor where there cannot be."""
    return cls(**dict.fromkeys(required(cls), _FILE))


def required(cls: type[Parcelable]) -> list[str]:
    """The fields that have no default."""
    return [f.name for f in _fields(cls) if f.default is MISSING and f.default_factory is MISSING]


def _fields(cls: type[Parcelable]) -> tuple[Field[Any], ...]:
    return fields(cls)  # type: ignore[arg-type]


def values(cls: type[Parcelable]) -> st.SearchStrategy[Any]:
    """Objects of a generated parcelable."""
    if cls in UNIONS:
        return st.one_of(_members(cls))
    hints = get_type_hints(cls)
    return st.builds(cls, **{f.name: _values_of(cls, f.name, hints[f.name]) for f in _fields(cls)})


def _members(union: Any) -> list[st.SearchStrategy[Any]]:
    """For each member of a union, unions that hold it."""
    makers = [getattr(union, tag.name) for tag in union.Tag]
    return [_values_of(union, "value", get_type_hints(make)["value"]).map(make) for make in makers]


def _values_of(cls: type[Parcelable], field: str, hint: Any) -> st.SearchStrategy[Any]:
    origin = get_origin(hint)
    if origin in (types.UnionType, typing.Union):
        (inner,) = (arg for arg in get_args(hint) if arg is not type(None))
        return st.none() | _values_of(cls, field, inner)
    if origin is list:
        return st.lists(_values_of(cls, field, get_args(hint)[0]), max_size=4)
    if issubclass(hint, Enum):
        return _integers(_range_of(cls, field, hint)).map(hint)
    if hint is int:
        return _integers(_range_of(cls, field, int))
    if hint is bytes:
        fixed = len(getattr(minimal(cls), field) or b"")
        return st.binary(min_size=fixed, max_size=fixed or 20)
    if issubclass(hint, Parcelable) and hint is not PersistableBundle:
        return values(hint)
    simple: dict[type, st.SearchStrategy[Any]] = {
        bool: st.booleans(),
        str: TEXT,
        float: st.floats(width=32, allow_nan=False),
        IBinder: st.just(_BINDER),
        ParcelFileDescriptor: st.just(_FILE),
        PersistableBundle: bundles(),
    }
    return simple[hint]


def _integers(limits: tuple[int, int]) -> st.SearchStrategy[int]:
    return st.integers(-2, 20) | st.integers(*limits)


def implementation(stub: type[Stub]) -> Stub:
    """A stub whose methods do nothing."""
    methods = {name: lambda self, *args: None for name in getattr(stub, "__abstractmethods__", ())}
    made = type(f"Quiet{stub.__name__}", (stub,), methods)
    assert not isabstract(made)
    instance: Stub = made()
    return instance


class Anything:
    """A receiver that knows every object: whatever arrives means the same binder or file."""

    def __init__(self) -> None:
        self.binder = Binder()

    def resolve_binder(self, flat: object, stability: object) -> Binder:
        return self.binder

    def resolve_fd(self, fd: int) -> ParcelFileDescriptor:
        return ParcelFileDescriptor(_FILE.fileno(), owned=False)
