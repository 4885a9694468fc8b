"""What the templates see: names and ready text, no types to decide about."""

from __future__ import annotations

from dataclasses import dataclass

from .bodies import ShortBody


@dataclass(frozen=True, slots=True)
class MemberView:
    """A constant, an enumerator or a field: `name: annotation = value`."""

    name: str
    value: str
    annotation: str = ""
    doc: str = ""


@dataclass(frozen=True, slots=True)
class EnumView:
    name: str
    doc: str
    members: list[MemberView]


@dataclass(frozen=True, slots=True)
class ParcelableView:
    """`nested` are ready classes, `write`, `read` and `construct` ready statements."""

    name: str
    doc: str
    info: str
    constants: list[MemberView]
    fields: list[MemberView]
    nested: list[str]
    write: list[str]
    read: list[str]
    construct: str
    short: ShortBody


@dataclass(frozen=True, slots=True)
class OpaqueView:
    """A parcelable that only Python code outside of the module can read and write."""

    name: str
    doc: str
    info: str


@dataclass(frozen=True, slots=True)
class UnionMemberView:
    """A member of a union: its tag, the signature of what makes it, how it is written, and what reads it."""

    tag: str
    number: int
    signature: str
    write: str
    read: str
    doc: str


@dataclass(frozen=True, slots=True)
class UnionView:
    """`default_tag` and `default_value` are ` = ...`, or empty where there is no default."""

    name: str
    name_in_module: str
    doc: str
    info: str
    annotation: str
    default_tag: str
    default_value: str
    constants: list[MemberView]
    nested: list[str]
    members: list[UnionMemberView]


@dataclass(frozen=True, slots=True)
class FunctionView:
    """A function at module level that writes or reads part of a transaction."""

    signature: str
    body: list[str]


@dataclass(frozen=True, slots=True)
class ResultView:
    """The class of what a method with out parameters gives back."""

    name: str
    doc: str
    items: list[MemberView]


@dataclass(frozen=True, slots=True)
class MethodView:
    """A method, and the row that says how it is called over binder.

    Attributes:
        row: the row's name at module level; `row_text` defines it.
        signature, call: for the abstract method and for the proxy.
        result: the named tuple for a method with out parameters: its name, and its items.
    """

    row: str
    row_text: str
    signature: str
    call: str
    doc: str
    functions: list[FunctionView]
    result: ResultView | None = None


@dataclass(frozen=True, slots=True)
class InterfaceView:
    name: str
    proxy: str
    stub: str
    doc: str
    info: str
    constants: list[MemberView]
    nested: list[str]
    methods: list[MethodView]


@dataclass(frozen=True, slots=True)
class ModuleView:
    """One generated module. `imports` and `exports` are ready lines."""

    package: str
    remark: str
    doc: str
    imports: str
    exports: str
    blocks: list[str]
