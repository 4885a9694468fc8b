"""Budget among several apps: whom a request takes from, and what a change of importance does."""

from __future__ import annotations

from harness.vocabulary import (
    BACKGROUND,
    BETWEEN_1GB_AND_2GB,
    BUDGET,
    CAN_LOAD_NOW,
    CANCELLED,
    GREATER_THAN_2G,
    LESS_THAN_1GB,
    NORMAL,
    NOT_PRIORITIZED,
    WAIT_FOR_UNLOAD,
    Npu,
    check,
    covers,
    needs,
)


@covers("Budget tie-break: skips an equal that never worked and takes from one that did")
@needs("service", "callbacks", "many-uids", "inference")
def test_takes_from_the_equal_that_worked(npu: Npu) -> None:
    npu.policy(BUDGET)
    idle = npu.app("album").request(BETWEEN_1GB_AND_2GB).load()
    camera = npu.app("camera")
    busy = camera.request(BETWEEN_1GB_AND_2GB).load()
    camera.finishes_work()
    wanted = npu.app("music").request(BETWEEN_1GB_AND_2GB)
    wanted.expect(WAIT_FOR_UNLOAD)
    busy.give_way()
    wanted.load()
    idle.expect_nothing()


@covers("Budget tie-break: equals that never worked keep what they have, however many they are")
@needs("service", "callbacks", "many-uids")
def test_several_equals_keep_their_models(npu: Npu) -> None:
    npu.policy(BUDGET)
    held = [npu.app(label).request(LESS_THAN_1GB).load() for label in ("album", "camera", "music", "notes")]
    npu.app("games").request(LESS_THAN_1GB).expect(NOT_PRIORITIZED)
    for request in held:
        request.expect_nothing()


@covers("Budget: if the equals that worked do not hold enough, nothing is touched")
@needs("service", "callbacks", "many-uids", "inference")
def test_equals_that_hold_too_little_are_left_alone(npu: Npu) -> None:
    npu.policy(BUDGET)
    idle = npu.app("album").request(BETWEEN_1GB_AND_2GB).load()
    camera = npu.app("camera")
    busy = camera.request(BETWEEN_1GB_AND_2GB).load()
    camera.finishes_work()
    npu.app("music").request(GREATER_THAN_2G).expect(NOT_PRIORITIZED)
    idle.expect_nothing()
    busy.expect_nothing()


@covers("Budget: takes from a less important app before an equal one that worked")
@needs("service", "callbacks", "many-uids", "inference", "two-in-front")
def test_takes_from_the_less_important_before_an_equal(npu: Npu) -> None:
    npu.policy(BUDGET)
    cached = npu.app("album").in_background().request(BETWEEN_1GB_AND_2GB).load()
    camera = npu.app("camera").in_foreground()
    equal = camera.request(BETWEEN_1GB_AND_2GB).load()
    camera.finishes_work()
    wanted = npu.app("assistant").in_foreground().request(BETWEEN_1GB_AND_2GB)
    wanted.expect(WAIT_FOR_UNLOAD)
    cached.give_way()
    wanted.load()
    equal.expect_nothing()


@covers("Budget: an app makes no room for itself, neither by unloading nor by cancelling")
@needs("service", "callbacks")
def test_no_app_makes_room_for_itself(npu: Npu) -> None:
    npu.policy(BUDGET)
    assistant = npu.app("assistant").in_foreground()
    loaded = assistant.request(BETWEEN_1GB_AND_2GB).load()
    granted = assistant.request(BETWEEN_1GB_AND_2GB)
    granted.expect(CAN_LOAD_NOW)
    assistant.request(LESS_THAN_1GB).expect(NOT_PRIORITIZED)
    loaded.expect_nothing()
    granted.expect_nothing()


@covers("Budget: the caller's own models are skipped, others below it are taken")
@needs("service", "callbacks", "many-uids")
def test_own_models_are_skipped(npu: Npu) -> None:
    npu.policy(BUDGET)
    assistant = npu.app("assistant").in_foreground()
    own = assistant.request(BETWEEN_1GB_AND_2GB).load()
    other = npu.app("album").in_background().request(BETWEEN_1GB_AND_2GB).load()
    wanted = assistant.request(BETWEEN_1GB_AND_2GB)
    wanted.expect(WAIT_FOR_UNLOAD)
    other.give_way()
    wanted.load()
    own.expect_nothing()


