from __future__ import annotations

from collections.abc import Callable

import pytest

from harness.adb import BadOutput, android
from harness.reference import ReferenceBackend

from . import samples


def test_properties_with_values_of_several_lines() -> None:
    found = android.properties(samples.GETPROP)
    assert found["ro.build.version.sdk"] == "37"
    assert found["ro.empty"] == ""
    assert found["ro.vendor.note"] == "first line\nsecond line [with brackets]"
    assert found["sys.boot_completed"] == "1"
    assert android.properties(samples.GETPROP.replace("\n", "\r\n"))["ro.debuggable"] == "1"


def test_services_and_their_interfaces() -> None:
    found = android.services(samples.SERVICE_LIST)
    assert found[android.SERVICE] == android.SERVICE_INTERFACE
    assert found[android.HAL] == android.HAL_INTERFACE
    assert found["DockObserver"] == ""
    assert android.services("Found 0 services:\n") == {}


def test_features_and_their_versions() -> None:
    found = android.features(samples.FEATURES)
    assert found[android.FEATURE] == 0
    assert found["android.hardware.vulkan.level"] == 1


def test_packages_and_their_uids() -> None:
    assert android.packages(samples.PACKAGES) == {
        "com.android.shell": 2000,
        "com.example.one": 10123,
        "com.example.two": 10124,
        "com.example.work": 1010123,
    }
    assert android.packages("") == {}


def test_queries_for_packages_name_the_user() -> None:
    assert android.packages_command(10) == "cmd package list packages -U --user 10"
    assert android.packages_command(0, uid=10123).endswith("--user 0 --uid 10123")


def test_a_package_is_known_from_its_dump() -> None:
    dump = android.package_dump(samples.PACKAGE_DUMP, "com.example.one")
    assert dump.target_sdk == 37
    assert dump.requested == {
        "android.permission.INTERNET",
        "android.permission.ATTRIBUTE_WORK_TO_OTHER_APPS",
        "android.permission.CAMERA",
    }
    assert dump.granted == {"android.permission.INTERNET", "android.permission.CAMERA"}
    assert dump.declares_npu is True


def test_a_dump_that_says_nothing_of_features_is_not_taken_for_a_no() -> None:
    without = samples.PACKAGE_DUMP.replace("uses features:", "something else:")
    assert android.package_dump(without, "com.example.one").declares_npu is None
    other = samples.PACKAGE_DUMP.replace("android.hardware.npu ", "android.hardware.npu.other ")
    assert android.package_dump(other, "com.example.one").declares_npu is False


def test_the_activity_of_a_launcher() -> None:
    assert android.launcher(samples.LAUNCHER, "com.example.one") == "com.example.one/.MainActivity"
    assert android.launcher("No activity found\n", "com.example.one") == ""
    with pytest.raises(BadOutput, match=r"no activity of com.example.two"):
        android.launcher(samples.LAUNCHER, "com.example.two")


def test_a_package_that_is_not_in_the_dump_is_an_error() -> None:
    with pytest.raises(BadOutput, match=r"'dumpsys package com.example' .*the package is not in it"):
        android.package_dump(samples.PACKAGE_DUMP, "com.example")


@pytest.mark.parametrize(
    ("output", "importance"),
    [
        ("2 (TOP)\n", 100),
        ("2\n", 100),
        ("4", 125),
        ("6", 200),
        ("8 (TRANSIENT_BACKGROUND)", 230),
        ("10 (PROCESS_STATE_SERVICE)", 300),
        ("12", 325),
        ("13", 350),
        ("16 (CACHED_ACTIVITY)", 400),
        ("20 (NONEXISTENT)", 1000),
        ("19 (NONEXISTENT)", 1000),
        ("-1", 1000),
        ("3 (FOREGROUND_SERVICE)", 125),
        ("99 (SOMETHING_NEW)", 1000),
    ],
)
def test_importance_from_the_state_of_a_process(output: str, importance: int) -> None:
    assert android.importance(output, 10123) == importance


@pytest.mark.parametrize(("output", "enforcing"), [("Enforcing\n", True), ("Permissive\r\n", False)])
def test_selinux(output: str, enforcing: bool) -> None:
    assert android.is_enforcing(output) is enforcing


@pytest.mark.parametrize(("output", "value"), [("true\n", True), ("false", False), ("null\n", None)])
def test_flags_that_are_set_and_those_that_nobody_set(output: str, value: bool | None) -> None:
    assert android.flag_value(output) is value


def test_flags_from_a_list() -> None:
    assert android.aflags(samples.AFLAGS) == {
        "com.android.npumanager.npumanager_enabled": True,
        "com.android.npumanager.request_unload_reason": False,
    }


def test_modules() -> None:
    found = android.apexes("apex-info-list.xml\ncom.android.npumanager\ncom.android.npumanager@370000000\n")
    assert android.APEX in found
    assert "com.android.npumanager@370000000" not in found


def test_the_service_about_itself() -> None:
    info = android.npu_info(samples.NPU_INFO)
    assert info.policy == "budget"
    assert info.max_budget == 4
    assert info.requests == ((10123, "LOADED"), (10124, "PENDING_LOAD"))
    assert info.priorities == {1000: 100, 10123: 125, 10124: 400}
    assert android.npu_info("Policy: statusquo\n\nPriorities:\n").max_budget is None


def test_the_reference_dump_is_understood() -> None:
    session = ReferenceBackend().open(seed=1)
    try:
        app = session.start_app(
            "album", target_sdk=37, declares_feature=True, permissions=(), shares_uid_with=None
        )
        info = android.npu_info(session.dump(None))
    finally:
        session.close()
    assert info.policy == "statusquo"
    assert info.priorities[app.uid] == 400


@pytest.mark.parametrize(
    ("output", "parcel"),
    [
        (samples.SERVICE_CALL_SHORT, "0000000001000000"),
        (samples.SERVICE_CALL_LONG, "00000000280000006300340030003100" + "33000000"),
        ("Result: Parcel(   )", ""),
        ("Result: Parcel(NULL)", ""),
    ],
)
def test_a_reply_parcel_as_text(output: str, parcel: str) -> None:
    assert android.called(output).hex() == parcel


Parser = Callable[[str], object]


@pytest.mark.parametrize(
    "parser",
    [
        android.properties,
        android.services,
        android.features,
        android.packages,
        lambda output: android.package_dump(output, "com.example"),
        lambda output: android.importance(output, 10123),
        android.is_enforcing,
        android.flag_value,
        android.npu_info,
        android.called,
    ],
)
@pytest.mark.parametrize(
    "output",
    [
        "sh: inaccessible or not found",
        "cmd: Can't find service: package",
        "Exception occurred while executing 'x':\njava.lang.SecurityException: Permission Denial",
        "\x00\xff garbage" * 100,
        samples.SERVICE_CALL_DENIED,
        samples.SERVICE_CALL_ABSENT,
    ],
)
def test_what_makes_no_sense_is_quoted(parser: Parser, output: str) -> None:
    with pytest.raises(BadOutput) as caught:
        parser(output)
    assert repr(output.strip()[:20])[1:-1] in str(caught.value)
    assert len(str(caught.value)) < 1000
