"""One scenario on a device that only Android's own commands can move."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from binder import IBinder, ShellResult

from ..adb import Device
from ..adb.android import HAL, SERVICE
from ..adb.apps import CACHED
from ..agent_pool import AgentPool
from ..backend import AppProcess, ScenarioFailure
from ..control import Stage
from ..kernel import KernelApp, KernelSession
from ..memory import WithoutMemory
from ..placement import Agents
from .agents import NoAgents
from .android import AndroidStage
from .apps import Players, Wanted
from .evidence import evidence_of, place_of
from .hal import Inferences, hand_back
from .service_call import ServiceCall

_SHELL_UID = 2000


class _DeviceSession(KernelSession):
    """What scenarios on a device have in common, whatever moves it."""

    def __init__(self, device: Device, stage: Stage, agents: Agents, pool: AgentPool | None) -> None:
        self._device = device
        super().__init__(stage, agents, pool)

    def evidence(self) -> dict[str, str]:
        return {**super().evidence(), **evidence_of(self._device)}

    def place(self) -> dict[str, str]:
        return place_of(self._device)


class AndroidSession(_DeviceSession):
    """Apps are installed packages, each with an agent under its uid.

    Args:
        device: where.
        own_uid: whom a command of adb's runs as.
        agents: start agents.
        players: the packages.
        pool: where processes come from, and go back to.
        program: what makes the NPU work; "" if there is nothing.
    """

    def __init__(
        self,
        device: Device,
        own_uid: int,
        agents: Agents,
        players: Players,
        pool: AgentPool | None = None,
        program: str = "",
    ) -> None:
        self._own_uid = own_uid
        self._has_taken_hal = False
        self._players = players
        inferences = Inferences(device, program, self._line_as)
        self._stage = AndroidStage(players, self._idle_since, inferences)
        super().__init__(device, self._stage, agents, pool)
        self.closing.callback(self._hand_back_hal)
        self.closing.callback(inferences.close)
        self._command("set-status-quo-policy", as_root=False)

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
        if shares_uid_with is not None:
            return self._start(label, shares_uid_with.uid)
        player = self._players.take(label, Wanted(target_sdk, declares_feature, tuple(permissions)))
        self.note(f"{label} is {player.app.package}")
        self._stage.watch(player.app)
        self._stage.move(player.app.uid, CACHED)
        return self._start(label, player.app.uid)

    def enrol(self, app: KernelApp) -> None:
        """Nobody on the device wants to know."""

    # --- people ------------------------------------------------------------------------------------

    def shell(self, args: Sequence[str], *, as_root: bool) -> ShellResult:
        self.note(f"{'root' if as_root else 'shell'}$ cmd npu {' '.join(args)}".rstrip())
        return self._command(*args, as_root=as_root)

    def dump(self, caller: AppProcess | None) -> str:
        if caller is not None:
            return super().dump(caller)
        return self._device.shell(self._line("dumpsys npu", as_root=False), repeatable=True).check().text

    def _command(self, *args: str, as_root: bool) -> ShellResult:
        done = self._device.shell(self._line(f"cmd npu {shlex.join(args)}", as_root=as_root))
        # A shell's exit codes have eight bits; those of Android's commands have a sign.
        return ShellResult(
            done.code - 256 if done.code > 127 else done.code, done.text, done.stderr.decode(errors="replace")
        )

    def _line(self, command: str, *, as_root: bool) -> str:
        return self._line_as(command, uid=0 if as_root else _SHELL_UID)

    def _line_as(self, command: str, *, uid: int) -> str:
        return command if uid == self._own_uid else f"su {uid} {command}"

    # --- the HAL -----------------------------------------------------------------------------------

    def hal_process(self) -> KernelApp:
        self._has_taken_hal = True
        return super().hal_process()

    def _hand_back_hal(self) -> None:
        if self._has_taken_hal:
            hand_back(self._device, self._line_as)

    # --- time --------------------------------------------------------------------------------------

    def _idle_since(self) -> float:
        return self.story.last_heard


class LabSession(_DeviceSession):
    """One scenario on a virtual device, whose surroundings can be moved at will.

    Args:
        device: where.
        control: of the reference behind the device.
        agents: start agents.
        pool: where processes come from, and go back to.
    """

    def __init__(self, device: Device, control: Stage, agents: Agents, pool: AgentPool | None = None) -> None:
        super().__init__(device, control, agents, pool)


class ShellSession(AndroidSession):
    """Where no agent runs: calls of the shell without callbacks, by `service call`.

    Args:
        device: where.
        own_uid: whom a command of adb's runs as.
    """

    def __init__(self, device: Device, own_uid: int) -> None:
        super().__init__(device, own_uid, NoAgents(), Players([]))

    def shell_process(self) -> ShellProcess:  # type: ignore[override]  # no agent is behind it
        return ShellProcess(self._device, self._own_uid)


class ShellProcess(WithoutMemory):
    """The shell, as far as it can play an app."""

    def __init__(self, device: Device, uid: int) -> None:
        self.label, self.uid = "shell", uid
        self._device = device

    def npu(self) -> IBinder:
        return ServiceCall(self._device, SERVICE)

    def hal(self) -> IBinder:
        return ServiceCall(self._device, HAL)

    def set_importance(self, importance: int) -> None:
        raise ScenarioFailure("the shell has no importance of its own")

    def kill(self) -> None:
        raise ScenarioFailure("the shell cannot be killed")

    def run_inference(self, *, job_priority: int, original_uid: int | None, completes: bool) -> bool:
        raise _no_work()

    def start_inference(self, *, job_priority: int, original_uid: int | None, seconds: float) -> None:
        raise _no_work()

    def cancel_inferences(self) -> None:
        raise _no_work()


def _no_work() -> ScenarioFailure:
    return ScenarioFailure("the shell has no work for the NPU")
