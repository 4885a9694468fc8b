"""Driving a served reference device from outside, by JSON lines.

The server begins with `{"version": 1, "pid": PID}`. Each line to it is a command, `{"id": N, "do": NAME,
...}`, and is answered by `{"id": N, "result": ...}` or `{"id": N, "error": TEXT}`, in order:

    reset                                   a fresh device; its clock's time
    restart     with_hal                    as the system restarts: packages and flags stay
    install     name uid target_sdk features permissions importance
                                            importance: of the uid from then on; null leaves it as it is
    remove      name                        the host ends the processes of its uid before
    packages    uid                         [[name, target_sdk], ...] of a uid
    importance  uid importance
    gone        uid                         the last process of a uid has died: it is GONE a moment later
    flag        name value
    start_hal   kind devices preemption     of `hal_kinds`; all may be left out
    kill_hal
    faults      fail_jobs refuse_calls      how many jobs and calls of the service the HAL lets fail
    thermal     status
    features                                what the device declares to have
    hal_table                               [[uid, priority, direct access, may attribute], ...]
    hal_callback                            [version, hash] of the callback that the HAL has
    work        uid job_priority original_uid completes
                                            a job from request to end; null, or why it was not done
    queue       uid job_priority original_uid seconds label
                                            a job that takes time; null, or why the HAL refuses it
    cancel      label                       ends jobs of `queue`
    finished                                labels of those of `queue` that have ended, in order
    events      since                       what service and HAL have said to each other from that index on
    buffers                                 {"socket", "heap", "pages"}: the name of the stand-in's socket, a
                                            heap and how many pages it has; null if there are no buffers
    remove_wrapfd                           boots again, without buffers; `reset` brings them back
    enlist      app                         waits for an app's process again, which has survived a reset;
                                            whether it is alive
    settle                                  waits until nothing is on its way any more
    mourn       app                         waits until the death of an app's process is known

An event is `{"at", "sender", "receiver", "descriptor", "code", "oneway", "data", "binders", "reply",
"error"}`: bytes in hex, and the offsets at which there are binders, to be decoded by who has the interface.

So that `settle` can know, each app's process calls the service `npukit.settling` at its start with a number
of its own and a binder of its own, which answers a call with how many calls the process has served so far.
With `PASS_ON` a descriptor goes to another app's binder, in a call of the same code.
Each process here has one thread that serves calls, and so must each app's: then an answer says that what
came before is done.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext, suppress
from functools import partial
from typing import IO, Any

from binder import (
    Binder,
    DeadObjectError,
    IBinder,
    IllegalArgumentException,
    Parcel,
    ParcelError,
    calling_pid,
)
from binder.kernel.observed import Exchange
from binder.protocol import FIRST_CALL_TRANSACTION, LAST_CALL_TRANSACTION, SpecialCode
from reference_impl.buffers.provision import Provision
from reference_impl.buffers.served import ServedBuffers
from reference_impl.constants import NPU_SERVICE, Importance
from reference_impl.device import DEATH_NOTICE_SECONDS, ReferenceDevice
from reference_impl.hal_apart import HalApart
from reference_impl.hal_commands import HAL_COMMANDS, HalCommands
from reference_impl.hal_kinds import DEFAULT_KIND
from reference_impl.kernel_processes import KernelDriver, ServedProcess
from reference_impl.lines import CommandError, answer, write
from reference_impl.platform import SYSTEM_PACKAGES, Package

VERSION = 1
SETTLING_SERVICE = "npukit.settling"
ENROL, PASS_ON = 1, 2
"""Codes of calls to `npukit.settling`: int32 number, strong binder; int32 number, descriptor."""

SETTLE_SECONDS = 20.0
DEATH_SECONDS = 10.0

HERE, APART, ELSEWHERE = "here", "apart", "elsewhere"

_RECORDED = "android.hardware.npu."


class Control:
    """A reference device, and what a host may do to it.

    Args:
        path: the binder device.
        packages: what `boot` installs; a device that was reset has none of them.
        hal: where its HAL is: HERE, APART in a program that is killed as one, or ELSEWHERE, and nobody's to
            start or end.
        provision: what buffers are made of; None for a device without wrapfd.
        buffers: instead, stand-ins that other processes use, too.
    """

    def __init__(
        self,
        path: str,
        packages: Iterable[Package] = (),
        *,
        hal: str = HERE,
        provision: Provision | None = None,
        buffers: ServedBuffers | None = None,
    ) -> None:
        self.driver = KernelDriver(path, threads=1, observer=self._observe)
        self._lock = threading.Lock()
        self._events: list[dict[str, Any]] = []
        self._activity = 0
        self._packages = list(packages)
        self.where = hal
        self._provision = provision
        self._buffers = buffers
        self._with_wrapfd = True
        self._apart: HalApart | None = None
        self._here: dict[str, Callable[..., Any]] | None = None
        self._finished: list[str] = []
        self._flags: dict[str, bool] = {}
        self._device: ReferenceDevice | None = None
        self._settling: _Settling | None = None
        self._commands: dict[str, Callable[..., Any]] = {
            **{name: partial(self._hal_does, name) for name in HAL_COMMANDS},
            **{name: getattr(self, name) for name in COMMANDS},
        }

    # --- the channel -------------------------------------------------------------------------------

    def boot(self) -> None:
        """Boots a device with what is installed from the start, whatever was there before."""
        self._flags = {}
        self._with_wrapfd = True
        self._boot(self._packages, with_hal=True)

    def serve(
        self,
        commands: IO[str],
        answers: IO[str],
        lock: AbstractContextManager[object] = nullcontext(),  # noqa: B008  # has no state
    ) -> None:
        """Boots a device if there is none, and does what it is told, holding `lock`, till commands end."""
        if self._settling is None:
            observer = self.driver.new_process("settling", 0)
            self._settling = _Settling(observer)
            observer.add_service(SETTLING_SERVICE, self._settling)
        with lock:
            if self._device is None:
                self.reset()
        write(answers, {"version": VERSION, "pid": os.getpid()})
        for line in commands:
            with lock:
                said = answer(self._commands, line)
            write(answers, said)

    def close(self) -> None:
        self._end_hal()
        self.driver.close()
        if self._buffers is not None:
            self._buffers.close()

    def _observe(self, label: str, exchange: Exchange) -> None:
        descriptor = _descriptor_of(exchange)
        with self._lock:
            if label in ("system_server", "npu-hal") and exchange.code != SpecialCode.PING:
                self._activity += 1
            if label == "system_server" and descriptor.startswith(_RECORDED):
                self._events.append(_as_json(exchange, descriptor))

    # --- commands ----------------------------------------------------------------------------------

    @property
    def device(self) -> ReferenceDevice:
        if self._device is None:
            raise CommandError("there is no device")
        return self._device

    def reset(self) -> float:
        self._flags = {}
        self._with_wrapfd = True
        if self._settling is not None:
            self._settling.forget()
        self._boot([], with_hal=True)
        self.settle()
        self._finished.clear()
        with self._lock:
            self._events.clear()
        return time.monotonic()

    def restart(self, with_hal: bool) -> None:
        packages = [package for package in self.device.platform.packages() if package not in SYSTEM_PACKAGES]
        if self._settling is not None:
            self._settling.forget()
        self._boot(packages, with_hal=with_hal)

    def _boot(self, packages: list[Package], *, with_hal: bool) -> None:
        self._end_hal()
        if self._device is not None:
            self._device.shut_down()
        self._device = ReferenceDevice(
            self.driver, packages=packages, flags=self._flags, with_hal=False, provision=self._new_provision()
        )
        if with_hal and self.where != ELSEWHERE:
            self.start_hal()
        if self._settling is not None:
            self._settling.look_again()

    def _new_provision(self) -> Provision | None:
        if self._buffers is None:
            return self._provision if self._with_wrapfd else None
        if self._with_wrapfd:
            return self._buffers.boot()
        self._buffers.close()
        return None

    def buffers(self) -> dict[str, Any] | None:
        return None if self._buffers is None else self._buffers.facts()

    def remove_wrapfd(self) -> None:
        self._with_wrapfd = False
        self.restart(with_hal=True)

    def install(
        self,
        name: str,
        uid: int,
        target_sdk: int,
        features: list[str],
        permissions: list[str],
        importance: int | None = None,
    ) -> None:
        package = Package(name, uid, target_sdk, frozenset(features), frozenset(permissions))
        self.device.install_package(package)
        if importance is not None:
            self.device.set_importance(uid, importance)

    def remove(self, name: str) -> None:
        self.device.remove_package(name)

    def packages(self, uid: int) -> list[list[Any]]:
        return [[package.name, package.target_sdk] for package in self.device.platform.packages_of(uid)]

    def importance(self, uid: int, importance: int) -> None:
        self.device.set_importance(uid, importance)

    def gone(self, uid: int) -> None:
        device = self.device
        self.driver.scheduler.call_later(
            DEATH_NOTICE_SECONDS, lambda: device.set_importance(uid, Importance.GONE)
        )

    def flag(self, name: str, value: bool) -> None:
        self._flags[name] = value
        self.device.set_flag(name, value)

    def thermal(self, status: int) -> None:
        self.device.set_thermal_status(status)

    def features(self) -> list[str]:
        return sorted(self.device.platform.features)

    def start_hal(self, kind: str = DEFAULT_KIND, devices: int = 1, preemption: str = "pause") -> None:
        self._end_hal()
        if self.where == ELSEWHERE:
            raise CommandError("the HAL is not this program's")
        if self.where == APART:
            traits = f"--hal-kind={kind}", f"--hal-devices={devices}", f"--hal-preemption={preemption}"
            self._apart = HalApart(self.driver.path, traits)
        else:
            hal = self.device.start_hal(kind, devices=devices, preemption=preemption)
            self._here = HalCommands(hal, self.driver.scheduler).table()

    @property
    def hal_pid(self) -> int:
        """Of the program that is the HAL; 0 if there is none, or it is this one."""
        return 0 if self._apart is None else self._apart.pid

    def revive_hal(self) -> None:
        """Starts the HAL's program again if it has ended by itself, as init does."""
        if self._apart is not None and self._apart.has_ended:
            # It cannot be asked any more for what has ended there.
            self._apart.kill()
            self._apart = None
            self.start_hal()

    def kill_hal(self) -> None:
        service = self.device.service
        self._end_hal()
        # The driver tells of a death in its own time.
        if not self.driver.scheduler.wait_until(lambda: not service.hal.connected, DEATH_SECONDS):
            raise CommandError("the service does not notice the HAL's death")

    def _end_hal(self) -> None:
        self._finished = self.finished()
        if self._apart is not None:
            self._apart.kill()
        if self._device is not None:
            self._device.kill_hal()
        self._apart, self._here = None, None

    def _hal_does(self, name: str, **arguments: Any) -> Any:
        """Has the HAL carry out one of its commands."""
        if self._apart is not None:
            return self._apart(name, **arguments)
        if self._here is None:
            raise CommandError("there is no HAL")
        return self._here[name](**arguments)

    def finished(self) -> list[str]:
        there = self._apart is not None or self._here is not None
        return [*self._finished, *(self._hal_does("finished") if there else ())]

    def events(self, since: int) -> list[dict[str, Any]]:
        with self._lock:
            return self._events[since:]

    def settle(self) -> None:
        """A round in which everybody answers and nothing happens."""
        deadline = time.monotonic() + SETTLE_SECONDS
        while True:
            before = self._activity
            self.driver.scheduler.settle()
            if self._settling is not None:
                self._settling.round()
                self.driver.scheduler.settle()
            if self._activity == before:
                return
            if time.monotonic() > deadline:
                raise CommandError(f"things still happen after {SETTLE_SECONDS:.0f} s")

    def enlist(self, app: int) -> bool:
        return self._settling is not None and self._settling.enlist(app)

    def mourn(self, app: int) -> None:
        if self._settling is not None and not self._settling.wait_for_death(app, DEATH_SECONDS):
            raise CommandError(f"the death of app {app} is not known after {DEATH_SECONDS:.0f} s")
        if self._buffers is not None and self._settling is not None:
            self._buffers.wait_for_end(self._settling.pid_of(app), DEATH_SECONDS)


