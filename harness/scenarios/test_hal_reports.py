"""What the HAL tells of work: which events, in what order, and what debouncing leaves out."""

from __future__ import annotations

import pytest

from harness.hal_client import (
    CANCELLED_SYSTEM,
    CANCELLED_USER,
    COMPLETED,
    FAILED,
    PAUSED,
    REQUESTED,
    RESUMED,
    STARTED,
    config,
)
from harness.vocabulary import Npu, check, covers, needs

ONE_JOB = (REQUESTED, STARTED, COMPLETED)
VTS = "VTS VtsHalNpuSchedulingTargetTest"


@covers(f"{VTS}: a callback may be set")
@needs("service", "hal-client")
def test_callback_may_be_set(npu: Npu) -> None:
    npu.hal.is_taken_over().listens().expect()


@covers(f"{VTS}: a null callback is legal")
@needs("service", "hal-client", "inference")
def test_null_callback_is_legal(npu: Npu) -> None:
    album, client = npu.app("album"), npu.hal.is_taken_over().listens()
    client.stops_listening()
    album.finishes_work()
    client.expect()


@covers(f"{VTS}: one inference gives exactly requested, started and ended")
@needs("service", "hal-client", "inference")
def test_one_inference_gives_three_events(npu: Npu) -> None:
    album, client = npu.app("album"), npu.hal.is_taken_over()
    client.sets(config(album.uid, 300)).listens()
    album.finishes_work(job_priority=7)
    infos = [report.info for report in client.expect(*ONE_JOB)]
    ids, times = [info.id for info in infos], [info.timestampMs for info in infos]
    check(ids == sorted(ids), f"ids do not fall: {ids}")
    check(times == sorted(times), f"times do not fall: {times}")
    for info in infos:
        check(info.jobPriority == 7, f"the job priority is 7 as asked for, not {info.jobPriority}")
        check(info.effectivePriority >= 300, "the effective priority is at least the uid's")
        check(info.uid == album.uid, "the uid is the app's")
        check(info.originalUid in (-1, album.uid), "no other uid is named")
        check(info.deviceNumber >= 0, "devices count from 0")


@covers(f"{VTS}: a higher job priority gives a lower effective number")
@needs("service", "hal-client", "inference")
def test_higher_job_priority_gives_a_lower_number(npu: Npu) -> None:
    album, client = npu.app("album"), npu.hal.is_taken_over()
    numbers = []
    for job_priority in (0, 500, 1000):
        client.sets(config(album.uid, 300)).listens()
        album.finishes_work(job_priority=job_priority)
        numbers.append(client.expect(*ONE_JOB)[0].info.effectivePriority)
    check(numbers == sorted(numbers) and len(set(numbers)) == 3, f"0 comes before 500 and 1000: {numbers}")


@covers("HAL: one callback only; a later call replaces it")
@needs("service", "hal-client", "inference")
def test_later_callback_replaces_the_earlier(npu: Npu) -> None:
    album, first, second = npu.app("album"), npu.hal.is_taken_over(), npu.hal.is_taken_over()
    first.listens()
    second.listens()
    album.finishes_work()
    second.expect(*ONE_JOB)
    first.expect()


@covers("HAL: a dead callback is forgotten, and another may be set")
@needs("service", "hal-client", "inference")
def test_dead_callback_is_forgotten(npu: Npu) -> None:
    album, first, second = npu.app("album"), npu.hal.is_taken_over(), npu.hal.is_taken_over()
    first.listens().process.kill()
    album.finishes_work()
    second.listens()
    album.finishes_work()
    second.expect(*ONE_JOB)


@covers("HAL: the end of work that failed says so")
@needs("service", "hal-client", "inference")
def test_failed_work_ends_as_failed(npu: Npu) -> None:
    album, client = npu.app("album"), npu.hal.is_taken_over().listens()
    album.fails_work()
    client.expect(REQUESTED, STARTED, FAILED)


