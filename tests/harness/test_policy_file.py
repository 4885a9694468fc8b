"""`harness run --policy FILE.py:CLASS`: a policy of the user's own, and where it differs from Budget."""

from __future__ import annotations

import json
import textwrap
from pathlib import Path

import pytest

from harness.run import Difference, play

from .command import ROOT
from .conftest import Command

EXAMPLE = ROOT / "docs/examples/smallest_first.py"

REVERSED = """
    from reference_impl.policies import BudgetPolicy

    class LeastFirst(BudgetPolicy):
        def rank(self, standing):
            return -standing.priority, 0
"""


def write(folder: Path, text: str, name: str = "mine.py") -> Path:
    path = folder / name
    path.write_text(textwrap.dedent(text), encoding="utf-8")
    return path


def test_the_example_is_short_and_plays_every_scenario(harness: Command) -> None:
    assert len(EXAMPLE.read_text(encoding="utf-8").splitlines()) < 60
    done = harness("run", "--policy", f"{EXAMPLE}:SmallestFirst", "budget", "status_quo")
    assert "SmallestFirst differs from Budget in " in done.out
    assert "as assistant sees it" in done.out
    assert "the scenarios could not be played" not in done.err


def test_first_difference_is_shown_for_each_scenario(harness: Command, tmp_path: Path) -> None:
    mine, report = write(tmp_path, REVERSED), tmp_path / "out.json"
    done = harness(
        *("run", "--policy", f"{mine}:LeastFirst", "--json", str(report)),
        *("budget.foreground_preempts_a_loaded_model", "turn_taking.foreground_takes_the_turn"),
    )
    assert done.code == 1
    shown = done.out[done.out.index("LeastFirst differs") :].splitlines()
    assert shown == [
        "LeastFirst differs from Budget in 1 of 2 scenarios",
        "  budget.foreground_preempts_a_loaded_model, as assistant sees it",
        "    LeastFirst  system_server ~> assistant  onCanLoadModel(status=NOT_PRIORITIZED)",
        "    Budget      system_server ~> assistant  onCanLoadModel(status=WAIT_FOR_UNLOAD)",
    ]
    (written,) = json.loads(report.read_text(encoding="utf-8"))["differences"]
    assert written["scenario"] == "budget.foreground_preempts_a_loaded_model"


def test_the_same_policy_does_not_differ(harness: Command, tmp_path: Path) -> None:
    as_ours = REVERSED.replace("-standing", "standing").replace(", 0", ", standing.completed or 0")
    mine = write(tmp_path, as_ours)
    done = harness("run", "--policy", f"{mine}:LeastFirst", "budget")
    assert done.code == 0
    assert "LeastFirst differs from Budget in 0 of " in done.out


def test_several_processes_play_the_policy_too(tmp_path: Path) -> None:
    mine = write(tmp_path, REVERSED)
    names = ["budget.foreground_preempts_a_loaded_model", "budget.takes_from_several"]
    done = play(names, policy=f"{mine}:LeastFirst", processes=2)
    assert {result.outcome for result in done.results} == {"failed"}


@pytest.mark.parametrize(
    ("spec", "text", "said"),
    [
        ("mine.py", "", "a policy is named FILE.py:Class, not"),
        ("nowhere.py:Mine", "", "there is no policy file"),
        ("mine.py:Mine", "class Mine: pass", "no Policy called 'Mine'; derive a class from Policy"),
        ("mine.py:Min", REVERSED, "no Policy called 'Min'; there is: LeastFirst"),
        ("mine.py:Mine", "def (", "mine.py:1:5: invalid syntax"),
        ("mine.py:Mine", "import nothing_like_it", "cannot be imported: ModuleNotFoundError"),
        (
            "mine.py:Mine",
            "from reference_impl.policies import Policy\nclass Mine(Policy): pass",
            "still lacks: __init__, admit",
        ),
    ],
)
def test_what_is_no_policy_is_refused_in_a_sentence(
    spec: str, text: str, said: str, harness: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, text)
    done = harness("run", "--policy", spec, "budget")
    assert (done.code, done.out) == (2, "")
    assert said in done.err
    assert "Traceback" not in done.err


def test_other_backends_try_no_policies(harness: Command) -> None:
    done = harness("run", "--backend", "kernel", "--policy", f"{EXAMPLE}:SmallestFirst")
    assert done.code == 2
    assert "on the reference backend only" in done.err


def test_pytest_itself_refuses_what_is_no_policy(tmp_path: Path) -> None:
    done = play(["budget"], policy=f"{tmp_path}/nowhere.py:Mine")
    assert done.exit_code != 0
    assert {result.outcome for result in done.results} <= {"failed"}


def test_difference_as_data_has_both_sides() -> None:
    found = Difference("budget.x", "album", "a", "b")
    assert found.as_json() == {"scenario": "budget.x", "process": "album", "ours": "a", "theirs": "b"}
