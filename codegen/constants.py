"""What every expression of a program is worth.

Constants and enumerators may refer to each other in any order and over files, so each is
evaluated after those it refers to; what refers to itself is reported. Then come the values that
nothing refers to: defaults, sizes of arrays, explicit ids, arguments of annotations.
"""

from __future__ import annotations

from typing import TypeAlias

from . import arithmetic, rules, walk
from .arithmetic import Kind, Refused, Value
from .ast import (
    ArrayExpr,
    Binary,
    Constant,
    ConstValue,
    Declaration,
    Enum,
    Enumerator,
    Expr,
    Literal,
    NameExpr,
    TypeRef,
    Unary,
)
from .diagnostics import Diagnostics
from .program import Program
from .source import Span

Named: TypeAlias = Constant | Enumerator

_RANGES = {"byte": 8, "int": 32, "long": 64}
_CONSTANT_TYPES = frozenset({"byte", "int", "long", "float", "double", "String"})
_MAX_LENGTH = 2**31 - 1


def evaluate(program: Program, diagnostics: Diagnostics) -> None:
    """Sets every value of the tree, or reports why there is none."""
    evaluator = _Evaluator(diagnostics)
    everything = [d for document in program.documents.values() for d in walk.declarations(document)]
    for declaration in everything:
        if isinstance(declaration, Enum):
            evaluator.set_backing(declaration)
    for declaration in everything:
        evaluator.set_named(declaration)
    for declaration in everything:
        evaluator.set_rest(declaration)


