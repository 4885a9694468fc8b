"""Processes: how they end, who is told, and whose handles they hold."""

from __future__ import annotations

import gc
from contextlib import suppress

import pytest

from binder import (
    DeadObjectError,
    IBinder,
    Parcel,
    ParcelError,
    ParcelFileDescriptor,
    Stability,
    Status,
    StatusError,
    TransactionFlag,
)
from binder.flat import FlatObject, ObjectType
from binder.local import Transaction
from generated.android.npumanager import IModelLoadCallback, ModelLoadRequestParcelable

from ..services import Callback, Raw, World, open_files

REQUEST = ModelLoadRequestParcelable(id=54)


def held_by_server(world: World, own: Callback | None = None) -> IModelLoadCallback:
    return world.callback_of_client(own or Callback())


# --- death ----------------------------------------------------------------------------------------


def test_a_call_to_a_dead_process_is_a_dead_object_error(world: World) -> None:
    manager = world.manager()
    world.server.kill()
    with pytest.raises(DeadObjectError, match="server"):
        manager.setPolicy(0, None)
    assert not manager.as_binder().is_alive()


def test_a_oneway_call_to_a_dead_process_is_a_dead_object_error_at_its_caller(world: World) -> None:
    callback = held_by_server(world)
    world.client.kill()
    with pytest.raises(DeadObjectError, match="client"):
        callback.onCanLoadModel(0)


def test_a_dead_process_can_call_nobody(world: World) -> None:
    manager = world.manager()
    world.client.kill()
    with pytest.raises(DeadObjectError, match="client"):
        manager.setPolicy(0, None)
    with pytest.raises(DeadObjectError, match="client"):
        world.client.add_service("late", Callback())


def test_a_death_recipient_is_called_exactly_once_as_its_process(world: World) -> None:
    told: list[str] = []
    binder = held_by_server(world).as_binder()
    binder.link_to_death(lambda: told.append("dead"))
    assert told == []
    world.client.kill()
    world.client.kill()
    world.driver.kill(world.client)
    world.wait(lambda: bool(told))
    world.settle()
    assert told == ["dead"]


def test_every_link_is_told_and_links_are_per_recipient(still: World) -> None:
    told: list[str] = []
    binder = held_by_server(still).as_binder()
    for name in "abc":
        binder.link_to_death(lambda name=name: told.append(name))  # type: ignore[misc]
    still.client.kill()
    still.settle()
    assert sorted(told) == ["a", "b", "c"]


def test_an_unlinked_recipient_is_not_told(world: World) -> None:
    told: list[str] = []

    def recipient() -> None:
        told.append("dead")

    binder = held_by_server(world).as_binder()
    binder.link_to_death(recipient)
    assert binder.unlink_to_death(recipient)
    assert not binder.unlink_to_death(recipient)
    world.client.kill()
    world.settle()
    assert told == []


def test_linking_to_a_dead_process_is_a_dead_object_error(world: World) -> None:
    binder = held_by_server(world).as_binder()
    world.client.kill()
    with pytest.raises(DeadObjectError, match="dead already"):
        binder.link_to_death(lambda: None)


def test_a_recipient_in_a_dead_process_is_not_told(world: World) -> None:
    told: list[str] = []
    held_by_server(world).as_binder().link_to_death(lambda: told.append("dead"))
    world.server.kill()
    world.client.kill()
    world.settle()
    assert told == []


def test_a_link_outlives_the_proxy_it_was_made_with(still: World) -> None:
    told: list[str] = []
    held_by_server(still).as_binder().link_to_death(lambda: told.append("dead"))
    gc.collect()
    still.client.kill()
    still.settle()
    assert told == ["dead"]


def test_a_recipient_that_kills_and_links_again_is_fine(still: World) -> None:
    """Death may lead to more of it, from within what is told of it."""
    third = still.driver.new_process("third", uid=10002)
    own = Callback()
    third.add_service("third", own)
    other = still.server.get_service("third")
    assert other is not None
    told: list[str] = []
    other.link_to_death(lambda: told.append("third"))

    def recipient() -> None:
        told.append("client")
        third.kill()
        with pytest.raises(DeadObjectError):
            other.link_to_death(recipient)

    held_by_server(still).as_binder().link_to_death(recipient)
    still.client.kill()
    still.settle()
    assert told == ["client", "third"]


