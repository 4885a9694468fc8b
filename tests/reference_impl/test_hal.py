"""The scheduling HAL's table, callback and reports."""

from __future__ import annotations

from io import StringIO

import pytest

from binder import IllegalArgumentException, ServiceSpecificException
from binder.local import DeterministicScheduler, Driver
from generated.android.hardware.npu import (
    BnSchedulingCallback,
    EndReason,
    ISchedulingCallback,
    SchedulingConfig,
    StartReason,
    WorkInfo,
)
from reference_impl.hal import SchedulingHal
from reference_impl.hal_kinds import KINDS, make_hal
from reference_impl.hal_work import Job, WorkRejected

APP = 10123
OTHER = 10124


def config(
    uid: int = APP, priority: int = 100, access: bool = True, attribute: bool = False
) -> SchedulingConfig:
    return SchedulingConfig(uid, priority, access, attribute)


class Heard(BnSchedulingCallback):
    def __init__(self) -> None:
        self.events: list[tuple[str, WorkInfo]] = []

    def onWorkRequested(self, info: WorkInfo) -> None:
        self.events.append(("requested", info))

    def onWorkStarted(self, workInfo: WorkInfo, reason: StartReason) -> None:
        self.events.append((f"started {reason.name}", workInfo))

    def onWorkEnded(self, workInfo: WorkInfo, reason: EndReason) -> None:
        self.events.append((f"ended {reason.name}", workInfo))


@pytest.fixture
def scheduler() -> DeterministicScheduler:
    scheduler = DeterministicScheduler()
    scheduler.advance(12.3456)
    return scheduler


@pytest.fixture
def hal(scheduler: DeterministicScheduler) -> SchedulingHal:
    return SchedulingHal(scheduler)


def test_set_replaces_the_table_and_update_merges_into_it(hal: SchedulingHal) -> None:
    hal.setSchedulingConfigs([config(APP), config(OTHER)])
    hal.setSchedulingConfigs([config(APP, 200)])
    assert hal.table() == [config(APP, 200)]
    hal.updateSchedulingConfigs([config(APP, 300), config(OTHER, 400)])
    assert hal.table() == [config(APP, 300), config(OTHER, 400)]
    hal.setSchedulingConfigs([])
    assert hal.table() == []


@pytest.mark.parametrize("method", ["setSchedulingConfigs", "updateSchedulingConfigs"])
@pytest.mark.parametrize(
    "configs",
    [
        [config(OTHER, -1)],
        [config(OTHER, 1001)],
        [config(OTHER), config(APP, 5000)],
        [config(OTHER, 1), config(OTHER, 2)],
    ],
    ids=["negative", "above-the-scale", "second-of-two", "uid-twice"],
)
def test_a_bad_table_is_refused_and_changes_nothing(
    hal: SchedulingHal, method: str, configs: list[SchedulingConfig]
) -> None:
    hal.setSchedulingConfigs([config(APP)])
    with pytest.raises(IllegalArgumentException):
        getattr(hal, method)(configs)
    assert hal.table() == [config(APP)]


@pytest.mark.parametrize("priority", [0, 1000])
def test_the_ends_of_the_scale_are_priorities(hal: SchedulingHal, priority: int) -> None:
    hal.setSchedulingConfigs([config(APP, priority)])
    assert hal.config_of(APP).priority == priority


def test_a_uid_without_a_config_comes_last_with_direct_access_and_no_attribution(hal: SchedulingHal) -> None:
    assert hal.config_of(APP) == config(APP, 1000, access=True, attribute=False)


def test_a_job_is_reported_from_request_to_end(hal: SchedulingHal, scheduler: DeterministicScheduler) -> None:
    heard = Heard()
    hal.setCallback(heard)
    hal.setSchedulingConfigs([config(APP, 125)])
    hal.submit(APP, job_priority=40, seconds=0.1)
    scheduler.advance(1.0)
    assert [name for name, _ in heard.events] == ["requested", "started INITIAL", "ended COMPLETED"]
    assert [info.id for _, info in heard.events] == [1, 2, 3]
    for _, info in heard.events:
        assert (info.uid, info.originalUid, info.jobPriority, info.effectivePriority) == (APP, APP, 40, 165)
    assert [info.timestampMs for _, info in heard.events] == [12345, 12345, 12495]


def test_attributed_work_has_the_priority_of_whom_it_is_for(
    hal: SchedulingHal, scheduler: DeterministicScheduler
) -> None:
    heard = Heard()
    hal.setCallback(heard)
    hal.setSchedulingConfigs([config(APP, 100, attribute=True), config(OTHER, 400, access=False)])
    hal.submit(APP, original_uid=OTHER, fails=True)
    scheduler.advance(1.0)
    name, info = heard.events[-1]
    assert name == "ended FAILED"
    assert (info.uid, info.originalUid, info.effectivePriority) == (APP, OTHER, 900)


