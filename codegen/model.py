"""From the syntax tree to what the templates see."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from . import ast, naming
from .layout import (
    Array,
    BinderValue,
    FileDescriptorValue,
    ParcelableValue,
    Scalar,
    Slot,
    Step,
    String,
    Unsupported,
    WireType,
    body_slots,
    request_slots,
    result_slot,
    steps,
    wire_type,
)
from .marshal import Marshal
from .text import assign_names, call, conditional, docstring, literal, sequence
from .views import EnumView, FunctionView, InterfaceView, MemberView, MethodView, ParcelableView

# Inside of a class, and inside of a method of it.
_IN_CLASS = 4
_IN_METHOD = 8

# What a scalar without a default is, where that is not 0.
_ZERO: dict[str, ast.ConstValue] = {"z": False, "c": "\0", "f": 0.0, "d": 0.0}

# Parcelables whose bytes the runtime knows, and the classes that do.
BUILT_IN_PARCELABLES = {"android.os.PersistableBundle": "PersistableBundle"}


@dataclass(frozen=True, slots=True)
class Release:
    """What a frozen interface says of itself; version 0 for one that is not frozen."""

    version: int = 0
    hash: str = ""


@dataclass(frozen=True, slots=True)
class Prelude:
    """What a class needs in front of it, at module level: rows of data, then functions."""

    rows: list[str] = field(default_factory=list)
    functions: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Code:
    """Statements that write and read slots; `values` are expressions for what was read."""

    write: list[str]
    read: list[str]
    values: list[str]


@dataclass(frozen=True, slots=True)
class _Context:
    """Where statements will stand. In a body, an older peer may have sent only the first slots."""

    run_name: str
    prelude: Prelude
    indent: int
    source: str = ""
    in_body: bool = False


def _constant_name(path: str) -> str:
    """`WorkInfo` -> `WORK_INFO`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", path.replace(".", "_")).upper()


def is_required(type_: WireType) -> bool:
    """Whether a field of this type has no value that it could default to."""
    if isinstance(type_, Scalar | String) or type_.nullable:
        return False
    if isinstance(type_, Array):
        return bool(type_.count) and is_required(type_.element)
    if isinstance(type_, ParcelableValue) and isinstance(type_.declaration, ast.Parcelable):
        return any(is_required(wire_type(field.type)) for field in type_.declaration.fields)
    return isinstance(type_, BinderValue | FileDescriptorValue)


