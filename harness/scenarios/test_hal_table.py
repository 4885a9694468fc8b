"""The HAL's table of scheduling configs, seen by whoever tells it: what it takes, and what that changes."""

from __future__ import annotations

import pytest

from binder import IllegalArgumentException
from generated.android.hardware.npu import IScheduling
from harness.hal_client import COMPLETED, REQUESTED, STARTED, HalClient, config
from harness.vocabulary import App, Npu, check, covers, needs

ONE_JOB = (REQUESTED, STARTED, COMPLETED)
VTS = "VTS VtsHalNpuSchedulingTargetTest"


def effective(app: App, client: HalClient, *, job_priority: int = 100) -> int:
    """The effective priority of a job of `app`."""
    client.listens()
    app.finishes_work(job_priority=job_priority)
    return client.expect(*ONE_JOB)[0].info.effectivePriority


@covers(f"{VTS}: valid set")
@needs("service", "hal-client", "inference", "many-uids")
def test_valid_table_counts(npu: Npu) -> None:
    album, client = npu.app("album"), npu.hal.is_taken_over()
    client.sets(config(album.uid, 321))
    check(effective(album, client) == 421, "321 of the uid and 100 of the job")


@covers(f"{VTS}: invalid priority")
@needs("service", "hal-client")
@pytest.mark.parametrize("priority", [-1, 1001, 2**31 - 1, -(2**31)])
def test_priority_off_the_scale_is_refused(npu: Npu, priority: int) -> None:
    client = npu.hal.is_taken_over()
    for tells in (client.sets, client.updates):
        with npu.refuses(IllegalArgumentException):
            tells(config(20001), config(20002, priority))


@covers(f"{VTS}: duplicate uid")
@needs("service", "hal-client")
def test_uid_twice_in_one_call_is_refused(npu: Npu) -> None:
    client = npu.hal.is_taken_over()
    for tells in (client.sets, client.updates):
        with npu.refuses(IllegalArgumentException):
            tells(config(20001, 100), config(20002), config(20001, 200))


@covers(f"{VTS}: valid update")
@needs("service", "hal-client", "inference", "many-uids")
def test_update_replaces_one_entry(npu: Npu) -> None:
    album, camera, client = npu.app("album"), npu.app("camera"), npu.hal.is_taken_over()
    client.sets(config(album.uid, 300), config(camera.uid, 400))
    client.updates(config(album.uid, 200))
    check(effective(album, client) == 300, "the entry is the new one")
    check(effective(camera, client) == 500, "the other is as it was")


@covers("HAL: setSchedulingConfigs replaces the table, updateSchedulingConfigs adds to it")
@needs("service", "hal-client", "inference", "many-uids")
def test_set_replaces_and_update_merges(npu: Npu) -> None:
    album, camera, client = npu.app("album"), npu.app("camera"), npu.hal.is_taken_over()
    client.sets(config(album.uid, 300)).updates(config(camera.uid, 400))
    check(effective(album, client) == 400, "an update leaves the others")
    client.sets(config(camera.uid, 250))
    check(effective(album, client) == 1100, "a table that does not name the uid takes its entry away")
    check(effective(camera, client) == 350, "and has what it names")


@covers("HAL: an empty array clears the table")
@needs("service", "hal-client", "inference", "many-uids")
def test_empty_table_clears(npu: Npu) -> None:
    album, client = npu.app("album"), npu.hal.is_taken_over()
    client.sets(config(album.uid, 300, direct_access=False)).sets()
    check(effective(album, client) == 1100, "a uid without a config has priority 1000, and direct access")


@covers("HAL: a refused call leaves the table as it was")
@needs("service", "hal-client", "inference", "many-uids")
@pytest.mark.parametrize("call", ["set", "update"])
def test_refused_table_changes_nothing(npu: Npu, call: str) -> None:
    album, client = npu.app("album"), npu.hal.is_taken_over()
    client.sets(config(album.uid, 300))
    with npu.refuses(IllegalArgumentException):
        (client.sets if call == "set" else client.updates)(config(album.uid, 200), config(20001, -1))
    check(effective(album, client) == 400, "the uid's priority is still 300")


