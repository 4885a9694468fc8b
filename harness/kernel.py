"""The kernel backend: the reference service over a real binder driver, and apps that are real processes.

The service is a program that is driven through its control channel; each app is an agent under the app's uid,
which makes the binder calls of the client code in this process. So every call goes through the driver, is
made by the uid that the scenario says, and ends when that process does.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Sequence
from itertools import count
from typing import Any

from binder import Binder, IBinder, Parcel, ShellResult, Stub
from binder import dump as dump_service
from binder import shell_command as run_shell_command
from binder.kernel.observed import Exchange
from binder.kernel.remote import RemoteDevice, RemoteProcess
from generated.android.hardware.npu import IScheduling
from service_manager import ServiceManager

from .backend import CAPABILITIES, AppProcess, ScenarioFailure
from .decode import INTERFACES, OF_THE_HAL, SILENT, Call, decode, interface_of
from .placement import Placement, PlacementError, Program, placement_from_environment
from .record import Event

CONTROL_VERSION = 1
CONTROL_SECONDS = 60.0

_NPU = "npu"
_HAL = f"{IScheduling.aidl.descriptor}/default"
_FEATURE = "android.hardware.npu"
_SETTLING, _ENROL = "npukit.settling", 1
_SHELL_SECONDS = 10.0
_CACHED = 400
_LATEST_SDK = 37
_ROOT_UID, _SYSTEM_UID, _SHELL_UID, FIRST_APP_UID = 0, 1000, 2000, 10123


class Control:
    """The served reference device. See `reference_impl/control.py` for what it understands.

    Raises:
        PlacementError: it does not start, or says what it should not.
    """

    def __init__(self, program: Program) -> None:
        self._program = program
        self._numbers = count(1)
        try:
            greeting = self._read()
            if greeting.get("version") != CONTROL_VERSION:
                raise PlacementError(f"the server's control channel has another version: {greeting}")
        except BaseException:
            program.close()
            raise

    def __call__(self, command: str, **arguments: Any) -> Any:
        """Has a command carried out. Raises `ScenarioFailure` if it cannot be."""
        number = next(self._numbers)
        self._program.send(json.dumps({"id": number, "do": command, **arguments}))
        answer = self._read()
        if answer.get("id") != number:
            raise PlacementError(f"an answer to something else than {command}: {answer}")
        if "error" in answer:
            raise ScenarioFailure(f"{command}: {answer['error']}")
        return answer.get("result")

    def close(self) -> None:
        self._program.close()

    def _read(self) -> dict[str, Any]:
        line = self._program.line(CONTROL_SECONDS)
        try:
            answer = json.loads(line)
        except ValueError:
            answer = None
        if not isinstance(answer, dict):
            raise PlacementError(f"the server says what is no JSON object: {line.strip()!r}")
        return answer


class KernelBackend:
    """Makes sessions, all with the same server.

    Args:
        placement: where processes run.
    """

    name = "kernel"
    capabilities = frozenset(CAPABILITIES) - {"virtual-time", "many-processes"}

    def __init__(self, placement: Placement | None = None) -> None:
        self.placement = placement or placement_from_environment()
        self._control: Control | None = None

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
            return KernelSession(self.control, self.placement)
        except PlacementError:
            # The server did not survive the scenario before, whose failure that was.
            self.close()
            return KernelSession(self.control, self.placement)

    def close(self) -> None:
        """Ends all processes."""
        if self._control is not None:
            self._control.close()
            self._control = None


class KernelApp:
    """An agent's process, and the client code that runs through it."""

    def __init__(self, session: KernelSession, label: str, uid: int, number: int) -> None:
        self.label = label
        self.uid = uid
        self.number = number
        self._session = session
        placement = session.placement
        self.device = RemoteDevice(placement.connect_agent(), placement.binder, uid=uid)
        self.process = RemoteProcess(self.device, self._observe)
        self._names = ServiceManager(self.process.context_manager())
        self._barrier = _Barrier()
        self.alive = True
        settling = self._find(_SETTLING)
        data = settling.new_parcel()
        data.write_int32(number)
        data.write_strong_binder(self._barrier)
        settling.transact(_ENROL, data).release()

    def _find(self, name: str) -> IBinder:
        found = self._names.check_service(name)
        if found is None:
            raise ScenarioFailure(f"{self.label} finds no service {name!r}")
        return found

    def npu(self) -> IBinder:
        return self.process.observed(self._find(_NPU))

    def hal(self) -> IBinder:
        return self.process.observed(self._find(_HAL))

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
        if exchange.target is not self._barrier:
            if not exchange.outgoing:
                self._barrier.served += 1
            self._session.story.add(self, exchange)


