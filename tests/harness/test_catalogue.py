"""The scenarios there are: that the catalogue tells the truth, and that they keep their rules."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness import scenarios
from harness.backend import CAPABILITIES
from harness.catalogue import Entry, catalogue, nearest, unmatched
from harness.rules import RULES, Rule, coverage, uncovered
from harness.run import play

from .command import ROOT

FOLDER = Path(scenarios.__path__[0])
SOURCES = {path.name: path.read_text(encoding="utf-8") for path in sorted(FOLDER.glob("test_*.py"))}

# What a scenario may not do without saying that it needs it.
WORDS = {
    "callbacks": r"\.request\(",
    "many-uids": r"npu\.app\(.*npu\.app\(",
    "shell": r"npu\.(dump|cmd)\(|states\(npu",
    "root": r"as_root=True",
    "exact-importance": r"importance: int",
    "graded-importance": r'\.at\("(?!foreground"|background")',
    "flags": r"set_flag\(",
    "inference": r"\.(finishes_work|fails_work|is_refused_work|starts_work|works_briefly)\(",
    "packages": r"\.(is_updated|is_removed|installs)\(|(permissions|shares_uid_with|target_sdk)=",
    "hal": r"npu\.hal\.(?!is_taken_over)|hal_table\(|with_hal",
    "hal-client": r"is_taken_over\(",
    "hal-faults": r"\.breaks\(",
    "hal-kinds": r"comes_back\([^)]",
    "cancellation": r"\.cancels_work\(",
    "thermal": r"\.(heats_up|cools_down)\(",
    "metrics": r"\.metrics\(|(=|in) events\(npu",
    "many-processes": r"npu\.app\([^\n]*range\((MANY|SEVERAL)|range\((MANY|SEVERAL)[^\n]*\n[^\n]*npu\.app\(",
    "restart": r"\.restarts\(",
}


def functions() -> Iterator[tuple[str, str]]:
    """By name, the source of every scenario, decorators included."""
    for file, text in SOURCES.items():
        module = file.removeprefix("test_").removesuffix(".py")
        for part in re.split(r"\n\n\n(?=@covers)", text)[1:]:
            found = re.search(r"^def test_(\w+)", part, re.MULTILINE)
            assert found, f"{file}: every scenario begins with @covers"
            yield f"{module}.{found[1]}", part


def test_names_are_those_that_are_played() -> None:
    assert sorted(name for entry in catalogue() for name in entry.names) == [r.name for r in play().results]


def test_names_are_unique() -> None:
    names = [name for entry in catalogue() for name in entry.names]
    assert len(names) == len(set(names))


def test_every_scenario_covers_a_rule_and_needs_the_service() -> None:
    for entry in catalogue():
        assert entry.covers, entry.name
        assert "service" in entry.needs, entry.name
        assert set(entry.needs) <= set(CAPABILITIES), entry.name


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.text)
def test_every_public_rule_is_covered(rule: Rule) -> None:
    assert rule.covered_by(catalogue())


def test_what_bears_a_public_tests_name_is_in_the_table() -> None:
    known = {rule.text for rule in RULES}
    named = {text for entry in catalogue() for text in entry.covers if text.startswith(("CTS ", "VTS "))}
    assert named <= known


def test_rules_are_unique_and_their_coverage_is_counted() -> None:
    assert len({rule.text for rule in RULES}) == len(RULES)
    assert "VTS 12 of 12" in coverage(catalogue())
    assert uncovered(catalogue()) == []
    assert "VTS 0 of 12" in coverage([])
    assert len(uncovered([])) == len(RULES)


def test_every_divergence_names_a_scenario_that_there_is() -> None:
    text = (ROOT / "docs/divergences.md").read_text(encoding="utf-8")
    rows = [line for line in text.splitlines() if line.startswith("|")][2:]
    names = {entry.name for entry in catalogue()}
    for row in rows:
        cell = row.strip("| ").split("|")[-1]
        named = re.findall(r"`([\w.]+)`", cell)
        assert named or "every scenario" in cell, row
        assert set(named) <= names, row


def test_scenarios_state_what_they_need() -> None:
    needs = {entry.name: set(entry.needs) for entry in catalogue()}
    found = dict(functions())
    assert set(found) == set(needs)
    for name, source in found.items():
        body = source[source.index("def test_") :]
        used = {word for word, pattern in WORDS.items() if re.search(pattern, body, re.DOTALL)}
        assert used <= needs[name], f"{name} does not say that it needs {', '.join(used - needs[name])}"


def test_scenarios_know_no_backend_and_never_sleep() -> None:
    for file, text in SOURCES.items():
        assert "reference" not in text.lower(), file
        assert "harness.backends" not in text, file
        assert "sleep" not in text, file
        assert "import time" not in text, file


def test_scenarios_are_short() -> None:
    for name, source in functions():
        assert len(source.strip().splitlines()) <= 32, name


def entry(name: str, *variants: str) -> Entry:
    return Entry(name, ("a rule",), ("service",), variants)


ENTRIES = [entry("budget.takes_turns"), entry("budget.refuses_a_cap", "0", "-1"), entry("shell.help")]


def test_unmatched_looks_into_variants() -> None:
    patterns = ["budget", "refuses_a_cap[0]", "refuses_a_cap[7]", "flies"]
    assert unmatched(patterns, ENTRIES) == ["refuses_a_cap[7]", "flies"]


@pytest.mark.parametrize(
    ("meant", "first"),
    [
        ("takes_turn", "budget.takes_turns"),
        ("budget.take_turns", "budget.takes_turns"),
        ("Budget.Takes_Turns", "budget.takes_turns"),
        ("test_takes_turns", "budget.takes_turns"),
        ("test_budget.py::test_takes_turns", "budget.takes_turns"),
        ("budgett", "budget"),
        ("refuses_a_cap[1]", "budget.refuses_a_cap[-1]"),
        ("something_about_help_and_such", "shell.help"),
    ],
)
def test_nearest_is_what_was_meant(meant: str, first: str) -> None:
    assert nearest(meant, ENTRIES)[0] == first


@pytest.mark.parametrize("meant", ["", "[", "*", "\N{SNOWMAN}", "a" * 500])
def test_nearest_has_always_something_to_offer(meant: str) -> None:
    assert 1 <= len(nearest(meant, ENTRIES)) <= 3


def test_json_has_names_needs_rules_and_variants() -> None:
    assert ENTRIES[1].as_json() == {
        "name": "budget.refuses_a_cap",
        "covers": ["a rule"],
        "needs": ["service"],
        "variants": ["0", "-1"],
    }
