"""What a scenario needs from the place it is played at."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from binder import IBinder, ShellResult

from .record import Event

if TYPE_CHECKING:
    from .memory import ProcessMemory

CAPABILITIES = {
    "service": "the npu service; a device has it with the com.android.npumanager module",
    "callbacks": "calls from the service back to an app",
    "many-uids": "processes under several app uids; on a device, root or a userdebug build",
    "shell": "`cmd npu` and `dumpsys npu`",
    "root": "commands as root; on a device, `adb root` must work",
    "graded-importance": "apps that are visible, perceptible or a foreground service, not only in front",
    "two-in-front": "two apps in front at once; on a device, that takes a split screen",
    "exact-importance": "setting an app's importance to any value; no real device can",
    "flags": "setting aconfig flags; on a device, `device_config` must be writable",
    "inference": "running work on the NPU as an app; on a device, run-test-inference must be there",
    "packages": "installing and removing packages with chosen traits",
    "hal": "watching, ending and starting the NPU HAL",
    "hal-client": "calling the NPU HAL in the service's place; on a device, root and --take-over-hal",
    "hal-faults": "an NPU HAL that fails on purpose; no vendor's does",
    "hal-kinds": "NPU HALs of other revisions and with other traits; no device has them",
    "cancellation": "ending a job that the NPU has begun",
    "thermal": "setting the thermal status; on a device, `cmd thermalservice` must take it",
    "metrics": "what only the reference service tells of itself, in its dump and as JSON",
    "many-processes": "a thousand processes at once",
    "restart": "restarting the system with its packages and flags; on a device, `adb root` must work",
    "no-wrapfd": "a kernel without /dev/wrapfd",
    "buffers": "heaps for NPU buffers; the reference needs memfd_create with seals, and files for O_DIRECT",
    "small-heap": "a heap for NPU buffers that is small enough to be filled",
    "wrapfd": "apps that use /dev/wrapfd themselves",
    "risky-loads": "loads that public drivers hang on or get wrong; no device is put to that risk",
    "few-descriptors": "processes that can be kept from opening more descriptors, drivers with them",
    "virtual-time": "a clock that scenarios can move",
}
"""Every capability that a scenario may need, and what provides it."""

OF_ONE_PROCESS = frozenset({"virtual-time", "many-processes", "few-descriptors"})
"""What only a device within one process has: time and descriptors are its own, processes cost nothing."""


class AppProcess(Protocol):
    """A process under an app's uid."""

    @property
    def label(self) -> str:
        """What the scenario calls it."""

    @property
    def uid(self) -> int: ...

    def npu(self) -> IBinder:
        """The npu service as this process sees it. Raises `ScenarioFailure` if there is none."""

    def hal(self) -> IBinder:
        """The NPU HAL as this process sees it. Raises `ScenarioFailure` if there is none."""

    def memory(self) -> ProcessMemory:
        """The process's side of buffers. Needs "buffers"."""

    def set_importance(self, importance: int) -> None:
        """Has ActivityManager see the app's uid at this importance."""

    def kill(self) -> None:
        """Ends the process at once, as SIGKILL does."""

    def run_inference(self, *, job_priority: int, original_uid: int | None, completes: bool) -> bool:
        """Has the NPU do a job of this app's, from request to end. Returns whether the NPU took it.

        Needs "inference".
        """

    def start_inference(self, *, job_priority: int, original_uid: int | None, seconds: float) -> None:
        """Gives the NPU a job that takes so long, and does not wait for it. Needs "inference"."""

    def cancel_inferences(self) -> None:
        """Cancels this app's jobs of `start_inference`. Needs "cancellation"."""


