"""The scenarios on a virtual device: real adb server, adbd, agent and driver, the reference behind them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest

from binder import StatusError
from generated.android.npumanager import INpuManagerService
from harness.adb import Device, Server
from harness.backend import CAPABILITIES
from harness.catalogue import catalogue
from harness.compare.stories import Hearing, in_common_words
from harness.kernel import KernelBackend, KernelSession
from harness.names import matches
from harness.on_device.backend import AdbBackend
from harness.on_device.hal import HAL_PID, PROGRAMS
from harness.on_device.options import DeviceOptions
from harness.on_device.session import AndroidSession, ShellSession
from harness.on_device.tier import tier_of
from harness.record import event_from_json
from harness.run import Result, Run, play
from harness.vocabulary import CAN_LOAD_NOW, TURN_TAKING, Npu
from tests.vm.device import VirtualDevice

pytestmark = [pytest.mark.adb, pytest.mark.vm]

AS_ON_A_PHONE = ("turn_taking.*", "set_policy.*", "shell.*")
"""What is played with Android's commands only, too. It takes three times as long."""

BY_CHANCE = {
    "packages.removed_app_frees_its_turn": "who waits hears of it before or after the death of who is asked",
    "allocator.one_load_at_a_time": "the first load may be done when the second comes",
    "allocator.put_too_early": "a buffer may be there before it is given back",
    "ndk.free_while_it_loads": "a load may be done before the buffer is freed",
}
"""Scenarios in which what is said depends on what happens first, and why."""

NOT_THERE = set(CAPABILITIES) - KernelBackend.capabilities | {"many-processes"}

NAMES = [entry.names[0] for entry in catalogue()]

AGENTS = "for p in /proc/[0-9]*; do readlink $p/exe; done | grep npukit-agent; true"


def options_for(machine: VirtualDevice, *, lab: bool = True) -> DeviceOptions:
    server, serial = f"127.0.0.1:{machine.adb.port}", machine.adb.serial
    return DeviceOptions((server,), (serial,), lab=lab, run="test", take_over_hal=True)


def device_of(machine: VirtualDevice) -> Device:
    return Device(Server(port=machine.adb.port), machine.adb.serial)


def failures(played: Run) -> dict[str, str]:
    return {each.name: f"{each.reason} ({each.where})" for each in played.results if each.outcome == "failed"}


@pytest.fixture(scope="module")
def played(virtual_device: VirtualDevice) -> Run:
    """Every scenario, on the device, in its first variant; the last plays over the driver elsewhere."""
    return play(NAMES, backend="adb", devices=options_for(virtual_device), record=True)


@pytest.mark.timeout(1200)
def test_every_scenario_passes(played: Run) -> None:
    assert failures(played) == {}
    assert played.exit_code == 0, played.problems
    assert len(played.results) == len(NAMES)
    skipped = [result for result in played.results if result.outcome == "skipped"]
    assert [result.name for result in skipped if "the adb backend lacks" not in result.reason] == []
    assert all(set(result.needs) & NOT_THERE for result in skipped)


def test_stories_are_those_of_the_reference(played: Run) -> None:
    at_home = play(NAMES, record=True)
    others = {result.name: result for result in at_home.results}
    differ = {}
    for result in played.results:
        if result.outcome == "passed" and result.name not in BY_CHANCE:
            here, there = (_told(each) for each in (result, others[result.name]))
            if here != there:
                differ[result.name] = {app: (here.get(app), there.get(app)) for app in here | there}
    assert differ == {}


def _told(result: Result) -> dict[str, Counter[str]]:
    """By app, what it and the service have said to each other and how often, whatever the order.

    What service and HAL say is left out: how often importances change before the end is a matter of time.
    """
    events = [event_from_json(event) for event in result.events]
    told: dict[str, Counter[str]] = {}
    for event, words in zip(events, in_common_words(events, events, Hearing())[0], strict=True):
        ends = {event.sender, event.receiver}
        if event.method and not event.error and "system_server" in ends and "npu-hal" not in ends:
            (app,) = ends - {"system_server"}
            told.setdefault(app, Counter())[words] += 1
    return told


def test_nothing_is_left_on_the_device(played: Run, virtual_device: VirtualDevice) -> None:
    assert virtual_device.run(AGENTS).text == ""


