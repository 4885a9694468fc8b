"""Two versions of an API side by side: what each thing of the old one has become."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from .api_text import type_text
from .ast import (
    Constant,
    Declaration,
    Enum,
    Enumerator,
    Field,
    Interface,
    Method,
    Parameter,
    Parcelable,
    Union,
)

Kind = TypeVar("Kind", Interface, Parcelable, Enum)
Member = TypeVar("Member", Constant, Enumerator, Method)
Typed: TypeAlias = Constant | Field | Parameter | Method


@dataclass(frozen=True, slots=True)
class Versions:
    """Two versions of an API: all their types by qualified name, nested ones too."""

    old: Mapping[str, Declaration]
    new: Mapping[str, Declaration]

    def both(self) -> Iterator[tuple[Declaration, Declaration]]:
        """The types that both have."""
        return ((old, self.new[name]) for name, old in self.old.items() if name in self.new)

    def of(self, kind: type[Kind]) -> Iterator[tuple[Kind, Kind]]:
        """The types of one kind that both have."""
        return ((old, new) for old, new in self.both() if isinstance(old, kind) and isinstance(new, kind))

    def structures(self) -> Iterator[tuple[Parcelable | Union, Parcelable | Union]]:
        """The parcelables and unions that both have."""
        for old, new in self.both():
            if (isinstance(old, Parcelable) and isinstance(new, Parcelable)) or (
                isinstance(old, Union) and isinstance(new, Union)
            ):
                yield old, new


def by_name(old: list[Member], new: list[Member]) -> Iterator[tuple[Member, Member | None]]:
    """All that the old version has, with what the new one has of the same name."""
    found = {each.name: each for each in new}
    return ((each, found.get(each.name)) for each in old)


def types(method: Method) -> list[str]:
    return [type_text(parameter.type) for parameter in method.parameters]


def methods(versions: Versions) -> Iterator[tuple[Method, Method, str]]:
    """The methods that both have with the same parameters, and their names."""
    for old, new in versions.of(Interface):
        for method, same in by_name(old.methods, new.methods):
            if same is not None and types(method) == types(same):
                yield method, same, f"{new.qualified_name}.{same.name}"


def fields(versions: Versions) -> Iterator[tuple[Field, Field, str]]:
    """The fields at the same place in both, unless the old one is elsewhere now, and their names."""
    for old, new in versions.structures():
        present = {field.name for field in new.fields}
        for field, same in zip(old.fields, new.fields, strict=False):
            if field.name == same.name or field.name not in present:
                yield field, same, f"{new.qualified_name}.{same.name}"


def typed_parts(versions: Versions) -> Iterator[tuple[Typed, Typed, str]]:
    """All that has a type in both versions, and what to call it."""
    for old, new in versions.both():
        for constant, same in by_name(old.constants, new.constants):
            if same is not None:
                yield constant, same, f"{new.qualified_name}.{same.name}"
    for method, new_method, name in methods(versions):
        yield method, new_method, f"what {name} returns"
        for parameter, new_parameter in zip(method.parameters, new_method.parameters, strict=True):
            yield parameter, new_parameter, f"{new_parameter.name} of {name}"
    for field, new_field, name in fields(versions):
        yield field, new_field, name