class _Barrier(Binder):
    """Says how many calls the process has served, and by answering that there were none before it."""

    served = 0

    def on_transact(self, code: int, data: Parcel, reply: Parcel, flags: int) -> None:
        if code == _ENROL:
            reply.write_int32(self.served)
        else:
            super().on_transact(code, data, reply, flags)


class _ExitCode(Binder):
    """Receives a shell command's exit code."""

    value: int | None = None

    def on_transact(self, code: int, data: Parcel, reply: Parcel, flags: int) -> None:
        data.read_interface_token()
        self.value = data.read_int32()


class Story:
    """What apps say and hear, as it happens; what service and HAL say to each other is asked for."""

    def __init__(self, control: Control) -> None:
        self.changed = threading.Condition()
        # The server's clock began at another time.
        server = control("reset")
        self.start = time.monotonic()
        self._offset = server - self.start
        self._control = control
        self._seen: list[tuple[KernelApp, Exchange]] = []
        self._notes: list[Event] = []
        self._of_server: list[Event] = []
        self._names: dict[int, str] = {}

    def add(self, app: KernelApp, exchange: Exchange) -> None:
        with self.changed:
            self._seen.append((app, exchange))
            self.changed.notify_all()

    def note(self, text: str) -> None:
        self._notes.append(Event(self._moment(time.monotonic()), note=text))

    def events(self) -> list[Event]:
        """Everything so far, by time."""
        self._of_server += map(self._told, self._control("events", since=len(self._of_server)))
        with self.changed:
            seen = list(self._seen)
        decoded = [self._decode(app, exchange) for app, exchange in seen if exchange.code not in SILENT]
        return sorted([*self._notes, *self._of_server, *decoded], key=lambda event: event.at)

    def _moment(self, at: float) -> float:
        return round(max(at - self.start, 0.0), 6)

    def _decode(self, app: KernelApp, exchange: Exchange) -> Event:
        target = exchange.target
        info = target.aidl if isinstance(target, Stub) else interface_of(exchange.data)
        other = "npu-hal" if info in OF_THE_HAL else "system_server"
        ends = (app.label, other)
        sender, receiver = ends if exchange.outgoing else ends[::-1]
        replied = exchange.reply_objects
        return decode(
            Call(
                at=self._moment(exchange.ended if exchange.oneway else exchange.began),
                sender=sender,
                receiver=receiver,
                info=info,
                code=exchange.code,
                oneway=exchange.oneway,
                data=exchange.data,
                names=self._names_in(app, exchange.objects),
                reply=exchange.reply,
                reply_names=None if replied is None else self._names_in(app, replied),
                error=str(exchange.error) if exchange.error else "",
            )
        )

    def _names_in(self, app: KernelApp, objects: dict[int, IBinder | None]) -> dict[int, str | None]:
        return {
            offset: None if binder is None else self._name_of(app, binder)
            for offset, binder in objects.items()
        }

    def _name_of(self, app: KernelApp, binder: IBinder) -> str:
        known = self._names.get(id(binder))
        if known is None:
            kind = binder.aidl.descriptor.rpartition(".")[2] if isinstance(binder, Stub) else "binder"
            prefix = f"{app.label}'s {kind}"
            number = sum(name.startswith(prefix) for name in self._names.values()) + 1
            known = self._names[id(binder)] = f"{prefix} #{number}"
        return known

    def _told(self, event: dict[str, Any]) -> Event:
        return decode(
            Call(
                at=self._moment(event["at"] - self._offset),
                sender=event["sender"],
                receiver=event["receiver"],
                info=INTERFACES.get(event["descriptor"]),
                code=event["code"],
                oneway=event["oneway"],
                data=bytes.fromhex(event["data"]),
                names=dict.fromkeys(event["binders"], "a binder"),
                reply=None if event["reply"] is None else bytes.fromhex(event["reply"]),
                error=event["error"],
            )
        )


class KernelSession:
    """One scenario on a device that has been reset."""

    def __init__(self, control: Control, placement: Placement) -> None:
        self.control = control
        self.placement = placement
        self.story = Story(control)
        self._apps: list[KernelApp] = []
        self._numbers = count(time.monotonic_ns() % 1_000_000 * 1000)
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
        app = KernelApp(self, label, uid, next(self._numbers))
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

    def mourn(self, app: KernelApp) -> None:
        """Sees to it that the device notices an app's death."""
        self.control("mourn", app=app.number)
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

    def close(self) -> None:
        self._end_apps()

    def _end_apps(self) -> None:
        for app in self._apps:
            if app.alive:
                app.end()
        self._apps.clear()
