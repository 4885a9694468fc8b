"""A thread's conversation, with a device that follows a script: returns in, commands out."""

from __future__ import annotations

import os
import struct
from collections.abc import Callable, Iterator

import pytest

from binder import Binder, DeadObjectError, IBinder, Parcel, ParcelFileDescriptor, Status, StatusError
from binder.flat import ObjectType
from binder.kernel import DeviceError, KernelProcess, thread
from binder.kernel.commands import Command, Return

from ..services import Raw
from .fake import COMPLETE, NOOP, FakeDevice, Said, Step, address_of, br, flat, ints

FAILURES = {
    Return.DEAD_REPLY: Status.DEAD_OBJECT,
    Return.FAILED_REPLY: Status.FAILED_TRANSACTION,
    Return.FROZEN_REPLY: Status.FAILED_TRANSACTION,
}


@pytest.fixture
def device() -> FakeDevice:
    return FakeDevice()


@pytest.fixture
def process(device: FakeDevice) -> Iterator[KernelProcess]:
    with KernelProcess(device) as process:
        yield process


def proxy_of(process: KernelProcess, device: FakeDevice, handle: int = 5) -> IBinder:
    """A proxy as it comes with a reply."""
    call(process, device, NOOP + COMPLETE, device.reply(flat(ObjectType.HANDLE, handle), (0,)))
    proxy = process._proxies[handle]
    device.take()
    return proxy


def call(process: KernelProcess, device: FakeDevice, *steps: Step, flags: int = 0x10) -> Parcel:
    """Calls the context manager while the device follows the script; keeps what came with the reply."""
    device.script.extend(steps)
    data = Parcel()
    data.write_int32(42)
    reply = process.context_manager().transact(7, data, flags)
    kept.append(reply)
    return reply


kept: list[Parcel] = []


@pytest.fixture(autouse=True)
def _forget() -> Iterator[None]:
    yield
    kept.clear()


TRANSACTION = Said(Command.TRANSACTION, (0, 7, 0x10), ints(42))


# --- calling --------------------------------------------------------------------------------------


def test_a_call_is_one_exchange_and_the_next_one_frees_its_reply(
    process: KernelProcess, device: FakeDevice
) -> None:
    first = device.reply(ints(1, 2))
    assert call(process, device, NOOP + COMPLETE + first).read_int32() == 1
    assert device.take() == [TRANSACTION]
    call(process, device, NOOP + COMPLETE + device.reply())
    assert device.take() == [Said(Command.FREE_BUFFER, (address_of(first),)), TRANSACTION]


def test_a_large_reply_is_freed_at_once(process: KernelProcess, device: FakeDevice) -> None:
    call(process, device, NOOP + COMPLETE, device.reply(bytes(8192)))
    assert device.commands() == [Command.TRANSACTION, Command.FREE_BUFFER]


def test_a_new_reference_is_counted_before_what_brought_it_is_freed(
    process: KernelProcess, device: FakeDevice
) -> None:
    call(process, device, NOOP + COMPLETE, device.reply(flat(ObjectType.HANDLE, 5), (0,)))
    said = device.take()
    assert said[1:3] == [Said(Command.INCREFS, (5,)), Said(Command.ACQUIRE, (5,))]
    assert [each.command for each in said] == [
        Command.TRANSACTION,
        Command.INCREFS,
        Command.ACQUIRE,
        Command.FREE_BUFFER,
    ]
    kept.clear()
    device.wait_for(Command.RELEASE, Command.DECREFS)


@pytest.mark.parametrize("steps", [[], [NOOP + COMPLETE]], ids=["sent", "accepted"])
@pytest.mark.parametrize("failure", FAILURES)
def test_a_failure_ends_a_call_at_any_stage(
    process: KernelProcess, device: FakeDevice, failure: Return, steps: list[bytes]
) -> None:
    with pytest.raises(StatusError) as raised:
        call(process, device, *steps, NOOP + br(failure))
    assert raised.value.status == FAILURES[failure]
    assert isinstance(raised.value, DeadObjectError) == (failure is Return.DEAD_REPLY)
    assert call(process, device, NOOP + COMPLETE + device.reply(ints(1))).read_int32() == 1