@covers("Budget: if only pending requests had to go, the caller may load at once")
@needs("service", "callbacks", "many-uids")
def test_several_pending_requests_are_cancelled(npu: Npu) -> None:
    npu.policy(BUDGET)
    pending = [npu.app(label).request(BETWEEN_1GB_AND_2GB) for label in ("album", "camera")]
    for request in pending:
        request.expect(CAN_LOAD_NOW)
    npu.app("assistant").in_foreground().request(GREATER_THAN_2G).load()
    for request in pending:
        request.expect_complete(CANCELLED).expect_nothing()


@covers("Budget re-evaluation: what does not fit is passed over, and something smaller is served")
@needs("service", "callbacks", "many-uids", "graded-importance")
def test_smaller_request_is_served_where_a_larger_does_not_fit(npu: Npu) -> None:
    npu.policy(BUDGET)
    npu.app("assistant").in_foreground().request(BETWEEN_1GB_AND_2GB).load()
    held = npu.app("music").at("perceptible").request(BETWEEN_1GB_AND_2GB).load()
    large = npu.app("camera").at("visible").request(GREATER_THAN_2G)
    large.expect(NOT_PRIORITIZED)
    medium = npu.app("album").in_background().request(BETWEEN_1GB_AND_2GB)
    medium.expect(NOT_PRIORITIZED)
    held.unload()
    medium.load()
    large.expect_nothing()


@covers("Budget re-evaluation: one freed slot serves as many as fit, in order of importance")
@needs("service", "callbacks", "many-uids", "graded-importance")
def test_freed_budget_serves_several(npu: Npu) -> None:
    npu.policy(BUDGET)
    held = npu.app("assistant").in_foreground().request(GREATER_THAN_2G).load()
    waiting = {
        label: npu.app(label).at(importance).request(BETWEEN_1GB_AND_2GB).expect(NOT_PRIORITIZED)
        for label, importance in (("album", "background"), ("camera", "visible"), ("music", "perceptible"))
    }
    held.unload()
    waiting["camera"].load()
    waiting["music"].load()
    waiting["album"].expect_nothing()


@covers("Budget re-evaluation: an app that becomes important displaces several at once")
@needs("service", "callbacks", "many-uids", "graded-importance")
def test_importance_displaces_several(npu: Npu) -> None:
    npu.policy(BUDGET)
    held = [npu.app(label).at("visible").request(BETWEEN_1GB_AND_2GB).load() for label in ("album", "camera")]
    assistant = npu.app("assistant").in_background()
    wanted = assistant.request(GREATER_THAN_2G)
    wanted.expect(NOT_PRIORITIZED)
    assistant.in_foreground()
    wanted.expect(WAIT_FOR_UNLOAD)
    for request in held:
        request.give_way()
    wanted.load()


@covers("Budget re-evaluation: a pending request outside the ideal set is cancelled")
@needs("service", "callbacks", "many-uids", "graded-importance")
def test_importance_cancels_a_pending_request(npu: Npu) -> None:
    npu.policy(BUDGET)
    granted = npu.app("album").at("visible").request(GREATER_THAN_2G)
    granted.expect(CAN_LOAD_NOW)
    assistant = npu.app("assistant").in_background()
    wanted = assistant.request(GREATER_THAN_2G)
    wanted.expect(NOT_PRIORITIZED)
    assistant.in_foreground()
    granted.expect_complete(CANCELLED).expect_nothing()
    wanted.load()


@covers("Budget re-evaluation: a request that lost and still loses is left alone")
@needs("service", "callbacks", "many-uids", "graded-importance")
def test_importance_that_changes_nothing_is_silent(npu: Npu) -> None:
    npu.policy(BUDGET)
    held = npu.app("assistant").in_foreground().request(GREATER_THAN_2G).load()
    album = npu.app("album").in_background()
    lost = album.request(GREATER_THAN_2G)
    lost.expect(NOT_PRIORITIZED)
    album.at("visible")
    held.expect_nothing()
    lost.expect_nothing()


@covers("Budget re-evaluation: a demand to unload is not taken back when importance returns")
@needs("service", "callbacks", "many-uids", "graded-importance", "two-in-front")
def test_demand_to_unload_stands(npu: Npu) -> None:
    npu.policy(BUDGET)
    album, assistant = npu.app("album").at("visible"), npu.app("assistant").in_background()
    held = album.request(GREATER_THAN_2G).load()
    wanted = assistant.request(GREATER_THAN_2G)
    wanted.expect(NOT_PRIORITIZED)
    assistant.in_foreground()
    wanted.expect(WAIT_FOR_UNLOAD)
    held.expect_unload_request()
    album.in_foreground()
    held.expect_nothing().unload()
    wanted.load()


