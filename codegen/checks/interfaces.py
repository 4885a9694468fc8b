"""Methods: their ids, the directions of their parameters, one-way calls, reserved signatures."""

from __future__ import annotations

from .. import rules, walk
from ..ast import Declaration, Enum, Interface, Literal, Method, Parameter, TypeRef
from ..resolve import PRIMITIVES
from .context import Check, Context

MAX_ID = 16777114
"""The ids above are what the version, the hash and other questions of the runtime use."""

# Methods that generated code has itself, by the types of their parameters.
_RESERVED: dict[str, list[str]] = {
    "getInterfaceVersion": [],
    "getInterfaceHash": [],
    "asBinder": [],
    "getTransactionName": ["int"],
}

_ONLY_IN = frozenset({"String", "CharSequence", "IBinder", "FileDescriptor", *PRIMITIVES})


# --- ids ---


def _plain_id(method: Method) -> int | None:
    """The explicit id of a method, if it is written as it must be."""
    expr = method.explicit_id
    if (
        isinstance(expr, Literal)
        and expr.text.isdecimal()
        and len(expr.text) == expr.span.end - expr.span.start
    ):
        # More digits than these are of a number that is too large anyhow, and int() refuses thousands.
        return int(expr.text.lstrip("0")[:20] or "0")
    return None


def assign_ids(declaration: Declaration) -> None:
    """Numbers the methods: as they say themselves, or else in the order they stand in."""
    for index, method in enumerate(walk.methods(declaration)):
        explicit = _plain_id(method)
        method.id = index if explicit is None else explicit


def _check_ids(declaration: Declaration, context: Context) -> None:
    methods = walk.methods(declaration)
    explicit = [method for method in methods if method.explicit_id is not None]
    if explicit and len(explicit) != len(methods):
        without = next(method for method in methods if method.explicit_id is None)
        message = f"{without.name} has no id, but {explicit[0].name} has one"
        context.report(rules.MIXED_IDS, without.span, message)
    owners: dict[int, Method] = {}
    for method in explicit:
        number = _plain_id(method)
        span = method.explicit_id.span if method.explicit_id else method.span
        if number is None:
            context.report(rules.METHOD_ID, span, f"the id of {method.name} is not a plain number")
        elif number > MAX_ID:
            context.report(rules.METHOD_ID, span, f"{number} is too large for an id, or reserved")
        elif (first := owners.setdefault(number, method)) is not method:
            context.report(rules.METHOD_ID, span, f"{first.name} has the id {number} already")


# --- parameters ---


def _allowed_directions(type_: TypeRef) -> tuple[str, ...]:
    if type_.dimensions:
        return ("in", "out", "inout")
    if type_.name in _ONLY_IN or isinstance(type_.declaration, Enum | Interface):
        return ("in",)
    return ("in", "inout") if type_.name == "ParcelFileDescriptor" else ("in", "out", "inout")


def _check_directions(declaration: Declaration, context: Context) -> None:
    for method in walk.methods(declaration):
        for parameter in method.parameters:
            if parameter.type.name not in ("void", "ParcelableHolder"):  # refused anyway
                _check_direction(parameter, context)


def _check_direction(parameter: Parameter, context: Context) -> None:
    allowed = _allowed_directions(parameter.type)
    listed = allowed[0] if len(allowed) == 1 else f"{', '.join(allowed[:-1])} or {allowed[-1]}"
    if not parameter.direction and len(allowed) > 1:
        message = f"{parameter.name} needs a direction: {listed}"
        hint = f"Write `{allowed[0]} {parameter.type} {parameter.name}`, if the callee only reads it."
        context.report(rules.DIRECTION, parameter.type.span, message, hint)
    elif parameter.direction and parameter.direction not in allowed:
        message = f"{parameter.name} cannot be {parameter.direction}: {parameter.type} can only be {listed}"
        context.report(rules.DIRECTION, parameter.span, message, "Return it, or put it in a parcelable.")


def _check_oneway(declaration: Declaration, context: Context) -> None:
    for method in walk.methods(declaration):
        if not method.oneway:
            continue
        if method.returns.name != "void":
            message = f"the one-way method {method.name} returns {method.returns}"
            context.report(rules.ONEWAY_RESULT, method.returns.span, message)
        for parameter in method.parameters:
            if parameter.direction in ("out", "inout"):
                message = f"{parameter.name} is {parameter.direction} in the one-way method {method.name}"
                context.report(rules.ONEWAY_RESULT, parameter.span, message)


def _check_reserved(declaration: Declaration, context: Context) -> None:
    for method in walk.methods(declaration):
        types = [str(parameter.type) for parameter in method.parameters]
        if _RESERVED.get(method.name) == types:
            message = f"{method.name}({', '.join(types)}) is what every interface has"
            context.report(rules.RESERVED_NAME, method.span, message)


CHECKS: list[Check] = [_check_ids, _check_directions, _check_oneway, _check_reserved]
