"""A large run in parts, which processes compile side by side.

A part has some packages with all their files that were asked for, and compiles what these import as well.
What comes of all parts together is what one process would have made of everything, unless something
is wrong somewhere, or no part has seen all that belongs to a package. Then there is no result, and all has
to be done in one piece.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, TypeVar

from .inputs import Inputs
from .outcome import Outcome
from .render import module_path, package_markers

_Key = TypeVar("_Key")

FEWEST_FILES = 24
"""So many are worth a second process."""


class Part(NamedTuple):
    """What came of a part.

    Attributes:
        inputs: what it read and looked for.
        outcome: what it gives.
        packages: for each package, the paths of its files that were read.
    """

    inputs: Inputs
    outcome: Outcome
    packages: dict[str, set[str]]


def cut(sizes: Mapping[_Key, int], count: int) -> list[list[_Key]]:
    """At most `count` lists of keys that weigh about the same, each in the order of `sizes`."""
    order = {key: number for number, key in enumerate(sizes)}
    lists: list[list[_Key]] = [[] for _ in range(min(count, len(sizes)))]
    weights = [0] * len(lists)
    for key in sorted(sizes, key=lambda each: -sizes[each]):
        lightest = weights.index(min(weights))
        lists[lightest].append(key)
        weights[lightest] += sizes[key]
    return [sorted(keys, key=order.__getitem__) for keys in lists]


def join(parts: Sequence[Part | None], inputs: Inputs) -> Outcome | None:
    """The outcome of the whole, its inputs added to `inputs`; None if it has to be done in one piece."""
    good = [part for part in parts if part is not None]
    texts = _texts(good)
    if len(good) < len(parts) or texts is None or not _agree(good):
        return None
    for part in good:
        inputs.join(part.inputs)
    files = {path: known for part in good for path, known in part.outcome.files.items()}
    for part in good:  # of those that say more of a file, which are those it was asked for in
        files.update((path, known) for path, known in part.outcome.files.items() if known.requested)
    warnings = dict.fromkeys(warning for part in good for warning in part.outcome.warnings)
    return Outcome(
        sorted(warnings, key=lambda each: each[:3]),
        texts | package_markers(texts),
        files,
        good[0].outcome.roots,
    )


def _texts(parts: Sequence[Part]) -> dict[str, str] | None:
    """Each package's module from a part that has seen all of the package; None if there is none such."""
    texts = {}
    for package in dict.fromkeys(package for part in parts for package in part.packages):
        seen = [part.packages.get(package, set()) for part in parts]
        whole = set[str]().union(*seen)
        if whole not in seen:
            return None
        path = module_path(package)
        texts[path] = parts[seen.index(whole)].outcome.modules[path]
    return texts


def _agree(parts: Sequence[Part]) -> bool:
    """Whether the parts looked in the same places, read the same, and no type is in two files."""
    digests: dict[str, str] = {}
    owners: dict[str, str] = {}
    for part in parts:
        if part.outcome.roots != parts[0].outcome.roots:
            return False
        if not _fits(digests, part.inputs.digests.items()):
            return False
        if not _fits(
            owners, ((name, path) for path, known in part.outcome.files.items() for name in known.declares)
        ):
            return False
    return True


def _fits(known: dict[str, str], pairs: Iterable[tuple[str, str]]) -> bool:
    return all(known.setdefault(key, value) == value for key, value in pairs)
