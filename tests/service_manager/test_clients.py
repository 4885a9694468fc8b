"""Whether a service is used, and who is told."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from binder import (
    DeadObjectError,
    IBinder,
    IllegalArgumentException,
    IllegalStateException,
    UnsupportedOperationException,
)
from service_manager import ServiceManager

from .kit import Device, Service, Used, device

NAME = "foo"


class Counted:
    """A device whose driver says what it is told to say."""

    def __init__(self, made: Device) -> None:
        self.device = made
        self.references: int | None = 1
        self.service = Service()
        self.callback = Used()
        made.system.add_service(NAME, self.service)

    @property
    def system(self) -> ServiceManager:
        return self.device.system

    def watch(self) -> None:
        # During a call, the call itself holds the service.
        self.system.register_client_callback(NAME, self.service, self.callback)
        self.device.settle()

    def poll(self, references: int | None) -> None:
        self.references = references
        self.device.server.poll_clients()
        self.device.settle()


@pytest.fixture
def counted() -> Iterator[Counted]:
    made: list[Counted] = []

    def count(binder: IBinder) -> int | None:
        return made[0].references

    with device(count_references=count) as phone:
        made.append(Counted(phone))
        yield made[0]


def test_a_callback_hears_of_the_first_and_the_last_client(counted: Counted) -> None:
    counted.watch()
    assert counted.callback.heard == []
    for references in (2, 3, 2, 1, 1, 2):
        counted.poll(references)
    assert counted.callback.heard == [True, False, True]


def test_a_service_in_use_is_told_at_once(counted: Counted) -> None:
    counted.references = 3
    counted.watch()
    assert counted.callback.heard == [True]


def test_a_second_callback_is_told_what_the_first_was(counted: Counted) -> None:
    counted.watch()
    counted.poll(2)
    second = Used()
    counted.system.register_client_callback(NAME, counted.service, second)
    counted.device.settle()
    assert second.heard == counted.callback.heard == [True]


def test_a_look_up_counts_until_the_reference_shows(counted: Counted) -> None:
    counted.watch()
    counted.device.app.get_service(NAME)
    counted.device.settle()
    assert counted.callback.heard == [True]
    with pytest.raises(IllegalStateException, match="about to be a client"):
        counted.system.try_unregister_service(NAME, counted.service)
    counted.poll(1)
    assert counted.callback.heard == [True, False]
    counted.system.try_unregister_service(NAME, counted.service)
    assert counted.device.app.get_service(NAME) is None


def test_a_service_in_use_is_not_unregistered(counted: Counted) -> None:
    counted.watch()
    counted.references = 4
    with pytest.raises(IllegalStateException, match="there are clients"):
        counted.system.try_unregister_service(NAME, counted.service)
    assert counted.device.app.get_service(NAME) is not None


def test_a_service_that_nobody_watches_counts_as_used(counted: Counted) -> None:
    with pytest.raises(IllegalStateException, match="there are clients"):
        counted.system.try_unregister_service(NAME, counted.service)


def test_without_a_count_a_service_counts_as_used(counted: Counted) -> None:
    counted.watch()
    counted.poll(None)
    assert counted.callback.heard == []
    with pytest.raises(IllegalStateException, match="there are clients"):
        counted.system.try_unregister_service(NAME, counted.service)
    with device() as made:
        service = Service()
        made.system.add_service(NAME, service)
        made.system.register_client_callback(NAME, service, Used())
        with pytest.raises(IllegalStateException, match="there are clients"):
            made.system.try_unregister_service(NAME, service)


def test_an_unregistered_service_can_be_registered_again_and_its_death_is_noticed(counted: Counted) -> None:
    counted.watch()
    counted.system.try_unregister_service(NAME, counted.service)
    counted.system.add_service(NAME, counted.service)
    assert counted.device.app.get_service(NAME) is not None
    counted.device.system_process.kill()
    counted.device.settle()
    assert counted.device.app.list_services() == ["manager"]


def test_only_the_process_that_registered_may_ask(counted: Counted) -> None:
    stranger = counted.device.client(counted.device.process(1000))
    found = stranger.get_service(NAME)
    assert found is not None
    with pytest.raises(UnsupportedOperationException, match="watch its own clients"):
        stranger.register_client_callback(NAME, found, Used())
    with pytest.raises(UnsupportedOperationException, match="unregister itself"):
        stranger.try_unregister_service(NAME, found)


def test_rejects_another_object(counted: Counted) -> None:
    with pytest.raises(IllegalArgumentException, match="another object"):
        counted.system.register_client_callback(NAME, Service(), Used())
    with pytest.raises(IllegalStateException, match="another object"):
        counted.system.try_unregister_service(NAME, Service())


def test_rejects_a_missing_service(counted: Counted) -> None:
    with pytest.raises(IllegalArgumentException, match="no service bar"):
        counted.system.register_client_callback("bar", Service(), Used())
    with pytest.raises(IllegalStateException, match="no service bar"):
        counted.system.try_unregister_service("bar", Service())


def test_the_service_manager_cannot_be_unregistered(counted: Counted) -> None:
    manager = counted.system.get_service("manager")
    assert manager is not None
    with pytest.raises(UnsupportedOperationException):
        counted.system.try_unregister_service("manager", manager)


def test_a_dead_callback_is_forgotten_with_its_service(counted: Counted) -> None:
    counted.watch()
    counted.device.system_process.kill()
    counted.device.settle()
    counted.poll(5)
    assert counted.callback.heard == []
    with pytest.raises(DeadObjectError):
        counted.watch()