def test_a_dead_process_is_not_called_again(process: KernelProcess, device: FakeDevice) -> None:
    proxy = proxy_of(process, device)
    device.script.append(NOOP + br(Return.DEAD_REPLY))
    for _ in range(2):
        with pytest.raises(DeadObjectError):
            proxy.transact(1, Parcel())
    assert not proxy.is_alive()
    assert device.commands() == [Command.TRANSACTION]


def test_a_refused_transaction_says_why(process: KernelProcess, device: FakeDevice) -> None:
    device.extended = (Return.FAILED_REPLY, -28)
    with pytest.raises(StatusError, match=r"no room.*ENOSPC"):
        call(process, device, NOOP + br(Return.FAILED_REPLY))
    device.extended = (Return.DEAD_REPLY, -28)
    with pytest.raises(StatusError, match=r"refused the transaction$"):
        call(process, device, NOOP + br(Return.FAILED_REPLY))


@pytest.mark.parametrize(
    "accepted",
    [Return.TRANSACTION_COMPLETE, Return.ONEWAY_SPAM_SUSPECT, Return.TRANSACTION_PENDING_FROZEN],
)
def test_a_oneway_call_is_over_when_it_is_accepted(
    process: KernelProcess, device: FakeDevice, accepted: Return
) -> None:
    assert len(call(process, device, NOOP, NOOP + br(accepted), flags=1)) == 0
    assert device.said == [Said(Command.TRANSACTION, (0, 7, 1), ints(42))]


def test_a_status_is_raised_and_its_buffer_freed(process: KernelProcess, device: FakeDevice) -> None:
    answer = device.reply(ints(-74), flags=8)
    with pytest.raises(StatusError) as raised:
        call(process, device, NOOP + COMPLETE + answer)
    assert raised.value.status == Status.UNKNOWN_TRANSACTION
    assert len(call(process, device, NOOP + COMPLETE + device.reply(ints(0), flags=8))) == 0
    assert Said(Command.FREE_BUFFER, (address_of(answer),)) in device.said


def test_unknown_returns_are_passed_over(process: KernelProcess, device: FakeDevice) -> None:
    unknown = struct.pack("<IQ", 0x800872FF, 1) + struct.pack("<I", 0x72FE)
    frozen = struct.pack("<IQII", Return.FROZEN_BINDER, 1, 1, 0)
    reply = call(process, device, unknown + COMPLETE, br(Return.OK) + frozen + device.reply(ints(3)))
    assert reply.read_int32() == 3


def test_an_object_is_held_while_the_driver_holds_it(process: KernelProcess, device: FakeDevice) -> None:
    own = Binder()
    device.script.append(
        NOOP + br(Return.INCREFS, own.address, own.address) + br(Return.ACQUIRE, own.address, own.address)
    )
    device.script.append(COMPLETE + device.reply())
    data = Parcel()
    data.write_strong_binder(own)
    process.context_manager().transact(1, data)
    done = [each for each in device.take() if each.numbers == (own.address, own.address)]
    assert [each.command for each in done] == [Command.INCREFS_DONE, Command.ACQUIRE_DONE]
    assert process.target(own.address) is own
    release = br(Return.RELEASE, own.address, own.address) + br(Return.DECREFS, own.address, own.address)
    call(process, device, release + COMPLETE + device.reply())
    with pytest.raises(StatusError):
        process.target(own.address)


