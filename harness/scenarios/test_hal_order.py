"""In what order the NPU works: by effective priority, then arrival, on as many devices as there are."""

from __future__ import annotations

from harness.hal_client import REQUESTED, config
from harness.vocabulary import Npu, check, covers, needs

VTS = "VTS VtsHalNpuSchedulingTargetTest"

LONG = 2.0
"""So many seconds a job takes that has to be there yet when others arrive, on a slow device, too."""


@covers(f"{VTS}: a later job of high priority finishes before an earlier one of low priority")
@needs("service", "hal-client", "inference", "many-uids")
def test_later_urgent_job_finishes_first(npu: Npu) -> None:
    album, camera, client = npu.app("album"), npu.app("camera"), npu.hal.is_taken_over()
    client.sets(config(album.uid, 300), config(camera.uid, 300))
    album.starts_work(seconds=LONG, job_priority=1000)
    camera.starts_work(seconds=0.3, job_priority=0)
    check(npu.finished_work(2, within=30.0) == ["camera", "album"], "the urgent job ends first")


@covers("HAL: jobs of one effective priority run in the order of their arrival")
@needs("service", "hal-client", "inference", "many-uids")
def test_equals_run_in_order_of_arrival(npu: Npu) -> None:
    labels = ["album", "camera", "music", "notes"]
    apps, client = [npu.app(label) for label in labels], npu.hal.is_taken_over()
    # What the uid lacks the job makes up for.
    client.sets(*(config(app.uid, 200 + 100 * number) for number, app in enumerate(apps)))
    for number, app in enumerate(apps):
        app.starts_work(seconds=0.2, job_priority=500 - 100 * number)
    check(npu.finished_work(4, within=30.0) == labels, "first come, first served")


@covers("HAL: work that waits is ordered by the table as it is, not as it was")
@needs("service", "hal-client", "inference", "many-uids")
def test_table_reorders_what_waits(npu: Npu) -> None:
    apps, client = [npu.app(label) for label in ("album", "camera", "music")], npu.hal.is_taken_over()
    client.sets(*(config(app.uid, 300) for app in apps))
    for app, seconds in zip(apps, (LONG, 0.3, 0.3), strict=True):
        app.starts_work(seconds=seconds)
    client.updates(config(apps[2].uid, 200))
    check(npu.finished_work(3, within=30.0)[1:] == ["music", "camera"], "the last one overtakes")


@covers("HAL: several devices work side by side, and reports say which")
@needs("service", "hal", "hal-client", "hal-kinds", "inference", "many-uids")
def test_devices_work_side_by_side(npu: Npu) -> None:
    npu.hal.dies()
    npu.hal.comes_back(devices=2)
    album, camera, client = npu.app("album"), npu.app("camera"), npu.hal.is_taken_over().listens()
    album.starts_work(seconds=LONG)
    camera.starts_work(seconds=0.3)
    check(npu.finished_work(2, within=30.0) == ["camera", "album"], "nobody waits for the other")
    used = {report.info.uid: report.info.deviceNumber for report in client.heard if report.what != REQUESTED}
    check(sorted(used.values()) == [0, 1], f"two devices, counted from 0: {used}")


@covers("inference: the foreground comes first, then the others in order of importance")
@needs("service", "inference", "many-uids", "graded-importance")
def test_work_runs_in_order_of_importance(npu: Npu) -> None:
    apps = [
        npu.app("album").in_background(),
        npu.app("music").at("foreground service"),
        npu.app("camera").at("visible"),
        npu.app("assistant").in_foreground(),
    ]
    for app, seconds in zip(apps, (LONG, 0.5, 0.4, 0.3), strict=True):
        app.starts_work(seconds=seconds)
    finished = npu.finished_work(4, within=60.0)
    check(finished == ["assistant", "music", "camera", "album"], f"the most important first, not {finished}")


@covers("inference: an app that comes to the foreground overtakes those that wait")
@needs("service", "inference", "many-uids", "two-in-front")
def test_app_that_comes_forward_overtakes(npu: Npu) -> None:
    clock = npu.app("clock").in_foreground()
    album, camera = (npu.app(label).in_background() for label in ("album", "camera"))
    clock.starts_work(seconds=LONG)
    for app in (album, camera):
        app.starts_work(seconds=0.3)
    camera.in_foreground()
    npu.session.settle()
    check(npu.finished_work(3, within=60.0) == ["clock", "camera", "album"], "who is in front is next")


@covers("inference: an app that leaves the foreground is paused for the one that comes")
@needs("service", "inference", "many-uids")
def test_work_follows_the_user(npu: Npu) -> None:
    album, assistant = npu.app("album").in_foreground(), npu.app("assistant").in_background()
    album.starts_work(seconds=LONG)
    album.in_background()
    assistant.in_foreground()
    npu.session.settle()
    assistant.starts_work(seconds=0.3)
    check(npu.finished_work(2, within=60.0) == ["assistant", "album"], "the foreground app's work ends first")


@covers("inference: work in a foreground app's name is as urgent as its own")
@needs("service", "packages", "inference", "many-uids")
def test_work_for_the_foreground_is_urgent(npu: Npu) -> None:
    runtime = npu.app("runtime", permissions=["android.permission.ATTRIBUTE_WORK_TO_OTHER_APPS"])
    assistant, album = npu.app("assistant").in_foreground(), npu.app("album").in_background()
    album.starts_work(seconds=LONG)
    runtime.starts_work(seconds=0.3, original_uid=assistant.uid)
    check(npu.finished_work(2, within=60.0) == ["runtime", "album"], "it runs before the background app's")
