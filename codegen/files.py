"""Where types are looked for: the roots, and what lies around them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from os.path import isdir, isfile, join
from pathlib import Path

from .ast import Document
from .inputs import Lookups
from .nearest import nearest
from .places import RealPaths

_MOST_FOLDERS = 200
"""Names of more parts than this are not looked for: nobody has folders that deep."""

_MOST_PLACES = 500
"""How many folders may be looked at to find the root that a user forgot."""


def _file_of(parts: Sequence[str]) -> str:
    """Where below a root the type of a qualified name is declared."""
    return "/".join(parts) + ".aidl"


class Roots:
    """The folders given with -I, and those in which the files asked for turned out to be."""

    def __init__(self, paths: Sequence[Path]) -> None:
        self.paths = list(dict.fromkeys(paths))
        self.real = RealPaths()
        self._resolved = {path.resolve() for path in self.paths}
        self._found: dict[str, list[Path]] = {}
        self._lookups: dict[str, list[int]] = {}
        self._nearby: list[Path] | None = None  # where advice looks; listed when first needed

    def add_root_of(self, document: Document) -> None:
        """Makes the folder that a file's package starts from a root, if it is not one yet."""
        root = document.source.path.parent
        for part in reversed(document.package.split(".") if document.package else []):
            if root.name != part:
                return
            root = root.parent
        if root not in self._resolved:
            self.paths.append(root)
            self._resolved.add(root)
            self._found.clear()
            self._lookups.clear()

    def find(self, parts: Sequence[str]) -> list[Path]:
        """The files that a type of this qualified name could be in, at most one per root."""
        if len(parts) > _MOST_FOLDERS:
            return []
        key = ".".join(parts)
        if key not in self._found:
            relative = _file_of(parts)
            files = {number: join(root, relative) for number, root in enumerate(map(str, self.paths))}
            files = {number: file for number, file in files.items() if isfile(file)}
            self._lookups[relative] = list(files)
            different = {self.real(file): file for file in reversed(files.values())}
            self._found[key] = [Path(file) for file in reversed(different.values())]
        return self._found[key]

    def lookups(self) -> Lookups:
        """What was looked for so far, and which roots had it."""
        return [str(root) for root in self.paths], dict(self._lookups)

    def advice(self, parts: Sequence[str]) -> str:
        """The -I that would find a type, or the file that is nearly called so; "" if none."""
        relative = _file_of(parts)
        for root in self.paths:
            wanted = root / relative
            if isdir(wanted.parent):
                stems = sorted(file.stem for file in wanted.parent.iterdir() if file.suffix == ".aidl")
                if near := nearest(wanted.stem, stems):
                    if near.lower() == wanted.stem.lower():
                        return f"There is {near}.aidl: the case of letters matters."
                    return f"Did you mean {'.'.join([*parts[:-1], near])}?"
        if self._nearby is None:
            self._nearby = list(islice(self._around(), _MOST_PLACES))
        for place in self._nearby:
            if isfile(place / relative):
                return f"Add -I {place}."
        return ""

    def _around(self) -> Iterator[Path]:
        """Folders above and beside the roots."""
        seen = set()
        for root in self._resolved:
            for above in list(root.parents)[:2]:
                beside = [p for p in sorted(above.iterdir()) if p.is_dir()] if above.is_dir() else []
                for place in (above, *beside):
                    if place not in seen and place not in self._resolved:
                        seen.add(place)
                        yield place
