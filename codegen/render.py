"""From a compiled program to the text of Python modules."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import TYPE_CHECKING

from . import ast, naming
from .diagnostics import Diagnostics
from .interface_model import InterfaceBuilder, Release
from .layout import UNSUPPORTED, Unsupported
from .model import ModelBuilder
from .registry import BUILT_IN, PythonClass
from .spelling import Spelling
from .statements import Prelude
from .text import LINE_LENGTH, docstring
from .views import ModuleView

if TYPE_CHECKING:
    from jinja2 import Environment

# Where the names come from that generated code uses.
_STANDARD_IMPORTS = {
    "abc": ["abstractmethod"],
    "dataclasses": ["dataclass", "field"],
    "typing": ["Any", "ClassVar", "NamedTuple", "Self"],
}
_RUNTIME_NAMES = (
    "FixedBody IBinder Interface InterfaceInfo Method OpaqueParcelable OpenEnum Parcel Parcelable "
    "ParcelableHolder ParcelableInfo ParcelFileDescriptor Permission Proxy Run Stability Status Stub "
    "UsageError exactly given int8 marked_bytes packer read_holder sized_body string16_bytes utf16_unit"
).split()


@cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    return Environment(
        loader=PackageLoader("codegen"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # this is Python, not HTML
        auto_reload=False,  # templates do not change while they are in use
    )


def module_path(package: str) -> str:
    """Where a package's module goes, relative to the output folder."""
    return "/".join([*naming.module_parts(package), "__init__.py"])


def render_module(
    package: str,
    declarations: Iterable[ast.Declaration],
    release: Release,
    diagnostics: Diagnostics,
    classes: Mapping[str, PythonClass] = BUILT_IN,
) -> str:
    """The text of the module for an AIDL package.

    Args:
        package: its name.
        declarations: its top-level types.
        release: what its interfaces answer to version and hash queries.
        diagnostics: hears of everything that cannot be generated.
        classes: by AIDL name, the classes that stand for unstructured parcelables.

    Returns:
        Formatted Python; not to be used if anything was reported.
    """
    renderer = _Renderer(package, release, classes)
    for declaration in sorted(declarations, key=_order):
        try:
            renderer.add(declaration)
        except Unsupported as refusal:
            diagnostics.report(UNSUPPORTED, refusal.span, str(refusal))
    return renderer.module()


def _order(declaration: ast.Declaration) -> tuple[int, str]:
    """Enums first, so that defaults can name them; then values, then interfaces."""
    kinds = (ast.Enum, ast.Parcelable, ast.Union, ast.UnstructuredParcelable, ast.Interface)
    return kinds.index(type(declaration)), declaration.name


