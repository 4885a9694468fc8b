"""From an interface to what its template sees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from . import ast, naming
from .layout import Slot, has_out_parameters, is_vintf, reply_slots, request_slots
from .model import ModelBuilder, constants
from .statements import IN_CLASS, IN_METHOD, Context, Prelude
from .text import call, deprecation, docstring, literal, sequence
from .views import FunctionView, InterfaceView, MemberView, MethodView, ResultView


@dataclass(frozen=True, slots=True)
class Release:
    """What a frozen interface says of itself; version 0 for one that is not frozen."""

    version: int = 0
    hash: str = ""


class InterfaceBuilder:
    """Builds views for the interfaces of one module.

    Args:
        values: builds everything else in the module.
        release: what the interfaces answer to version and hash queries.
    """

    def __init__(self, values: ModelBuilder, release: Release) -> None:
        self._values = values
        self._release = release

    def interface(self, interface: ast.Interface, prelude: Prelude) -> InterfaceView:
        methods = [self._method(interface, method, prelude) for method in interface.methods]
        rows = sequence(IN_METHOD, [view.row for view in methods])
        arguments = [f'"{interface.descriptor}"', rows]
        if self._release.version:
            arguments += [f"version={self._release.version}", f'hash="{self._release.hash}"']
        if is_vintf(interface):
            arguments.append("stability=Stability.VINTF")
        return InterfaceView(
            name=naming.type_name(interface.name),
            proxy=naming.role_name(interface.name, "Bp"),
            stub=naming.role_name(interface.name, "Bn"),
            doc=docstring(IN_CLASS, interface.doc),
            info=call(IN_CLASS, "aidl: ClassVar[InterfaceInfo] = InterfaceInfo", arguments, ""),
            constants=constants(interface),
            nested=self._values.nested(interface, prelude),
            methods=methods,
        )

    def _method(self, interface: ast.Interface, method: ast.Method, prelude: Prelude) -> MethodView:
        name = naming.member_name(interface, method.name)
        row = f"_{naming.type_path(interface).replace('.', '_')}_{method.name}"
        requests, replies = request_slots(method), reply_slots(method)
        parameters = _unclashing([naming.parameter_name(slot.name) for slot in requests])
        types = [self._values.marshal.annotation(slot.type) for slot in requests]
        typed = [f"{parameter}: {type_}" for parameter, type_ in zip(parameters, types, strict=True)]
        result = self._result(interface, method, replies)
        if result:
            returns = f"{naming.type_path(interface)}.{result.name}"
        else:
            returns = self._values.marshal.annotation(replies[0].type) if replies else "None"
        functions: list[FunctionView] = []
        references: list[str] = []

        def add(role: str, parameters: Sequence[str], returns: str, body: list[str]) -> None:
            signature = call(0, f"def {row}_{role}", parameters, f" -> {returns}:")
            functions.append(FunctionView(signature, body))
            references.append(f"{role}={row}_{role}")

        if requests:
            code = self._values.statements.code(
                requests, parameters, Context(f"{row}_run", prelude, IN_CLASS)
            )
            add("write_request", ["parcel: Parcel", *typed], "None", code.write)
            add(
                "read_request",
                ["parcel: Parcel"],
                f"tuple[{', '.join(types)}]",
                self._values.statements.read_all(requests, code),
            )
        if replies:
            items = [item.name for item in result.items] if result else []
            values = [f"result.{item}" for item in items] or ["result"]
            write = [
                self._values.marshal.write(s.type, v, s.name) for s, v in zip(replies, values, strict=True)
            ]
            reads = [self._values.marshal.read(slot.type) for slot in replies]
            add("write_reply", ["parcel: Parcel", f"result: {returns}"], "None", write)
            read = call(IN_CLASS, f"return {returns}", reads, "") if result else f"return {reads[0]}"
            add("read_reply", ["parcel: Parcel"], returns, [read])
        return MethodView(
            row=row,
            row_text=call(
                0,
                f"{row}: Method[{returns}] = Method",
                [*self._row(interface, method, name, requests), *references],
                "",
            ),
            signature=call(IN_CLASS, f"def {name}", ["self", *typed], f" -> {returns}:"),
            call=call(IN_METHOD, "return self._call", [row, *parameters], ""),
            doc=docstring(IN_METHOD, method.doc),
            functions=functions,
            result=result,
        )

    def _result(
        self, interface: ast.Interface, method: ast.Method, replies: Sequence[Slot]
    ) -> ResultView | None:
        """The named tuple that a method with out parameters gives back."""
        if not has_out_parameters(method):
            return None
        taken = {declaration.name for declaration in interface.nested} | {
            member.name for member in [*interface.constants, *interface.methods]
        }
        name = naming.type_name(f"{method.name[0].upper()}{method.name[1:]}Result")
        while name in taken:
            name += "_"
        names = _unclashing([naming.tuple_item_name(slot.name) for slot in replies])
        items = [
            MemberView(item, "", self._values.marshal.annotation(slot.type))
            for item, slot in zip(names, replies, strict=True)
        ]
        return ResultView(name, f'"""What `{method.name}` gives back."""', items)

    @staticmethod
    def _row(interface: ast.Interface, method: ast.Method, name: str, requests: Sequence[Slot]) -> list[str]:
        """What a method's row says of it, its functions aside."""
        arguments = [f'"{method.name}"', str(method.id + 1)]
        if requests:
            arguments.append(sequence(0, [f'"{slot.name}"' for slot in requests]))
        if method.oneway:
            arguments.append("oneway=True")
        if name != method.name:
            arguments.append(f'attribute="{name}"')
        if permission := _permission(interface, method):
            arguments.append(f"permission=Permission({permission})")
        if (note := deprecation(method.doc)) is not None:
            arguments.append(f"deprecated={literal(note or 'there is no other')}")
        return arguments


def _permission(interface: ast.Interface, method: ast.Method) -> str:
    """The arguments of a `Permission`; empty where nothing is demanded."""
    annotation = method.annotation("EnforcePermission") or interface.annotation("EnforcePermission")
    if annotation is None or method.annotation("RequiresNoPermission"):
        return ""
    named = {"value": "all_of", "allOf": "all_of", "anyOf": "any_of"}
    for key, value in annotation.values.items():
        names = value if isinstance(value, list) else [value]
        return f"{named.get(key, 'all_of')}={sequence(0, [literal(name) for name in names])}"
    return ""


def _unclashing(names: Sequence[str]) -> list[str]:
    """The names, those that occur before with underscores added."""
    found: list[str] = []
    for name in names:
        while name in found:
            name += "_"
        found.append(name)
    return found
