"""What scenarios are called, and how they are picked by name."""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatchcase


def scenario_name(module: str, function: str, variant: str = "") -> str:
    """What a scenario is called: `turn_taking.foreground_takes_the_turn`, with its variant in brackets."""
    name = f"{module.rpartition('.')[2].removeprefix('test_')}.{function.removeprefix('test_')}"
    return f"{name}[{variant}]" if variant else name


def matches(name: str, patterns: Iterable[str]) -> bool:
    """Whether a scenario's name, with or without its variant or module, matches a pattern.

    Brackets at the end of a pattern are taken for a variant, `refuses_a_cap[-1]`, before they are taken for a
    glob's choice of characters.
    """
    bare, _, variant = name.removesuffix("]").partition("[")
    candidates = (name, bare, bare.rpartition(".")[2], bare.partition(".")[0])
    return any(
        any(fnmatchcase(candidate, pattern) for candidate in candidates)
        or _matches_variant(candidates[1:], variant, pattern)
        for pattern in patterns
    )


def _matches_variant(candidates: Iterable[str], variant: str, pattern: str) -> bool:
    base, bracket, wanted = pattern.removesuffix("]").partition("[")
    return (
        bool(bracket and variant)
        and pattern.endswith("]")
        and (variant == wanted or fnmatchcase(variant, wanted))
        and any(fnmatchcase(candidate, base) for candidate in candidates)
    )