def test_a_dead_processs_services_are_gone_and_can_be_replaced(world: World) -> None:
    world.manager()
    world.server.kill()
    assert world.client.get_service("npu") is None
    reborn = world.driver.new_process("server", uid=1000)
    assert reborn.pid != world.server.pid
    reborn.add_service("npu", Callback())
    assert world.client.get_service("npu") is not None


# --- killed while something goes on -----------------------------------------------------------------


def test_a_process_killed_in_the_call_it_serves_gives_its_caller_a_dead_object(world: World) -> None:
    manager = world.manager(setPolicy=lambda policy, params: world.server.kill())
    with pytest.raises(DeadObjectError, match="died during the call"):
        manager.setPolicy(0, None)


def test_a_process_killed_in_the_call_it_serves_can_call_nobody_from_there(world: World) -> None:
    outcomes: list[str] = []
    callback = held_by_server(world)

    def serve(request: object, given: object) -> None:
        world.server.kill()
        with pytest.raises(DeadObjectError, match="server"):
            callback.onCanLoadModel(0)
        outcomes.append("refused")

    manager = world.manager(canLoadModel=serve)
    with pytest.raises(DeadObjectError):
        manager.canLoadModel(REQUEST, Callback())
    assert outcomes == ["refused"]


def test_a_caller_killed_while_it_waits_gets_nothing(world: World) -> None:
    with ParcelFileDescriptor.dup(0) as fd:

        def serve(code: int, data: Parcel, reply: Parcel) -> None:
            world.client.kill()
            reply.write_file_descriptor(fd)

        binder = world.raw(Raw(serve))
        before = open_files()
        with pytest.raises(DeadObjectError, match="died while it waited"):
            binder.transact(1, binder.new_parcel(), TransactionFlag.ACCEPT_FDS)
        assert open_files() == before


def test_a_process_killed_while_its_code_waits_ends_the_call_when_it_goes_on(still: World) -> None:
    scheduler = still.driver.scheduler
    scheduler.call_later(1, still.server.kill)
    seen: list[bool] = []
    wait = still.manager(
        setPolicy=lambda policy, params: seen.append(scheduler.wait_until(lambda: False, timeout=5))
    )
    with pytest.raises(DeadObjectError):
        wait.setPolicy(0, None)
    assert seen == [False]


def test_calls_queued_to_a_process_when_it_is_killed_are_recorded_as_failed(still: World) -> None:
    records: list[Transaction] = []
    own = Callback()
    callback = held_by_server(still, own)
    still.driver.observers.append(records.append)
    for n in range(5):
        callback.onCanLoadModel(n)
    still.client.kill()
    still.settle()
    assert own.calls == []
    assert [str(record.error) for record in records] == [
        "DEAD_OBJECT: client (pid 1002) died before it was delivered"
    ] * 5


def test_a_process_killed_by_its_own_callback_hears_no_more(world: World) -> None:
    own = Callback(onCanLoadModel=lambda status: world.client.kill())
    callback = held_by_server(world, own)
    with suppress(DeadObjectError):  # it may have happened by then
        for n in range(10):
            callback.onCanLoadModel(n)
    world.wait(lambda: not world.client.alive)
    world.settle()
    assert own.decisions == [0]


def test_what_a_process_had_posted_does_not_run_after_its_death(world: World) -> None:
    ran: list[str] = []
    world.client.kill()
    world.client.post(lambda: ran.append("task"))
    world.client.call_later(0, lambda: ran.append("timer"))
    world.driver.scheduler.advance(0.02)
    world.settle()
    assert ran == []


def test_closing_the_driver_tells_nobody(still: World) -> None:
    told: list[str] = []
    held_by_server(still).as_binder().link_to_death(lambda: told.append("dead"))
    still.driver.close()
    still.settle()
    assert told == []
    assert not still.client.alive


# --- handles --------------------------------------------------------------------------------------


