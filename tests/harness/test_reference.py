"""The reference backend: sessions that know nothing of each other, and the same story for the same seed."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest

import harness
from generated.android.npumanager import ModelLoadRequestParcelable
from harness.backend import CAPABILITIES, ScenarioFailure
from harness.reference import ReferenceBackend
from harness.run import Run, play
from harness.vocabulary import GREATER_THAN_2G, NOT_PRIORITIZED, TURN_TAKING, Npu
from reference_impl.constants import LoadStatus
from reference_impl.policies import POLICY_TYPES
from reference_impl.policies.state import LoadRequest
from reference_impl.policies.status_quo import StatusQuoPolicy
from reference_impl.policies.turn import Turn

from .kit import open_npu, timeless


def told(run: Run) -> list[Any]:
    return [timeless(result.as_json()) for result in run.results]


def test_same_seed_tells_the_same_story_within_one_process() -> None:
    first, again = (play(["budget", "hal_connection"], seed=3, record=True) for _ in range(2))
    assert told(first) == told(again)


def test_another_seed_reorders_callbacks_somewhere() -> None:
    first, other = (play(["importance", "budget"], seed=seed, record=True) for seed in (0, 1))
    assert told(first) != told(other)
    assert other.exit_code == 0


def test_story_does_not_depend_on_what_else_is_played() -> None:
    alone = play(["budget.takes_from_several"], seed=5, record=True)
    among = play(["budget"], seed=5, record=True)
    assert told(alone)[0] in told(among)


def test_offers_every_capability() -> None:
    assert ReferenceBackend().capabilities == frozenset(CAPABILITIES)


def test_sessions_share_nothing() -> None:
    first, second = open_npu(), open_npu()
    first.policy(TURN_TAKING)
    held = first.app("album").request().load()
    assert "Policy: statusquo" in second.dump()
    second.app("album").request().load()
    held.expect_nothing()


def test_booting_is_no_part_of_the_story() -> None:
    npu = open_npu()
    assert npu.session.events() == []
    assert npu.session.now() == 0


def test_time_moves_only_when_it_is_let_pass() -> None:
    npu = open_npu()
    npu.app("album").request().load()
    assert npu.session.now() < 0.001
    npu.session.advance(2.5)
    assert npu.session.now() == pytest.approx(2.5, abs=0.001)


def test_waiting_in_vain_takes_no_more_than_the_virtual_time() -> None:
    npu = open_npu()
    assert not npu.session.wait_until(lambda: False, 1000.0)
    assert npu.session.now() == pytest.approx(1000.0)


def test_killed_app_is_gone_a_moment_later() -> None:
    npu = open_npu()
    album = npu.app("album").in_foreground()
    album.dies()
    npu.session.advance(1.0)
    assert npu.hal.entry(album.uid).priority == 1000


def test_missing_service_is_a_failure_that_names_the_app() -> None:
    session = ReferenceBackend().open(0)
    session.device.shut_down()
    with pytest.raises(ScenarioFailure, match="shell finds no service 'npu'"):
        session.shell_process().npu()


def test_session_that_is_closed_may_be_closed_again() -> None:
    session = ReferenceBackend().open(0)
    session.close()
    session.close()


class Stingy(StatusQuoPolicy):
    """Refuses everybody."""

    def admit(self, turn: Turn, request: LoadRequest) -> None:
        turn.answer(request, LoadStatus.NOT_PRIORITIZED)


def test_policies_can_be_tried_out() -> None:
    npu = Npu(ReferenceBackend(policy_types={**POLICY_TYPES, 0: Stingy}).open(0))
    npu.app("album").request(GREATER_THAN_2G).expect(NOT_PRIORITIZED)


def test_process_of_the_shell_may_not_own_an_apps_request() -> None:
    npu = open_npu()
    held = npu.app("album").request().load()
    npu.operator.service.notifyModelUnloaded(ModelLoadRequestParcelable(held.parcelable.id))
    held.expect_nothing()


def test_only_one_module_knows_the_reference() -> None:
    importers = set()
    for path in Path(harness.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            if any(name.split(".")[0] == "reference_impl" for name in names):
                importers.add(path.name)
    assert importers == {"reference.py"}
