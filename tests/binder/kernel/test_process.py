"""A process: its threads, its references, the deaths it hears of, and its end."""

from __future__ import annotations

import gc
import os
import threading
from collections.abc import Iterator

import pytest

from binder import Binder, DeadObjectError, Parcel, Stability, Status, StatusError, UsageError
from binder.flat import ObjectType
from binder.kernel import KernelProcess, KernelProxy
from binder.kernel.commands import Command, Return

from ..services import Raw
from .fake import COMPLETE, NOOP, PATIENCE, FakeDevice, Said, br, flat

HANDLE = 5


@pytest.fixture
def device() -> FakeDevice:
    return FakeDevice()


@pytest.fixture
def process(device: FakeDevice) -> Iterator[KernelProcess]:
    with KernelProcess(device) as process:
        yield process


@pytest.fixture
def proxy(process: KernelProcess, device: FakeDevice) -> KernelProxy:
    proxy = process._proxy(HANDLE, Stability.SYSTEM, None)
    device.take()
    return proxy


def deaths(device: FakeDevice) -> list[Said]:
    about = (Command.REQUEST_DEATH_NOTIFICATION, Command.CLEAR_DEATH_NOTIFICATION)
    return [said for said in device.said if said.command in about]


# --- references -----------------------------------------------------------------------------------


def test_a_handle_has_one_proxy_for_as_long_as_somebody_has_it(
    process: KernelProcess, device: FakeDevice
) -> None:
    first = process._proxy(HANDLE, Stability.SYSTEM, None)
    assert process._proxy(HANDLE, Stability.SYSTEM, None) is first
    assert device.commands() == [Command.INCREFS, Command.ACQUIRE]
    del first
    gc.collect()
    device.wait_for(Command.RELEASE, Command.DECREFS)


def test_the_context_manager_is_not_counted_and_is_asked_again_after_its_death(
    process: KernelProcess, device: FakeDevice
) -> None:
    manager = process.context_manager()
    device.script += [NOOP + br(Return.DEAD_REPLY), NOOP + COMPLETE + device.reply()]
    with pytest.raises(DeadObjectError):
        manager.ping()
    assert not manager.is_alive()
    manager.ping()
    assert manager.is_alive()
    assert device.commands() == [Command.TRANSACTION] * 2


def test_the_context_manager_itself_is_its_own_object(process: KernelProcess) -> None:
    own = Binder()
    process.become_context_manager(own)
    assert process.context_manager() is own
    request = Parcel.from_bytes(flat(ObjectType.HANDLE, 0), resolver=process)
    assert request.read_strong_binder() is own


def test_a_proxy_with_too_low_a_level_is_not_called(process: KernelProcess, device: FakeDevice) -> None:
    vendors = process._proxy(HANDLE, Stability.VENDOR, None)
    device.take()
    with pytest.raises(StatusError, match="SYSTEM stability, not VENDOR") as raised:
        vendors.transact(1, Parcel())
    assert raised.value.status == Status.BAD_TYPE
    assert device.said == []
    device.script += [NOOP + COMPLETE + device.reply()] * 2
    vendors.transact(1, Parcel(), 0x10000010)
    vendors.ping()
    assert next(said.numbers[2] for said in device.said if said.command is Command.TRANSACTION) == 0x10


# --- deaths ---------------------------------------------------------------------------------------


def test_a_handle_has_one_request_however_many_want_to_be_told(
    proxy: KernelProxy, device: FakeDevice
) -> None:
    told: list[int] = []
    died = threading.Event()
    proxy.link_to_death(lambda: told.append(1))
    proxy.link_to_death(lambda: told.append(2))
    proxy.link_to_death(died.set)
    assert deaths(device) == [Said(Command.REQUEST_DEATH_NOTIFICATION, (HANDLE, 1))]
    device.say(NOOP + br(Return.DEAD_BINDER, 1) + br(Return.DEAD_BINDER, 1))
    assert died.wait(PATIENCE)
    device.wait_for(Command.DEAD_BINDER_DONE)
    assert told == [1, 2]
    assert not proxy.is_alive()
    with pytest.raises(DeadObjectError):
        proxy.link_to_death(died.set)


def test_a_link_that_is_made_again_does_not_meet_the_old_one(proxy: KernelProxy, device: FakeDevice) -> None:
    told: list[int] = []
    died = threading.Event()

    def first() -> None:
        told.append(1)

    proxy.link_to_death(first)
    assert proxy.unlink_to_death(first)
    assert not proxy.unlink_to_death(first)
    proxy.link_to_death(died.set)
    assert deaths(device) == [
        Said(Command.REQUEST_DEATH_NOTIFICATION, (HANDLE, 1)),
        Said(Command.CLEAR_DEATH_NOTIFICATION, (HANDLE, 1)),
        Said(Command.REQUEST_DEATH_NOTIFICATION, (HANDLE, 2)),
    ]
    device.say(br(Return.CLEAR_DEATH_NOTIFICATION_DONE, 1) + br(Return.DEAD_BINDER, 2))
    assert died.wait(PATIENCE)
    assert told == []