class _Renderer:
    def __init__(self, package: str, release: Release, classes: Mapping[str, PythonClass]) -> None:
        self._package = package
        self._classes = classes
        self._spelling = Spelling(package)
        self._values = ModelBuilder(self._spelling, self._declaration)
        self._interfaces = InterfaceBuilder(self._values, release)
        self._blocks: list[str] = []
        self._exports: list[str] = []
        self._registered: list[tuple[str, PythonClass]] = []

    def add(self, declaration: ast.Declaration) -> None:
        """Renders a top-level declaration. Raises `Unsupported`."""
        self._spelling.enter(declaration)
        if isinstance(declaration, ast.UnstructuredParcelable):
            self._add_unstructured(declaration)
            return
        prelude = Prelude()
        text = self._declaration(declaration, prelude)
        rows = ["\n".join(prelude.rows)] if prelude.rows else []
        self._blocks += [*rows, *prelude.functions, text]
        self._exports.append(naming.type_name(declaration.name))
        if isinstance(declaration, ast.Interface):
            self._exports += [naming.role_name(declaration.name, role) for role in ("Bn", "Bp")]

    def _add_unstructured(self, parcelable: ast.UnstructuredParcelable) -> None:
        known = self._classes.get(parcelable.qualified_name)
        name = naming.type_path(parcelable)
        if known is None:
            self._blocks.append(self._fill("opaque.py.j2", opaque=self._values.opaque(parcelable)))
        else:
            self._registered.append((name, known))
        self._exports.append(name)

    def _declaration(self, declaration: ast.Declaration, prelude: Prelude) -> str:
        match declaration:
            case ast.Enum():
                return self._fill("enum.py.j2", enum=self._values.enum(declaration))
            case ast.Parcelable():
                return self._fill(
                    "parcelable.py.j2", parcelable=self._values.parcelable(declaration, prelude)
                )
            case ast.Union():
                return self._fill("union.py.j2", union=self._values.union(declaration, prelude))
            case ast.Interface():
                view = self._interfaces.interface(declaration, prelude)
                if view.methods:
                    prelude.functions.append(self._fill("functions.py.j2", methods=view.methods))
                return self._fill("interface.py.j2", interface=view)
            case ast.UnstructuredParcelable():
                return self._fill("opaque.py.j2", opaque=self._values.opaque(declaration))

    def module(self) -> str:
        body = "\n\n\n".join(self._blocks)
        used = _names(body)
        exports = [f'"{name}"' for name in sorted(self._exports)]
        view = ModuleView(
            package=self._package,
            # AIDL allows names that linters think are too easily misread.
            remark="\n# ruff: noqa: E741, E742, E743, RUF100" if {"l", "I", "O"} & used else "",
            doc=docstring(0, f"Types and interfaces of the AIDL package {self._package}."),
            imports=self._imports(used),
            exports=_bracketed("__all__ =", exports) if exports else "",
            blocks=self._blocks,
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
        groups.append(self._class_imports([name for name in _RUNTIME_NAMES if name in used]))
        groups.append(self._package_imports())
        return "\n\n".join("\n".join(group) for group in groups if group)

    def _class_imports(self, runtime: list[str]) -> list[str]:
        """The runtime's names, and the classes that stand for unstructured parcelables."""
        modules: dict[str, list[str]] = {"binder": runtime}
        for name, known in self._registered:
            imported = known.name if known.name == name else f"{known.name} as {name}"
            modules.setdefault(known.module, []).append(imported)
        return [
            line
            for module in sorted(modules)
            for line in _from_import(module, sorted(modules[module], key=_import_order))
        ]

    def _package_imports(self) -> list[str]:
        # Modules, not names, are imported, so that packages can use each other in a circle.
        here = naming.module_parts(self._package)
        lines = []
        for package in sorted(self._spelling.imported_packages):
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


_STRING = re.compile(r'"""(?:[^"\\]|\\.|"(?!""))*"""|"(?:[^"\\\n]|\\.)*"', re.DOTALL)
_BETWEEN_NAMES = {code: " " for code in range(128) if not chr(code).isalnum() and chr(code) not in "._"}


def _names(code: str) -> set[str]:
    """The names that generated code uses; what stands in strings or behind a dot is none."""
    dotted = set(_STRING.sub("", code).translate(_BETWEEN_NAMES).split())
    return {name.partition(".")[0] for name in dotted}


def _import_order(name: str) -> tuple[bool, str]:
    """Classes before functions, each by name, as linters want the names of an import."""
    return not name[0].isupper(), name.lower()


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


def package_markers(modules: Mapping[str, str]) -> dict[str, str]:
    """The empty `__init__.py` files that make the folders above modules into packages."""
    markers: dict[str, str] = {}
    for path in modules:
        parts = path.split("/")[:-1]
        for count in reversed(range(len(parts))):
            marker = "/".join([*parts[:count], "__init__.py"])
            if marker not in modules:
                name = ".".join(parts[:count])
                what = f"the AIDL package {name}" if name else "AIDL packages"
                markers[marker] = f'# Generated by codegen. Do not edit.\n"""Code generated for {what}."""\n'
    return markers
