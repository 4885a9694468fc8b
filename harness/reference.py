"""The reference backend: a whole pretended device in this process, on a virtual clock.

The only module of the harness that knows the reference implementation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from binder import Binder, IBinder, Parcel, ShellResult
from binder import dump as dump_service
from binder import shell_command as run_shell_command
from binder.local import DeterministicScheduler, Driver
from generated.android.hardware.npu import EndReason
from reference_impl.buffers.agent_memory import AgentMemory
from reference_impl.buffers.agent_probe import generation_over
from reference_impl.buffers.process import ProcessMemory, why_no_buffers
from reference_impl.buffers.small_heaps import FIRST_HEAP_PAGES, small_provision
from reference_impl.constants import (
    CINNAMON_BUN,
    FEATURE_NEURAL_PROCESSING_UNIT,
    HAL_SERVICE,
    NPU_SERVICE,
    ROOT_UID,
    SHELL_UID,
    SYSTEM_UID,
    Importance,
    PolicyType,
)
from reference_impl.device import ReferenceDevice
from reference_impl.hal import SchedulingHal
from reference_impl.inference import Inferences
from reference_impl.platform import SYSTEM_PACKAGES, Package
from reference_impl.policies import POLICY_TYPES, Policy, PolicyFactory
from reference_impl.processes import DeviceProcess

from .backend import CAPABILITIES, AppProcess, ScenarioFailure
from .policy_file import load_class
from .record import Event
from .tap import Tap

__all__ = ["AgentMemory", "ReferenceApp", "ReferenceBackend", "ReferenceSession", "generation_over"]

FIRST_APP_UID = 10123

_BUFFERS = frozenset({"buffers", "small-heap", "wrapfd", "risky-loads", "few-descriptors"})

# Virtual time costs nothing, so as long as a small model takes.
WORK_SECONDS = 0.3

# An exit code arrives as soon as the command has run.
_SHELL_TIMEOUT = 10.0


class ReferenceBackend:
    """Makes sessions.

    Args:
        policy: `FILE.py:Class`, a policy to be tried in place of Budget.
        policy_types: what makes a policy, by its number; other than the reference's own to try one.
    """

    name = "reference"
    capabilities = frozenset(CAPABILITIES)
    places: int | None = None

    def __init__(
        self, policy: str | None = None, *, policy_types: Mapping[int, PolicyFactory] = POLICY_TYPES
    ) -> None:
        self._policy = policy
        self._policy_types = policy_types
        # By capability, why this machine lacks it.
        self.why_not: dict[str, str] = {}
        if lack := why_no_buffers():
            self.capabilities -= _BUFFERS
            self.why_not = dict.fromkeys(_BUFFERS, lack)

    def check(self) -> None:
        """Raises `BackendUnusable` if there is no such policy."""
        self._types()

    def losses(self) -> dict[str, str]:
        return {}

    def open(self, seed: int) -> ReferenceSession:
        return ReferenceSession(seed, self._types())

    def _types(self) -> Mapping[int, PolicyFactory]:
        if self._policy is not None:
            own = load_class(self._policy, Policy)
            self._policy_types, self._policy = {**self._policy_types, PolicyType.BUDGET: own}, None
        return self._policy_types

    def close(self) -> None:
        """Sessions have nothing in common."""


class ReferenceApp:
    """A process on the reference device."""

    def __init__(self, session: ReferenceSession, process: DeviceProcess) -> None:
        self._session = session
        self.process = process

    @property
    def label(self) -> str:
        return self.process.label

    @property
    def uid(self) -> int:
        return self.process.uid

    def npu(self) -> IBinder:
        binder = self.process.get_service(NPU_SERVICE)
        if binder is None:
            raise ScenarioFailure(f"{self.label} finds no service {NPU_SERVICE!r}")
        return binder

    def hal(self) -> IBinder:
        binder = self.process.get_service(HAL_SERVICE)
        if binder is None:
            raise ScenarioFailure(f"{self.label} finds no NPU HAL")
        return binder

    def memory(self) -> ProcessMemory:
        return self._session.memory_of(self.process)

    def set_importance(self, importance: int) -> None:
        self._session.device.set_importance(self.uid, importance)

    def kill(self) -> None:
        self._session.kill(self.process)

    def run_inference(self, *, job_priority: int, original_uid: int | None, completes: bool) -> bool:
        self._session.note(f"{self.label} runs an inference that {'completes' if completes else 'fails'}")
        refusal = self._session.inferences.run(
            self._session.present_hal(),
            self.uid,
            job_priority=job_priority,
            original_uid=original_uid,
            completes=completes,
            seconds=WORK_SECONDS,
        )
        if refusal is not None:
            self._session.note(f"it is not done: {refusal}")
        return refusal is None

    def start_inference(self, *, job_priority: int, original_uid: int | None, seconds: float) -> None:
        self._session.note(f"{self.label} starts an inference of {seconds:g} s")

        def ended(reason: EndReason) -> None:
            self._session.note(f"{self.label}'s inference ends: {reason.name}")

        refusal = self._session.inferences.start(
            self._session.present_hal(),
            self.uid,
            job_priority=job_priority,
            original_uid=original_uid,
            seconds=seconds,
            label=self.label,
            ended=ended,
        )
        if refusal is not None:
            raise ScenarioFailure(f"the HAL refuses an inference of {self.label}: {refusal}")

    def cancel_inferences(self) -> None:
        self._session.note(f"{self.label} cancels its inferences")
        self._session.inferences.cancel(self.label)


def _package(
    label: str,
    uid: int,
    target_sdk: int = CINNAMON_BUN,
    features: frozenset[str] = frozenset({FEATURE_NEURAL_PROCESSING_UNIT}),
    permissions: frozenset[str] = frozenset(),
) -> Package:
    return Package(f"com.example.{label}", uid, target_sdk, features, permissions)


class _ExitCode(Binder):
    """Receives a shell command's exit code."""

    value: int | None = None

    def on_transact(self, code: int, data: Parcel, reply: Parcel, flags: int) -> None:
        data.read_interface_token()
        self.value = data.read_int32()


