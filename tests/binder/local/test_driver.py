"""What the driver carries, in which order, and what it answers when it cannot."""

from __future__ import annotations

import gc
from contextlib import suppress
from weakref import ref

import pytest

from binder import (
    DeadObjectError,
    Parcel,
    ParcelFileDescriptor,
    PersistableBundle,
    Status,
    StatusError,
    TransactionFlag,
    UsageError,
)
from binder.local import Scheduler, Transaction
from binder.local.process import BUFFER_SIZE, ONEWAY_BUFFER_SIZE
from binder.node import log
from generated.android.hardware.npu import (
    BnSchedulingCallback,
    EndReason,
    ISchedulingCallback,
    StartReason,
    WorkInfo,
)
from generated.android.npumanager import (
    INpuManagerService,
    ModelLoadRequestParcelable,
    NpuBufferGetRequest,
)

from ..services import Allocator, AllocatorCallback, Callback, Manager, Raw, World, world_of

REQUEST = ModelLoadRequestParcelable(id=54, priority=1000)


def status_of(error: pytest.ExceptionInfo[StatusError]) -> int:
    return error.value.status


# --- what is carried ------------------------------------------------------------------------------


def test_arguments_arrive_as_equal_values_of_their_own(world: World) -> None:
    seen: list[ModelLoadRequestParcelable] = []
    world.manager(cancelModelLoad=seen.append).cancelModelLoad(REQUEST)
    assert seen == [REQUEST]
    assert seen[0] is not REQUEST


def test_a_binder_that_comes_home_is_the_object_itself(world: World) -> None:
    own = Callback()
    given = world.callback_of_client(own)
    relay = Manager()
    world.client.add_service("relay", relay)
    found = world.server.get_service("relay")
    assert found is not None
    INpuManagerService.from_binder(found).canLoadModel(REQUEST, given)
    assert relay.calls[0][2] is own


def test_a_binder_sent_twice_is_one_object_to_its_receiver(world: World) -> None:
    own = Callback()
    assert world.callback_of_client(own) == world.callback_of_client(own)
    assert world.callback_of_client(own) != world.callback_of_client(Callback())


def test_a_binder_in_a_reply_can_be_called(world: World) -> None:
    allocator = Allocator(isSupported=lambda requests: [True] * len(requests))
    given = world.manager(createAllocator=lambda callback: allocator).createAllocator(AllocatorCallback())
    assert given.isSupported([NpuBufferGetRequest()] * 2) == [True, True]


def test_a_third_process_can_be_handed_a_binder(world: World) -> None:
    own = Callback()
    relay = Manager()
    world.driver.new_process("third", uid=10002).add_service("relay", relay)
    found = world.server.get_service("relay")
    assert found is not None
    INpuManagerService.from_binder(found).canLoadModel(REQUEST, world.callback_of_client(own))
    relay.calls[0][2].onCanLoadModel(7)
    world.wait(lambda: own.decisions == [7])


# --- what cannot be carried -----------------------------------------------------------------------


def test_another_processs_object_cannot_be_sent(world: World) -> None:
    own = Callback()
    world.callback_of_client(own)
    manager = world.manager(world.driver.new_process("other", uid=10002))
    with pytest.raises(UsageError, match="other cannot send an object that lives in client"):
        manager.canLoadModel(REQUEST, own)


def test_another_processs_handle_cannot_be_sent(world: World) -> None:
    held = world.callback_of_client(Callback())
    with pytest.raises(UsageError, match="which another process holds"):
        world.manager().canLoadModel(REQUEST, held)


def test_a_handle_that_nobody_has_fails_the_transaction(still: World) -> None:
    binder = still.raw(Raw(lambda code, data, reply: None))
    data = Parcel()
    data.write_strong_binder(binder)
    forged = bytearray(bytes(data))
    forged[8:12] = (999).to_bytes(4, "little")
    with pytest.raises(StatusError, match="no object 0x3e7") as caught:
        binder.transact(1, Parcel.from_bytes(forged, (0,)))
    assert status_of(caught) == Status.FAILED_TRANSACTION


@pytest.mark.parametrize("kind", ["777362", "707462"])
def test_objects_of_unknown_kind_fail_the_transaction(still: World, kind: str) -> None:
    binder = still.raw(Raw(lambda code, data, reply: None))
    data = bytes.fromhex("852a") + bytes.fromhex(kind)[::-1][:2] + bytes(20)
    with pytest.raises(StatusError) as caught:
        binder.transact(1, Parcel.from_bytes(data, (0,)))
    assert status_of(caught) == Status.FAILED_TRANSACTION


