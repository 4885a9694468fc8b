"""Calls between processes of one program: `python -m tests.bench.bench_calls`.

The peer is the same method called directly, which is what a test without a driver would do: the
ratio is the price of real bytes, identities, records of who holds what, and a scheduler.
"""

from __future__ import annotations

from binder.local import DeterministicScheduler, Driver, Scheduler, ThreadScheduler
from generated.android.npumanager import (
    BnModelLoadCallback,
    BnNpuManagerService,
    IModelLoadCallback,
    INpuAllocator,
    INpuAllocatorCallback,
    INpuManagerService,
    ModelLoadRequestParcelable,
)

from .measure import compare

REQUEST = ModelLoadRequestParcelable(id=54, priority=1000)
BATCH = 100


class Callback(BnModelLoadCallback):
    count = 0

    def onCanLoadModel(self, status: int) -> None:
        self.count += 1

    def onRequestUnloadModel(self) -> None: ...

    def onModelLoadRequestComplete(self, status: int) -> None: ...


class Manager(BnNpuManagerService):
    callback: IModelLoadCallback

    def canLoadModel(self, request: ModelLoadRequestParcelable, callback: IModelLoadCallback) -> None:
        self.callback = callback

    def cancelModelLoad(self, request: ModelLoadRequestParcelable) -> None: ...

    def notifyModelLoaded(self, request: ModelLoadRequestParcelable) -> None: ...

    def notifyModelUnloaded(self, request: ModelLoadRequestParcelable) -> None: ...

    def setPolicy(self, policy: int, policyParams: object) -> None: ...

    def createAllocator(self, callback: INpuAllocatorCallback) -> INpuAllocator:
        raise NotImplementedError


def measure(name: str, scheduler: Scheduler) -> None:
    driver = Driver(scheduler)
    service, callback = Manager(), Callback()
    driver.new_process("server", uid=1000).add_service("npu", service)
    binder = driver.new_process("client", uid=10001).get_service("npu")
    if binder is None:
        raise SystemExit("the service is not there")
    proxy = INpuManagerService.from_binder(binder)
    proxy.canLoadModel(REQUEST, callback)

    def oneway() -> None:
        until = callback.count + BATCH
        for n in range(BATCH):
            service.callback.onCanLoadModel(n)
        scheduler.wait_until(lambda: callback.count >= until, 10)

    def plain() -> None:
        for n in range(BATCH):
            callback.onCanLoadModel(n)

    rate, peer, ratio = compare(
        lambda: proxy.cancelModelLoad(REQUEST), lambda: service.cancelModelLoad(REQUEST), 1000
    )
    print(f"{name:14} sync call       {rate:8.0f}/s   method {peer:9.0f}/s   {ratio:4.0f} times slower")
    rate, peer, ratio = compare(oneway, plain, 5)
    rate, peer = rate * BATCH, peer * BATCH
    print(f"{name:14} oneway delivery {rate:8.0f}/s   method {peer:9.0f}/s   {ratio:4.0f} times slower")
    driver.close()


def main() -> None:
    measure("deterministic", DeterministicScheduler())
    measure("threads", ThreadScheduler())


if __name__ == "__main__":
    main()
