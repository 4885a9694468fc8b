"""The kernel backend: the reference service over a real binder driver, and apps that are real processes.

The service is a program that is driven through its control channel; each app is an agent under the app's uid,
which makes the binder calls of the client code in this process. So every call goes through the driver, is
made by the uid that the scenario says, and ends when that process does.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import Any

from binder import Binder, IBinder, Parcel, ShellResult
from binder import dump as dump_service
from binder import shell_command as run_shell_command
from binder.kernel.observed import Exchange
from generated.android.hardware.npu import IScheduling
from generated.android.npumanager import INpuManagerService

from .agent_pool import AgentPool, AgentProcess
from .backend import CAPABILITIES, OF_ONE_PROCESS, AppProcess, ScenarioFailure
from .control import Control, Stage
from .exchanges import Story
from .memory import ProcessMemory
from .placement import Agents, Placement, PlacementError, placement_from_environment
from .record import Event
from .reference import AgentMemory

_NPU = "npu"
_HAL = f"{IScheduling.aidl.descriptor}/default"
_FEATURE = "android.hardware.npu"
_SHELL_SECONDS = 10.0
_CACHED = 400
_LATEST_SDK = 37
_ROOT_UID, _SYSTEM_UID, _SHELL_UID, FIRST_APP_UID = 0, 1000, 2000, 10123


class KernelBackend:
    """Makes sessions, all with the same server.

    Args:
        placement: where processes run.
    """

    name = "kernel"
    capabilities = frozenset(CAPABILITIES) - OF_ONE_PROCESS
    places: int | None = None

    def __init__(self, placement: Placement | None = None) -> None:
        self.placement = placement or placement_from_environment()
        self._control: Control | None = None
        self._pool: AgentPool | None = None

    def check(self) -> None:
        self.placement.check()

    @property
    def control(self) -> Control:
        """The server's. Raises `PlacementError` if there is none and none can be started."""
        if self._control is None:
            self._control = Control(self.placement.start_server())
        return self._control

    def open(self, seed: int) -> KernelSession:
        """A fresh session. What may happen in any order, the machine decides."""
        try:
            return self._open()
        except PlacementError:
            # The server did not survive the scenario before, whose failure that was.
            self.close()
            return self._open()

    def _open(self) -> KernelSession:
        if self._pool is None:
            self._pool = AgentPool(self.placement, keeps=True)
        return KernelSession(self.control, self.placement, self._pool)

    def losses(self) -> dict[str, str]:
        return {}

    def close(self) -> None:
        """Ends all processes."""
        if self._pool is not None:
            self._pool.close()
            self._pool = None
        if self._control is not None:
            self._control.close()
            self._control = None


class KernelApp:
    """An agent's process, and the client code that runs through it."""

    def __init__(self, session: KernelSession, label: str, agent: AgentProcess) -> None:
        self.label = label
        self.uid = agent.uid
        self.agent = agent
        self.device = agent.device
        self.process = agent.process
        self.alive = True
        self._memory: AgentMemory | None = None
        self._session = session
        session.enrol(self)
        # Not earlier: something may have been on its way yet from an earlier scenario.
        agent.observer = self._observe

    def _find(self, name: str) -> IBinder:
        found = self.agent.find(name)
        if found is None:
            raise ScenarioFailure(f"{self.label} finds no service {name!r}")
        return found

    def npu(self) -> IBinder:
        return self.process.observed(self._find(_NPU))

    def hal(self) -> IBinder:
        return self.process.observed(self._find(_HAL))

    def memory(self) -> ProcessMemory:
        if self._memory is None:
            facts = self._session.buffers()
            self._memory = AgentMemory(
                self.agent, facts["socket"], facts["heap"], lambda: INpuManagerService.from_binder(self.npu())
            )
        return self._memory

    def leave(self) -> None:
        """Its scenario has ended; the process lives on, without what it had open."""
        if self._memory is not None:
            self._memory.end()

    def set_importance(self, importance: int) -> None:
        self._session.control("importance", uid=self.uid, importance=importance)

    def kill(self) -> None:
        self.alive = False
        self.process.kill()
        self._session.mourn(self)

    def end(self) -> None:
        """Ends the process in order, without waiting for anybody to notice."""
        self.alive = False
        self.process.close()

    def run_inference(self, *, job_priority: int, original_uid: int | None, completes: bool) -> bool:
        self._session.note(f"{self.label} runs an inference that {'completes' if completes else 'fails'}")
        refusal = self._session.control(
            "work", uid=self.uid, job_priority=job_priority, original_uid=original_uid, completes=completes
        )
        if refusal is not None:
            self._session.note(f"it is not done: {refusal}")
        return refusal is None

    def start_inference(self, *, job_priority: int, original_uid: int | None, seconds: float) -> None:
        self._session.note(f"{self.label} starts an inference of {seconds:g} s")
        refusal = self._session.control(
            "queue",
            uid=self.uid,
            job_priority=job_priority,
            original_uid=original_uid,
            seconds=seconds,
            label=self.label,
        )
        if refusal is not None:
            raise ScenarioFailure(f"the HAL refuses an inference of {self.label}: {refusal}")

    def cancel_inferences(self) -> None:
        self._session.note(f"{self.label} cancels its inferences")
        self._session.control("cancel", label=self.label)

    def _observe(self, exchange: Exchange) -> None:
        self._session.story.add(self, exchange)


