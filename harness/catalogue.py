"""The scenarios there are, without playing any: names, needs, and the rules they cover."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from itertools import product
from types import FunctionType, ModuleType
from typing import Any

from . import scenarios
from .names import matches, scenario_name


@dataclass(frozen=True, slots=True)
class Entry:
    """A scenario. `variants` are what its parameters are called; there are none without parameters."""

    name: str
    covers: tuple[str, ...]
    needs: tuple[str, ...]
    variants: tuple[str, ...]

    @property
    def names(self) -> list[str]:
        """One for each time it is played."""
        return [f"{self.name}[{variant}]" for variant in self.variants] or [self.name]

    def as_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "covers": list(self.covers),
            "needs": list(self.needs),
            "variants": list(self.variants),
        }


@cache
def catalogue() -> tuple[Entry, ...]:
    """Every scenario, in the order in which they are written."""
    return tuple(entry for module in _modules() for entry in _entries(module))


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
        yield Entry(
            name=scenario_name(module.__name__, function.__name__),
            covers=tuple(rule for mark in marks if mark.name == "covers" for rule in mark.args),
            needs=tuple(name for mark in marks if mark.name == "needs" for name in mark.args),
            variants=_variants([mark for mark in marks if mark.name == "parametrize"]),
        )


def _variants(marks: Sequence[Any]) -> tuple[str, ...]:
    """What pytest calls the parameters of a function with these marks; the lowest varies slowest."""
    choices = [[_variant(mark, index, value) for index, value in enumerate(mark.args[1])] for mark in marks]
    return tuple("-".join(chosen) for chosen in product(*choices)) if choices else ()


def _variant(mark: Any, index: int, value: Any) -> str:
    ids = mark.kwargs.get("ids")
    if isinstance(ids, Sequence):
        return str(ids[index])
    values = value if isinstance(value, tuple) else (value,)
    return "-".join(str(ids(item)) if ids is not None else str(item) for item in values)


def unmatched(patterns: Sequence[str], entries: Sequence[Entry]) -> list[str]:
    """The patterns that fit no scenario."""
    names = [name for entry in entries for name in entry.names]
    return [pattern for pattern in patterns if not any(matches(name, [pattern]) for name in names)]


def nearest(pattern: str, entries: Sequence[Entry]) -> list[str]:
    """Names that somebody who wrote `pattern` may have meant, the likeliest first."""
    base, bracket, _ = pattern.partition("[")
    if bracket and (variants := [n for entry in entries for n in entry.names if matches(entry.name, [base])]):
        close = get_close_matches(pattern, variants, n=3, cutoff=0)
        return close or variants[:3]
    wanted = base.lower().strip("*").removesuffix(".").replace("test_", "").replace(".py::", ".")
    names = {entry.name: entry.name for entry in entries}
    names |= {name.rpartition(".")[2]: name for name in names}
    modules = {name.partition(".")[0] for name in names.values()}
    close = get_close_matches(wanted, modules, n=1, cutoff=0.8)
    close += [names[name] for name in get_close_matches(wanted, names, n=5, cutoff=0.5)]
    if not close:
        words = {word for word in wanted.replace(".", "_").split("_") if len(word) > 2}
        ranked = sorted(entries, key=lambda entry: -len(words & set(entry.name.replace(".", "_").split("_"))))
        close = [entry.name for entry in ranked]
    return list(dict.fromkeys(close))[:3]
