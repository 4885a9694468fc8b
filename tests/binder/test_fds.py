"""File descriptors: who owns them, and that none is ever lost."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable
from contextlib import suppress

import pytest

from binder import (
    BinderError,
    DeadObjectError,
    Parcel,
    ParcelError,
    ParcelFileDescriptor,
    SecurityException,
    Status,
    StatusError,
    TransactionFlag,
    UsageError,
)
from binder.local.process import BUFFER_SIZE
from binder.node import log
from generated.android.npumanager import (
    FileSegment,
    INpuAllocator,
    INpuAllocatorCallback,
    NpuBufferGetRequest,
)

from .services import Allocator, AllocatorCallback, Raw, World, open_files
from .vectors import KnownObjects

ACCEPT_FDS = TransactionFlag.ACCEPT_FDS


def new_fd() -> ParcelFileDescriptor:
    return ParcelFileDescriptor(os.open(os.devnull, os.O_RDONLY))


def is_open(fd: int) -> bool:
    try:
        os.fstat(fd)
    except OSError:
        return False
    return True


# --- one descriptor -------------------------------------------------------------------------------


def test_close_closes_once() -> None:
    fd = new_fd()
    number = fd.fileno()
    fd.close()
    fd.close()
    assert fd.closed
    assert not is_open(number)
    with pytest.raises(UsageError, match="closed"):
        fd.fileno()


def test_a_forgotten_descriptor_is_closed() -> None:
    number = new_fd().fileno()
    gc.collect()
    assert not is_open(number)


def test_detach_gives_the_descriptor_away() -> None:
    fd = new_fd()
    number = fd.detach()
    del fd
    assert is_open(number)
    os.close(number)


def test_detaching_a_borrowed_descriptor_gives_a_copy() -> None:
    with new_fd() as owner:
        borrowed = ParcelFileDescriptor(owner.fileno(), owned=False)
        number = borrowed.detach()
        assert number != owner.fileno()
        os.close(number)
        assert is_open(owner.fileno())


def test_closing_a_borrowed_descriptor_leaves_it_open() -> None:
    with new_fd() as owner:
        ParcelFileDescriptor(owner.fileno(), owned=False).close()
        assert is_open(owner.fileno())


def test_detaching_twice_is_a_usage_error() -> None:
    fd = new_fd()
    os.close(fd.detach())
    with pytest.raises(UsageError, match="closed"):
        fd.detach()


@pytest.mark.parametrize("value", [-1, None, "3", 1.5])
def test_what_is_no_descriptor_is_a_usage_error(value: int) -> None:
    with pytest.raises(UsageError, match="not an open file descriptor"):
        ParcelFileDescriptor(value)


def test_an_object_that_was_made_wrongly_does_no_harm_when_it_goes() -> None:
    ParcelFileDescriptor.__new__(ParcelFileDescriptor).__del__()


def test_the_repr_says_which_or_that_it_is_closed() -> None:
    fd = new_fd()
    assert repr(fd) == f"ParcelFileDescriptor({fd.fileno()})"
    fd.close()
    assert repr(fd) == "ParcelFileDescriptor(closed)"


# --- in parcels -----------------------------------------------------------------------------------


def with_status_pipe(pipe: int) -> Parcel:
    """What Java sends for a descriptor that was made with a status pipe."""
    parcel = Parcel()
    parcel.write_int32(1)
    parcel.write_int32(1)
    parcel.write_file_descriptor(ParcelFileDescriptor(0, owned=False))
    parcel.write_file_descriptor(ParcelFileDescriptor(pipe, owned=False))
    return parcel


def test_the_writer_of_a_status_pipe_is_told_that_its_descriptor_is_detached() -> None:
    receiving, sending = os.pipe()
    parcel = with_status_pipe(sending)
    parcel.rewind().read_parcel_file_descriptor()
    os.close(sending)
    with os.fdopen(receiving, "rb") as end:
        assert end.read() == b"\0\0\0\2"


def test_a_status_pipe_that_nobody_reads_is_fine() -> None:
    receiving, sending = os.pipe()
    os.close(receiving)
    assert with_status_pipe(sending).rewind().read_parcel_file_descriptor()
    os.close(sending)


def received(fds: list[ParcelFileDescriptor]) -> Parcel:
    """A parcel of bare descriptors as it arrives, with copies of its own."""
    parcel = Parcel()
    for fd in fds:
        parcel.write_file_descriptor(fd)
    objects = {24 * n: ParcelFileDescriptor.dup(fd.fileno()) for n, fd in enumerate(fds)}
    return Parcel.from_bytes(bytes(parcel), parcel.offsets, resolver=KnownObjects(), objects=objects)


def test_a_received_descriptor_can_be_read_once() -> None:
    with new_fd() as fd:
        parcel = received([fd])
        parcel.read_file_descriptor().close()
        with pytest.raises(ParcelError) as caught:
            parcel.rewind().read_file_descriptor()
        assert caught.value.status is Status.INVALID_OPERATION


def test_release_closes_what_was_not_read_and_leaves_what_was() -> None:
    with new_fd() as fd:
        before = open_files()
        parcel = received([fd, fd, fd])
        kept = parcel.read_file_descriptor()
        parcel.release()
        parcel.release()
        assert open_files() == before + 1
        kept.close()


def test_discard_closes_all() -> None:
    with new_fd() as fd:
        before = open_files()
        parcel = received([fd, fd, fd])
        parcel.read_file_descriptor()
        parcel.discard()
        assert open_files() == before


def test_a_parcel_that_is_forgotten_closes_what_was_not_read() -> None:
    with new_fd() as fd:
        before = open_files()
        received([fd, fd])
        gc.collect()
        assert open_files() == before


def test_leaving_a_parcel_by_an_error_closes_all() -> None:
    with new_fd() as fd:
        before = open_files()
        parcel = received([fd, fd])
        with suppress(ZeroDivisionError), parcel:
            _ = parcel.read_file_descriptor().fileno() / 0
        assert open_files() == before


def test_a_parcel_does_not_close_what_was_written_into_it() -> None:
    with new_fd() as fd:
        with Parcel() as parcel:
            parcel.write_file_descriptor(fd)
        parcel.discard()
        assert is_open(fd.fileno())


# --- in calls -------------------------------------------------------------------------------------


def test_the_receiver_gets_a_copy(world: World) -> None:
    numbers: list[int] = []
    allocator = world.allocator(
        loadFileSegmentToBuffer=lambda id, segment: numbers.append(segment.fileFd.fileno())
    )
    with new_fd() as fd:
        allocator.loadFileSegmentToBuffer(1, FileSegment(fileFd=fd))
        assert numbers != [fd.fileno()]
        assert is_open(fd.fileno())


class Loader(Allocator):
    """Fails every tenth call, with an AIDL exception or another one."""

    count = 0

    def loadFileSegmentToBuffer(self, appReqId: int, fileSegment: FileSegment) -> None:
        self.count += 1
        if self.count % 20 == 0:
            raise SecurityException("no")
        if self.count % 10 == 0:
            raise ValueError("on purpose")


def test_thousands_of_calls_with_descriptors_of_which_some_fail_leave_none_open(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log, "disabled", True)  # pytest keeps what is logged, traces and all
    allocator = INpuAllocator.from_binder(world.raw(Loader()))
    with new_fd() as fd:
        segment = FileSegment(fileFd=fd)
        before = open_files()
        failed = 0
        for n in range(2000):
            try:
                allocator.loadFileSegmentToBuffer(n, segment)
            except BinderError:
                failed += 1
        assert open_files() == before
    assert failed == 200


def send(world: World, serve: Callable[[int, Parcel, Parcel], object], *fds: ParcelFileDescriptor) -> Parcel:
    """Sends bare descriptors to a binder that serves like this; code 1."""
    binder = world.raw(Raw(serve))
    data = binder.new_parcel()
    for fd in fds:
        data.write_file_descriptor(fd)
    reply: Parcel = binder.transact(1, data, ACCEPT_FDS)
    return reply


def read_and_fail(code: int, data: Parcel, reply: Parcel) -> None:
    data.read_file_descriptor()
    data.read_file_descriptor()
    data.read_string16()


def test_a_request_that_cannot_be_read_to_its_end_leaves_none_open(world: World) -> None:
    with new_fd() as fd:
        before = open_files()
        with pytest.raises(StatusError) as caught:
            send(world, read_and_fail, fd, fd)
        assert caught.value.status == Status.NOT_ENOUGH_DATA
        assert open_files() == before


def test_a_stub_that_refuses_a_request_leaves_none_open(world: World) -> None:
    binder = world.raw(Allocator())
    with new_fd() as fd:
        before = open_files()
        for tail in ((0, -1), (0, 0, 0, 0, 0, 0, 0, 7)):
            data = binder.new_parcel()
            data.write_interface_token(Allocator.aidl.descriptor)
            data.write_int64(1)
            data.write_parcelable(FileSegment(fileFd=fd))
            for value in tail:
                data.write_int32(value)
            with binder.transact(5, data, ACCEPT_FDS) as reply:
                assert reply.read_int32() == -2  # BadParcelableException: there is more than wanted
        assert open_files() == before


def test_a_request_that_nobody_reads_leaves_none_open(world: World) -> None:
    with new_fd() as fd:
        before = open_files()
        send(world, lambda code, data, reply: None, fd, fd)
        assert open_files() == before


def test_a_reply_that_nobody_reads_leaves_none_open(world: World) -> None:
    with new_fd() as fd:
        before = open_files()
        with send(world, lambda code, data, reply: reply.write_file_descriptor(fd)):
            assert open_files() == before + 1
        assert open_files() == before


def test_a_request_too_large_to_be_sent_leaves_none_open(world: World) -> None:
    binder = world.raw(Allocator())
    with new_fd() as fd:
        before = open_files()
        data = binder.new_parcel()
        data.write_file_descriptor(fd)
        data.write_byte_array(bytes(BUFFER_SIZE))
        with pytest.raises(StatusError, match="no room"):
            binder.transact(1, data, ACCEPT_FDS)
        assert open_files() == before


def test_a_reply_too_large_to_be_sent_leaves_none_open(world: World) -> None:
    def serve(code: int, data: Parcel, reply: Parcel) -> None:
        reply.write_file_descriptor(fd)
        reply.write_byte_array(bytes(BUFFER_SIZE))

    with new_fd() as fd:
        before = open_files()
        with pytest.raises(StatusError, match="no room"):
            send(world, serve)
        assert open_files() == before


def test_a_request_to_the_dead_leaves_none_open(world: World) -> None:
    binder = world.raw(Allocator())
    world.server.kill()
    with new_fd() as fd:
        before = open_files()
        data = binder.new_parcel()
        data.write_file_descriptor(fd)
        with pytest.raises(DeadObjectError):
            binder.transact(1, data, ACCEPT_FDS)
        assert open_files() == before


def test_a_descriptor_that_cannot_be_copied_fails_the_call_and_leaves_none_open(world: World) -> None:
    with new_fd() as fd:
        before = open_files()
        with pytest.raises(StatusError, match="cannot be sent") as caught:
            send(world, lambda code, data, reply: None, fd, fd, ParcelFileDescriptor(9999, owned=False))
        assert caught.value.status == Status.FAILED_TRANSACTION
        assert open_files() == before


def test_an_object_that_cannot_be_carried_leaves_none_open(world: World) -> None:
    binder = world.raw(Allocator())
    with new_fd() as fd:
        before = open_files()
        data = binder.new_parcel()
        data.write_file_descriptor(fd)
        own = AllocatorCallback()
        world.driver.new_process("other", uid=3).node_for(own)
        data.write_strong_binder(own)
        with pytest.raises(UsageError, match="lives in other"):
            binder.transact(1, data, ACCEPT_FDS)
        assert open_files() == before


def test_a_descriptor_closed_before_it_is_sent_is_not_mistaken_for_a_new_one(world: World) -> None:
    binder = world.raw(Raw(lambda code, data, reply: None))
    data = binder.new_parcel()
    fd = new_fd()
    number = fd.fileno()
    data.write_file_descriptor(fd)
    fd.close()
    with new_fd() as other:
        assert other.fileno() == number
        with pytest.raises(StatusError, match="closed before it was sent"):
            binder.transact(1, data)


def test_descriptors_on_their_way_to_a_process_close_when_it_is_killed(still: World) -> None:
    callback = callback_of(still, AllocatorCallback())
    with new_fd() as fd:
        before = open_files()
        for n in range(5):
            callback.onGetBuffer(n, fd, 0, None)
        assert open_files() == before + 5
        still.client.kill()
        assert open_files() == before


def test_descriptors_on_their_way_close_with_the_driver(still: World) -> None:
    callback = callback_of(still, AllocatorCallback())
    with new_fd() as fd:
        before = open_files()
        callback.onGetBuffer(1, fd, 0, None)
        still.driver.close()
        gc.collect()
        assert open_files() == before


def test_descriptors_that_a_process_holds_close_when_it_is_killed(world: World) -> None:
    kept: list[ParcelFileDescriptor | None] = []
    own = AllocatorCallback(onGetBuffer=lambda id, fd, errno, message: kept.append(fd))
    callback = callback_of(world, own)
    with new_fd() as fd:
        before = open_files()
        callback.onGetBuffer(1, fd, 0, None)
        world.wait(lambda: bool(kept))
        world.settle()
        own.calls.clear()
        assert open_files() == before + 1
        world.client.kill()
        assert open_files() == before
        assert kept[0] is not None
        assert kept[0].closed


def callback_of(world: World, own: AllocatorCallback) -> INpuAllocatorCallback:
    """A proxy that the server holds for an allocator callback of the client's."""
    return INpuAllocatorCallback.from_binder(world.server.reference_to(world.client.node_for(own)))