class _ExitCode(Binder):
    """Receives a shell command's exit code."""

    value: int | None = None

    def on_transact(self, code: int, data: Parcel, reply: Parcel, flags: int) -> None:
        data.read_interface_token()
        self.value = data.read_int32()


class KernelSession:
    """One scenario on a device that has been reset.

    Args:
        control: what moves the device.
        agents: start processes for apps.
        pool: where those come from instead, and go back to.
    """

    def __init__(self, control: Stage, agents: Agents, pool: AgentPool | None = None) -> None:
        self.control = control
        self.closing = ExitStack()
        """What ends with the session, after its apps."""
        self.story = Story(control)
        self._apps: list[KernelApp] = []
        self._pool = pool or AgentPool(agents, keeps=False)
        self._next_uid = FIRST_APP_UID

    # --- apps --------------------------------------------------------------------------------------

    def start_app(
        self,
        label: str,
        *,
        target_sdk: int,
        declares_feature: bool,
        permissions: Sequence[str],
        shares_uid_with: AppProcess | None,
    ) -> KernelApp:
        if shares_uid_with is None:
            uid = self._next_uid
            self._next_uid += 1
        else:
            uid = shares_uid_with.uid
        self._install(f"com.example.{label}", uid, target_sdk, declares_feature, permissions, _CACHED)
        return self._start(label, uid)

    def _start(self, label: str, uid: int) -> KernelApp:
        app = KernelApp(self, label, self._pool.take(uid))
        self._apps.append(app)
        return app

    def _install(
        self,
        name: str,
        uid: int,
        target_sdk: int,
        declares_feature: bool,
        permissions: Sequence[str],
        importance: int | None = None,
    ) -> None:
        features = [_FEATURE] if declares_feature else []
        self.control(
            "install",
            name=name,
            uid=uid,
            target_sdk=target_sdk,
            features=features,
            permissions=list(permissions),
            importance=importance,
        )

    def enrol(self, app: KernelApp) -> None:
        """Hears of an app that has just started."""
        known = self.control("enlist", app=app.agent.number) if app.agent.enrolled else app.agent.enrol()
        if not known:
            raise ScenarioFailure(f"the server does not hear of {app.label}'s process")

    def mourn(self, app: KernelApp) -> None:
        """Sees to it that the device notices an app's death."""
        self.control("mourn", app=app.agent.number)
        if not any(other.alive and other.uid == app.uid for other in self._apps):
            self.control("gone", uid=app.uid)

    def install_package(self, label: str) -> int:
        self._next_uid += 1
        self.note(f"{label} is installed")
        self._install(f"com.example.{label}", self._next_uid - 1, _LATEST_SDK, True, ())
        return self._next_uid - 1

    def update_package(self, app: AppProcess, *, declares_feature: bool, permissions: Sequence[str]) -> None:
        ((name, target_sdk),) = self.control("packages", uid=app.uid)
        self.note(f"{app.label} is updated")
        self._install(name, app.uid, target_sdk, declares_feature, permissions)

    def remove_package(self, app: AppProcess) -> None:
        self.note(f"{app.label} is removed")
        for other in self._apps:
            if other.alive and other.uid == app.uid:
                other.kill()
        for name, _ in self.control("packages", uid=app.uid):
            self.control("remove", name=name)

    # --- people ------------------------------------------------------------------------------------

    def shell_process(self) -> KernelApp:
        return self._start("shell", _SHELL_UID)

    def shell(self, args: Sequence[str], *, as_root: bool) -> ShellResult:
        app = self._start("root", _ROOT_UID) if as_root else self.shell_process()
        receiver = _ExitCode()

        def exit_code() -> int | None:
            self.wait_until(lambda: receiver.value is not None, _SHELL_SECONDS)
            return receiver.value

        self.note(f"{app.label}$ cmd npu {' '.join(args)}".rstrip())
        return run_shell_command(app.npu(), args, receiver, exit_code, new_file=app.device.create_file)

    def dump(self, caller: AppProcess | None) -> str:
        app = caller if isinstance(caller, KernelApp) else self.shell_process()
        return dump_service(app.npu(), new_file=app.device.create_file)

    def set_flag(self, name: str, value: bool) -> None:
        self.note(f"flag {name} is {'on' if value else 'off'}")
        self.control("flag", name=name, value=value)

    # --- the HAL -----------------------------------------------------------------------------------

    def declares_npu(self) -> bool:
        return _FEATURE in self.control("features")

    def hal_table(self) -> dict[int, tuple[int, bool, bool]]:
        return {uid: (priority, access, other) for uid, priority, access, other in self.control("hal_table")}

    def kill_hal(self) -> None:
        self.note("the HAL is killed")
        self.control("kill_hal")

    def start_hal(self, kind: str, *, devices: int, preemption: str) -> None:
        self.note(f"the HAL starts ({kind})")
        self.control("start_hal", kind=kind, devices=devices, preemption=preemption)

    def hal_process(self) -> KernelApp:
        return self._start("tester", _SYSTEM_UID)

    def break_hal(self, *, fail_jobs: int, refuse_calls: int) -> None:
        self.note(f"the HAL lets {fail_jobs} jobs fail and refuses {refuse_calls} calls")
        self.control("faults", fail_jobs=fail_jobs, refuse_calls=refuse_calls)

    def set_thermal_status(self, status: int) -> None:
        self.note(f"the thermal status is {status}")
        self.control("thermal", status=status)

    def hal_callback_version(self) -> tuple[int, str]:
        version, digest = self.control("hal_callback")
        return version, digest

    def finished_inferences(self) -> list[str]:
        return [str(label) for label in self.control("finished")]

    # --- buffers -----------------------------------------------------------------------------------

    def buffers(self) -> dict[str, Any]:
        """What the device says of its buffers. Raises `ScenarioFailure` if it has none."""
        facts: dict[str, Any] | None = self.control("buffers")
        if facts is None:
            raise ScenarioFailure("this device has no buffers")
        return facts

    def remove_wrapfd(self) -> None:
        self._end_apps()
        self.control("remove_wrapfd")
        self.settle()

    def heap_pages(self) -> int:
        return int(self.buffers()["pages"])

    # --- time --------------------------------------------------------------------------------------

    def restart(self, *, with_hal: bool) -> None:
        self.note("the system restarts")
        self._end_apps()
        self.control("restart", with_hal=with_hal)
        self.settle()

    def wait_until(self, condition: Callable[[], bool], timeout: float) -> bool:
        deadline = time.monotonic() + timeout
        while not condition():
            left = deadline - time.monotonic()
            if left <= 0:
                return condition()
            with self.story.changed:
                # A condition may also become true through something that is no call.
                self.story.changed.wait(min(left, 0.02))
        return True

    def settle(self) -> None:
        self.control("settle")

    def advance(self, seconds: float) -> None:
        self.wait_until(lambda: False, seconds)

    def now(self) -> float:
        return time.monotonic() - self.story.start

    def note(self, text: str) -> None:
        self.story.note(text)

    def events(self) -> list[Event]:
        return self.story.events()

    def evidence(self) -> dict[str, str]:
        return {"agents.txt": "".join(f"{app.label}: {app.device.described()}\n" for app in self._apps)}

    def place(self) -> dict[str, str]:
        return {}

    def close(self) -> None:
        with self.closing:
            for app in self._apps:
                if app.alive:
                    app.leave()
                    self._pool.give_back(app.agent)
            self._apps.clear()

    def _end_apps(self) -> None:
        for app in self._apps:
            if app.alive:
                app.end()
        self._apps.clear()
