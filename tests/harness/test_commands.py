"""What the commands make of their arguments. A user's mistake is one sentence on stderr and exit code 2."""

from __future__ import annotations

import json
import os
import shlex
from pathlib import Path
from xml.etree import ElementTree

import pytest

from harness.catalogue import catalogue

from .conftest import Command


@pytest.mark.parametrize(
    ("args", "says"),
    [
        ("", "harness --help"),
        ("fly", "no such command 'fly'"),
        ("run --frobnicate", "no such option: --frobnicate"),
        ("run -n 0", "invalid value for '-n'"),
        ("run -n -1", "invalid value for '-n'"),
        ("run -n two", "invalid value for '-n'"),
        ("run --seed abc", "invalid value for '--seed'"),
        ("run --seed 1.5", "invalid value for '--seed'"),
        ("run --seed", "requires an argument"),
        ("run --backend cloud", "there is no backend 'cloud'; there is: reference"),
        ("run --json /", "cannot write /: it is a folder"),
        ("run --junit .", "cannot write .: it is a folder"),
        ("run --json ''", "it is a folder"),
        ("run --json /nowhere/a.json", "there is no folder /nowhere"),
        ("run --junit /dev/null/a.xml", "there is no folder /dev/null"),
        ("run --json a --junit ./a", "cannot both write a"),
        ("run ''", "no scenario is called ''"),
        ("run '['", "no scenario is called '['"),
        ("run budget nothing_like_it", "no scenario is called 'nothing_like_it'"),
        ("run budget,shell", "no scenario is called 'budget,shell'"),
        ("run fills_the_default_cap_exactly[one_large]", "fills_the_default_cap_exactly[one-large]"),
        ("run test_turn_taking", "did you mean turn_taking"),
        ("run foregruond_takes_the_turn", "did you mean turn_taking.foreground_takes_the_turn"),
        ("list turn_taking", "unexpected extra argument"),
    ],
)
def test_mistake_is_one_sentence(harness: Command, args: str, says: str) -> None:
    done = harness(*shlex.split(args))
    assert done.code == 2
    assert done.out == ""
    assert says in done.err
    assert done.err.startswith("harness: ")
    assert len(done.err.strip().splitlines()) == 1


@pytest.mark.parametrize(
    ("pattern", "count"),
    [
        ("budget.fills_the_default_cap_exactly[one-large]", 1),
        ("budget.fills-the-default-cap-exactly[one-large]", 1),
        ("fills_the_default_cap_exactly", 4),
        ("fills_the_default_cap_exactly[two-*]", 2),
        ("budget.refuses_a_cap_that_is_not_positive[-1]", 1),
        ("shell.help[-h]", 1),
        ("status-quo.grant-then-cancel", 1),
    ],
)
def test_names_may_have_variants_globs_and_dashes(harness: Command, pattern: str, count: int) -> None:
    done = harness("run", pattern)
    assert done.code == 0, done.err
    assert f"{count} scenario" in done.out.splitlines()[-1]
    assert done.err == ""


@pytest.mark.parametrize("seed", ["-5", "0", str(10**30)])
def test_any_number_is_a_seed(harness: Command, seed: str) -> None:
    done = harness("run", "status_quo.grant*", "--seed", seed)
    assert done.code == 0
    assert f"(seed {seed})" in done.out


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("option", ["--json", "--junit"])
def test_file_that_cannot_be_written_after_all_is_one_sentence(harness: Command, option: str) -> None:
    done = harness("run", "status_quo.grant*", option, "/dev/full")
    assert done.code == 2
    assert done.err == "harness: cannot write /dev/full: No space left on device\n"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_file_without_permission_is_refused_before_anything_is_played(
    harness: Command, tmp_path: Path
) -> None:
    tmp_path.chmod(0o500)
    done = harness("run", "--json", str(tmp_path / "a.json"))
    assert (done.code, done.out) == (2, "")
    assert "no permission" in done.err


def test_existing_file_is_replaced(harness: Command, tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    file.write_text("x" * 100_000)
    assert harness("run", "status_quo.grant*", "--json", str(file)).code == 0
    assert json.loads(file.read_text())["passed"] == 1


def test_list_json_has_every_variant(harness: Command) -> None:
    entries = json.loads(harness("list", "--json").out)
    names = [f"{e['name']}[{v}]" for e in entries for v in e["variants"]]
    assert names == [name for entry in catalogue() if entry.variants for name in entry.names]


def test_more_processes_than_scenarios_are_not_started(harness: Command) -> None:
    done = harness("run", "-n", "500", "status_quo.grant_then_cancel")
    assert done.code == 0


def test_run_takes_names_and_globs(harness: Command) -> None:
    done = harness("run", "status_quo.grant_then_cancel", "*newcomer*")
    assert done.code == 0, done.err
    assert "2 scenarios on reference: 2 passed" in done.out


def test_unknown_name_exits_2_with_one_sentence_and_the_nearest_names(harness: Command) -> None:
    done = harness("run", "no-such-thing")
    assert done.code == 2
    assert done.out == ""
    assert len(done.err.strip().splitlines()) == 1
    assert "no-such-thing" in done.err
    assert sum(entry.name in done.err for entry in catalogue()) >= 1


def test_junit_has_every_scenario_with_its_rules(harness: Command, tmp_path: Path) -> None:
    file = tmp_path / "junit.xml"
    done = harness("run", "status_quo", "--junit", str(file))
    assert done.code == 0, done.err
    cases = ElementTree.parse(file).findall(".//testcase")
    names = [name for entry in catalogue() for name in entry.names if name.startswith("status_quo.")]
    assert len(cases) == len(names)
    for case in cases:
        properties = {item.get("name"): item.get("value") for item in case.findall(".//property")}
        assert properties["covers"]


def test_list_names_every_scenario_with_needs_and_rules(harness: Command) -> None:
    done = harness("list")
    assert done.code == 0
    for entry in catalogue():
        assert entry.name in done.out


def test_list_json_is_for_programs(harness: Command) -> None:
    done = harness("list", "--json")
    entries = json.loads(done.out)
    assert [entry["name"] for entry in entries] == [entry.name for entry in catalogue()]


@pytest.mark.parametrize("args", [("--help",), ("run", "--help"), ("list", "--help")])
def test_help_exits_0(harness: Command, args: tuple[str, ...]) -> None:
    done = harness(*args)
    assert done.code == 0
    assert "Usage" in done.out
    if args[0] != "--help":
        assert "Example" in done.out


def test_serve_knows_the_parts_of_a_device(harness: Command) -> None:
    done = harness("serve", "--binder", "/dev/nowhere", "--part", "camera")
    assert (done.code, done.out) == (2, "")
    assert "there is no part 'camera' of a device; there is: all, service, hal" in done.err


def test_list_has_the_rules_with_what_covers_them(harness: Command) -> None:
    done = harness("list", "--rules")
    assert "VTS VtsHalNpuSchedulingTargetTest: valid set\n  hal_table.valid_table_counts" in done.out
    assert done.out.rstrip().splitlines()[-1].startswith("public rules covered: CTS 12 of 12, ")
    rows = json.loads(harness("list", "--rules", "--json").out)
    assert all(row["scenarios"] for row in rows)
