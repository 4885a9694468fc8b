"""Files parsed ahead of their use, by several processes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from .ast import Document
from .diagnostics import Diagnostic, Diagnostics
from .parallel import share
from .progress import Progress
from .resolve import read

_FEWEST = 24
"""So many files are worth a second process."""


class _File(NamedTuple):
    path: Path  # resolved
    name: str  # as the user calls it


class _Tree(NamedTuple):
    document: Document | None
    reports: list[Diagnostic]


class Trees:
    """A reader for `resolve.load` that has some files' trees ready."""

    def __init__(self, jobs: int, progress: Progress) -> None:
        self._jobs = jobs
        self._progress = progress
        self._ready: dict[_File, _Tree] = {}
        self._read = self._expected = 0

    def prepare(self, paths: Sequence[Path]) -> None:
        """Parses files, if there are enough of them to be shared among processes."""
        self._expected += len(paths)
        if self._jobs > 1 and len(paths) >= _FEWEST:
            from .parser import machine

            machine()  # so that helpers need not make their own
            files = list(dict.fromkeys(_File(path.resolve(), str(path)) for path in paths))
            trees = share(_parse, files, self._jobs, self._show)
            self._ready = dict(zip(files, trees, strict=True))

    def __call__(self, path: Path, name: str, diagnostics: Diagnostics) -> Document | None:
        # Resolving names changes a tree, so each is given once.
        tree = self._ready.pop(_File(path, name), None)
        if tree is None:
            self._read += 1
            self._show(self._read)
            return read(path, name, diagnostics)
        diagnostics.items += tree.reports
        return tree.document

    def _show(self, done: int) -> None:
        self._progress.show("files parsed", done, self._expected)


def _parse(file: _File) -> _Tree:
    diagnostics = Diagnostics()
    return _Tree(read(file.path, file.name, diagnostics), diagnostics.items)
