"""The lines of `dumpsys npu`. Newer builds may print more of them, so each is looked for."""

from __future__ import annotations

import re

from harness.vocabulary import (
    BUDGET,
    CAN_LOAD_NOW,
    CANCELLED,
    LESS_THAN_1GB,
    NOT_PRIORITIZED,
    STATUS_QUO,
    TURN_TAKING,
    WAIT_FOR_UNLOAD,
    App,
    Npu,
    check,
    covers,
    needs,
)

REQUEST = re.compile(r"^\s+(\d+) \[(.*)\]: (\w+)$", re.MULTILINE)
PRIORITY = re.compile(r"^\s+(\d+) \[(.*)\] (\d+)$", re.MULTILINE)


def states(npu: Npu, app: App) -> list[str]:
    """The states of an app's requests."""
    return [state for uid, _, state in REQUEST.findall(npu.dump()) if int(uid) == app.uid]


@covers("dump: a request is PENDING_LOAD when granted, LOADED when reported, and gone when it is over")
@needs("service", "shell", "callbacks")
def test_state_follows_the_request(npu: Npu) -> None:
    npu.policy(BUDGET)
    album = npu.app("album")
    request = album.request().expect(CAN_LOAD_NOW)
    check(states(npu, album) == ["PENDING_LOAD"], "granted, it is PENDING_LOAD")
    request.report_loaded()
    check(states(npu, album) == ["LOADED"], "reported as loaded, it is LOADED")
    request.unload()
    check(states(npu, album) == [], "unloaded, it is gone")


@covers("dump: a request that lost is NOT_PRIORITIZED, and PENDING_LOAD again once it is offered the slot")
@needs("service", "shell", "callbacks", "many-uids")
def test_state_of_a_request_that_lost(npu: Npu) -> None:
    npu.policy(TURN_TAKING)
    held = npu.app("assistant").in_foreground().request().load()
    album = npu.app("album")
    lost = album.request().expect(NOT_PRIORITIZED)
    check(states(npu, album) == ["NOT_PRIORITIZED"], "it lost")
    held.unload()
    lost.expect(CAN_LOAD_NOW)
    check(states(npu, album) == ["PENDING_LOAD"], "it is offered the slot")


@covers("dump: until it has unloaded, a model that was asked to is LOADED, and who waits is PENDING_LOAD")
@needs("service", "shell", "callbacks", "many-uids")
def test_states_during_a_preemption(npu: Npu) -> None:
    npu.policy(TURN_TAKING)
    album, assistant = npu.app("album"), npu.app("assistant").in_foreground()
    held = album.request().load()
    wanted = assistant.request().expect(WAIT_FOR_UNLOAD)
    held.expect_unload_request()
    check(states(npu, album) == ["LOADED"], "the model is still there")
    check(states(npu, assistant) == ["PENDING_LOAD"], "the other waits to load")
    wanted.cancel().expect_complete(CANCELLED)


@covers("dump: the cap of TurnTaking is 1")
@needs("service", "shell")
def test_cap_of_turn_taking(npu: Npu) -> None:
    npu.policy(TURN_TAKING)
    check(re.search(r"^Policy: turntaking\s+Max: 1$", npu.dump(), re.MULTILINE) is not None, "Max: 1")


@covers("dump: a uid up to 10000 is the system's, an app's has the name of its package")
@needs("service", "shell", "many-uids")
def test_names_of_uids(npu: Npu) -> None:
    album = npu.app("album")
    names = {int(uid): name for uid, name, _ in PRIORITY.findall(npu.dump())}
    check(names[0] == names[1000] == "system", "root and system are called system")
    check("." in names[album.uid], f"an app has a package's name, not {names[album.uid]!r}")


@covers("dump: priorities are sorted, the most important first")
@needs("service", "shell", "many-uids", "graded-importance")
def test_priorities_are_sorted(npu: Npu) -> None:
    npu.app("album").in_background()
    npu.app("assistant").in_foreground()
    npu.app("camera").at("visible")
    values = [int(value) for _, _, value in PRIORITY.findall(npu.dump())]
    check(len(values) >= 5 and values == sorted(values), f"they rise: {values}")


@covers("dump: policy, cap, requests and priorities come in this order")
@needs("service", "shell", "callbacks")
def test_order_of_the_parts(npu: Npu) -> None:
    npu.policy(BUDGET, maxBudget=6)
    npu.app("album").request(LESS_THAN_1GB).load()
    text = npu.dump()
    parts = [text.find(part) for part in ("Policy: budget", "Max: 6", "Requests:", ": LOADED", "Priorities:")]
    check(-1 not in parts and parts == sorted(parts), "all parts are there, in order")


@covers("dump: names the policy that was set last")
@needs("service", "shell")
def test_policy_that_was_set_last(npu: Npu) -> None:
    for policy, name in ((BUDGET, "budget"), (STATUS_QUO, "statusquo"), (TURN_TAKING, "turntaking")):
        npu.policy(policy)
        check(npu.dump().startswith(f"Policy: {name}\n"), f"the first line names {name}")
