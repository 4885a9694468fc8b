"""Scenarios as ordinary pytest tests."""

from __future__ import annotations

import textwrap

import pytest

from harness.backend import CAPABILITIES
from harness.reference import ReferenceBackend

from .command import ROOT
from .kit import IMPORTS

pytest_plugins = ["pytester"]

PASSES = """
    @covers("a rule")
    @needs("service")
    def test_passes(npu):
        npu.policy(BUDGET)
"""

FAILS = """
    @covers("a rule")
    @needs("service", "callbacks")
    def test_fails(npu):
        npu.policy(BUDGET)
        npu.app("album").request().expect(WAIT_FOR_UNLOAD)
"""


def play(pytester: pytest.Pytester, source: str, *args: str) -> pytest.RunResult:
    pytester.makepyfile(textwrap.dedent(IMPORTS) + textwrap.dedent(source))
    # Other plugins only take time.
    without = [f"-pno:{plugin}" for plugin in ("cacheprovider", "hypothesispytest", "xdist", "timeout")]
    return pytester.runpytest_inprocess(*without, *args)


def test_scenario_passes(pytester: pytest.Pytester) -> None:
    play(pytester, PASSES).assert_outcomes(passed=1)


def test_failure_shows_the_story(pytester: pytest.Pytester) -> None:
    result = play(pytester, FAILS)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*What happened*", "*shell -> system_server*setPolicy(policy=BUDGET*"])


def test_unexpected_news_fails_a_scenario_that_seems_to_pass(pytester: pytest.Pytester) -> None:
    source = """
    def test_forgets(npu):
        npu.app("album").request()
    """
    result = play(pytester, source)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*heard onCanLoadModel(CAN_LOAD_NOW), which the scenario does not expect*"])


def test_failed_scenario_is_not_blamed_for_news_as_well(pytester: pytest.Pytester) -> None:
    source = """
    def test_both(npu):
        npu.app("album").request()
        check(False, "the sky is green")
    """
    result = play(pytester, source)
    result.stdout.fnmatch_lines(["*ScenarioFailure: the sky is green"])
    result.stdout.no_fnmatch_line("*does not expect*")


def test_missing_capability_is_a_skip_with_what_would_provide_it(pytester: pytest.Pytester) -> None:
    source = """
    from harness.reference import ReferenceBackend
    ReferenceBackend.capabilities = frozenset({"service"})

    @needs("service", "hal")
    def test_needs_a_hal(npu): ...
    """
    before = CAPABILITIES["hal"]
    offered = ReferenceBackend.capabilities
    try:
        result = play(pytester, source, "-rs")
    finally:
        ReferenceBackend.capabilities = offered
    result.assert_outcomes(skipped=1)
    result.stdout.fnmatch_lines([f"*the reference backend lacks hal: {before}"])


def test_unknown_backend_is_named(pytester: pytest.Pytester) -> None:
    result = play(pytester, PASSES, "--npu-backend=cloud")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*there is no backend 'cloud'; there is: reference*"])


def test_seed_must_be_a_number(pytester: pytest.Pytester) -> None:
    result = play(pytester, PASSES, "--npu-seed=abc")
    assert result.ret == pytest.ExitCode.USAGE_ERROR


def test_select_takes_names_and_deselects_the_rest(pytester: pytest.Pytester) -> None:
    result = play(pytester, PASSES + FAILS, "--npu-select=*.passes", "--npu-select=nothing,else")
    result.assert_outcomes(passed=1, deselected=1)


def test_seed_of_a_scenario_does_not_depend_on_its_neighbours(pytester: pytest.Pytester) -> None:
    source = """
    from pathlib import Path
    from harness.reference import ReferenceSession

    @pytest.fixture(autouse=True)
    def seeds(monkeypatch):
        real = ReferenceSession.__init__

        def init(self, seed, types):
            with Path("seeds").open("a") as file:
                print(seed, file=file)
            real(self, seed, types)

        monkeypatch.setattr(ReferenceSession, "__init__", init)

    @pytest.mark.parametrize("x", "abc")
    def test_it(npu, x): ...
    """
    play(pytester, source)
    together = (pytester.path / "seeds").read_text().split()
    (pytester.path / "seeds").unlink()
    play(pytester, source, "--npu-select=it[b]", "--npu-seed=0")
    assert len(set(together)) == 3
    assert (pytester.path / "seeds").read_text().split() == [together[1]]


def test_tests_without_the_fixture_are_left_alone(pytester: pytest.Pytester) -> None:
    play(pytester, "    def test_plain(): pass\n", "--npu-record").assert_outcomes(passed=1)


def test_session_is_closed_even_after_a_failure(pytester: pytest.Pytester) -> None:
    source = """
    closed = []

    def test_fails(npu):
        npu.session.close = lambda: closed.append(1)
        raise ValueError("oh")

    def test_was_closed():
        assert closed == [1]
    """
    play(pytester, source).assert_outcomes(passed=1, failed=1)


def test_scenarios_folder_works_by_itself(pytester: pytest.Pytester) -> None:
    result = pytester.runpytest_subprocess(
        str(ROOT / "harness/scenarios"), "-q", "-p", "no:cacheprovider", "-k", "status_quo", "-c", "/dev/null"
    )
    assert result.ret == 0
