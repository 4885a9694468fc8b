"""The framework's client of the service, as apps know it: `android.npumanager.NpuManager` and its types."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from binder import PersistableBundle, clear_calling_identity
from generated.android.npumanager import (
    BnModelLoadCallback,
    INpuManagerService,
    ModelLoadRequestParcelable,
    NpuModelSize,
)
from reference_impl.constants import ModelPriority, ModelSize

Executor = Callable[[Callable[[], None]], None]
"""Runs a task it is given, now or later; `java.util.concurrent.Executor`."""


def direct_executor(task: Callable[[], None]) -> None:
    """Runs the task at once, on the binder thread."""
    task()


@dataclass(frozen=True, slots=True)
class ModelLoadRequest:
    """A model that an app would like to load; defaults are those of ModelLoadRequest.Builder.

    Attributes:
        id: the app's own name for the request, unique among its open ones.
        size: a ModelSize.
        priority: a ModelPriority, or another number from 0, the most important, to 1000.
    """

    id: int
    size: int = ModelSize.LESS_THAN_1GB
    priority: int = ModelPriority.NORMAL

    def __post_init__(self) -> None:
        if self.size not in list(ModelSize):
            raise ValueError(f"{self.size} is not a model size")
        if not ModelPriority.NORMAL <= self.priority <= ModelPriority.BACKGROUND:
            raise ValueError(f"{self.priority} is not a model priority")

    def to_parcelable(self) -> ModelLoadRequestParcelable:
        """The request as it travels."""
        return ModelLoadRequestParcelable(id=self.id, size=NpuModelSize(self.size), priority=self.priority)


class ModelLoadStatusListener(Protocol):
    """How an app tells what it did. Comes with every answer."""

    def notify_model_loaded(self, request: ModelLoadRequest) -> None:
        """Say that the model is loaded."""

    def notify_model_unloaded(self, request: ModelLoadRequest) -> None:
        """Say that the model's memory is free again."""


class ModelLoadRequestCallback(Protocol):
    """What an app hears. The statuses are those of LoadStatus and RequestStatus, or newer numbers."""

    def on_can_load_model(
        self, request: ModelLoadRequest, status: int, listener: ModelLoadStatusListener
    ) -> None:
        """There is an answer, or another one than before."""

    def on_request_unload_model(self, request: ModelLoadRequest) -> None:
        """The memory is wanted elsewhere."""

    def on_model_load_request_complete(self, request: ModelLoadRequest, status: int) -> None:
        """The request ended. Nothing follows."""


class NpuManager:
    """The system service as an app sees it.

    All calls raise `binder.RemoteException` for what the service refuses, `binder.StatusError` if it is gone.
    """

    def __init__(self, service: INpuManagerService) -> None:
        self._service = service

    def request_can_load_model(
        self, request: ModelLoadRequest, callback: ModelLoadRequestCallback, executor: Executor
    ) -> None:
        """Ask whether a model may be loaded. Answers come to `callback`, through `executor`."""
        wrapper = _CallbackWrapper(request, callback, executor, _StatusListener(self._service))
        self._service.canLoadModel(request.to_parcelable(), wrapper)

    def cancel_model_load(self, request: ModelLoadRequest) -> None:
        """Withdraw a request."""
        self._service.cancelModelLoad(request.to_parcelable())

    def set_policy(self, policy: int, params: PersistableBundle | None = None) -> None:
        """Replace the loading policy; needs ACCESS_NPU_MODEL_MANAGER_API.

        Args:
            policy: a PolicyType.
            params: KEY_MODEL_SIZE_WEIGHTS and KEY_MAX_BUDGET for the Budget policy, or None for defaults.

        Raises:
            SecurityException: the caller lacks the permission.
            IllegalArgumentException: there is no such policy, or it does not take these parameters.
        """
        self._service.setPolicy(policy, params)


class _StatusListener:
    def __init__(self, service: INpuManagerService) -> None:
        self._service = service

    def notify_model_loaded(self, request: ModelLoadRequest) -> None:
        self._service.notifyModelLoaded(request.to_parcelable())

    def notify_model_unloaded(self, request: ModelLoadRequest) -> None:
        self._service.notifyModelUnloaded(request.to_parcelable())


class _CallbackWrapper(BnModelLoadCallback):
    """Takes callbacks off the binder thread; NpuManager.ModelLoadCallbackWrapper."""

    def __init__(
        self,
        request: ModelLoadRequest,
        callback: ModelLoadRequestCallback,
        executor: Executor,
        listener: ModelLoadStatusListener,
    ) -> None:
        self._request = request
        self._callback = callback
        self._executor = executor
        self._listener = listener

    def onCanLoadModel(self, status: int) -> None:
        self._deliver(lambda: self._callback.on_can_load_model(self._request, status, self._listener))

    def onRequestUnloadModel(self) -> None:
        self._deliver(lambda: self._callback.on_request_unload_model(self._request))

    def onModelLoadRequestComplete(self, status: int) -> None:
        self._deliver(lambda: self._callback.on_model_load_request_complete(self._request, status))

    def _deliver(self, task: Callable[[], None]) -> None:
        # The app's code runs in the app's name, not in that of the system that called.
        with clear_calling_identity():
            self._executor(task)
