"""All that a run read or looked for, so that a later one can tell whether it would find the same.

What was not there counts too: a file that appears in an earlier root would be taken instead.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from .places import RealPaths, aidl_below, aidl_in, digest_of, find_project

if TYPE_CHECKING:
    from .program import Program

Lookups: TypeAlias = tuple[list[str], dict[str, list[int]]]
"""Roots, and for each path that was looked for in all of them, the numbers of those that had it."""


class Inputs(NamedTuple):
    """Plain data.

    Attributes:
        project: the file of the project and its digest, empty for none.
        folders: folders that have to be there.
        listings: the AIDL files below the folders asked for.
        sources: the names of AIDL files in the folders of the project's packages.
        real: paths, and where they lead when links are followed.
        digests: of the files that were read.
        lookups: where imports were looked for.
    """

    project: tuple[str, str]
    folders: list[str]
    listings: dict[str, list[str]]
    sources: dict[str, list[str]]
    real: dict[str, str]
    digests: dict[str, str]
    lookups: list[Lookups]

    @classmethod
    def begin(cls) -> Inputs:
        """Those of a run that has only looked for its project."""
        project = find_project()
        return cls((project, digest_of(project) if project else ""), [], {}, {}, {}, {}, [])

    def add(self, program: Program) -> None:
        """Those of a program that was compiled."""
        self.real.update(program.real)
        self._add_lookups(program.lookups)
        for path, document in program.documents.items():
            self.digests[path] = document.source.digest

    def join(self, part: Inputs) -> None:
        """Those of a part of the run, which has looked for the same project."""
        self.folders[:] = part.folders
        self.listings.update(part.listings)
        self.sources.update(part.sources)
        self.real.update(part.real)
        self.digests.update(part.digests)
        for lookups in part.lookups:
            self._add_lookups(lookups)

    def _add_lookups(self, lookups: Lookups) -> None:
        roots, answers = lookups
        same = next((known for before, known in self.lookups if before == roots), None)
        if same is None:
            self.lookups.append((roots, answers))
        else:
            same.update(answers)

    def changed_files(self) -> set[str] | None:
        """Which of the files say something else now; None if anything beside that is different."""
        if self._surroundings_changed():
            return None
        return {path for path, before in self.digests.items() if digest_of(path) != before}

    def _surroundings_changed(self) -> bool:
        real = RealPaths()
        project = find_project()
        return (
            list(self.project) != [project, digest_of(project) if project else ""]
            or not all(map(os.path.isdir, self.folders))
            or any(aidl_below(folder) != files for folder, files in self.listings.items())
            or any(aidl_in(folder) != names for folder, names in self.sources.items())
            or any(real(path) != before for path, before in self.real.items())
            or any(_answers_changed(*lookups) for lookups in self.lookups)
        )


def _answers_changed(roots: list[str], answers: dict[str, list[int]]) -> bool:
    """Whether a path is now in a root where it was not, or no longer where it was."""
    starts = [os.path.join(root, "") for root in roots]
    return any(
        [n for n, start in enumerate(starts) if os.path.isfile(start + relative)] != found
        for relative, found in answers.items()
    )
