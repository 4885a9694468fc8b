"""The scenarios there are, without playing any: names, needs, and the rules they cover."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from types import FunctionType, ModuleType
from typing import Any

from . import scenarios
from .plugin import matches, scenario_name


@dataclass(frozen=True, slots=True)
class Entry:
    """A scenario. `summary` is its first line of documentation, or its module's."""

    name: str
    covers: tuple[str, ...]
    needs: tuple[str, ...]
    variants: int

    def as_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "covers": list(self.covers),
            "needs": list(self.needs),
            "variants": self.variants,
        }


def catalogue() -> list[Entry]:
    """Every scenario, in the order in which they are played."""
    return [entry for module in _modules() for entry in _entries(module)]


def _modules() -> Iterator[ModuleType]:
    for info in sorted(pkgutil.iter_modules(scenarios.__path__), key=lambda info: info.name):
        if info.name.startswith("test_"):
            yield importlib.import_module(f"{scenarios.__name__}.{info.name}")


def _entries(module: ModuleType) -> Iterator[Entry]:
    functions = [
        function
        for name, function in vars(module).items()
        if name.startswith("test_") and isinstance(function, FunctionType)
    ]
    for function in sorted(functions, key=lambda function: inspect.getsourcelines(function)[1]):
        marks = getattr(function, "pytestmark", [])
        variants = 1
        for mark in marks:
            if mark.name == "parametrize":
                variants *= len(list(mark.args[1]))
        yield Entry(
            name=scenario_name(module.__name__, function.__name__),
            covers=tuple(rule for mark in marks if mark.name == "covers" for rule in mark.args),
            needs=tuple(name for mark in marks if mark.name == "needs" for name in mark.args),
            variants=variants,
        )


def unmatched(patterns: Sequence[str], entries: Sequence[Entry]) -> list[str]:
    """The patterns that fit no scenario. Variants in brackets are not looked into."""
    return [
        pattern
        for pattern in patterns
        if not any(matches(entry.name, [pattern.partition("[")[0]]) for entry in entries)
    ]


def nearest(pattern: str, entries: Sequence[Entry]) -> list[str]:
    """Names that somebody who wrote `pattern` may have meant, the likeliest first."""
    names = {entry.name.rpartition(".")[2]: entry.name for entry in entries} | {
        entry.name: entry.name for entry in entries
    }
    wanted = pattern.replace("-", "_").strip("*")
    close = [names[name] for name in get_close_matches(wanted, names, n=5, cutoff=0.5)]
    if not close:
        words = {word for word in wanted.replace(".", "_").split("_") if len(word) > 2}
        ranked = sorted(entries, key=lambda entry: -len(words & set(entry.name.replace(".", "_").split("_"))))
        close = [entry.name for entry in ranked]
    return list(dict.fromkeys(close))[:3]
