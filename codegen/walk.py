"""Ways through the tree that more than one stage takes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from .ast import (
    Annotation,
    Constant,
    Declaration,
    Document,
    Enum,
    Enumerator,
    Expr,
    Field,
    Interface,
    Method,
    NameExpr,
    Parameter,
    Parcelable,
    TypeRef,
    Union,
)

Member: TypeAlias = Constant | Field | Method | Enumerator


def declarations(document: Document) -> Iterator[Declaration]:
    """All declarations of a file, outer ones before those nested in them."""
    for declaration in document.declarations:
        yield from declaration.walk()


def fields(declaration: Declaration) -> list[Field]:
    return declaration.fields if isinstance(declaration, Parcelable | Union) else []


def methods(declaration: Declaration) -> list[Method]:
    return declaration.methods if isinstance(declaration, Interface) else []


def members(declaration: Declaration) -> list[Member]:
    """What a declaration contains, other declarations left out."""
    enumerators = declaration.enumerators if isinstance(declaration, Enum) else []
    return [*declaration.constants, *fields(declaration), *methods(declaration), *enumerators]


def outer_types(declaration: Declaration) -> Iterator[TypeRef]:
    """The types a declaration uses, without the arguments of generic ones."""
    for constant in declaration.constants:
        yield constant.type
    for each in fields(declaration):
        yield each.type
    for method in methods(declaration):
        yield method.returns
        for parameter in method.parameters:
            yield parameter.type


def types(declaration: Declaration) -> Iterator[TypeRef]:
    """The types a declaration uses, arguments of generic ones after these."""
    for type_ in outer_types(declaration):
        yield from with_arguments(type_)


def with_arguments(type_: TypeRef) -> Iterator[TypeRef]:
    yield type_
    for argument in type_.args:
        yield from with_arguments(argument)


def annotated(declaration: Declaration) -> Iterator[Declaration | Member | Parameter | TypeRef]:
    """All that may carry an annotation: the declaration, its members, their types."""
    yield declaration
    for member in members(declaration):
        yield member
        if isinstance(member, Method):
            yield from member.parameters
    yield from types(declaration)


def all_annotations(declaration: Declaration) -> Iterator[Annotation]:
    for owner in annotated(declaration):
        yield from owner.annotations


def expressions(declaration: Declaration) -> Iterator[Expr]:
    """Every expression of a declaration that may refer to constants."""
    for constant in declaration.constants:
        yield constant.expr
    for each in fields(declaration):
        if each.default is not None:
            yield each.default
    for method in methods(declaration):
        if method.explicit_id is not None:
            yield method.explicit_id
    if isinstance(declaration, Enum):
        for enumerator in declaration.enumerators:
            if enumerator.expr is not None:
                yield enumerator.expr
    for type_ in types(declaration):
        for dimension in type_.dimensions:
            if dimension.size is not None:
                yield dimension.size


def references(expr: Expr) -> Iterator[NameExpr]:
    """The names an expression refers to, from the left; a long expression is no problem."""
    pending = [expr]
    while pending:
        each = pending.pop()
        if isinstance(each, NameExpr):
            yield each
        else:
            pending.extend(reversed(each.operands))
