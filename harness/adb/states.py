"""The states in which adb's server lists a device, and what to do in each."""

from __future__ import annotations

import shlex
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class State:
    """A row: how the server calls a state, and what that means.

    Attributes:
        name: as `adb devices` prints it, without what follows in brackets.
        meaning: completes "the device is ...".
        remedy: what a person does about it; empty if nothing is wrong.
        may_pass: whether waiting may be enough.
    """

    name: str
    meaning: str
    remedy: str = ""
    may_pass: bool = False

    def remedy_for(self, serial: str) -> str:
        """The remedy, ready to be typed."""
        return self.remedy.replace("SERIAL", shlex.quote(serial))

    @property
    def usable(self) -> bool:
        """Whether commands can be run."""
        return self.name == "device"


_ROWS = (
    State("device", "ready"),
    State(
        "unauthorized",
        "unauthorized: it has not accepted this computer's key",
        "unlock its screen and accept the question about USB debugging; if there is none, revoke the"
        " authorizations in its developer options and plug it in again",
    ),
    State("authorizing", "authorizing: keys are being exchanged", "wait a moment", may_pass=True),
    State("connecting", "connecting", "wait a moment", may_pass=True),
    State(
        "offline",
        "offline: adb's server knows it, and it does not answer",
        "plug it in again, or over the network: adb disconnect SERIAL, then adb connect SERIAL",
        may_pass=True,
    ),
    State(
        "no permissions",
        "there, but this user may not open it on USB",
        "install udev rules for it (Debian: android-sdk-platform-tools-common), join the group plugdev, and"
        " plug it in again",
    ),
    State("recovery", "in recovery, where Android does not run", "reboot it: adb -s SERIAL reboot"),
    State("rescue", "in rescue mode, where Android does not run", "reboot it: adb -s SERIAL reboot"),
    State(
        "sideload",
        "waiting for an update to be sideloaded",
        "let the update end, or choose to reboot on its screen",
    ),
    State("bootloader", "in its bootloader", "start Android: fastboot -s SERIAL reboot"),
    State("host", "a computer in the role of a device", "choose another one"),
    State("detached", "detached: another program has it", "adb -s SERIAL attach"),
    State(
        "absent",
        "not known to adb's server",
        "plug it in, or: adb connect HOST:PORT; see: adb devices",
        may_pass=True,
    ),
)

STATES: dict[str, State] = {row.name: row for row in _ROWS}
"""By name. `state_called` finds names that are in none of these rows."""

# What the server answers when it will not open a transport, by a part of its text.
_REFUSALS = (
    ("unauthorized", "unauthorized"),
    ("still authorizing", "authorizing"),
    ("still connecting", "connecting"),
    ("insufficient permissions", "no permissions"),
    ("no permissions", "no permissions"),
    ("offline", "offline"),
    ("not found", "absent"),
    ("no devices", "absent"),
)


def state_called(text: str) -> State:
    """The row of a state as the server prints it; a state that is new to us gets one that says so."""
    name = text.strip()
    for row in _ROWS:
        # What is behind it in brackets or after a semicolon is advice of the server's.
        if name == row.name or name.startswith((f"{row.name} (", f"{row.name};")):
            return row
    return State(name, f"in a state that this version does not know, {name!r}", "see: adb devices -l")


def refused_state(reason: str) -> State | None:
    """The state that the server's refusal of a device speaks of, if it does."""
    return next((STATES[name] for part, name in _REFUSALS if part in reason), None)
