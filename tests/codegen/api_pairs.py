"""Pairs of versions of an API, with what Android's own compiler says to them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from codegen.api_check import Change, compare, load_api
from codegen.diagnostics import Diagnostics
from codegen.interfaces import Interfaces

from .aidl_files import write_files

TABLE = Path(__file__).with_name("api_changes.txt")

_SHAPES = {
    "interface": "interface A { %s }",
    "parcelable": "parcelable A { %s }",
    "union": "union A { %s }",
    "fixed": "@FixedSize parcelable A { %s }",
    "declaration": "%s",
    "stable": "%s",
}
_OTHERS = {
    "B": "parcelable B { int a = 1; }",
    "E": "enum E { A = 1, B = 2 }",
    "IX": "interface IX {}",
    "Z": "enum Z { A, B }",
    "G": "parcelable G<T> { int a; }",
    "U": "union U { int a; int b; }",
    "F": "@FixedSize parcelable F { int a; }",
}


@dataclass(frozen=True, slots=True)
class Pair:
    """A row of the table; `compatible` and `equal` are the answers of Android's compiler."""

    shape: str
    old: str
    new: str
    compatible: bool = True
    equal: bool = False
    slugs: frozenset[str] = frozenset()

    def __str__(self) -> str:
        return f"{self.shape}: {self.old} ==> {self.new}"

    def files(self, body: str) -> dict[str, str]:
        """A version: `body` in its shape, and what either version uses."""
        both = f"{self.old} {self.new}"
        used = [n for n in _OTHERS if re.search(rf"\b{n}\b", both)] if _SHAPES[self.shape] != "%s" else []
        imports = "".join(f"import q.{name}; " for name in used)
        files = {f"q/{name}.aidl": f"package q; {_OTHERS[name]}" for name in used}
        return {"q/A.aidl": f"package q; {imports}{_SHAPES[self.shape] % body}\n", **files}


def table() -> list[Pair]:
    """All rows."""
    shape, rows = "", []
    for line in TABLE.read_text().splitlines():
        if line.startswith("["):
            shape = line.strip("[]")
        elif line and not line.startswith("#"):
            answers, versions, slugs = re.split(r" \| ?", line)
            old, new = (text.strip() for text in re.split(r" ?==> ?", versions))
            compatible, equal = (answer == "yes" for answer in answers.split())
            rows.append(Pair(shape, old, new, compatible, equal, frozenset(slugs.split())))
    return rows


def changes(folder: Path, old: dict[str, str], new: dict[str, str], *, equal: bool = False) -> list[Change]:
    """What `check-api` finds between two versions that must be readable."""
    write_files(folder / "old", old)
    write_files(folder / "new", new)
    diagnostics = Diagnostics()
    programs = [load_api(folder / name, [], Interfaces(), diagnostics) for name in ("old", "new")]
    assert not diagnostics.failed, [item.render() for item in diagnostics.items]
    return compare(*programs, equal=equal)
