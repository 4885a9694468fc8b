"""Names of services, and waiting for one."""

from __future__ import annotations

from binder import IBinder, calling_uid

from ..services import Callback, Manager, World


def test_a_name_without_a_service_is_none(world: World) -> None:
    assert world.client.get_service("npu") is None
    assert world.driver.registry.names() == []


def test_a_process_gets_its_own_service_as_the_object_itself(world: World) -> None:
    own = Manager()
    world.server.add_service("npu", own)
    assert world.server.get_service("npu") is own
    assert world.client.get_service("npu") is not own


def test_a_later_service_of_a_name_replaces_the_earlier(world: World) -> None:
    world.server.add_service("npu", Manager())
    world.server.add_service("npu", Callback())
    found = world.client.get_service("npu")
    assert found is not None
    assert found.interface_descriptor() == Callback.aidl.descriptor


def test_names_are_sorted_and_those_of_the_dead_left_out(world: World) -> None:
    for name in ("c", "a", "b"):
        world.server.add_service(name, Manager())
    world.client.add_service("d", Manager())
    world.server.kill()
    assert world.driver.registry.names() == ["d"]


def test_who_waits_for_a_service_that_is_there_is_told_soon_but_not_at_once(world: World) -> None:
    world.server.add_service("npu", Manager())
    found: list[IBinder] = []
    world.client.wait_for_service("npu", found.append)
    world.wait(lambda: len(found) == 1)


def test_who_waits_for_a_service_is_told_once_when_it_comes_as_its_own_process(world: World) -> None:
    found: list[int] = []
    world.client.wait_for_service("npu", lambda binder: found.append(calling_uid()))
    world.settle()
    assert found == []
    world.server.add_service("npu", Manager())
    world.server.add_service("npu", Manager())
    world.wait(lambda: bool(found))
    world.settle()
    assert found == [world.client.uid]


def test_who_died_waiting_is_not_told(world: World) -> None:
    found: list[IBinder] = []
    world.client.wait_for_service("npu", found.append)
    world.client.kill()
    world.server.add_service("npu", Manager())
    world.settle()
    assert found == []
