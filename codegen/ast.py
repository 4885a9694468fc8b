"""The syntax tree of AIDL: one dataclass per construct, each with its place in the source.

The parser fills everything but the fields under "set by": those are what later stages find out
(`resolve` what a name means, `constants` what an expression is worth, `checks` a method's id).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar, TypeAlias

from .source import SourceFile, Span

ConstValue: TypeAlias = "bool | int | float | str | list[ConstValue] | None"
"""What an expression is worth. A `char` is a one-character string, an enumerator its number."""


# --- expressions ------------------------------------------------------------------------------


@dataclass(slots=True, eq=False)
class Literal:
    """A literal. `kind` is "int", "float", "string", "char" or "bool"; `text` is as written."""

    kind: str
    text: str
    span: Span

    operands: ClassVar[tuple[()]] = ()


@dataclass(slots=True, eq=False)
class NameExpr:
    """A reference to a constant or an enumerator, as written: `K`, `IZ.K`, `q.IZ.K`."""

    name: str
    span: Span
    target: Constant | Enumerator | None = None  # set by resolve
    owner: Declaration | None = None  # set by resolve: what the target is declared in

    operands: ClassVar[tuple[()]] = ()


@dataclass(slots=True, eq=False)
class Unary:
    op: str
    operand: Expr
    span: Span

    @property
    def operands(self) -> tuple[Expr, ...]:
        return (self.operand,)


@dataclass(slots=True, eq=False)
class Binary:
    op: str
    left: Expr
    right: Expr
    span: Span

    @property
    def operands(self) -> tuple[Expr, ...]:
        return (self.left, self.right)


@dataclass(slots=True, eq=False)
class ArrayExpr:
    items: list[Expr]
    span: Span

    @property
    def operands(self) -> tuple[Expr, ...]:
        return tuple(self.items)


Expr: TypeAlias = Literal | NameExpr | Unary | Binary | ArrayExpr


# --- parts ------------------------------------------------------------------------------------


@dataclass(slots=True, eq=False)
class Annotation:
    """`@name(key=expr, ...)`; a bare `@name("x")` has its argument under "value"."""

    name: str
    args: dict[str, Expr]
    span: Span
    values: dict[str, ConstValue] = field(default_factory=dict)  # set by constants


@dataclass(slots=True, eq=False)
class Dimension:
    """One pair of brackets: `[]` has no size, `[N]` has one."""

    size: Expr | None
    span: Span
    value: int | None = None  # set by constants


@dataclass(slots=True, eq=False)
class TypeRef:
    """A use of a type: `@nullable List<String>`, `byte[16]`, `q.A.B`."""

    name: str
    args: list[TypeRef]
    annotations: list[Annotation]
    dimensions: list[Dimension]
    span: Span
    declaration: Declaration | None = None  # set by resolve; None for a built-in type

    def annotation(self, name: str) -> Annotation | None:
        return next((a for a in self.annotations if a.name == name), None)

    @property
    def nullable(self) -> bool:
        return self.annotation("nullable") is not None

    @property
    def element(self) -> str:
        """The type without its brackets, as text."""
        return f"{self.name}<{', '.join(map(str, self.args))}>" if self.args else self.name

    def __str__(self) -> str:
        sizes = ("" if d.size is None else "?" if d.value is None else d.value for d in self.dimensions)
        return self.element + "".join(f"[{size}]" for size in sizes)


# --- members ----------------------------------------------------------------------------------


@dataclass(slots=True, eq=False)
class _Named:
    name: str
    span: Span  # of the name
    doc: str  # the comment's text without its markers, "" if there is none
    annotations: list[Annotation]

    def annotation(self, name: str) -> Annotation | None:
        return next((a for a in self.annotations if a.name == name), None)


@dataclass(slots=True, eq=False)
class Constant(_Named):
    """`const TYPE NAME = EXPR;`"""

    type: TypeRef
    expr: Expr
    value: ConstValue = None  # set by constants


@dataclass(slots=True, eq=False)
class Field(_Named):
    """A field of a parcelable or a union. `default_value` is None where none is declared."""

    type: TypeRef
    default: Expr | None
    default_value: ConstValue = None  # set by constants


@dataclass(slots=True, eq=False)
class Parameter(_Named):
    """`direction` is "in", "out" or "inout", or "" where none is written."""

    direction: str
    type: TypeRef


@dataclass(slots=True, eq=False)
class Method(_Named):
    """`oneway` is true if the method or its interface is, `says_oneway` if it is written here.

    `id` counts from 0.
    """

    returns: TypeRef
    parameters: list[Parameter]
    oneway: bool
    explicit_id: Expr | None
    says_oneway: bool = False
    id: int = -1  # set by checks


@dataclass(slots=True, eq=False)
class Enumerator(_Named):
    expr: Expr | None
    value: int = 0  # set by constants


# --- declarations -----------------------------------------------------------------------------


@dataclass(slots=True, eq=False)
class _Declared(_Named):
    package: str
    parent: Declaration | None
    nested: list[Declaration]
    constants: list[Constant]

    @property
    def path(self) -> str:
        """The name within its package: `A.B` for a B declared inside A."""
        return self.name if self.parent is None else f"{self.parent.path}.{self.name}"

    @property
    def qualified_name(self) -> str:
        """The name with its package, also an interface's default descriptor."""
        return f"{self.package}.{self.path}" if self.package else self.path

    def walk(self) -> Iterator[Declaration]:
        """This declaration and all that are nested in it, outermost first."""
        yield self  # type: ignore[misc]  # _Declared is only ever one of Declaration
        for declaration in self.nested:
            yield from declaration.walk()


@dataclass(slots=True, eq=False)
class Interface(_Declared):
    oneway: bool
    methods: list[Method]

    @property
    def descriptor(self) -> str:
        """What the interface token says."""
        custom = self.annotation("Descriptor")
        value = custom.values.get("value") if custom else None
        return value if isinstance(value, str) else self.qualified_name


@dataclass(slots=True, eq=False)
class Parcelable(_Declared):
    """A structured parcelable. `type_parameters` are the names in `parcelable P<T, U>`."""

    fields: list[Field]
    type_parameters: list[str]


@dataclass(slots=True, eq=False)
class Union(_Declared):
    fields: list[Field]
    type_parameters: list[str]


@dataclass(slots=True, eq=False)
class Enum(_Declared):
    """`backing` is "byte", "int" or "long". `tag_of` is set for the implicit Tag of a union."""

    enumerators: list[Enumerator]
    backing: str = "byte"  # set by constants
    tag_of: Union | None = None


@dataclass(slots=True, eq=False)
class UnstructuredParcelable(_Declared):
    """A parcelable whose bytes are defined elsewhere. `headers` has cpp_header and the like."""

    type_parameters: list[str]
    headers: dict[str, str]


Declaration: TypeAlias = Interface | Parcelable | Union | Enum | UnstructuredParcelable


@dataclass(slots=True, eq=False)
class Import:
    name: str
    span: Span


@dataclass(slots=True, eq=False)
class Document:
    """One file. `package` is "" where none is declared."""

    source: SourceFile
    package: str
    package_span: Span | None
    imports: list[Import]
    declarations: list[Declaration]
