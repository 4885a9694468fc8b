"""The scenarios over a real binder driver, in the virtual machine, and what only a real driver can show."""

from __future__ import annotations

import os
from collections.abc import Iterator
from threading import Event

import pytest

from generated.android.npumanager import BnModelLoadCallback, ModelLoadRequestParcelable, NpuModelSize
from harness.backend import OF_ONE_PROCESS, ScenarioFailure
from harness.catalogue import catalogue
from harness.divergence import divergence_of
from harness.history import history_of
from harness.kernel import KernelApp, KernelBackend, KernelSession
from harness.placement import OverAdb
from harness.run import play
from harness.vocabulary import CAN_LOAD_NOW, NOT_PRIORITIZED, TURN_TAKING, WAIT_FOR_UNLOAD, App, Npu

from ..vm.machine import Machine

pytestmark = pytest.mark.vm

PATIENCE = 60.0
CALLS = 500


@pytest.fixture(scope="module")
def backend(machine: Machine) -> Iterator[KernelBackend]:
    backend = KernelBackend(OverAdb(machine.adb.serial, machine.adb.environment))
    backend.check()
    try:
        yield backend
    finally:
        backend.close()


@pytest.fixture
def session(backend: KernelBackend) -> Iterator[KernelSession]:
    session = backend.open(0)
    try:
        yield session
    finally:
        session.close()


def pid_of(app: App) -> int:
    assert isinstance(app.process, KernelApp)
    return app.process.device.pid


class Slow(BnModelLoadCallback):
    """Does not return from its first call until it may."""

    def __init__(self) -> None:
        self.may_go_on = Event()
        self.heard: list[int] = []

    def _hear(self, status: int) -> None:
        self.may_go_on.wait(PATIENCE)
        self.heard.append(status)

    def onCanLoadModel(self, status: int) -> None:
        self._hear(status)

    def onModelLoadRequestComplete(self, status: int) -> None:
        self._hear(status)

    def onRequestUnloadModel(self) -> None:
        self._hear(-1)


def test_an_app_is_a_process_under_its_uid(session: KernelSession, machine: Machine) -> None:
    app = Npu(session).app("album")
    status = machine.run(f"cat /proc/{pid_of(app)}/status").check().text
    assert f"Uid:\t{app.uid}\t{app.uid}\t{app.uid}\t{app.uid}" in status
    assert "CapEff:\t0000000000000000" in status


def test_the_story_has_uids_and_targets_and_says_what_models_did(session: KernelSession) -> None:
    npu = Npu(session)
    npu.policy(TURN_TAKING)
    album, assistant = npu.app("album").in_background(), npu.app("assistant").in_foreground()
    held = album.request().load()
    wanted = assistant.request().expect(WAIT_FOR_UNLOAD)
    held.give_way()
    wanted.load()
    with pytest.raises(ScenarioFailure) as caught:
        wanted.expect(NOT_PRIORITIZED)
    events = session.events()
    asked = next(event for event in events if event.method.endswith("canLoadModel"))
    assert (asked.sender_uid, asked.receiver_uid) == (album.uid, 1000)
    models = history_of(events).models
    assert [span.state for span in models if span.app == "album"] == [
        "ASKED",
        "PENDING_LOAD",
        "LOADED",
        "UNLOADING",
    ]
    assert [span.state for span in models if span.app == "assistant"] == [
        "ASKED",
        "WAIT_FOR_UNLOAD",
        "PENDING_LOAD",
        "LOADED",
    ]
    answers = [event for event in events if event.method.endswith("onCanLoadModel")]
    assert {event.target for event in answers} == {
        "album's IModelLoadCallback #1",
        "assistant's IModelLoadCallback #1",
    }
    assert divergence_of(caught.value, events).event is None  # it was waited for in vain


