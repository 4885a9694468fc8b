"""From the grammar's rules to the syntax tree: one method per rule, called as the rule is read.

Lark hands each method the parts of its rule in order, `None` for an optional part that is absent
or that the parser gave up on. A `Token` is a `str` that knows where it stands.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar

from lark import Token

from . import rules
from .ast import (
    Annotation,
    ArrayExpr,
    Binary,
    Constant,
    Declaration,
    Dimension,
    Document,
    Enum,
    Enumerator,
    Expr,
    Field,
    Import,
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
from .comments import Comments
from .diagnostics import Diagnostics
from .source import SourceFile, Span

TYPE_ANNOTATIONS = frozenset({"nullable", "utf8InCpp"})
"""Written before a member, these say something of its type; all others, of the member."""

_DECLARATIONS = (Interface, Parcelable, Union, Enum, UnstructuredParcelable)

Member: TypeAlias = Field | Method | Constant | Declaration | None
Shaped: TypeAlias = tuple[Token, Declaration]  # the first keyword of a declaration, and the rest
_T = TypeVar("_T")


class Builder:
    """Builds the tree of one file at a time: `begin` says which."""

    source: SourceFile
    comments: Comments
    diagnostics: Diagnostics

    def begin(self, source: SourceFile, comments: Comments, diagnostics: Diagnostics) -> None:
        self.source, self.comments, self.diagnostics = source, comments, diagnostics

    def _span(self, start: Token | Span, end: Token | Span) -> Span:
        first = start.start if isinstance(start, Span) else start.start_pos or 0
        last = end.end if isinstance(end, Span) else end.end_pos or 0
        return Span(self.source, first, last)

    def _at(self, token: Token) -> Span:
        return Span(self.source, token.start_pos or 0, token.end_pos or 0)

    def _doc(self, annotations: list[Annotation], start: Token | Span) -> str:
        first = annotations[0].span if annotations else start
        return self.comments.doc_before(first.start if isinstance(first, Span) else first.start_pos or 0)

    # --- the file ---

    def start(self, *items: Token | Import | Declaration | None) -> Document:
        packages = [item for item in items if isinstance(item, Token)]
        document = Document(
            source=self.source,
            package=str(packages[0]) if packages else "",
            package_span=self._at(packages[0]) if packages else None,
            imports=[item for item in items if isinstance(item, Import)],
            declarations=[item for item in items if isinstance(item, _DECLARATIONS)],
        )
        self._check_order(items)
        for declaration in document.declarations:
            for each in declaration.walk():
                each.package = document.package
        return document

    def _check_order(self, items: tuple[Token | Import | Declaration | None, ...]) -> None:
        """A package line comes first and once, imports next."""
        seen = ""
        for item in items:
            if isinstance(item, Token):
                if seen:
                    message = f"the package must be stated once, at the top, but comes after {seen}"
                    self.diagnostics.report(rules.PACKAGE_ORDER, self._at(item), message)
                seen = seen or "another package line"
            elif isinstance(item, Import):
                if seen == "a declaration":
                    message = f"the import of {item.name} comes after a declaration"
                    self.diagnostics.report(rules.PACKAGE_ORDER, item.span, message)
                seen = seen if seen == "a declaration" else "an import"
            elif item is not None:
                seen = "a declaration"

    def package(self, _keyword: Token, name: Token) -> Token:
        return name

    def import_(self, name: Token) -> Import:
        return Import(str(name), self._at(name))

    def broken(self, *_: Token) -> None:
        return None

    def dotted(self, first: Token, last: Token) -> Token:
        return Token("NAME", f"{first}.{last}", start_pos=first.start_pos, end_pos=last.end_pos)

    # --- declarations ---

    def declaration(self, annotations: list[Annotation], shaped: Shaped) -> Declaration:
        keyword, declaration = shaped
        declaration.annotations = annotations
        declaration.doc = self._doc(annotations, keyword)
        for nested in declaration.nested:
            nested.parent = declaration
        return declaration

    def interface(
        self, oneway: Token | None, keyword: Token, name: Token, members: tuple[Member, ...]
    ) -> Shaped:
        methods = _only(Method, members)
        for method in methods:
            method.oneway = method.oneway or oneway is not None
        return oneway or keyword, Interface(
            name=str(name),
            span=self._at(name),
            doc="",
            annotations=[],
            package="",
            parent=None,
            nested=_nested(members),
            constants=_only(Constant, members),
            oneway=oneway is not None,
            methods=methods,
        )

    def parcelable(
        self, keyword: Token, name: Token, parameters: list[str], members: tuple[Member, ...]
    ) -> Shaped:
        return keyword, Parcelable(
            name=str(name),
            span=self._at(name),
            doc="",
            annotations=[],
            package="",
            parent=None,
            nested=_nested(members),
            constants=_only(Constant, members),
            fields=_only(Field, members),
            type_parameters=parameters,
        )

    def union(
        self, keyword: Token, name: Token, parameters: list[str], members: tuple[Member, ...]
    ) -> Shaped:
        return keyword, Union(
            name=str(name),
            span=self._at(name),
            doc="",
            annotations=[],
            package="",
            parent=None,
            nested=_nested(members),
            constants=_only(Constant, members),
            fields=_only(Field, members),
            type_parameters=parameters,
        )

    def unstructured(
        self, keyword: Token, name: Token, parameters: list[str], headers: dict[str, str]
    ) -> Shaped:
        return keyword, UnstructuredParcelable(
            name=str(name),
            span=self._at(name),
            doc="",
            annotations=[],
            package="",
            parent=None,
            nested=[],
            constants=[],
            type_parameters=parameters,
            headers=headers,
        )

    def undefined_interface(self, keyword: Token, name: Token) -> Shaped:
        message = f"interface {name} has no body"
        self.diagnostics.report(rules.UNDEFINED_INTERFACE, self._at(name), message)
        return self.unstructured(keyword, name, [], {})

    def enum(self, keyword: Token, name: Token, enumerators: list[Enumerator]) -> Shaped:
        return keyword, Enum(
            name=str(name),
            span=self._at(name),
            doc="",
            annotations=[],
            package="",
            parent=None,
            nested=[],
            constants=[],
            enumerators=enumerators,
        )

    def members(self, *members: Member) -> tuple[Member, ...]:
        return members

    interface_members = members

    def type_parameters(self, *names: Token) -> list[str]:
        return [str(name) for name in names]

    def headers(self, *parts: Token) -> dict[str, str]:
        """Keywords and strings, by turns."""
        return {str(key): text[1:-1] for key, text in zip(parts[::2], parts[1::2], strict=True)}

    def header(self, keyword: Token) -> Token:
        return keyword

    # --- members ---

    def method(
        self,
        annotations: list[Annotation],
        oneway: tuple[Token, list[Annotation]] | None,
        returns: TypeRef,
        name: Token,
        parameters: list[Parameter],
        explicit_id: Expr | None,
    ) -> Method:
        doc = self._doc(annotations, oneway[0] if oneway else returns.span)
        every = annotations + oneway[1] if oneway else annotations
        return Method(
            name=str(name),
            span=self._at(name),
            doc=doc,
            annotations=_split(every, returns),
            returns=returns,
            parameters=parameters,
            oneway=oneway is not None,
            explicit_id=explicit_id,
            says_oneway=oneway is not None,
        )

    def oneway(self, keyword: Token, annotations: list[Annotation]) -> tuple[Token, list[Annotation]]:
        return keyword, annotations

    def parameters(self, *parameters: Parameter | None) -> list[Parameter]:
        return [parameter for parameter in parameters if parameter is not None]

    def parameter(
        self, direction: Token | None, annotations: list[Annotation], type_: TypeRef, name: Token
    ) -> Parameter:
        return Parameter(
            name=str(name),
            span=self._at(name),
            doc="",
            annotations=_split(annotations, type_),
            direction=str(direction or ""),
            type=type_,
        )

    def constant(
        self,
        annotations: list[Annotation],
        keyword: Token,
        type_annotations: list[Annotation],
        type_: TypeRef,
        name: Token,
        expr: Expr,
    ) -> Constant:
        return Constant(
            name=str(name),
            span=self._at(name),
            doc=self._doc(annotations, keyword),
            annotations=_split(annotations + type_annotations, type_),
            type=type_,
            expr=expr,
        )

    def field(
        self, annotations: list[Annotation], type_: TypeRef, name: Token, default: Expr | None
    ) -> Field:
        return Field(
            name=str(name),
            span=self._at(name),
            doc=self._doc(annotations, type_.span),
            annotations=_split(annotations, type_),
            type=type_,
            default=default,
        )

    def enumerators(self, *enumerators: Enumerator | None) -> list[Enumerator]:
        return [enumerator for enumerator in enumerators if enumerator is not None]

    def enumerator(self, annotations: list[Annotation], name: Token, expr: Expr | None) -> Enumerator:
        return Enumerator(
            name=str(name),
            span=self._at(name),
            doc=self._doc(annotations, name),
            annotations=annotations,
            expr=expr,
        )

    # --- types ---

    def type(self, name: Token, arguments: list[TypeRef], *dimensions: Dimension) -> TypeRef:
        end = dimensions[-1].span if dimensions else arguments[-1].span if arguments else name
        return TypeRef(str(name), arguments, [], list(dimensions), self._span(name, end))

    def type_arguments(self, *arguments: TypeRef) -> list[TypeRef]:
        return list(arguments)

    def type_argument(self, annotations: list[Annotation], type_: TypeRef) -> TypeRef:
        type_.annotations = annotations
        return type_

    def dimension(
        self, annotations: list[Annotation], start: Token, size: Expr | None, end: Token
    ) -> Dimension:
        for annotation in annotations:
            message = f"@{annotation.name} stands before brackets; arrays cannot be annotated apart"
            self.diagnostics.report(rules.MISPLACED_ANNOTATION, annotation.span, message)
        return Dimension(size, self._span(start, end))

    # --- annotations ---

    def annotations(self, *annotations: Annotation) -> list[Annotation]:
        return list(annotations)

    def annotation(self, token: Token) -> Annotation:
        return Annotation(token[1:], {}, self._at(token))

    def annotation_with_value(self, token: Token, value: Expr | None, end: Token) -> Annotation:
        return Annotation(token[1:], {"value": value} if value else {}, self._span(token, end))

    def annotation_with_arguments(self, token: Token, args: dict[str, Expr], end: Token) -> Annotation:
        return Annotation(token[1:], args, self._span(token, end))

    def arguments(self, *arguments: tuple[Token, Expr]) -> dict[str, Expr]:
        by_name: dict[str, Expr] = {}
        for key, value in arguments:
            if key in by_name:
                message = f"the argument '{key}' is given twice"
                self.diagnostics.report(rules.DUPLICATE_ARGUMENT, self._at(key), message)
            by_name[str(key)] = value
        return by_name

    def argument(self, key: Token, value: Expr) -> tuple[Token, Expr]:
        return key, value

    # --- expressions ---

    def binary(self, left: Expr, op: Token, right: Expr) -> Binary:
        return Binary(str(op), left, right, self._span(left.span, right.span))

    def unary(self, op: Token, operand: Expr) -> Unary:
        return Unary(str(op), operand, self._span(op, operand.span))

    def parenthesis(self, start: Token, inner: Expr, end: Token) -> Expr:
        inner.span = self._span(start, end)
        return inner

    def array(self, start: Token, items: list[Expr], end: Token) -> ArrayExpr:
        return ArrayExpr(items, self._span(start, end))

    def items(self, *items: Expr) -> list[Expr]:
        return list(items)

    def name_expr(self, name: Token) -> NameExpr:
        return NameExpr(str(name), self._at(name))

    def number(self, token: Token) -> Literal:
        is_hex = token[:2] in ("0x", "0X")
        is_float = not is_hex and ("." in token or "e" in token or "E" in token or token[-1] == "f")
        return Literal("float" if is_float else "int", str(token), self._at(token))

    def string(self, token: Token) -> Literal:
        return Literal("string", str(token), self._at(token))

    def char(self, token: Token) -> Literal:
        return Literal("char", str(token), self._at(token))

    def bool(self, token: Token) -> Literal:
        return Literal("bool", str(token), self._at(token))


class ByRule:
    """What lark is given: each of a builder's methods under its rule's name, to be called with one list."""

    def __init__(self, builder: Builder) -> None:
        self._builder = builder

    def __getattr__(self, rule: str) -> Callable[[list[Any]], Any]:
        method = getattr(self._builder, rule)
        return lambda parts: method(*parts)


def _only(kind: type[_T], members: tuple[Member, ...]) -> list[_T]:
    return [member for member in members if isinstance(member, kind)]


def _nested(members: tuple[Member, ...]) -> list[Declaration]:
    return [member for member in members if isinstance(member, _DECLARATIONS)]


def _split(annotations: list[Annotation], type_: TypeRef) -> list[Annotation]:
    """Moves to the type those annotations that concern it, and returns the others."""
    type_.annotations = [a for a in annotations if a.name in TYPE_ANNOTATIONS]
    return [a for a in annotations if a.name not in TYPE_ANNOTATIONS]
