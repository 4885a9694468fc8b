"""What types there are: where each may stand, what may be null, what arrays and lists hold."""

from __future__ import annotations

from .. import rules, walk
from ..ast import Declaration, Enum, Interface, Method, Parcelable, TypeRef, Union, UnstructuredParcelable
from ..resolve import PRIMITIVES
from .context import Check, Context

_NOT_IN_ARRAYS = frozenset({"List", "Map", "CharSequence", "ParcelableHolder", "void"})
_IN_LISTS = frozenset({"String", "IBinder", "ParcelFileDescriptor"})
_UTF8 = frozenset({"String", "List<String>"})


def is_primitive(type_: TypeRef) -> bool:
    """Whether values are plain numbers or booleans, which are never null: enums are, too."""
    return (type_.name in PRIMITIVES or isinstance(type_.declaration, Enum)) and not type_.dimensions


def _check_types(declaration: Declaration, context: Context) -> None:
    for outer in walk.outer_types(declaration):
        for type_ in walk.with_arguments(outer):
            _check_arrays(type_, context)
            _check_arguments(type_, context)
            _check_annotated_argument(type_, context)
            _check_null(type_, context)
            if type_.annotation("utf8InCpp") and type_.element not in _UTF8:
                context.report(rules.UTF8, type_.span, f"@utf8InCpp says nothing of {type_}")


def _check_annotated_argument(type_: TypeRef, context: Context) -> None:
    """Only what a map leads to may be annotated."""
    for argument in type_.args[:1]:
        if argument.annotations:
            annotation = argument.annotations[0]
            message = f"@{annotation.name} stands before a type argument"
            hint = "Annotate the whole: @nullable List<T> may hold nulls."
            context.report(rules.MISPLACED_ANNOTATION, annotation.span, message, hint)


def _check_arrays(type_: TypeRef, context: Context) -> None:
    if not type_.dimensions:
        return
    if len(type_.dimensions) > 1 and any(d.size is None for d in type_.dimensions):
        message = f"{type_} has several dimensions, but not all with a size"
        context.report(rules.ARRAY_FORM, type_.span, message)
    if type_.name in _NOT_IN_ARRAYS:
        context.report(rules.ARRAY_ELEMENT, type_.span, f"there are no arrays of {type_.name}")


def _check_null(type_: TypeRef, context: Context) -> None:
    nullable = type_.annotation("nullable")
    if nullable is None:
        return
    if is_primitive(type_) or type_.name in ("void", "ParcelableHolder"):
        message = f"{type_} cannot be null"
        hint = "Use an array, or a parcelable with the value in it." if is_primitive(type_) else ""
        context.report(rules.NOT_NULLABLE, nullable.span, message, hint)
    elif nullable.values.get("heap") is True and not _is_parcelable(type_):
        context.report(rules.HEAP, nullable.span, f"{type_} is not a parcelable")


def _is_parcelable(type_: TypeRef) -> bool:
    parcelables = Parcelable | Union | UnstructuredParcelable
    return isinstance(type_.declaration, parcelables) and not type_.dimensions


# --- generics ---


def _check_arguments(type_: TypeRef, context: Context) -> None:
    if type_.name == "List":
        _check_list(type_, context)
    elif type_.name == "Map":
        _check_map(type_, context)
    elif type_.args:
        parameters = getattr(type_.declaration, "type_parameters", [])
        if len(parameters) != len(type_.args):
            takes = f"takes {len(parameters)} type argument(s)" if parameters else "is not generic"
            message = f"{type_.name} {takes}, but has {len(type_.args)}"
            context.report(rules.GENERIC_ARITY, type_.span, message)


def _check_list(type_: TypeRef, context: Context) -> None:
    if len(type_.args) > 1:
        context.report(rules.GENERIC_ARITY, type_.span, "a List has one type argument")
    for element in type_.args[:1]:
        declared = element.declaration is not None and not isinstance(element.declaration, Enum)
        if element.dimensions or not (declared or element.name in _IN_LISTS):
            context.report(rules.LIST_ELEMENT, element.span, f"a list cannot hold {element}")


def _check_map(type_: TypeRef, context: Context) -> None:
    if len(type_.args) not in (0, 2):
        context.report(rules.GENERIC_ARITY, type_.span, "a Map has two type arguments")
        return
    for key, value in [type_.args] if type_.args else []:
        if key.name != "String" or key.dimensions:
            context.report(rules.MAP_ELEMENT, key.span, f"{key} cannot be the key of a map")
        if is_primitive(value) or value.name == "void":
            context.report(rules.MAP_ELEMENT, value.span, f"a map cannot hold {value}")


def _check_untyped(declaration: Declaration, context: Context) -> None:
    """Methods of old interfaces have untyped collections; structured types never had."""
    if isinstance(declaration, Interface) and not context.structured:
        return
    for type_ in walk.types(declaration):
        if type_.name in ("List", "Map") and not type_.args:
            message = f"it is not known what this {type_.name} holds"
            context.report(rules.UNTYPED_COLLECTION, type_.span, message)


def _check_type_parameters(declaration: Declaration, context: Context) -> None:
    parameters = getattr(declaration, "type_parameters", [])
    if len(set(parameters)) != len(parameters):
        message = f"{declaration.name} has two type parameters of one name"
        context.report(rules.GENERIC_TYPE, declaration.span, message, "Rename one of the two.")
    if parameters and declaration.nested:
        kind = "a union" if isinstance(declaration, Union) else "a type with others inside it"
        message = f"{declaration.name} is {kind}, and cannot be generic"
        context.report(rules.GENERIC_TYPE, declaration.span, message, "Leave its type parameters out.")


# --- positions ---


def _check_void(declaration: Declaration, context: Context) -> None:
    for field in walk.fields(declaration):
        if field.type.name == "void":
            context.report(rules.VOID, field.type.span, f"the field {field.name} cannot be void")
    for method in walk.methods(declaration):
        for parameter in method.parameters:
            if parameter.type.name == "void":
                message = f"the parameter {parameter.name} cannot be void"
                context.report(rules.VOID, parameter.type.span, message)


def _check_holders(declaration: Declaration, context: Context) -> None:
    if isinstance(declaration, Union):
        for field in declaration.fields:
            if field.type.name == "ParcelableHolder":
                message = f"{field.name} is a ParcelableHolder in a union"
                context.report(rules.HOLDER_POSITION, field.type.span, message)
    for method in walk.methods(declaration):
        for type_, what in _of_call(method):
            if type_.name == "ParcelableHolder":
                context.report(rules.HOLDER_POSITION, type_.span, f"a ParcelableHolder cannot be {what}")


def _of_call(method: Method) -> list[tuple[TypeRef, str]]:
    return [(method.returns, "returned"), *((p.type, "a parameter") for p in method.parameters)]


CHECKS: list[Check] = [_check_types, _check_untyped, _check_type_parameters, _check_void, _check_holders]
