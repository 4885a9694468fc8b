"""The name that somebody who misspelt one probably meant."""

from __future__ import annotations

from collections.abc import Iterable

_ALIKE = 0.75
"""How alike two names must be, where 1 is the same: a letter wrong in four, or two swapped in five."""

_MOST = 2000
"""How many names are compared at most: a wrong name must not cost seconds."""


def nearest(name: str, known: Iterable[str]) -> str:
    """The known name most like this one; "" if none is. Case alone never makes a difference."""
    from difflib import get_close_matches  # takes longer to load than most files to compile
    from itertools import islice

    by_lower = {each.lower(): each for each in islice(known, _MOST) if each != name}
    found = get_close_matches(name.lower(), by_lower, n=1, cutoff=_ALIKE)
    return by_lower[found[0]] if found else ""
