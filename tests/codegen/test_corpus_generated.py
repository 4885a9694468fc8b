"""What is generated from the corpus is clean Python, and its values take the bytes that are announced."""

from __future__ import annotations

import importlib
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias, get_type_hints

import pytest

from binder import Method, Parcel
from codegen import ast, naming
from codegen.layout import ParcelableValue, Scalar, Slot, body_slots, reply_slots, request_slots
from codegen.wire import describe, fixed_size

from .generated_corpus import ROOT, Something, documents, importable, python_class, write_modules

Corpus: TypeAlias = list[ast.Document]
SOMETHING = Something()


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Corpus]]:
    """A folder with the generated package, which can be imported, and what it was made from."""
    folder = tmp_path_factory.mktemp("generated")
    corpus = documents()
    write_modules(corpus, folder)
    with importable(folder):
        yield folder, corpus


def structures(corpus: Corpus) -> list[ast.Parcelable | ast.Union]:
    """All whose bytes AIDL defines."""
    return [
        declaration
        for document in corpus
        for outer in document.declarations
        for declaration in outer.walk()
        if isinstance(declaration, ast.Parcelable | ast.Union) and can_be_made(declaration)
    ]


def can_be_made(declaration: ast.Parcelable | ast.Union) -> bool:
    """Whether nothing in it has bytes that are not defined by AIDL."""
    return not any(
        isinstance(slot.type, ParcelableValue)
        and isinstance(slot.type.declaration, ast.UnstructuredParcelable)
        for slot in body_slots(declaration)
    )


