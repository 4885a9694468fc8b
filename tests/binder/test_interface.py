"""Proxies and stubs: what a call makes of mistakes on either side."""

from __future__ import annotations

from typing import Any

import pytest

from binder import (
    BadParcelableException,
    Binder,
    DeadObjectError,
    IBinder,
    Interface,
    InterfaceInfo,
    Method,
    NullPointerException,
    NullValueError,
    Parcel,
    ParcelError,
    Permission,
    PersistableBundle,
    Proxy,
    RemoteException,
    SecurityException,
    SpecialCode,
    Stability,
    Status,
    StatusError,
    Stub,
    TransactionFlag,
    UsageError,
)
from binder.reply import read_exception
from generated.android.hardware.npu import (
    BnScheduling,
    BnSchedulingCallback,
    IScheduling,
    ISchedulingCallback,
)
from generated.android.npumanager import (
    BnModelLoadCallback,
    IModelLoadCallback,
    INpuManagerService,
    ModelLoadRequestParcelable,
)

from .services import AllocatorCallback, Callback, Manager, Raw, World, world_of
from .test_reply import ALL

ACCEPT_FDS = TransactionFlag.ACCEPT_FDS
REQUEST = ModelLoadRequestParcelable(id=54)


class Hal(BnScheduling):
    def setSchedulingConfigs(self, schedulingConfigs: object) -> None: ...

    def updateSchedulingConfigs(self, configs: object) -> None: ...

    def setCallback(self, callback: object) -> None: ...


def request(binder: IBinder, *words: int) -> Parcel:
    """A request to an INpuManagerService with these ints after the token."""
    data = binder.new_parcel()
    data.write_interface_token(Manager.aidl.descriptor)
    for word in words:
        data.write_int32(word)
    return data


def outcome(binder: IBinder, code: int, data: Parcel) -> RemoteException:
    """The exception in the reply to a request."""
    with pytest.raises(RemoteException) as caught, binder.transact(code, data, ACCEPT_FDS) as reply:
        read_exception(reply)
    return caught.value


def status(binder: IBinder, code: int, data: Parcel) -> int:
    with pytest.raises(StatusError) as caught:
        binder.transact(code, data, ACCEPT_FDS)
    return caught.value.status


# --- what an implementation raises ------------------------------------------------------------------


@pytest.mark.parametrize("error", ALL, ids=lambda error: type(error).__name__)
def test_an_aidl_exception_arrives_with_its_message_and_code(world: World, error: RemoteException) -> None:
    def fail(policy: int, params: object) -> None:
        raise error

    with pytest.raises(type(error)) as caught:
        world.manager(setPolicy=fail).setPolicy(0, None)
    assert vars(caught.value) == vars(error)
    assert caught.value is not error


@pytest.mark.parametrize("error", [ValueError("x"), KeyError(), RecursionError(), OSError(5, "x")])
def test_any_other_error_is_an_unknown_error_and_the_service_goes_on(world: World, error: Exception) -> None:
    def fail(policy: int, params: object) -> None:
        if policy:
            raise error

    manager = world.manager(setPolicy=fail)
    with pytest.raises(StatusError, match=f"{type(error).__name__} in the service") as caught:
        manager.setPolicy(1, None)
    assert caught.value.status == Status.UNKNOWN_ERROR
    manager.setPolicy(0, None)


def test_a_status_that_an_implementation_raises_is_the_answer(world: World) -> None:
    def fail(policy: int, params: object) -> None:
        raise StatusError(Status.INVALID_OPERATION, "not now")

    with pytest.raises(StatusError, match="not now") as caught:
        world.manager(setPolicy=fail).setPolicy(0, None)
    assert caught.value.status == Status.INVALID_OPERATION


