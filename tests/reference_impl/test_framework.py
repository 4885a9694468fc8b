"""The framework's client of the service."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from binder import SecurityException, calling_uid
from reference_impl.constants import (
    SHELL_UID,
    LoadStatus,
    ModelPriority,
    ModelSize,
    PolicyType,
    RequestStatus,
)
from reference_impl.device import ReferenceDevice
from reference_impl.framework import (
    ModelLoadRequest,
    ModelLoadStatusListener,
    NpuManager,
    direct_executor,
)
from tests.reference_impl.device_kit import ALBUM

Heard = list[tuple[ModelLoadRequest, object]]


class Callback:
    """An app that loads when it may and unloads when it is asked."""

    def __init__(self) -> None:
        self.heard: Heard = []
        self.uids: set[int] = set()
        self.listener: ModelLoadStatusListener | None = None

    def on_can_load_model(
        self, request: ModelLoadRequest, status: int, listener: ModelLoadStatusListener
    ) -> None:
        self.heard.append((request, status))
        self.uids.add(calling_uid())
        self.listener = listener
        if status == LoadStatus.CAN_LOAD_NOW:
            listener.notify_model_loaded(request)

    def on_request_unload_model(self, request: ModelLoadRequest) -> None:
        self.heard.append((request, "unload"))
        assert self.listener is not None
        self.listener.notify_model_unloaded(request)

    def on_model_load_request_complete(self, request: ModelLoadRequest, status: int) -> None:
        self.heard.append((request, status))


def manager(device: ReferenceDevice, uid: int = ALBUM) -> NpuManager:
    return device.npu_manager(device.start_process(uid))


def test_a_request_has_the_builders_defaults() -> None:
    assert ModelLoadRequest(1) == ModelLoadRequest(1, ModelSize.LESS_THAN_1GB, ModelPriority.NORMAL)


@pytest.mark.parametrize("arguments", [{"size": 3}, {"size": -1}, {"priority": -1}, {"priority": 1001}])
def test_a_request_refuses_what_no_builder_makes(arguments: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="is not a model"):
        ModelLoadRequest(1, **arguments)


def test_an_app_loads_and_unloads_through_the_client(device: ReferenceDevice) -> None:
    manager(device, SHELL_UID).set_policy(PolicyType.TURN_TAKING)
    album, other = Callback(), Callback()
    request = ModelLoadRequest(1, ModelSize.GREATER_THAN_2G, ModelPriority.BACKGROUND)
    manager(device).request_can_load_model(request, album, direct_executor)
    device.driver.scheduler.settle()
    manager(device, 1000).request_can_load_model(ModelLoadRequest(1), other, direct_executor)
    device.driver.scheduler.settle()
    assert album.heard == [
        (request, LoadStatus.CAN_LOAD_NOW),
        (request, "unload"),
        (request, RequestStatus.COMPLETE),
    ]
    assert [status for _, status in other.heard] == [LoadStatus.WAIT_FOR_UNLOAD, LoadStatus.CAN_LOAD_NOW]


def test_an_app_cancels_through_the_client(device: ReferenceDevice) -> None:
    album, npu, request = Callback(), manager(device), ModelLoadRequest(54)
    npu.request_can_load_model(request, album, direct_executor)
    npu.cancel_model_load(request)
    device.driver.scheduler.settle()
    assert album.heard == [(request, LoadStatus.CAN_LOAD_NOW), (request, RequestStatus.CANCELLED)]


def test_callbacks_run_on_the_executor_in_the_apps_own_name(device: ReferenceDevice) -> None:
    tasks: list[Callable[[], None]] = []
    album = Callback()
    manager(device).request_can_load_model(ModelLoadRequest(1), album, tasks.append)
    device.driver.scheduler.settle()
    assert (album.heard, len(tasks)) == ([], 1)
    manager(device).request_can_load_model(ModelLoadRequest(2), album, direct_executor)
    device.driver.scheduler.settle()
    assert album.uids == {ALBUM}


def test_the_clients_set_policy_passes_the_refusal_on(device: ReferenceDevice) -> None:
    with pytest.raises(SecurityException):
        manager(device).set_policy(PolicyType.BUDGET)