class Session(Protocol):
    """One scenario's time at a backend: a device in its first state, with nothing loaded."""

    def start_app(
        self,
        label: str,
        *,
        target_sdk: int,
        declares_feature: bool,
        permissions: Sequence[str],
        shares_uid_with: AppProcess | None,
    ) -> AppProcess:
        """Installs and starts an app. Its importance is that of a cached process."""

    def install_package(self, label: str) -> int:
        """Installs an app that declares the NPU feature, without starting it; its uid. Needs "packages"."""

    def update_package(self, app: AppProcess, *, declares_feature: bool, permissions: Sequence[str]) -> None:
        """Installs another version of an app over it, which stays as it is otherwise. Needs "packages"."""

    def remove_package(self, app: AppProcess) -> None:
        """Uninstalls an app, which ends its processes. Needs "packages"."""

    def shell_process(self) -> AppProcess:
        """A process of the shell user, which holds what the platform's own tests rely on."""

    def shell(self, args: Sequence[str], *, as_root: bool) -> ShellResult:
        """Runs `cmd npu ARGS...`. Needs "shell"."""

    def dump(self, caller: AppProcess | None) -> str:
        """What `dumpsys npu` prints, or what an app sees that tries. Needs "shell"."""

    def set_flag(self, name: str, value: bool) -> None:
        """Sets an aconfig flag of the module. Needs "flags"."""

    def declares_npu(self) -> bool:
        """Whether the device declares the feature android.hardware.npu."""

    def hal_table(self) -> dict[int, tuple[int, bool, bool]]:
        """By uid, the priority, direct access and right to attribute that the HAL holds. Needs "hal"."""

    def kill_hal(self) -> None:
        """Ends the HAL's process; it stays away until `start_hal`. Needs "hal"."""

    def start_hal(self, kind: str, *, devices: int, preemption: str) -> None:
        """Starts the HAL again. Needs "hal", and "hal-kinds" for another than "v1", 1, "pause".

        Args:
            kind: which revision; see `hal.KINDS`.
            devices: how many NPUs it has.
            preemption: "none", "pause" or "cancel": what happens to a job that must make way.
        """

    def hal_process(self) -> AppProcess:
        """A process that may call the HAL in the service's place. Needs "hal-client"."""

    def break_hal(self, *, fail_jobs: int, refuse_calls: int) -> None:
        """Has the HAL let so many jobs fail, and refuse so many calls. Needs "hal-faults"."""

    def set_thermal_status(self, status: int) -> None:
        """Has the platform report this PowerManager.THERMAL_STATUS_*. Needs "thermal"."""

    def hal_callback_version(self) -> tuple[int, str]:
        """Interface version and hash of the callback that the HAL was given. Needs "hal"."""

    def finished_inferences(self) -> list[str]:
        """Labels of those whose jobs of `start_inference` have ended, in that order."""

    def remove_wrapfd(self) -> None:
        """Has a device without /dev/wrapfd, all else being as at the start. Needs "no-wrapfd"."""

    def heap_pages(self) -> int:
        """How many pages the heap of device 0 has. Needs "small-heap"."""

    def restart(self, *, with_hal: bool) -> None:
        """Restarts the system: all processes end, packages and flags stay. Needs "restart"."""

    def wait_until(self, condition: Callable[[], bool], timeout: float) -> bool:
        """Lets things happen until a condition holds. Returns whether it does after `timeout` seconds."""

    def settle(self) -> None:
        """Lets everything that is on its way arrive."""

    def advance(self, seconds: float) -> None:
        """Lets time pass. Needs "virtual-time" to be quick."""

    def now(self) -> float:
        """Seconds since the scenario began, on the backend's clock."""

    def note(self, text: str) -> None:
        """Puts a line into the story."""

    def events(self) -> list[Event]:
        """What has happened so far. With "hal", what service and HAL say to each other is among it."""

    def evidence(self) -> dict[str, str]:
        """What else a failure leaves to look at: texts by the name of a file to put them into."""

    def place(self) -> dict[str, str]:
        """Which device it is: its "serial" and its "build"; {} where it is none."""

    def close(self) -> None:
        """Ends the session and everything it started."""


class Backend(Protocol):
    """A place to play scenarios at."""

    @property
    def name(self) -> str: ...

    @property
    def capabilities(self) -> frozenset[str]: ...

    def check(self) -> None:
        """Raises `BackendUnusable` if it is clear beforehand that nothing can be played there."""

    def open(self, seed: int) -> Session:
        """A fresh session. `seed` decides what may happen in any order."""

    def close(self) -> None:
        """Ends what sessions have in common."""

    @property
    def places(self) -> int | None:
        """How many sessions there can be at once; None for any number."""

    def losses(self) -> dict[str, str]:
        """What was there and is no longer, such as a device, and why."""


@dataclass(frozen=True, slots=True)
class NewsAbout:
    """One call back about a model-load request or a buffer, whether it came or should have.

    Attributes:
        app: whose request or buffer it is.
        id: the app's number for it; None if that is not known.
        number: how many other calls about it came before.
        is_buffer: whether it is a buffer.
    """

    app: str
    id: int | None
    number: int
    is_buffer: bool = False


class BackendUnusable(Exception):
    """A backend lacks what it stands on. The message says what, and what helps."""


class ScenarioFailure(AssertionError):
    """Something happened that a scenario's rule forbids, or did not happen that it demands.

    Args:
        message: what, for people.
        expected, actual: the same as two short texts next to each other; "" if there is no such thing.
        news: which news it is about, if it is about news.
    """

    def __init__(
        self, message: str, *, expected: str = "", actual: str = "", news: NewsAbout | None = None
    ) -> None:
        super().__init__(message)
        self.expected, self.actual, self.news = expected, actual, news
