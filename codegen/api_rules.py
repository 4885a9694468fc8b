"""What breaks those who were built against an older version of an API, one rule each.

A rule looks at two versions and yields the places where it is broken. All of them answer as
`aidl --checkapi` of Android 14 does; what they say is in this project's words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from .api_text import KINDS, annotation_text, annotations_of, constant_text, default_text, type_text
from .api_versions import Typed, Versions, by_name, fields, methods, typed_parts, types
from .ast import Declaration, Enum, Field, Interface, Method, Parcelable, UnstructuredParcelable
from .resolve import PRIMITIVES
from .source import Span

Found: TypeAlias = Iterator[tuple[Span, str]]


@dataclass(frozen=True, slots=True)
class ApiRule:
    """`help` says what to do about it, in one line."""

    slug: str
    help: str
    find: Callable[[Versions], Found]


RULES: list[ApiRule] = []


def _rule(slug: str, help_: str) -> Callable[[Callable[[Versions], Found]], Callable[[Versions], Found]]:
    def add(find: Callable[[Versions], Found]) -> Callable[[Versions], Found]:
        RULES.append(ApiRule(slug, help_, find))
        return find

    return add


# --- types ---


@_rule("removed-type", "A type stays for good; mark it @deprecated.")
def removed_type(versions: Versions) -> Found:
    for name, old in versions.old.items():
        if name not in versions.new:
            yield old.span, f"{name} is gone"


@_rule("changed-kind", "Declare a new type beside it.")
def changed_kind(versions: Versions) -> Found:
    for old, new in versions.both():
        if type(old) is not type(new):
            yield new.span, f"{old.qualified_name} was {_kind(old)} and is {_kind(new)}"


def _kind(declaration: Declaration) -> str:
    word = KINDS[type(declaration)]
    body = " without a body" if isinstance(declaration, UnstructuredParcelable) else ""
    return f"{'an' if word[0] in 'ie' else 'a'} {word}{body}"


_NO_MATTER = frozenset(
    {
        *("nullable", "JavaDerive", "JavaDefault", "JavaDelegator", "JavaOnlyImmutable", "JavaPassthrough"),
        *("JavaSuppressLint", "RustDerive", "SuppressWarnings"),
    }
)
"""Annotations that come and go without anybody else noticing."""


@_rule("changed-annotation", "Only @nullable, and those that concern one language, may change.")
def changed_annotation(versions: Versions) -> Found:
    for old, new in versions.both():
        yield from _annotations_changed(old, new, new.qualified_name)
    for old_part, new_part, name in typed_parts(versions):
        yield from _annotations_changed(old_part, new_part, name)


def _annotations_changed(old: Declaration | Typed, new: Declaration | Typed, name: str) -> Found:
    before, after = (
        {annotation_text(a) for a in annotations_of(each) if a.name not in _NO_MATTER} for each in (old, new)
    )
    if before != after:
        changes = [f"{text} is gone" for text in sorted(before - after)]
        changes += [f"{text} is new" for text in sorted(after - before)]
        yield new.span, f"annotations of {name} changed: {', '.join(changes)}"


@_rule("changed-type", "Add another member, and keep this one as it was.")
def changed_type(versions: Versions) -> Found:
    for old, new, name in typed_parts(versions):
        before, after = (type_text(t.returns if isinstance(t, Method) else t.type) for t in (old, new))
        if before != after:
            yield new.span, f"{name} was {before} and is {after}"


# --- interfaces ---


@_rule("removed-method", "A method stays for good; mark it @deprecated.")
def removed_method(versions: Versions) -> Found:
    for old, new in versions.of(Interface):
        for method, same in by_name(old.methods, new.methods):
            if same is None:
                yield method.span, f"{old.qualified_name}.{method.name} is gone"


@_rule("changed-parameters", "Add a method with the new parameters, and keep this one as it was.")
def changed_parameters(versions: Versions) -> Found:
    for old, new in versions.of(Interface):
        for method, same in by_name(old.methods, new.methods):
            if same is not None and types(method) != types(same):
                before, after = (f"({', '.join(types(each))})" for each in (method, same))
                name = f"{new.qualified_name}.{same.name}"
                yield same.span, f"the parameters of {name} were {before} and are {after}"


@_rule("changed-id", "Add new methods after all others, or number all of them.")
def changed_id(versions: Versions) -> Found:
    for method, same, name in methods(versions):
        if method.id != same.id:
            yield same.span, f"{name} had the id {method.id} and has {same.id}"


@_rule("changed-oneway", "Add another method.")
def changed_oneway(versions: Versions) -> Found:
    for method, same, name in methods(versions):
        if method.oneway != same.oneway:
            yield same.span, f"{name} was {'' if method.oneway else 'not '}oneway"


@_rule("changed-direction", "Add another method.")
def changed_direction(versions: Versions) -> Found:
    for method, same, name in methods(versions):
        for old, new in zip(method.parameters, same.parameters, strict=True):
            before, after = old.direction or "in", new.direction or "in"
            if before != after:
                yield new.span, f"{new.name} of {name} was {before} and is {after}"


# --- parcelables and unions ---


@_rule("removed-field", "A field stays for good; mark it @deprecated.")
def removed_field(versions: Versions) -> Found:
    for old, new in versions.structures():
        if len(new.fields) < len(old.fields):
            present = {field.name for field in new.fields}
            gone = ", ".join(field.name for field in old.fields if field.name not in present)
            counts = f"{len(old.fields)} fields and has {len(new.fields)}"
            yield new.span, f"{new.qualified_name} had {counts}" + (f"; gone: {gone}" if gone else "")


@_rule("moved-field", "Fields keep their places; new ones come last.")
def moved_field(versions: Versions) -> Found:
    for old, new in versions.structures():
        places = {field.name: (place, field) for place, field in enumerate(new.fields)}
        for place, field in enumerate(old.fields):
            now, same = places.get(field.name, (place, field))
            if now != place:
                name = f"{new.qualified_name}.{field.name}"
                yield same.span, f"{name} was field {place} and is field {now}, counted from 0"


@_rule("changed-default", "Who omits the field relies on the old value; add another field.")
def changed_default(versions: Versions) -> Found:
    for old, new, name in fields(versions):
        before, after = default_text(old), default_text(new)
        if type_text(old.type) != type_text(new.type) or (not before and _is_zero(new)):
            continue
        if before != after:
            yield new.span, f"the default of {name} was {before or 'not given'} and is {after or 'not given'}"


def _is_zero(field: Field) -> bool:
    """Whether the default is what an enum is anyway. Stating it is fine; to stop stating it is not."""
    return isinstance(field.type.declaration, Enum) and field.default_value == 0


@_rule("new-field-default", "Older peers do not send it: give it a default, or make it @nullable.")
def new_field_default(versions: Versions) -> Found:
    for old, new in versions.of(Parcelable):
        for field in new.fields[len(old.fields) :]:
            if not _has_default(field):
                enum = field.type.declaration if isinstance(field.type.declaration, Enum) else None
                reason = f", and {enum.path} has no 0" if enum else ""
                yield field.span, f"the new field {new.qualified_name}.{field.name} has no default{reason}"


def _has_default(field: Field) -> bool:
    if field.default is not None or field.type.nullable:
        return True
    if isinstance(field.type.declaration, Enum):
        return any(enumerator.value == 0 for enumerator in field.type.declaration.enumerators)
    return field.type.name in PRIMITIVES and not field.type.dimensions


@_rule("fixed-size", "Declare a new type beside it.")
def fixed_size(versions: Versions) -> Found:
    for old, new in versions.structures():
        if old.annotation("FixedSize") and len(old.fields) < len(new.fields):
            counts = f"{len(old.fields)} fields and has {len(new.fields)}"
            yield new.span, f"{new.qualified_name} is @FixedSize, but had {counts}"


# --- constants and enumerators ---


@_rule("removed-constant", "A constant stays for good; mark it @deprecated.")
def removed_constant(versions: Versions) -> Found:
    for old, new in versions.both():
        for constant, same in by_name(old.constants, new.constants):
            if same is None:
                yield constant.span, f"{old.qualified_name}.{constant.name} is gone"


@_rule("changed-constant", "The old value is compiled into those who use it; add another constant.")
def changed_constant(versions: Versions) -> Found:
    for old, new in versions.both():
        for constant, same in by_name(old.constants, new.constants):
            if same is not None and type_text(constant.type) == type_text(same.type):
                before, after = constant_text(constant), constant_text(same)
                if before != after:
                    yield same.span, f"{new.qualified_name}.{same.name} was {before} and is {after}"


@_rule("removed-enumerator", "An enumerator stays for good; mark it @deprecated.")
def removed_enumerator(versions: Versions) -> Found:
    for old, new in versions.of(Enum):
        for enumerator, same in by_name(old.enumerators, new.enumerators):
            if same is None:
                yield new.span, f"{new.qualified_name}.{enumerator.name} is gone"


@_rule("changed-enumerator", "Add new ones after all others, or give each its value.")
def changed_enumerator(versions: Versions) -> Found:
    for old, new in versions.of(Enum):
        for enumerator, same in by_name(old.enumerators, new.enumerators):
            if same is not None and enumerator.value != same.value:
                name = f"{new.qualified_name}.{same.name}"
                yield same.span, f"{name} was {enumerator.value} and is {same.value}"