class _Evaluator:
    def __init__(self, diagnostics: Diagnostics) -> None:
        self.diagnostics = diagnostics
        self.worth: dict[Named, Value | None] = {}  # None: has no value, which has been reported
        self.before: dict[Enumerator, Enumerator] = {}

    # --- constants and enumerators ---

    def set_backing(self, enum: Enum) -> None:
        self.before.update(zip(enum.enumerators[1:], enum.enumerators, strict=False))
        annotation = enum.annotation("Backing")
        if annotation is None:
            return
        expr = annotation.args.get("type")
        value = self.value(expr) if expr else None
        if expr is not None and value is None:
            return
        if value is None or value.value not in _RANGES:
            found = f"cannot be {value.value}" if value else "is missing"
            message = f"the backing type of {enum.path} {found}"
            self.diagnostics.report(rules.BACKING_TYPE, annotation.span, message)
            return
        enum.backing = str(value.value)

    def set_named(self, declaration: Declaration) -> None:
        for constant in declaration.constants:
            self._settle(constant)
            value = self.worth[constant]
            if constant.type.name not in _CONSTANT_TYPES or constant.type.dimensions:
                message = f"a constant cannot be of type {constant.type}"
                self.diagnostics.report(rules.CONSTANT_TYPE, constant.type.span, message)
            elif value is not None:
                constant.value = self.convert(value, constant.type, constant.expr)
        if isinstance(declaration, Enum):
            for enumerator in declaration.enumerators:
                self._settle(enumerator)
                self._set_enumerator(enumerator, declaration)

    def _set_enumerator(self, enumerator: Enumerator, enum: Enum) -> None:
        value = self.worth[enumerator]
        if value is None:
            return
        span = enumerator.expr.span if enumerator.expr else enumerator.span
        converted = self._integer(value, enum.backing, span)
        enumerator.value = converted if converted is not None else 0

    def _settle(self, start: Named) -> None:
        """Evaluates a constant after all it depends on, without recursion over long chains."""
        entered: dict[Named, None] = {}  # those whose needs are being seen to, outermost first
        pending = [start]
        while pending:
            named = pending[-1]
            if named in self.worth:
                pending.pop()
            elif named in entered:
                del entered[named]
                self.worth[named] = self._evaluate_named(named)
            else:
                entered[named] = None
                for needed, span in self._needs(named):
                    if needed in entered:
                        self._report_cycle(needed, list(entered), span)
                        self.worth[needed] = None
                    elif needed not in self.worth:
                        pending.append(needed)

    def _needs(self, named: Named) -> list[tuple[Named, Span]]:
        if named.expr is not None:
            refs = walk.references(named.expr)
            return [(ref.target, ref.span) for ref in refs if ref.target is not None]
        previous = self.before.get(named) if isinstance(named, Enumerator) else None
        return [(previous, named.span)] if previous else []

    def _report_cycle(self, needed: Named, entered: list[Named], span: Span) -> None:
        cycle = [*entered[entered.index(needed) :], needed]
        message = f"{needed.name} is defined by itself: {' -> '.join(n.name for n in cycle)}"
        self.diagnostics.report(rules.CONSTANT_CYCLE, span, message)

    def _evaluate_named(self, named: Named) -> Value | None:
        if named.expr is not None:
            return self.value(named.expr)
        previous = self.before.get(named) if isinstance(named, Enumerator) else None
        if previous is None:
            return Value(Kind.INT8, 0)
        before = self.worth[previous]
        if before is None:
            return None
        try:
            return arithmetic.binary("+", before, Value(Kind.INT8, 1))
        except Refused as refusal:
            self._refuse(refusal, named.span)
            return None

    # --- what only uses them ---

    def set_rest(self, declaration: Declaration) -> None:
        for type_ in walk.types(declaration):
            for dimension in type_.dimensions:
                if dimension.size is not None:
                    dimension.value = self._size(dimension.size)
        for field in walk.fields(declaration):
            if field.default is not None and (value := self.value(field.default)) is not None:
                field.default_value = self.convert(value, field.type, field.default)
        for annotation in walk.all_annotations(declaration):
            for key, expr in annotation.args.items():
                refs = list(walk.references(expr))
                for ref in refs:
                    message = f"@{annotation.name} refers to {ref.name}; its arguments stand alone"
                    self.diagnostics.report(rules.REFERENCE_IN_ANNOTATION, ref.span, message)
                if not refs:
                    annotation.values[key] = self._argument(expr)

    def _argument(self, expr: Expr) -> ConstValue:
        if isinstance(expr, ArrayExpr):
            return [self._argument(item) for item in expr.items]
        value = self.value(expr)
        return value.value if value else None

    def _size(self, expr: Expr) -> int | None:
        value = self.value(expr)
        if value is None:
            return None
        number = int(value.number)
        if not value.kind.is_integer or value.kind is Kind.INT64 or not 0 <= number <= _MAX_LENGTH:
            shown = value.value if value.kind.is_integer else str(value)
            message = f"an array cannot have the size {shown}"
            self.diagnostics.report(rules.ARRAY_SIZE, expr.span, message)
            return None
        return number

    # --- expressions ---

    def _refuse(self, refusal: Refused, span: Span) -> None:
        self.diagnostics.report(rules.RULES[refusal.slug], span, refusal.message, refusal.hint)

    def value(self, expr: Expr) -> Value | None:
        """The value of an expression; None, and a report, if it has none."""
        chain: list[Binary] = []
        while isinstance(expr, Binary):  # a + b + c + ... leans to the left, and may be long
            chain.append(expr)
            expr = expr.left
        result = self._operand(expr)
        for binary in reversed(chain):
            right = self.value(binary.right)
            if result is None or right is None:
                result = None
                continue
            try:
                result = arithmetic.binary(binary.op, result, right)
            except Refused as refusal:
                self._refuse(refusal, binary.span)
                result = None
        return result

    def _operand(self, expr: Expr) -> Value | None:
        try:
            if isinstance(expr, Literal):
                return _literal(expr)
            if isinstance(expr, Unary):
                operand = self.value(expr.operand)
                return arithmetic.unary(expr.op, operand) if operand else None
        except Refused as refusal:
            self._refuse(refusal, expr.span)
            return None
        if isinstance(expr, NameExpr):
            return self.worth.get(expr.target) if expr.target else None
        if isinstance(expr, ArrayExpr):
            return Value(Kind.ARRAY, None)  # what is in it depends on the declared type: see _array
        return self.value(expr)

    # --- declared types ---

    def convert(self, value: Value, type_: TypeRef, expr: Expr, depth: int = 0) -> ConstValue:
        """The value as one of a declared type, of which `depth` dimensions have been entered."""
        if depth < len(type_.dimensions):
            return self._array(type_, expr, depth)
        if isinstance(type_.declaration, Enum):
            return self._enumerator(value, type_.declaration, expr)
        name = type_.name
        if name in _RANGES:
            return self._integer(value, name, expr.span)
        if name == "boolean" and value.kind.is_integer:
            return bool(value.value)
        if (name == "char" and value.kind is Kind.CHAR) or (name == "String" and value.kind is Kind.STRING):
            return value.value
        if name == "double" and value.kind in (Kind.FLOAT, Kind.DOUBLE):
            return value.value
        if name == "float" and value.kind is Kind.FLOAT and isinstance(value.value, float):
            return arithmetic.single(value.value)  # what is written is what will be read
        self._wrong(value, str(type_), expr, name)
        return None

    def _wrong(self, value: Value, type_name: str, expr: Expr, name: str) -> None:
        hint = ""
        if name == "float":
            hint = "Write it with a point or as it is, and an f: 1.5f."
        elif name == "double" and value.kind.is_integer:
            hint = "Write it with a point: 1.0."
        elif name in ("List", "Map"):
            hint = "Lists and maps have no defaults; an array has."
        message = f"{value} is not a value of type {type_name}"
        self.diagnostics.report(rules.WRONG_VALUE, expr.span, message, hint)

    def _integer(self, value: Value, name: str, span: Span) -> int | None:
        bits = _RANGES[name]
        if not value.kind.is_integer:
            hint = "Integers and floating-point numbers are not converted into each other."
            message = f"{value} is not a value of type {name}"
            self.diagnostics.report(rules.WRONG_VALUE, span, message, hint if value.kind < Kind.CHAR else "")
            return None
        number = int(value.number)
        if -(1 << bits - 1) <= number < 1 << bits - 1:
            return number
        unsigned = name != "long" and 0 < number < 1 << bits
        hint = f"As a bit pattern, write {number}u{bits}." if unsigned else ""
        self.diagnostics.report(rules.OUT_OF_RANGE, span, f"{number} does not fit in {name}", hint)
        return None

    def _enumerator(self, value: Value, enum: Enum, expr: Expr) -> int | None:
        if isinstance(expr, NameExpr) and expr.owner is enum and isinstance(value.value, int):
            return int(value.value)
        message = f"this is not one of the enumerators of {enum.path}"
        hint = (
            f"Write one by its name, as {enum.name}.{enum.enumerators[0].name}." if enum.enumerators else ""
        )
        self.diagnostics.report(rules.WRONG_VALUE, expr.span, message, hint)
        return None

    def _array(self, type_: TypeRef, expr: Expr, depth: int) -> ConstValue:
        if not isinstance(expr, ArrayExpr):
            message = f"a value of type {type_} is written between braces"
            self.diagnostics.report(rules.WRONG_VALUE, expr.span, message, "As in {1, 2}.")
            return None
        size = type_.dimensions[depth].value
        if size is not None and size != len(expr.items):
            message = f"{type_} takes {size} elements here, not {len(expr.items)}"
            self.diagnostics.report(rules.WRONG_VALUE, expr.span, message)
            return None
        items: list[ConstValue] = []
        for item in expr.items:
            value = self.value(item)
            if value is not None:
                items.append(self.convert(value, type_, item, depth + 1))
        return items


def _literal(expr: Literal) -> Value:
    if expr.kind == "int":
        return arithmetic.integer(expr.text)
    if expr.kind == "float":
        return arithmetic.floating(expr.text)
    if expr.kind == "bool":
        return Value(Kind.BOOL, expr.text == "true")
    return arithmetic.text(expr.text)
