"""The NPU's queue: order, pauses, and what is reported of both."""

from __future__ import annotations

import pytest

from binder.local import DeterministicScheduler
from generated.android.hardware.npu import (
    BnSchedulingCallback,
    EndReason,
    SchedulingConfig,
    StartReason,
    WorkInfo,
)
from reference_impl.hal import SchedulingHal
from reference_impl.hal_work import Job, Preemption

FOREGROUND, BACKGROUND, OTHER = 10123, 10124, 10125


class Heard(BnSchedulingCallback):
    def __init__(self) -> None:
        self.events: list[str] = []

    def onWorkRequested(self, info: WorkInfo) -> None:
        self.events.append(f"{info.uid} requested")

    def onWorkStarted(self, workInfo: WorkInfo, reason: StartReason) -> None:
        self.events.append(f"{workInfo.uid} {reason.name}")

    def onWorkEnded(self, workInfo: WorkInfo, reason: EndReason) -> None:
        self.events.append(f"{workInfo.uid} {reason.name}")


class Npu:
    """A HAL with a queue, and what is heard of it."""

    def __init__(self, devices: int = 1, preemption: Preemption = Preemption.PAUSE) -> None:
        self.scheduler = DeterministicScheduler(0)
        self.hal = SchedulingHal(self.scheduler, devices=devices, preemption=preemption)
        self.hal.setSchedulingConfigs(
            [
                SchedulingConfig(FOREGROUND, 100, True, False),
                SchedulingConfig(BACKGROUND, 400, True, False),
                SchedulingConfig(OTHER, 400, True, False),
            ]
        )
        self.heard = Heard()
        self.hal.setCallback(self.heard)
        self.ended: list[tuple[int, float]] = []
        self.reasons: list[EndReason] = []

    def enqueue(self, uid: int, seconds: float) -> Job:
        def end(reason: EndReason) -> None:
            self.ended.append((uid, self.scheduler.now()))
            self.reasons.append(reason)

        return self.hal.submit(uid, seconds=seconds, on_end=end)


@pytest.fixture
def npu() -> Npu:
    return Npu()


def test_equals_run_in_the_order_in_which_they_came(npu: Npu) -> None:
    npu.enqueue(BACKGROUND, 2.0)
    npu.enqueue(OTHER, 1.0)
    npu.scheduler.advance(10.0)
    assert npu.ended == [(BACKGROUND, 2.0), (OTHER, 3.0)]


def test_more_important_job_pauses_the_one_that_runs(npu: Npu) -> None:
    npu.enqueue(BACKGROUND, 2.0)
    npu.scheduler.advance(0.5)
    npu.enqueue(FOREGROUND, 1.0)
    npu.scheduler.advance(10.0)
    assert npu.ended == [(FOREGROUND, 1.5), (BACKGROUND, 3.0)]
    assert npu.heard.events == [
        f"{BACKGROUND} requested",
        f"{BACKGROUND} INITIAL",
        f"{FOREGROUND} requested",
        f"{BACKGROUND} PAUSED",
        f"{FOREGROUND} INITIAL",
        f"{BACKGROUND} RESUMED",
        f"{FOREGROUND} COMPLETED",
        f"{BACKGROUND} COMPLETED",
    ]


def test_less_important_job_waits(npu: Npu) -> None:
    npu.enqueue(FOREGROUND, 1.0)
    npu.enqueue(BACKGROUND, 1.0)
    npu.scheduler.advance(10.0)
    assert npu.ended == [(FOREGROUND, 1.0), (BACKGROUND, 2.0)]


def test_change_of_priority_counts_at_the_next_turn(npu: Npu) -> None:
    for uid in (FOREGROUND, BACKGROUND, OTHER):
        npu.enqueue(uid, 1.0)
    npu.hal.updateSchedulingConfigs([SchedulingConfig(OTHER, 200, True, False)])
    npu.scheduler.advance(10.0)
    assert [uid for uid, _ in npu.ended] == [FOREGROUND, OTHER, BACKGROUND]


def test_abandoned_jobs_never_end(npu: Npu) -> None:
    npu.enqueue(FOREGROUND, 1.0)
    npu.enqueue(BACKGROUND, 1.0)
    npu.hal.abandon()
    npu.scheduler.advance(10.0)
    assert npu.ended == []
    npu.enqueue(OTHER, 1.0)
    npu.scheduler.advance(10.0)
    assert [uid for uid, _ in npu.ended] == [OTHER]


def test_without_preemption_the_more_important_job_is_next() -> None:
    npu = Npu(preemption=Preemption.NONE)
    for uid, seconds in ((BACKGROUND, 2.0), (OTHER, 1.0), (FOREGROUND, 1.0)):
        npu.enqueue(uid, seconds)
    npu.scheduler.advance(10.0)
    assert npu.ended == [(BACKGROUND, 2.0), (FOREGROUND, 3.0), (OTHER, 4.0)]


def test_a_job_may_be_preempted_for_good() -> None:
    npu = Npu(preemption=Preemption.CANCEL)
    npu.enqueue(BACKGROUND, 2.0)
    npu.enqueue(FOREGROUND, 1.0)
    npu.scheduler.advance(10.0)
    assert npu.ended == [(BACKGROUND, 0.0), (FOREGROUND, 1.0)]
    assert npu.reasons == [EndReason.CANCELLED_SYSTEM, EndReason.COMPLETED]
    assert f"{BACKGROUND} CANCELLED_SYSTEM" in npu.heard.events


def test_devices_work_side_by_side_and_the_least_important_makes_way() -> None:
    npu = Npu(devices=2)
    jobs = [npu.enqueue(uid, 2.0) for uid in (BACKGROUND, OTHER)]
    assert [job.device_number for job in jobs] == [0, 1]
    first = npu.enqueue(FOREGROUND, 1.0)
    assert first.device_number == 1, "of two equals, the one that came last makes way"
    npu.scheduler.advance(10.0)
    assert npu.ended == [(FOREGROUND, 1.0), (BACKGROUND, 2.0), (OTHER, 3.0)]


def test_a_client_may_cancel_what_waits_and_what_runs(npu: Npu) -> None:
    running, waiting = npu.enqueue(BACKGROUND, 2.0), npu.enqueue(OTHER, 1.0)
    last = npu.enqueue(FOREGROUND, 1.0)
    npu.hal.cancel(waiting)
    npu.hal.cancel(last)
    npu.scheduler.advance(5.0)
    npu.hal.cancel(running)
    assert npu.reasons == [EndReason.CANCELLED_USER, EndReason.CANCELLED_USER, EndReason.COMPLETED]
    assert npu.ended[-1] == (BACKGROUND, 2.0)
