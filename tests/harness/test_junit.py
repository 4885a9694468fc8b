"""JUnit XML holds what its readers rely on, and what scenarios are known by."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest

from harness.environment import Environment
from harness.junit import junit_of
from harness.run import Result, Run

from .conftest import Command
from .kit import write_scenarios

PASSED = Result("budget.passes", covers=["a rule", "another"], needs=["hal"], wall_seconds=0.0123)
SKIPPED = Result("budget.skips", outcome="skipped", reason="the backend lacks hal: a HAL")
FAILED = Result(
    "budget.fails[<x>]",
    covers=["a rule"],
    outcome="failed",
    reason="it should hear <this> & \x1b[0m\x00that\nand more",
    where="test_budget.py:7: held.expect(X)",
    device="emulator-5554",
    events=[{"at": 0.5, "note": "something happened"}],
)
BROKEN = Result("work.breaks", outcome="failed", reason="KeyError: 'x'", detail="Traceback ...")
FOLDER = Path("evidence")

# By element, what it may hold and must say. Jenkins' junit and xUnit plugins, GitLab, GitHub's actions and
# Azure's tasks agree on these. Properties of a testcase are an addition that pytest and others make, too.
CHILDREN = {
    "testsuites": {"testsuite"},
    "testsuite": {"properties", "testcase", "system-out", "system-err"},
    "testcase": {"properties", "failure", "error", "skipped", "system-out", "system-err"},
    "properties": {"property"},
}
ATTRIBUTES = {
    "testsuites": {"tests", "failures", "errors"},
    "testsuite": {"name", "tests", "failures", "errors", "skipped", "time", "timestamp", "hostname"},
    "testcase": {"name", "classname", "time"},
    "property": {"name", "value"},
    "failure": {"type", "message"},
    "error": {"type", "message"},
    "skipped": {"message"},
}
TIME = re.compile(r"\d+\.\d{3}")  # no exponent, no more digits: xUnit's schema refuses them
TIMESTAMP = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d")  # no offset: Ant's schema refuses one


def breaches(text: str) -> Iterator[str]:
    """Every broken rule, in a sentence."""
    root = ElementTree.fromstring(text.encode())
    if root.tag != "testsuites":
        yield f"the root is {root.tag}"
    for element in root.iter():
        for child in element:
            if child.tag not in CHILDREN.get(element.tag, set()):
                yield f"{element.tag} holds {child.tag}"
        if missing := ATTRIBUTES.get(element.tag, set()) - element.attrib.keys():
            yield f"{element.tag} lacks {sorted(missing)}"
        if not TIME.fullmatch(element.get("time", "0.000")):
            yield f"time is {element.get('time')}"
        if not TIMESTAMP.fullmatch(element.get("timestamp", "2026-01-01T00:00:00")):
            yield f"timestamp is {element.get('timestamp')}"
    yield from _counts(root)


def _counts(root: Element) -> Iterator[str]:
    """Jenkins and GitLab show what the suite says, and count themselves; the two had better agree."""
    cases = root.findall(".//testcase")
    for suite in (root, *root.findall("testsuite")):
        for attribute, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            counted = sum(case.find(tag) is not None for case in cases)
            if suite.get(attribute, str(counted)) != str(counted):
                yield f"{suite.tag} says {suite.get(attribute)} {attribute}, and has {counted}"
        if suite.get("tests") != str(len(cases)):
            yield f"{suite.tag} says {suite.get('tests')} tests, and has {len(cases)}"
    names = [(case.get("classname"), case.get("name")) for case in cases]
    if len(set(names)) != len(names):  # GitLab ignores all but the first
        yield "two testcases have the same name"
    for case in cases:
        if sum(child.tag in ("failure", "error", "skipped") for child in case) > 1:
            yield f"{case.get('name')} has two ends"


def written(*results: Result, attachments: dict[str, list[Path]] | None = None) -> str:
    environment = Environment(npukit="1.2", devices={"emulator-5554": "a build"})
    started = "2026-11-30T16:57:13+00:00"
    run = Run("adb", 7, list(results), 1, 12.5, environment=environment, wall_started=started)
    return junit_of(run, attachments)


def case(text: str, name: str) -> Element:
    (found,) = [e for e in ElementTree.fromstring(text.encode()).iter("testcase") if e.get("name") == name]
    return found


def properties(element: Element) -> dict[str | None, str | None]:
    return {item.get("name"): item.get("value") for item in element.findall("properties/property")}


def test_file_keeps_the_rules_of_its_readers() -> None:
    assert list(breaches(written(PASSED, SKIPPED, FAILED, BROKEN))) == []
    assert list(breaches(written())) == []


@pytest.mark.parametrize(
    ("good", "bad", "says"),
    [
        ('time="0.012"', 'time="1.2e-05"', "time is"),
        ('failures="1"', 'failures="2"', "says 2 failures"),
        ("<skipped", "<ignored", "holds ignored"),
        ('classname="npukit.budget"', "", "lacks ['classname']"),
        ("T16:57:13", "T16:57:13+00:00", "timestamp is"),
        ('name="passes"', 'name="skips"', "same name"),
    ],
)
def test_rules_notice_a_faulty_file(good: str, bad: str, says: str) -> None:
    text = written(PASSED, SKIPPED, FAILED)
    assert good in text
    assert any(says in breach for breach in breaches(text.replace(good, bad)))


def test_scenario_has_its_rules_seed_backend_and_device_as_properties() -> None:
    text = written(PASSED, FAILED)
    known = {"needs": "hal", "seed": "7", "backend": "adb"}
    assert properties(case(text, "passes")) == {"covers": "a rule; another", **known}
    assert properties(case(text, "fails[<x>]"))["device"] == "emulator-5554"


def test_suite_says_where_it_was_played() -> None:
    (suite,) = ElementTree.fromstring(written().encode()).iter("testsuite")
    said = properties(suite)
    assert said == {"backend": "adb", "seed": "7", "npukit": "1.2", "device emulator-5554": "a build"}


def test_failure_has_reason_place_and_story() -> None:
    failure = case(written(FAILED), "fails[<x>]").find("failure")
    assert failure is not None
    assert failure.get("message") == "it should hear <this> & \ufffd[0m\ufffdthat"
    assert "and more\ntest_budget.py:7: held.expect(X)\n" in (failure.text or "")
    assert "* something happened" in (failure.text or "")


def test_scenario_that_breaks_is_an_error_and_no_failure() -> None:
    broken = case(written(BROKEN), "breaks")
    error = broken.find("error")
    assert error is not None
    assert "Traceback" in (error.text or "")
    assert broken.find("failure") is None


def test_skip_has_its_reason() -> None:
    skipped = case(written(SKIPPED), "skips").find("skipped")
    assert skipped is not None
    assert skipped.get("message") == "the backend lacks hal: a HAL"


def test_attachments_are_named_in_the_output() -> None:
    files = [FOLDER / "a" / "story.txt", FOLDER / "a" / "logcat.txt"]
    text = written(PASSED, FAILED, attachments={FAILED.name: files})
    said = case(text, "fails[<x>]").findtext("system-out")
    assert said == "[[ATTACHMENT|evidence/a/story.txt]]\n[[ATTACHMENT|evidence/a/logcat.txt]]"
    assert case(text, "passes").find("system-out") is None


def test_every_attachment_of_a_run_is_there(
    harness: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from harness import commands, run

    source = """
        def test_fails(npu):
            npu.app("album").request(LESS_THAN_1GB).expect(WAIT_FOR_UNLOAD)
    """
    folder = write_scenarios(tmp_path, "junit_evidence", source)
    monkeypatch.setattr(commands, "_patterns", lambda names: [])
    monkeypatch.setattr(commands, "play", lambda patterns, **more: run.play(folder=folder, **more))
    monkeypatch.chdir(tmp_path)
    assert harness("run", "--junit", "junit.xml", "--evidence", "evidence").code == 1
    text = Path("junit.xml").read_text(encoding="utf-8")
    assert list(breaches(text)) == []
    named = re.findall(r"\[\[ATTACHMENT\|(.+)\]\]", text)
    assert {Path(name).name for name in named} == {"story.txt", "events.json"}
    assert all(Path(name).is_file() for name in named)