def test_a_reply_with_an_object_of_another_process_fails_the_transaction(world: World) -> None:
    elsewhere = Allocator()
    world.client.node_for(elsewhere)
    manager = world.manager(createAllocator=lambda callback: elsewhere)
    with pytest.raises(StatusError, match="cannot send its reply") as caught:
        manager.createAllocator(AllocatorCallback())
    assert status_of(caught) == Status.FAILED_TRANSACTION
    manager.setPolicy(0, None)


def test_a_descriptor_in_a_reply_needs_a_caller_that_takes_some(world: World) -> None:
    with ParcelFileDescriptor.dup(0) as fd:
        binder = world.raw(Raw(lambda code, data, reply: reply.write_file_descriptor(fd)))
        with pytest.raises(StatusError) as caught:
            binder.transact(1, binder.new_parcel())
        assert status_of(caught) == Status.FAILED_TRANSACTION
        with binder.transact(1, binder.new_parcel(), TransactionFlag.ACCEPT_FDS) as reply:
            assert reply.read_file_descriptor().fileno() != fd.fileno()


# --- order ----------------------------------------------------------------------------------------


def deliveries(seed: int) -> list[tuple[str, int]]:
    """In which order calls to two objects of one process are delivered."""
    order: list[tuple[str, int]] = []
    with world_of(seed=seed) as world:
        objects = {
            name: world.callback_of_client(
                Callback(onCanLoadModel=lambda n, name=name: order.append((name, n)))
            )
            for name in "ab"
        }
        for n in range(10):
            for callback in objects.values():
                callback.onCanLoadModel(n)
        world.settle()
    return order


def test_oneway_calls_to_one_object_keep_their_order(world: World) -> None:
    own = Callback()
    callback = world.callback_of_client(own)
    for n in range(200):
        callback.onCanLoadModel(n)
    world.wait(lambda: len(own.calls) == 200)
    assert own.decisions == list(range(200))


def test_oneway_calls_to_one_object_never_overlap(world: World) -> None:
    inside: list[int] = []

    def enter(status: int) -> None:
        inside.append(1)
        assert len(inside) == 1
        inside.pop()

    own = Callback(onCanLoadModel=enter)
    callback = world.callback_of_client(own)
    for n in range(50):
        callback.onCanLoadModel(n)
    world.wait(lambda: len(own.calls) == 50)
    world.settle()
    assert world.client.oneway_buffer_used == 0


def test_the_same_seed_gives_the_same_interleaving() -> None:
    assert deliveries(seed=7) == deliveries(seed=7)


def test_different_seeds_interleave_different_objects_differently() -> None:
    runs = [deliveries(seed) for seed in range(5)]
    assert len({tuple(run) for run in runs}) > 1
    for run in runs:
        for name in "ab":
            assert [n for who, n in run if who == name] == list(range(10))


# --- room -----------------------------------------------------------------------------------------


def test_a_transaction_larger_than_the_buffer_fails_and_the_next_one_works(world: World) -> None:
    manager = world.manager()
    with pytest.raises(StatusError, match="no room in server") as caught:
        manager.setPolicy(0, PersistableBundle.of({"x": bytes(BUFFER_SIZE)}))
    assert status_of(caught) == Status.FAILED_TRANSACTION
    assert world.server.buffer_used == 0
    manager.setPolicy(0, PersistableBundle.of({"x": bytes(BUFFER_SIZE - 1000)}))


def test_a_transaction_of_exactly_the_buffers_size_fits(world: World) -> None:
    binder = world.raw(Raw(lambda code, data, reply: None))
    binder.transact(1, Parcel.from_bytes(bytes(BUFFER_SIZE)))
    with pytest.raises(StatusError):
        binder.transact(1, Parcel.from_bytes(bytes(BUFFER_SIZE + 1)))


def test_a_oneway_transaction_gets_half_of_the_buffer(world: World) -> None:
    binder = world.raw(Raw(lambda code, data, reply: None))
    binder.transact(1, Parcel.from_bytes(bytes(ONEWAY_BUFFER_SIZE)), TransactionFlag.ONE_WAY)
    world.wait(lambda: world.server.oneway_buffer_used == 0)
    with pytest.raises(StatusError, match="no room"):
        binder.transact(1, Parcel.from_bytes(bytes(ONEWAY_BUFFER_SIZE + 1)), TransactionFlag.ONE_WAY)
    binder.transact(1, Parcel.from_bytes(bytes(ONEWAY_BUFFER_SIZE + 1)))