@covers("HAL: work that its client takes back ends as CANCELLED_USER, whether it runs or waits")
@needs("service", "hal-client", "inference", "cancellation", "many-uids")
def test_cancelled_work_ends_as_cancelled(npu: Npu) -> None:
    album, camera, client = npu.app("album"), npu.app("camera"), npu.hal.is_taken_over()
    client.sets(config(album.uid, 300), config(camera.uid, 300)).listens()
    album.starts_work(seconds=30.0)
    camera.starts_work(seconds=30.0).cancels_work()
    client.expect(REQUESTED, STARTED, REQUESTED, CANCELLED_USER)
    album.cancels_work()
    client.expect(REQUESTED, STARTED, REQUESTED, CANCELLED_USER, CANCELLED_USER)


@covers("HAL preemption: who makes way is PAUSED and RESUMED later, as the same job")
@needs("service", "hal-client", "inference", "many-uids")
def test_preempted_work_is_paused_and_resumed(npu: Npu) -> None:
    album, assistant, client = npu.app("album"), npu.app("assistant"), npu.hal.is_taken_over()
    client.sets(config(album.uid, 400), config(assistant.uid, 100)).listens()
    album.starts_work(seconds=0.4)
    assistant.starts_work(seconds=0.2)
    npu.finished_work(2, within=30.0)
    reports = client.expect(REQUESTED, STARTED, REQUESTED, PAUSED, STARTED, RESUMED, COMPLETED, COMPLETED)
    by_uid = [report.info.uid == album.uid for report in reports]
    check(by_uid == [True, True, False, True, False, True, False, True], "whose events they are")


@covers("HAL preemption: is a HAL's own choice; without it, the more important job is next")
@needs("service", "hal", "hal-client", "hal-kinds", "inference", "many-uids")
def test_without_preemption_work_is_not_interrupted(npu: Npu) -> None:
    npu.hal.dies()
    npu.hal.comes_back(preemption="none")
    album, camera, assistant = (npu.app(label) for label in ("album", "camera", "assistant"))
    client = npu.hal.is_taken_over()
    client.sets(config(album.uid, 400), config(camera.uid, 300), config(assistant.uid, 100)).listens()
    for app in (album, camera, assistant):
        app.starts_work(seconds=0.2)
    check(npu.finished_work(3, within=30.0) == ["album", "assistant", "camera"], "the order of their ends")
    check(PAUSED not in [report.what for report in client.heard], "nobody was paused")


@covers("HAL preemption: a job that is preempted for good ends as CANCELLED_SYSTEM")
@needs("service", "hal", "hal-client", "hal-kinds", "inference", "many-uids")
def test_work_may_be_preempted_for_good(npu: Npu) -> None:
    npu.hal.dies()
    npu.hal.comes_back(preemption="cancel")
    album, assistant, client = npu.app("album"), npu.app("assistant"), npu.hal.is_taken_over()
    client.sets(config(album.uid, 400), config(assistant.uid, 100)).listens()
    album.starts_work(seconds=30.0)
    assistant.starts_work(seconds=0.2)
    client.expect(REQUESTED, STARTED, REQUESTED, STARTED, CANCELLED_SYSTEM, COMPLETED)
    check(npu.finished_work(1, within=30.0) == ["assistant"], "only one was done")


@covers("HAL debouncing: a request while work of the uid is going on is suppressed, and its start with it")
@needs("service", "hal-client", "inference")
def test_request_while_work_goes_on_is_suppressed(npu: Npu) -> None:
    album, client = npu.app("album"), npu.hal.is_taken_over().listens()
    for _ in range(3):
        album.starts_work(seconds=0.1)
    npu.finished_work(3, within=30.0)
    client.expect(*ONE_JOB)