def test_the_service_notices_a_process_that_is_killed_from_outside(
    session: KernelSession, machine: Machine
) -> None:
    npu = Npu(session)
    npu.policy(TURN_TAKING)
    album, assistant = npu.app("album"), npu.app("assistant")
    album.request().load()
    waiting = assistant.request().expect(NOT_PRIORITIZED)
    machine.run(f"kill -KILL {pid_of(album)}").check()
    waiting.expect(CAN_LOAD_NOW)
    album.dies()


def test_a_process_that_survives_its_scenario_plays_in_the_next_and_hears_nothing_of_the_first(
    backend: KernelBackend,
) -> None:
    pids = []
    for status in (CAN_LOAD_NOW, NOT_PRIORITIZED):
        session = backend.open(0)
        npu = Npu(session)
        npu.policy(TURN_TAKING)
        if status == NOT_PRIORITIZED:
            npu.app("somebody else").request().load()
        app = npu.app("album")
        pids.append(pid_of(app))
        request = app.request().expect(status)
        request.expect_nothing()
        assert "canLoadModel" in str(session.events())
        session.close()
    assert pids[0] != pids[1]  # as its uid is the second one's of the first scenario
    session = backend.open(0)
    first, second = (Npu(session).app(label) for label in ("first", "second"))
    assert [pid_of(first), pid_of(second)] == pids
    assert not {"first", "second"} & {
        end for event in session.events() for end in (event.sender, event.receiver)
    }
    first.dies()
    session.close()
    session = backend.open(0)
    assert pid_of(Npu(session).app("third")) not in pids
    session.close()


def test_many_callbacks_to_a_slow_client_keep_their_order(session: KernelSession) -> None:
    npu = Npu(session)
    npu.policy(TURN_TAKING)
    album, slow = npu.app("album"), Slow()
    try:
        for number in range(CALLS // 2):
            request = ModelLoadRequestParcelable(number, NpuModelSize.LESS_THAN_1GB, 0)
            album.service.canLoadModel(request, slow)
            album.service.cancelModelLoad(request)
        # Nobody else has to wait for it.
        assert slow.heard == []
        npu.app("assistant").request().load().unload()
    finally:
        slow.may_go_on.set()
    assert session.wait_until(lambda: len(slow.heard) == CALLS, PATIENCE)
    assert slow.heard == [0, 3] * (CALLS // 2)


def test_serves_other_programs_until_it_is_told_to_end(machine: Machine) -> None:
    serve = ["python3", "-m", "reference_impl.serving", "--binder", "/dev/hwbinder"]
    with machine.spawn([*serve, "--context-manager"]) as server:
        ready = server.line(PATIENCE)
        assert ready.startswith("npu and android.hardware.npu.IScheduling/default are served")
        pid = ready.partition("by pid ")[2].partition(";")[0]
        second = machine.run([*serve, "--context-manager"], timeout=PATIENCE)
        assert second.code == 2
        assert b"another process is the context manager" in second.stderr
        machine.run(f"kill -TERM {pid}").check()
        assert server.wait(PATIENCE) == 0


EVERYTHING = "NPUKIT_VM_ALL"


@pytest.mark.timeout(900)
def test_scenarios_pass_over_the_driver(backend: KernelBackend, machine: Machine) -> None:
    """All of them, played as `harness run --backend kernel` does, with a server of its own.

    Each in its last variant, as the first is played over adb; in all, if the environment asks for it.
    """
    everything = bool(os.environ.get(EVERYTHING))
    names = [name for entry in catalogue() for name in (entry.names if everything else entry.names[-1:])]
    backend.close()
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("NPUKIT_KERNEL_SERIAL", machine.adb.serial)
        for name, value in machine.adb.environment.items():
            environment.setenv(name, value)
        played = play(names, backend="kernel")
    failed = {result.name: result.reason for result in played.results if result.outcome == "failed"}
    assert failed == {}
    assert played.exit_code == 0, played.problems
    lacking = {need for result in played.results if result.outcome == "skipped" for need in result.needs}
    assert lacking <= KernelBackend.capabilities | OF_ONE_PROCESS
    assert sorted(result.name for result in played.results) == sorted(names)
