"""Two runs, scenario by scenario, for people, programs and as a page."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from harness.compare import Comparison, compare
from harness.compare.page import page
from harness.compare.report import print_comparison
from harness.environment import Environment
from harness.run import Result, Run
from tests.harness.conftest import Command
from tests.harness.test_mutations import MUTATIONS

FILES = (Path("a.json"), Path("b.json"))


def answer(status: int, at: float = 0.5) -> dict[str, Any]:
    said = {"sender": "system_server", "receiver": "album", "oneway": True}
    return {"at": at, **said, "method": "IModelLoadCallback.onCanLoadModel", "arguments": {"status": status}}


def run_of(*results: Result, seed: int = 0) -> Run:
    return Run("reference", seed, list(results), 0, 1.0)


def printed(found: Comparison) -> str:
    out = StringIO()
    print_comparison(found, FILES, Console(file=out, width=100, highlight=False))
    return out.getvalue()


SAME = Result("a.same", events=[answer(0)])
GOOD = Result("b.differs", events=[answer(0)])
BAD = Result("b.differs", events=[answer(2)])
FAILED = Result("c.fails", outcome="failed", reason="it should <not>\nmore", events=[answer(1)])
PASSED = Result("c.fails", events=[answer(0)])
SKIPPED = Result("d.skips", outcome="skipped", reason="lacks hal")
PLAYED = Result("d.skips", events=[answer(0)])
HERE = Result("e.here", events=[])


@pytest.fixture
def found() -> Comparison:
    return compare(run_of(SAME, GOOD, PASSED, PLAYED, HERE), run_of(SAME, BAD, FAILED, SKIPPED, seed=2))


def test_scenarios_are_same_differ_or_in_one_only(found: Comparison) -> None:
    assert found.same == ["a.same"]
    assert [pair.name for pair in found.differing] == ["c.fails", "b.differs"]
    assert [(only.name, only.why) for only in found.only_first] == [("d.skips", "lacks hal"), ("e.here", "")]
    assert found.only_second == []
    assert found.compared == 3


def test_same_story_with_another_end_differs() -> None:
    failed = Result("c.fails", outcome="failed", reason="the dump lacks it", events=[answer(0)])
    (pair,) = compare(run_of(PASSED), run_of(failed)).differing
    assert pair.told() == ("passed", "failed the dump lacks it")
    assert "passed in A, failed in B" in printed(compare(run_of(PASSED), run_of(failed)))


def test_scenario_that_both_skip_is_in_neither_list() -> None:
    found = compare(run_of(SKIPPED), run_of(SKIPPED))
    assert (found.compared, found.only_first, found.only_second) == (0, [], [])


def test_text_has_the_first_difference_of_both_sides(found: Comparison) -> None:
    text = printed(found)
    assert "2 differ, 1 same, 2 only in A" in text
    assert "The seeds differ" in text
    assert "    A  0.500000  system_server ~> album  onCanLoadModel(status=CAN_LOAD_NOW)\n" in text
    assert "    B  0.500000  system_server ~> album  onCanLoadModel(status=WAIT_FOR_UNLOAD)\n" in text
    assert "    B failed: it should <not>\n" in text
    assert "only in A:\n  d.skips (lacks hal)\n  e.here\n" in text


def test_each_run_says_where_it_was_played() -> None:
    there = Environment(policy="mine.py:Mine", devices={"emulator-5554": "a build", "0123": ""})
    run = Run("adb", 7, [SAME], 0, 1.0, environment=there, wall_started="2026-11-30T16:57:13+00:00")
    found = compare(run_of(SAME), run)
    said = (
        "adb, emulator-5554 with a build, 0123, policy mine.py:Mine, seed 7, 1 passed, 0 failed, 2026-11-30"
    )
    assert f"B  b.json: {said}" in printed(found)
    assert found.as_json()["second"]["devices"] == there.devices


def test_what_differs_most_often_is_told_first() -> None:
    def results(status: int) -> list[Result]:
        return [Result(f"x.{number}", events=[answer(status)]) for number in range(3)]

    found = compare(run_of(*results(0)), run_of(*results(2)))
    text = printed(found)
    said = "3 times:  A onCanLoadModel(status=CAN_LOAD_NOW)  |  B onCanLoadModel(status=NOT_PRIORITIZED)"
    assert text.index(said) < text.index("x.0")


def test_json_has_both_events(found: Comparison) -> None:
    data = json.loads(json.dumps(found.as_json()))
    assert data["same"] == ["a.same"]
    assert [entry["name"] for entry in data["only_first"]] == ["d.skips", "e.here"]
    fails, differs = data["differ"]
    assert (fails["scenario"], fails["process"], fails["second"]["outcome"]) == ("c.fails", "album", "failed")
    assert differs["first"]["event"]["arguments"] == {"status": 0}
    assert differs["second"]["text"] == "system_server ~> album  onCanLoadModel(status=NOT_PRIORITIZED)"


class _Page(HTMLParser):
    """Whether tags match, and what a page would fetch."""

    ALONE = {"meta", "link", "br", "img"}  # noqa: RUF012

    def __init__(self, text: str) -> None:
        super().__init__()
        self.fetched: list[str] = []
        self.cells: list[str] = []
        self.ids: list[str] = []
        self._open: list[str] = []
        self.feed(text)
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = dict(attrs)
        self.fetched += [value for key, value in attrs if key in ("src", "href") and value]
        self.ids += [value for key, value in attrs if key == "id" and value]
        if tag == "td":
            self.cells.append(known.get("class") or "")
        if tag not in self.ALONE:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag


def test_page_stands_alone_and_marks_where_stories_part(found: Comparison) -> None:
    text = page(found, FILES)
    seen = _Page(text)
    assert seen.fetched == []
    assert "http" not in text
    assert seen.ids == ["c.fails", "b.differs"]
    assert seen.cells.count("parts") == 4
    assert text.index("c.fails") < text.index("Only in A") < text.index("a.same")


def test_page_shows_only_the_neighbourhood_of_a_long_story() -> None:
    long = [answer(0, at=number / 100) for number in range(3000)]
    found = compare(
        run_of(Result("x", events=[*long, answer(1)])), run_of(Result("x", events=[*long, answer(2)]))
    )
    assert 2 * 60 < len(_Page(page(found, FILES)).cells) < 2 * 110


def test_page_escapes_what_it_is_told() -> None:
    odd = {"at": 0.0, "sender": "<u>", "receiver": "system_server", "method": "X.<script>"}
    found = compare(run_of(Result("<i>", events=[odd])), run_of(Result("<i>", events=[])))
    text = page(found, (Path("<a>"), Path("b")))
    assert not any(tag in text for tag in ("<u>", "<i>", "<script>", "<a>"))


# --- the command ----------------------------------------------------------------------------------

# By mutation, what its first effect is.
EFFECTS = {
    "importance-inverted": "onCanLoadModel(NOT_PRIORITIZED)",
    "fairness-inverted": "onCanLoadModel(status=NOT_PRIORITIZED)",
    "newcomer-wins-ties": "B  0.000020  system_server ~> album  onRequestUnloadModel()",
    "nobody-is-reconsidered": "A  0.000030  system_server ~> album  onCanLoadModel(status=CAN_LOAD_NOW)",
    "lost-requests-weigh": "B  0.000030  system_server ~> camera  onCanLoadModel(status=NOT_PRIORITIZED)",
    "any-end-of-work-counts": "B  0.000070  system_server ~> album  onRequestUnloadModel()",
    "work-counts-for-the-worker": "A  0.350040  system_server ~> album  onRequestUnloadModel()",
    "deaths-go-unnoticed": "B  0.010030  system_server ~> album  onCanLoadModel(status=WAIT_FOR_UNLOAD)",
    "importance-not-clamped": "updateSchedulingConfigs(configs=[{uid=10123, priority=1001",
    "hal-never-found-again": "A  0.000020  system_server -> npu-hal  getInterfaceVersion()",
}
COLUMNS, LINES = 120, 24


def first_screen(text: str) -> str:
    """What a terminal shows of it at first."""
    rows = [line[at : at + COLUMNS] for line in text.splitlines() for at in range(0, len(line) or 1, COLUMNS)]
    return "\n".join(rows[:LINES])


@pytest.mark.parametrize("mutation", MUTATIONS)
def test_first_screen_names_the_first_effect_of_a_mutation(
    mutation: str, harness: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    target, name, broken, scenario, _ = MUTATIONS[mutation]
    module = f"{scenario.partition('.')[0]}.*" if mutation == "importance-inverted" else scenario
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    assert harness("run", module, "--json", str(good)).code == 0
    with monkeypatch.context() as broken_here:
        broken_here.setattr(target, name, broken)
        assert harness("run", module, "--json", str(bad)).code == 1
    done = harness("compare", str(good), str(bad))
    assert (done.code, done.err) == (1, "")
    assert EFFECTS[mutation] in first_screen(done.out)


def test_same_run_twice_is_the_same(harness: Command, tmp_path: Path) -> None:
    files = [str(tmp_path / name) for name in ("a.json", "b.json")]
    for file in files:
        assert harness("run", "status_quo", "hal_order.*", "--json", file).code == 0
    done = harness("compare", *files)
    assert (done.code, done.err) == (0, "")
    assert "0 differ" in done.out


def test_run_of_the_first_format_is_still_compared(harness: Command, tmp_path: Path) -> None:
    old = tmp_path / "old.json"
    old.write_text(json.dumps(_of_first_format(run_of(GOOD, SAME))))
    new = tmp_path / "new.json"
    new.write_text(json.dumps(_of_first_format(run_of(BAD, SAME))))
    page_file = tmp_path / "c.html"
    done = harness("compare", str(old), str(new), "--json", "--html", str(page_file))
    assert done.code == 1, done.err
    assert [entry["scenario"] for entry in json.loads(done.out)["differ"]] == ["b.differs"]
    assert "1 differ, 1 same" in page_file.read_text()


def _of_first_format(run: Run) -> dict[str, Any]:
    """As npukit wrote it before formats had numbers."""
    keys = ("name", "outcome", "covers", "needs", "virtual_seconds", "wall_seconds", "events")
    scenarios = [{key: getattr(result, key) for key in keys} for result in run.results]
    about = {
        "npukit": "0.1.0",
        "backend": run.backend,
        "seed": run.seed,
        "wall_started": "",
        "wall_seconds": 1.0,
    }
    counts = {outcome: run.count(outcome) for outcome in ("passed", "failed", "skipped")}
    return {**about, **counts, "scenarios": scenarios}


@pytest.mark.parametrize(
    ("args", "says"),
    [
        ("compare", "missing argument"),
        ("compare {tmp}/nowhere.json {tmp}/a.json", "cannot read"),
        ("compare README.md README.md", "is no record of a run"),
        ("compare {tmp}/a.json {tmp}/b.json", "have no scenario in common"),
        ("compare {tmp}/a.json {tmp}/a.json --html {tmp}/a.json", "would write the page over"),
        ("compare {tmp}/a.json {tmp}/a.json --html {tmp}", "it is a folder"),
    ],
)
def test_mistake_is_one_sentence(harness: Command, tmp_path: Path, args: str, says: str) -> None:
    for name, result in (("a.json", SAME), ("b.json", GOOD)):
        (tmp_path / name).write_text(json.dumps(_of_first_format(run_of(result))))
    done = harness(*args.format(tmp=tmp_path).split())
    assert (done.code, done.out) == (2, "")
    assert says in done.err
    assert len(done.err.splitlines()) == 1