COMMANDS = (
    "reset restart install remove packages importance gone flag thermal features start_hal kill_hal"
    " finished events buffers remove_wrapfd settle enlist mourn"
).split()


class _Settling(Binder):
    """Knows a binder of every app's process, and asks those that play whether they have done everything."""

    def __init__(self, process: ServedProcess) -> None:
        self._process = process
        self._changed = threading.Condition()
        self._alive: dict[int, IBinder] = {}
        self._playing: set[int] = set()
        self._dead: set[int] = set()
        self._pids: dict[int, int] = {}
        self._service: IBinder | None = None

    def on_transact(self, code: int, data: Parcel, reply: Parcel, flags: int) -> None:
        if code == PASS_ON:
            self._pass_on(data.read_int32(), data)
            return
        if code != ENROL:
            super().on_transact(code, data, reply, flags)
            return
        number, binder = data.read_int32(), data.read_strong_binder()
        if binder is None:
            return
        with self._changed:
            self._alive[number] = binder
            self._playing.add(number)
            self._pids[number] = calling_pid()
        binder.link_to_death(lambda: self._died(number))

    def _pass_on(self, number: int, data: Parcel) -> None:
        with self._changed:
            binder = self._alive.get(number)
        if binder is None:
            raise IllegalArgumentException(f"there is no app {number}")
        with data.read_file_descriptor() as fd:
            passed = binder.new_parcel()
            passed.write_file_descriptor(fd)
            binder.transact(PASS_ON, passed).release()

    def _died(self, number: int) -> None:
        with self._changed:
            self._alive.pop(number, None)
            self._playing.discard(number)
            self._dead.add(number)
            self._changed.notify_all()

    def forget(self) -> None:
        """Those that have played belong to an earlier device."""
        with self._changed:
            self._playing.clear()

    def enlist(self, number: int) -> bool:
        """A process plays again. Returns whether it is alive; what was on its way to it has arrived then."""
        with self._changed:
            binder = self._alive.get(number)
            if binder is not None:
                self._playing.add(number)
        return binder is not None and _answers(binder)

    def look_again(self) -> None:
        """The service may be another than before."""
        self._service = None

    def wait_for_death(self, number: int, timeout: float) -> bool:
        with self._changed:
            return self._changed.wait_for(lambda: number in self._dead, timeout)

    def pid_of(self, number: int) -> int | None:
        """Whose number it is, also after its death."""
        return self._pids.get(number)

    def round(self) -> None:
        """Has every process say that it has done what was asked of it before.

        The service comes first and last: an app may have called it while it heard of something. The HAL need
        not be asked: whoever calls it waits for the answer.
        """
        self._ask_service()
        with self._changed:
            apps = [self._alive[number] for number in self._playing]
        for app in apps:
            _answers(app)
        if apps:
            self._ask_service()

    def _ask_service(self) -> None:
        if self._service is None:
            self._service = self._process.get_service(NPU_SERVICE)
        if self._service is not None:
            with suppress(DeadObjectError):
                self._service.ping()


def _answers(app: IBinder) -> bool:
    """Waits for an app's answer; whether it is alive."""
    try:
        app.transact(ENROL, app.new_parcel()).release()
    except DeadObjectError:
        return False
    return True


def _descriptor_of(exchange: Exchange) -> str:
    """The interface that a call is for, as its token says."""
    if not FIRST_CALL_TRANSACTION <= exchange.code <= LAST_CALL_TRANSACTION:
        return ""
    try:
        return Parcel.from_bytes(exchange.data).read_interface_token().descriptor
    except ParcelError:
        return ""


def _as_json(exchange: Exchange, descriptor: str) -> dict[str, Any]:
    ends = ("system_server", "npu-hal")
    sender, receiver = ends if exchange.outgoing else ends[::-1]
    return {
        "at": exchange.ended if exchange.oneway else exchange.began,
        "sender": sender,
        "receiver": receiver,
        "descriptor": descriptor,
        "code": exchange.code,
        "oneway": exchange.oneway,
        "data": exchange.data.hex(),
        "binders": sorted(exchange.objects),
        "reply": None if exchange.reply is None else exchange.reply.hex(),
        "error": "" if exchange.error is None else str(exchange.error),
    }
