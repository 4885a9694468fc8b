"""A thousand apps at once, and bursts of events: right in the end, and nobody forgotten on the way."""

from __future__ import annotations

from harness.vocabulary import (
    BUDGET,
    CAN_LOAD_NOW,
    GREATER_THAN_2G,
    NOT_PRIORITIZED,
    SEVERE,
    STATUS_QUO,
    TURN_TAKING,
    Npu,
    check,
    covers,
    needs,
)

MANY, SEVERAL_HUNDRED = 1000, 300


@covers("storm: of a thousand apps that ask, as many are granted as fit; each is answered once")
@needs("service", "callbacks", "many-uids", "many-processes")
def test_thousand_apps_ask(npu: Npu) -> None:
    npu.policy(BUDGET, maxBudget=40)
    requests = [npu.app(f"app{number}").request(GREATER_THAN_2G) for number in range(MANY)]
    for number, request in enumerate(requests):
        request.expect(CAN_LOAD_NOW if number < 10 else NOT_PRIORITIZED)
    for request in requests[:10]:
        request.report_loaded().expect_nothing()


@covers("storm: a foreground app gets its turn from among hundreds")
@needs("service", "callbacks", "many-uids", "many-processes")
def test_foreground_app_among_hundreds(npu: Npu) -> None:
    npu.policy(TURN_TAKING)
    held = npu.app("holder").request().load()
    for number in range(SEVERAL_HUNDRED):
        npu.app(f"app{number}").request().expect(NOT_PRIORITIZED)
    wanted = npu.app("assistant").in_foreground().request()
    held.give_way()
    wanted.load_in_the_end()


@covers("storm: when a thousand apps die, the one that is left has the NPU")
@needs("service", "callbacks", "many-uids", "many-processes")
def test_thousand_apps_die(npu: Npu) -> None:
    npu.policy(TURN_TAKING)
    apps = [npu.app(f"app{number}") for number in range(MANY - 1)]
    requests = [app.request() for app in apps]
    last = npu.app("last").request()
    last.expect(NOT_PRIORITIZED)
    for app in apps:
        app.dies()
    last.load_in_the_end()
    for request in requests:
        request.ignore()


@covers("storm: hundreds of apps may load under status quo, and heat asks every one of them back")
@needs("service", "callbacks", "thermal", "many-uids", "many-processes")
def test_hundreds_of_apps_in_the_heat(npu: Npu) -> None:
    npu.policy(STATUS_QUO)
    held = [npu.app(f"app{number}").request().load() for number in range(SEVERAL_HUNDRED)]
    npu.heats_up(SEVERE)
    for request in held:
        request.give_way()


@covers("storm: the HAL that comes back is told of a thousand apps in one call")
@needs("service", "hal", "many-uids", "many-processes")
def test_thousand_apps_for_a_new_hal(npu: Npu) -> None:
    apps = [npu.app(f"app{number}") for number in range(MANY)]
    npu.hal.dies()
    apps[7].in_foreground()
    npu.hal.comes_back()
    table = npu.hal.table()
    check({app.uid for app in apps} <= set(table), "the HAL knows every one")
    check(table[apps[7].uid].priority == 100, "and what changed meanwhile")


@covers("storm: a thousand requests of one app are answered, and end with it")
@needs("service", "callbacks", "many-uids", "virtual-time")
def test_thousand_requests_of_one_app(npu: Npu) -> None:
    npu.policy(TURN_TAKING)
    album = npu.app("album")
    requests = [album.request() for _ in range(MANY)]
    requests[0].expect(CAN_LOAD_NOW)
    for request in requests[1:]:
        request.expect(NOT_PRIORITIZED)
    waiting = npu.app("camera").request()
    waiting.expect(NOT_PRIORITIZED)
    album.dies()
    waiting.load_in_the_end()


@covers("storm: importance that flickers moves the turn back and forth, and ends where it should")
@needs("service", "callbacks", "many-uids", "virtual-time")
def test_flickering_importance(npu: Npu) -> None:
    npu.policy(TURN_TAKING)
    apps = [npu.app(label) for label in ("album", "camera")]
    held = apps[0].in_foreground().request().load()
    for number in range(100):
        wanted = apps[(number + 1) % 2].request().expect(NOT_PRIORITIZED)
        apps[number % 2].in_background()
        apps[(number + 1) % 2].in_foreground()
        held.expect_unload_request().unload()
        held = wanted.load_in_the_end()
    held.expect_nothing()


@covers("storm: policies that are swapped under load forget everybody, and serve whoever asks next")
@needs("service", "callbacks", "many-uids")
def test_policies_swapped_under_load(npu: Npu) -> None:
    album, camera = npu.app("album"), npu.app("camera")
    for policy in (BUDGET, STATUS_QUO, TURN_TAKING) * 3:
        npu.policy(policy)
        old = [app.request(GREATER_THAN_2G) for app in (album, camera)]
        npu.policy(TURN_TAKING)
        for request in old:
            request.ignore()
        album.request(GREATER_THAN_2G).load().unload()
