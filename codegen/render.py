"""From a compiled program to the text of Python modules."""

from __future__ import annotations

import ast as python_ast
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import PurePosixPath

from jinja2 import Environment, PackageLoader, StrictUndefined

from . import ast, naming
from .diagnostics import Diagnostics
from .layout import UNSUPPORTED, Unsupported
from .model import BUILT_IN_PARCELABLES, ModelBuilder, Prelude, Release
from .text import LINE_LENGTH, docstring
from .views import ModuleView

# Where the names come from that generated code uses.
_STANDARD_IMPORTS = {
    "abc": ["abstractmethod"],
    "dataclasses": ["dataclass", "field"],
    "typing": ["ClassVar", "Self"],
}
_RUNTIME_NAMES = (
    "IBinder Interface InterfaceInfo Method OpenEnum Parcel Parcelable ParcelFileDescriptor "
    "PersistableBundle Proxy Run Stability Stub exactly given int8 utf16_unit"
).split()


@cache
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("codegen"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # this is Python, not HTML
    )


def module_path(package: str) -> PurePosixPath:
    """Where a package's module goes, relative to the output folder."""
    return PurePosixPath(*naming.module_parts(package), "__init__.py")


def render_module(
    package: str,
    declarations: Iterable[ast.Declaration],
    release: Release,
    diagnostics: Diagnostics,
) -> str:
    """The text of the module for an AIDL package.

    Args:
        package: its name.
        declarations: its top-level types.
        release: what its interfaces answer to version and hash queries.
        diagnostics: hears of everything that cannot be generated.

    Returns:
        Formatted Python; not to be used if anything was reported.
    """
    renderer = _Renderer(package, release)
    blocks: list[str] = []
    exports: list[str] = []
    for declaration in sorted(declarations, key=_order):
        try:
            if isinstance(declaration, ast.UnstructuredParcelable):
                known = BUILT_IN_PARCELABLES.get(declaration.qualified_name)
                exports += [known] if known else []
                continue
            blocks += renderer.top_level(declaration)
            exports += _exported(declaration)
        except Unsupported as refusal:
            diagnostics.report(UNSUPPORTED, refusal.span, str(refusal))
    return renderer.module(blocks, exports)


def _order(declaration: ast.Declaration) -> tuple[int, str]:
    """Enums first, so that defaults can name them; then values, then interfaces."""
    kinds = (ast.Enum, ast.Parcelable, ast.Union, ast.UnstructuredParcelable, ast.Interface)
    return kinds.index(type(declaration)), declaration.name


def _exported(declaration: ast.Declaration) -> list[str]:
    names = [naming.type_name(declaration.name)]
    if isinstance(declaration, ast.Interface):
        names += [naming.role_name(declaration.name, role) for role in ("Bn", "Bp")]
    return names


class _Renderer:
    def __init__(self, package: str, release: Release) -> None:
        self._package = package
        self._builder = ModelBuilder(package, release, self._declaration)

    def top_level(self, declaration: ast.Declaration) -> list[str]:
        prelude = Prelude()
        text = self._declaration(declaration, prelude)
        return [*(["\n".join(prelude.rows)] if prelude.rows else []), *prelude.functions, text]

    def _declaration(self, declaration: ast.Declaration, prelude: Prelude) -> str:
        match declaration:
            case ast.Enum():
                return self._fill("enum.py.j2", enum=self._builder.enum(declaration))
            case ast.Parcelable():
                return self._fill(
                    "parcelable.py.j2", parcelable=self._builder.parcelable(declaration, prelude)
                )
            case ast.Interface():
                view = self._builder.interface(declaration, prelude)
                if view.methods:
                    prelude.functions.append(self._fill("functions.py.j2", methods=view.methods))
                return self._fill("interface.py.j2", interface=view)
            case ast.Union():
                raise Unsupported("unions are not supported yet", declaration.span)
            case ast.UnstructuredParcelable():
                raise Unsupported("a nested parcelable without a body is not supported", declaration.span)

    def module(self, blocks: list[str], exports: list[str]) -> str:
        body = "\n\n\n".join(blocks)
        used = _names(python_ast.parse(body))
        used |= set(exports) & set(BUILT_IN_PARCELABLES.values())
        view = ModuleView(
            package=self._package,
            # AIDL allows names that linters think are too easily misread.
            remark="\n# ruff: noqa: E741" if {"l", "I", "O"} & used else "",
            doc=docstring(0, f"Types and interfaces of the AIDL package {self._package}."),
            imports=self._imports(used),
            exports=_bracketed("__all__ =", [f'"{name}"' for name in sorted(exports)]) if exports else "",
            blocks=blocks,
        )
        return self._fill("module.py.j2", module=view) + "\n"

    def _imports(self, used: set[str]) -> str:
        groups = [["from __future__ import annotations"]]
        groups.append(
            [
                f"from {module} import {', '.join(names)}"
                for module, candidates in _STANDARD_IMPORTS.items()
                if (names := [name for name in candidates if name in used])
            ]
        )
        groups.append(_from_import("binder", [name for name in _RUNTIME_NAMES if name in used]))
        groups.append(self._package_imports())
        return "\n\n".join("\n".join(group) for group in groups if group)

    def _package_imports(self) -> list[str]:
        # Modules, not names, are imported, so that packages can use each other in a circle.
        here = naming.module_parts(self._package)
        lines = []
        for package in sorted(self._builder.imported_packages):
            *parents, last = naming.module_parts(package)
            common = 0
            while common < min(len(parents), len(here)) and parents[common] == here[common]:
                common += 1
            dots = "." * (len(here) - common + 1)
            alias = naming.module_alias(package)
            renamed = last if last == alias else f"{last} as {alias}"
            lines.append(f"from {dots}{'.'.join(parents[common:])} import {renamed}")
        return lines

    @staticmethod
    def _fill(template: str, **values: object) -> str:
        return _environment().get_template(template).render(**values).strip("\n")


def _names(tree: python_ast.AST) -> set[str]:
    return {node.id for node in python_ast.walk(tree) if isinstance(node, python_ast.Name)}


def _from_import(module: str, names: list[str]) -> list[str]:
    if not names:
        return []
    line = f"from {module} import {', '.join(names)}"
    if len(line) <= LINE_LENGTH:
        return [line]
    return [f"from {module} import (", *(f"    {name}," for name in names), ")"]


def _bracketed(prefix: str, items: list[str]) -> str:
    line = f"{prefix} [{', '.join(items)}]"
    if len(line) <= LINE_LENGTH:
        return line
    return f"{prefix} [\n" + "".join(f"    {item},\n" for item in items) + "]"


def package_markers(modules: Mapping[PurePosixPath, str]) -> dict[PurePosixPath, str]:
    """The empty `__init__.py` files that make the folders above modules into packages."""
    markers: dict[PurePosixPath, str] = {}
    for path in modules:
        for folder in path.parent.parents:
            marker = folder / "__init__.py"
            if marker not in modules:
                name = ".".join(folder.parts)
                what = f"the AIDL package {name}" if name else "AIDL packages"
                markers[marker] = f'# Generated by codegen. Do not edit.\n"""Code generated for {what}."""\n'
    return markers