@covers("HAL: 0 and 1000 are priorities")
@needs("service", "hal-client", "inference", "many-uids")
@pytest.mark.parametrize("priority", [0, 1000])
def test_ends_of_the_scale_are_on_it(npu: Npu, priority: int) -> None:
    album, client = npu.app("album"), npu.hal.is_taken_over()
    client.sets(config(album.uid, priority))
    check(effective(album, client) == priority + 100, "the priority counts")


@covers(f"{VTS}: without direct access an inference fails")
@needs("service", "hal-client", "inference", "many-uids")
def test_no_direct_access_no_inference(npu: Npu) -> None:
    album, client = npu.app("album"), npu.hal.is_taken_over()
    client.sets(config(album.uid, direct_access=False)).listens()
    album.is_refused_work()
    client.updates(config(album.uid, direct_access=True))
    album.finishes_work()
    client.expect(*ONE_JOB)


@covers("HAL: without direct access, work still runs through an intermediary")
@needs("service", "hal-client", "inference", "many-uids")
def test_intermediary_works_for_who_has_no_direct_access(npu: Npu) -> None:
    album, runtime, client = npu.app("album"), npu.app("runtime"), npu.hal.is_taken_over()
    client.sets(config(album.uid, 300, direct_access=False), config(runtime.uid, may_attribute=True))
    client.listens()
    runtime.finishes_work(original_uid=album.uid)
    client.expect(*ONE_JOB)


@covers(f"{VTS}: attribution without the right fails")
@needs("service", "hal-client", "inference", "many-uids")
def test_no_right_to_attribute_no_inference(npu: Npu) -> None:
    album, runtime, client = npu.app("album"), npu.app("runtime"), npu.hal.is_taken_over()
    client.sets(config(album.uid), config(runtime.uid, may_attribute=False)).listens()
    runtime.is_refused_work(original_uid=album.uid)
    client.expect()


@covers("HAL: attributed work names both uids and has the priority of the one in whose name it is")
@needs("service", "hal-client", "inference", "many-uids")
def test_attributed_work_is_the_others(npu: Npu) -> None:
    album, runtime, client = npu.app("album"), npu.app("runtime"), npu.hal.is_taken_over()
    client.sets(config(album.uid, 700), config(runtime.uid, 100, may_attribute=True)).listens()
    runtime.finishes_work(original_uid=album.uid, job_priority=5)
    for report in client.expect(*ONE_JOB):
        check(
            (report.info.uid, report.info.originalUid) == (runtime.uid, album.uid), "who works, and for whom"
        )
        check(report.info.effectivePriority == 705, "the priority is that of the one in whose name it is")


@covers("HAL: to name oneself is no attribution")
@needs("service", "hal-client", "inference", "many-uids")
def test_own_name_needs_no_right(npu: Npu) -> None:
    album, client = npu.app("album"), npu.hal.is_taken_over()
    client.sets(config(album.uid, may_attribute=False)).listens()
    album.finishes_work(original_uid=album.uid)
    client.expect(*ONE_JOB)


@covers("HAL: a bad parcel is refused, and nothing else happens")
@needs("service", "hal-client", "inference", "many-uids")
def test_bad_parcels_are_refused(npu: Npu) -> None:
    album, client = npu.app("album"), npu.hal.is_taken_over()
    client.sets(config(album.uid, 300)).sends_garbage()
    check(effective(album, client) == 400, "the table is as it was")


@covers("HAL: tells version 1 and its hash")
@needs("service", "hal-client")
def test_hal_tells_its_version(npu: Npu) -> None:
    hal = npu.hal.is_taken_over().hal
    check(hal.getInterfaceVersion() == 1, f"the version is 1, not {hal.getInterfaceVersion()}")
    check(hal.getInterfaceHash() == IScheduling.aidl.hash, f"hash {hal.getInterfaceHash()} is version 1's")


@covers(f"{VTS}: a device that declares the feature has the HAL")
@needs("service", "hal-client")
def test_declared_feature_has_a_hal(npu: Npu) -> None:
    if not npu.session.declares_npu():
        pytest.skip("the device does not declare the feature android.hardware.npu")
    check(npu.hal.is_taken_over().binder.is_alive(), "the HAL is there")
