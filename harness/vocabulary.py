"""The words scenarios are written in: a device with an NPU, and apps on it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Protocol, Self, TypeVar

import pytest

from binder import PersistableBundle, RemoteException, ShellResult
from generated.android.hardware.npu import ISchedulingCallback
from generated.android.npumanager import INpuManagerService, ModelLoadRequestParcelable, NpuModelSize

from .backend import CAPABILITIES, AppProcess, ScenarioFailure, Session
from .buffers import Buffers
from .hal import Hal
from .memory import ProcessMemory
from .native import Runtime
from .requests import CAN_LOAD_NOW, CANCELLED, COMPLETE, NOT_PRIORITIZED, WAIT_FOR_UNLOAD, Request
from .wrapfd import DriverWords

__all__ = [
    "BACKGROUND",
    "BETWEEN_1GB_AND_2GB",
    "BUDGET",
    "CANCELLED",
    "CAN_LOAD_NOW",
    "COMPLETE",
    "CRITICAL",
    "EMERGENCY",
    "GREATER_THAN_2G",
    "LESS_THAN_1GB",
    "LIGHT",
    "MODERATE",
    "NONE",
    "NORMAL",
    "NOT_PRIORITIZED",
    "SEVERE",
    "SHUTDOWN",
    "STATUS_QUO",
    "TURN_TAKING",
    "WAIT_FOR_UNLOAD",
    "App",
    "Npu",
    "check",
    "covers",
    "needs",
]

STATUS_QUO, TURN_TAKING, BUDGET = 0, 1, 2
POLICY_NAMES = {STATUS_QUO: "statusquo", TURN_TAKING: "turntaking", BUDGET: "budget"}

# PowerManager.THERMAL_STATUS_*
NONE, LIGHT, MODERATE, SEVERE, CRITICAL, EMERGENCY, SHUTDOWN = range(7)

NORMAL = ModelLoadRequestParcelable.PRIORITY_NORMAL
BACKGROUND = ModelLoadRequestParcelable.PRIORITY_BACKGROUND

LESS_THAN_1GB = NpuModelSize.LESS_THAN_1GB
BETWEEN_1GB_AND_2GB = NpuModelSize.BETWEEN_1GB_AND_2GB
GREATER_THAN_2G = NpuModelSize.GREATER_THAN_2G

# ActivityManager's importances, by what the words below call them.
IMPORTANCE = {
    "foreground": 100,
    "foreground service": 125,
    "visible": 200,
    "perceptible": 230,
    "service": 300,
    "background": 400,
    "gone": 1000,
}

ANDROID_17 = 37

# A moment more than HAL and service need to tell each other of the end of work.
DEBOUNCE_SECONDS = ISchedulingCallback.DEBOUNCE_DURATION_MS / 1000 + 0.005

F = TypeVar("F", bound=Callable[..., Any])


def covers(*rules: str) -> Callable[[F], F]:
    """Says which public rules a scenario covers: CTS and VTS tests by name, or the contract's subject."""

    def mark(function: F) -> F:
        marked: F = pytest.mark.covers(*rules)(function)
        return marked

    return mark


def needs(*capabilities: str) -> Callable[[F], F]:
    """Says what a backend must offer for a scenario to be played; elsewhere it is skipped."""
    if unknown := set(capabilities) - set(CAPABILITIES):
        raise ValueError(f"no such capability: {', '.join(sorted(unknown))}")

    def mark(function: F) -> F:
        marked: F = pytest.mark.needs(*capabilities)(function)
        return marked

    return mark


def check(condition: bool, rule: str) -> None:
    """Fails the scenario unless `condition` holds; `rule` says what should be."""
    if not condition:
        raise ScenarioFailure(rule)


class Watched(Protocol):
    """Something that hears news."""

    def unread(self) -> object | None:
        """The first news that no `expect` has taken."""

    def failure(self, message: str, expected: object, actual: object) -> ScenarioFailure:
        """A failure that is about that news."""


