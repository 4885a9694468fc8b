"""Apps on a device: their uids, and moving them between foreground, background and gone as a user would."""

from __future__ import annotations

import re
from dataclasses import dataclass

from . import android
from .deadline import Deadline, poll
from .device import Device
from .errors import AdbError, BadOutput, CommandFailed

START_SECONDS = 30.0
MOVE_SECONDS = 15.0
"""What ActivityManager gets to see an app at another importance."""

FOREGROUND, CACHED, GONE = 100, 400, 1000

_PACKAGE = re.compile(r"[A-Za-z]\w*(\.\w+)+")
_LEAST_APP_UID = 10_000
_PER_USER = 100_000


@dataclass(frozen=True, slots=True)
class Candidate:
    """An installed package that scenarios can play as.

    Attributes:
        declares_npu: whether it declares the NPU feature; None if the device does not tell.
        launcher: its activity for launchers; "" if it has none and so cannot come to the foreground.
    """

    package: str
    uid: int
    target_sdk: int | None
    declares_npu: bool | None
    launcher: str


def current_user(device: Device) -> int:
    """The user in front: 0, unless the device has several."""
    said = device.shell("am get-current-user", repeatable=True).text.strip()
    if not said.isdecimal():
        raise BadOutput("am get-current-user", "not the number of a user", said)
    return int(said)


class App:
    """An installed package of one user. Raises `AdbError` if it is not installed.

    Args:
        user: whose; packages of a work profile are there a second time, with other uids.
    """

    def __init__(self, device: Device, package: str, *, user: int = 0) -> None:
        if not _PACKAGE.fullmatch(package):
            raise AdbError(f"{package!r} is no name of a package", "it looks like com.example.app")
        self._device = device
        self.package = package
        self.user = user
        self.uid = self._uid()

    def _uid(self) -> int:
        command = f"{android.packages_command(self.user)} {self.package}"
        installed = android.packages(self._device.shell(command, repeatable=True).check().text)
        if self.package not in installed:
            raise AdbError(
                f"{self.package} is not installed for user {self.user} of {self._device.serial!r}",
                "see the candidates: harness doctor",
            )
        return installed[self.package]

    def describe(self) -> android.PackageDump:
        """What the package manager knows of it."""
        said = self._device.shell(["dumpsys", "package", self.package], repeatable=True).check().text
        return android.package_dump(said, self.package)

    def importance(self) -> int:
        """As ActivityManager has the uid: 100 in front, 400 cached, 1000 gone."""
        said = self._device.shell(f"am get-uid-state {self.uid}", repeatable=True)
        return android.importance(said.check().text, self.uid)

    def start(self) -> None:
        """Starts its activity and waits until it is in front."""
        launcher = _launcher(self._device, self.package, self.user)
        if not launcher:
            raise AdbError(
                f"{self.package} has no activity for launchers, so it cannot come to the foreground"
            )
        said = self._device.shell(
            ["am", "start", "-W", "--user", str(self.user), "-n", launcher], timeout=START_SECONDS
        )
        # `am` ends with 0 even where it says why it could not.
        if said.code or "Error" in said.said or "Status: ok" not in said.text:
            raise CommandFailed(said.command, said.code, said.said)
        self.wait_for(FOREGROUND, FOREGROUND)

    def to_background(self) -> None:
        """Goes home, as its user would, and waits until it is no longer in front."""
        self._device.shell("input keyevent KEYCODE_HOME").check()
        self.wait_for(FOREGROUND + 1, GONE)

    def force_stop(self) -> None:
        """Ends all of its processes and waits until they have gone."""
        self._device.shell(
            ["am", "force-stop", "--user", str(self.user), self.package], repeatable=True
        ).check()
        self.wait_for(GONE, GONE)

    def pids(self) -> list[int]:
        """Its processes."""
        return [
            int(pid) for pid in self._device.shell(["pidof", self.package]).text.split() if pid.isdecimal()
        ]

    def wait_for(self, least: int, most: int, timeout: float = MOVE_SECONDS) -> None:
        """Waits until its importance is between two values, both included. Raises `TimedOut`."""
        doing = f"waiting for {self.package} to have an importance from {least} to {most}"
        poll(lambda: least <= self.importance() <= most, Deadline(timeout, doing))


def candidates(device: Device, *, user: int = 0, at_most: int = 10) -> list[Candidate]:
    """Packages that scenarios can play as: apps with a uid of their own that can come to the foreground.

    Those that declare the NPU feature come first, and of each uid there is only one.

    Args:
        at_most: how many to look at: a phone has hundreds, and two are enough.
    """
    installed = android.packages(
        device.shell(f"{android.packages_command(user)} -3", repeatable=True).check().text
    )
    by_uid = {uid: name for name, uid in sorted(installed.items(), reverse=True)}
    found: list[Candidate] = []
    own = [(uid, name) for uid, name in sorted(by_uid.items()) if uid % _PER_USER >= _LEAST_APP_UID]
    for uid, name in own[:at_most]:
        app = device.shell(["dumpsys", "package", name], repeatable=True)
        try:
            dump = android.package_dump(app.check().text, name)
            launcher = _launcher(device, name, user)
        except AdbError:
            continue  # uninstalled meanwhile
        if launcher:
            found.append(Candidate(name, uid, dump.target_sdk, dump.declares_npu, launcher))
    return sorted(found, key=lambda candidate: not candidate.declares_npu)


def _launcher(device: Device, name: str, user: int) -> str:
    return android.launcher(device.shell(android.launcher_command(name, user), repeatable=True).text, name)
