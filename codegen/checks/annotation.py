"""Annotations as a table: what each may stand on, and what arguments it takes."""

from __future__ import annotations

from dataclasses import dataclass, field
from difflib import get_close_matches

from .. import rules, walk
from ..ast import (
    Annotation,
    ArrayExpr,
    Constant,
    ConstValue,
    Declaration,
    Enum,
    Enumerator,
    Expr,
    Field,
    Interface,
    Literal,
    Method,
    Parameter,
    Parcelable,
    TypeRef,
    Union,
)
from ..diagnostics import Severity
from .context import Check, Context, suppressed_by

_INTERFACE, _ENUM, _PARCELABLE, _UNION = "an interface", "an enum", "a parcelable", "a union"
_UNSTRUCTURED = "a parcelable without a body"
_FIELD, _METHOD, _CONSTANT, _PARAMETER, _TYPE = "a field", "a method", "a constant", "a parameter", "a type"
_MEMBERS = frozenset({_CONSTANT, _FIELD, _METHOD})
_STRUCTURED = frozenset({_PARCELABLE, _UNION})
_DECLARATIONS = _STRUCTURED | {_INTERFACE, _ENUM, _UNSTRUCTURED}
_ANYWHERE = _DECLARATIONS | _MEMBERS | {_PARAMETER}

_RUST_TRAITS = ("Copy", "Clone", "PartialOrd", "Ord", "PartialEq", "Eq", "Hash")


@dataclass(frozen=True, slots=True)
class _Row:
    """`arguments` maps names to types; the first `required` of them must be given."""

    targets: frozenset[str]
    arguments: dict[str, str] = field(default_factory=dict)
    required: int = 0
    repeatable: bool = False


_ANNOTATIONS: dict[str, _Row] = {
    "nullable": _Row(frozenset({_TYPE}), {"heap": "boolean"}),
    "utf8InCpp": _Row(frozenset({_TYPE})),
    "Backing": _Row(frozenset({_ENUM}), {"type": "String"}, 1),
    "Descriptor": _Row(frozenset({_INTERFACE}), {"value": "String"}, 1),
    "FixedSize": _Row(_STRUCTURED),
    "VintfStability": _Row(_DECLARATIONS),
    "SensitiveData": _Row(frozenset({_INTERFACE})),
    "SuppressWarnings": _Row(_DECLARATIONS | _MEMBERS, {"value": "String[]"}, 1),
    "EnforcePermission": _Row(
        frozenset({_INTERFACE, _METHOD}), {"value": "String", "anyOf": "String[]", "allOf": "String[]"}
    ),
    "PermissionManuallyEnforced": _Row(frozenset({_INTERFACE, _METHOD})),
    "RequiresNoPermission": _Row(frozenset({_INTERFACE, _METHOD})),
    "PropagateAllowBlocking": _Row(frozenset({_METHOD})),
    "UnsupportedAppUsage": _Row(
        _DECLARATIONS | _MEMBERS,
        {
            "expectedSignature": "String",
            "implicitMember": "String",
            "maxTargetSdk": "int",
            "publicAlternatives": "String",
            "trackingBug": "long",
        },
    ),
    "JavaOnlyStableParcelable": _Row(frozenset({_UNSTRUCTURED})),
    "NdkOnlyStableParcelable": _Row(frozenset({_UNSTRUCTURED})),
    "RustOnlyStableParcelable": _Row(frozenset({_UNSTRUCTURED})),
    "JavaPassthrough": _Row(_ANYWHERE | {_TYPE}, {"annotation": "String"}, 1, repeatable=True),
    "JavaDerive": _Row(_STRUCTURED | {_ENUM}, {"toString": "boolean", "equals": "boolean"}),
    "JavaDefault": _Row(frozenset({_INTERFACE})),
    "JavaDelegator": _Row(frozenset({_INTERFACE})),
    "JavaOnlyImmutable": _Row(_STRUCTURED | {_UNSTRUCTURED}),
    "JavaSuppressLint": _Row(_ANYWHERE, {"value": "String[]"}, 1),
    "RustDerive": _Row(_STRUCTURED, dict.fromkeys(_RUST_TRAITS, "boolean")),
}

_PERMISSIONS = frozenset({"EnforcePermission", "PermissionManuallyEnforced", "RequiresNoPermission"})

_TARGETS: list[tuple[type, str]] = [
    (Interface, _INTERFACE),
    (Enum, _ENUM),
    (Parcelable, _PARCELABLE),
    (Union, _UNION),
    (Field, _FIELD),
    (Method, _METHOD),
    (Constant, _CONSTANT),
    (Parameter, _PARAMETER),
    (Enumerator, "an enumerator"),
    (TypeRef, _TYPE),
]

# Warnings of Google's compiler that this one does not have; naming them is no mistake.
_FOREIGN_WARNINGS = {
    *("enum-explicit-default", "missing-permission-annotation", "out-nullable", "redundant-name"),
    "untyped-collection",
}
_WARNINGS = {slug for slug, rule in rules.RULES.items() if rule.severity is Severity.WARNING}


