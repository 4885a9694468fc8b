"""What a run without errors gives, and what of it a later run can use."""

from __future__ import annotations

from typing import NamedTuple

from .cache import Entry
from .inputs import Inputs


class Warned(NamedTuple):
    """A warning, first by what warnings are sorted by. `path` is that of the file it is in."""

    name: str
    start: int
    slug: str
    path: str
    text: str


class Known(NamedTuple):
    """What a run learnt of a file.

    Attributes:
        name: what the user calls it.
        package: the one it belongs to.
        requested: whether it was asked for, and not only imported.
        declares: the qualified names of its types.
        uses: the paths of the files that these are declared with.
    """

    name: str
    package: str
    requested: bool
    declares: list[str]
    uses: list[str]


class Outcome(NamedTuple):
    """Plain data.

    Attributes:
        warnings: in the order in which they are shown.
        modules: their text by their path.
        files: by path, what is known of each file; nothing where it does not pay to know.
        roots: where imports were looked for.
    """

    warnings: list[Warned]
    modules: dict[str, str]
    files: dict[str, Known]
    roots: list[str]

    def packages_to_compile(self, changed: set[str]) -> set[str] | None:
        """The packages to be compiled if so many files change; None if all might as well be."""
        users: dict[str, list[str]] = {}
        for path, known in self.files.items():
            for used in known.uses:
                users.setdefault(used, []).append(path)
        pending, concerned = list(changed), set(changed)
        while pending:
            new = set(users.get(pending.pop(), ())) - concerned
            pending += new
            concerned |= new
        if not concerned <= self.files.keys():
            return None
        packages = {self.files[path].package for path in concerned}
        inside = [known for known in self.files.values() if known.package in packages]
        few = len(inside) * 2 <= len(self.files)
        return packages if few and all(known.requested for known in inside) else None

    def reaches_all_files(self) -> bool:
        """Whether the files asked for still need all others."""
        pending = [path for path, known in self.files.items() if known.requested]
        reached = set(pending)
        while pending:
            new = set(self.files[pending.pop()].uses) - reached
            pending += new
            reached |= new
        return reached == self.files.keys()


def to_entry(inputs: Inputs, outcome: Outcome) -> Entry:
    """For the cache."""
    # Paths are long, and files use many: numbers take their place.
    numbers = {path: number for number, path in enumerate(outcome.files)}
    files = {
        path: [*known[:-1], [numbers[used] for used in known.uses]] for path, known in outcome.files.items()
    }
    data = [inputs, outcome.warnings, list(outcome.modules), files, outcome.roots]
    return Entry(data, list(outcome.modules.values()))


def from_entry(entry: Entry) -> tuple[Inputs, Outcome]:
    """From the cache."""
    inputs, warnings, names, files, roots = entry.data
    modules = dict(zip(names, entry.texts, strict=True))
    paths = list(files)
    known = {
        path: Known(name, package, requested, declares, [paths[number] for number in uses])
        for path, (name, package, requested, declares, uses) in files.items()
    }
    return Inputs(*inputs), Outcome([Warned(*each) for each in warnings], modules, known, roots)