@pytest.mark.parametrize("error", [DeadObjectError("callback"), ParcelError(Status.BAD_VALUE, "callback")])
def test_what_befell_a_service_elsewhere_is_not_said_of_the_service(world: World, error: Exception) -> None:
    def fail(policy: int, params: object) -> None:
        raise error

    with pytest.raises(StatusError) as caught:
        world.manager(setPolicy=fail).setPolicy(0, None)
    assert caught.value.status == Status.UNKNOWN_ERROR


def test_a_result_of_none_is_unexpected_null(world: World) -> None:
    with pytest.raises(StatusError) as caught:
        world.manager(createAllocator=lambda callback: None).createAllocator(AllocatorCallback())
    assert caught.value.status == Status.UNEXPECTED_NULL


def test_a_result_that_is_none_such_is_an_unknown_error(world: World) -> None:
    with pytest.raises(StatusError) as caught:
        world.manager(createAllocator=lambda callback: 5).createAllocator(AllocatorCallback())
    assert caught.value.status == Status.UNKNOWN_ERROR


def test_an_exception_in_a_oneway_method_reaches_nobody(world: World) -> None:
    def fail(status: int) -> None:
        raise SecurityException("no")

    own = Callback(onCanLoadModel=fail)
    world.callback_of_client(own).onCanLoadModel(1)
    world.wait(lambda: own.decisions == [1])
    world.settle()


# --- what a caller gets wrong -----------------------------------------------------------------------


def test_none_for_what_must_be_there_is_refused_before_anything_is_sent(world: World) -> None:
    manager: Any = world.manager()
    for arguments in ((None, Callback()), (REQUEST, None)):
        with pytest.raises(NullValueError, match="must not be None"):
            manager.canLoadModel(*arguments)


def test_null_for_what_must_be_there_is_a_null_pointer_exception_without_a_message(world: World) -> None:
    binder = world.manager().as_binder()
    error = outcome(binder, 2, request(binder, 0))
    assert isinstance(error, NullPointerException)
    assert error.message == ""


def test_more_than_was_wanted_is_a_bad_parcelable_exception_naming_how_much(world: World) -> None:
    seen: list[object] = []
    binder = world.manager(setPolicy=lambda *args: seen.append(args)).as_binder()
    error = outcome(binder, 5, request(binder, 0, 0, 7, 7))
    assert isinstance(error, BadParcelableException)
    assert error.message == "Parcel data not fully consumed, unread size: 8"
    assert seen == []


def test_less_than_was_wanted_is_not_enough_data_and_nothing_is_called(world: World) -> None:
    seen: list[object] = []
    binder = world.manager(setPolicy=lambda *args: seen.append(args)).as_binder()
    assert status(binder, 5, request(binder, 0)) == Status.NOT_ENOUGH_DATA
    assert seen == []


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ((0, 1, 16, 0, 1, 0, 0, -1), Status.BAD_VALUE),  # wrong magic
        ((0, 1, 400, 0x4C444E44, 1, 0, 0, -1), Status.NOT_ENOUGH_DATA),  # length beyond the data
        ((0, 2, 0), Status.BAD_VALUE),  # neither null nor there
    ],
)
def test_bad_policy_parameters_do_not_reach_the_service(
    world: World, words: tuple[int, ...], expected: Status
) -> None:
    seen: list[object] = []
    binder = world.manager(setPolicy=lambda *args: seen.append(args)).as_binder()
    assert status(binder, 5, request(binder, *words)) == expected
    assert seen == []


def test_a_call_meant_for_another_interface_is_a_bad_type(world: World) -> None:
    manager = world.manager()
    wrong = IModelLoadCallback.from_binder(manager.as_binder())
    wrong.onCanLoadModel(0)  # oneway: nobody hears of it
    data = manager.as_binder().new_parcel()
    data.write_interface_token("some.other.IThing")
    with pytest.raises(StatusError, match=r"some\.other\.IThing.*INpuManagerService") as caught:
        manager.as_binder().transact(5, data, ACCEPT_FDS)
    assert caught.value.status == Status.BAD_TYPE


