"""Runs claims about a conversation with `server`; says of each whether it holds.

python3 -m guest.client DEVICE [NAME...]
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
import traceback
from functools import partial

from binder import (
    DeadObjectError,
    IBinder,
    Parcel,
    ParcelFileDescriptor,
    Status,
    StatusError,
    UsageError,
)
from binder.kernel import KernelProcess, LocalDevice

from . import failing
from .claims import CLAIMS, claim, echo, peer, references, status_of, within_patience
from .service import ONE_WAY, PATIENCE, Bouncer, Code, call, open_files

assert failing  # its claims are ours


class Listener(Bouncer):
    """Keeps the numbers that it is told, one after the other, and not fast."""

    def __init__(self, wanted: int) -> None:
        self.numbers: list[int] = []
        self.wanted = wanted
        self.complete = threading.Event()
        self.slowness = threading.Event()

    def on_transact(self, code: int, data: Parcel, reply: Parcel, flags: int) -> None:
        if code != Code.NOTE:
            super().on_transact(code, data, reply, flags)
            return
        self.slowness.wait(0.001)
        self.numbers.append(data.read_int32())
        if len(self.numbers) == self.wanted:
            self.complete.set()


# --- calls ----------------------------------------------------------------------------------------


@claim
def bytes_come_back_whatever_their_number(process: KernelProcess, service: IBinder) -> None:
    for size in (0, 256, 4096, 16384, 65536, 400 * 1024):
        assert echo(service, size) == bytes(range(256)) * (size // 256)


@claim
def replies_may_be_large(process: KernelProcess, service: IBinder) -> None:
    for _ in range(20):
        with call(service, Code.BIG, 800_000) as reply:
            assert len(reply) >= 800_000


@claim
def what_does_not_fit_fails_with_the_reason(process: KernelProcess, service: IBinder) -> None:
    error = status_of(lambda: echo(service, 2 << 20))
    assert error.status == Status.FAILED_TRANSACTION
    assert "ENOSPC" in str(error) or "ENOMEM" in str(error), str(error)
    error = status_of(lambda: call(service, Code.BIG, 2 << 20))
    assert error.status == Status.FAILED_TRANSACTION
    assert len(echo(service, 256)) == 256


@claim
def statuses_come_back(process: KernelProcess, service: IBinder) -> None:
    for status in (-1, -22, -74, int(Status.BAD_TYPE), 7):
        assert status_of(partial(call, service, Code.STATUS, status)).status == status
    assert status_of(lambda: call(service, 999)).status == Status.UNKNOWN_TRANSACTION
    assert service.is_alive()


@claim
def special_codes_are_answered(process: KernelProcess, service: IBinder) -> None:
    service.ping()
    assert service.interface_descriptor() == ""


@claim
def calls_nest_in_both_directions_on_one_thread_a_side(process: KernelProcess, service: IBinder) -> None:
    with call(service, Code.BOUNCE, 9, Bouncer()) as reply:
        trace = reply.read_int32_array() or []
    assert len(trace) == 10
    assert set(trace[1::2]) == {threading.get_native_id()}
    assert len(set(trace[::2])) == 1


@claim
def oneway_calls_come_in_order_to_a_slow_process(process: KernelProcess, service: IBinder) -> None:
    listener = Listener(500)
    call(service, Code.FLOOD, 500, listener)
    assert listener.complete.wait(PATIENCE)
    assert listener.numbers == list(range(500))


@claim
def callers_are_known_except_for_the_pid_of_a_oneway_one(process: KernelProcess, service: IBinder) -> None:
    with call(service, Code.IDENTITY) as reply:
        assert reply.read_int32_array() == [os.getpid(), os.getuid()]
    call(service, Code.NOTE, flags=ONE_WAY)
    with call(service, Code.NOTED) as reply:
        assert reply.read_int32_array() == [0, os.getuid()]


@claim
def eight_threads_are_served_at_once(process: KernelProcess, service: IBinder) -> None:
    met: list[int] = []

    def meet() -> None:
        with call(service, Code.MEET) as reply:
            met.append(reply.read_int32())

    threads = [threading.Thread(target=meet) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert sorted(met) == list(range(8))


@claim
def a_service_that_ends_its_thread_fails_one_call_only(process: KernelProcess, service: IBinder) -> None:
    for _ in range(20):
        error = status_of(lambda: call(service, Code.END_THREAD))
        assert error.status in (Status.DEAD_OBJECT, Status.FAILED_TRANSACTION)
    assert len(echo(service, 256)) == 256


# --- descriptors ----------------------------------------------------------------------------------


def take_fd(service: IBinder, fails: bool) -> None:
    reader, writer = os.pipe()
    with ParcelFileDescriptor(reader) as reading, ParcelFileDescriptor(writer) as writing:
        data = service.new_parcel()
        data.write_bool(fails)
        data.write_file_descriptor(writing)
        data.write_file_descriptor(reading)
        if fails:
            assert status_of(lambda: service.transact(Code.TAKE_FD, data, 0x10)).status == -22
        else:
            service.transact(Code.TAKE_FD, data, 0x10).release()
            assert os.read(reader, 10) == b"here"


def give_fd(service: IBinder, fails: bool, reads: bool) -> None:
    if fails:
        assert status_of(lambda: call(service, Code.GIVE_FD, 1)).status == -22
        return
    with call(service, Code.GIVE_FD, 0) as reply:
        if reads:
            with reply.read_file_descriptor() as fd:
                assert os.read(fd.fileno(), 10) == b"given"


@claim
def descriptors_are_neither_lost_nor_kept(process: KernelProcess, service: IBinder) -> None:
    with call(service, Code.OPEN_FILES) as reply:
        there = reply.read_int32()
    here = open_files()
    for number in range(1000):
        take_fd(service, number % 10 == 0)
        give_fd(service, number % 10 == 1, number % 3 != 0)
    assert open_files() == here
    with call(service, Code.OPEN_FILES) as reply:
        assert reply.read_int32() == there


@claim
def descriptors_that_cannot_be_sent_fail_the_call(process: KernelProcess, service: IBinder) -> None:
    here = open_files()
    error = status_of(lambda: call(service, Code.CLOSED_FD))
    assert error.status in (Status.FAILED_TRANSACTION, Status.UNKNOWN_ERROR), error
    # A caller who takes none gets none.
    error = status_of(lambda: call(service, Code.GIVE_FD, 0, flags=0))
    assert error.status == Status.FAILED_TRANSACTION
    assert "EPERM" in str(error), str(error)
    assert open_files() == here


# --- references and deaths ------------------------------------------------------------------------


@claim
def references_are_given_back(process: KernelProcess, service: IBinder) -> None:
    before = references(process)
    held = []
    for _ in range(200):
        with call(service, Code.NEW_OBJECTS, 50) as reply:
            held = [reply.read_strong_binder() for _ in range(50)]
    assert references(process) >= before + 50
    held.clear()
    gc.collect()
    assert within_patience(lambda: references(process) == before), references(process)


@claim
def objects_go_when_nobody_refers_to_them(process: KernelProcess, service: IBinder) -> None:
    for _ in range(300):
        call(service, Code.BOUNCE, 0, Bouncer()).release()
    assert within_patience(lambda: not process._nodes)


@claim
def the_service_hears_once_of_a_clients_death(process: KernelProcess, service: IBinder) -> None:
    with peer(process.device.name, "hold") as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        other.send_signal(signal.SIGKILL)
    with call(service, Code.DEATHS, 1) as reply:
        assert reply.read_int32() == 1


def hold(process: KernelProcess, service: IBinder) -> None:
    """Not a claim: a process to be killed, to whose object the service has linked twice over."""
    call(service, Code.KEEP, Bouncer())
    sys.stdout.write("held\n")
    sys.stdout.flush()
    threading.Event().wait(PATIENCE)


@claim
def links_are_taken_back_and_made_again(process: KernelProcess, service: IBinder) -> None:
    with call(service, Code.NEW_OBJECTS, 1) as reply:
        other = reply.read_strong_binder()
    assert other is not None

    def told() -> None:
        raise AssertionError

    for _ in range(200):
        other.link_to_death(told)
        assert other.unlink_to_death(told)
        assert not other.unlink_to_death(told)
    for binder in (service, other):
        threads = [threading.Thread(target=churn, args=(binder,)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(PATIENCE)
    assert within_patience(lambda: not process.deaths._requests)


def churn(binder: IBinder) -> None:
    def told() -> None:
        raise AssertionError

    for _ in range(100):
        binder.link_to_death(told)
        binder.unlink_to_death(told)


# --- ends -----------------------------------------------------------------------------------------


@claim
def a_child_has_to_open_the_device_anew(process: KernelProcess, service: IBinder) -> None:
    child = os.fork()
    if child == 0:
        code = 1
        try:
            service.ping()
        except UsageError as error:
            if "opened by process" in str(error):
                with KernelProcess(LocalDevice(process.device.name)) as own:
                    own.context_manager().ping()
                    code = 0
        finally:
            os._exit(code)
    assert os.waitpid(child, 0)[1] == 0
    service.ping()


@claim
def a_signal_ends_a_wait_and_the_thread_goes_on(process: KernelProcess, service: IBinder) -> None:
    def interrupt(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    try:
        call(service, Code.HANG)
    except KeyboardInterrupt:
        pass
    else:
        raise AssertionError("not interrupted")
    finally:
        signal.signal(signal.SIGALRM, before)
    assert len(echo(service, 256)) == 256
    call(service, Code.GO_ON).release()
    assert len(echo(service, 256)) == 256


@claim
def a_call_that_is_out_ends_when_its_process_is_closed(process: KernelProcess, service: IBinder) -> None:
    own = KernelProcess(LocalDevice(process.device.name))
    waits = threading.Event()
    ended: list[StatusError] = []

    def hang() -> None:
        waits.set()
        ended.append(status_of(lambda: call(own.context_manager(), Code.HANG)))

    thread = threading.Thread(target=hang)
    thread.start()
    assert waits.wait(PATIENCE)
    waits.clear()
    waits.wait(0.2)
    own.close()
    thread.join(PATIENCE)
    call(service, Code.GO_ON).release()
    assert [type(error) for error in ended] == [DeadObjectError]
    assert "closed here" in str(status_of(own.context_manager().ping))


def main(path: str, *names: str) -> None:
    with KernelProcess(LocalDevice(path)) as process:
        service = process.context_manager()
        if names == ("hold",):
            hold(process, service)
        for name in names or CLAIMS:
            try:
                CLAIMS[name](process, service)
            except BaseException:
                sys.stdout.write(f"{name}: {traceback.format_exc()!r}\n")
            else:
                sys.stdout.write(f"{name}: holds\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
