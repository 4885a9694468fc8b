"""The `harness` command, as a user meets it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from harness.catalogue import catalogue

from .command import run_command


def test_run_prints_a_table_with_rules_and_exits_0() -> None:
    done = run_command("harness", "run", "turn_taking")
    assert done.code == 0, done.err
    assert "foreground_takes_the_turn" in done.out
    assert "CTS CtsNpuModelManagerTest: turn-taking preemption by a foreground app" in done.out
    assert re.search(r"\d+ scenarios on reference: \d+ passed in \d+\.\d\d s \(seed 0\)", done.out)


def test_run_takes_names_and_globs() -> None:
    done = run_command("harness", "run", "status_quo.grant_then_cancel", "*newcomer*")
    assert done.code == 0, done.err
    assert "2 scenarios on reference: 2 passed" in done.out


def test_run_takes_one_variant() -> None:
    done = run_command("harness", "run", "budget.fills_the_default_cap_exactly[[]one-large]")
    assert done.code == 0, done.err
    assert "1 scenario on reference: 1 passed" in done.out


def test_unknown_name_exits_2_with_one_sentence_and_the_nearest_names() -> None:
    done = run_command("harness", "run", "no-such-thing")
    assert done.code == 2
    assert done.out == ""
    assert len(done.err.strip().splitlines()) == 1
    assert "no-such-thing" in done.err
    assert sum(entry.name in done.err for entry in catalogue()) >= 1


def test_misspelt_name_is_answered_with_the_right_one() -> None:
    done = run_command("harness", "run", "foregruond_takes_the_turn")
    assert done.code == 2
    assert "did you mean turn_taking.foreground_takes_the_turn" in done.err


def test_unknown_backend_exits_2() -> None:
    done = run_command("harness", "run", "--backend", "cloud")
    assert done.code == 2
    assert "there is no backend 'cloud'" in done.err


def test_unwritable_json_is_refused_before_anything_is_played(tmp_path: Path) -> None:
    done = run_command("harness", "run", "--json", str(tmp_path / "missing" / "a.json"))
    assert done.code == 2
    assert "there is no folder" in done.err


def _timeless(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _timeless(item) for key, item in value.items() if not key.startswith("wall_")}
    return [_timeless(item) for item in value] if isinstance(value, list) else value


def test_same_seed_gives_the_same_json_and_another_seed_passes_too(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("a.json", "b.json", "c.json")]
    for file, seed in zip(files, ("7", "7", "8"), strict=True):
        done = run_command("harness", "run", "--seed", seed, "--json", str(file))
        assert done.code == 0, done.out + done.err
    first, again, other = (_timeless(json.loads(file.read_text())) for file in files)
    assert first == again
    assert first["seed"] == 7
    assert other["failed"] == 0
    assert all(scenario["events"] for scenario in first["scenarios"] if "callbacks" in scenario["needs"])


def test_several_processes_give_the_same_results_as_one(tmp_path: Path) -> None:
    results = []
    for processes in ("1", "2"):
        file = tmp_path / f"{processes}.json"
        done = run_command("harness", "run", "budget", "-n", processes, "--json", str(file))
        assert done.code == 0, done.out + done.err
        results.append(_timeless(json.loads(file.read_text())))
    assert results[0] == results[1]


def test_junit_has_every_scenario_with_its_rules(tmp_path: Path) -> None:
    file = tmp_path / "junit.xml"
    done = run_command("harness", "run", "status_quo", "--junit", str(file))
    assert done.code == 0, done.err
    cases = ElementTree.parse(file).findall(".//testcase")
    names = [name for entry in catalogue() for name in entry.names if name.startswith("status_quo.")]
    assert len(cases) == len(names)
    for case in cases:
        properties = {item.get("name"): item.get("value") for item in case.findall(".//property")}
        assert properties["covers"]


def test_list_names_every_scenario_with_needs_and_rules() -> None:
    done = run_command("harness", "list")
    assert done.code == 0
    for entry in catalogue():
        assert entry.name in done.out


def test_list_json_is_for_programs() -> None:
    done = run_command("harness", "list", "--json")
    entries = json.loads(done.out)
    assert [entry["name"] for entry in entries] == [entry.name for entry in catalogue()]


@pytest.mark.parametrize("args", [("--help",), ("run", "--help"), ("list", "--help")])
def test_help_exits_0(args: tuple[str, ...]) -> None:
    done = run_command("harness", *args)
    assert done.code == 0
    assert "Usage" in done.out
    if args[0] != "--help":
        assert "Example" in done.out
