"""What a decision of the service costs when many requests are known: `python -m tests.bench.bench_service`.

The peer is the same service with a hundred known requests, measured in turns with it. All calls are real
parcels over the in-process driver; every known request but the first is waiting.
"""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Callable
from statistics import median
from time import process_time

from binder.local import DeterministicScheduler, Driver
from generated.android.npumanager import BnModelLoadCallback, ModelLoadRequestParcelable, NpuModelSize
from reference_impl.constants import SHELL_UID, PolicyType
from reference_impl.device import ReferenceDevice
from reference_impl.platform import Package
from reference_impl.policies import BudgetPolicy
from reference_impl.policies.events import Cancel, CanLoad, PolicyEvent, RequestKey
from reference_impl.policies.state import PolicyState

KNOWN = (100, 1_000, 10_000)
PEER = KNOWN[0]
APPS = 100
FIRST_UID = 10_100
CALLS = 200
ROUNDS = 5
GOAL = 4


class Deaf(BnModelLoadCallback):
    """Hears and does nothing."""

    def onCanLoadModel(self, status: int) -> None: ...

    def onRequestUnloadModel(self) -> None: ...

    def onModelLoadRequestComplete(self, status: int) -> None: ...


class Loaded:
    """A device with so many requests known to its service, from a hundred apps of equal importance."""

    def __init__(self, known: int) -> None:
        packages = [Package(f"com.example.app{n}", FIRST_UID + n) for n in range(APPS)]
        self.driver = Driver(DeterministicScheduler(1))
        self.device = ReferenceDevice(self.driver, packages=packages)
        self.driver.scheduler.settle()
        shell = self.device.npu_service(self.device.start_process(SHELL_UID))
        shell.setPolicy(PolicyType.BUDGET, None)
        self._apps = [self.device.npu_service(self.device.start_process(p.uid)) for p in packages]
        self._callback = [Deaf() for _ in packages]
        self._next = 0
        for _ in range(known):
            self.ask()

    def ask(self) -> int:
        """One more request; its number."""
        self._next += 1
        app = self._next % APPS
        request = ModelLoadRequestParcelable(self._next, NpuModelSize.GREATER_THAN_2G, 0)
        self._apps[app].canLoadModel(request, self._callback[app])
        self.driver.scheduler.settle()
        return self._next

    def take_back(self, number: int) -> None:
        self._apps[number % APPS].cancelModelLoad(ModelLoadRequestParcelable(number, NpuModelSize(0), 0))
        self.driver.scheduler.settle()

    def microseconds_per_request(self) -> float:
        """CPU time of a canLoadModel and its answer; what it adds is taken back unmeasured."""
        gc.collect()
        start = process_time()
        numbers = [self.ask() for _ in range(CALLS)]
        spent = process_time() - start
        for number in numbers:
            self.take_back(number)
        return spent / CALLS * 1e6


def decisions_per_second(known: int) -> float:
    """Steps of the pure policy: a request that arrives and is cancelled, among so many."""
    policy, state = BudgetPolicy(), PolicyState()

    def step(event: PolicyEvent) -> None:
        nonlocal state
        state, _ = policy.step(state, event, lambda uid: 400)

    for number in range(known):
        step(CanLoad(RequestKey(FIRST_UID + number % APPS, number), 2))
    start = process_time()
    for number in range(CALLS):
        key = RequestKey(FIRST_UID + number % APPS, known + number)
        step(CanLoad(key, 2))
        step(Cancel(key))
    return 2 * CALLS / (process_time() - start)


def bytes_per_request(make: Callable[[int], object]) -> float:
    """Memory that ten thousand known requests take more than a hundred, each."""
    sizes = []
    for known in (KNOWN[0], KNOWN[-1]):
        gc.collect()
        tracemalloc.start()
        kept = make(known)
        gc.collect()
        sizes.append(tracemalloc.get_traced_memory()[0])
        tracemalloc.stop()
        del kept
    return (sizes[1] - sizes[0]) / (KNOWN[-1] - KNOWN[0])


def main() -> None:
    devices = {known: Loaded(known) for known in KNOWN}
    times: dict[int, list[float]] = {known: [] for known in KNOWN}
    for _ in range(ROUNDS):
        for known, device in devices.items():
            times[known].append(device.microseconds_per_request())
    print(f"canLoadModel and its answer, {ROUNDS} rounds of {CALLS}, CPU time")
    for known, found in times.items():
        ratio = median(a / b for a, b in zip(found, times[PEER], strict=True))
        goal = f" (goal {GOAL} or less)" if known == KNOWN[-1] else ""
        print(f"  {known:6d} known  {median(found):6.0f} us   {ratio:.2f} times that of {PEER}{goal}")
    print("decisions of the policy alone")
    for known in KNOWN:
        print(f"  {known:6d} known  {decisions_per_second(known):6.0f} per second")
    print(f"memory of a known request, all of it: {bytes_per_request(Loaded):.0f} bytes")


if __name__ == "__main__":
    main()
