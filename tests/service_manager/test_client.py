"""The client, at every API level, against a server of that level."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from binder import (
    Binder,
    DeadObjectError,
    Parcel,
    SecurityException,
    Status,
    StatusError,
    UsageError,
)
from binder.local import DeterministicScheduler, Driver
from binder.reply import write_no_exception
from generated.android.os import CallerContext, ConnectionInfo, Service, ServiceDebugInfo, ServiceWithMetadata
from service_manager import (
    AccessorError,
    DumpPriority,
    Edition,
    Policy,
    ServiceManager,
    ServiceManagerServer,
    editions_of,
)

from .kit import DECLARED, PATIENCE, Device, Registered, Used, device, has
from .kit import Service as Foo

# --- every operation at every level -------------------------------------------------------------------


def test_a_service_is_found_by_others(each: Device) -> None:
    each.system.add_service("foo", Foo())
    for found in (each.app.get_service("foo"), each.app.check_service("foo")):
        assert found is not None
        assert found.interface_descriptor() == "demo.IFoo"
    assert each.app.find_service("foo") == ServiceWithMetadata(each.app.get_service("foo"))


def test_ones_own_service_comes_back_as_itself(each: Device) -> None:
    service = Foo()
    each.system.add_service("foo", service)
    assert each.system.get_service("foo") is service


def test_a_missing_service_is_none(each: Device) -> None:
    assert each.app.get_service("foo") is None
    assert each.app.check_service("foo") is None
    assert each.app.find_service("foo") == ServiceWithMetadata()


def test_names_are_listed_by_priority(each: Device) -> None:
    own = ["manager"] if each.server.edition is not Edition.API_29 else []
    each.system.add_service("normal", Foo(), dump_priority=DumpPriority.NORMAL)
    each.system.add_service("critical", Foo(), False, DumpPriority.CRITICAL | DumpPriority.PROTO)
    assert each.app.list_services() == sorted(["normal", "critical", *own])
    assert each.app.list_services(DumpPriority.CRITICAL) == ["critical"]
    assert each.app.list_services(DumpPriority.PROTO) == ["critical"]
    assert each.app.list_services(DumpPriority.HIGH) == []


def test_a_service_that_is_there_is_not_waited_for(each: Device) -> None:
    each.system.add_service("foo", Foo())
    assert each.app.wait_for_service("foo", PATIENCE, lambda *args: pytest.fail("waited")) is not None


def test_a_service_that_comes_later_is_waited_for(each: Device) -> None:
    each.driver.scheduler.call_later(2, lambda: each.system.add_service("foo", Foo()))
    found = each.app.wait_for_service("foo", 5, each.driver.scheduler.wait_until)
    assert found is not None
    assert found.interface_descriptor() == "demo.IFoo"


def test_waiting_ends_at_its_deadline(each: Device) -> None:
    each.driver.scheduler.call_later(6, lambda: each.system.add_service("foo", Foo()))
    assert each.app.wait_for_service("foo", 5, each.driver.scheduler.wait_until) is None
    assert each.driver.scheduler.now() == pytest.approx(5, abs=0.01)


Operation = Callable[[ServiceManager], object]
OPTIONAL: dict[str, tuple[Operation, object]] = {
    "isDeclared": (lambda client: (client.is_declared(DECLARED), client.is_declared("no/x")), (True, False)),
    "getDeclaredInstances": (lambda client: client.get_declared_instances("demo.IFoo"), ["default"]),
    "updatableViaApex": (lambda client: (client.updatable_via_apex(DECLARED), client.updatable_via_apex("x")),
                         ("com.demo", None)),
    "getUpdatableNames": (lambda client: client.get_updatable_names("com.demo"), [DECLARED]),
    "getConnectionInfo": (lambda client: (client.get_connection_info(DECLARED),
                                          client.get_connection_info("x")),
                          (ConnectionInfo("10.0.0.2", 5), None)),
    "getServiceDebugInfo": (lambda client: client.get_service_debug_info(),
                            [ServiceDebugInfo("manager", 1001)]),
    "checkServiceAccess": (lambda client: client.check_service_access(CallerContext("", 1, 2), "x", "find"),
                           True),
}  # fmt: skip


@pytest.mark.parametrize("name", OPTIONAL)
@pytest.mark.parametrize("level", range(29, 38))
def test_what_a_level_has_works_and_what_it_has_not_is_unknown(level: int, name: str) -> None:
    operation, expected = OPTIONAL[name]
    known: dict[str, Any] = {
        "declared": [DECLARED],
        "apexes": {DECLARED: "com.demo"},
        "connections": {DECLARED: ConnectionInfo("10.0.0.2", 5)},
    }
    for edition in editions_of(level):
        with device(level, edition=edition, **known) as made:
            if has(edition, name):
                assert operation(made.app) == expected
                continue
            with pytest.raises(StatusError, match=f"has no {name}") as caught:
                operation(made.app)
            assert caught.value.status == Status.UNKNOWN_TRANSACTION


def test_notifications_are_heard_and_taken_back(each: Device) -> None:
    callback = Registered()
    if not has(each.server.edition, "registerForNotifications"):
        with pytest.raises(StatusError, match="has no registerForNotifications"):
            each.app.register_for_notifications("foo", callback)
        return
    each.app.register_for_notifications("foo", callback)
    each.system.add_service("foo", Foo())
    each.settle()
    assert callback.heard == [("foo", each.app.get_service("foo"))]
    each.app.unregister_for_notifications("foo", callback)
    each.system.add_service("foo", Foo())
    each.settle()
    assert len(callback.heard) == 1


def test_a_service_can_be_taken_back_once_nobody_uses_it() -> None:
    for level in range(30, 38):
        for edition in editions_of(level):
            with device(level, edition=edition, count_references=lambda binder: 1) as made:
                service, callback = Foo(), Used()
                made.system.add_service("foo", service)
                made.system.register_client_callback("foo", service, callback)
                made.system.try_unregister_service("foo", service)
                assert made.app.get_service("foo") is None


def test_level_29_has_no_client_callbacks() -> None:
    with device(29) as made:
        with pytest.raises(StatusError, match="has no registerClientCallback"):
            made.system.register_client_callback("foo", Foo(), Used())
        with pytest.raises(StatusError, match="has no tryUnregisterService"):
            made.system.try_unregister_service("foo", Foo())


# --- which edition it is ------------------------------------------------------------------------------


def probes(made: Device) -> list[int]:
    codes: list[int] = []
    made.driver.observers.append(lambda transaction: codes.append(transaction.code))
    return codes


@pytest.mark.parametrize(
    ("edition", "found"),
    [
        (Edition.API_34, Edition.API_34),
        (Edition.API_35_R6, Edition.API_35_R20),
        (Edition.API_35_R20, Edition.API_35_R20),
    ],
)
def test_builds_of_35_are_told_apart_once_and_only_when_it_matters(edition: Edition, found: Edition) -> None:
    with device(35, edition=edition) as made:
        codes = probes(made)
        made.app.get_service("foo")
        made.app.check_service("foo")
        assert codes == [1, 1]
        assert made.app.list_services() == made.app.list_services() == ["manager"]
        assert made.app.edition is found
        assert codes == [1, 1, 15, *[found.codes["listServices"]] * 2]


def test_a_later_35_that_refuses_the_probe_is_a_later_35() -> None:
    class Silent(Policy):
        def may_list(self, caller: object) -> bool:
            return False

    with device(35, policy=Silent()) as made:
        assert made.app.edition is Edition.API_35_R20
        with pytest.raises(SecurityException):
            made.app.list_services()


def test_a_dead_service_manager_is_probed_again() -> None:
    with device(35) as made:
        made.manager.kill()
        for _ in range(2):
            with pytest.raises(DeadObjectError):
                made.app.list_services()


def test_other_levels_are_not_probed(each: Device) -> None:
    codes = probes(each)
    assert each.level == 35 or each.app.edition is each.server.edition
    assert codes == ([15] if each.level == 35 and each.app.edition else [])


def test_who_knows_the_edition_can_say_so() -> None:
    with device(35, edition=Edition.API_34) as made:
        codes = probes(made)
        client = made.client(made.app_process, edition=Edition.API_34)
        assert client.list_services() == ["manager"]
        assert codes == [4]
        with pytest.raises(UsageError, match="no service manager of edition 36"):
            made.client(made.app_process, edition=Edition.API_36)


def test_the_level_is_the_transports_unless_given() -> None:
    with device(33) as made:
        assert made.app.api_level == 33
        assert made.client(made.app_process, api_level=36).edition is Edition.API_36


# --- accessors ----------------------------------------------------------------------------------------


class WithAccessor(ServiceManagerServer):
    """All of its services are reached through an accessor."""

    accessor: Binder | None = Binder()

    def getService2(self, name: str) -> Service:
        return Service.accessor(self.accessor)


@pytest.mark.parametrize(
    ("level", "edition"), [(35, Edition.API_35_R6), (35, Edition.API_35_R20), (36, None), (37, None)]
)
def test_an_accessor_is_reported_as_unsupported(level: int, edition: Edition | None) -> None:
    driver = Driver(DeterministicScheduler(), api_level=level)
    server = WithAccessor(api_level=level, edition=edition)
    driver.new_process("servicemanager", 1000).add_service("context", server)
    context = driver.new_process("app", 10123).get_service("context")
    assert context is not None
    client = ServiceManager(context)
    with pytest.raises(AccessorError, match="foo is reached through an accessor"):
        client.find_service("foo")
    server.accessor = None
    assert client.find_service("foo") == ServiceWithMetadata()
    driver.close()


# --- what goes wrong ----------------------------------------------------------------------------------


def test_a_service_manager_of_another_level_is_an_error_and_lives_on() -> None:
    with device(30) as made:
        client = made.client(made.app_process, api_level=36)
        with pytest.raises(StatusError) as caught:
            client.get_service_debug_info()
        assert caught.value.status == Status.UNKNOWN_TRANSACTION
        with pytest.raises(StatusError) as caught:
            client.check_service_access(CallerContext(), "foo", "find")
        assert caught.value.status == Status.UNKNOWN_TRANSACTION
        assert made.app.list_services() == ["manager"]


class Endless(Binder):
    """Answers whatever it is asked with the same words."""

    def __init__(self, *words: int) -> None:
        self.words = words

    def on_transact(self, code: int, data: Parcel, reply: Parcel, flags: int) -> None:
        write_no_exception(reply)
        for word in self.words:
            reply.write_int32(word)


def test_a_union_of_no_release_is_refused() -> None:
    client = ServiceManager(Endless(1, 7, 0, 0), 35, edition=Edition.API_35_R20)
    with pytest.raises(Exception, match="no Service of any release"):
        client.find_service("foo")


def test_level_29_reports_a_service_that_was_not_added() -> None:
    with device(29) as made, pytest.raises(StatusError) as caught:
        made.app.add_service("foo", Foo())
    assert caught.value.status == Status.PERMISSION_DENIED


def test_level_29_reports_a_status_word() -> None:
    class Refusing(Binder):
        def on_transact(self, code: int, data: Parcel, reply: Parcel, flags: int) -> None:
            reply.write_int32(-1)

    with pytest.raises(StatusError, match="was not added"):
        ServiceManager(Refusing(), 29).add_service("foo", Foo())


def test_a_null_name_ends_the_list_of_level_29_too() -> None:
    class Empty(Binder):
        def on_transact(self, code: int, data: Parcel, reply: Parcel, flags: int) -> None:
            reply.write_string16(None)

    assert ServiceManager(Empty(), 29).list_services() == []


def test_level_29_says_when_the_service_manager_dies_while_it_lists() -> None:
    with device(29) as made:
        made.manager.kill()
        with pytest.raises(DeadObjectError):
            made.app.list_services()


# --- waiting ------------------------------------------------------------------------------------------


def test_waiting_works_on_both_schedulers(phone: Device) -> None:
    phone.system_process.call_later(0.02, lambda: phone.system.add_service("foo", Foo()))
    found = phone.app.wait_for_service("foo", PATIENCE, phone.wait)
    assert found is phone.app.get_service("foo") is not None


def test_a_deadline_holds_on_both_schedulers(phone: Device) -> None:
    assert phone.app.wait_for_service("foo", 0.02, phone.wait) is None


def test_waiting_leaves_nothing_behind(phone: Device) -> None:
    phone.app.wait_for_service("foo", 0.01, phone.wait)
    phone.settle()
    assert len(phone.server.waiting) == 0


def test_a_notification_that_was_lost_is_made_up_for() -> None:
    with device() as made:

        def wait(condition: Callable[[], bool], timeout: float) -> bool:
            made.system.add_service("foo", Foo())
            return condition()

        assert made.app.wait_for_service("foo", 1, wait) is not None


def test_a_service_that_came_and_died_is_not_returned() -> None:
    with device() as made:

        def wait(condition: Callable[[], bool], timeout: float) -> bool:
            made.system.add_service("foo", Foo())
            made.settle()
            made.system_process.kill()
            made.settle()
            return condition()

        assert made.app.wait_for_service("foo", 1, wait) is None


def test_waiting_for_what_a_dead_service_manager_would_have_ends_with_its_death() -> None:
    with device() as made:

        def wait(condition: Callable[[], bool], timeout: float) -> bool:
            made.manager.kill()
            return condition()

        with pytest.raises(DeadObjectError):
            made.app.wait_for_service("foo", 1, wait)
