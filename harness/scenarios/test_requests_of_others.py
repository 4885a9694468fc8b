"""Who may say what about whose request."""

from __future__ import annotations

from harness.requests import Request
from harness.vocabulary import (
    BUDGET,
    CAN_LOAD_NOW,
    CANCELLED,
    GREATER_THAN_2G,
    NOT_PRIORITIZED,
    STATUS_QUO,
    Npu,
    check,
    covers,
    needs,
)


@covers("Budget: cancel, loaded and unloaded of an unknown request are ignored")
@needs("service", "callbacks")
def test_unknown_requests_are_ignored(npu: Npu) -> None:
    npu.policy(BUDGET)
    album = npu.app("album")
    known = album.request(GREATER_THAN_2G).load()
    stranger = Request(album, known.parcelable.__class__(id=999))
    stranger.cancel().report_loaded().report_unloaded()
    stranger.expect_nothing()
    known.expect_nothing()


@covers("Budget: calls about a request that another uid owns are ignored")
@needs("service", "callbacks", "many-uids")
def test_foreign_requests_are_ignored(npu: Npu) -> None:
    npu.policy(BUDGET)
    held = npu.app("album").request(GREATER_THAN_2G, id=5).load()
    impostor = Request(npu.app("camera"), held.parcelable)
    impostor.cancel().report_unloaded()
    impostor.expect_nothing()
    held.expect_nothing()
    npu.app("assistant").request(GREATER_THAN_2G).expect(NOT_PRIORITIZED)


@covers("StatusQuo: cancel and unload of an unknown request are ignored")
@needs("service", "callbacks", "many-uids")
def test_status_quo_ignores_foreign_requests(npu: Npu) -> None:
    npu.policy(STATUS_QUO)
    held = npu.app("album").request(id=5).load()
    impostor = Request(npu.app("camera"), held.parcelable)
    impostor.cancel().report_unloaded().expect_nothing()
    held.cancel().expect_complete(CANCELLED)


@covers("divergence: two apps may use the same id, size and priority")
@needs("service", "callbacks", "many-uids")
def test_same_request_of_two_apps(npu: Npu) -> None:
    npu.policy(BUDGET, maxBudget=8)
    first = npu.app("album").request(GREATER_THAN_2G, id=7).load()
    second = npu.app("camera").request(GREATER_THAN_2G, id=7).load()
    npu.app("assistant").request(GREATER_THAN_2G, id=7).expect(NOT_PRIORITIZED).cancel().expect_complete(
        CANCELLED
    )
    first.unload()
    second.expect_nothing().unload()


@covers("Budget: a second canLoadModel with the same id replaces the first")
@needs("service", "callbacks")
def test_second_request_replaces_the_first(npu: Npu) -> None:
    npu.policy(BUDGET)
    album = npu.app("album")
    first = album.request(GREATER_THAN_2G, id=3)
    first.expect(CAN_LOAD_NOW)
    second = album.request(GREATER_THAN_2G, id=3)
    second.load().unload()
    check(
        first.unread() is None or "Complete" in str(first.unread()),
        "the first callback hears at most that it is over",
    )
    if first.unread() is not None:
        first.expect_complete(CANCELLED)


@covers("Budget: an app that reports loaded without a grant makes somebody give way")
@needs("service", "callbacks", "many-uids")
def test_loading_against_the_answer(npu: Npu) -> None:
    npu.policy(BUDGET)
    npu.app("assistant").in_foreground().request(GREATER_THAN_2G).load()
    lost = npu.app("album").in_background().request(GREATER_THAN_2G)
    lost.expect(NOT_PRIORITIZED).report_loaded()
    lost.expect_unload_request().unload()
