"""What is made of what a device says."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from harness.adb import android
from harness.adb.apps import Candidate
from harness.doctor.diagnosis import judge
from harness.doctor.facts import AgentTest, Answer, Facts, Hal
from harness.doctor.findings import Finding, Level, Tier
from harness.doctor.revisions import FROZEN_HASH

ONE = Candidate("com.example.one", 10123, 37, True, "com.example.one/.MainActivity")
TWO = Candidate("com.example.two", 10124, 37, True, "com.example.two/.MainActivity")


def healthy() -> Facts:
    return Facts(
        "0123",
        properties=Answer(
            {
                "ro.build.version.sdk": "37",
                "ro.build.fingerprint": "google/x:17/userdebug",
                "ro.debuggable": "1",
                "sys.boot_completed": "1",
            }
        ),
        uid=Answer(2000),
        su=Answer(0),
        enforcing=Answer(True),
        apexes=Answer({android.APEX}),
        services=Answer({android.SERVICE: android.SERVICE_INTERFACE, android.HAL: android.HAL_INTERFACE}),
        features=Answer({android.FEATURE: 0}),
        flags={"npumanager_enabled": Answer(True), "request_unload_reason": Answer(False)},
        info=Answer(android.NpuInfo("budget", 4)),
        heaps=Answer(("system",)),
        wrapfd=Answer(True),
        inference=Answer("/data/local/tmp/run-test-inference"),
        candidates=Answer([ONE, TWO]),
        hal=Hal(Answer(1), Answer(FROZEN_HASH), Answer(frozenset())),
        agent=Answer(AgentTest(2000, 1.5, True, generation=Answer(problem="Permission denied"))),
        agent_as_app=Answer(AgentTest(10123, 1.5, True, generation=Answer("generation: newest"))),
    )


def finding(facts: Facts, subject: str) -> Finding:
    return next(each for each in judge(facts).findings if each.subject == subject)


def test_a_driver_is_told_with_its_generation_and_a_stand_in_by_its_name() -> None:
    facts = healthy()
    assert finding(facts, "wrapfd").says == "/dev/wrapfd, generation: newest"
    facts.agent_as_app = Answer(problem="no root")
    assert "not known: Permission denied" in finding(facts, "wrapfd").says
    facts.agent = Answer(problem="no compiler")
    assert "not known: no agent could ask" in finding(facts, "wrapfd").says
    facts.wrapfd = Answer(False)
    facts.buffers = Answer(
        android.NpuBuffers("stand-in (contract) on memfd", {"npu": "0 of 4096 bytes used"})
    )
    assert finding(facts, "wrapfd").level is Level.OK
    assert finding(facts, "wrapfd").says.endswith("another driver: stand-in (contract) on memfd")
    assert finding(facts, "heaps").says == "system (the service's: npu, 0 of 4096 bytes used)"
    facts.heaps = Answer(())
    assert finding(facts, "heaps").says == "none in /dev/dma_heap (the service's: npu, 0 of 4096 bytes used)"


def tier(facts: Facts, name: str) -> Tier:
    return next(each for each in judge(facts).tiers if each.name == name)


def test_a_healthy_device_has_nothing_to_be_done() -> None:
    diagnosis = judge(healthy())
    assert [each for each in diagnosis.findings if each.level is not Level.OK or each.remedy] == []
    assert all(each.available and not each.remedy for each in diagnosis.tiers)
    assert diagnosis.exit_code == 0


def without(facts: Facts, name: str) -> None:
    services = dict(facts.services.get({}))
    del services[name]
    facts.services = Answer(services)
    if name == android.SERVICE:
        facts.info = Answer(problem="not asked")


def set_property(facts: Facts, name: str, value: str) -> None:
    facts.properties = Answer({**facts.properties.get({}), name: value})


Change = Callable[[Facts], object]


@pytest.mark.parametrize(
    ("change", "subject", "level", "words"),
    [
        (lambda facts: set_property(facts, "ro.build.version.sdk", "36"), "build", Level.ABSENT, "level 36"),
        (lambda facts: set_property(facts, "sys.boot_completed", ""), "boot", Level.WARNING, "not complete"),
        (lambda facts: setattr(facts, "apexes", Answer({"com.android.art"})), "APEX", Level.ABSENT, "no com"),
        (
            lambda facts: setattr(facts, "flags", {"npumanager_enabled": Answer(False)}),
            "flags",
            Level.ABSENT,
            "npumanager_enabled off",
        ),
        (
            lambda facts: setattr(facts, "flags", {"npumanager_enabled": Answer(None)}),
            "flags",
            Level.UNKNOWN,
            "as the build has it",
        ),
        (lambda facts: without(facts, android.SERVICE), "service", Level.FAILURE, "its service npu is not"),
        (lambda facts: without(facts, android.HAL), "HAL", Level.FAILURE, "must have it (VTS)"),
        (
            lambda facts: setattr(facts, "features", Answer({"other": 0})),
            "feature",
            Level.ABSENT,
            "not declared",
        ),
        (lambda facts: setattr(facts, "wrapfd", Answer(False)), "wrapfd", Level.ABSENT, "unsupported"),
        (
            lambda facts: setattr(facts, "wrapfd", Answer(problem="Permission denied")),
            "wrapfd",
            Level.UNKNOWN,
            "Permission denied",
        ),
        (lambda facts: setattr(facts, "heaps", Answer(())), "heaps", Level.ABSENT, "unsupported"),
        (lambda facts: setattr(facts, "inference", Answer("")), "inference", Level.ABSENT, "no run-test"),
        (lambda facts: setattr(facts, "enforcing", Answer(False)), "SELinux", Level.WARNING, "permissive"),
        (lambda facts: setattr(facts, "su", Answer(problem="127")), "root", Level.ABSENT, "not yet"),
        (lambda facts: setattr(facts, "candidates", Answer([ONE])), "apps", Level.ABSENT, "com.example.one"),
        (
            lambda facts: setattr(facts, "services", Answer({android.SERVICE: "other.IThing"})),
            "service",
            Level.FAILURE,
            "other.IThing",
        ),
    ],
)
def test_each_subject_says_what_is_missing(change: Change, subject: str, level: Level, words: str) -> None:
    facts = healthy()
    change(facts)
    found = finding(facts, subject)
    assert found.level is level
    assert words in found.says


def test_a_feature_without_a_hal_is_a_failure_and_neither_is_not() -> None:
    facts = healthy()
    without(facts, android.HAL)
    assert judge(facts).exit_code == 1
    facts.features = Answer({})
    assert finding(facts, "HAL").level is Level.ABSENT
    assert finding(facts, "HAL revision").level is Level.ABSENT
    assert judge(facts).exit_code == 0


def test_a_service_is_not_missed_where_the_flag_is_off_or_the_module_absent() -> None:
    facts = healthy()
    without(facts, android.SERVICE)
    facts.flags = {"npumanager_enabled": Answer(False)}
    assert finding(facts, "service").level is Level.ABSENT
    facts.flags = {}
    facts.apexes = Answer(set())
    assert finding(facts, "service").level is Level.ABSENT


def test_nothing_known_is_nothing_guessed() -> None:
    diagnosis = judge(Facts("0123"))
    levels = {each.level for each in diagnosis.findings}
    assert levels <= {Level.UNKNOWN, Level.ABSENT}
    assert not any(each.available for each in diagnosis.tiers)
    assert diagnosis.exit_code == 1


def test_each_tier_says_what_would_give_it() -> None:
    facts = healthy()
    facts.su = Answer(problem="no su")
    facts.agent_as_app = Answer(problem="not tried")
    without_root = tier(facts, "agent with any uid")
    assert (without_root.available, without_root.remedy) == (False, "adb -s 0123 root")
    set_property(facts, "ro.debuggable", "0")
    assert "userdebug" in tier(facts, "agent with any uid").remedy
    facts.agent = Answer(problem="no C compiler: pip install ziglang")
    assert tier(facts, "agent as shell").why == "no C compiler: pip install ziglang"
    facts.agent = Answer(AgentTest(2000, 1.0, reached_npu=False))
    assert tier(facts, "agent as shell").available is False
    assert judge(facts).exit_code == 0, "the shell is left"


def test_json_has_all_of_it() -> None:
    told = judge(healthy()).as_json()
    assert [each["subject"] for each in told["findings"]][:3] == ["build", "boot", "APEX"]
    assert {each["level"] for each in told["findings"]} == {"ok"}
    assert told["candidates"][0] == {
        "package": "com.example.one",
        "uid": 10123,
        "target_sdk": 37,
        "declares_npu": True,
    }
    assert told["playable"] is True