def run_tool(folder: Path, *command: str) -> str:
    """What a tool has to say of the tree, "" if it is content."""
    done = subprocess.run(
        [sys.executable, "-m", *command, ROOT],
        cwd=folder,
        env={**os.environ, "MYPYPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout + done.stderr if done.returncode else ""


def test_types_are_strict(tree: tuple[Path, Corpus]) -> None:
    assert run_tool(tree[0], "mypy", "--strict", f"--cache-dir={tree[0]}/cache") == ""


@pytest.mark.parametrize("rules", [[], ["--select", "E4,E7,E9,F,I,W"]])
def test_the_linter_is_content(tree: tuple[Path, Corpus], rules: list[str]) -> None:
    assert run_tool(tree[0], "ruff", "check", "--isolated", "--no-cache", *rules) == ""


def test_every_type_has_its_class(tree: tuple[Path, Corpus]) -> None:
    for document in tree[1]:
        for outer in document.declarations:
            for declaration in outer.walk():
                cls = python_class(declaration)
                assert cls.__module__ == ".".join([ROOT, *naming.module_parts(declaration.package)])


@pytest.mark.parametrize("package", ["imports.other", "imports", "imports.other.deep"])
def test_modules_that_use_each_other_can_be_imported_in_any_order(
    tree: tuple[Path, Corpus], package: str
) -> None:
    before = {name: sys.modules.pop(name) for name in list(sys.modules) if name.startswith(ROOT)}
    try:
        assert importlib.import_module(f"{ROOT}.corpus.{package}").__all__
    finally:
        sys.modules.update(before)


def test_defaults_are_read_as_they_were_written(tree: tuple[Path, Corpus]) -> None:
    for declaration in structures(tree[1]):
        value = SOMETHING.parcelable(declaration)
        parcel = Parcel()
        parcel.write_parcelable(value)
        again = parcel.rewind().read_parcelable(type(value))
        assert parcel.remaining == 0, declaration.qualified_name
        assert without_files(again) == without_files(value), declaration.qualified_name


def by_both_ways(value: Any, monkeypatch: pytest.MonkeyPatch) -> tuple[bytes | None, bytes, Any, Any]:
    """A value's bytes by the short way and by the long one, and what either way reads."""
    long = Parcel()
    value.write_to(long)
    short_read = type(value).read_from(long.rewind())
    assert long.remaining == 0
    with monkeypatch.context() as patch:
        patch.setattr(Parcel, "read_fixed_body", lambda parcel, body: None)
        long_read = type(value).read_from(long.rewind())
    return value.pack_body(), bytes(long), short_read, long_read


def test_the_short_way_leads_where_the_long_one_does(
    tree: tuple[Path, Corpus], monkeypatch: pytest.MonkeyPatch
) -> None:
    taken = 0
    for declaration in structures(tree[1]):
        value = SOMETHING.parcelable(declaration)
        values = [value]
        if isinstance(declaration, ast.Parcelable):
            bare = {
                naming.member_name(declaration, slot.name): None
                for slot in body_slots(declaration)
                if not isinstance(slot.type, Scalar) and slot.type.nullable
            }
            values.append(replace(value, **bare))
        for each in values:
            short, long, short_read, long_read = by_both_ways(each, monkeypatch)
            assert short in (None, long), declaration.qualified_name
            assert without_files(short_read) == without_files(long_read), declaration.qualified_name
            taken += short is not None
    assert taken > 20


def without_files(value: Any) -> str:
    """As text, in which descriptors that were copied are alike."""
    return re.sub(r"ParcelFileDescriptor\([^)]*\)", "a file", repr(value))


def test_structures_take_the_bytes_that_are_announced(tree: tuple[Path, Corpus]) -> None:
    checked = 0
    for declaration in structures(tree[1]):
        if isinstance(declaration, ast.Union):
            checked += sum(check_member(declaration, number) for number in range(len(declaration.fields)))
            continue
        size = fixed_size(ParcelableValue(declaration, False))
        if size is not None:
            parcel = Parcel()
            parcel.write_parcelable(SOMETHING.parcelable(declaration))
            assert len(parcel) == size, declaration.qualified_name
            checked += 1
    assert checked > 150


def check_member(union: ast.Union, number: int) -> bool:
    size = fixed_size(body_slots(union)[number].type)
    if size is None:
        return False
    parcel = Parcel()
    parcel.write_parcelable(SOMETHING.member(union, number))
    assert len(parcel) == 8 + size, f"{union.qualified_name}, member {number}"
    return True


def test_requests_and_replies_take_the_bytes_that_are_announced(tree: tuple[Path, Corpus]) -> None:
    checked = 0
    for document in tree[1]:
        announced = {
            (table.facts["interface"], table.facts["method"], table.kind.removeprefix("oneway ")): [
                row.size for row in table.rows
            ]
            for table in describe(document)
            if table.kind in ("request", "reply")
        }
        for outer in document.declarations:
            for interface in outer.walk():
                if isinstance(interface, ast.Interface):
                    checked += check_methods(interface, announced)
    assert checked > 200


def check_methods(interface: ast.Interface, announced: dict[Any, list[int | None]]) -> int:
    """Returns how many requests and replies there were whose size is fixed."""
    checked = 0
    rows = {row.name: row for row in python_class(interface).aidl.methods}
    for method in interface.methods:
        for kind, slots in (("request", request_slots(method)), ("reply", reply_slots(method))):
            sizes = announced.get((interface.descriptor, method.name, kind), [None])
            if None in sizes:
                continue
            parcel = Parcel()
            if kind == "request":
                parcel.write_interface_token(interface.descriptor)
                rows[method.name].write_request(parcel, *values(slots))
            else:
                parcel.write_int32(0)
                rows[method.name].write_reply(parcel, result(rows[method.name], values(slots)))
            assert len(parcel) == sum(filter(None, sizes)), f"{interface.path}.{method.name} {kind}"
            checked += 1
    return checked


def result(row: Method[Any], values: tuple[Any, ...]) -> Any:
    """What a method returns: nothing, one value, or a tuple with names."""
    if not values:
        return None
    kind = get_type_hints(row.write_reply)["result"]
    return kind(*values) if isinstance(kind, type) and issubclass(kind, tuple) else values[0]


def values(slots: list[Slot]) -> tuple[Any, ...]:
    return tuple(SOMETHING.of(slot.type) for slot in slots)
