"""Debouncing, from both sides of its window."""

from __future__ import annotations

import pytest

from binder.local import DeterministicScheduler
from generated.android.hardware.npu import SchedulingConfig
from reference_impl.hal import SchedulingHal
from reference_impl.hal_reports import DEBOUNCE_SECONDS

from .test_hal import Heard

APP, OTHER, RUNTIME = 10123, 10124, 10125
WHOLE = ["requested", "started INITIAL", "ended COMPLETED"]


class Npu:
    """A HAL, a clock, and what was heard."""

    def __init__(self) -> None:
        self.scheduler = DeterministicScheduler()
        self.hal = SchedulingHal(self.scheduler, devices=2)
        self.heard = Heard()
        self.hal.setCallback(self.heard)

    def names(self) -> list[str]:
        return [name for name, _ in self.heard.events]


@pytest.fixture
def npu() -> Npu:
    return Npu()


@pytest.mark.parametrize(
    ("gap", "bursts"), [(0.0, 1), (0.049, 1), (0.051, 2), (1.0, 2)], ids=["none", "below", "above", "long"]
)
def test_a_gap_of_50_ms_makes_two_bursts(npu: Npu, gap: float, bursts: int) -> None:
    for _ in range(2):
        npu.hal.submit(APP, seconds=0.1)
        npu.scheduler.advance(0.1 + gap)
    npu.scheduler.advance(1.0)
    assert npu.names() == WHOLE * bursts


@pytest.mark.parametrize(("after", "told"), [(0.049, 2), (0.051, 3)])
def test_an_end_is_told_when_50_ms_have_passed(npu: Npu, after: float, told: int) -> None:
    npu.hal.submit(APP, seconds=0.1)
    npu.scheduler.advance(0.1 + after)
    assert len(npu.names()) == told


def test_a_request_while_work_is_going_on_is_part_of_its_burst(npu: Npu) -> None:
    npu.hal.submit(APP, seconds=1.0)
    npu.hal.submit(APP, seconds=0.1)
    npu.scheduler.advance(0.5)
    assert npu.names() == WHOLE[:2], "the shorter one has ended, and the longer one goes on"
    npu.scheduler.advance(1.0)
    assert npu.names() == WHOLE


def test_the_end_of_a_burst_is_that_of_its_last_job(npu: Npu) -> None:
    npu.hal.submit(APP, seconds=0.1)
    npu.scheduler.advance(0.12)
    npu.hal.submit(APP, seconds=0.1, fails=True, job_priority=7)
    npu.scheduler.advance(1.0)
    name, info = npu.heard.events[-1]
    assert (name, info.jobPriority) == ("ended FAILED", 7)


def test_uids_do_not_hide_each_other(npu: Npu) -> None:
    npu.hal.submit(APP)
    npu.hal.submit(OTHER)
    npu.scheduler.advance(1.0)
    assert sorted(npu.names()) == sorted(WHOLE * 2)


def test_work_in_two_names_is_two_bursts(npu: Npu) -> None:
    npu.hal.setSchedulingConfigs([SchedulingConfig(RUNTIME, 100, True, True)])
    for uid in (APP, OTHER):
        npu.hal.submit(RUNTIME, original_uid=uid)
    npu.scheduler.advance(1.0)
    ends = {info.originalUid for name, info in npu.heard.events if name == "ended COMPLETED"}
    assert ends == {APP, OTHER}


def test_ids_rise_and_times_do_not_fall_over_all_reports(npu: Npu) -> None:
    for number in range(20):
        npu.hal.submit(APP + number % 3, seconds=0.03)
        npu.scheduler.advance(0.02 + 0.05 * (number % 2))
    npu.scheduler.advance(1.0)
    infos = [info for _, info in npu.heard.events]
    assert [info.id for info in infos] == list(range(1, len(infos) + 1))
    assert [info.timestampMs for info in infos] == sorted(info.timestampMs for info in infos)


def test_a_hal_that_is_gone_tells_nothing(npu: Npu) -> None:
    npu.hal.submit(APP)
    npu.scheduler.advance(DEBOUNCE_SECONDS / 2)
    npu.hal.abandon()
    npu.scheduler.advance(1.0)
    assert npu.names() == WHOLE[:2]
