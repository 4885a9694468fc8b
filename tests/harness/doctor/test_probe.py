"""Asking a pretended device, whose shell is a table."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.adb import Device, DeviceUnavailable, Server
from harness.doctor import Level, diagnose
from harness.doctor.facts import AgentTest, Answer, Hal
from harness.doctor.probe import _names_script, probe
from harness.doctor.revisions import FROZEN_HASH
from harness.fake_adb import Cut, FakeAdb, real_shell
from tests.harness.adb.fake_android import FakeAndroid


@pytest.fixture
def fake() -> Iterator[FakeAdb]:
    with FakeAdb() as server:
        yield server


@pytest.fixture
def phone(fake: FakeAdb) -> FakeAndroid:
    return FakeAndroid().install(fake.add("0123"))


@pytest.fixture
def device(fake: FakeAdb, phone: FakeAndroid) -> Device:
    return Device(Server(*fake.address), "0123")


class Trying:
    """Says that it has tried, and with what."""

    def __init__(self, hal: Hal | None = None, problem: str = "") -> None:
        self.tried: list[tuple[int | None, bool, int]] = []
        self._hal, self._problem = hal or Hal(), problem

    def __call__(self, device: Device, *, uid: int | None, through_su: bool, api_level: int) -> AgentTest:
        self.tried.append((uid, through_su, api_level))
        if self._problem:
            raise RuntimeError(self._problem)
        return AgentTest(2000 if uid is None else uid, 1.0, True, self._hal)


def test_everything_is_asked_and_understood(device: Device) -> None:
    facts = probe(device, None)
    assert facts.property("ro.build.version.sdk") == "37"
    assert (facts.uid.value, facts.su.value, facts.enforcing.value) == (2000, 0, True)
    assert facts.flags["npumanager_enabled"].value is True
    assert facts.flags["request_unload_reason"].value is False
    assert facts.flags["opportunistic_priority"] == Answer(None)
    assert facts.info.get(None) is not None  # type: ignore[arg-type]
    assert facts.heaps.value == ("system", "system-uncached")
    assert facts.wrapfd.value is False
    assert facts.inference.value == ""
    assert [app.package for app in facts.candidates.get([])] == ["com.example.one", "com.example.two"]
    assert facts.hal == Hal(Answer(1), Answer(FROZEN_HASH), Answer(frozenset()))


def test_the_agent_is_tried_as_the_shell_and_as_an_app_by_su(device: Device) -> None:
    tester = Trying()
    facts = probe(device, tester)
    assert tester.tried == [(None, False, 37), (10123, True, 37)]
    assert facts.agent_as_app.get(AgentTest(0, 0, False)).uid == 10123


def test_a_root_shell_needs_no_su(phone: FakeAndroid, device: Device) -> None:
    phone.uid = 0
    phone.packages = {}
    tester = Trying()
    probe(device, tester)
    assert tester.tried == [(None, False, 37), (10123, False, 37)]


def test_without_root_no_other_uid_is_tried(phone: FakeAndroid, device: Device) -> None:
    phone.userdebug = False
    tester = Trying()
    probe(device, tester)
    assert tester.tried == [(None, False, 37)]


def test_why_the_agent_does_not_run_is_told(device: Device) -> None:
    diagnosis = diagnose(device, Trying(problem="no C compiler: pip install ziglang"))
    assert [tier.why for tier in diagnosis.tiers[1:]] == ["no C compiler: pip install ziglang"] * 2
    assert diagnosis.tiers[0].available


def test_what_the_agent_heard_of_the_hal_is_believed(device: Device) -> None:
    heard = Hal(Answer(1), Answer("0" * 40))
    facts = probe(device, Trying(heard))
    assert (facts.hal.version, facts.hal.hash) == (heard.version, heard.hash)


def test_a_hal_of_the_documented_dialect_is_named(phone: FakeAndroid, device: Device) -> None:
    phone.hal_names = ("NpuUuid", "minPriority")
    phone.overrides["su 0 service call android.hardware.npu.IScheduling/default 16777214"] = (
        "Result: Parcel(00000000 00000001 00000078 '....')"
    )
    found = next(each for each in diagnose(device, None).findings if each.subject == "HAL revision")
    assert found.level is Level.FAILURE
    assert "the dialect of the documentation page" in found.says


@pytest.mark.parametrize(
    "command", ["getprop", "service list", "pm list features", "cmd npu info", "getenforce"]
)
def test_one_bad_answer_spoils_only_its_subject(phone: FakeAndroid, device: Device, command: str) -> None:
    phone.overrides[command] = "java.lang.SecurityException: Permission Denial"
    diagnosis = diagnose(device, None)
    told = [each for each in diagnosis.findings if "Permission Denial" in each.says]
    assert told
    assert all(each.level is Level.UNKNOWN for each in told)
    assert any(each.level is Level.OK for each in diagnosis.findings)


def test_a_shell_without_any_command_of_android_is_diagnosed_too(phone: FakeAndroid, device: Device) -> None:
    phone.answer = lambda service: b"\x02\x0a\0\0\0not found\n\x03\x01\0\0\0\x7f"  # type: ignore[method-assign]
    phone.device.shell = phone.answer
    diagnosis = diagnose(device, None)
    assert diagnosis.exit_code == 1
    assert {each.level for each in diagnosis.findings} <= {Level.UNKNOWN, Level.ABSENT}


def test_a_device_that_is_lost_meanwhile_is_an_error(phone: FakeAndroid, device: Device) -> None:
    before = phone.answer

    def leaving(service: str) -> object:
        if "features" in service:
            phone.device.state = "recovery"
            return [Cut()]
        return before(service)

    phone.device.shell = leaving  # type: ignore[assignment]
    with pytest.raises(DeviceUnavailable, match="recovery"):
        diagnose(device, None)


HAS_LIBRARY = """
import mmap, sys
file = open(sys.argv[1], "rb")
mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
print("mapped", flush=True)
sys.stdin.read()
"""


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="looks at a process as Linux shows it")
@pytest.mark.parametrize(
    ("inside", "found"), [(b"NpuUuid\0appPriority", True), (b"Uuid", False)], ids=["dialect", "frozen"]
)
def test_names_are_found_in_what_the_process_of_the_hal_has_mapped(
    fake: FakeAdb, tmp_path: Path, inside: bytes, found: bool
) -> None:
    """With a real shell, on the files of a real process that stands for the HAL's."""
    library, dumpsys = tmp_path / "libnpu.so", tmp_path / "dumpsys"
    library.write_bytes(b"\x7fELF\0" + inside + b"\0")
    hal = subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", HAS_LIBRARY, library],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    with hal:
        assert hal.stdout is not None
        assert hal.stdout.readline() == b"mapped\n"
        dumpsys.write_text(f"#!/bin/sh\necho {hal.pid}\n")
        dumpsys.chmod(0o755)
        fake.add("0123", shell=real_shell({"PATH": f"{tmp_path}:{os.environ['PATH']}"}))
        script = _names_script("", ["NpuUuid", "appPriority"])
        done = Device(Server(*fake.address), "0123").shell(script).check()
        hal.communicate(b"")
    assert (set(done.text.split()) == {"NpuUuid", "appPriority"}) is found
