"""Declarations as canonical AIDL: what a snapshot of an API holds, and what two of them are compared by.

The form is that of `aidl --dumpapi`: names are qualified, annotations and their arguments sorted,
members come before constants and these before nested types, and of the comments only `@hide` and
`@deprecated` are left.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from enum import Enum as Choice

from .api_comments import Remarks
from .ast import (
    Annotation,
    ArrayExpr,
    Binary,
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
    NameExpr,
    Parameter,
    Parcelable,
    TypeRef,
    Unary,
    Union,
    UnstructuredParcelable,
)


class Values(Choice):
    """How values are printed."""

    AS_WRITTEN = "with what they come to in a comment, where that is not plain"
    EVALUATED = "as what they come to, enumerators too"


KINDS = {
    Interface: "interface",
    Parcelable: "parcelable",
    Union: "union",
    Enum: "enum",
    UnstructuredParcelable: "parcelable",
}
"""The keyword of each kind of declaration."""


# --- types and annotations ---


def type_text(type_: TypeRef) -> str:
    """A type without its annotations, as in `Map<String,q.B>` or `int[3]`."""
    name = type_.declaration.qualified_name if type_.declaration else type_.name
    arguments = f"<{','.join(map(type_text, type_.args))}>" if type_.args else ""
    sizes = ("" if d.value is None else d.value for d in type_.dimensions)
    return name + arguments + "".join(f"[{size}]" for size in sizes)


def annotation_text(annotation: Annotation) -> str:
    """An annotation with the values of its arguments."""
    arguments = [f"{key}={_argument_text(value)}" for key, value in sorted(annotation.values.items())]
    return f"@{annotation.name}" + (f"({', '.join(arguments)})" if arguments else "")


def _argument_text(value: ConstValue) -> str:
    if isinstance(value, list):
        return "{" + ", ".join(map(_argument_text, value)) + "}"
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) else str(value)


def annotations_of(owner: Declaration | Constant | Field | Method | Parameter) -> list[Annotation]:
    """The annotations of something, with those that concern its type."""
    if isinstance(owner, Method):
        return owner.annotations + owner.returns.annotations
    if isinstance(owner, Constant | Field | Parameter):
        return owner.annotations + owner.type.annotations
    return owner.annotations


def _annotated(owner: Constant | Field | Method | Parameter, type_: TypeRef) -> str:
    return " ".join([*sorted(map(annotation_text, annotations_of(owner))), type_text(type_)])


# --- values ---


def value_text(value: ConstValue, type_name: str) -> str:
    """A value of a built-in type."""
    match type_name:
        case "boolean":
            return str(bool(value)).lower()
        case "float":
            return f"{_single(value):f}f"
        case "double":
            return f"{value:f}"
        case "String":
            return f'"{value}"'
        case "char":
            return f"'{value}'"
        case _:
            return str(int(value)) if isinstance(value, int) else str(value)


def _single(value: ConstValue) -> float:
    """A number in single precision."""
    number = float(value) if isinstance(value, int | float) else 0.0
    return float(struct.unpack("f", struct.pack("f", number))[0])


def _expression(expr: Expr) -> str:
    """An expression as it is written, but with all its parentheses and qualified names."""
    match expr:
        case Literal(text=text):
            return text
        case NameExpr(name=name, owner=owner):
            _, dot, last = name.rpartition(".")
            return f"{owner.qualified_name}.{last}" if dot and owner else name
        case Unary(op=op, operand=operand):
            return f"({op}{_expression(operand)})"
        case Binary():
            return _binary(expr)
        case ArrayExpr(items=items):
            return "{" + ", ".join(map(_expression, items)) + "}"


def _binary(expr: Binary) -> str:
    """`a + b + c + ...` leans to the left, and may be too long for recursion."""
    chain: list[Binary] = []
    first: Expr = expr
    while isinstance(first, Binary):
        chain.append(first)
        first = first.left
    tail = "".join(f" {each.op} {_expression(each.right)})" for each in reversed(chain))
    return "(" * len(chain) + _expression(first) + tail


def _value(expr: Expr, value: ConstValue, type_: TypeRef, values: Values, depth: int = 0) -> str:
    """The value of a field or a constant, of whose type `depth` dimensions have been entered."""
    if isinstance(expr, ArrayExpr) and isinstance(value, list):
        items = [_value(e, v, type_, values, depth + 1) for e, v in zip(expr.items, value, strict=True)]
        return "{" + ", ".join(items) + "}"
    if isinstance(type_.declaration, Enum):
        return _enumerator_name(expr)
    return _either(expr, value_text(value, type_.name), values)


def _enumerator_name(expr: Expr) -> str:
    if isinstance(expr, NameExpr) and expr.owner is not None:
        return f"{expr.owner.qualified_name}.{expr.name.rpartition('.')[2]}"
    return _expression(expr)


def _either(expr: Expr, worth: str, values: Values) -> str:
    if values is Values.EVALUATED:
        return worth
    written = _expression(expr)
    return written if isinstance(expr, Literal) else f"{written} /* {worth} */"


def default_text(field: Field) -> str:
    """What a field is when nothing is said, evaluated; "" if that differs between languages."""
    if field.default is not None:
        return _value(field.default, field.default_value, field.type, Values.EVALUATED)
    if field.type.dimensions:
        return ""
    zeros: dict[str, ConstValue] = dict.fromkeys(("boolean", "byte", "int", "long", "float", "double"), 0)
    zeros["char"] = "\\0"  # as it cannot be written
    name = field.type.name
    return value_text(zeros[name], name) if name in zeros else ""


def constant_text(constant: Constant) -> str:
    """What a constant is worth."""
    return _value(constant.expr, constant.value, constant.type, Values.EVALUATED)


# --- declarations ---


class Writer:
    """Writes declarations of one file."""

    def __init__(self, remarks: Remarks, values: Values) -> None:
        self._remarks = remarks
        self._values = values

    def declaration(self, declaration: Declaration) -> list[str]:
        """The lines of a declaration."""
        lines = self._remarks.of(declaration)
        if declaration.annotations:
            lines.append(" ".join(sorted(map(annotation_text, declaration.annotations))))
        parameters = getattr(declaration, "type_parameters", [])
        head = f"{KINDS[type(declaration)]} {declaration.name}"
        head += f"<{', '.join(parameters)}>" if parameters else ""
        if isinstance(declaration, UnstructuredParcelable):
            return [*lines, f"{head};"]
        body = [f"  {line}" for line in self._body(declaration)]
        return [*lines, f"{head} {{", *body, "}"]

    def _body(self, declaration: Declaration) -> Iterator[str]:
        if isinstance(declaration, Enum):
            for enumerator in declaration.enumerators:
                yield from self._remarks.of(enumerator)
                yield self._enumerator(enumerator)
        elif isinstance(declaration, Interface):
            for method in declaration.methods:
                yield from self._remarks.of(method)
                yield self._method(method)
        elif isinstance(declaration, Parcelable | Union):
            for field in declaration.fields:
                yield from self._remarks.of(field)
                yield self._field(field)
        for constant in declaration.constants:
            yield from self._remarks.of(constant)
            value = _value(constant.expr, constant.value, constant.type, self._values)
            yield f"const {_annotated(constant, constant.type)} {constant.name} = {value};"
        for nested in declaration.nested:
            if not (isinstance(nested, Enum) and nested.tag_of):
                yield from self.declaration(nested)

    def _enumerator(self, enumerator: Enumerator) -> str:
        if self._values is Values.EVALUATED:
            return f"{enumerator.name} = {enumerator.value},"
        if enumerator.expr is None:
            return f"{enumerator.name},"
        return f"{enumerator.name} = {_either(enumerator.expr, str(enumerator.value), self._values)},"

    def _method(self, method: Method) -> str:
        oneway = "oneway " if method.oneway else ""
        parameters = ", ".join(map(_parameter, method.parameters))
        number = f" = {method.id}" if method.explicit_id else ""  # without the zeros that may lead it
        return f"{oneway}{_annotated(method, method.returns)} {method.name}({parameters}){number};"

    def _field(self, field: Field) -> str:
        head = f"{_annotated(field, field.type)} {field.name}"
        if field.default is None:
            return f"{head};"
        return f"{head} = {_value(field.default, field.default_value, field.type, self._values)};"


def _parameter(parameter: Parameter) -> str:
    direction = f"{parameter.direction} " if parameter.direction else ""
    return f"{direction}{_annotated(parameter, parameter.type)} {parameter.name}"
