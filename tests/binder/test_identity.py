"""Who is calling, seen by the code that serves."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from binder import Binder, SpecialCode, StatusError, calling_pid, calling_uid, clear_calling_identity
from generated.android.npumanager import ModelLoadRequestParcelable

from .services import Callback, Raw, World


def who() -> tuple[int, int]:
    return calling_pid(), calling_uid()


def test_a_sync_call_shows_the_callers_pid_and_uid(world: World) -> None:
    seen: list[tuple[int, int]] = []
    world.manager(setPolicy=lambda policy, params: seen.append(who())).setPolicy(0, None)
    assert seen == [(world.client.pid, 10001)]


def test_a_oneway_call_shows_the_uid_and_pid_0(world: World) -> None:
    seen: list[tuple[int, int]] = []
    callback = world.callback_of_client(Callback(onCanLoadModel=lambda status: seen.append(who())))
    callback.onCanLoadModel(0)
    world.wait(lambda: bool(seen))
    assert seen == [(0, 1000)]


def test_outside_of_a_call_the_caller_is_the_host(world: World) -> None:
    world.manager().setPolicy(0, None)
    assert who() == (0, 0)


def test_running_as_a_process_the_caller_is_that_process(world: World) -> None:
    with world.client.running():
        assert who() == (world.client.pid, 10001)
    assert who() == (0, 0)


def nested(world: World, middle: Callable[[], None]) -> list[tuple[int, int]]:
    """Who is seen before, in, and after a call back to the client."""
    seen: list[tuple[int, int]] = []

    def serve(code: int, data: object, reply: object) -> None:
        seen.append(who())
        middle()
        seen.append(who())

    service = world.raw(Raw(serve))
    service.transact(1, service.new_parcel())
    return seen


def test_a_nested_call_shows_the_server_and_then_the_client_again(world: World) -> None:
    seen: list[tuple[int, int]] = []
    inner = Raw(lambda code, data, reply: seen.append(who()))
    node = world.client.node_for(inner)
    back = world.server.reference_to(node)

    def call_back() -> None:
        back.transact(1, back.new_parcel())

    around = nested(world, call_back)
    assert seen == [(world.server.pid, 1000)]
    assert around == [(world.client.pid, 10001)] * 2


def test_the_identity_comes_back_after_a_nested_call_that_fails(world: World) -> None:
    def fail(code: int, data: object, reply: object) -> None:
        raise ValueError("on purpose")

    back = world.server.reference_to(world.client.node_for(Raw(fail)))

    def call_back() -> None:
        with pytest.raises(StatusError, match="UNKNOWN_ERROR"):
            back.transact(1, back.new_parcel())

    assert nested(world, call_back) == [(world.client.pid, 10001)] * 2


def test_a_debug_pid_is_that_of_the_process_that_serves(world: World) -> None:
    binder = world.raw(Binder())
    with binder.transact(SpecialCode.DEBUG_PID, binder.new_parcel()) as reply:
        assert reply.read_int32() == world.server.pid


def test_clear_calling_identity_is_the_servers_own_until_its_end(world: World) -> None:
    seen: list[tuple[int, int]] = []

    def clear() -> None:
        with clear_calling_identity():
            seen.append(who())

    assert nested(world, clear) == [(world.client.pid, 10001)] * 2
    assert seen == [(world.server.pid, 1000)]


def test_a_call_on_an_own_object_keeps_the_identity(world: World) -> None:
    seen: list[tuple[int, int]] = []
    own: Binder = Raw(lambda code, data, reply: seen.append(who()))
    nested(world, lambda: own.transact(1, own.new_parcel()).release())
    assert seen == [(world.client.pid, 10001)]


def test_tasks_and_timers_do_not_run_as_whoever_waits_for_them(still: World) -> None:
    seen: list[tuple[int, int]] = []
    scheduler = still.driver.scheduler
    scheduler.post(lambda: seen.append(who()))
    scheduler.call_later(1, lambda: seen.append(who()))
    still.server.call_later(2, lambda: seen.append(who()))
    with still.client.running():
        scheduler.advance(3)
    assert seen == [(0, 0), (0, 0), (still.server.pid, 1000)]


def test_a_delivery_during_a_call_does_not_run_as_the_caller(still: World) -> None:
    seen: list[tuple[int, int]] = []
    callback = still.callback_of_client(Callback(onCanLoadModel=lambda status: seen.append(who())))

    def decide(request: object, given: object) -> None:
        callback.onCanLoadModel(0)
        still.settle()
        seen.append(who())

    other = still.driver.new_process("other", uid=10002)
    still.manager(other, canLoadModel=decide).canLoadModel(ModelLoadRequestParcelable(), Callback())
    assert seen == [(0, 1000), (other.pid, 10002)]