class ModelBuilder:
    """Builds views for the declarations of one module.

    Args:
        package: the AIDL package.
        release: what its interfaces answer to version and hash queries.
        nested: renders a nested declaration, given it and a place for its prelude.
    """

    def __init__(
        self,
        package: str,
        release: Release,
        nested: Callable[[ast.Declaration, Prelude], str],
    ) -> None:
        self.package = package
        self.release = release
        self.imported_packages: set[str] = set()
        self._nested = nested
        self._marshal = Marshal(self.spell)

    def spell(self, declaration: ast.Declaration) -> str:
        """A declaration's class, as this module writes it."""
        if isinstance(declaration, ast.UnstructuredParcelable):
            known = BUILT_IN_PARCELABLES.get(declaration.qualified_name)
            if known is None:
                raise Unsupported(
                    f"{declaration.qualified_name} is unstructured, and no Python class is known for it",
                    declaration.span,
                )
            return known
        path = naming.type_path(declaration)
        if declaration.package == self.package:
            return path
        self.imported_packages.add(declaration.package)
        return f"{naming.module_alias(declaration.package)}.{path}"

    # --- enums and constants -----------------------------------------------------------------

    def enum(self, enum: ast.Enum) -> EnumView:
        members = [
            MemberView(
                naming.member_name(enum, item.name), str(item.value), doc=docstring(_IN_CLASS, item.doc)
            )
            for item in enum.enumerators
        ]
        return EnumView(naming.type_name(enum.name), docstring(_IN_CLASS, enum.doc), members)

    def _constants(self, declaration: ast.Declaration) -> list[MemberView]:
        python_types = {
            "String": "str",
            "char": "str",
            "boolean": "bool",
            "float": "float",
            "double": "float",
        }
        return [
            MemberView(
                naming.member_name(declaration, constant.name),
                literal(constant.value),
                f"ClassVar[{python_types.get(constant.type.name, 'int')}]",
                docstring(_IN_CLASS, constant.doc),
            )
            for constant in declaration.constants
        ]

    # --- slots ---------------------------------------------------------------------------------

    def _code(self, slots: Sequence[Slot], names: Sequence[str], context: _Context) -> _Code:
        """Statements for slots in order, and the values they leave in the local variables `names`."""
        code = _Code([], [], [])
        local = dict(zip((slot.name for slot in slots), names, strict=True))
        for step in steps(slots):
            if step.is_run:
                run = f"{context.run_name}_{len(context.prelude.rows)}"
                context.prelude.rows.append(self._run(run, step))
                code.write.append(
                    self._write_run(
                        run, step, [context.source + local[s.name] for s in step.slots], context.indent
                    )
                )
                arguments = f"{run}, end" if context.in_body else run
                targets = [local[slot.name] for slot in step.slots]
                code.read.append(assign_names(context.indent, targets, f"parcel.read_run({arguments})"))
                code.values.extend(
                    self._marshal.unpacked(slot.type, local[slot.name])
                    for slot in step.slots
                    if isinstance(slot.type, Scalar)
                )
            else:
                (slot,) = step.slots
                name = local[slot.name]
                code.write.append(self._marshal.write(slot.type, context.source + name, slot.name))
                if context.in_body:
                    code.read.append(self._read_if_sent(slot, name))
                else:
                    code.read.append(f"{name} = {self._marshal.read(slot.type)}")
                code.values.append(self._value_read(slot, name, context))
        return code

    # --- parcelables ---------------------------------------------------------------------------

    def parcelable(self, parcelable: ast.Parcelable, prelude: Prelude) -> ParcelableView:
        slots = body_slots(parcelable)
        names = [naming.member_name(parcelable, slot.name) for slot in slots]
        run_name = f"_{_constant_name(naming.type_path(parcelable))}"
        code = self._code(slots, names, _Context(run_name, prelude, _IN_METHOD, "self.", in_body=True))
        return ParcelableView(
            name=naming.type_name(parcelable.name),
            doc=docstring(_IN_CLASS, parcelable.doc),
            constants=self._constants(parcelable),
            fields=[self._field(slot, name) for slot, name in zip(slots, names, strict=True)],
            nested=[self._nested(declaration, prelude) for declaration in parcelable.nested],
            write=code.write,
            read=code.read,
            construct=self._construct(slots, names, code.values),
        )

    def _run(self, name: str, step: Step) -> str:
        letters = "".join(slot.type.letter for slot in step.slots if isinstance(slot.type, Scalar))
        defaults = [_wire_default(slot) for slot in step.slots]
        row = f"({', '.join(defaults)})"
        return call(
            0, f"{name} = Run", [f'"{letters}"', f'"{" ".join(s.name for s in step.slots)}"', row], ""
        )

    def _write_run(self, run: str, step: Step, values: Sequence[str], indent: int) -> str:
        packed = [
            self._marshal.packed(slot.type, value)
            for slot, value in zip(step.slots, values, strict=True)
            if isinstance(slot.type, Scalar)
        ]
        return call(indent, "parcel.write_run", [run, *packed], "")

    def _read_all(self, slots: Sequence[Slot], code: _Code) -> list[str]:
        """Statements that read a whole request and return it as a tuple."""
        if any(step.is_run for step in steps(slots)):
            return [*code.read, sequence(_IN_CLASS, code.values, "return ")]
        return [sequence(_IN_CLASS, [self._marshal.read(slot.type) for slot in slots], "return ")]

    def _read_if_sent(self, slot: Slot, name: str) -> str:
        """A statement that reads a field, or sets it to its default where an older peer ends before it."""
        if is_required(slot.type):
            text, fallback = self._marshal.read(_as_nullable(slot.type)), "None"
        else:
            text, fallback = self._marshal.read(slot.type), self._default(slot)
        return conditional(_IN_METHOD, name, text, "parcel.position < end", fallback)

    @staticmethod
    def _value_read(slot: Slot, name: str, context: _Context) -> str:
        """What a local variable is good for: a required field must not have stayed None."""
        return f"parcel.non_null({name})" if context.in_body and is_required(slot.type) else name

    def _construct(self, slots: Sequence[Slot], names: Sequence[str], values: Sequence[str]) -> str:
        given = list(zip(slots, names, values, strict=True))
        # Fields that have no default are given by name, behind the others.
        items = [value for slot, _, value in given if not is_required(slot.type)]
        items += [f"{name}={value}" for slot, name, value in given if is_required(slot.type)]
        return call(_IN_METHOD, "return cls", items, "")

    def _field(self, slot: Slot, name: str) -> MemberView:
        default = self._default(slot)
        if is_required(slot.type):
            value = "field(kw_only=True)"
        elif _is_plain_default(slot.type, default):
            value = default
        else:
            factory = "list" if default == "[]" else f"lambda: {default}"
            value = f"field(default_factory={factory})"
        annotation = self._marshal.annotation(slot.type)
        doc = docstring(_IN_CLASS, slot.field.doc) if slot.field else ""
        return MemberView(name, value, annotation, doc)

    def _default(self, slot: Slot) -> str:
        """The expression for what a field is unless something else is said."""
        declared = slot.field.default_value if slot.field else None
        return self._value(slot.type, declared)

    def _value(self, type_: WireType, value: ast.ConstValue) -> str:
        match type_:
            case Scalar(letter, enum):
                if enum is not None:
                    return self._enumerator(enum, value if isinstance(value, int) else 0)
                return literal(_ZERO.get(letter, 0) if value is None else value)
            case String(nullable):
                return "None" if value is None and nullable else literal("" if value is None else value)
            case Array():
                return self._array_value(type_, value)
            case ParcelableValue(declaration, False):
                return f"{self.spell(declaration)}()"
            case _:
                return "None"

    def _array_value(self, type_: Array, value: ast.ConstValue) -> str:
        if value is None and type_.nullable:
            return "None"
        items = value if isinstance(value, list) else [None] * (type_.count or 0)
        if isinstance(type_.element, Scalar) and type_.element.letter == "b" and not type_.element.enum:
            numbers = [item if isinstance(item, int) else 0 for item in items]
            if not any(numbers):
                return f"bytes({len(numbers)})" if numbers else 'b""'
            return f"bytes([{', '.join(str(number & 0xFF) for number in numbers)}])"
        return f"[{', '.join(self._value(type_.element, item) for item in items)}]"

    def _enumerator(self, enum: ast.Enum, number: int) -> str:
        for item in enum.enumerators:
            if item.value == number:
                return f"{self.spell(enum)}.{naming.member_name(enum, item.name)}"
        return f"{self.spell(enum)}({number})"

    # --- interfaces ------------------------------------------------------------------------------

    def interface(self, interface: ast.Interface, prelude: Prelude) -> InterfaceView:
        methods = [self._method(interface, method, prelude) for method in interface.methods]
        rows = sequence(_IN_METHOD, [view.row for view in methods])
        arguments = [f'"{interface.descriptor}"', rows]
        if self.release.version:
            arguments += [f"version={self.release.version}", f'hash="{self.release.hash}"']
        if interface.annotation("VintfStability"):
            arguments.append("stability=Stability.VINTF")
        return InterfaceView(
            name=naming.type_name(interface.name),
            proxy=naming.role_name(interface.name, "Bp"),
            stub=naming.role_name(interface.name, "Bn"),
            doc=docstring(_IN_CLASS, interface.doc),
            info=call(_IN_CLASS, "aidl: ClassVar[InterfaceInfo] = InterfaceInfo", arguments, ""),
            constants=self._constants(interface),
            nested=[self._nested(declaration, prelude) for declaration in interface.nested],
            methods=methods,
        )

    def _method(self, interface: ast.Interface, method: ast.Method, prelude: Prelude) -> MethodView:
        name = naming.member_name(interface, method.name)
        row = f"_{naming.type_path(interface).replace('.', '_')}_{method.name}"
        slots = request_slots(method)
        result = result_slot(method)
        parameters = [naming.parameter_name(slot.name) for slot in slots]
        types = [self._marshal.annotation(slot.type) for slot in slots]
        typed = [f"{parameter}: {type_}" for parameter, type_ in zip(parameters, types, strict=True)]
        returns = self._marshal.annotation(result.type) if result else "None"
        functions: list[FunctionView] = []
        references: list[str] = []

        def add(role: str, parameters: Sequence[str], returns: str, body: list[str]) -> None:
            signature = call(0, f"def {row}_{role}", parameters, f" -> {returns}:")
            functions.append(FunctionView(signature, body))
            references.append(f"{role}={row}_{role}")

        if slots:
            code = self._code(slots, parameters, _Context(f"{row}_run", prelude, _IN_CLASS))
            add("write_request", ["parcel: Parcel", *typed], "None", code.write)
            add("read_request", ["parcel: Parcel"], f"tuple[{', '.join(types)}]", self._read_all(slots, code))
        if result:
            write = [self._marshal.write(result.type, "result", "the result")]
            add("write_reply", ["parcel: Parcel", f"result: {returns}"], "None", write)
            add("read_reply", ["parcel: Parcel"], returns, [f"return {self._marshal.read(result.type)}"])
        quoted = [f'"{slot.name}"' for slot in slots]
        arguments = [f'"{method.name}"', str(method.id + 1)]
        if slots:
            arguments.append(f"({', '.join(quoted)}{',' if len(quoted) == 1 else ''})")
        if method.oneway:
            arguments.append("oneway=True")
        if name != method.name:
            arguments.append(f'attribute="{name}"')
        return MethodView(
            row=row,
            row_text=call(0, f"{row}: Method[{returns}] = Method", arguments + references, ""),
            signature=call(_IN_CLASS, f"def {name}", ["self", *typed], f" -> {returns}:"),
            call=call(_IN_METHOD, "return self._call", [row, *parameters], ""),
            doc=docstring(_IN_METHOD, method.doc),
            functions=functions,
        )


def _as_nullable(type_: WireType) -> WireType:
    match type_:
        case ParcelableValue(declaration):
            return ParcelableValue(declaration, True)
        case BinderValue(declaration):
            return BinderValue(declaration, True)
        case FileDescriptorValue(parcel):
            return FileDescriptorValue(parcel, True)
        case _:
            return type_


def _is_plain_default(type_: WireType, default: str) -> bool:
    """Whether a default may be shared by all instances, and is known when the class is made."""
    if default == "None" or isinstance(type_, String):
        return True
    if isinstance(type_, Scalar):
        # Top-level enums of the same module come first in it; others may not be there yet.
        return type_.enum is None or (default.count(".") == 1 and type_.enum.parent is None)
    return isinstance(type_, Array) and default.startswith(('b"', "bytes("))


def _wire_default(slot: Slot) -> str:
    """A field's default as a run holds it: numbers only."""
    value = slot.field.default_value if slot.field else None
    if isinstance(value, str):
        return str(ord(value))
    return literal(int(value) if isinstance(value, bool) else value if isinstance(value, int | float) else 0)