def test_thousands_of_callbacks_are_served_and_their_owner_can_be_named(still: World) -> None:
    held: list[IModelLoadCallback] = []
    manager = still.manager(canLoadModel=lambda request, callback: held.append(callback))
    for _ in range(7000):
        manager.canLoadModel(REQUEST, Callback())
    still.callback_of_client(Callback())
    counts = still.server.handle_counts()
    assert counts[still.client] >= 7000
    assert max(counts, key=lambda process: counts[process]) is still.client
    still.client.kill()
    with pytest.raises(DeadObjectError):
        held[0].onCanLoadModel(0)


def test_handles_that_are_let_go_are_not_counted(still: World) -> None:
    for _ in range(10):
        held_by_server(still)
    gc.collect()
    assert still.server.handle_counts() == {}
    assert still.client.nodes() == []


def test_a_handle_is_never_used_for_two_objects(still: World) -> None:
    numbers = set()
    for _ in range(10):
        numbers.add(held_by_server(still).as_binder().flatten().value)
        gc.collect()
    assert len(numbers) == 10


def test_the_name_of_a_process_says_what_it_is(still: World) -> None:
    assert repr(still.client) == "<process client pid=1002 uid=10001>"
    still.client.kill()
    assert repr(still.client) == "<process client pid=1002 uid=10001, dead>"
    binder: IBinder = still.raw(Raw(lambda code, data, reply: None), still.driver.new_process("x", uid=5))
    assert repr(binder) == "<handle 1 of x: server>"


def test_a_ping_reaches_a_live_process_only(world: World) -> None:
    binder = world.raw(Callback())
    binder.ping()
    assert binder.interface_descriptor() == "android.npumanager.IModelLoadCallback"
    world.server.kill()
    with pytest.raises(StatusError, match="DEAD_OBJECT"):
        binder.ping()


def test_a_handle_that_a_process_does_not_have_is_a_bad_type(still: World) -> None:
    own = Callback()
    held = still.callback_of_client(own)
    for kind, value, process in (
        (ObjectType.HANDLE, 999, still.server),
        (ObjectType.BINDER, 999, still.client),
        (ObjectType.WEAK_HANDLE, held.as_binder().flatten().value, still.server),
    ):
        with pytest.raises(ParcelError, match="has no object") as caught:
            process.resolve_binder(FlatObject(kind, value, 0), Stability.SYSTEM)
        assert caught.value.status is Status.BAD_TYPE
    found = still.client.resolve_binder(own.flatten(), Stability.SYSTEM)
    assert found is own


# --- who may call whom ------------------------------------------------------------------------------


class Stable(Callback):
    stability = Stability.VINTF


class Vendors(Callback):
    stability = Stability.VENDOR


@pytest.mark.parametrize(
    ("caller", "kind", "may"),
    [
        (Stability.SYSTEM, Callback, True),
        (Stability.SYSTEM, Stable, True),
        (Stability.SYSTEM, Vendors, False),
        (Stability.VENDOR, Callback, False),
        (Stability.VENDOR, Stable, True),
        (Stability.VENDOR, Vendors, True),
    ],
)
def test_system_and_vendor_call_each_other_through_stable_interfaces_only(
    still: World, caller: Stability, kind: type[Callback], may: bool
) -> None:
    process = still.driver.new_process("caller", uid=1000, stability=caller)
    own = kind()
    callback = IModelLoadCallback.from_binder(process.reference_to(still.client.node_for(own)))
    callback.as_binder().ping()
    if may:
        callback.onCanLoadModel(1)
    else:
        with pytest.raises(StatusError, match=f"caller needs {caller.name} stability") as caught:
            callback.onCanLoadModel(1)
        assert caught.value.status == Status.BAD_TYPE
    still.settle()
    assert own.decisions == ([1] if may else [])


def test_a_vendors_object_can_be_called_privately(still: World) -> None:
    own = Vendors()
    binder = still.server.reference_to(still.client.node_for(own))
    data = binder.new_parcel()
    data.write_interface_token(own.own_descriptor())
    records: list[Transaction] = []
    still.driver.observers.append(records.append)
    binder.transact(2, data, TransactionFlag.ONE_WAY | TransactionFlag.PRIVATE_VENDOR)
    still.settle()
    assert own.calls == [("onRequestUnloadModel",)]
    assert records[0].flags == TransactionFlag.ONE_WAY
