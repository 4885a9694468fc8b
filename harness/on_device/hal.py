"""The NPU HAL of a device: giving it work, and taking its callback for a while."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from ..adb import AdbError, Device
from ..adb.android import HAL
from ..adb.deadline import Deadline, poll
from ..backend import ScenarioFailure

PROGRAMS = (
    "/data/local/tmp/run-test-inference",
    "/apex/com.android.hardware.npu/bin/run-test-inference",
)
"""Where the vendor's program may be that makes the NPU work."""

WORK_SECONDS = 60.0
BACK_SECONDS = 30.0
CONNECT_SECONDS = 1.0

HAL_PID = f"dumpsys --pid {HAL}"

Line = Callable[..., str]
"""The command line that runs another one as a uid: `line(command, uid=...)`."""


def program_on(device: Device) -> str:
    """The program that makes the NPU work; "" if the device has none."""
    looked = "; ".join(f"test -x {path} && echo {path}" for path in PROGRAMS)
    found = device.shell(f"{looked}; true", repeatable=True).text.split()
    return found[0] if found else ""


class Inferences:
    """Work for the NPU, as apps ask for it by the vendor's program.

    Args:
        device: where.
        program: its path; "" if there is none.
        line: makes it run as the uid of an app.
    """

    def __init__(self, device: Device, program: str, line: Line) -> None:
        self._device = device
        self._program = program
        self._line = line
        self._finished: list[str] = []
        self._threads: list[threading.Thread] = []

    def work(self, uid: int, job_priority: int, original_uid: int | None, completes: bool) -> str | None:
        """Runs one to its end. Returns what the program says if the NPU does not take it."""
        if not completes:
            pytest.skip("no program makes an inference fail on this device")
        done = self._device.shell(self._command(uid, job_priority, original_uid), timeout=WORK_SECONDS)
        return None if done.code == 0 else done.said.strip() or f"exit code {done.code}"

    def queue(
        self, uid: int, job_priority: int, original_uid: int | None, seconds: float, label: str
    ) -> None:
        """Starts one. How long it takes is the program's business."""
        command = self._command(uid, job_priority, original_uid)

        def run() -> None:
            try:
                if self._device.shell(command, timeout=WORK_SECONDS).code == 0:
                    self._finished.append(label)
            except AdbError:
                return  # the scenario waits for the label, and says so

        thread = threading.Thread(target=run, daemon=True)
        self._threads.append(thread)
        thread.start()

    def finished(self) -> list[str]:
        """Labels of those of `queue` that have ended, in order."""
        return list(self._finished)

    def close(self) -> None:
        """Waits for those that run yet: the next scenario should find the NPU idle."""
        for thread in self._threads:
            thread.join(WORK_SECONDS)

    def _command(self, uid: int, job_priority: int, original_uid: int | None) -> str:
        other = "" if original_uid is None else f" --original-uid {original_uid}"
        return self._line(f"{self._program} --job-priority {job_priority}{other}", uid=uid)


def hand_back(device: Device, line: Line) -> None:
    """Ends the HAL's process, so that the service connects to the next one and gives it its callback again.

    Raises:
        ScenarioFailure: it does not come back.
    """
    try:
        before = _pid(device)
        device.shell(line(f"kill -9 {before}", uid=0)).check()
        doing = f"waiting for {HAL} to come back"
        poll(lambda: _pid(device) not in ("", before), Deadline(BACK_SECONDS, doing))
    except AdbError as error:
        raise ScenarioFailure(f"the HAL cannot be handed back to the service: {error}") from error
    # Nobody tells when the service has connected; it does so as soon as the HAL is registered.
    pause(CONNECT_SECONDS)


def pause(seconds: float) -> None:
    """Waits for time to pass, where there is no event to wait for."""
    threading.Event().wait(seconds)


def _pid(device: Device) -> str:
    said = device.shell(HAL_PID, repeatable=True).text.split()
    return said[0] if said and said[0].isdecimal() else ""
