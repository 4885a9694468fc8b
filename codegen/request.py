"""What `codegen generate` is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Request(NamedTuple):
    """The options of the command; `words` are those that say it."""

    paths: tuple[str, ...] = ()
    roots: tuple[str, ...] = ()
    output: str = "generated"
    check: bool = False
    stability: str = "local"
    version: int = 0
    hash: str = ""
    parcelables: tuple[str, ...] = ()
    disabled: tuple[str, ...] = ()
    lint: bool = False
    jobs: int = 1
    cache: bool = True

    @property
    def meaning(self) -> list[object]:
        """What decides about the text of the modules, and about warnings."""
        return list(self._replace(output="", check=False, jobs=1, cache=True))


_REPEATABLE = {"-I": "roots", "--parcelable": "parcelables"}
_SINGLE = {"-o": "output", "--stability": "stability", "--hash": "hash"}
_NUMBERS = {"--version": "version", "-j": "jobs"}
_SWITCHES = {"--check": ("check", True), "--no-cache": ("cache", False), "--lint": ("lint", True)}


def plain_request(words: Sequence[str]) -> Request | None:
    """The request that words make, if they are all of the plainest form; None if a parser must look.

    Loading the parser of command lines takes longer than all else that an unchanged run does.
    """
    values: dict[str, object] = {}
    many: dict[str, list[str]] = {"paths": [], **{name: [] for name in _REPEATABLE.values()}}
    rest = iter(words)
    for word in rest:
        if word in _SWITCHES:
            name, on = _SWITCHES[word]
            values[name] = on
        elif not word.startswith("-"):
            many["paths"].append(word)
        else:
            value = next(rest, "")
            if not value or value.startswith("-"):
                return None
            if word in _REPEATABLE:
                many[_REPEATABLE[word]].append(value)
            elif word in _SINGLE:
                values[_SINGLE[word]] = value
            elif word in _NUMBERS and value.isascii() and value.isdigit():
                values[_NUMBERS[word]] = int(value)
            else:
                return None
    request = Request(**{name: tuple(items) for name, items in many.items()})._replace(**values)  # type: ignore[arg-type]
    return request if request.jobs >= 1 and request.stability in ("local", "vintf") else None
