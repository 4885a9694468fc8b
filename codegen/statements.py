"""Statements that write and read slots in order, neighbours of fixed size in one go."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from .defaults import Defaults, is_required, wire_default
from .layout import BinderValue, FileDescriptorValue, ParcelableValue, Scalar, Slot, Step, WireType, steps
from .marshal import Marshal
from .text import assign_names, call, conditional, sequence

# Inside of a class or a function, and inside of a method.
IN_CLASS = 4
IN_METHOD = 8
IN_CASE = 16


@dataclass(frozen=True, slots=True)
class Prelude:
    """What a class needs in front of it, at module level: rows of data, then functions."""

    rows: list[str] = field(default_factory=list)
    functions: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Code:
    """Statements that write and read slots; `values` are expressions for what was read."""

    write: list[str]
    read: list[str]
    values: list[str]


@dataclass(frozen=True, slots=True)
class Context:
    """Where statements will stand. In a body, an older peer may have sent only the first slots."""

    run_name: str
    prelude: Prelude
    indent: int
    source: str = ""
    in_body: bool = False


class Statements:
    """Writes the text."""

    def __init__(self, marshal: Marshal, defaults: Defaults) -> None:
        self._marshal = marshal
        self._defaults = defaults

    def code(self, slots: Sequence[Slot], names: Sequence[str], context: Context) -> Code:
        """Statements for slots in order, and the values they leave in the local variables `names`."""
        code = Code([], [], [])
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

    def _run(self, name: str, step: Step) -> str:
        letters = "".join(slot.type.letter for slot in step.slots if isinstance(slot.type, Scalar))
        defaults = [wire_default(slot) for slot in step.slots]
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

    def read_all(self, slots: Sequence[Slot], code: Code) -> list[str]:
        """Statements that read a whole request and return it as a tuple."""
        if any(step.is_run for step in steps(slots)):
            return [*code.read, sequence(IN_CLASS, code.values, "return ")]
        return [sequence(IN_CLASS, [self._marshal.read(slot.type) for slot in slots], "return ")]

    def _read_if_sent(self, slot: Slot, name: str) -> str:
        """A statement that reads a field, or sets it to its default where an older peer ends before it."""
        if is_required(slot.type):
            text, fallback = self._marshal.read(_as_nullable(slot.type)), "None"
        else:
            text, fallback = self._marshal.read(slot.type), self._defaults.expression(slot)
        return conditional(IN_METHOD, name, text, "parcel.position < end", fallback)

    @staticmethod
    def _value_read(slot: Slot, name: str, context: Context) -> str:
        """What a local variable is good for: a required field must not have stayed None."""
        return f"parcel.non_null({name})" if context.in_body and is_required(slot.type) else name


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