@covers("HAL debouncing: a request less than 50 ms after the uid's last end is suppressed, a later one not")
@needs("service", "hal-client", "inference", "virtual-time")
@pytest.mark.parametrize(("gap", "bursts"), [(0.0, 1), (0.049, 1), (0.051, 2), (0.5, 2)])
def test_requests_are_suppressed_for_50_ms(npu: Npu, gap: float, bursts: int) -> None:
    album, client = npu.app("album"), npu.hal.is_taken_over().listens()
    album.works_briefly()
    npu.session.advance(gap)
    album.finishes_work()
    client.expect(*ONE_JOB * bursts)


@covers("HAL debouncing: an end is told when 50 ms have passed without a new request of the uid")
@needs("service", "hal-client", "inference", "virtual-time")
@pytest.mark.parametrize(("after", "told"), [(0.049, False), (0.051, True)])
def test_ends_are_told_after_50_ms(npu: Npu, after: float, told: bool) -> None:
    album, client = npu.app("album"), npu.hal.is_taken_over().listens()
    album.works_briefly()
    npu.session.advance(after)
    check((COMPLETED in [report.what for report in client.heard]) is told, "when the end is told")


@covers("HAL debouncing: inferences that are far apart are all told")
@needs("service", "hal-client", "inference")
def test_inferences_far_apart_are_all_told(npu: Npu) -> None:
    album, client = npu.app("album"), npu.hal.is_taken_over().listens()
    for _ in range(3):
        album.finishes_work()
        npu.session.advance(0.2)
    client.expect(*ONE_JOB * 3)


@covers("HAL debouncing: is by uid; one app's work does not hide another's")
@needs("service", "hal-client", "inference", "many-uids")
def test_uids_do_not_hide_each_other(npu: Npu) -> None:
    album, camera, client = npu.app("album"), npu.app("camera"), npu.hal.is_taken_over().listens()
    album.starts_work(seconds=0.1)
    camera.starts_work(seconds=0.1)
    npu.finished_work(2, within=30.0)
    npu.session.advance(0.2)
    for app in (album, camera):
        told = [report.what for report in client.heard if report.info.uid == app.uid]
        check(told == list(ONE_JOB), f"{app.label} has three events, not {told}")


@covers("HAL debouncing: a burst ends as its last job ended")
@needs("service", "hal-client", "inference", "virtual-time")
def test_burst_ends_as_its_last_job(npu: Npu) -> None:
    album, client = npu.app("album"), npu.hal.is_taken_over().listens()
    album.works_briefly()
    album.fails_work()
    client.expect(REQUESTED, STARTED, FAILED)


@covers("HAL events: ids rise and times do not fall over everything that is told")
@needs("service", "hal-client", "inference", "many-uids")
def test_ids_rise_over_everything(npu: Npu) -> None:
    apps, client = [npu.app(f"app{number}") for number in range(3)], npu.hal.is_taken_over().listens()
    for number in range(6):
        apps[number % 3].starts_work(seconds=0.05, job_priority=100 * number)
    npu.finished_work(6, within=30.0)
    npu.session.advance(0.2)
    infos = [report.info for report in client.heard]
    ids, times = [info.id for info in infos], [info.timestampMs for info in infos]
    check(len(ids) >= 9 and ids == sorted(ids), f"ids rise: {ids}")
    check(times == sorted(times), f"times do not fall: {times}")


@covers("HAL debouncing: who works in two names has a burst for each")
@needs("service", "hal-client", "inference", "many-uids")
def test_names_do_not_hide_each_other(npu: Npu) -> None:
    album, camera, runtime = (npu.app(label) for label in ("album", "camera", "runtime"))
    client = npu.hal.is_taken_over()
    client.sets(config(runtime.uid, may_attribute=True)).listens()
    for app in (album, camera):
        runtime.starts_work(seconds=0.1, original_uid=app.uid)
    npu.finished_work(2, within=30.0)
    npu.session.advance(0.2)
    for app in (album, camera):
        told = [report.what for report in client.heard if report.info.originalUid == app.uid]
        check(told == list(ONE_JOB), f"work for {app.label} has three events, not {told}")
