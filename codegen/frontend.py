"""The front door: files in, a checked program out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from .constants import evaluate
from .diagnostics import Diagnostics
from .program import Program
from .resolve import load


def compile_files(
    paths: Sequence[Path], roots: Sequence[Path], *, vintf: bool = False, diagnostics: Diagnostics
) -> Program:
    """Reads, resolves, evaluates and checks; a stage runs only if all before it had no errors.

    `vintf` says that the files belong to a package whose stability is VINTF. Look at
    `diagnostics.failed` before using the result.
    """
    program = load(paths, roots, diagnostics)
    program.vintf = vintf
    if not diagnostics.failed:
        evaluate(program, diagnostics)
    if not diagnostics.failed:
        _assign_ids(program)
    return program


def _assign_ids(program: Program) -> None:
    from . import walk
    from .ast import Literal

    for document in program.documents.values():
        for declaration in walk.declarations(document):
            for index, method in enumerate(walk.methods(declaration)):
                explicit = method.explicit_id
                method.id = int(explicit.text) if isinstance(explicit, Literal) else index