def test_a_request_without_a_token_is_a_bad_type(world: World) -> None:
    binder = world.manager().as_binder()
    assert status(binder, 5, binder.new_parcel()) == Status.BAD_TYPE


@pytest.mark.parametrize("code", [7, 100, 0x00FFFFFF, 0x00FFFFFE, 0x5F525043, 0x5F535244, 0x7FFFFFFF])
def test_an_unknown_code_is_an_unknown_transaction(world: World, code: int) -> None:
    binder = world.manager().as_binder()
    assert status(binder, code, request(binder)) == Status.UNKNOWN_TRANSACTION


def test_a_reply_that_cannot_be_read_is_a_parcel_error(world: World) -> None:
    def serve(code: int, data: Parcel, reply: Parcel) -> None:
        reply.write_int32(0)
        reply.write_int32(5)

    manager = INpuManagerService.from_binder(world.raw(Raw(serve)))
    with pytest.raises(ParcelError):
        manager.createAllocator(AllocatorCallback())
    empty = INpuManagerService.from_binder(world.raw(Raw(lambda code, data, reply: None)))
    with pytest.raises(ParcelError):
        empty.setPolicy(0, None)


def test_an_older_platforms_parcels_are_spoken_too() -> None:
    with world_of(api_level=29) as world:
        seen: list[PersistableBundle | None] = []
        bundle = PersistableBundle.of({"maxBudget": 8})
        world.manager(setPolicy=lambda policy, params: seen.append(params)).setPolicy(1, bundle)
        assert seen == [bundle]


# --- version and hash -------------------------------------------------------------------------------


def test_a_frozen_interface_tells_its_version_and_hash(world: World) -> None:
    hal = IScheduling.from_binder(world.raw(Hal()))
    assert hal.getInterfaceVersion() == 1
    assert hal.getInterfaceHash() == IScheduling.aidl.hash
    world.server.kill()
    assert hal.getInterfaceVersion() == 1, "asked once is enough"


def test_what_an_implementation_says_of_its_version_counts(world: World) -> None:
    class Newer(Hal):
        def getInterfaceVersion(self) -> int:
            return 7

        def getInterfaceHash(self) -> str:
            return "abc"

    hal = IScheduling.from_binder(world.raw(Newer()))
    assert (hal.getInterfaceVersion(), hal.getInterfaceHash()) == (7, "abc")


def test_an_interface_without_a_version_has_version_0_and_no_hash_on_both_sides(world: World) -> None:
    for manager in (Manager(), world.manager()):
        assert manager.getInterfaceVersion() == 0
        assert manager.getInterfaceHash() == ""


def test_asking_the_dead_for_their_version_is_a_dead_object_error(world: World) -> None:
    hal = IScheduling.from_binder(world.raw(Hal()))
    world.server.kill()
    with pytest.raises(DeadObjectError):
        hal.getInterfaceHash()


# --- stability --------------------------------------------------------------------------------------


def test_a_stub_of_a_stable_interface_is_marked_so() -> None:
    parcel = Parcel()
    parcel.write_interface(Hal())
    assert bytes(parcel)[24:].hex() == "3f000000"
    parcel = Parcel()
    parcel.write_interface(Manager())
    assert bytes(parcel)[24:].hex() == "0c000000"


def test_a_class_that_states_its_own_stability_keeps_it_and_so_do_its_subclasses() -> None:
    class Vendor(Hal):
        stability = Stability.VENDOR

    class Special(Vendor):
        pass

    assert Special().stability is Stability.VENDOR
    assert Hal().stability is Stability.VINTF


def test_a_proxy_is_sent_on_with_the_stability_it_came_with(world: World) -> None:
    binder = world.raw(Hal())
    parcel = Parcel()
    parcel.write_strong_binder(binder)
    assert bytes(parcel)[24:].hex() == "3f000000"


# --- proxies and objects ------------------------------------------------------------------------------


def test_from_binder_gives_an_object_of_this_process_itself() -> None:
    own = Callback()
    assert IModelLoadCallback.from_binder(own) is own
    assert own.as_binder() is own