@covers("Budget re-evaluation: nobody loses a model to an equal, whatever happens elsewhere")
@needs("service", "callbacks", "many-uids")
def test_reevaluation_moves_nothing_between_equals(npu: Npu) -> None:
    npu.policy(BUDGET)
    held = npu.app("album").request(GREATER_THAN_2G, priority=BACKGROUND).load()
    npu.app("camera").request(GREATER_THAN_2G, priority=NORMAL).expect(NOT_PRIORITIZED)
    npu.app("assistant").in_foreground()
    held.expect_nothing()


@covers("Budget re-evaluation: who was told to wait and falls behind is cancelled")
@needs("service", "callbacks", "many-uids", "graded-importance")
def test_waiting_request_that_falls_behind_is_cancelled(npu: Npu) -> None:
    npu.policy(BUDGET)
    held = npu.app("album").in_background().request(GREATER_THAN_2G).load()
    camera = npu.app("camera").in_foreground()
    waiting = camera.request(GREATER_THAN_2G).expect(WAIT_FOR_UNLOAD)
    lost = npu.app("music").at("perceptible").request(GREATER_THAN_2G).expect(NOT_PRIORITIZED)
    camera.in_background()
    waiting.expect_complete(CANCELLED)
    held.give_way()
    lost.load_in_the_end()


@covers("Budget re-evaluation: if anything was asked to unload, all that may load hear WAIT_FOR_UNLOAD")
@needs("service", "callbacks", "many-uids", "two-in-front")
def test_all_wait_while_one_unloads(npu: Npu) -> None:
    npu.policy(BUDGET, maxBudget=8, modelSizeWeights={"2": 3})
    important = [npu.app(label).in_foreground() for label in ("music", "notes", "maps")]
    first, *_ = (app.request(BETWEEN_1GB_AND_2GB).load() for app in important)
    held = npu.app("album").in_background().request(BETWEEN_1GB_AND_2GB).load()
    large = npu.app("assistant").in_foreground().request(GREATER_THAN_2G).expect(NOT_PRIORITIZED)
    small = npu.app("camera").in_background().request(LESS_THAN_1GB).expect(NOT_PRIORITIZED)
    # Now the large one fits if album's goes, and what is left is too little for album's but not for camera's.
    first.unload()
    large.expect(WAIT_FOR_UNLOAD)
    small.expect(WAIT_FOR_UNLOAD)
    held.give_way()
    large.load()
    small.load()


@covers("Budget re-evaluation: what has been freed is given once")
@needs("service", "callbacks", "many-uids", "graded-importance")
def test_freed_budget_is_given_once(npu: Npu) -> None:
    npu.policy(BUDGET)
    album = npu.app("album").in_background()
    held = [album.request(BETWEEN_1GB_AND_2GB).load() for _ in range(2)]
    first = npu.app("assistant").in_foreground().request(BETWEEN_1GB_AND_2GB).expect(WAIT_FOR_UNLOAD)
    second = npu.app("camera").at("visible").request(BETWEEN_1GB_AND_2GB).expect(WAIT_FOR_UNLOAD)
    held[0].give_way()
    first.load()
    second.expect_nothing()
    held[1].give_way()
    second.load()


@covers("Budget: a request that waits for an unload counts as pending")
@needs("service", "callbacks", "many-uids")
def test_waiting_request_weighs(npu: Npu) -> None:
    npu.policy(BUDGET)
    album = npu.app("album").in_background()
    held = [album.request(LESS_THAN_1GB).load() for _ in range(3)]
    wanted = npu.app("assistant").in_foreground().request(BETWEEN_1GB_AND_2GB).expect(WAIT_FOR_UNLOAD)
    npu.app("camera").in_background().request(LESS_THAN_1GB).expect(NOT_PRIORITIZED).cancel().expect_complete(
        CANCELLED
    )
    # Which of its models the app has to give up is open.
    asked = [request for request in held if request.is_asked_to_unload()]
    check(len(asked) == 1, f"one small model is enough, but {len(asked)} are asked for")
    asked[0].give_way()
    wanted.load()


@covers("Budget: a request that lost is nothing to take, and stays as it is")
@needs("service", "callbacks", "many-uids", "two-in-front")
def test_lost_request_is_no_victim(npu: Npu) -> None:
    npu.policy(BUDGET)
    npu.app("camera").in_foreground().request(BETWEEN_1GB_AND_2GB).load()
    album = npu.app("album").in_background()
    held = album.request(BETWEEN_1GB_AND_2GB).load()
    lost = album.request(GREATER_THAN_2G).expect(NOT_PRIORITIZED)
    wanted = npu.app("assistant").in_foreground().request(BETWEEN_1GB_AND_2GB).expect(WAIT_FOR_UNLOAD)
    held.give_way()
    wanted.load()
    lost.expect_nothing()
