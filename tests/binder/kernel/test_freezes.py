"""Who is told of freezing, with a device that follows a script; `guest/client.py` has the driver's."""

from __future__ import annotations

from collections.abc import Iterator
from queue import SimpleQueue

import pytest

from binder import DeadObjectError, Status, StatusError
from binder.flat import ObjectType
from binder.kernel import DeviceError, KernelProcess
from binder.kernel.commands import Command, Return, Writer
from binder.kernel.proxy import KernelProxy

from .fake import COMPLETE, NOOP, PATIENCE, FakeDevice, Said, br, flat

HANDLE = 5
FREEZE = (Command.REQUEST_FREEZE_NOTIFICATION, Command.CLEAR_FREEZE_NOTIFICATION)


class Device(FakeDevice):
    """May know nothing of freezing."""

    knows_freezing = True

    def write_read(self, writer: Writer, *, wait: bool) -> bytes:
        if not self.knows_freezing and writer.stream[:4] == FREEZE[0].to_bytes(4, "little"):
            raise DeviceError("the driver refuses a command: Invalid argument")
        return super().write_read(writer, wait=wait)


@pytest.fixture
def device() -> Device:
    return Device()


@pytest.fixture
def proxy(device: Device) -> Iterator[KernelProxy]:
    with KernelProcess(device) as process:
        device.script.append(NOOP + COMPLETE + device.reply(flat(ObjectType.HANDLE, HANDLE), (0,)))
        with process.context_manager().transact(1, process.context_manager().new_parcel()) as reply:
            proxy = reply.read_strong_binder()
        assert isinstance(proxy, KernelProxy)
        yield proxy


def frozen(cookie: int, is_frozen: bool) -> bytes:
    return br(Return.FROZEN_BINDER, cookie, int(is_frozen))


def requests(device: Device) -> list[Said]:
    return [said for said in device.said if said.command in FREEZE]


def test_one_request_tells_all_of_every_change(proxy: KernelProxy, device: Device) -> None:
    first: SimpleQueue[bool] = SimpleQueue()
    second: SimpleQueue[bool] = SimpleQueue()
    proxy.watch_freezing(first.put)
    device.say(NOOP + frozen(1, False))
    assert first.get(timeout=PATIENCE) is False
    device.wait_for(Command.FREEZE_NOTIFICATION_DONE)
    # Who comes later is told how things stand.
    proxy.watch_freezing(second.put)
    assert second.get(timeout=PATIENCE) is False
    device.say(frozen(1, True) + frozen(1, False))
    for heard in (first, second):
        assert [heard.get(timeout=PATIENCE), heard.get(timeout=PATIENCE)] == [True, False]
    assert requests(device) == [Said(FREEZE[0], (HANDLE, 1))]


def test_a_listener_that_was_taken_back_is_not_told(proxy: KernelProxy, device: Device) -> None:
    first: SimpleQueue[bool] = SimpleQueue()
    second: SimpleQueue[bool] = SimpleQueue()
    proxy.watch_freezing(first.put)
    assert proxy.unwatch_freezing(first.put)
    assert not proxy.unwatch_freezing(first.put)
    proxy.watch_freezing(second.put)
    device.say(frozen(1, True) + br(Return.CLEAR_FREEZE_NOTIFICATION_DONE, 1) + frozen(2, False))
    assert second.get(timeout=PATIENCE) is False
    assert first.empty()
    assert [said.numbers for said in requests(device)] == [(HANDLE, 1), (HANDLE, 1), (HANDLE, 2)]


def test_a_listener_that_fails_does_not_keep_the_others_from_being_told(
    proxy: KernelProxy, device: Device, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(is_frozen: bool) -> None:
        raise ValueError

    heard: SimpleQueue[bool] = SimpleQueue()
    proxy.watch_freezing(fail)
    proxy.watch_freezing(heard.put)
    device.say(frozen(1, True))
    assert heard.get(timeout=PATIENCE) is True
    assert "a listener for freezing failed" in caplog.text


def test_a_driver_that_knows_nothing_of_it_is_a_status(proxy: KernelProxy, device: Device) -> None:
    device.knows_freezing = False
    with pytest.raises(StatusError, match="tells nobody of freezing") as error:
        proxy.watch_freezing(print)
    assert error.value.status == Status.INVALID_OPERATION
    assert not proxy.unwatch_freezing(print)
    device.knows_freezing = True
    heard: SimpleQueue[bool] = SimpleQueue()
    proxy.watch_freezing(heard.put)
    device.say(frozen(2, False))
    assert heard.get(timeout=PATIENCE) is False


def test_a_dead_process_is_not_watched(proxy: KernelProxy, device: Device) -> None:
    proxy.dead = True
    with pytest.raises(DeadObjectError):
        proxy.watch_freezing(print)
    assert requests(device) == []
