"""Every arc of a request's life, and every way it can end."""

from __future__ import annotations

from harness.vocabulary import (
    BUDGET,
    CAN_LOAD_NOW,
    CANCELLED,
    COMPLETE,
    GREATER_THAN_2G,
    NOT_PRIORITIZED,
    TURN_TAKING,
    WAIT_FOR_UNLOAD,
    Npu,
    check,
    covers,
    needs,
)


@covers("request states: pending -> loaded -> unloading -> complete")
@needs("service", "callbacks", "many-uids")
def test_pending_loaded_unloading_complete(npu: Npu) -> None:
    npu.policy(TURN_TAKING)
    request = npu.app("album").request()
    request.expect(CAN_LOAD_NOW).report_loaded()
    npu.app("assistant").in_foreground().request().expect(WAIT_FOR_UNLOAD).cancel().expect_complete(CANCELLED)
    request.expect_unload_request().report_unloaded().expect_complete(COMPLETE).expect_nothing()


@covers("request states: pending -> not prioritized -> pending -> loaded")
@needs("service", "callbacks", "many-uids")
def test_not_prioritized_gets_another_chance(npu: Npu) -> None:
    npu.policy(TURN_TAKING)
    held = npu.app("assistant").in_foreground().request().load()
    request = npu.app("album").request()
    request.expect(NOT_PRIORITIZED)
    held.unload()
    request.load().unload()


@covers("request states: pending -> wait for unload -> loaded")
@needs("service", "callbacks", "many-uids")
def test_wait_for_unload_ends_in_loaded(npu: Npu) -> None:
    npu.policy(TURN_TAKING)
    held = npu.app("album").request().load()
    request = npu.app("assistant").in_foreground().request()
    request.expect(WAIT_FOR_UNLOAD)
    held.give_way()
    request.load().unload()


@covers("request states: pending -> cancelled")
@needs("service", "callbacks")
def test_cancel_while_pending(npu: Npu) -> None:
    npu.policy(BUDGET)
    album = npu.app("album")
    album.request(GREATER_THAN_2G).expect(CAN_LOAD_NOW).cancel().expect_complete(CANCELLED)
    album.request(GREATER_THAN_2G).load()


@covers("request states: not prioritized -> cancelled")
@needs("service", "callbacks", "many-uids")
def test_cancel_while_not_prioritized(npu: Npu) -> None:
    npu.policy(TURN_TAKING)
    held = npu.app("assistant").in_foreground().request().load()
    request = npu.app("album").request()
    request.expect(NOT_PRIORITIZED).cancel().expect_complete(CANCELLED)
    held.unload()
    request.expect_nothing()


@covers("request states: wait for unload -> cancelled; the freed slot goes to the next in rank")
@needs("service", "callbacks", "many-uids")
def test_cancel_while_waiting_for_an_unload(npu: Npu) -> None:
    npu.policy(TURN_TAKING)
    held = npu.app("album").request().load()
    waiting = npu.app("assistant").in_foreground().request()
    waiting.expect(WAIT_FOR_UNLOAD)
    lost = npu.app("camera").request()
    lost.expect(NOT_PRIORITIZED)
    waiting.cancel().expect_complete(CANCELLED)
    held.give_way()
    lost.load_in_the_end()


@covers("request states: loaded -> complete without having been asked")
@needs("service", "callbacks")
def test_unload_on_its_own_account(npu: Npu) -> None:
    npu.policy(BUDGET)
    npu.app("album").request(GREATER_THAN_2G).load().unload().expect_nothing()


@covers("terminal callback: nothing follows it, and calls about the request are ignored")
@needs("service", "callbacks")
def test_nothing_follows_the_end(npu: Npu) -> None:
    npu.policy(BUDGET)
    request = npu.app("album").request().load().unload()
    request.report_loaded().report_unloaded().cancel().expect_nothing()


@covers("client death while its request is pending")
@needs("service", "callbacks", "many-uids")
def test_death_while_pending(npu: Npu) -> None:
    npu.policy(TURN_TAKING)
    assistant = npu.app("assistant").in_foreground()
    assistant.request().expect(CAN_LOAD_NOW)
    waiting = npu.app("album").request()
    waiting.expect(NOT_PRIORITIZED)
    assistant.dies()
    waiting.load()


@covers("client death while its request is not prioritized")
@needs("service", "callbacks", "many-uids")
def test_death_while_not_prioritized(npu: Npu) -> None:
    npu.policy(TURN_TAKING)
    held = npu.app("assistant").in_foreground().request().load()
    album = npu.app("album")
    album.request().expect(NOT_PRIORITIZED)
    album.dies()
    held.expect_nothing().unload()
    npu.app("camera").request().load()


@covers("client death while it waits for an unload")
@needs("service", "callbacks", "many-uids")
def test_death_while_waiting_for_an_unload(npu: Npu) -> None:
    npu.policy(TURN_TAKING)
    held = npu.app("album").request().load()
    assistant = npu.app("assistant").in_foreground()
    assistant.request().expect(WAIT_FOR_UNLOAD)
    assistant.dies()
    held.give_way()
    npu.app("camera").request().load()


@covers("client death while it was asked to unload: whoever waits gets the slot")
@needs("service", "callbacks", "many-uids")
def test_death_while_asked_to_unload(npu: Npu) -> None:
    npu.policy(TURN_TAKING)
    album = npu.app("album")
    held = album.request().load()
    waiting = npu.app("assistant").in_foreground().request()
    waiting.expect(WAIT_FOR_UNLOAD)
    held.expect_unload_request()
    album.dies()
    waiting.load()


@covers("client death: all requests of the uid go")
@needs("service", "callbacks", "many-uids", "shell")
def test_death_takes_all_requests(npu: Npu) -> None:
    npu.policy(BUDGET)
    album = npu.app("album")
    for _ in range(4):
        album.request().load()
    album.dies()
    npu.app("camera").request(GREATER_THAN_2G).load()
    check(f"{album.uid} [" not in npu.dump().partition("Priorities:")[0], "no request of the dead is listed")
