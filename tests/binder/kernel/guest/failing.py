"""Claims about what fails: exceptions, floods, and processes that are frozen or dead."""

from __future__ import annotations

import fcntl
import logging
import signal
import struct
from functools import partial
from queue import SimpleQueue

from binder import DeadObjectError, IBinder, RemoteException, Status, StatusError
from binder.kernel import KernelProcess, KernelProxy, LocalDevice
from generated.android.npumanager import INpuManagerService, ModelLoadRequestParcelable

from .claims import claim, echo, peer, status_of, within_patience
from .service import EXCEPTIONS, ONE_WAY, PATIENCE, Bouncer, Code, call


@claim
def exceptions_of_every_kind_come_back_from_a_generated_stub(
    process: KernelProcess, service: IBinder
) -> None:
    with call(service, Code.THROWER) as reply:
        thrower = INpuManagerService.from_binder(reply.non_null(reply.read_strong_binder()))
    for number, wanted in enumerate(EXCEPTIONS):
        found: RemoteException | None = None
        try:
            thrower.setPolicy(number, None)
        except RemoteException as error:
            found = error
        assert type(found) is type(wanted), (found, wanted)
        assert (found.message or "") == (wanted.message or "")
        assert getattr(found, "error", None) == getattr(wanted, "error", None)
    assert status_of(lambda: thrower.setPolicy(-1, None)).status == Status.TIMED_OUT
    assert status_of(lambda: thrower.setPolicy(-2, None)).status == Status.UNKNOWN_ERROR
    thrower.cancelModelLoad(ModelLoadRequestParcelable())


class Warnings(logging.Handler):
    """Keeps what the library warns of."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.said.append(record.getMessage())


@claim
def a_flood_of_oneway_calls_is_suspected_then_refused_and_then_recovers_in_order(
    process: KernelProcess, service: IBinder
) -> None:
    with call(service, Code.SLOW) as reply:
        slow = reply.non_null(reply.read_strong_binder())
    warnings = Warnings()
    logging.getLogger("binder.kernel").addHandler(warnings)
    accepted: list[int] = []
    refused: list[StatusError] = []
    try:
        for number in range(500):
            data = slow.new_parcel()
            data.write_int32(number)
            data.write_byte_array(bytes(4096))
            try:
                slow.transact(Code.NOTE, data, ONE_WAY)
            except StatusError as error:
                refused.append(error)
                break
            accepted.append(number)
    finally:
        logging.getLogger("binder.kernel").removeHandler(warnings)
    # Half of the mapping is for what waits, and nobody else has to wait.
    assert 80 < len(accepted) < 140, len(accepted)
    assert any("too many oneway calls wait" in text for text in warnings.said), warnings.said
    assert "ENOSPC" in str(refused[0]), refused
    assert len(echo(service, 4096)) == 4096
    call(slow, Code.GO_FASTER).release()

    def heard() -> list[int]:
        with call(slow, Code.HEARD) as reply:
            return reply.read_int32_array() or []

    assert within_patience(lambda: len(heard()) == len(accepted))
    call(slow, Code.NOTE, 1000, flags=ONE_WAY)
    assert within_patience(lambda: heard() == [*accepted, 1000])


def freeze(device: LocalDevice, pid: int, frozen: bool) -> None:
    fcntl.ioctl(device._fd, 0x400C620E, struct.pack("<III", pid, frozen, 1000))


@claim
def a_frozen_process_is_not_called_and_a_dead_one_neither(process: KernelProcess, service: IBinder) -> None:
    assert isinstance(process.device, LocalDevice)
    with peer(process.device.name, "hold") as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        with call(service, Code.KEPT) as reply:
            held = reply.read_strong_binder()
        assert held is not None
        held.ping()
        freeze(process.device, other.pid, True)
        assert "is frozen" in str(status_of(held.ping))
        call(held, Code.BOUNCE, 0, Bouncer(), flags=ONE_WAY)
        freeze(process.device, other.pid, False)
        held.ping()
        assert held.is_alive()
        other.send_signal(signal.SIGKILL)
    for flags in (ONE_WAY, 0, ONE_WAY):
        assert isinstance(status_of(partial(call, held, Code.BOUNCE, 0, flags=flags)), DeadObjectError)
    assert not held.is_alive()
    assert isinstance(status_of(lambda: held.link_to_death(held.ping)), DeadObjectError)
    with call(service, Code.DEATHS, 1) as reply:
        assert reply.read_int32() == 1


@claim
def who_wants_to_know_hears_of_freezing_and_thawing(process: KernelProcess, service: IBinder) -> None:
    assert isinstance(process.device, LocalDevice)
    with peer(process.device.name, "hold") as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        with call(service, Code.KEPT) as reply:
            held = reply.read_strong_binder()
        assert isinstance(held, KernelProxy)
        heard: SimpleQueue[bool] = SimpleQueue()
        late: SimpleQueue[bool] = SimpleQueue()
        held.watch_freezing(heard.put)
        assert heard.get(timeout=PATIENCE) is False
        for _ in range(3):
            freeze(process.device, other.pid, True)
            assert heard.get(timeout=PATIENCE) is True
            freeze(process.device, other.pid, False)
            assert heard.get(timeout=PATIENCE) is False
        held.watch_freezing(late.put)
        assert late.get(timeout=PATIENCE) is False
        assert held.unwatch_freezing(heard.put)
        assert held.unwatch_freezing(late.put)
        freeze(process.device, other.pid, True)
        freeze(process.device, other.pid, False)
        held.ping()
        # A new request is another, and begins anew.
        held.watch_freezing(late.put)
        assert late.get(timeout=PATIENCE) is False
        assert heard.empty()
        other.send_signal(signal.SIGKILL)
    assert within_patience(lambda: isinstance(status_of(held.ping), DeadObjectError))
    assert isinstance(status_of(lambda: held.watch_freezing(late.put)), DeadObjectError)
    with call(service, Code.DEATHS, 1) as reply:
        assert reply.read_int32() == 1
    assert len(echo(service, 256)) == 256