def test_proxies_of_one_binder_are_equal(world: World) -> None:
    binder = world.raw(Manager())
    one, other = INpuManagerService.from_binder(binder), INpuManagerService.from_binder(binder)
    assert one == other
    assert len({one, other}) == 1
    assert one != INpuManagerService.from_binder(Raw(lambda code, data, reply: None))
    assert "BpNpuManagerService(<handle" in repr(one)


def test_a_proxy_for_a_local_object_of_another_kind_calls_it() -> None:
    seen: list[int] = []
    proxy = IModelLoadCallback.from_binder(Raw(lambda code, data, reply: seen.append(code)))
    proxy.onRequestUnloadModel()
    assert seen == [2]


def test_a_stub_that_lacks_a_method_cannot_be_built() -> None:
    class Half(BnModelLoadCallback):
        def onCanLoadModel(self, status: int) -> None: ...

    with pytest.raises(TypeError, match="abstract"):
        Half()  # type: ignore[abstract]


def test_an_interface_without_a_proxy_says_so() -> None:
    class ILonely(Interface):
        aidl = InterfaceInfo("q.ILonely", ())

    with pytest.raises(UsageError, match="ILonely has no proxy"):
        ILonely.from_binder(Binder())


def test_a_renamed_method_is_called_by_its_python_name() -> None:
    class INamed(Interface):
        aidl = InterfaceInfo("q.INamed", (Method("import", 1, attribute="import_"),))

    class Named(Stub, INamed):
        called = 0

        def import_(self) -> None:
            self.called += 1

    named = Named()
    data = Parcel()
    data.write_interface_token("q.INamed")
    named.transact(1, data)
    assert named.called == 1


def test_subclassing_a_proxy_leaves_its_interface_alone() -> None:
    kind = type(IModelLoadCallback.from_binder(Binder()))
    type("Mine", (kind,), {})
    assert type(IModelLoadCallback.from_binder(Binder())) is kind
    assert issubclass(kind, Proxy)


def test_the_codes_of_an_interface_are_those_of_its_methods() -> None:
    info = ISchedulingCallback.aidl
    assert [info.by_code[code].name for code in (1, 2, 3)] == [
        "onWorkRequested",
        "onWorkStarted",
        "onWorkEnded",
    ]
    assert BnSchedulingCallback.aidl is info


def test_the_interface_code_tells_the_descriptor_without_a_token(world: World) -> None:
    binder = world.manager().as_binder()
    with binder.transact(SpecialCode.INTERFACE, binder.new_parcel()) as reply:
        assert reply.read_string16() == "android.npumanager.INpuManagerService"
        assert reply.remaining == 0


# --- what the AIDL says of a method -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("permission", "missing"),
    [
        (Permission(), ""),
        (Permission(all_of=("A",)), ""),
        (Permission(all_of=("A", "X", "Y")), "requires: X, Y"),
        (Permission(any_of=("X", "A")), ""),
        (Permission(any_of=("X", "Y")), "requires one of: X, Y"),
    ],
)
def test_a_permission_is_held_or_named_in_a_security_exception(permission: Permission, missing: str) -> None:
    if not missing:
        permission.check({"A"}.__contains__)
        return
    with pytest.raises(SecurityException, match=missing):
        permission.check({"A"}.__contains__)


def test_calling_a_deprecated_method_warns_the_caller() -> None:
    class IOld(Interface):
        aidl = InterfaceInfo("q.IOld", (Method("f", 1, oneway=True, deprecated="use g"),))

    class BpOld(Proxy, IOld):
        def f(self) -> None:
            self._call(self.aidl.methods[0])

    seen: list[int] = []
    proxy = BpOld(Raw(lambda code, data, reply: seen.append(code)))
    with pytest.warns(DeprecationWarning, match=r"q\.IOld\.f is deprecated: use g") as caught:
        proxy.f()
    assert seen == [1]
    assert caught[0].filename == __file__
