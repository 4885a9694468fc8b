"""Bringing the agent onto a device that is a folder of this machine."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from binder.kernel.streams import ProcessStream, Stream
from harness.adb import Completed
from harness.agent.install import FOLDER, InstallError, install, start

# The first compilation on a machine takes a minute.
pytestmark = pytest.mark.timeout(600)


@dataclass
class Here:
    """A device whose files are in a folder. `cuts` is how much of a pushed file arrives."""

    folder: Path
    machine: str = "x86_64"
    cuts: int | None = None
    pushed: list[str] = field(default_factory=list)

    def _here(self, text: str) -> str:
        return re.sub(rf"{FOLDER}\b", str(self.folder), text)

    def shell(self, command: str) -> Completed:
        if command == "uname -m":
            return Completed(command, self.machine.encode() + b"\n", b"", 0)
        done = subprocess.run(["sh", "-c", self._here(command)], capture_output=True, timeout=20, check=False)
        return Completed(command, done.stdout, done.stderr, done.returncode)

    def push(self, source: Path, path: str, *, mode: int) -> None:
        arrived = Path(self._here(path))
        arrived.write_bytes(source.read_bytes()[: self.cuts])
        arrived.chmod(mode)
        self.pushed.append(path)

    def stream(self, command: str) -> Stream:
        return ProcessStream(["sh", "-c", self._here(command)])


@pytest.fixture
def device(tmp_path: Path) -> Here:
    return Here(tmp_path)


def test_it_is_brought_there_once(device: Here) -> None:
    said: list[str] = []
    path = install(device, said.append)
    assert install(device, said.append) == path
    assert len(device.pushed) == 1
    assert said[-1] == f"copying the agent to {path}"
    assert [file.name for file in device.folder.iterdir()] == [path.rpartition("/")[2]]
    agent = start(device, path, "")
    assert agent.create_file(b"there").read() == b"there"
    agent.close()


def test_it_is_brought_again_if_it_is_not_what_it_was(device: Here) -> None:
    path = install(device)
    there = device.folder / path.rpartition("/")[2]
    good = there.read_bytes()
    there.write_bytes(good[:-1])
    assert install(device) == path
    assert there.read_bytes() == good


def test_what_arrives_otherwise_is_refused_and_leaves_nothing(device: Here) -> None:
    device.cuts = 1000
    with pytest.raises(InstallError, match="did not arrive as it was sent"):
        install(device)
    assert list(device.folder.iterdir()) == []


def test_a_device_that_does_not_answer_is_an_error(device: Here) -> None:
    device.machine = ""
    with pytest.raises(InstallError, match="'uname -m' fails on the device: exit code 0"):
        install(device)


def test_su_may_choose_the_user(device: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    (device.folder / "su").write_text('#!/bin/sh\necho "$1" >"$(dirname "$0")/who"\nshift\nexec "$@"\n')
    (device.folder / "su").chmod(0o755)
    path = install(device)
    with monkeypatch.context() as patch:
        patch.setenv("PATH", f"{device.folder}:{Path(shutil.which('sh') or '/bin/sh').parent}")
        start(device, path, "", uid=10123, through_su=True).close()
    assert (device.folder / "who").read_text() == "10123\n"
