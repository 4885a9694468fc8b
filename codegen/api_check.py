"""Whether those who were built against one version of an API can live with another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path

from .api_comments import Remarks
from .api_rules import RULES, ApiRule
from .api_text import Values, Writer
from .api_versions import Versions
from .ast import Declaration, Document, Enum
from .diagnostics import Diagnostics
from .frontend import compile_files
from .interfaces import Interfaces
from .job import expand
from .program import Program
from .source import Span

DIFFERENT = ApiRule(
    "not-equal", "Nothing may change in a frozen version; freeze the next one.", lambda _: iter(())
)
ADDED = ApiRule(
    "added-type", "Nothing may change in a frozen version; freeze the next one.", lambda _: iter(())
)
"""These two are looked for only where two versions have to be equal."""


@dataclass(frozen=True, slots=True)
class Change:
    """Something that the new version should not have changed."""

    rule: ApiRule
    span: Span
    message: str

    def __str__(self) -> str:
        return f"{self.span}: error: {self.message} [{self.rule.slug}]"


def compare(old: Program, new: Program, *, equal: bool = False) -> list[Change]:
    """What is incompatible between two versions or, if `equal`, different; by file, then place."""
    versions = Versions(_types(old), _types(new))
    changes = [Change(rule, span, text) for rule in RULES for span, text in rule.find(versions)]
    if equal:
        changes += _differences(versions, old, new)
    return sorted(changes, key=lambda change: (change.span.source.name, change.span.start))


def _types(program: Program) -> Mapping[str, Declaration]:
    everything = (d for document in program.requested for top in document.declarations for d in top.walk())
    return {d.qualified_name: d for d in everything if not (isinstance(d, Enum) and d.tag_of)}


def _differences(versions: Versions, old: Program, new: Program) -> Iterator[Change]:
    for name, declaration in versions.new.items():
        if name not in versions.old:
            yield Change(ADDED, declaration.span, f"{name} is new")
    before = {
        d.qualified_name: _lines(d, document) for document in old.requested for d in document.declarations
    }
    for document in new.requested:
        for declaration in document.declarations:
            name = declaration.qualified_name
            after = _lines(declaration, document)
            for change in _line_changes(before.get(name, after), after):
                yield Change(DIFFERENT, declaration.span, f"{name} differs: {change}")


def _lines(declaration: Declaration, document: Document) -> list[str]:
    """What is compared: everything that a snapshot has, values evaluated."""
    return Writer(Remarks(document.source), Values.EVALUATED).declaration(declaration)


def _line_changes(before: list[str], after: list[str]) -> Iterator[str]:
    for tag, start, end, new_start, new_end in SequenceMatcher(None, before, after, False).get_opcodes():
        old, new = (" ".join(map(str.strip, each)) for each in (before[start:end], after[new_start:new_end]))
        if tag == "replace":
            yield f"'{old}' became '{new}'"
        elif tag != "equal":
            yield f"'{new}' is new" if new else f"'{old}' is gone"


def load_api(
    folder: Path, roots: Iterable[Path], interfaces: Interfaces, diagnostics: Diagnostics
) -> Program:
    """All types in a folder: a snapshot, or the root of sources.

    Args:
        roots: where other imports may be. What the project has is found too, unless the folder has its own.

    Raises:
        NothingToDo: there are none.
    """
    paths = expand([folder])
    others = [
        package.root
        for package in interfaces.packages
        if not any(folder.joinpath(*package.name.split(".")).glob("*.aidl"))
    ]
    return compile_files(
        paths, list(dict.fromkeys([folder, *roots, *others])), vintf=True, diagnostics=diagnostics
    )
