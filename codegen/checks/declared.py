"""Names and places: which file a type stands in, what it may be called, what names clash."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from .. import rules, walk
from ..ast import Declaration, Enum, Method, Union, UnstructuredParcelable
from ..diagnostics import Rule
from ..resolve import BUILT_IN
from ..source import Span
from .context import Check, Context

# Words that Google's compiler keeps out of type and package names, because they are reserved in
# Java or C++, and out of parameter names, because they are reserved in Java.
RESERVED_IN_TYPES = frozenset(
    "boolean break byte case catch char class continue default do double else float for goto if int long"
    " new private protected public return short static switch this throw try void volatile while".split()
)
RESERVED_IN_PARAMETERS = RESERVED_IN_TYPES | frozenset(
    "abstract assert extends final finally implements instanceof native null strictfp super synchronized"
    " throws transient".split()
)


class _HasName(Protocol):
    name: str
    span: Span


# --- files ---


def check_document(context: Context) -> None:
    document = context.document
    structured = [d for d in document.declarations if not isinstance(d, UnstructuredParcelable)]
    if structured and len(document.declarations) > 1:
        for extra in document.declarations[1:]:
            message = f"{extra.name} is a second type in this file, after {document.declarations[0].name}"
            context.report(rules.ONE_TYPE_PER_FILE, extra.span, message)
    _check_file_name(context)
    for part in document.package.split("."):
        if part in RESERVED_IN_TYPES or part in BUILT_IN:
            span = document.package_span or document.declarations[0].span
            context.report(rules.RESERVED_NAME, span, f"a package cannot be called {part}")


def _check_file_name(context: Context) -> None:
    document = context.document
    first = document.declarations[0]
    path = document.source.path
    folders = document.package.split(".") if document.package else []
    in_place = list(path.parent.parts[len(path.parent.parts) - len(folders) :]) == folders
    names = {d.name.partition(".")[0] for d in document.declarations}
    if not in_place or path.stem not in names or path.suffix != ".aidl":
        wanted = "/".join([*folders, first.name.partition(".")[0] + ".aidl"])
        found = "/".join(path.parts[-len(folders) - 1 :])
        context.report(rules.FILE_NAME, first.span, f"{first.name} belongs in {wanted}, not in {found}")


# --- names ---


def _check_own_name(declaration: Declaration, context: Context) -> None:
    name = declaration.name
    if name in RESERVED_IN_TYPES or name in BUILT_IN:
        kind = "a built-in type" if name in BUILT_IN else "a word of Java or C++"
        context.report(rules.RESERVED_NAME, declaration.span, f"a type cannot be called {name}, {kind}")
    if "." in name and not isinstance(declaration, UnstructuredParcelable):
        context.report(rules.QUALIFIED_NAME, declaration.span, f"{name} has a dot in its name")
    if declaration.parent is None:
        return
    if name == declaration.parent.name:
        message = f"{name} has the name of the type around it"
        context.report(rules.NESTED_NAME, declaration.span, message)
    if isinstance(declaration.parent, Union) and name == "Tag":
        message = f"{declaration.parent.path} has a Tag already, the enum of its fields"
        context.report(rules.NESTED_NAME, declaration.span, message)
    if isinstance(declaration, UnstructuredParcelable):
        message = f"{declaration.path} is nested, but not defined here"
        context.report(rules.NESTED_UNSTRUCTURED, declaration.span, message)


def _check_clashes(declaration: Declaration, context: Context) -> None:
    real = [n for n in declaration.nested if getattr(n, "tag_of", None) is None]
    _unique(real, "type", declaration, context)
    _unique(declaration.constants, "constant", declaration, context)
    _unique(walk.fields(declaration), "field", declaration, context)
    _unique(walk.methods(declaration), "method", declaration, context, rules.OVERLOADED_METHOD)
    if isinstance(declaration, Enum):
        _unique(declaration.enumerators, "enumerator", declaration, context)
    if isinstance(declaration, Union):
        _check_capitalised(declaration, context)


def _unique(
    named: Iterable[_HasName],
    kind: str,
    owner: Declaration | Method,
    context: Context,
    rule: Rule = rules.DUPLICATE_NAME,
) -> None:
    seen: dict[str, _HasName] = {}
    for each in named:
        first = seen.setdefault(each.name, each)
        if first is not each:
            message = f"{owner.name} has another {kind} called {each.name}, in line {first.span.line}"
            context.report(rule, each.span, message)


def _check_capitalised(union: Union, context: Context) -> None:
    """Accessors are named after fields with a capital, so two fields may not differ in that only."""
    seen: dict[str, str] = {}
    for field in union.fields:
        capital = field.name[:1].upper() + field.name[1:]
        first = seen.setdefault(capital, field.name)
        if first != field.name:
            message = f"the fields {first} and {field.name} of {union.name} differ only in a capital"
            context.report(rules.DUPLICATE_NAME, field.span, message)


def _check_parameter_names(declaration: Declaration, context: Context) -> None:
    for method in walk.methods(declaration):
        _unique(method.parameters, "parameter", method, context)
        for parameter in method.parameters:
            if parameter.name in RESERVED_IN_PARAMETERS or parameter.name.startswith("_aidl"):
                message = f"a parameter cannot be called {parameter.name}"
                context.report(rules.RESERVED_NAME, parameter.span, message)


CHECKS: list[Check] = [_check_own_name, _check_clashes, _check_parameter_names]
