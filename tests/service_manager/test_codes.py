"""Which code means what, release by release."""

from __future__ import annotations

import pytest

from binder import UsageError
from generated.android.os import IServiceManager
from service_manager import Edition, editions_of
from service_manager.codes import chosen

NAMES = [method.name for method in IServiceManager.aidl.methods]


def codes(edition: Edition) -> dict[int, str]:
    return {code: name for name, code in edition.codes.items()}


def in_order(names: str) -> dict[int, str]:
    return dict(enumerate(names.split(), start=1))


def test_29_has_four() -> None:
    assert codes(Edition.API_29) == in_order("getService checkService addService listServices")


def test_30_adds_notifications_declarations_and_client_callbacks() -> None:
    assert codes(Edition.API_30) == in_order(
        "getService checkService addService listServices registerForNotifications "
        "unregisterForNotifications isDeclared registerClientCallback tryUnregisterService"
    )


def test_31_puts_instances_and_apexes_before_client_callbacks() -> None:
    assert codes(Edition.API_31) == in_order(
        "getService checkService addService listServices registerForNotifications "
        "unregisterForNotifications isDeclared getDeclaredInstances updatableViaApex "
        "registerClientCallback tryUnregisterService getServiceDebugInfo"
    )


def test_33_adds_connections() -> None:
    assert codes(Edition.API_33) == in_order(
        "getService checkService addService listServices registerForNotifications "
        "unregisterForNotifications isDeclared getDeclaredInstances updatableViaApex getConnectionInfo "
        "registerClientCallback tryUnregisterService getServiceDebugInfo"
    )


def test_34_adds_names_of_an_apex() -> None:
    assert codes(Edition.API_34) == in_order(
        "getService checkService addService listServices registerForNotifications "
        "unregisterForNotifications isDeclared getDeclaredInstances updatableViaApex getUpdatableNames "
        "getConnectionInfo registerClientCallback tryUnregisterService getServiceDebugInfo"
    )


@pytest.mark.parametrize("edition", [Edition.API_35_R6, Edition.API_35_R20])
def test_later_35_puts_another_look_up_in_second_place(edition: Edition) -> None:
    assert codes(edition) == in_order(
        "getService getService2 checkService addService listServices registerForNotifications "
        "unregisterForNotifications isDeclared getDeclaredInstances updatableViaApex getUpdatableNames "
        "getConnectionInfo registerClientCallback tryUnregisterService getServiceDebugInfo"
    )


def test_36_is_the_order_of_our_aidl() -> None:
    assert codes(Edition.API_36) == in_order(" ".join(NAMES))
    assert {method.name: method.code for method in IServiceManager.aidl.methods} == Edition.API_36.codes


@pytest.mark.parametrize(
    ("level", "expected"),
    [
        (29, ["API_29"]),
        (30, ["API_30"]),
        (31, ["API_31"]),
        (32, ["API_31"]),
        (33, ["API_33"]),
        (34, ["API_34"]),
        (35, ["API_34", "API_35_R6", "API_35_R20"]),
        (36, ["API_36"]),
        (37, ["API_36"]),
    ],
)
def test_an_api_level_has_its_editions(level: int, expected: list[str]) -> None:
    assert [edition.name for edition in editions_of(level)] == expected
    assert chosen(level, None).name == expected[-1]


@pytest.mark.parametrize("level", [28, 38, 0])
def test_rejects_other_api_levels(level: int) -> None:
    with pytest.raises(UsageError, match="29 to 37"):
        editions_of(level)


def test_rejects_an_edition_of_another_level() -> None:
    assert chosen(35, Edition.API_34) is Edition.API_34
    with pytest.raises(UsageError, match="API level 36 have no service manager of edition 30"):
        chosen(36, Edition.API_30)