class App:
    """An app with a process and a uid of its own."""

    def __init__(self, npu: Npu, process: AppProcess) -> None:
        self.npu = npu
        self.process = process
        self.service = INpuManagerService.from_binder(process.npu())
        self.buffers = Buffers(self)
        self.driver = DriverWords(self)
        self.runtime = Runtime(self)
        self._next_id = 1

    @property
    def label(self) -> str:
        return self.process.label

    @property
    def uid(self) -> int:
        return self.process.uid

    @property
    def memory(self) -> ProcessMemory:
        """The process's side of buffers."""
        return self.process.memory()

    # --- where it is -------------------------------------------------------------------------------

    def at(self, importance: int | str) -> Self:
        """Moves the app to an importance, by ActivityManager's number or by a word of `IMPORTANCE`."""
        number = IMPORTANCE[importance] if isinstance(importance, str) else importance
        self.npu.session.note(f"{self.label} moves to importance {importance}")
        self.process.set_importance(number)
        return self

    def in_foreground(self) -> Self:
        return self.at("foreground")

    def in_background(self) -> Self:
        return self.at("background")

    def dies(self) -> Self:
        """The process is killed, without a chance to say anything."""
        self.npu.session.note(f"{self.label} is killed")
        self.process.kill()
        return self

    # --- what it does ------------------------------------------------------------------------------

    def request(
        self,
        size: int = LESS_THAN_1GB,
        *,
        id: int | None = None,
        priority: int = NORMAL,
    ) -> Request:
        """Asks whether it may load a model. The id is the app's next one, counted from 1."""
        if id is None:
            id = self._next_id
            self._next_id += 1
        request = Request(self, ModelLoadRequestParcelable(id, NpuModelSize(size), priority))
        self.npu.watch(request)
        self.service.canLoadModel(request.parcelable, request.callback)
        return request

    def finishes_work(self, *, original_uid: int | None = None, job_priority: int = 500) -> Self:
        """One job of the app runs on the NPU, from request to completion."""
        ran = self.process.run_inference(job_priority=job_priority, original_uid=original_uid, completes=True)
        check(ran, f"the NPU takes work of {self.label}")
        return self._lets_the_hal_tell()

    def fails_work(self) -> Self:
        """One job of the app runs on the NPU and fails."""
        self.process.run_inference(job_priority=500, original_uid=None, completes=False)
        return self._lets_the_hal_tell()

    def _lets_the_hal_tell(self) -> Self:
        # A HAL tells of an end when no other request has followed for a while.
        self.npu.session.advance(DEBOUNCE_SECONDS)
        self.npu.session.settle()
        return self

    def is_refused_work(self, *, original_uid: int | None = None) -> Self:
        """The NPU does not take a job of the app."""
        ran = self.process.run_inference(job_priority=500, original_uid=original_uid, completes=True)
        check(not ran, f"the NPU refuses work of {self.label}")
        return self

    def works_briefly(self, *, original_uid: int | None = None, job_priority: int = 500) -> Self:
        """One job of the app runs on the NPU; nobody waits for the HAL to tell of its end."""
        ran = self.process.run_inference(job_priority=job_priority, original_uid=original_uid, completes=True)
        check(ran, f"the NPU takes work of {self.label}")
        return self

    def starts_work(
        self, *, seconds: float, original_uid: int | None = None, job_priority: int = 500
    ) -> Self:
        """The app gives the NPU a job that takes a while."""
        self.process.start_inference(job_priority=job_priority, original_uid=original_uid, seconds=seconds)
        return self

    def cancels_work(self) -> Self:
        """The app takes back what it gave the NPU to do."""
        self.process.cancel_inferences()
        return self

    # --- its package -------------------------------------------------------------------------------

    def is_updated(self, *, declares_feature: bool = True, permissions: Sequence[str] = ()) -> Self:
        """Another version of the app is installed."""
        self.npu.session.update_package(
            self.process, declares_feature=declares_feature, permissions=permissions
        )
        return self

    def is_removed(self) -> Self:
        """The app is uninstalled, which ends its processes."""
        self.npu.session.remove_package(self.process)
        return self