def test_work_that_the_table_does_not_allow_is_rejected_unreported(hal: SchedulingHal) -> None:
    heard = Heard()
    hal.setCallback(heard)
    hal.setSchedulingConfigs([config(APP, access=False), config(OTHER)])
    with pytest.raises(WorkRejected, match="no direct access"):
        hal.submit(APP)
    with pytest.raises(WorkRejected, match="in the name of 10123"):
        hal.submit(OTHER, original_uid=APP)
    with pytest.raises(ValueError, match="1001"):
        hal.submit(OTHER, job_priority=1001)
    assert heard.events == []


def test_one_callback_at_a_time_and_null_is_legal(
    hal: SchedulingHal, scheduler: DeterministicScheduler
) -> None:
    first, second = Heard(), Heard()
    hal.setCallback(first)
    hal.setCallback(second)
    hal.submit(APP)
    scheduler.advance(1.0)
    hal.setCallback(None)
    hal.submit(APP)
    scheduler.advance(1.0)
    assert (len(first.events), len(second.events)) == (0, 3)


class Observed:
    """A HAL in a process, and a process that can give it a callback and die."""

    def __init__(self, driver: Driver, hal: SchedulingHal) -> None:
        self.driver = driver
        self.hal = hal
        self.owner = driver.new_process("observer", uid=1000)
        self.hal_process = driver.new_process("hal", uid=1000)

    def proxy(self) -> ISchedulingCallback:
        node = self.owner.node_for(Heard())
        return ISchedulingCallback.from_binder(self.hal_process.reference_to(node))


def test_a_dead_callback_is_forgotten(driver: Driver, hal: SchedulingHal) -> None:
    observed = Observed(driver, hal)
    hal.setCallback(observed.proxy())
    observed.owner.kill()
    driver.scheduler.settle()
    assert not hal.has_callback()
    hal.submit(APP)


def test_news_of_an_earlier_callbacks_death_leave_the_present_one(driver: Driver, hal: SchedulingHal) -> None:
    observed = Observed(driver, hal)
    hal.setCallback(observed.proxy())
    observed.owner.kill()
    hal.setCallback(Heard())
    driver.scheduler.settle()
    assert hal.has_callback()


def test_a_callback_that_is_dead_already_is_not_kept(driver: Driver, hal: SchedulingHal) -> None:
    observed = Observed(driver, hal)
    proxy = observed.proxy()
    observed.owner.kill()
    hal.setCallback(proxy)
    assert not hal.has_callback()


def test_effective_priority_is_that_of_the_uid_in_whose_name_plus_that_of_the_job(hal: SchedulingHal) -> None:
    hal.setSchedulingConfigs([config(APP, 100, attribute=True), config(OTHER, 400)])
    assert hal.effective_priority(Job(APP, APP, 300)) == 400
    assert hal.effective_priority(Job(APP, OTHER, 300)) == 700


def test_callback_is_the_one_that_was_set_last(hal: SchedulingHal) -> None:
    assert hal.callback() is None
    heard = Heard()
    hal.setCallback(heard)
    assert hal.callback() is heard


def test_faults_strike_as_often_as_was_asked_for(
    hal: SchedulingHal, scheduler: DeterministicScheduler
) -> None:
    ends: list[EndReason] = []
    hal.faults.fail_jobs = 1
    for _ in range(2):
        hal.submit(APP, on_end=ends.append)
    scheduler.advance(1.0)
    assert ends == [EndReason.FAILED, EndReason.COMPLETED]
    hal.faults.refuse_calls = 1
    with pytest.raises(ServiceSpecificException, match="setCallback is refused on purpose"):
        hal.setCallback(None)
    hal.setCallback(None)


def test_a_dump_shows_table_and_counts(hal: SchedulingHal, scheduler: DeterministicScheduler) -> None:
    hal.setSchedulingConfigs([config(OTHER, 7), config(APP, access=False)])
    hal.submit(OTHER)
    scheduler.advance(1.0)
    out = StringIO()
    hal.on_dump(out, [])
    assert out.getvalue() == (
        "Callback: no\n\nConfigs:\n"
        "    10123 100 direct=False attribute=False\n    10124 7 direct=True attribute=False\n"
        "\nCounts:\n    COMPLETED 1\n    setSchedulingConfigs 1\n"
    )


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_can_be_made(kind: str, scheduler: DeterministicScheduler) -> None:
    assert type(make_hal(scheduler, kind, devices=2, preemption="none")) is KINDS[kind]


@pytest.mark.parametrize(
    ("kind", "devices", "preemption"), [("v9", 1, "pause"), ("v1", 0, "pause"), ("v1", 1, "sometimes")]
)
def test_what_cannot_be_made_is_refused(
    kind: str, devices: int, preemption: str, scheduler: DeterministicScheduler
) -> None:
    with pytest.raises(ValueError, match=r"v9|0|sometimes"):
        make_hal(scheduler, kind, devices=devices, preemption=preemption)