def test_calls_in_progress_share_the_buffer(world: World) -> None:
    """A nested call into the same process finds only what the outer one left."""
    half = bytes(BUFFER_SIZE // 2 + 100)
    outcomes: list[int] = []

    def again(code: int, data: Parcel, reply: Parcel) -> None:
        if code == 1:
            back.transact(1, back.new_parcel())

    def from_client(code: int, data: Parcel, reply: Parcel) -> None:
        with pytest.raises(StatusError, match="no room in server") as caught:
            binder.transact(2, Parcel.from_bytes(half))
        outcomes.append(status_of(caught))

    binder = world.raw(Raw(again))
    back = world.server.reference_to(world.client.node_for(Raw(from_client)))
    binder.transact(1, Parcel.from_bytes(half))
    assert outcomes == [Status.FAILED_TRANSACTION]
    assert world.server.buffer_used == 0


def test_a_reply_must_fit_the_callers_buffer(world: World) -> None:
    binder = world.raw(Raw(lambda code, data, reply: reply.write_byte_array(bytes(code))))
    assert len(binder.transact(BUFFER_SIZE - 8, binder.new_parcel())) == BUFFER_SIZE - 4
    with pytest.raises(StatusError, match="no room in client for a reply") as caught:
        binder.transact(BUFFER_SIZE, binder.new_parcel())
    assert status_of(caught) == Status.FAILED_TRANSACTION
    assert world.client.buffer_used == 0
    binder.transact(8, binder.new_parcel())


def test_even_empty_oneway_transactions_take_room(still: World) -> None:
    binder = still.raw(Raw(lambda code, data, reply: None))
    for _ in range(10):
        binder.transact(1, Parcel(), TransactionFlag.ONE_WAY)
    assert still.server.oneway_buffer_used == 80


class SlowListener(BnSchedulingCallback):
    """Takes a tenth of a second for every piece of news."""

    def __init__(self, scheduler: Scheduler) -> None:
        self.scheduler = scheduler
        self.heard: list[int] = []

    def onWorkRequested(self, info: WorkInfo) -> None:
        self.scheduler.advance(0.1)
        self.heard.append(info.id)

    def onWorkStarted(self, workInfo: WorkInfo, reason: StartReason) -> None: ...

    def onWorkEnded(self, workInfo: WorkInfo, reason: EndReason) -> None: ...


def test_a_slow_receiver_gets_all_in_order_until_its_buffer_is_full(still: World) -> None:
    """Five hundred pieces of news of a HAL, of four kilobytes each, while nobody listens yet."""
    own = SlowListener(still.driver.scheduler)
    listener = ISchedulingCallback.from_binder(still.server.reference_to(still.client.node_for(own)))
    sent: list[int] = []
    for n in range(500):
        with suppress(StatusError):
            listener.onWorkRequested(WorkInfo(n, debugFeatureId="x" * 2000))
            sent.append(n)
        assert still.client.oneway_buffer_used <= ONEWAY_BUFFER_SIZE
    assert sent == list(range(len(sent)))
    assert 100 < len(sent) < 150
    with pytest.raises(StatusError, match="no room in client") as caught:
        listener.onWorkRequested(WorkInfo(-1, debugFeatureId="x" * 2000))
    assert status_of(caught) == Status.FAILED_TRANSACTION
    still.settle()
    assert own.heard == sent
    assert still.client.oneway_buffer_used == 0
    for n in range(500):
        listener.onWorkRequested(WorkInfo(n))
    still.settle()
    assert own.heard[len(sent) :] == list(range(500))


# --- errors and what they hold on to --------------------------------------------------------------


def test_an_error_in_a_service_keeps_nothing_of_it_alive(
    still: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log, "disabled", True)  # pytest keeps what is logged

    class Thing:
        pass

    things: list[ref[Thing]] = []

    def fail(policy: int, params: object) -> None:
        thing = Thing()
        things.append(ref(thing))
        raise ValueError("on purpose")

    records: list[Transaction] = []
    still.driver.observers.append(records.append)
    with pytest.raises(StatusError, match="ValueError in the service") as caught:
        still.manager(setPolicy=fail).setPolicy(0, None)
    gc.collect()
    assert caught.value.status == Status.UNKNOWN_ERROR
    assert [thing() for thing in things] == [None]
    assert records[-1].error is not None
    assert records[-1].error.__traceback__ is None


def test_a_node_ends_when_nobody_holds_it(still: World) -> None:
    own = Callback()
    held = still.callback_of_client(own)
    assert [node.binder for node in still.client.nodes()] == [own]
    held.onCanLoadModel(1)
    del held
    gc.collect()
    assert len(still.client.nodes()) == 1, "a queued call holds it"
    still.settle()
    gc.collect()
    assert still.client.nodes() == []
    assert own.decisions == [1]
    assert still.callback_of_client(own).as_binder().is_alive()


def test_an_object_lives_for_as_long_as_somebody_elsewhere_holds_it(still: World) -> None:
    own = Callback()
    alive = ref(own)
    held = still.callback_of_client(own)
    del own
    gc.collect()
    assert alive() is not None
    held.onCanLoadModel(1)
    still.settle()
    del held
    gc.collect()
    assert alive() is None


def test_a_handle_written_into_a_parcel_outlives_its_proxy(still: World) -> None:
    seen: list[object] = []
    held = still.callback_of_client(Callback())
    relay = Manager(canLoadModel=lambda request, callback: seen.append(callback))
    still.client.add_service("relay", relay)
    binder = still.server.get_service("relay")
    assert binder is not None
    data = binder.new_parcel()
    data.write_interface_token(Manager.aidl.descriptor)
    data.write_parcelable(REQUEST)
    data.write_interface(held)
    del held
    gc.collect()
    binder.transact(1, data, TransactionFlag.ACCEPT_FDS)
    assert isinstance(seen[0], Callback)


def test_an_unhashable_object_can_be_sent(still: World) -> None:
    class Odd(Callback):
        __hash__ = None  # type: ignore[assignment]

        def __eq__(self, other: object) -> bool:
            return True

    own = Odd()
    still.callback_of_client(own).onCanLoadModel(3)
    still.settle()
    assert own.decisions == [3]


# --- records --------------------------------------------------------------------------------------


def test_every_transaction_is_recorded_as_it_was_sent_and_answered(still: World) -> None:
    records: list[Transaction] = []
    still.driver.observers.append(records.append)
    allocator = Allocator()
    still.manager(createAllocator=lambda callback: allocator).createAllocator(AllocatorCallback())
    (record,) = records
    assert (record.sender, record.code, record.oneway, record.error) == (still.client, 6, False, None)
    assert [node.owner for node in record.objects.values() if node] == [still.client]
    assert [node.binder for node in (record.reply_objects or {}).values() if node] == [allocator]
    assert record.began <= record.ended


def test_a_descriptor_is_recorded_as_none(still: World) -> None:
    records: list[Transaction] = []
    still.driver.observers.append(records.append)
    binder = still.raw(Raw(lambda code, data, reply: None))
    data = binder.new_parcel()
    with ParcelFileDescriptor.dup(0) as fd:
        data.write_file_descriptor(fd)
        binder.transact(1, data)
    assert records[0].objects == {0: None}


def test_a_transaction_that_could_not_be_sent_is_recorded_with_its_status(still: World) -> None:
    records: list[Transaction] = []
    still.driver.observers.append(records.append)
    manager = still.manager()
    still.server.kill()
    with pytest.raises(DeadObjectError):
        manager.setPolicy(0, None)
    assert [record.error.status for record in records if record.error] == [Status.DEAD_OBJECT]


def test_a_oneway_call_that_fails_says_so_in_its_record_only(still: World) -> None:
    records: list[Transaction] = []
    still.driver.observers.append(records.append)

    def fail(status: int) -> None:
        raise ValueError("on purpose")

    still.callback_of_client(Callback(onCanLoadModel=fail)).onCanLoadModel(1)
    still.settle()
    assert records[-1].oneway
    assert records[-1].error is not None
    assert records[-1].error.status == Status.UNKNOWN_ERROR


@pytest.mark.parametrize("level", range(29, 38))
def test_every_api_level_carries_binders_and_calls(level: int) -> None:
    with world_of(api_level=level) as world:
        own = Callback()
        world.callback_of_client(own).onCanLoadModel(2)
        world.settle()
        assert own.decisions == [2]
        bundle = PersistableBundle.of({"a": {"b": 1}})
        world.manager(setPolicy=lambda policy, params: world.driver.registry.names()).setPolicy(1, bundle)
