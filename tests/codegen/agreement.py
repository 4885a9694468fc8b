"""What our compiler makes of files, held against what Google's makes of the same."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from codegen import ast
from codegen.api_dump import dump
from codegen.diagnostics import Diagnostics, Severity
from codegen.frontend import compile_files
from codegen.interface_model import Release
from codegen.layout import Unsupported
from codegen.program import Program
from codegen.render import render_module

from .google import Options
from .java import JavaType, read_java
from .java_calls import body_calls, method_calls


@dataclass
class Compiled:
    """A program, or what is wrong with it."""

    program: Program
    diagnostics: Diagnostics

    @property
    def accepted(self) -> bool:
        return not self.diagnostics.failed

    @property
    def errors(self) -> list[str]:
        """The errors without their places, each with its slug."""
        return errors_of(self.diagnostics)

    @property
    def text(self) -> str:
        return "\n".join(item.render() for item in self.diagnostics.sorted())


def errors_of(diagnostics: Diagnostics) -> list[str]:
    """The errors without their places, each with its slug."""
    return [
        f"{item.rule.slug}: {item.message}"
        for item in diagnostics.sorted()
        if item.rule.severity is Severity.ERROR
    ]


def compile_ours(folder: Path, files: Sequence[str], options: Options) -> Compiled:
    """Compiles files, by their paths below a folder."""
    diagnostics = Diagnostics()
    program = compile_files(
        [folder / file for file in files],
        [folder / root for root in options.roots],
        vintf=options.vintf,
        structured=options.structured or options.vintf,
        diagnostics=diagnostics,
    )
    return Compiled(program, diagnostics)


def differences(program: Program, java: dict[str, str]) -> list[str]:
    """Where Java, by file, is not what it has to be according to our layouts and values.

    A construct that we do not generate is a difference too.
    """
    types: dict[str, JavaType] = {}
    for text in java.values():
        types.update(read_java(text))
    return _not_generated(program) + [
        f"{declaration.qualified_name}: {line}"
        for document in program.requested
        for outer in document.declarations
        for declaration in outer.walk()
        for line in _differences_of(declaration, types)
    ]


def render(program: Program, diagnostics: Diagnostics) -> dict[str, str]:
    """The modules for what was asked for, by package."""
    packages: dict[str, list[ast.Declaration]] = {}
    for document in program.requested:
        packages.setdefault(document.package, []).extend(document.declarations)
    return {
        package: render_module(package, declarations, Release(), diagnostics)
        for package, declarations in packages.items()
    }


def _not_generated(program: Program) -> list[str]:
    diagnostics = Diagnostics()
    render(program, diagnostics)
    return [f"{item.rule.slug}: {item.message}" for item in diagnostics.items]


def _differences_of(declaration: ast.Declaration, types: dict[str, JavaType]) -> Iterator[str]:
    if isinstance(declaration, ast.UnstructuredParcelable):
        return
    java = types.get(declaration.qualified_name)
    if java is None:
        # A Tag that nothing names is left out where there is no class for its union.
        if not (isinstance(declaration, ast.Enum) and declaration.tag_of):
            yield "is not in the Java"
        return
    yield from _differing_constants(declaration, java)
    match declaration:
        case ast.Interface():
            ours = {method.name: method.id for method in declaration.methods}
            if ours != java.codes:
                yield f"ids {ours}, in Java {java.codes}"
            for method in declaration.methods:
                with suppress(Unsupported):  # _not_generated tells
                    yield from _differing_calls(method_calls(method), java.calls)
        case ast.Parcelable() | ast.Union():
            yield from _differing_defaults(declaration, java, types)
            with suppress(Unsupported):
                yield from _differing_calls(body_calls(declaration), java.calls)
        case ast.Enum():
            enumerators = {item.name: str(item.value) for item in declaration.enumerators}
            theirs = {name: value.removesuffix("L") for name, value in java.constants.items()}
            if enumerators != theirs:
                yield f"enumerators {enumerators}, in Java {theirs}"


def _differing_calls(ours: dict[str, list[str]], java: dict[str, list[str]]) -> Iterator[str]:
    for kind, calls in ours.items():
        # A one-way method has no reply, and a method without a reply has no such calls.
        theirs = java.get(kind, [])
        if calls != theirs:
            yield f"{kind}: calls {calls}, in Java {theirs}"


def _differing_constants(declaration: ast.Declaration, java: JavaType) -> Iterator[str]:
    for constant in declaration.constants:
        ours, theirs = constant.value, java.constants.get(constant.name, "nothing")
        if not _same_value(ours, theirs, {}):
            yield f"{constant.name} is {ours!r}, in Java {theirs}"


def _differing_defaults(
    declaration: ast.Parcelable | ast.Union, java: JavaType, types: dict[str, JavaType]
) -> Iterator[str]:
    if isinstance(declaration, ast.Union) or not java.defaults:
        return
    for field in declaration.fields:
        theirs = java.defaults.get(field.name)
        if field.default is not None and (
            theirs is None or not _same_value(field.default_value, theirs, types)
        ):
            yield f"default of {field.name} is {field.default_value!r}, in Java {theirs}"


def _same_value(ours: ast.ConstValue, java: str, types: dict[str, JavaType]) -> bool:
    if isinstance(ours, list):
        items = _items(java)
        return len(ours) == len(items) and all(
            _same_value(one, other, types) for one, other in zip(ours, items, strict=True)
        )
    if isinstance(ours, bool):
        return java in (str(ours).lower(), str(int(ours)))
    if isinstance(ours, int):
        owner, _, name = java.rpartition(".")
        if owner in types:
            java = types[owner].constants.get(name, java)
        return re.fullmatch(r"-?\d+L?", java) is not None and int(java.removesuffix("L")) == ours
    if isinstance(ours, float):
        return java.removesuffix("f") == f"{ours:f}"
    if isinstance(ours, str):
        return java[1:-1] in (ours, {"\0": "\\0"}.get(ours))
    return False


def _items(java: str) -> list[str]:
    """The parts of an array's value, at commas that are in no braces and no literals."""
    parts, depth = [""], 0
    for token in re.findall(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|.', java[1:-1]):
        depth += (token == "{") - (token == "}")
        if token == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += token
    return [part.strip() for part in parts if part.strip()]


def api_differences(program: Program, theirs: dict[str, str]) -> list[str]:
    """Files whose snapshots differ in more than comments and white space."""
    ours = {str(path): text for path, text in dump(program).items()}
    return [
        f"snapshot of {path}: {_bare(ours.get(path, ''))!r}, Google's {_bare(theirs.get(path, ''))!r}"
        for path in sorted(ours.keys() | theirs.keys())
        if _bare(ours.get(path, "")) != _bare(theirs.get(path, ""))
    ]


_TOKEN = re.compile(r"\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'|/\*.*?\*/|//[^\n]*|\s+", re.DOTALL)


def _bare(text: str) -> str:
    return _TOKEN.sub(lambda match: match[0] if match[0][0] in "\"'" else " ", text).replace(" ", "")
