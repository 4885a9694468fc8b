"""Brings the agent onto a device, once for each version, and starts it there."""

from __future__ import annotations

import hashlib
import secrets
import shlex
from pathlib import Path
from typing import Protocol

from binder.kernel.remote import CALL_SECONDS, RemoteDevice
from binder.kernel.streams import Stream

from .build import Report, build

FOLDER = "/data/local/tmp"


class Completed(Protocol):
    """What a command on the device left."""

    @property
    def code(self) -> int: ...

    @property
    def text(self) -> str: ...


class Target(Protocol):
    """What is needed of a device, by whatever way it is reached."""

    def shell(self, command: str) -> Completed:
        """Runs a command line to its end."""

    def push(self, source: Path, path: str, *, mode: int) -> object:
        """Copies a file to the device."""

    def stream(self, command: str) -> Stream:
        """Starts a program whose input and output are the stream's."""


class InstallError(Exception):
    """The agent cannot be brought onto the device, or cannot be started. The message says why."""


def install(device: Target, report: Report = lambda text: None) -> str:
    """Sees to it that the device has the agent of this version.

    Args:
        device: where to.
        report: hears what takes its time.

    Returns:
        Where it is.

    Raises:
        BuildError: there is no agent for such a machine, or it cannot be made.
        InstallError: the device does not take it, or what it has then is not what was sent.
    """
    program = build(_line(device, "uname -m"), report)
    digest = hashlib.sha256(program.read_bytes()).hexdigest()
    path = f"{FOLDER}/npukit-agent-{digest[:16]}"
    if _digest(device, path) == digest:
        return path
    report(f"copying the agent to {path}")
    # Under a name of its own until it is complete: others may do the same, or use what is there.
    arriving = f"{path}.{secrets.token_hex(4)}"
    device.push(program, arriving, mode=0o755)
    found = _digest(device, arriving)
    if found != digest:
        device.shell(f"rm -f {arriving}")
        raise InstallError(f"{path} did not arrive as it was sent; is the device's {FOLDER} full?")
    # A running agent keeps its file, whatever has its name.
    _line(device, f"chmod 755 {arriving} && mv -f {arriving} {path} && echo moved")
    return path


def _line(device: Target, command: str) -> str:
    done = device.shell(command)
    if done.code or not done.text.strip():
        raise InstallError(
            f"{command!r} fails on the device: {done.text.strip() or f'exit code {done.code}'}"
        )
    return done.text.strip()


def _digest(device: Target, path: str) -> str:
    """Of a file on the device; empty if there is none."""
    return device.shell(f"sha256sum {path} 2>/dev/null").text.partition(" ")[0]


def start(
    device: Target,
    path: str,
    binder: str = "/dev/binder",
    *,
    uid: int | None = None,
    through_su: bool = False,
    name: str = "the agent",
    call_seconds: float | None = CALL_SECONDS,
) -> RemoteDevice:
    """Starts the agent and has it open a binder device.

    Args:
        device: where it is.
        path: what `install` returned.
        binder: the device to open; none if empty.
        uid: whom it should run as; as the shell does unless given.
        through_su: whether the device's `su` makes it that user, rather than the agent itself, which needs a
            shell that runs as root.
        name: of the agent, for messages.
        call_seconds: see `RemoteDevice`.

    Raises:
        DeviceError: it does not start, is of another version, may not run as that user or not use the device.
    """
    program = shlex.quote(path)
    if uid is not None and through_su:
        stream, wish = device.stream(f"exec su {uid} {program}"), None
    else:
        stream, wish = device.stream(f"exec {program}"), uid
    return RemoteDevice(stream, binder, uid=wish, name=name, call_seconds=call_seconds)
