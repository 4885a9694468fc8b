"""Runs to make pages of: real ones, hostile ones, large ones."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

from harness.divergence import Divergence
from harness.page import page_of
from harness.reading import read_run
from harness.run import Difference, Result, Run

SAMPLE = Path(__file__).parents[1] / "records" / "format-2.json"

HOSTILE = "</script><script>document.title='broken into'</script><!--<img src=x onerror=alert(1)>"
"""What must stay text wherever it turns up."""


@cache
def sample() -> Run:
    """Two failures, one skipped, one passed; a recorded run."""
    return read_run(SAMPLE)


def result_named(name: str) -> Result:
    return next(result for result in sample().results if result.name == name)


def hostile() -> Run:
    """A run in which everything that is text is an attack."""
    failed = result_named("sample.is_wrong_about_the_answer")
    attack = {"arguments": {HOSTILE: HOSTILE}, "error": HOSTILE}
    events = [{**event, **({"note": HOSTILE} if "note" in event else attack)} for event in failed.events]
    for event in events:
        for end in ("sender", "receiver"):
            if event.get(end) == "assistant":
                event[end] = HOSTILE
    broken = replace(
        failed,
        name=f"sample.{HOSTILE}",
        covers=[HOSTILE],
        reason=HOSTILE,
        where=HOSTILE,
        detail=HOSTILE,
        device=HOSTILE,
        events=events,
        divergence=Divergence(HOSTILE, HOSTILE, app=HOSTILE, event=len(events) - 1),
    )
    differences = [Difference(HOSTILE, HOSTILE, HOSTILE, HOSTILE)]
    return replace(sample(), backend=HOSTILE, results=[broken], problems=[HOSTILE], differences=differences)


def large(scenarios: int = 500, events: int = 100) -> Run:
    """A run of many scenarios, each with as many events."""
    told = result_named("sample.takes_the_turn").events
    long = (told * (events // len(told) + 1))[:events]
    results = [
        Result(
            f"large.scenario_{number}",
            covers=["TurnTaking: every size weighs 1 and the cap is 1"],
            outcome="failed" if number % 50 == 7 else "passed",
            reason="it should be otherwise" if number % 50 == 7 else "",
            wall_seconds=number / 1000,
            events=long,
        )
        for number in range(scenarios)
    ]
    return replace(sample(), results=results)


def write_page(run: Run, folder: Path) -> str:
    """The page of a run as a file; its address."""
    path = folder / "page.html"
    path.write_text(page_of(run), encoding="utf-8")
    return path.as_uri()
