"""StatusQuo: no arbitration; everybody may load, as before there was an NPU Manager."""

from __future__ import annotations

from harness.vocabulary import (
    BUDGET,
    CAN_LOAD_NOW,
    CANCELLED,
    GREATER_THAN_2G,
    STATUS_QUO,
    Npu,
    check,
    covers,
    needs,
)


@covers("CTS CtsNpuModelManagerTest: status-quo grant, then cancel")
@needs("service", "callbacks")
def test_grant_then_cancel(npu: Npu) -> None:
    npu.policy(STATUS_QUO)
    request = npu.app("album").request(id=54)
    request.expect(CAN_LOAD_NOW)
    request.cancel().expect_complete(CANCELLED)


@covers("StatusQuo: answers CAN_LOAD_NOW at once, always")
@needs("service", "callbacks", "many-uids")
def test_everybody_may_load_at_once(npu: Npu) -> None:
    npu.policy(STATUS_QUO)
    for label in ("album", "assistant", "camera"):
        npu.app(label).request(GREATER_THAN_2G).load().expect_nothing()


@covers("StatusQuo: an unload completes the request")
@needs("service", "callbacks")
def test_unload_completes(npu: Npu) -> None:
    npu.policy(STATUS_QUO)
    npu.app("album").request().load().unload().expect_nothing()


@covers("StatusQuo: is the policy of a device that has just started")
@needs("service", "shell", "restart")
def test_is_the_default(npu: Npu) -> None:
    npu.policy(BUDGET)
    npu.restarts()
    check("Policy: statusquo" in npu.dump(), "nobody has set a policy since the start")


@covers("StatusQuo: an end is told once")
@needs("service", "callbacks")
def test_ends_once(npu: Npu) -> None:
    npu.policy(STATUS_QUO)
    request = npu.app("album").request()
    request.expect(CAN_LOAD_NOW).cancel().expect_complete(CANCELLED)
    request.cancel().report_unloaded().expect_nothing()


@covers("StatusQuo: an unload completes a request that was never reported as loaded")
@needs("service", "callbacks")
def test_unload_completes_without_a_report(npu: Npu) -> None:
    npu.policy(STATUS_QUO)
    npu.app("album").request().expect(CAN_LOAD_NOW).unload().expect_nothing()


@covers("StatusQuo: importance and finished work change nothing")
@needs("service", "callbacks", "many-uids", "inference")
def test_ignores_importance_and_work(npu: Npu) -> None:
    npu.policy(STATUS_QUO)
    album, assistant = npu.app("album"), npu.app("assistant")
    held = album.request(GREATER_THAN_2G).load()
    assistant.in_foreground().request(GREATER_THAN_2G).load()
    album.in_background().finishes_work()
    held.expect_nothing()


@covers("StatusQuo: a client's death ends its requests without a word")
@needs("service", "callbacks", "many-uids")
def test_survives_a_dead_client(npu: Npu) -> None:
    npu.policy(STATUS_QUO)
    album, assistant = npu.app("album"), npu.app("assistant")
    album.request().load()
    album.dies()
    assistant.request().load().unload()
