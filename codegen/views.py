"""What the templates see: names and ready text, no types to decide about."""

from __future__ import annotations

from dataclasses import dataclass


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
    constants: list[MemberView]
    fields: list[MemberView]
    nested: list[str]
    write: list[str]
    read: list[str]
    construct: str


@dataclass(frozen=True, slots=True)
class FunctionView:
    """A function at module level that writes or reads part of a transaction."""

    signature: str
    body: list[str]


@dataclass(frozen=True, slots=True)
class MethodView:
    """A method, and the row that says how it is called over binder.

    Attributes:
        row: the row's name at module level; `row_text` defines it.
        signature, call: for the abstract method and for the proxy.
    """

    row: str
    row_text: str
    signature: str
    call: str
    doc: str
    functions: list[FunctionView]


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
