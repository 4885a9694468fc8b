"""From transactions to events."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from binder import BinderError, DeadObjectError, PersistableBundle, RemoteException, SecurityException
from binder.local import DeterministicScheduler, Driver, Process
from generated.android.npumanager import (
    BnModelLoadCallback,
    BnNpuManagerService,
    IModelLoadCallback,
    INpuAllocator,
    INpuAllocatorCallback,
    INpuManagerService,
    ModelLoadRequestParcelable,
    NpuModelSize,
)
from harness.tap import Tap


class Service(BnNpuManagerService):
    """Refuses policies, answers requests, keeps callbacks."""

    def __init__(self) -> None:
        self.callbacks: list[IModelLoadCallback] = []

    def canLoadModel(self, request: ModelLoadRequestParcelable, callback: IModelLoadCallback) -> None:
        self.callbacks.append(callback)
        callback.onCanLoadModel(0)

    def cancelModelLoad(self, request: ModelLoadRequestParcelable) -> None: ...

    def notifyModelLoaded(self, request: ModelLoadRequestParcelable) -> None: ...

    def notifyModelUnloaded(self, request: ModelLoadRequestParcelable) -> None: ...

    def setPolicy(self, policy: int, policyParams: PersistableBundle | None) -> None:
        raise SecurityException("not you")

    def createAllocator(self, callback: INpuAllocatorCallback) -> INpuAllocator:
        raise ZeroDivisionError


class Callback(BnModelLoadCallback):
    def onCanLoadModel(self, status: int) -> None: ...

    def onRequestUnloadModel(self) -> None: ...

    def onModelLoadRequestComplete(self, status: int) -> None: ...


class World:
    """A server and a client, tapped."""

    def __init__(self) -> None:
        self.driver = Driver(DeterministicScheduler(0))
        self.tap = Tap(self.driver)
        self.server = self.driver.new_process("server", uid=1000)
        self.client = self.driver.new_process("client", uid=10123)
        self.implementation = Service()
        self.server.add_service("npu", self.implementation)

    def service(self, process: Process | None = None) -> INpuManagerService:
        binder = (process or self.client).get_service("npu")
        assert binder is not None
        return INpuManagerService.from_binder(binder)


@pytest.fixture
def world() -> Iterator[World]:
    world = World()
    yield world
    world.driver.close()


REQUEST = ModelLoadRequestParcelable(7, NpuModelSize.GREATER_THAN_2G, 1000)


def test_parcelables_and_enums_are_decoded(world: World) -> None:
    world.service().notifyModelLoaded(REQUEST)
    (event,) = world.tap.events()
    assert (event.sender, event.receiver) == ("client", "server")
    assert event.method == "INpuManagerService.notifyModelLoaded"
    assert event.arguments == {"request": {"id": 7, "size": "GREATER_THAN_2G", "priority": 1000}}
    assert not event.oneway


def test_bundles_and_exceptions_are_decoded(world: World) -> None:
    with pytest.raises(SecurityException):
        world.service().setPolicy(2, PersistableBundle.of({"modelSizeWeights": {"0": 2}}))
    (event,) = world.tap.events()
    assert event.arguments == {"policy": 2, "policyParams": {"modelSizeWeights": {"0": 2}}}
    assert event.error == "SecurityException: not you"
    assert event.result is None


def test_binders_have_names_that_stay(world: World) -> None:
    first, second = Callback(), Callback()
    for callback in (first, second, first):
        world.service().canLoadModel(REQUEST, callback)
    calls = [event for event in world.tap.events() if event.arguments.get("callback")]
    names = [event.arguments["callback"] for event in calls]
    assert names == [
        "client's IModelLoadCallback #1",
        "client's IModelLoadCallback #2",
        "client's IModelLoadCallback #1",
    ]
    assert world.tap.events() == world.tap.events()


def test_oneway_calls_are_told_when_they_are_served(world: World) -> None:
    callback = Callback()
    world.service().canLoadModel(REQUEST, callback)
    assert [event.oneway for event in world.tap.events()] == [False]
    world.driver.scheduler.settle()
    assert [event.oneway for event in world.tap.events()] == [False, True]
    assert world.tap.events()[1].at > world.tap.events()[0].at


def test_notes_keep_their_place_among_calls(world: World) -> None:
    world.tap.note("first")
    world.service().canLoadModel(REQUEST, Callback())
    world.tap.note("second")
    world.tap.note("third")
    world.driver.scheduler.settle()
    world.tap.note("fourth")
    told = [event.note or event.method.rpartition(".")[2] for event in world.tap.events()]
    assert told == ["first", "canLoadModel", "second", "third", "onCanLoadModel", "fourth"]


def test_call_to_a_dead_process_is_an_error(world: World) -> None:
    service = world.service()
    world.server.kill()
    with pytest.raises(DeadObjectError):
        service.notifyModelLoaded(REQUEST)
    (event,) = world.tap.events()
    assert "server" in event.error
    assert "dead" in event.error
    assert event.arguments["request"] == {"id": 7, "size": "GREATER_THAN_2G", "priority": 1000}


def test_callback_to_a_process_that_died_meanwhile_is_an_error(world: World) -> None:
    world.service().canLoadModel(REQUEST, Callback())
    world.client.kill()
    world.driver.scheduler.settle()
    last = world.tap.events()[-1]
    assert last.method == "IModelLoadCallback.onCanLoadModel"
    assert "died" in last.error


def test_bug_in_the_service_is_an_error(world: World, caplog: pytest.LogCaptureFixture) -> None:
    binder = world.client.get_service("npu")
    assert binder is not None
    parcel = binder.new_parcel()
    parcel.write_interface_token(INpuManagerService.aidl.descriptor)
    with pytest.raises(BinderError):
        binder.transact(
            next(m.code for m in INpuManagerService.aidl.methods if m.name == "canLoadModel"), parcel
        )
    (event,) = world.tap.events()
    assert event.error
    assert "(unreadable)" in event.arguments


def test_unknown_code_is_shown_as_a_number(world: World) -> None:
    binder = world.client.get_service("npu")
    assert binder is not None
    with pytest.raises(BinderError):
        binder.transact(99, binder.new_parcel())
    assert world.tap.events()[0].method == "INpuManagerService.code 99"


def test_ping_is_not_worth_telling(world: World) -> None:
    binder = world.client.get_service("npu")
    assert binder is not None
    binder.transact(0x5F504E47, binder.new_parcel())
    assert world.tap.events() == []


def test_no_parcel_is_too_bad_to_be_told(world: World) -> None:
    random = Random(1)
    binder = world.client.get_service("npu")
    assert binder is not None
    for count in range(300):
        parcel = binder.new_parcel()
        if count % 3:
            parcel.write_interface_token(INpuManagerService.aidl.descriptor)
        for _ in range(random.randrange(12)):
            parcel.write_int32(random.choice([0, 1, 2, 7, -1, 0x4C444E42, 2**31 - 1, random.getrandbits(31)]))
        try:
            binder.transact(random.randrange(1, 8), parcel)
        except (BinderError, RemoteException):
            continue
    world.driver.scheduler.settle()
    assert len(world.tap.events()) >= 300
