"""The service and its HAL: connection, priorities, work, death."""

from __future__ import annotations

import pytest

from binder import IllegalArgumentException, StatusError
from binder.local import Driver
from generated.android.hardware.npu import BnScheduling, ISchedulingCallback, SchedulingConfig
from reference_impl.constants import FLAG_NPUMANAGER_ENABLED, HAL_SERVICE, Importance
from reference_impl.device import ReferenceDevice
from reference_impl.hal import SchedulingHal
from reference_impl.hal_revisions import KNOWN_HASH, KNOWN_VERSION, Acceptance, judge
from reference_impl.platform import Package
from tests.reference_impl.device_kit import ALBUM, ASSISTANT


def hal_of(device: ReferenceDevice) -> SchedulingHal:
    assert device.hal is not None
    return device.hal


def table(device: ReferenceDevice) -> dict[int, int]:
    return {config.uid: config.priority for config in hal_of(device).table()}


def test_connection_sends_the_whole_table_and_the_callback(device: ReferenceDevice) -> None:
    assert table(device) == {1000: 100, 0: 100, ALBUM: 1000, ASSISTANT: 1000}
    assert hal_of(device).has_callback()


def test_changes_of_importance_reach_the_hal(device: ReferenceDevice) -> None:
    device.set_importance(ALBUM, Importance.FOREGROUND)
    assert table(device)[ALBUM] == 100


def test_installing_and_removing_reaches_the_hal(device: ReferenceDevice) -> None:
    device.install_package(Package("com.example.new", 10500))
    assert table(device)[10500] == 1000
    device.remove_package("com.example.new")
    assert 10500 not in table(device)


def test_reports_reach_the_service(device: ReferenceDevice) -> None:
    hal_of(device).submit(10999)
    device.driver.scheduler.advance(1.0)
    counts = device.service.metrics.counts
    assert [counts[kind] for kind in ("work_requested", "work_started", "work_ended")] == [1, 1, 1]
    assert table(device)[10999] == 1000


def test_a_hal_that_comes_back_gets_everything_that_happened_meanwhile(device: ReferenceDevice) -> None:
    device.kill_hal()
    device.driver.scheduler.settle()
    assert not device.service.hal.connected
    device.set_importance(ALBUM, Importance.VISIBLE)
    device.install_package(Package("com.example.new", 10500))
    device.start_hal()
    device.driver.scheduler.settle()
    assert table(device) == {1000: 100, 0: 100, ALBUM: 200, ASSISTANT: 1000, 10500: 1000}
    assert hal_of(device).has_callback()


def test_a_hal_that_is_replaced_before_its_death_is_noticed_is_found(device: ReferenceDevice) -> None:
    for _ in range(3):
        device.start_hal()
        device.set_importance(ALBUM, device.platform.importance_of(ALBUM) - 1)
    device.driver.scheduler.settle()
    assert table(device)[ALBUM] == Importance.GONE - 3
    assert hal_of(device).has_callback()


def test_a_hal_that_appears_late_is_found(driver: Driver) -> None:
    device = ReferenceDevice(driver, packages=[Package("com.example.album", ALBUM)], with_hal=False)
    driver.scheduler.settle()
    assert not device.service.hal.connected
    device.start_hal()
    driver.scheduler.settle()
    assert set(table(device)) == {1000, 0, ALBUM}


def test_with_the_flag_off_the_service_leaves_the_hal_alone(driver: Driver) -> None:
    device = ReferenceDevice(driver, flags={FLAG_NPUMANAGER_ENABLED: False})
    driver.scheduler.settle()
    assert not device.service.hal.connected
    assert (table(device), hal_of(device).has_callback()) == ({}, False)
    device.service.hal.enable()


def test_disable_stops_priorities_and_enable_sends_the_current_table(device: ReferenceDevice) -> None:
    device.service.hal.disable()
    device.set_importance(ALBUM, Importance.FOREGROUND)
    assert table(device)[ALBUM] == 1000
    device.service.hal.enable()
    assert table(device)[ALBUM] == 100


def test_a_hal_that_appears_while_disabled_gets_the_callback_but_no_table(device: ReferenceDevice) -> None:
    device.service.hal.disable()
    device.start_hal()
    device.driver.scheduler.settle()
    assert (table(device), hal_of(device).has_callback()) == ({}, True)


