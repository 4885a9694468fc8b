"""Parcelables and unions as wholes: recursion, fixed size, first values, stability."""

from __future__ import annotations

from collections.abc import Iterator

from .. import rules, walk
from ..ast import (
    Declaration,
    Enum,
    Field,
    Parcelable,
    TypeRef,
    Union,
    UnstructuredParcelable,
)
from .context import Check, Context
from .types import is_primitive

_STABLE_ELSEWHERE = ("JavaOnlyStableParcelable", "NdkOnlyStableParcelable", "RustOnlyStableParcelable")


# --- recursion ---


def _held(declaration: Declaration) -> Iterator[Declaration]:
    """What a value of this type always contains a value of."""
    for field in walk.fields(declaration):
        type_ = field.type
        nullable = type_.annotation("nullable")
        on_heap = nullable is not None and (nullable.values.get("heap") is True or type_.dimensions)
        fixed = all(dimension.value for dimension in type_.dimensions)
        if isinstance(type_.declaration, Parcelable | Union) and fixed and not on_heap:
            yield type_.declaration


def _check_recursion(declaration: Declaration, context: Context) -> None:
    """Reports a way from a type back to itself, at the one of its types that sorts first."""
    way = _way_back(declaration)
    if way and declaration.qualified_name == min(each.qualified_name for each in way):
        names = " -> ".join(each.name for each in way)
        message = f"{declaration.name} contains itself: {names}"
        context.report(rules.RECURSIVE_TYPE, declaration.span, message)


def _way_back(start: Declaration) -> list[Declaration]:
    """The types through which one holds itself; found without recursion, for they may be many."""
    came_from: dict[Declaration, Declaration] = {}
    pending = [start]
    while pending:
        holder = pending.pop()
        for held in _held(holder):
            if held is start:
                way = [start]
                while holder is not start:
                    way.append(holder)
                    holder = came_from[holder]
                return [start, *reversed(way)]
            if held not in came_from:
                came_from[held] = holder
                pending.append(held)
    return []


# --- size and values ---


def _is_fixed(type_: TypeRef) -> bool:
    if type_.nullable or any(dimension.size is None for dimension in type_.dimensions):
        return False
    declaration = type_.declaration
    if isinstance(declaration, Parcelable | Union):
        return declaration.annotation("FixedSize") is not None
    return is_primitive(TypeRef(type_.name, [], [], [], type_.span, declaration))


def _check_fixed_size(declaration: Declaration, context: Context) -> None:
    if declaration.annotation("FixedSize") is None:
        return
    for field in walk.fields(declaration):
        if not _is_fixed(field.type):
            message = f"{declaration.name} is @FixedSize, but {field.name} is of type {field.type}"
            context.report(rules.FIXED_SIZE, field.span, message)


def _check_union(declaration: Declaration, context: Context) -> None:
    if not isinstance(declaration, Union):
        return
    if not declaration.fields:
        context.report(rules.EMPTY_UNION, declaration.span, f"the union {declaration.name} has no fields")
    elif _lacks_default(declaration.fields[0]):
        first = declaration.fields[0]
        kind = "array" if first.type.dimensions else "enum"
        message = f"{first.name}, with which {declaration.name} starts, is an {kind} without a value"
        context.report(rules.UNION_DEFAULT, first.span, message)


def _lacks_default(field: Field) -> bool:
    needs_one = bool(field.type.dimensions) or isinstance(field.type.declaration, Enum)
    return needs_one and field.default is None and not field.type.nullable


# --- stability ---


def _is_vintf(declaration: Declaration) -> bool:
    """What is nested is as stable as what it is in."""
    around: Declaration | None = declaration
    while around is not None:
        if around.annotation("VintfStability"):
            return True
        around = around.parent
    return False


def _check_vintf(declaration: Declaration, context: Context) -> None:
    annotation = declaration.annotation("VintfStability")
    if context.requested and annotation and not context.vintf and declaration.parent is None:
        message = f"{declaration.name} is @VintfStability in a package that is not"
        hint = 'State the stability of the package as "vintf".'
        context.report(rules.VINTF, annotation.span, message, hint)
    if context.vintf and context.structured and declaration.parent is None and not annotation:
        message = f"{declaration.name} is not @VintfStability, but its package is"
        context.report(rules.VINTF, declaration.span, message, "Annotate it.")
    if not _is_vintf(declaration):
        return
    for type_ in walk.types(declaration):
        used = type_.declaration
        if used is None or _is_vintf(used) or _is_stable(used):
            continue
        message = f"{used.qualified_name} is not @VintfStability, so {declaration.name} cannot use it"
        context.report(rules.VINTF, type_.span, message, f"Annotate {used.name}.")


def _is_stable(declaration: Declaration) -> bool:
    """Whether a type without a body is promised not to change."""
    return any(declaration.annotation(name) for name in _STABLE_ELSEWHERE)


def _check_structured(declaration: Declaration, context: Context) -> None:
    if not context.structured:
        return
    if isinstance(declaration, UnstructuredParcelable) and not _is_stable(declaration):
        message = f"{declaration.name} is not defined in AIDL"
        context.report(rules.NOT_STRUCTURED, declaration.span, message)
    for type_ in walk.types(declaration):
        used = type_.declaration
        if isinstance(used, UnstructuredParcelable) and not _is_stable(used):
            message = f"{used.qualified_name} is not defined in AIDL"
            context.report(rules.NOT_STRUCTURED, type_.span, message)


CHECKS: list[Check] = [_check_recursion, _check_fixed_size, _check_union, _check_vintf, _check_structured]