@pytest.mark.parametrize("flags", [0x10, 0x11])
def test_what_came_with_the_end_of_a_call_is_confirmed_at_once(
    process: KernelProcess, device: FakeDevice, flags: int
) -> None:
    counts = br(Return.INCREFS, 0x30, 0x30) + br(Return.ACQUIRE, 0x30, 0x30)
    answer = COMPLETE if flags & 1 else COMPLETE + device.reply()
    call(process, device, NOOP + counts + answer, flags=flags)
    assert device.commands()[:3] == [Command.TRANSACTION, Command.INCREFS_DONE, Command.ACQUIRE_DONE]


# --- being called ---------------------------------------------------------------------------------


def serve(
    process: KernelProcess, device: FakeDevice, serving: Callable[[int, Parcel, Parcel], object]
) -> None:
    """One call to an object of this process, in the middle of a call that this thread makes."""
    process._context_object = None
    own = Raw(serving)
    process._pin(own)
    nested = device.transaction(ints(11), target=own.address)
    device.script.extend([NOOP + COMPLETE + nested, NOOP + COMPLETE, NOOP + device.reply(ints(3))])


def test_a_nested_call_is_served_on_the_thread_that_waits(process: KernelProcess, device: FakeDevice) -> None:
    serve(process, device, lambda code, data, reply: reply.write_int32(data.read_int32() + 1))
    assert call(process, device).read_int32() == 3
    assert [(said.command, said.data) for said in device.said] == [
        (Command.TRANSACTION, ints(42)),
        (Command.FREE_BUFFER, b""),
        (Command.REPLY, ints(12)),
    ]


def test_a_reply_that_cannot_be_sent_is_a_status(process: KernelProcess, device: FakeDevice) -> None:
    with KernelProcess(FakeDevice()) as other:
        foreign = other._proxy(9, Binder.stability, None)
        serve(process, device, lambda code, data, reply: reply.write_strong_binder(foreign))
        assert call(process, device).read_int32() == 3
    replies = [said for said in device.said if said.command is Command.REPLY]
    assert [(said.numbers[2], said.data) for said in replies] == [(8, ints(Status.FAILED_TRANSACTION))]


@pytest.mark.parametrize("failure", FAILURES)
def test_a_reply_that_fails_does_not_fail_the_call_around_it(
    process: KernelProcess, device: FakeDevice, failure: Return
) -> None:
    serve(process, device, lambda code, data, reply: None)
    device.script[1] = NOOP + br(failure)
    assert call(process, device).read_int32() == 3


def test_a_call_to_nobody_is_answered(process: KernelProcess, device: FakeDevice) -> None:
    nested = device.transaction(target=0x999)
    call(process, device, COMPLETE + nested, COMPLETE, device.reply())
    replies = [said for said in device.said if said.command is Command.REPLY]
    assert [said.data for said in replies] == [ints(Status.DEAD_OBJECT)]


def test_descriptors_of_a_request_that_makes_no_sense_are_closed(
    process: KernelProcess, device: FakeDevice
) -> None:
    first, second = os.pipe()
    fds = flat(ObjectType.FD, first, stability=None), flat(ObjectType.FD, second, stability=None)
    data = fds[0] + flat(ObjectType.BINDER, 0x999, 0x999) + fds[1]
    nested = device.transaction(data, (0, 24, 52))
    call(process, device, COMPLETE + nested, COMPLETE, device.reply())
    for fd in (first, second):
        with pytest.raises(OSError, match="Bad file descriptor"):
            os.fstat(fd)
    assert [said.numbers for said in device.said if said.command is Command.FREE_BUFFER] == [
        (address_of(nested),)
    ]


# --- ends in the middle ---------------------------------------------------------------------------


def test_an_interrupted_call_is_given_up_and_nothing_else_is_lost(
    process: KernelProcess, device: FakeDevice
) -> None:
    reply = device.reply(ints(1))
    call(process, device, NOOP + COMPLETE + reply)
    device.take()
    with pytest.raises(KeyboardInterrupt):
        call(process, device, KeyboardInterrupt())
    # Not the transaction, but what was owed of the call before.
    assert device.said == [Said(Command.FREE_BUFFER, (address_of(reply),))]
    assert device.exits == 1
    assert call(process, device, NOOP + COMPLETE + device.reply(ints(2))).read_int32() == 2


