"""What the service counts, and its stream of events; no public version has them."""

from __future__ import annotations

from typing import Any

from harness.vocabulary import (
    BUDGET,
    GREATER_THAN_2G,
    NOT_PRIORITIZED,
    SEVERE,
    TURN_TAKING,
    WAIT_FOR_UNLOAD,
    Npu,
    check,
    covers,
    needs,
)


def events(npu: Npu, *kinds: str) -> list[dict[str, Any]]:
    npu.session.settle()
    return [event for event in npu.metrics()["events"] if event["kind"] in kinds]


@covers("metrics: admissions, waits and evictions are events with uid and request")
@needs("service", "callbacks", "shell", "metrics", "many-uids")
def test_admissions_and_evictions_are_told(npu: Npu) -> None:
    npu.policy(BUDGET)
    album, assistant = npu.app("album"), npu.app("assistant").in_foreground()
    held = album.request(GREATER_THAN_2G, id=5).load()
    wanted = assistant.request(GREATER_THAN_2G, id=9)
    wanted.expect(WAIT_FOR_UNLOAD)
    held.give_way()
    wanted.load()
    told = events(npu, "admitted", "waiting", "evicted", "completed")
    check(
        [(event["kind"], event["uid"], event["id"]) for event in told]
        == [
            ("admitted", album.uid, 5),
            ("evicted", album.uid, 5),
            ("waiting", assistant.uid, 9),
            ("completed", album.uid, 5),
            ("admitted", assistant.uid, 9),
        ],
        "who was admitted, evicted and made to wait, in order",
    )


@covers("metrics: work is counted for the uid in whose name it is, with the reason of its end")
@needs("service", "shell", "metrics", "packages", "inference", "many-uids")
def test_work_is_told(npu: Npu) -> None:
    runtime = npu.app("runtime", permissions=["android.permission.ATTRIBUTE_WORK_TO_OTHER_APPS"])
    album = npu.app("album")
    runtime.finishes_work(original_uid=album.uid)
    album.fails_work()
    ends = [(event["uid"], event["detail"]) for event in events(npu, "work_ended")]
    check(ends == [(album.uid, "COMPLETED"), (album.uid, "FAILED")], f"ends of work: {ends}")


@covers("metrics: the dump shows the counts")
@needs("service", "callbacks", "shell", "metrics", "many-uids")
def test_dump_shows_counts(npu: Npu) -> None:
    npu.policy(TURN_TAKING)
    npu.app("album").request().load()
    npu.app("camera").request().expect(NOT_PRIORITIZED)
    for line in ("Metrics:", "    admitted 1", "    not_prioritized 1", "    policy 1"):
        check(line in npu.dump().splitlines(), f"the dump has a line {line!r}")


@covers("metrics: policies, heat and the HAL's comings and goings are events")
@needs("service", "shell", "metrics", "thermal", "hal")
def test_surroundings_are_told(npu: Npu) -> None:
    npu.policy(BUDGET)
    npu.heats_up(SEVERE)
    npu.hal.dies()
    npu.hal.comes_back()
    told = [event["kind"] for event in events(npu, "policy", "thermal", "hal")]
    check(told[-4:] == ["policy", "thermal", "hal", "hal"], f"in order, not {told}")
