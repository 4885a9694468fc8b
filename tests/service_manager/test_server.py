"""The rules that a service manager follows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from binder import (
    Binder,
    IBinder,
    IllegalArgumentException,
    IllegalStateException,
    NullPointerException,
    Parcel,
    RemoteException,
    SecurityException,
    Stability,
    StatusError,
)
from binder.identity import CallingIdentity
from binder.reply import read_exception
from generated.android.os import CallerContext, ServiceDebugInfo
from service_manager import DumpPriority, Edition, Policy, ServiceManager

from .kit import DECLARED, PATIENCE, Device, Registered, Service, device

EVERYBODY = [0, 1000, 9999, 100_000, 109_999]
APPS = [10_000, 10_123, 99_000, 110_000, 199_999]


# --- names --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["a", "Z", "0", "a.b_c-d/e", "x" * 127, "android.os.IFoo/default", "-"])
def test_accepts_a_valid_name(name: str) -> None:
    with device() as made:
        made.system.add_service(name, Service())
        assert name in made.app.list_services()


@pytest.mark.parametrize("name", ["", "x" * 128, "a b", "a:b", "a\n", "\n", "é", "a\0", "ａ", "a*"])
def test_rejects_an_invalid_name(name: str) -> None:
    with device() as made:
        with pytest.raises(IllegalArgumentException, match=r"Invalid service name\."):
            made.system.add_service(name, Service())
        with pytest.raises(IllegalArgumentException):
            made.app.register_for_notifications(name, Registered())
        assert made.app.get_service(name) is None
        assert made.app.list_services() == ["manager"]


def test_level_29_rejects_an_invalid_name_too() -> None:
    with device(29) as made, pytest.raises(StatusError):
        made.system.add_service("a b", Service())


# --- who may add --------------------------------------------------------------------------------------


@pytest.mark.parametrize("uid", EVERYBODY)
def test_what_is_no_app_may_add(uid: int) -> None:
    with device() as made:
        made.client(made.process(uid)).add_service("foo", Service())
        assert made.app.get_service("foo") is not None


@pytest.mark.parametrize("uid", APPS)
def test_an_app_of_any_user_may_not_add(uid: int) -> None:
    with device() as made:
        with pytest.raises(SecurityException):
            made.client(made.process(uid)).add_service("foo", Service())
        assert made.app.get_service("foo") is None


def test_an_app_is_refused_before_anything_else_is_looked_at() -> None:
    with device() as made, pytest.raises(SecurityException):
        made.app.add_service("not a name", Service())


def test_a_null_binder_over_the_wire_is_refused_by_the_stub() -> None:
    with device() as made:
        with made.send(5, _add_request("foo", None)) as reply, pytest.raises(NullPointerException):
            read_exception(reply)
        assert made.app.get_service("foo") is None


def test_a_null_binder_from_the_same_process_is_an_illegal_argument() -> None:
    with device() as made, pytest.raises(IllegalArgumentException, match="Null binder"):
        made.server.addService("foo", None, False, 8)  # type: ignore[arg-type]  # that is the point


def _add_request(name: str, binder: IBinder | None) -> bytes:
    request = Parcel()
    request.write_interface_token("android.os.IServiceManager")
    request.write_string16(name)
    request.write_strong_binder(binder)
    request.write_bool(False)
    request.write_int32(8)
    return bytes(request)


# --- what is registered -------------------------------------------------------------------------------


def test_the_same_name_again_replaces(each: Device) -> None:
    first, second = Service(), Service()
    each.system.add_service("foo", first)
    each.other.add_service("foo", second)
    assert each.other.get_service("foo") is second
    # The first one's death is none of the second one's business.
    each.system_process.kill()
    each.settle()
    assert each.other.get_service("foo") is second


def test_the_same_object_may_have_several_names(each: Device) -> None:
    service = Service()
    each.system.add_service("foo", service)
    each.system.add_service("bar", service)
    assert each.app.get_service("foo") is each.app.get_service("bar") is not None


def test_a_dead_service_is_forgotten(phone: Device) -> None:
    phone.system.add_service("foo", Service())
    phone.system.add_service("bar", Service())
    phone.other.add_service("baz", Service())
    phone.system_process.kill()
    phone.settle()
    assert phone.app.list_services() == ["baz", "manager"]
    assert phone.app.get_service("foo") is None


def test_a_service_that_is_dead_already_is_refused() -> None:
    with device() as made:
        made.system.add_service("foo", Service())
        relayed = made.other.get_service("foo")
        assert relayed is not None
        made.system_process.kill()
        with pytest.raises(IllegalStateException, match="link to death"):
            made.other.add_service("bar", relayed)


def test_the_service_manager_registers_itself() -> None:
    with device() as made:
        manager = made.app.get_service("manager")
        assert manager is made.context(made.app_process)
        assert manager.interface_descriptor() == "android.os.IServiceManager"


def test_level_29_does_not_register_itself() -> None:
    with device(29) as made:
        assert made.app.get_service("manager") is None


def test_a_name_that_nobody_has_is_asked_to_be_started_if_it_was_to_be_got() -> None:
    started: list[str] = []
    with device(start_service=started.append) as made:
        made.app.check_service("foo")
        made.app.get_service("manager")
        assert started == []
        made.app.get_service("foo")
        made.app.find_service("bar")
        assert started == ["foo", "bar"]


def test_isolated_apps_find_only_what_says_so(each: Device) -> None:
    each.system.add_service("open", Service(), allow_isolated=True)
    each.system.add_service("closed", Service())
    isolated = each.client(each.process(199_001))
    assert isolated.get_service("open") is not None
    assert isolated.get_service("closed") is None
    assert isolated.check_service("closed") is None


def test_a_lazy_service_says_that_it_is_one() -> None:
    with device() as made:
        made.system.add_service("lazy", Service(), False, DumpPriority.DEFAULT | DumpPriority.LAZY)
        made.system.add_service("eager", Service())
        assert made.app.find_service("lazy").isLazyService
        assert not made.app.find_service("eager").isLazyService
        assert made.app.list_services(DumpPriority.DEFAULT) == ["eager", "lazy", "manager"]


def test_debug_info_tells_who_registered_what() -> None:
    with device() as made:
        made.system.add_service("foo", Service())
        made.other.add_service("bar", Service())
        assert made.app.get_service_debug_info() == [
            ServiceDebugInfo("bar", made.other_process.pid),
            ServiceDebugInfo("foo", made.system_process.pid),
            ServiceDebugInfo("manager", made.manager.pid),
        ]


# --- the manifest -------------------------------------------------------------------------------------


class Stable(Service):
    stability = Stability.VINTF


def test_a_stable_service_must_be_declared() -> None:
    with device(declared=[DECLARED]) as made:
        made.system.add_service(DECLARED, Stable())
        made.system.add_service("demo.IFoo/other", Service())
        with pytest.raises(IllegalArgumentException, match="VINTF declaration error"):
            made.system.add_service("demo.IFoo/other", Stable())


def test_level_29_knows_no_stability() -> None:
    with device(29) as made:
        made.system.add_service("foo", Stable())
        assert made.app.get_service("foo") is not None


def test_declared_instances_are_those_of_one_interface() -> None:
    declared = ["demo.IFoo/b", "demo.IFoo/a", "demo.IFooBar/c", "demo.IFoo"]
    with device(declared=declared) as made:
        assert made.app.get_declared_instances("demo.IFoo") == ["a", "b"]
        assert made.app.get_declared_instances("demo.IBaz") == []
        assert made.app.is_declared("demo.IFoo/a")
        assert not made.app.is_declared("demo.IFoo/c")


# --- notifications ------------------------------------------------------------------------------------


def test_a_service_that_is_there_is_told_at_once(phone: Device) -> None:
    callback = Registered()
    phone.system.add_service("foo", Service())
    phone.app.register_for_notifications("foo", callback)
    phone.settle()
    assert callback.heard == [("foo", phone.app.get_service("foo"))]


def test_every_registration_is_told(phone: Device) -> None:
    callback = Registered()
    phone.app.register_for_notifications("foo", callback)
    phone.app.register_for_notifications("bar", callback)
    for name in ("foo", "bar", "foo", "baz"):
        phone.system.add_service(name, Service())
    phone.settle()
    assert callback.names == ["foo", "bar", "foo"]


def test_all_who_wait_are_told(phone: Device) -> None:
    callbacks = [Registered() for _ in range(3)]
    for client, callback in zip([phone.app, phone.app, phone.other], callbacks, strict=True):
        client.register_for_notifications("foo", callback)
    phone.system.add_service("foo", Service())
    phone.settle()
    assert [callback.names for callback in callbacks] == [["foo"]] * 3


def test_unregistering_takes_back_every_time_it_was_registered() -> None:
    with device() as made:
        callback = Registered()
        made.app.register_for_notifications("foo", callback)
        made.app.register_for_notifications("foo", callback)
        made.app.unregister_for_notifications("foo", callback)
        made.system.add_service("foo", Service())
        made.settle()
        assert callback.heard == []


def test_rejects_unregistering_what_is_unknown() -> None:
    with device() as made:
        mine, anothers = Registered(), Registered()
        made.app.register_for_notifications("foo", mine)
        for name, callback in (("foo", anothers), ("bar", mine)):
            with pytest.raises(IllegalStateException, match=r"Nothing to unregister\."):
                made.app.unregister_for_notifications(name, callback)
        made.app.unregister_for_notifications("foo", mine)
        with pytest.raises(IllegalStateException):
            made.app.unregister_for_notifications("foo", mine)


@pytest.mark.parametrize("code", [7, 8])
def test_rejects_a_null_callback(code: int) -> None:
    request = Parcel()
    request.write_interface_token("android.os.IServiceManager")
    request.write_string16("foo")
    request.write_strong_binder(None)
    with device() as made, made.send(code, bytes(request)) as reply, pytest.raises(NullPointerException):
        read_exception(reply)


def test_a_dead_callback_is_forgotten(phone: Device) -> None:
    phone.app.register_for_notifications("foo", Registered())
    phone.app.register_for_notifications("bar", Registered())
    survivor = Registered()
    phone.other.register_for_notifications("foo", survivor)
    phone.app_process.kill()
    phone.settle()
    assert len(phone.server.waiting) == 1
    phone.system.add_service("foo", Service())
    phone.settle()
    assert survivor.names == ["foo"]


def test_a_callback_whose_death_is_not_known_yet_does_no_harm() -> None:
    with device() as made:
        made.app.register_for_notifications("foo", Registered())
        made.app_process.kill()
        made.system.add_service("foo", Service())
        assert made.other.get_service("foo") is not None


def test_many_who_add_and_die_at_once_leave_a_list_that_is_true(phone: Device) -> None:
    callback = Registered()
    phone.app.register_for_notifications("shared", callback)
    processes = [phone.process(1000) for _ in range(12)]
    for number, process in enumerate(processes):
        client = phone.client(process)

        def add(client: ServiceManager = client, name: str = f"s{number}") -> None:
            client.add_service(name, Service())
            client.add_service("shared", Service())

        process.post(add)
    phone.settle()
    assert len(phone.app.list_services()) == len(processes) + 2
    assert callback.names == ["shared"] * len(processes)
    for process in processes:
        process.kill()
    phone.settle()
    assert phone.app.list_services() == ["manager"]


def test_a_callback_that_is_called_may_call_back(phone: Device) -> None:
    found: list[IBinder | None] = []

    class Curious(Registered):
        def onRegistration(self, name: str, binder: IBinder) -> None:
            found.append(phone.app.get_service(name))

    phone.app.register_for_notifications("foo", Curious())
    phone.system.add_service("foo", Service())
    assert phone.wait(lambda: bool(found), PATIENCE)
    assert found[0] is not None


# --- policy -------------------------------------------------------------------------------------------


class Strict(Policy):
    """Hides what is secret from apps, and lets them list nothing."""

    def may_find(self, caller: CallingIdentity, name: str) -> bool:
        return caller.uid < 10_000 or not name.startswith("secret")

    def may_add(self, caller: CallingIdentity, name: str) -> bool:
        return caller.uid == 1000

    def may_list(self, caller: CallingIdentity) -> bool:
        return caller.uid < 10_000


SECRET = "secret.IFoo/default"
Refused = Callable[[Device], object]


@pytest.fixture
def strict() -> Iterator[Device]:
    options: dict[str, Any] = {"declared": [SECRET, DECLARED], "apexes": {SECRET: "com.secret"}}
    with device(policy=Strict(), **options) as made:
        yield made


def test_a_hidden_service_looks_missing(strict: Device) -> None:
    strict.system.add_service("secret", Service())
    assert strict.system.get_service("secret") is not None
    assert strict.app.get_service("secret") is None
    assert strict.app.check_service("secret") is None
    assert strict.app.find_service("secret").service is None


@pytest.mark.parametrize(
    "refused",
    [
        lambda made: made.app.list_services(),
        lambda made: made.app.get_service_debug_info(),
        lambda made: made.app.register_for_notifications("secret", Registered()),
        lambda made: made.app.unregister_for_notifications("secret", Registered()),
        lambda made: made.app.is_declared(SECRET),
        lambda made: made.app.get_declared_instances("secret.IFoo"),
        lambda made: made.app.updatable_via_apex(SECRET),
        lambda made: made.app.get_updatable_names("com.secret"),
        lambda made: made.app.get_connection_info(SECRET),
        lambda made: made.other.add_service("foo", Service()),
        lambda made: made.other.try_unregister_service("foo", Service()),
    ],
)
def test_what_policy_denies_is_a_security_exception(strict: Device, refused: Refused) -> None:
    with pytest.raises(SecurityException):
        refused(strict)


def test_what_policy_allows_is_unharmed(strict: Device) -> None:
    assert strict.app.is_declared(DECLARED)
    assert strict.app.get_declared_instances("demo.IFoo") == ["default"]
    assert strict.system.get_updatable_names("com.secret") == [SECRET]
    assert strict.app.get_updatable_names("com.none") == []


def test_access_of_others_can_be_asked_about(strict: Device) -> None:
    app, system = CallerContext("u:r:app:s0", 1, 10_123), CallerContext("u:r:system:s0", 2, 1000)
    check = strict.system.check_service_access
    assert [check(app, "secret", "find"), check(app, "foo", "find")] == [False, True]
    assert [check(app, "foo", "add"), check(system, "foo", "add")] == [False, True]
    assert [check(app, "foo", "list"), check(system, "foo", "list")] == [False, True]
    assert not check(system, "foo", "eat")


# --- the server as an object --------------------------------------------------------------------------


def test_the_process_of_the_server_can_use_it_too() -> None:
    with device() as made:
        service = Service()
        with made.manager.running():
            own = made.client(made.manager)
            own.add_service("foo", service)
            assert own.get_service("foo") is service
        found = made.app.get_service("foo")
        assert found is not None
        found.ping()
        assert made.app.get_service_debug_info()[0] == ServiceDebugInfo("foo", made.manager.pid)


def test_it_answers_what_every_binder_answers(each: Device) -> None:
    context: Any = each.context(each.app_process)
    context.ping()
    assert context.interface_descriptor() == "android.os.IServiceManager"


def test_any_exception_of_a_hook_is_the_callers_error_and_not_the_servers() -> None:
    def start(name: str) -> None:
        raise ZeroDivisionError

    with device(start_service=start) as made:
        with pytest.raises(StatusError):
            made.app.get_service("foo")
        assert made.app.list_services() == ["manager"]


def test_a_binder_that_is_no_interface_can_be_registered() -> None:
    with device() as made:
        made.system.add_service("foo", Binder())
        found = made.app.get_service("foo")
        assert found is not None
        assert found.interface_descriptor() == ""


def test_refusals_are_exceptions_from_30_on_and_one_status_before(each: Device) -> None:
    expected = StatusError if each.server.edition is Edition.API_29 else RemoteException
    with pytest.raises(expected):
        each.app.add_service("foo", Service())
