"""The front door: files in, a checked program out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from .checks import check
from .constants import evaluate
from .diagnostics import Diagnostics
from .program import Program
from .resolve import Reader, load, read


def compile_files(
    paths: Sequence[Path],
    roots: Sequence[Path],
    *,
    vintf: bool = False,
    structured: bool = False,
    lint: bool = False,
    diagnostics: Diagnostics,
    reader: Reader = read,
) -> Program:
    """Reads, resolves, evaluates and checks; a stage runs only if all before it had no errors.

    The options are those of `checks.check`; `reader` gives the trees of files. Look at
    `diagnostics.failed` before using the result.
    """
    program = load(paths, roots, diagnostics, reader)
    program.vintf = vintf
    if not diagnostics.failed:
        evaluate(program, diagnostics)
    if not diagnostics.failed:
        check(program, diagnostics, vintf=vintf, structured=structured, lint=lint)
    return program
