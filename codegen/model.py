"""From values (enums, constants, parcelables, unions) to what their templates see."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from . import ast, naming
from .bodies import ShortBody, short_body
from .defaults import Defaults, is_required
from .layout import Slot, body_slots, is_vintf
from .marshal import Marshal
from .spelling import Spelling
from .statements import IN_CASE, IN_CLASS, IN_METHOD, Context, Prelude, Statements
from .text import call, docstring, literal
from .views import EnumView, MemberView, OpaqueView, ParcelableView, UnionMemberView, UnionView

Nested = Callable[[ast.Declaration, Prelude], str]
"""Renders a nested declaration, given it and a place for its prelude."""

_CONSTANT_TYPES = {"String": "str", "char": "str", "boolean": "bool", "float": "float", "double": "float"}


def _constant_name(path: str) -> str:
    """`WorkInfo` -> `WORK_INFO`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", path.replace(".", "_")).upper()


def constants(declaration: ast.Declaration) -> list[MemberView]:
    """The constants of any declaration."""
    return [
        MemberView(
            naming.constant_name(declaration, constant.name),
            literal(constant.value),
            f"ClassVar[{_CONSTANT_TYPES.get(constant.type.name, 'int')}]",
            docstring(IN_CLASS, constant.doc),
        )
        for constant in declaration.constants
    ]


def _info(declaration: ast.Declaration) -> str:
    """What a parcelable's class says of itself."""
    arguments = [f'"{declaration.qualified_name}"']
    if is_vintf(declaration):
        arguments.append("stability=Stability.VINTF")
    return call(IN_CLASS, "aidl: ClassVar[ParcelableInfo] = ParcelableInfo", arguments, "")


class ModelBuilder:
    """Builds views for the values of one module.

    Args:
        spelling: how the module spells types.
        nested: renders declarations inside of others.
    """

    def __init__(self, spelling: Spelling, nested: Nested) -> None:
        self._nested = nested
        self._defaults = Defaults(spelling)
        self.marshal = Marshal(spelling)
        self.statements = Statements(self.marshal, self._defaults)

    def enum(self, enum: ast.Enum) -> EnumView:
        members = [
            MemberView(
                naming.member_name(enum, item.name), str(item.value), doc=docstring(IN_CLASS, item.doc)
            )
            for item in enum.enumerators
        ]
        return EnumView(naming.type_name(enum.name), docstring(IN_CLASS, enum.doc), members)

    def opaque(self, parcelable: ast.UnstructuredParcelable) -> OpaqueView:
        name = naming.type_path(parcelable)
        return OpaqueView(name, docstring(IN_CLASS, parcelable.doc), _info(parcelable))

    def parcelable(self, parcelable: ast.Parcelable, prelude: Prelude) -> ParcelableView:
        slots = body_slots(parcelable)
        names = [naming.member_name(parcelable, slot.name) for slot in slots]
        run_name = f"_{_constant_name(naming.type_path(parcelable))}"
        code = self.statements.code(
            slots, names, Context(run_name, prelude, IN_METHOD, "self.", in_body=True)
        )
        short = short_body(slots, names, run_name, self.marshal) or ShortBody()
        prelude.rows.extend(short.rows)
        return ParcelableView(
            name=naming.type_name(parcelable.name),
            doc=docstring(IN_CLASS, parcelable.doc),
            info=_info(parcelable),
            constants=constants(parcelable),
            fields=[self._field(slot, name) for slot, name in zip(slots, names, strict=True)],
            nested=self.nested(parcelable, prelude),
            write=code.write,
            read=code.read,
            construct=self._construct(slots, names, code.values),
            short=short,
        )

    def union(self, union: ast.Union, prelude: Prelude) -> UnionView:
        slots = body_slots(union)
        annotations = dict.fromkeys(self.marshal.annotation(slot.type) for slot in slots)
        tag_enum = next(declaration for declaration in union.nested if declaration.name == "Tag")
        tags = [naming.member_name(tag_enum, slot.name) for slot in slots]
        required = is_required(slots[0].type)
        return UnionView(
            name=naming.type_name(union.name),
            name_in_module=naming.type_path(union),
            doc=docstring(IN_CLASS, union.doc),
            info=_info(union),
            annotation=" | ".join(_none_last(annotations)),
            default_tag="" if required else f" = Tag.{tags[0]}",
            default_value="" if required else f" = {self._defaults.assigned(slots[0])}",
            constants=constants(union),
            nested=self.nested(union, prelude),
            members=[
                self._member(union, slot, tag, number)
                for number, (slot, tag) in enumerate(zip(slots, tags, strict=True))
            ],
        )

    def _member(self, union: ast.Union, slot: Slot, tag: str, number: int) -> UnionMemberView:
        value = f"value: {self.marshal.annotation(slot.type)}"
        name = naming.member_name(union, slot.name)
        return UnionMemberView(
            tag=tag,
            number=number,
            signature=call(IN_CLASS, f"def {name}", ["cls", value], " -> Self:"),
            write=self.marshal.write(slot.type, "value", slot.name),
            read=call(IN_CASE, "return cls", [f"cls.Tag.{tag}", self.marshal.read(slot.type)], ""),
            doc=docstring(IN_METHOD, slot.field.doc) if slot.field else "",
        )

    def nested(self, declaration: ast.Declaration, prelude: Prelude) -> list[str]:
        """What is declared inside of a declaration; enums first, so that defaults can name them."""
        inside = sorted(declaration.nested, key=lambda inner: not isinstance(inner, ast.Enum))
        return [self._nested(inner, prelude) for inner in inside]

    def _construct(self, slots: Sequence[Slot], names: Sequence[str], values: Sequence[str]) -> str:
        given = list(zip(slots, names, values, strict=True))
        # Fields that have no default are given by name, behind the others.
        items = [value for slot, _, value in given if not is_required(slot.type)]
        items += [f"{name}={value}" for slot, name, value in given if is_required(slot.type)]
        return call(IN_METHOD, "return cls", items, "")

    def _field(self, slot: Slot, name: str) -> MemberView:
        value = "field(kw_only=True)" if is_required(slot.type) else self._defaults.assigned(slot)
        doc = docstring(IN_CLASS, slot.field.doc) if slot.field else ""
        return MemberView(name, value, self.marshal.annotation(slot.type), doc)


def _none_last(annotations: Sequence[str] | dict[str, None]) -> list[str]:
    """The parts of a union type, each once, None behind the others."""
    parts = dict.fromkeys(part for text in annotations for part in text.split(" | ") if "[" not in text)
    whole = dict.fromkeys(text for text in annotations if "[" in text)
    merged = [*parts, *(text.removesuffix(" | None") for text in whole)]
    optional = "None" in parts or any(text.endswith(" | None") for text in whole)
    return [part for part in dict.fromkeys(merged) if part != "None"] + (["None"] if optional else [])
