"""A run for people and for programs."""

from __future__ import annotations

from io import StringIO

import pytest
from rich.console import Console

from harness.catalogue import Entry
from harness.report import failure_text, print_catalogue, print_run, summary
from harness.run import Result, Run

PASSED = Result("budget.passes", covers=["a rule"], needs=["service"], wall_seconds=0.0123)
SKIPPED = Result("budget.skips", outcome="skipped", reason="the backend lacks hal: a HAL")
FAILED = Result(
    "budget.fails[x]",
    covers=["a rule", "another"],
    outcome="failed",
    reason="it should hear this, but heard that",
    where="test_budget.py:7: held.expect(X)",
    events=[{"at": 0.5, "note": "something happened"}],
)
FAULT = Result(
    "budget.breaks",
    outcome="failed",
    reason="KeyError: 'x'",
    detail="Traceback ...\n  line 3",
    events=FAILED.events,
)


def run_of(*results: Result) -> Run:
    return Run("reference", 7, list(results), 0, 1.234)


def printed(run: Run, width: int = 150) -> str:
    out = StringIO()
    print_run(run, Console(file=out, width=width, highlight=False))
    return out.getvalue()


def test_table_has_name_outcome_rule_and_time() -> None:
    assert printed(run_of(PASSED)).splitlines()[1].split() == ["budget.passes", "passed", "a", "rule", "12.3"]


def test_failure_is_told_after_the_table() -> None:
    text = printed(run_of(FAILED, PASSED))
    assert text.index("budget.passes") < text.index("FAILED budget.fails[x]")


def test_failure_has_reason_rules_place_and_story() -> None:
    assert failure_text(FAILED).splitlines() == [
        "FAILED budget.fails[x]",
        "  it should hear this, but heard that",
        "  rule: a rule",
        "  rule: another",
        "  at test_budget.py:7: held.expect(X)",
        "  what happened:",
        "     0.500000    * something happened",
    ]


def test_fault_has_its_traceback_and_the_story() -> None:
    text = failure_text(FAULT)
    assert text.index("KeyError") < text.index("line 3") < text.index("what happened")


def test_markup_in_names_and_reasons_is_shown_as_it_is() -> None:
    odd = Result("budget.x[bold]", outcome="failed", reason="[red]no[/red]")
    text = printed(run_of(odd))
    assert "budget.x[bold]" in text
    assert "[red]no[/red]" in text


def test_same_reason_for_skipping_is_told_once() -> None:
    text = printed(run_of(SKIPPED, SKIPPED))
    assert text.count("lacks hal") == 1
    assert "2 skipped: the backend lacks hal" in text


@pytest.mark.parametrize("width", [20, 40, 80])
def test_narrow_terminal_still_shows_name_and_outcome(width: int) -> None:
    text = printed(run_of(PASSED, FAILED), width)
    assert "passed  budget.passes" in text
    assert "failed  budget.fails[x]" in text


def test_summary_counts_what_there_is() -> None:
    assert summary(run_of(PASSED)) == "1 scenario on reference: 1 passed in 1.23 s (seed 7)"
    assert (
        summary(run_of(PASSED, FAILED, SKIPPED))
        == "3 scenarios on reference: 1 passed, 1 failed, 1 skipped in 1.23 s (seed 7)"
    )


@pytest.mark.parametrize("width", [40, 150])
def test_catalogue_is_printed_at_any_width(width: int) -> None:
    out = StringIO()
    entries = [Entry("budget.refuses", ("a rule",), ("service", "hal"), ("0", "-1"))]
    print_catalogue(entries, Console(file=out, width=width, highlight=False))
    text = out.getvalue()
    assert "budget.refuses (2)" in text
    assert "service, hal" in text
    assert "a rule" in text
    assert "1 scenarios, 2 with their variants" in text
