"""Who may say what about whose request."""

from __future__ import annotations

from harness.requests import Request
from harness.vocabulary import (
    BETWEEN_1GB_AND_2GB,
    BUDGET,
    CAN_LOAD_NOW,
    CANCELLED,
    COMPLETE,
    GREATER_THAN_2G,
    LESS_THAN_1GB,
    NOT_PRIORITIZED,
    STATUS_QUO,
    Npu,
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
    first.may_be_complete(CANCELLED)


@covers("Budget: an app that reports loaded without a grant makes somebody give way")
@needs("service", "callbacks", "many-uids")
def test_loading_against_the_answer(npu: Npu) -> None:
    npu.policy(BUDGET)
    npu.app("assistant").in_foreground().request(GREATER_THAN_2G).load()
    lost = npu.app("album").in_background().request(GREATER_THAN_2G)
    lost.expect(NOT_PRIORITIZED).report_loaded()
    lost.expect_unload_request().unload()


@covers("Budget: a request that is replaced frees what it held")
@needs("service", "callbacks", "many-uids")
def test_smaller_replacement_frees_budget(npu: Npu) -> None:
    npu.policy(BUDGET)
    album = npu.app("album")
    large = album.request(GREATER_THAN_2G, id=3)
    large.expect(CAN_LOAD_NOW)
    album.request(BETWEEN_1GB_AND_2GB, id=3).load()
    large.may_be_complete(CANCELLED)
    npu.app("camera").request(BETWEEN_1GB_AND_2GB).load()


@covers("Budget: a request that lost may be replaced by one that fits")
@needs("service", "callbacks", "many-uids")
def test_replacement_that_fits_is_granted(npu: Npu) -> None:
    npu.policy(BUDGET)
    npu.app("assistant").in_foreground().request(BETWEEN_1GB_AND_2GB).load()
    album = npu.app("album")
    lost = album.request(GREATER_THAN_2G, id=3)
    lost.expect(NOT_PRIORITIZED)
    album.request(BETWEEN_1GB_AND_2GB, id=3).load().unload()
    lost.may_be_complete(CANCELLED)


@covers("StatusQuo: a second canLoadModel with the same id is answered as well")
@needs("service", "callbacks")
def test_status_quo_answers_a_replacement(npu: Npu) -> None:
    npu.policy(STATUS_QUO)
    album = npu.app("album")
    first = album.request(id=3).load()
    album.request(id=3).load().unload()
    first.may_be_complete(CANCELLED)


@covers("requests belong to a uid: another process of the same app may report and end them")
@needs("service", "callbacks", "many-uids", "packages")
def test_another_process_of_the_app_may_unload(npu: Npu) -> None:
    npu.policy(BUDGET)
    album = npu.app("album")
    held = album.request(GREATER_THAN_2G, id=5).load()
    helper = Request(npu.app("helper", shares_uid_with=album), held.parcelable)
    helper.report_unloaded()
    held.expect_complete(COMPLETE)
    npu.app("camera").request(GREATER_THAN_2G).load()


@covers("client death: all requests of the uid go, those of its other processes too")
@needs("service", "callbacks", "many-uids", "packages")
def test_death_of_one_process_ends_the_requests_of_its_uid(npu: Npu) -> None:
    npu.policy(BUDGET)
    album = npu.app("album")
    helper = npu.app("helper", shares_uid_with=album)
    album.request(BETWEEN_1GB_AND_2GB, id=1).load()
    other = helper.request(BETWEEN_1GB_AND_2GB, id=2).load()
    album.dies()
    npu.app("camera").request(GREATER_THAN_2G).load()
    other.report_unloaded().expect_nothing()


@covers("Budget: what a replacement frees is offered to those who wait")
@needs("service", "callbacks", "many-uids")
def test_replacement_serves_who_waits(npu: Npu) -> None:
    npu.policy(BUDGET)
    album = npu.app("album")
    large = album.request(GREATER_THAN_2G, id=3).expect(CAN_LOAD_NOW)
    waiting = npu.app("camera").request(BETWEEN_1GB_AND_2GB).expect(NOT_PRIORITIZED)
    album.request(BETWEEN_1GB_AND_2GB, id=3).load()
    large.may_be_complete(CANCELLED)
    waiting.load()


@covers("divergence: another app's request weighs on the budget, even with the caller's id")
@needs("service", "callbacks", "many-uids")
def test_same_id_of_two_apps_weighs_twice(npu: Npu) -> None:
    npu.policy(BUDGET)
    held = npu.app("album").request(GREATER_THAN_2G, id=7).load()
    npu.app("camera").request(LESS_THAN_1GB, id=7).expect(NOT_PRIORITIZED)
    held.expect_nothing()
