"""A run as JUnit XML, as Jenkins, GitLab, GitHub's and Azure's tools read it.

There is no standard. What is written here is what those have in common, and properties of each scenario,
which those who do not know them ignore.
"""

from __future__ import annotations

import platform
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from .record import event_from_json
from .run import Result, Run
from .story import tell

# What XML 1.0 has no way to say.
_UNSPEAKABLE = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit_of(run: Run, attachments: Mapping[str, Sequence[Path]] | None = None) -> str:
    """The file's text.

    Args:
        run: what was played.
        attachments: by the name of a scenario, files that were left to look at.
    """
    counts = _counts(run)
    root = Element("testsuites", {"name": "npukit", **counts})
    suite = SubElement(root, "testsuite", {"name": "harness", **counts})
    suite.set("skipped", str(run.count("skipped")))
    if run.wall_started:
        suite.set("timestamp", run.wall_started.partition("+")[0])
    suite.set("hostname", platform.node())
    _properties(suite, _about(run))
    for result in run.results:
        _case(suite, run, result, (attachments or {}).get(result.name, ()))
    ElementTree.indent(root, " ")
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _counts(run: Run) -> dict[str, str]:
    errors = sum(_is_error(result) for result in run.results)
    return {
        "tests": str(len(run.results)),
        "failures": str(run.count("failed") - errors),
        "errors": str(errors),
        "time": f"{run.wall_seconds:.3f}",
    }


def _about(run: Run) -> dict[str, str]:
    devices = {f"device {serial}": build for serial, build in run.environment.devices.items()}
    known = {"npukit": run.environment.npukit, "policy": run.environment.policy, **devices}
    return {"backend": run.backend, "seed": str(run.seed), **{k: v for k, v in known.items() if v}}


def _case(suite: Element, run: Run, result: Result, attachments: Sequence[Path]) -> None:
    module, _, name = result.name.partition(".")
    case = SubElement(suite, "testcase", classname=f"npukit.{module}", name=_speakable(name))
    case.set("time", f"{result.wall_seconds:.3f}")
    about = {"covers": "; ".join(result.covers), "needs": "; ".join(result.needs)}
    about |= {"seed": str(run.seed), "backend": run.backend, "device": result.device}
    _properties(case, {key: value for key, value in about.items() if value})
    first = result.reason.partition("\n")[0]
    if result.outcome == "skipped":
        SubElement(case, "skipped", message=_speakable(first))
    elif result.outcome == "failed":
        kind = "error" if _is_error(result) else "failure"
        SubElement(case, kind, type=kind, message=_speakable(first)).text = _speakable(_details(result))
    if attachments:
        SubElement(case, "system-out").text = "\n".join(f"[[ATTACHMENT|{path}]]" for path in attachments)


def _properties(parent: Element, values: Mapping[str, str]) -> None:
    properties = SubElement(parent, "properties")
    for name, value in values.items():
        SubElement(properties, "property", name=_speakable(name), value=_speakable(value))


def _is_error(result: Result) -> bool:
    """Whether a scenario broke rather than a rule."""
    return result.outcome == "failed" and bool(result.detail)


def _details(result: Result) -> str:
    """All that is known of a failure: why, where, and what happened."""
    story = tell(event_from_json(event) for event in result.events)
    return "\n".join(filter(None, (result.reason, result.where, result.detail, story)))


def _speakable(text: str) -> str:
    return _UNSPEAKABLE.sub("\N{REPLACEMENT CHARACTER}", text)
