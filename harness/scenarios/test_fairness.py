"""Over long runs: equals share, no equal starves, and the less important wait as long as it takes."""

from __future__ import annotations

from collections import Counter

import pytest

from harness.requests import Request
from harness.vocabulary import (
    BUDGET,
    GREATER_THAN_2G,
    NOT_PRIORITIZED,
    TURN_TAKING,
    App,
    Npu,
    check,
    covers,
    needs,
)


def hand_on(holder: App, held: Request, waiting: dict[App, Request]) -> tuple[App, Request]:
    """The holder works and gives way, and asks again; whoever is served loads. Returns the new holder."""
    holder.finishes_work()
    held.give_way()
    holder.npu.session.settle()
    (served,) = [app for app, request in waiting.items() if request.unread() is not None]
    request = waiting.pop(served).load()
    again = holder.request(GREATER_THAN_2G)
    again.expect(NOT_PRIORITIZED)
    waiting[holder] = again
    return served, request


def play_rounds(npu: Npu, apps: list[App], rounds: int) -> list[str]:
    """Who held the NPU, turn by turn."""
    holder, held = apps[0], apps[0].request(GREATER_THAN_2G).load()
    waiting = {app: app.request(GREATER_THAN_2G) for app in apps[1:]}
    for request in waiting.values():
        request.expect(NOT_PRIORITIZED)
    turns = [holder.label]
    for _ in range(rounds - 1):
        holder, held = hand_on(holder, held, waiting)
        turns.append(holder.label)
    return turns


@covers("fairness: equals that work take turns one after the other")
@needs("service", "callbacks", "inference", "many-uids")
@pytest.mark.parametrize("policy", [TURN_TAKING, BUDGET], ids=["turntaking", "budget"])
def test_equals_take_turns_in_order(npu: Npu, policy: int) -> None:
    npu.policy(policy)
    turns = play_rounds(npu, [npu.app(f"app{number}") for number in range(3)], 6)
    check(turns == ["app0", "app1", "app2"] * 2, f"one after the other, not {turns}")


@covers("fairness: over a long run each of many equals has as many turns as the others")
@needs("service", "callbacks", "inference", "many-uids", "virtual-time")
def test_long_run_is_even(npu: Npu) -> None:
    npu.policy(TURN_TAKING)
    turns = Counter(play_rounds(npu, [npu.app(f"app{number}") for number in range(10)], 200))
    check(set(turns.values()) == {20}, f"twenty turns for each of ten, not {dict(turns)}")


@covers("starvation: a less important app gets no turn while more important ones want it, and all turns then")
@needs("service", "callbacks", "inference", "many-uids", "two-in-front")
def test_less_important_waits_as_long_as_it_takes(npu: Npu) -> None:
    npu.policy(TURN_TAKING)
    front = [npu.app(label).in_foreground() for label in ("album", "camera")]
    held, other = front[0].request().load(), front[1].request()
    other.expect(NOT_PRIORITIZED)
    starving = npu.app("music").in_background().request()
    starving.expect(NOT_PRIORITIZED)
    for worker, resting in (front, front[::-1], front):
        worker.finishes_work()
        held.give_way()
        held, other = other.load(), worker.request()
        other.expect(NOT_PRIORITIZED)
        starving.expect_nothing()
        check(resting is not worker, "two apps take turns")
    other.cancel()
    held.unload()
    starving.load_in_the_end()
    other.ignore()


@covers("starvation: who waits among equals is served before any newcomer that comes later")
@needs("service", "callbacks", "inference", "many-uids")
def test_who_waits_is_not_overtaken(npu: Npu) -> None:
    npu.policy(TURN_TAKING)
    album = npu.app("album")
    held, first = album.request().load(), npu.app("camera").request()
    first.expect(NOT_PRIORITIZED)
    later = [npu.app(label).request() for label in ("music", "notes")]
    for request in later:
        request.expect(NOT_PRIORITIZED)
    album.finishes_work()
    held.give_way()
    first.load()
    for request in later:
        request.expect_nothing()


@covers("starvation: an app that never works keeps its turn from equals, and loses it to the more important")
@needs("service", "callbacks", "many-uids")
def test_idle_holder_keeps_its_turn_from_equals(npu: Npu) -> None:
    npu.policy(TURN_TAKING)
    idle, equal = npu.app("album").request().load(), npu.app("camera")
    for _ in range(3):
        equal.request().expect(NOT_PRIORITIZED)
    idle.expect_nothing()
    wanted = npu.app("assistant").in_foreground().request()
    idle.give_way()
    wanted.load_in_the_end()


@covers("starvation: a large request that waits is not passed over for ever by small ones of its equals")
@needs("service", "callbacks", "inference", "many-uids")
def test_large_request_gets_its_room(npu: Npu) -> None:
    npu.policy(BUDGET)
    small = [npu.app(f"small{number}") for number in range(4)]
    held = [app.request().load() for app in small]
    large = npu.app("large").request(GREATER_THAN_2G)
    large.expect(NOT_PRIORITIZED)
    again = []
    for app, request in zip(small, held, strict=True):
        app.finishes_work()
        request.give_way()
        again.append(app.request())
        if app is not small[-1]:
            again[-1].load()  # room for one is of no use to the large one
    for request in again[:-1]:
        request.give_way()
    again[-1].expect(NOT_PRIORITIZED)
    large.load_in_the_end()
