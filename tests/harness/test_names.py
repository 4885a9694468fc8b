"""What scenarios are called, and what a pattern picks."""

from __future__ import annotations

import pytest

from harness.names import matches, scenario_name

NAME = "budget.refuses_a_cap[-1]"


def test_name_has_module_function_and_variant() -> None:
    assert scenario_name("harness.scenarios.test_budget", "test_takes_turns") == "budget.takes_turns"
    assert scenario_name("test_budget", "test_refuses_a_cap", "-1") == NAME


@pytest.mark.parametrize(
    "pattern",
    [
        "budget.refuses_a_cap[-1]",
        "budget.refuses_a_cap",
        "refuses_a_cap",
        "refuses_a_cap[-1]",
        "budget",
        "budget.*",
        "*",
        "*cap*",
        "budget.refuses_a_cap[*]",
        "budget.*[-?]",
        "budget.refuses_a_cap[[]-1]",
        "b[tu]dget.*",
    ],
)
def test_matches(pattern: str) -> None:
    assert matches(NAME, [pattern])


@pytest.mark.parametrize(
    "pattern",
    [
        "",
        "[",
        "[]",
        "budge",
        "cap",
        "budget.refuses_a_cap[0]",
        "turn_taking.refuses_a_cap",
        "Budget",
        "*[one]",
    ],
)
def test_does_not_match(pattern: str) -> None:
    assert not matches(NAME, [pattern])


def test_no_pattern_matches_nothing() -> None:
    assert not matches(NAME, [])


def test_brackets_do_not_match_a_scenario_without_variants() -> None:
    assert not matches("budget.takes_turns", ["budget.takes_turns[x]"])
