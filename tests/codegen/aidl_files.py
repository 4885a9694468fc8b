"""Writes AIDL into a folder, and compiles what is there."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from codegen.diagnostics import Diagnostics
from codegen.frontend import compile_files
from codegen.interface_model import Release
from codegen.program import Program
from codegen.render import module_path, package_markers, render_module


def write_files(folder: Path, files: Mapping[str, str]) -> list[Path]:
    """Writes files, by their path below `folder`."""
    paths = []
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        paths.append(path)
    return paths


def compile_text(folder: Path, files: Mapping[str, str], *, vintf: bool = False) -> Program:
    """A program of files that must be accepted."""
    diagnostics = Diagnostics()
    program = compile_files(write_files(folder, files), [folder], vintf=vintf, diagnostics=diagnostics)
    assert not diagnostics.failed, [item.render() for item in diagnostics.items]
    return program


def render_text(
    folder: Path, files: Mapping[str, str], *, release: Release | None = None, vintf: bool = False
) -> dict[str, str]:
    """The modules for files that must be accepted."""
    program = compile_text(folder, files, vintf=vintf)
    diagnostics = Diagnostics()
    packages = {document.package for document in program.documents.values()}
    modules = {
        module_path(package): render_module(
            package,
            [d for doc in program.documents.values() if doc.package == package for d in doc.declarations],
            release or Release(),
            diagnostics,
        )
        for package in packages
    }
    assert not diagnostics.failed, [item.render() for item in diagnostics.items]
    return modules | package_markers(modules)


@contextmanager
def imported(folder: Path, modules: Mapping[str, str], package: str) -> Iterator[Any]:
    """The generated module of a package, imported from below a folder of its own."""
    root = folder / "out"
    write_files(root / "made", {str(path): text for path, text in modules.items()})
    sys.path.insert(0, str(root))
    try:
        yield importlib.import_module(f"made.{package}" if package else "made")
    finally:
        sys.path.remove(str(root))
        for name in [name for name in sys.modules if name == "made" or name.startswith("made.")]:
            del sys.modules[name]
