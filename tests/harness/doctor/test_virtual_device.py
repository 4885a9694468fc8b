"""The doctor, and apps, on the virtual device: a real adb server, adbd, binder driver and agent."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from harness.adb import Device, Server, lifecycle
from harness.adb.apps import App, candidates
from harness.adb.finding import find
from harness.doctor import Diagnosis, Level, diagnose
from harness.doctor.agent_test import agent_tester
from tests.requirements import lacking
from tests.vm.device import VirtualDevice
from tests.vm.qemu import MachineError

pytestmark = [pytest.mark.adb, pytest.mark.vm, pytest.mark.xdist_group("vm")]


@pytest.fixture(scope="module")
def machine() -> Iterator[VirtualDevice]:
    try:
        machine = VirtualDevice()
    except MachineError as error:
        lacking("vm", str(error))
    try:
        machine.start()
        yield machine
    finally:
        machine.close()


@pytest.fixture
def device(machine: VirtualDevice) -> Device:
    return Device(Server(port=machine.adb.port), machine.adb.serial)


@pytest.fixture(scope="module")
def diagnosis(machine: VirtualDevice) -> Diagnosis:
    return diagnose(
        Device(Server(port=machine.adb.port), machine.adb.serial), agent_tester(lambda text: None)
    )


def test_it_says_what_is_there(diagnosis: Diagnosis) -> None:
    levels = {each.subject: each.level for each in diagnosis.findings}
    there = "build boot APEX flags service policy feature HAL root apps".split()
    assert {subject: levels[subject] for subject in there} == dict.fromkeys(there, Level.OK)
    assert levels["HAL revision"] is Level.OK


def test_it_says_what_buffers_are_made_of(diagnosis: Diagnosis) -> None:
    says = {each.subject: each.says for each in diagnosis.findings}
    assert "no /dev/wrapfd; the service uses another driver: stand-in (contract)" in says["wrapfd"]
    assert "npu, 0 of 2097152 bytes used" in says["heaps"]


def test_it_says_what_is_not(diagnosis: Diagnosis) -> None:
    levels = {each.subject: each.level for each in diagnosis.findings}
    assert levels["SELinux"] is Level.WARNING


def test_every_tier_can_play(diagnosis: Diagnosis) -> None:
    assert [(tier.name, tier.available) for tier in diagnosis.tiers] == [
        ("shell only", True),
        ("agent as shell", True),
        ("agent with any uid", True),
    ], [tier.why for tier in diagnosis.tiers]
    assert f"uid {diagnosis.candidates[0].uid}," in diagnosis.tiers[2].why
    assert diagnosis.exit_code == 0


def test_no_agent_is_left(diagnosis: Diagnosis, device: Device) -> None:
    running = "for p in /proc/[0-9]*; do tr '\\0' ' ' <$p/cmdline 2>/dev/null; echo; done"
    assert "npukit-agent" not in device.shell(running).text.replace(running, "")


def test_the_device_is_known_by_its_number(machine: VirtualDevice, device: Device) -> None:
    assert [found.key for found in find([device.server])] == [machine.number]
    lifecycle.wait_for_boot(device, timeout=30)


def test_an_app_goes_to_the_front_to_the_back_and_away(device: Device) -> None:
    app = App(device, candidates(device, at_most=1)[0].package)
    app.start()
    assert (app.importance(), app.describe().target_sdk) == (100, 37)
    app.to_background()
    assert 100 < app.importance() < 1000
    app.force_stop()
    assert app.importance() == 1000