def test_a_recipient_that_fails_does_not_keep_the_others_from_being_told(
    proxy: KernelProxy, device: FakeDevice, caplog: pytest.LogCaptureFixture
) -> None:
    died = threading.Event()

    def fail() -> None:
        raise ValueError

    proxy.link_to_death(fail)
    proxy.link_to_death(died.set)
    device.say(br(Return.DEAD_BINDER, 1))
    assert died.wait(PATIENCE)
    assert "a death recipient failed" in caplog.text


def test_the_context_manager_is_counted_while_its_death_is_waited_for(
    process: KernelProcess, device: FakeDevice
) -> None:
    died = threading.Event()
    device.script.append(NOOP + COMPLETE + device.reply())
    process.context_manager().link_to_death(died.set)
    assert device.commands()[-3:] == [Command.INCREFS, Command.ACQUIRE, Command.REQUEST_DEATH_NOTIFICATION]
    device.say(br(Return.DEAD_BINDER, 1))
    assert died.wait(PATIENCE)
    device.wait_for(Command.DEAD_BINDER_DONE, Command.RELEASE, Command.DECREFS)


# --- threads --------------------------------------------------------------------------------------


def test_the_driver_gets_the_threads_that_it_asks_for(process: KernelProcess, device: FakeDevice) -> None:
    assert device.max_threads == 15
    process.start_threads()
    process.start_threads()
    device.wait_for(Command.ENTER_LOOPER)
    device.say(br(Return.SPAWN_LOOPER))
    device.wait_for(Command.REGISTER_LOOPER)
    assert sorted(device.commands()) == sorted([Command.ENTER_LOOPER, Command.REGISTER_LOOPER])


def test_a_thread_that_a_service_wants_to_end_serves_the_next_call(
    process: KernelProcess, device: FakeDevice, caplog: pytest.LogCaptureFixture
) -> None:
    served = threading.Event()

    def serve(code: int, data: Parcel, reply: Parcel) -> None:
        if code == 1:
            raise SystemExit
        served.set()

    process.become_context_manager(Raw(serve))
    device.say(NOOP + device.transaction(code=1))
    device.say(NOOP + device.transaction(code=2))
    assert served.wait(PATIENCE)
    device.wait_for(Command.REPLY)
    assert device.exits == 1
    assert device.commands().count(Command.ENTER_LOOPER) == 2
    assert "has given up a call" in caplog.text


def test_a_thread_that_cannot_go_on_says_so(
    process: KernelProcess, device: FakeDevice, caplog: pytest.LogCaptureFixture
) -> None:
    process.start_threads()
    device.wait_for(Command.ENTER_LOOPER)
    device.say(b"\1\2\3")
    process._threads[0].join(PATIENCE)
    assert "came to grief" in caplog.text


def test_a_oneway_call_is_freed_when_it_has_been_served(process: KernelProcess, device: FakeDevice) -> None:
    freed: list[bool] = []
    process.become_context_manager(Raw(lambda *_: freed.append(Command.FREE_BUFFER in device.commands())))
    device.say(NOOP + device.transaction(flags=0x11))
    device.wait_for(Command.FREE_BUFFER)
    assert freed == [False]
    assert Command.REPLY not in device.commands()


# --- ends -----------------------------------------------------------------------------------------


def test_a_closed_process_ends_its_threads_and_is_of_no_use(device: FakeDevice) -> None:
    with KernelProcess(device) as process:
        process.start_threads()
        manager = process.context_manager()
        held = [process._proxy(HANDLE, Stability.SYSTEM, None)]
    process.close()
    assert device.closed
    assert not any(thread.is_alive() for thread in process._threads)
    for use in (manager.ping, held[0].ping, process.thread, lambda: held[0].link_to_death(print)):
        with pytest.raises(DeadObjectError, match="closed here"):
            use()
    process.start_threads()
    held.clear()
    gc.collect()
    assert Command.RELEASE not in device.commands()


def test_a_call_that_waits_ends_when_its_process_is_closed(
    process: KernelProcess, device: FakeDevice
) -> None:
    ended: list[StatusError] = []

    def wait() -> None:
        try:
            process.context_manager().ping()
        except StatusError as error:
            ended.append(error)

    thread = threading.Thread(target=wait)
    thread.start()
    device.wait_for(Command.TRANSACTION)
    process.close()
    thread.join(PATIENCE)
    assert [type(error) for error in ended] == [DeadObjectError]


def test_a_process_may_be_closed_by_a_call_to_it(process: KernelProcess, device: FakeDevice) -> None:
    process.become_context_manager(Raw(lambda *_: process.close()))
    device.say(NOOP + device.transaction())
    process._threads[0].join(PATIENCE)
    assert device.closed


def test_a_thread_takes_its_leave_when_it_ends(process: KernelProcess, device: FakeDevice) -> None:
    thread = threading.Thread(target=lambda: process.thread().flush())
    thread.start()
    thread.join(PATIENCE)
    assert device.exits == 1


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_child_is_told_to_open_the_device_anew(process: KernelProcess) -> None:
    manager = process.context_manager()
    child = os.fork()
    if child == 0:
        try:
            manager.ping()
        except UsageError as error:
            os._exit("opened by process 100" not in str(error))
        os._exit(2)
    assert os.waitpid(child, 0)[1] == 0