class Grumpy(BnScheduling):
    """A HAL that refuses everything, in two ways."""

    def setSchedulingConfigs(self, schedulingConfigs: list[SchedulingConfig]) -> None:
        raise IllegalArgumentException("no")

    def updateSchedulingConfigs(self, configs: list[SchedulingConfig]) -> None:
        raise IllegalArgumentException("no")

    def setCallback(self, callback: ISchedulingCallback | None) -> None:
        raise StatusError(-38, "no")


def test_a_hal_that_refuses_everything_does_not_harm_the_service(
    driver: Driver, caplog: pytest.LogCaptureFixture
) -> None:
    process = driver.new_process("grumpy", uid=1000)
    process.add_service(HAL_SERVICE, Grumpy())
    device = ReferenceDevice(driver, packages=[Package("com.example.album", ALBUM)], with_hal=False)
    driver.scheduler.settle()
    device.set_importance(ALBUM, Importance.FOREGROUND)
    assert device.service.priorities.priority_of(ALBUM) == Importance.FOREGROUND
    assert len([record for record in caplog.records if "hal_bridge" in record.name]) == 3


def test_a_hal_with_an_unknown_hash_is_named_and_used(driver: Driver, device: ReferenceDevice) -> None:
    device.start_hal("unknown-hash")
    driver.scheduler.settle()
    assert device.service.hal.connected
    assert ALBUM in table(device)
    assert "warning" in device.service.hal.state
    assert "unknown hash notfrozen" in device.service.hal.state


def test_a_hal_of_an_unknown_version_is_refused(driver: Driver, device: ReferenceDevice) -> None:
    device.start_hal("unknown-version")
    driver.scheduler.settle()
    assert not device.service.hal.connected
    assert (table(device), hal_of(device).has_callback()) == ({}, False)
    assert "refused" in device.service.hal.state
    assert "has version 7" in device.service.hal.state


def test_a_hal_of_the_early_revision_is_refused_when_it_calls(
    driver: Driver, device: ReferenceDevice
) -> None:
    device.start_hal("early")
    hal_of(device).submit(ALBUM)
    driver.scheduler.advance(1.0)
    assert not device.service.hal.connected
    assert "begins with onIdle" in device.service.hal.state
    assert device.service.metrics.counts["work_requested"] == 0


@pytest.mark.parametrize("kind", ["unknown-version", "early"])
def test_after_one_that_was_refused_the_next_is_found(
    driver: Driver, device: ReferenceDevice, kind: str
) -> None:
    device.start_hal(kind)
    driver.scheduler.settle()
    device.start_hal()
    driver.scheduler.settle()
    assert device.service.hal.connected
    hal_of(device).submit(ALBUM)
    driver.scheduler.advance(1.0)
    assert device.service.metrics.counts["work_requested"] == 1


def test_a_hal_that_refused_something_is_given_the_whole_table_next(device: ReferenceDevice) -> None:
    hal_of(device).faults.refuse_calls = 1
    device.set_importance(ALBUM, Importance.FOREGROUND)
    assert table(device)[ALBUM] == Importance.GONE
    device.set_importance(ASSISTANT, Importance.VISIBLE)
    assert (table(device)[ALBUM], table(device)[ASSISTANT]) == (100, 200)
    assert hal_of(device).counts["setSchedulingConfigs"] == 2


@pytest.mark.parametrize(
    ("version", "digest", "acceptance", "named"),
    [
        (KNOWN_VERSION, KNOWN_HASH, Acceptance.ACCEPTED, KNOWN_HASH),
        (KNOWN_VERSION, "abc", Acceptance.WARNED, "unknown hash abc"),
        (KNOWN_VERSION, "", Acceptance.WARNED, "unknown hash none"),
        (0, "", Acceptance.REFUSED, "no version"),
        (2, KNOWN_HASH, Acceptance.REFUSED, "version 2"),
    ],
)
def test_judgement_names_the_revision(version: int, digest: str, acceptance: Acceptance, named: str) -> None:
    judgement = judge(version, digest)
    assert judgement.acceptance is acceptance
    assert named in judgement.reason
