"""Runs the front end on a few files given as text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from codegen.ast import ConstValue, Declaration, Enum, Interface, Parcelable, Union
from codegen.diagnostics import Diagnostic, Diagnostics
from codegen.frontend import compile_files
from codegen.program import Program
from codegen.walk import fields

Files: TypeAlias = Mapping[str, str | bytes]


@dataclass
class Compiled:
    """What came out. The first file given is the one that was asked for."""

    program: Program
    diagnostics: Diagnostics

    @property
    def items(self) -> list[Diagnostic]:
        return self.diagnostics.sorted()

    @property
    def slugs(self) -> set[str]:
        return {item.rule.slug for item in self.items}

    @property
    def text(self) -> str:
        return "\n".join(item.render() for item in self.items)

    def ok(self) -> Compiled:
        """The same, which must have no errors."""
        assert not self.diagnostics.failed, self.text
        return self

    @property
    def main(self) -> Declaration:
        return self.program.requested[0].declarations[0]

    @property
    def interface(self) -> Interface:
        assert isinstance(self.main, Interface)
        return self.main

    @property
    def parcelable(self) -> Parcelable:
        assert isinstance(self.main, Parcelable)
        return self.main

    def enum(self, name: str) -> Enum:
        found = self.program.declarations[name]
        assert isinstance(found, Enum)
        return found

    def union(self, name: str) -> Union:
        found = self.program.declarations[name]
        assert isinstance(found, Union)
        return found

    def constants(self) -> dict[str, ConstValue]:
        return {constant.name: constant.value for constant in self.main.constants}

    def defaults(self) -> dict[str, ConstValue]:
        return {field.name: field.default_value for field in fields(self.main)}

    def enumerators(self, name: str) -> dict[str, int]:
        return {enumerator.name: enumerator.value for enumerator in self.enum(name).enumerators}


def interface(body: str) -> Files:
    return {"q/IA.aidl": f"package q; interface IA {{ {body} }}"}


def parcelable(body: str) -> Files:
    return {"q/A.aidl": f"package q; parcelable A {{ {body} }}"}


def enum(body: str) -> Files:
    return {"q/E.aidl": f"package q; enum E {{ {body} }}"}


def write(folder: Path, files: Files) -> list[Path]:
    """Puts files into a folder; a name ending in "/" is an empty folder."""
    paths = []
    for name, content in files.items():
        path = folder / name
        folder_of_it = path if name.endswith("/") else path.parent
        folder_of_it.mkdir(parents=True, exist_ok=True)
        if path is not folder_of_it:
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        paths.append(path)
    return paths


def compile_aidl(
    folder: Path,
    files: Files,
    *more: Files,
    roots: tuple[str, ...] = (".",),
    vintf: bool = False,
    structured: bool = False,
    lint: bool = False,
    disabled: frozenset[str] = frozenset(),
) -> Compiled:
    """Compiles the first of some files; the others are there to be imported."""
    paths = [path for each in (files, *more) for path in write(folder, each)]
    diagnostics = Diagnostics(disabled)
    program = compile_files(
        paths[:1],
        [folder / root for root in roots],
        vintf=vintf,
        structured=structured,
        lint=lint,
        diagnostics=diagnostics,
    )
    return Compiled(program, diagnostics)
