"""The rules of the language, as small functions over declarations.

Each module covers one subject and ends in a list of its checks; a check is called with every
declaration of the program, and reports rows of `rules`.

The rules are those of Google's compiler in Android 14. Left out is what only concerns its
backends (immutability in Java, the order of declarations in C++). Stricter are: one name for two
enumerators, a fixed-size array of the type it is in, the enumerator of another enum as a default.
"""

from __future__ import annotations

from dataclasses import replace

from .. import walk
from ..ast import Declaration
from ..diagnostics import Diagnostics
from ..program import Program
from . import annotation, declared, interfaces, structures, style, types
from .context import Check, Context

_CHECKS: list[Check] = [
    *declared.CHECKS,
    *types.CHECKS,
    *interfaces.CHECKS,
    *structures.CHECKS,
    *annotation.CHECKS,
]


def check(
    program: Program,
    diagnostics: Diagnostics,
    *,
    vintf: bool = False,
    structured: bool = False,
    lint: bool = False,
) -> None:
    """Checks the whole program, and numbers its methods.

    `vintf` says that the package of the files asked for has VINTF stability, so that its types may be
    @VintfStability. `structured` says that everything is to be defined in AIDL; both together,
    that every type must be @VintfStability. `lint` adds warnings about style.
    """
    for document in program.documents.values():
        for declaration in walk.declarations(document):
            interfaces.assign_ids(declaration)
    requested = set(map(id, program.requested))
    checks = [*_CHECKS, *style.CHECKS] if lint else _CHECKS
    for document in program.documents.values():
        context = Context(program, document, diagnostics)
        if id(document) in requested:
            context = replace(context, vintf=vintf, structured=structured)
        else:
            context = replace(context, requested=False)
        declared.check_document(context)
        if lint:
            style.check_document(context)
        for declaration in document.declarations:
            _check_all(declaration, context, checks)


def _check_all(declaration: Declaration, outer: Context, checks: list[Check]) -> None:
    context = outer.within(declaration)
    for each in checks:
        each(declaration, context)
    for nested in declaration.nested:
        if getattr(nested, "tag_of", None) is None:
            _check_all(nested, context, checks)
