"""How a module spells the types it uses."""

from __future__ import annotations

from . import ast, naming
from .layout import Unsupported


class Spelling:
    """Spells classes, and remembers which other packages' modules that takes.

    Args:
        package: the AIDL package of the module.
    """

    def __init__(self, package: str) -> None:
        self.package = package
        self.imported_packages: set[str] = set()
        self._hidden: frozenset[str] = frozenset()

    def enter(self, declaration: ast.Declaration) -> None:
        """From now on, spelling is for inside of a top-level declaration."""
        nested = (inner.name for inner in declaration.walk() if inner is not declaration)
        self._hidden = frozenset(nested)

    def __call__(self, declaration: ast.Declaration) -> str:
        """A declaration's class, as the module writes it. Raises `Unsupported`."""
        path = naming.type_path(declaration)
        outermost = declaration
        while outermost.parent is not None:
            outermost = outermost.parent
        # Inside of a class, its nested classes hide others of the module that are called like them.
        if declaration.package == self.package and outermost.name not in self._hidden:
            return path
        if not declaration.package:
            # Its module is the one around all packages, which nothing below can import.
            message = f"{path} has no package, so types in packages cannot use it"
            raise Unsupported(message, declaration.span)
        self.imported_packages.add(declaration.package)
        return f"{naming.module_alias(declaration.package)}.{path}"