def test_androids_own_commands_are_enough_for_what_a_phone_can_do(virtual_device: VirtualDevice) -> None:
    played = play(AS_ON_A_PHONE, backend="adb", devices=options_for(virtual_device, lab=False))
    assert failures(played) == {}
    passed = [result.name for result in played.results if result.outcome == "passed"]
    assert len(passed) > len(played.results) / 2
    for result in played.results:
        assert result.outcome == "passed" or "the adb backend lacks" in result.reason
    assert all(matches(name, AS_ON_A_PHONE) for name in passed)


@pytest.fixture
def session(virtual_device: VirtualDevice) -> Iterator[KernelSession]:
    backend = AdbBackend(options_for(virtual_device, lab=False))
    session = backend.open(0)
    try:
        yield session
    finally:
        session.close()


def test_apps_are_installed_packages(session: KernelSession, virtual_device: VirtualDevice) -> None:
    npu = Npu(session)
    album, assistant = npu.app("album"), npu.app("assistant")
    assert isinstance(session, AndroidSession)
    installed = virtual_device.run("cmd package list packages -U -3").text
    for app in (album, assistant):
        assert f"uid:{app.uid}\n" in installed
    album.in_foreground()
    assert virtual_device.run(f"am get-uid-state {album.uid}").text == "2 (TOP)\n"
    assistant.in_foreground()
    assert virtual_device.run(f"am get-uid-state {album.uid}").text == "16 (CACHED_ACTIVITY)\n"
    album.dies()
    assert virtual_device.run(f"am get-uid-state {album.uid}").text == "20 (NONEXISTENT)\n"


def test_without_an_agent_the_shell_can_still_call(virtual_device: VirtualDevice) -> None:
    device = device_of(virtual_device)
    session = ShellSession(device, tier_of(device).own_uid)
    npu = Npu(session)
    npu.policy(TURN_TAKING, maxBudget=3)
    assert "Policy: turntaking" in npu.dump()
    assert npu.cmd("info").exit_code == 0
    service = INpuManagerService.from_binder(npu.operator.process.npu())
    nonsense = service.as_binder().new_parcel()
    nonsense.write_interface_token(INpuManagerService.aidl.descriptor)
    with pytest.raises(StatusError):
        service.as_binder().transact(77, nonsense)
    session.close()


def test_a_device_can_be_used_by_a_host_and_again_by_people(virtual_device: VirtualDevice) -> None:
    backend = AdbBackend(options_for(virtual_device))
    session = backend.open(0)
    npu = Npu(session)
    npu.policy(TURN_TAKING)
    npu.app("album").request().expect(CAN_LOAD_NOW)
    session.close()
    assert "com.example.album" in virtual_device.run("pm list packages").text
    assert "Policy: statusquo" in virtual_device.run("cmd npu info").text


TAKEN = [
    entry.names[0]
    for entry in catalogue()
    if set(entry.needs) <= {"service", "hal-client", "inference"} and "hal-client" in entry.needs
][:4]
"""Some scenarios that need the HAL to themselves."""


def test_the_hal_is_taken_over_and_handed_back(virtual_device: VirtualDevice) -> None:
    assert TAKEN
    before = virtual_device.run(HAL_PID).text
    played = play(TAKEN, backend="adb", devices=options_for(virtual_device, lab=False))
    assert failures(played) == {}
    assert {result.outcome for result in played.results} == {"passed"}
    # Another process, to which the service has given its table: an app with direct access can work.
    assert virtual_device.run(HAL_PID).text != before
    uid = virtual_device.run("cmd package list packages -U com.example.album").text.rpartition(":")[2]
    assert virtual_device.run(f"su {uid.strip()} {PROGRAMS[0]}").code == 0


def test_nobody_takes_the_hal_without_being_asked_to(virtual_device: VirtualDevice) -> None:
    options = replace(options_for(virtual_device), take_over_hal=False)
    played = play(TAKEN[:1], backend="adb", devices=options)
    assert [(result.outcome, "--take-over-hal" in result.reason) for result in played.results] == [
        ("skipped", True)
    ]


def test_work_is_that_of_the_vendors_program(virtual_device: VirtualDevice) -> None:
    played = play(
        ["work.work_alone_ends_no_turn"],
        backend="adb",
        devices=options_for(virtual_device, lab=False),
    )
    assert failures(played) == {}
    assert [result.outcome for result in played.results] == ["passed"]