def _target(owner: object) -> str:
    return next((target for kind, target in _TARGETS if isinstance(owner, kind)), _UNSTRUCTURED)


def _check_annotations(declaration: Declaration, context: Context) -> None:
    for owner in walk.annotated(declaration):
        seen: dict[str, Annotation] = {}
        for annotation in owner.annotations:
            row = _ANNOTATIONS.get(annotation.name)
            if row is None:
                _report_unknown(annotation, context)
                continue
            if seen.setdefault(annotation.name, annotation) is not annotation and not row.repeatable:
                message = f"@{annotation.name} is repeated"
                context.report(rules.REPEATED_ANNOTATION, annotation.span, message)
            _check_placed(annotation, row, _target(owner), context)
            _check_given(annotation, row, context)


def _report_unknown(annotation: Annotation, context: Context) -> None:
    near = get_close_matches(annotation.name, _ANNOTATIONS, 1)
    hint = f"Did you mean @{near[0]}?" if near else f"There are {', '.join(sorted(_ANNOTATIONS))}."
    context.report(
        rules.UNKNOWN_ANNOTATION, annotation.span, f"there is no annotation @{annotation.name}", hint
    )


def _check_placed(annotation: Annotation, row: _Row, target: str, context: Context) -> None:
    if target in row.targets:
        return
    message = f"@{annotation.name} cannot be on {target}"
    hint = f"It can be on {', '.join(sorted(row.targets))}."
    context.report(rules.MISPLACED_ANNOTATION, annotation.span, message, hint)


def _check_given(annotation: Annotation, row: _Row, context: Context) -> None:
    for name, expr in annotation.args.items():
        if name not in row.arguments:
            message = f"@{annotation.name} has no argument called {name}"
            hint = f"It takes {', '.join(row.arguments)}." if row.arguments else "It takes none."
            context.report(rules.ANNOTATION_ARGUMENT, expr.span, message, hint)
        elif _has_char(expr) or not _fits(annotation.values.get(name), row.arguments[name]):
            message = f"{name} of @{annotation.name} is a {row.arguments[name]}"
            context.report(rules.ANNOTATION_ARGUMENT, expr.span, message)
    for name in list(row.arguments)[: row.required]:
        if name not in annotation.args:
            message = f"@{annotation.name} needs the argument {name}"
            context.report(rules.ANNOTATION_ARGUMENT, annotation.span, message)


def _has_char(expr: Expr) -> bool:
    """Whether there is a literal like 'x', which as a value looks like a string."""
    operands = expr.items if isinstance(expr, ArrayExpr) else [expr]
    return any(isinstance(each, Literal) and each.kind == "char" for each in operands)


def _fits(value: ConstValue, kind: str) -> bool:
    if kind == "String":
        return isinstance(value, str)
    if kind == "boolean":
        return isinstance(value, bool)
    if kind == "String[]":
        return isinstance(value, list) and all(isinstance(item, str) for item in value)
    return isinstance(value, int) and (kind == "long" or -(2**31) <= value < 2**31)


# --- permissions and warnings ---


def _check_permissions(declaration: Declaration, context: Context) -> None:
    on_interface = _permissions(declaration)
    for method in walk.methods(declaration):
        inner = context.within(method)
        on_method = _permissions(method)
        if on_interface and on_method:
            message = (
                f"@{on_method[0].name} on {method.name}, and @{on_interface[0].name} on {declaration.name}"
            )
            inner.report(rules.PERMISSION, on_method[0].span, message)
        _check_permission_set(on_method, inner)
    _check_permission_set(on_interface, context)


def _permissions(owner: Declaration | Method) -> list[Annotation]:
    return [annotation for annotation in owner.annotations if annotation.name in _PERMISSIONS]


def _check_permission_set(found: list[Annotation], context: Context) -> None:
    if len({annotation.name for annotation in found}) > 1:
        message = f"@{found[1].name} contradicts @{found[0].name}"
        context.report(rules.CONFLICTING_PERMISSIONS, found[1].span, message)
    for annotation in found:
        if annotation.name == "EnforcePermission" and not annotation.args:
            message = "@EnforcePermission does not say which"
            hint = 'Write @EnforcePermission("NAME"), or anyOf={...} or allOf={...}.'
            context.report(rules.ANNOTATION_ARGUMENT, annotation.span, message, hint)


def _check_suppressions(declaration: Declaration, context: Context) -> None:
    for owner in (declaration, *walk.members(declaration)):
        for annotation in owner.annotations:
            for slug in suppressed_by(annotation):
                if slug not in _WARNINGS and slug not in _FOREIGN_WARNINGS:
                    near = get_close_matches(slug, _WARNINGS, 1)
                    hint = f"Did you mean {near[0]}?" if near else "Look at the end of the warning you mean."
                    message = f"there is no warning called {slug}"
                    context.report(rules.UNKNOWN_WARNING, annotation.span, message, hint)


CHECKS: list[Check] = [_check_annotations, _check_permissions, _check_suppressions]