def test_what_an_interrupted_device_has_heard_is_heeded(process: KernelProcess, device: FakeDevice) -> None:
    late = device.reply(ints(1))
    heard = br(Return.ACQUIRE, 0x999, 0x999) + late
    with pytest.raises(KeyboardInterrupt):
        call(process, device, KeyboardInterrupt(heard))
    assert Said(Command.ACQUIRE_DONE, (0x999, 0x999)) in device.said
    assert Said(Command.FREE_BUFFER, (address_of(late),)) in device.said
    assert call(process, device, NOOP + COMPLETE + device.reply(ints(2))).read_int32() == 2


def test_only_who_waits_for_work_is_patient(process: KernelProcess, device: FakeDevice) -> None:
    process.start_threads()
    device.wait_for(Command.ENTER_LOOPER)
    serve(process, device, lambda code, data, reply: None)
    call(process, device)
    process.close()
    assert set(device.patience[False]) == {True}
    assert set(device.patience[True]) == {False}


@pytest.mark.parametrize("where", ["_take_in", "only_reply"])
def test_a_signal_right_after_the_driver_has_spoken_loses_nothing(
    process: KernelProcess, device: FakeDevice, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    reply = device.reply(ints(1))
    said = NOOP + COMPLETE + reply
    if where == "_take_in":
        said += br(Return.ACQUIRE, 0x999, 0x999)  # so that the shorter way is not taken
    calls = iter([KeyboardInterrupt()])

    def interrupted(function: Callable[..., object]) -> Callable[..., object]:
        def run(*arguments: object) -> object:
            for error in calls:
                raise error
            return function(*arguments)

        return run

    owner = thread if where == "only_reply" else thread.ThreadState
    monkeypatch.setattr(owner, where, interrupted(getattr(owner, where)))
    with pytest.raises(KeyboardInterrupt):
        call(process, device, said)
    assert Said(Command.FREE_BUFFER, (address_of(reply),)) in device.said
    assert (Said(Command.ACQUIRE_DONE, (0x999, 0x999)) in device.said) == (where == "_take_in")
    assert device.exits == 1
    assert call(process, device, NOOP + COMPLETE + device.reply(ints(2))).read_int32() == 2


def test_what_comes_once_is_heeded_even_when_a_call_is_given_up(
    process: KernelProcess, device: FakeDevice
) -> None:
    reader, writer = os.pipe()
    os.close(writer)

    def interrupt(code: int, data: Parcel, reply: Parcel) -> None:
        raise KeyboardInterrupt

    serve(process, device, interrupt)
    late = device.reply(flat(ObjectType.FD, reader, stability=None), (0,))
    first = device.script[0]
    assert isinstance(first, bytes)
    device.script[0] = first + br(Return.ACQUIRE, 0x999, 0x999) + late
    with pytest.raises(KeyboardInterrupt):
        call(process, device)
    assert device.exits >= 1
    assert Said(Command.ACQUIRE_DONE, (0x999, 0x999)) in device.said
    assert Said(Command.FREE_BUFFER, (address_of(late),)) in device.said
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(reader)


def test_a_device_that_fails_fails_the_call(process: KernelProcess, device: FakeDevice) -> None:
    with pytest.raises(DeviceError, match="the script is over"):
        call(process, device, NOOP)


def test_descriptors_arrive_and_belong_to_the_reader(process: KernelProcess, device: FakeDevice) -> None:
    reader, writer = os.pipe()
    with ParcelFileDescriptor(writer):
        data = flat(ObjectType.FD, reader, stability=None)
        with call(process, device, COMPLETE + device.reply(data, (0,))) as reply:
            fd = reply.read_file_descriptor()
        assert fd.fileno() == reader
        fd.close()
