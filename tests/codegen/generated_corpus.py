"""Python generated from the whole corpus, and objects of its classes."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from inspect import isabstract
from pathlib import Path
from typing import Any

from binder import Binder, ParcelFileDescriptor, Stub
from codegen import ast, naming
from codegen.defaults import is_required
from codegen.diagnostics import Diagnostics
from codegen.interface_model import Release
from codegen.layout import (
    Array,
    BinderValue,
    FileDescriptorValue,
    HolderValue,
    MapValue,
    ParcelableValue,
    Scalar,
    String,
    WireType,
    body_slots,
)
from codegen.render import module_path, package_markers, render_module

from .agreement import compile_ours
from .aidl_files import write_files
from .corpus_files import ACCEPTED, CORPUS, files, options

ROOT = "corpus_made"
_FILE = ParcelFileDescriptor(os.open(os.devnull, os.O_RDONLY))
_ZERO: dict[str, Any] = {"z": False, "c": "\0", "f": 0.0, "d": 0.0}


def documents() -> list[ast.Document]:
    """Every accepted file, compiled."""
    return [
        document
        for topic in ACCEPTED
        for document in compile_ours(CORPUS / topic, files(topic), options(topic)).program.requested
    ]


def write_modules(documents: list[ast.Document], folder: Path) -> None:
    """Puts the modules of all packages into a package in a folder."""
    packages: dict[str, list[ast.Declaration]] = {}
    for document in documents:
        packages.setdefault(document.package, []).extend(document.declarations)
    diagnostics = Diagnostics()
    modules = {
        module_path(package): render_module(package, declarations, Release(), diagnostics)
        for package, declarations in packages.items()
    }
    assert not diagnostics.items, [item.render() for item in diagnostics.items]
    modules |= package_markers(modules)
    write_files(folder / ROOT, {str(path): text for path, text in modules.items()})


@contextmanager
def importable(folder: Path) -> Iterator[None]:
    """Modules in a folder can be imported, and are forgotten at the end."""
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        for name in [name for name in sys.modules if name.partition(".")[0] == ROOT]:
            del sys.modules[name]


def python_class(declaration: ast.Declaration, role: str = "") -> Any:
    """The class for a declaration, or the stub (`role` Bn) or proxy (Bp) of an interface."""
    found: Any = importlib.import_module(".".join([ROOT, *naming.module_parts(declaration.package)]))
    *around, name = naming.type_path(declaration).split(".")
    for part in around:
        found = getattr(found, part)
    return getattr(found, naming.role_name(declaration.name, role) if role else name)


@dataclass(frozen=True)
class Something:
    """Makes values of wire types: zeros, empty things, and whatever else there has to be."""

    def of(self, type_: WireType) -> Any:
        match type_:
            case Scalar(letter, enum):
                return python_class(enum)(0) if enum else _ZERO.get(letter, 0)
            case Array(Scalar("b", None), _, count):
                return bytes(count or 0)
            case Array(element, _, count):
                return [self.of(element) for _ in range(count or 0)]
            case BinderValue(declaration, nullable):
                return None if nullable else self._binder(declaration)
            case FileDescriptorValue():
                return _FILE
            case String():
                return ""
            case MapValue():
                return {}
            case ParcelableValue(ast.Parcelable() | ast.Union() as declaration):
                return self.parcelable(declaration)
            case ParcelableValue() | HolderValue():
                return None  # never needed: a size that depends on these is not fixed

    def parcelable(self, declaration: ast.Parcelable | ast.Union) -> Any:
        """Its defaults, and values for the fields that have none."""
        cls, slots = python_class(declaration), body_slots(declaration)
        if isinstance(declaration, ast.Union):
            first = slots[0]
            return cls(cls.Tag(0), self.of(first.type)) if is_required(first.type) else cls()
        given = {
            naming.member_name(declaration, slot.name): self.of(slot.type)
            for slot in slots
            if is_required(slot.type)
        }
        return cls(**given)

    def member(self, union: ast.Union, number: int) -> Any:
        """A union that is one of its members."""
        cls = python_class(union)
        return cls(cls.Tag(number), self.of(body_slots(union)[number].type))

    def _binder(self, declaration: ast.Interface | None) -> Any:
        if declaration is None:
            return Binder()
        stub: type[Stub] = python_class(declaration, "Bn")
        methods = {name: lambda self, *args: None for name in getattr(stub, "__abstractmethods__", ())}
        made = type(f"Quiet{stub.__name__}", (stub,), methods)
        assert not isabstract(made)
        return made()