class ReferenceSession:
    """One scenario on a device of its own."""

    def __init__(self, seed: int, policy_types: Mapping[int, PolicyFactory]) -> None:
        self._scheduler = DeterministicScheduler(seed)
        self._driver = Driver(self._scheduler)
        self._policy_types = policy_types
        self._flags: dict[str, bool] = {}
        self.inferences = Inferences(self._scheduler)
        self._next_uid = FIRST_APP_UID
        self._memories: dict[DeviceProcess, ProcessMemory] = {}
        self._with_wrapfd = True
        self._boot()
        # Booting is nobody's story.
        self._scheduler.settle()
        self._tap = Tap(self._driver)
        self._start = self._scheduler.now()

    def _boot(self, packages: Sequence[Package] = (), *, with_hal: bool = True) -> None:
        self.device = ReferenceDevice(
            self._driver,
            packages=packages,
            flags=self._flags,
            policy_types=self._policy_types,
            with_hal=with_hal,
            provision=small_provision() if self._with_wrapfd else None,
        )

    def start_app(
        self,
        label: str,
        *,
        target_sdk: int,
        declares_feature: bool,
        permissions: Sequence[str],
        shares_uid_with: AppProcess | None,
    ) -> ReferenceApp:
        if shares_uid_with is None:
            uid = self._next_uid
            self._next_uid += 1
        else:
            uid = shares_uid_with.uid
        features = frozenset({FEATURE_NEURAL_PROCESSING_UNIT} if declares_feature else ())
        self.device.install_package(_package(label, uid, target_sdk, features, frozenset(permissions)))
        self.device.set_importance(uid, Importance.CACHED)
        self._scheduler.settle()
        return ReferenceApp(self, self.device.start_process(uid, label))

    def install_package(self, label: str) -> int:
        self._next_uid += 1
        self.note(f"{label} is installed")
        self.device.install_package(_package(label, self._next_uid - 1))
        return self._next_uid - 1

    def update_package(self, app: AppProcess, *, declares_feature: bool, permissions: Sequence[str]) -> None:
        (before,) = self.device.platform.packages_of(app.uid)
        features = frozenset({FEATURE_NEURAL_PROCESSING_UNIT} if declares_feature else ())
        self.note(f"{app.label} is updated")
        self.device.install_package(replace(before, features=features, permissions=frozenset(permissions)))

    def remove_package(self, app: AppProcess) -> None:
        self.note(f"{app.label} is removed")
        for package in self.device.platform.packages_of(app.uid):
            self.device.remove_package(package.name)

    def shell_process(self) -> ReferenceApp:
        return ReferenceApp(self, self.device.start_process(SHELL_UID, "shell"))

    def shell(self, args: Sequence[str], *, as_root: bool) -> ShellResult:
        process = self.device.start_process(ROOT_UID, "root") if as_root else self.shell_process().process
        receiver = _ExitCode()

        def exit_code() -> int | None:
            self.wait_until(lambda: receiver.value is not None, _SHELL_TIMEOUT)
            return receiver.value

        self.note(f"{process.label}$ cmd npu {' '.join(args)}".rstrip())
        return run_shell_command(ReferenceApp(self, process).npu(), args, receiver, exit_code)

    def dump(self, caller: AppProcess | None) -> str:
        process = caller if isinstance(caller, ReferenceApp) else self.shell_process()
        return dump_service(process.npu())

    def set_flag(self, name: str, value: bool) -> None:
        self.note(f"flag {name} is {'on' if value else 'off'}")
        self._flags[name] = value
        self.device.set_flag(name, value)

    def declares_npu(self) -> bool:
        return FEATURE_NEURAL_PROCESSING_UNIT in self.device.platform.features

    def hal_table(self) -> dict[int, tuple[int, bool, bool]]:
        return {
            config.uid: (config.priority, config.hasDirectAccess, config.canAttributeOtherUid)
            for config in self.present_hal().table()
        }

    def present_hal(self) -> SchedulingHal:
        """The HAL. Raises `ScenarioFailure` while there is none."""
        if self.device.hal is None:
            raise ScenarioFailure("there is no HAL")
        return self.device.hal

    def kill_hal(self) -> None:
        self.note("the HAL is killed")
        self.device.kill_hal()

    def start_hal(self, kind: str, *, devices: int, preemption: str) -> None:
        self.note(f"the HAL starts ({kind})")
        self.device.start_hal(kind, devices=devices, preemption=preemption)

    def hal_process(self) -> ReferenceApp:
        return ReferenceApp(self, self.device.start_process(SYSTEM_UID, "tester"))

    def break_hal(self, *, fail_jobs: int, refuse_calls: int) -> None:
        self.note(f"the HAL lets {fail_jobs} jobs fail and refuses {refuse_calls} calls")
        faults = self.present_hal().faults
        faults.fail_jobs, faults.refuse_calls = fail_jobs, refuse_calls

    def set_thermal_status(self, status: int) -> None:
        self.note(f"the thermal status is {status}")
        self.device.set_thermal_status(status)

    def hal_callback_version(self) -> tuple[int, str]:
        callback = self.present_hal().callback()
        if callback is None:
            raise ScenarioFailure("nobody has given the HAL a callback")
        return callback.getInterfaceVersion(), callback.getInterfaceHash()

    def finished_inferences(self) -> list[str]:
        return self.inferences.finished()

    def restart(self, *, with_hal: bool) -> None:
        packages = [p for p in self.device.platform.packages() if p not in SYSTEM_PACKAGES]
        self.note("the system restarts")
        self._shut_down()
        self._boot(packages, with_hal=with_hal)
        self._scheduler.settle()

    def remove_wrapfd(self) -> None:
        self._with_wrapfd = False
        self._shut_down()
        self._boot()
        self._scheduler.settle()

    def heap_pages(self) -> int:
        return FIRST_HEAP_PAGES

    def memory_of(self, process: DeviceProcess) -> ProcessMemory:
        """A process's side of buffers."""
        memory = self._memories.get(process)
        if memory is None:
            if self.device.provision is None:
                raise ScenarioFailure("this device has no buffers")
            memory = ProcessMemory(
                self.device.provision, process.pid, lambda: self.device.npu_service(process)
            )
            self._memories[process] = memory
        return memory

    def kill(self, process: DeviceProcess) -> None:
        """Ends a process and closes what it has open."""
        self.device.kill(process)
        if (memory := self._memories.pop(process, None)) is not None:
            memory.end()

    def _shut_down(self) -> None:
        self.device.shut_down()
        for memory in self._memories.values():
            memory.end()
        self._memories.clear()

    def wait_until(self, condition: Callable[[], bool], timeout: float) -> bool:
        return self._scheduler.wait_until(condition, timeout)

    def settle(self) -> None:
        self._scheduler.settle()

    def advance(self, seconds: float) -> None:
        self._scheduler.advance(seconds)

    def now(self) -> float:
        return self._scheduler.now() - self._start

    def note(self, text: str) -> None:
        self._tap.note(text)

    def events(self) -> list[Event]:
        return self._tap.events()

    def evidence(self) -> dict[str, str]:
        return {}

    def place(self) -> dict[str, str]:
        return {}

    def close(self) -> None:
        self._shut_down()
        self._driver.close()