def test_a_nullable_descriptor_may_be_null(still: World) -> None:
    own = AllocatorCallback()
    callback_of(still, own).onGetBuffer(1, None, 12, "no memory")
    still.settle()
    assert own.calls == [("onGetBuffer", 1, None, 12, "no memory")]


def test_a_descriptor_array_never_holds_null() -> None:
    with new_fd() as fd, pytest.raises(UsageError, match="null in an array"):
        Parcel().write_array([fd, None], Parcel().write_parcel_file_descriptor)


def test_a_reply_array_with_an_unset_descriptor_is_unexpected_null(world: World) -> None:
    class Broken(Allocator):
        def isSupported(self, requests: list[NpuBufferGetRequest]) -> list[bool]:
            return None  # type: ignore[return-value]

    allocator = INpuAllocator.from_binder(world.raw(Broken()))
    with pytest.raises(StatusError, match="UNEXPECTED_NULL"):
        allocator.isSupported([])


def test_a_call_within_a_process_copies_descriptors_too() -> None:
    def serve(code: int, data: Parcel, reply: Parcel) -> None:
        with data.read_file_descriptor() as given:
            reply.write_file_descriptor(own)
            assert given.fileno() != sent.fileno()

    with new_fd() as sent, new_fd() as own:
        before = open_files()
        binder = Raw(serve)
        data = binder.new_parcel()
        data.write_file_descriptor(sent)
        with binder.transact(1, data, ACCEPT_FDS) as reply:
            reply.read_file_descriptor().close()
        assert is_open(sent.fileno())
        assert is_open(own.fileno())
        assert open_files() == before
