"""Heat: who has to unload, who may not load, and what happens when it is over."""

from __future__ import annotations

import pytest

from harness.vocabulary import (
    BUDGET,
    CAN_LOAD_NOW,
    CANCELLED,
    CRITICAL,
    EMERGENCY,
    LIGHT,
    MODERATE,
    NOT_PRIORITIZED,
    SEVERE,
    SHUTDOWN,
    STATUS_QUO,
    TURN_TAKING,
    WAIT_FOR_UNLOAD,
    Npu,
    check,
    covers,
    needs,
)

POLICIES = {"statusquo": STATUS_QUO, "turntaking": TURN_TAKING, "budget": BUDGET}


@covers("thermal: below severe nobody is asked")
@needs("service", "callbacks", "thermal", "many-uids")
@pytest.mark.parametrize("status", [LIGHT, MODERATE], ids=["light", "moderate"])
def test_warmth_changes_nothing(npu: Npu, status: int) -> None:
    npu.policy(BUDGET)
    held = npu.app("album").in_background().request().load()
    npu.heats_up(status)
    held.expect_nothing()
    npu.app("camera").in_background().request().load()


@covers("thermal: at severe the least important holders are asked to unload, under every policy")
@needs("service", "callbacks", "thermal", "many-uids")
@pytest.mark.parametrize("policy", POLICIES)
def test_severe_heat_asks_the_background(npu: Npu, policy: str) -> None:
    npu.policy(POLICIES[policy])
    held = npu.app("album").in_background().request().load()
    npu.heats_up(SEVERE)
    held.give_way()


@covers("thermal: the more important keep their models while the less important lose theirs")
@needs("service", "callbacks", "thermal", "many-uids")
def test_foreground_keeps_its_model(npu: Npu) -> None:
    npu.policy(BUDGET)
    lost = npu.app("album").in_background().request().load()
    kept = npu.app("assistant").in_foreground().request().load()
    npu.heats_up(SEVERE)
    lost.give_way()
    kept.expect_nothing()
    npu.heats_up(CRITICAL)
    kept.expect_nothing()


@covers("thermal: the hotter it is, the fewer may hold models")
@needs("service", "callbacks", "thermal", "many-uids", "graded-importance")
def test_heat_goes_up_the_ranks(npu: Npu) -> None:
    npu.policy(BUDGET)
    words = {"cached": "background", "perceptible": "perceptible", "service": "foreground service"}
    held = {label: npu.app(label).at(word).request().load() for label, word in words.items()}
    for status, loser in ((SEVERE, "cached"), (CRITICAL, "perceptible"), (EMERGENCY, "service")):
        npu.heats_up(status)
        held.pop(loser).give_way()
        for request in held.values():
            request.expect_nothing()


@covers("thermal: a shutdown takes everything from everybody")
@needs("service", "callbacks", "thermal", "many-uids", "two-in-front")
def test_shutdown_takes_everything(npu: Npu) -> None:
    npu.policy(BUDGET)
    held = [npu.app(label).in_foreground().request().load() for label in ("album", "camera")]
    npu.heats_up(SHUTDOWN)
    for request in held:
        request.give_way()


@covers("thermal: a grant that was not used yet is cancelled")
@needs("service", "callbacks", "thermal", "many-uids")
def test_unused_grant_is_cancelled(npu: Npu) -> None:
    npu.policy(TURN_TAKING)
    granted = npu.app("album").in_background().request()
    granted.expect(CAN_LOAD_NOW)
    npu.heats_up(SEVERE)
    granted.expect_complete(CANCELLED)


@covers("thermal: who asks in the heat is not prioritized, and offered the room when the status drops")
@needs("service", "callbacks", "thermal", "many-uids")
def test_requests_in_the_heat_wait_for_its_end(npu: Npu) -> None:
    npu.policy(TURN_TAKING)
    npu.heats_up(SEVERE)
    wanted = npu.app("album").in_background().request()
    wanted.expect(NOT_PRIORITIZED)
    npu.heats_up(MODERATE)
    wanted.load()


@covers("thermal: who comes to the foreground in the heat may load")
@needs("service", "callbacks", "thermal", "many-uids")
def test_coming_forward_helps(npu: Npu) -> None:
    npu.policy(TURN_TAKING)
    npu.heats_up(SEVERE)
    album = npu.app("album").in_background()
    wanted = album.request()
    wanted.expect(NOT_PRIORITIZED)
    album.in_foreground()
    wanted.load()


@covers("thermal: who leaves the foreground in the heat loses the model")
@needs("service", "callbacks", "thermal", "many-uids")
@pytest.mark.parametrize("policy", POLICIES)
def test_going_back_costs_the_model(npu: Npu, policy: str) -> None:
    npu.policy(POLICIES[policy])
    album = npu.app("album").in_foreground()
    npu.heats_up(SEVERE)
    held = album.request().load()
    held.expect_nothing()
    album.in_background()
    held.give_way()


@covers("thermal: a demand to unload stands when the status drops")
@needs("service", "callbacks", "thermal", "many-uids")
def test_demand_stands_when_it_is_over(npu: Npu) -> None:
    npu.policy(TURN_TAKING)
    held = npu.app("album").in_background().request().load()
    npu.heats_up(SEVERE)
    npu.cools_down()
    waiting = npu.app("assistant").in_foreground().request()
    waiting.expect(WAIT_FOR_UNLOAD)
    held.give_way()
    waiting.load()


@covers("thermal: what heat frees goes to the more important that wait")
@needs("service", "callbacks", "thermal", "many-uids", "two-in-front")
def test_heat_frees_room_for_the_important(npu: Npu) -> None:
    npu.policy(TURN_TAKING)
    album, assistant = npu.app("album").in_foreground(), npu.app("assistant").in_foreground()
    held, lost = album.request().load(), assistant.request()
    lost.expect(NOT_PRIORITIZED)
    npu.heats_up(SEVERE)
    album.in_background()
    lost.expect(WAIT_FOR_UNLOAD)
    held.give_way()
    lost.load()


@covers("thermal: a policy that is set in the heat knows of it")
@needs("service", "callbacks", "thermal", "many-uids")
def test_new_policy_knows_of_the_heat(npu: Npu) -> None:
    npu.heats_up(SEVERE)
    npu.policy(BUDGET)
    npu.app("album").in_background().request().expect(NOT_PRIORITIZED)


@covers("thermal: under status quo everybody may load, and is asked to unload once that is done")
@needs("service", "callbacks", "thermal", "many-uids")
def test_status_quo_says_yes_and_asks_back(npu: Npu) -> None:
    npu.policy(STATUS_QUO)
    npu.heats_up(SEVERE)
    request = npu.app("album").in_background().request()
    request.load().give_way()


@covers("thermal: the dump says how hot it is")
@needs("service", "shell", "thermal", "metrics")
def test_dump_says_how_hot_it_is(npu: Npu) -> None:
    npu.heats_up(SEVERE)
    check("\nThermal: 3\n" in npu.dump(), "the status is in the dump")
