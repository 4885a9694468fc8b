"""How a module spells the types it uses."""

from __future__ import annotations

from . import ast, naming


class Spelling:
    """Spells classes, and remembers which other packages' modules that takes.

    Args:
        package: the AIDL package of the module.
    """

    def __init__(self, package: str) -> None:
        self.package = package
        self.imported_packages: set[str] = set()

    def __call__(self, declaration: ast.Declaration) -> str:
        """A declaration's class, as the module writes it."""
        path = naming.type_path(declaration)
        if declaration.package == self.package:
            return path
        self.imported_packages.add(declaration.package)
        return f"{naming.module_alias(declaration.package)}.{path}"
