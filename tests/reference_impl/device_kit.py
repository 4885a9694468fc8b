"""Apps on a reference device, and callbacks that remember what they heard."""

from __future__ import annotations

from binder import IBinder
from binder.local import Process
from generated.android.npumanager import (
    BnModelLoadCallback,
    IModelLoadCallback,
    ModelLoadRequestParcelable,
    NpuModelSize,
)
from reference_impl.constants import NPU_SERVICE, LoadStatus, RequestStatus
from reference_impl.device import ReferenceDevice

ALBUM = 10123
ASSISTANT = 10124

LARGE = NpuModelSize.GREATER_THAN_2G
SMALL = NpuModelSize.LESS_THAN_1GB


class Hearing(BnModelLoadCallback):
    """A callback that remembers, in words, what it heard."""

    def __init__(self) -> None:
        self.heard: list[str] = []

    def onCanLoadModel(self, status: int) -> None:
        self.heard.append(LoadStatus(status).name)

    def onRequestUnloadModel(self) -> None:
        self.heard.append("UNLOAD")

    def onModelLoadRequestComplete(self, status: int) -> None:
        self.heard.append(RequestStatus(status).name)


def request(number: int, size: NpuModelSize = LARGE, priority: int = 0) -> ModelLoadRequestParcelable:
    return ModelLoadRequestParcelable(id=number, size=size, priority=priority)


class App:
    """A process of a uid and its calls to the service; each lets everything that follows happen."""

    def __init__(self, device: ReferenceDevice, uid: int) -> None:
        self.device = device
        self.uid = uid
        process = device.start_process(uid)
        assert isinstance(process, Process)
        self.process = process
        self.npu = device.npu_service(self.process)

    def asks(
        self, number: int, size: NpuModelSize = LARGE, callback: IModelLoadCallback | None = None
    ) -> list[str]:
        """canLoadModel; returns what its callback has heard, a list that grows."""
        hearing = Hearing()
        self.npu.canLoadModel(request(number, size), callback or hearing)
        self.settle()
        return hearing.heard

    def cancels(self, number: int) -> None:
        self.npu.cancelModelLoad(request(number))
        self.settle()

    def loaded(self, number: int) -> None:
        self.npu.notifyModelLoaded(request(number))
        self.settle()

    def unloaded(self, number: int) -> None:
        self.npu.notifyModelUnloaded(request(number))
        self.settle()

    def sets(self, policy: int) -> None:
        self.npu.setPolicy(policy, None)

    def becomes(self, importance: int) -> None:
        self.device.set_importance(self.uid, importance)
        self.settle()

    def dies(self) -> None:
        self.device.kill(self.process)
        self.settle()

    def service(self) -> IBinder:
        binder = self.process.get_service(NPU_SERVICE)
        assert binder is not None
        return binder

    def settle(self) -> None:
        self.device.driver.scheduler.settle()