class Npu:
    """A device with an NPU, in its first state when the scenario begins."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.hal = Hal(session)
        self._requests: list[Watched] = []
        self._shell: App | None = None
        self.uids: dict[str, int] = {}
        """Of the apps there have been, by label."""

    def app(
        self,
        label: str,
        *,
        target_sdk: int = ANDROID_17,
        declares_feature: bool = True,
        permissions: Sequence[str] = (),
        shares_uid_with: App | None = None,
    ) -> App:
        """Installs and starts an app, cached until it is moved."""
        process = self.session.start_app(
            label,
            target_sdk=target_sdk,
            declares_feature=declares_feature,
            permissions=permissions,
            shares_uid_with=None if shares_uid_with is None else shares_uid_with.process,
        )
        self.uids[label] = process.uid
        return App(self, process)

    def installs(self, label: str) -> int:
        """Installs an app that declares the NPU feature and does not start it. Returns its uid."""
        return self.session.install_package(label)

    def restarts(self, *, with_hal: bool = True) -> None:
        """The system starts anew: all processes are gone, packages and flags stay, no policy is set."""
        self._requests.clear()
        self._shell = None
        self.session.restart(with_hal=with_hal)

    def heats_up(self, status: int) -> None:
        """The platform reports a thermal status, one of NONE to SHUTDOWN."""
        self.session.set_thermal_status(status)

    def cools_down(self) -> None:
        """The platform reports that all is well."""
        self.heats_up(NONE)

    def has_no_wrapfd(self) -> None:
        """From here on it is a device without /dev/wrapfd, as at the start otherwise."""
        self._requests.clear()
        self._shell = None
        self.session.remove_wrapfd()

    def finished_work(self, count: int, *, within: float) -> list[str]:
        """Waits for that many jobs of `App.starts_work` to end. Whose they were, in order."""
        finished = self.session.finished_inferences
        self.session.wait_until(lambda: len(finished()) >= count, within)
        return finished()

    @property
    def operator(self) -> App:
        """The shell user: may set policies, as the platform's own tests do."""
        if self._shell is None:
            self._shell = App(self, self.session.shell_process())
        return self._shell

    def policy(self, policy: int, **params: Any) -> None:
        """Sets the loading policy. `params` go into its bundle: maxBudget=8, modelSizeWeights={"0": 2}."""
        bundle = PersistableBundle.of(params) if params else None
        self.operator.service.setPolicy(policy, bundle)

    def cmd(self, *args: str, as_root: bool = False) -> ShellResult:
        """Runs `cmd npu ARGS...`."""
        return self.session.shell(args, as_root=as_root)

    def dump(self, caller: App | None = None) -> str:
        """What `dumpsys npu` prints for the shell, or for an app."""
        return self.session.dump(None if caller is None else caller.process)

    def metrics(self) -> dict[str, Any]:
        """What the service has counted and what happened last. Needs "metrics"."""
        shown: dict[str, Any] = json.loads(self.cmd("metrics").out)
        return shown

    def watch(self, request: Watched) -> None:
        """Remembers a request or a buffer, so that news which nobody expected does not go unnoticed."""
        self._requests.append(request)

    def forget(self, request: Watched) -> None:
        """Has news of a request go unnoticed."""
        self._requests.remove(request)

    def finish(self) -> None:
        """Ends the scenario. Raises `ScenarioFailure` for news that it did not expect."""
        self.session.settle()
        for request in self._requests:
            if (heard := request.unread()) is not None:
                message = f"{request} heard {heard}, which the scenario does not expect"
                raise request.failure(message, "nothing more", heard)

    @contextmanager
    def refuses(self, kind: type[RemoteException], message: str = "") -> Iterator[None]:
        """The body's call must be refused with this exception, its message containing `message`."""
        try:
            yield
        except kind as error:
            check(message in str(error), f"the refusal should mention {message!r}, but says {error}")
        except RemoteException as error:
            raise self._not_refused(kind, f"not {type(error).__name__}: {error}") from error
        else:
            raise self._not_refused(kind, "but succeeded")

    @staticmethod
    def _not_refused(kind: type[RemoteException], what: str) -> ScenarioFailure:
        rule = f"the call should be refused with {kind.__name__}, {what}"
        return ScenarioFailure(rule, expected=kind.__name__, actual=what)
