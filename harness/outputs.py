"""The files that a run leaves. They are written whole, at the end, so that an interrupted run leaves none."""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass
from pathlib import Path

from .junit import junit_of
from .record import event_from_json
from .record_file import as_json
from .run import Result, Run
from .story import tell
from .trace import as_text, trace_of


class OutputError(Exception):
    """A file cannot be written. The message says which, and why."""


@dataclass(frozen=True, slots=True)
class Outputs:
    """Where they go; None for those that nobody wants.

    Attributes:
        json_file: results and events.
        junit: JUnit XML.
        evidence: a folder that gets one for each failed scenario, with all that there is to look at.
        trace: for the Perfetto UI and chrome://tracing.
        html: a page to look at.
    """

    json_file: Path | None = None
    junit: Path | None = None
    evidence: Path | None = None
    trace: Path | None = None
    html: Path | None = None

    @property
    def want_events(self) -> bool:
        """Whether there is a file that tells of scenarios that passed, too."""
        return bool(self.json_file or self.trace or self.html)

    def check(self) -> None:
        """Raises `OutputError` for what cannot be written, before anything is played."""
        files = {"--json": self.json_file, "--junit": self.junit, "--trace": self.trace, "--html": self.html}
        taken: dict[Path, str] = {}
        for option, path in files.items():
            if path is not None:
                check_file(path)
                if other := taken.get(path.absolute()):
                    raise OutputError(f"{other} and {option} cannot both write {path}")
                taken[path.absolute()] = option
        if self.evidence is not None:
            if self.evidence.exists() and not self.evidence.is_dir():
                raise OutputError(f"cannot write into {self.evidence}: it is no folder")
            _check_folder(self.evidence, self.evidence)

    def _attachments(self, done: Run) -> dict[str, list[Path]]:
        """By scenario, the files that its failure leaves, as paths from where the command was given."""
        if self.evidence is None:
            return {}
        return {
            result.name: [self.evidence / folder_name(result.name) / name for name in _evidence(result)]
            for result in done.results
            if result.outcome == "failed"
        }

    def write(self, done: Run) -> None:
        """Raises `OutputError`."""
        if self.json_file is not None:
            write(self.json_file, json.dumps(as_json(done), indent=1) + "\n")
        if self.junit is not None:
            write(self.junit, junit_of(done, self._attachments(done)))
        if self.trace is not None:
            write(self.trace, as_text(trace_of(done)))
        if self.html is not None:
            from .page import page_of

            write(self.html, page_of(done))
        if self.evidence is not None:
            for result in done.results:
                if result.outcome == "failed":
                    _write_evidence(self.evidence / folder_name(result.name), result)


def check_file(path: Path) -> None:
    """Raises `OutputError` for a file that cannot be written."""
    if path.is_dir():
        raise OutputError(f"cannot write {path}: it is a folder")
    _check_folder(path, path)


def folder_name(scenario: str) -> str:
    """A scenario's name as one of a folder, on any system."""
    return re.sub(r"[^\w.-]+", "_", scenario).strip("_")


def _write_evidence(folder: Path, result: Result) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"cannot write {folder}: {error.strerror}") from None
    for name, text in _evidence(result).items():
        write(folder / name, text)


def _evidence(result: Result) -> dict[str, str]:
    """All there is to look at of a failure: texts by the name of a file."""
    reason = "\n".join(filter(None, (result.reason, result.where, result.detail)))
    events = [event_from_json(event) for event in result.events]
    return {
        "story.txt": f"{result.name}\n{reason}\n\n{tell(events)}\n",
        "events.json": json.dumps(result.events, indent=1) + "\n",
        **{folder_name(name): text for name, text in result.evidence.items()},
    }


def _check_folder(path: Path, shown: Path) -> None:
    parent = path.absolute().parent
    if not parent.is_dir():
        raise OutputError(f"cannot write {shown}: there is no folder {shown.parent}")
    if not os.access(path if path.exists() else parent, os.W_OK):
        raise OutputError(f"cannot write {shown}: no permission")


def write(path: Path, text: str) -> None:
    """Writes a whole file. Raises `OutputError`."""
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise OutputError(f"cannot write {path}: {error.strerror}") from None
