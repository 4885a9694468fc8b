"""One pytest run, gathered as results."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from harness.run import Progress, Result, play

from .kit import timeless, write_scenarios

SOURCE = """
    @covers("a rule", "another rule")
    @needs("service")
    def test_passes(npu):
        npu.policy(BUDGET)

    @covers("a rule")
    @needs("service", "callbacks")
    @pytest.mark.parametrize("sizes", ["[a]", "*", "x-y", "a,b", "a/b"])
    def test_fails(npu, sizes):
        npu.app("album").request().expect(WAIT_FOR_UNLOAD)

    def test_is_wrong(npu):
        npu.policy(BUDGET)
        {}["nothing"]
"""


def test_results_have_outcome_reason_place_and_events(tmp_path: Path) -> None:
    run = play(folder=write_scenarios(tmp_path, "run_results", SOURCE))
    assert run.exit_code == 1
    by_name = {result.name: result for result in run.results}
    passed, failed = by_name["run_results.passes"], by_name["run_results.fails[x-y]"]
    assert (passed.outcome, passed.reason, passed.events) == ("passed", "", [])
    assert passed.covers == ["a rule", "another rule"]
    assert failed.outcome == "failed"
    assert failed.reason.startswith("album's request 1 (LESS_THAN_1GB) should hear")
    assert failed.where.endswith('npu.app("album").request().expect(WAIT_FOR_UNLOAD)')
    assert failed.events
    assert failed.detail == ""


def test_python_error_comes_with_its_traceback_and_the_story(tmp_path: Path) -> None:
    run = play(["*.is_wrong"], folder=write_scenarios(tmp_path, "run_wrong", SOURCE))
    (result,) = run.results
    assert result.reason == "KeyError: 'nothing'"
    assert "test_run_wrong.py" in result.detail
    assert '{}["nothing"]' in result.detail
    assert result.events


@pytest.mark.parametrize("variant", ["[a]", "*", "x-y", "a,b", "a/b"])
def test_scenario_with_an_unusual_name_can_be_played_alone(tmp_path: Path, variant: str) -> None:
    module = f"run_odd_{'[a] * x-y a,b a/b'.split().index(variant)}"
    folder = write_scenarios(tmp_path, module, SOURCE)
    run = play([f"{module}.fails[{variant}]"], folder=folder)
    names = [result.name for result in run.results]
    assert f"{module}.fails[{variant}]" in names
    assert variant == "*" or len(names) == 1


def test_nothing_to_play_is_an_error(tmp_path: Path) -> None:
    run = play(["nothing"], folder=write_scenarios(tmp_path, "run_nothing", SOURCE))
    assert run.exit_code == 2
    assert run.results == []
    assert run.problems == ["there is no scenario to play"]


def test_folder_without_scenarios_is_an_error(tmp_path: Path) -> None:
    assert play(folder=tmp_path).exit_code == 2


def test_module_that_cannot_be_imported_is_an_error_with_its_traceback(tmp_path: Path) -> None:
    run = play(folder=write_scenarios(tmp_path, "run_broken", "raise ValueError('oh dear')"))
    assert run.exit_code == 2
    assert "oh dear" in "".join(run.problems)


def test_skip_has_its_reason(tmp_path: Path) -> None:
    source = """
    def test_skips(npu):
        pytest.skip("not today")
    """
    (result,) = play(folder=write_scenarios(tmp_path, "run_skip", source)).results
    assert (result.outcome, result.reason) == ("skipped", "not today")


def test_first_failure_is_the_cause(tmp_path: Path) -> None:
    source = """
    def test_fails_twice(npu):
        def broken():
            raise ValueError("cannot close")
        npu.session.close = broken
        check(False, "the cause")
    """
    (result,) = play(folder=write_scenarios(tmp_path, "run_twice", source)).results
    assert result.reason == "the cause"


def test_session_that_cannot_be_closed_is_a_failure(tmp_path: Path) -> None:
    source = """
    def test_cannot_close(npu):
        def broken():
            raise ValueError("cannot close")
        npu.session.close = broken
    """
    run = play(folder=write_scenarios(tmp_path, "run_close", source))
    assert run.exit_code == 1
    assert run.results[0].reason == "ValueError: cannot close"


def test_events_of_passed_scenarios_are_kept_on_demand(tmp_path: Path) -> None:
    folder = write_scenarios(tmp_path, "run_record", SOURCE)
    assert play(["*.passes"], folder=folder, record=True).results[0].events


def test_progress_hears_of_every_scenario_once(tmp_path: Path) -> None:
    heard: list[str] = []

    class Listener(Progress):
        def step(self, result: Result) -> None:
            heard.append(result.name)

    run = play(folder=write_scenarios(tmp_path, "run_progress", SOURCE), progress=Listener())
    assert sorted(heard) == [result.name for result in run.results]


def test_worker_that_dies_fails_its_scenario_and_no_other(tmp_path: Path) -> None:
    source = """
    import os

    def test_dies(npu):
        os._exit(3)

    def test_lives(npu): ...
    """
    run = play(folder=write_scenarios(tmp_path, "run_dies", source), processes=2)
    outcomes = {result.name: result.outcome for result in run.results}
    assert outcomes == {"run_dies.dies": "failed", "run_dies.lives": "passed"}
    assert run.exit_code == 1


def test_several_processes_give_the_same_results(tmp_path: Path) -> None:
    folder = write_scenarios(tmp_path, "run_several", SOURCE)
    one, two = (play(folder=folder, processes=n, record=True) for n in (1, 2))
    for result in (*one.results, *two.results):
        result.detail = ""  # names files as seen from where the process is
    assert [timeless(r.as_json()) for r in one.results] == [timeless(r.as_json()) for r in two.results]


def test_settings_of_the_surrounding_project_do_not_matter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "conftest.py").write_text("raise RuntimeError('not meant for scenarios')\n")
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = --no-such-option\n")
    (tmp_path / "inner").mkdir()
    monkeypatch.setenv("PYTEST_ADDOPTS", "--no-such-option")
    monkeypatch.setenv("PYTEST_PLUGINS", "no_such_plugin")
    monkeypatch.chdir(tmp_path)
    run = play(["*.passes"], folder=write_scenarios(tmp_path / "inner", "run_settings", SOURCE))
    assert run.exit_code == 0, run.problems
    assert os.environ["PYTEST_ADDOPTS"] == "--no-such-option"


def test_what_scenarios_print_is_not_printed(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    source = """
    def test_prints(npu):
        print("noise")
    """
    assert play(folder=write_scenarios(tmp_path, "run_prints", source)).exit_code == 0
    assert capfd.readouterr() == ("", "")


def test_failure_says_what_was_expected_what_came_and_in_which_event(tmp_path: Path) -> None:
    folder = write_scenarios(tmp_path, "run_divergence", SOURCE)
    failed = next(result for result in play(["*fails*"], folder=folder).results if result.outcome == "failed")
    found = failed.divergence
    assert found is not None
    assert (found.expected, found.actual, found.app) == (
        "onCanLoadModel(WAIT_FOR_UNLOAD)",
        "onCanLoadModel(CAN_LOAD_NOW)",
        "album",
    )
    assert found.event is not None
    assert failed.events[found.event]["method"] == "IModelLoadCallback.onCanLoadModel"
