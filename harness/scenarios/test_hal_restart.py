"""A HAL that dies and comes back, whatever the apps are doing; HALs that refuse, and other HALs."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from harness.requests import Request
from harness.vocabulary import (
    CAN_LOAD_NOW,
    CANCELLED,
    COMPLETE,
    NOT_PRIORITIZED,
    TURN_TAKING,
    WAIT_FOR_UNLOAD,
    App,
    Npu,
    check,
    covers,
    needs,
)

Ending = Callable[[], object]


def granted(album: App, assistant: App) -> Ending:
    request = album.request()
    request.expect(CAN_LOAD_NOW)
    return lambda: request.report_loaded().unload()


def loaded(album: App, assistant: App) -> Ending:
    request = album.request().load()
    return request.unload


def not_prioritized(album: App, assistant: App) -> Ending:
    held, lost = assistant.request().load(), album.request()
    lost.expect(NOT_PRIORITIZED)

    def end() -> Request:
        held.unload()
        return lost.load()

    return end


def waiting(album: App, assistant: App) -> Ending:
    held = album.request().load()
    wanted = assistant.in_foreground().request()
    wanted.expect(WAIT_FOR_UNLOAD)

    def end() -> Request:
        held.give_way()
        return wanted.load()

    return end


def cancelled(album: App, assistant: App) -> Ending:
    request = album.request()
    request.expect(CAN_LOAD_NOW).cancel().expect_complete(CANCELLED)
    return lambda: request.expect_nothing()


STATES = {f.__name__: f for f in (granted, loaded, not_prioritized, waiting, cancelled)}


@covers("HAL restart: no request is lost, whatever state it is in")
@needs("service", "callbacks", "hal", "many-uids")
@pytest.mark.parametrize("state", STATES)
def test_requests_survive(npu: Npu, state: str) -> None:
    npu.policy(TURN_TAKING)
    end = STATES[state](npu.app("album"), npu.app("assistant"))
    npu.hal.dies()
    npu.hal.comes_back()
    end()


@covers("HAL restart: what apps do while there is no HAL is done")
@needs("service", "callbacks", "hal", "many-uids")
@pytest.mark.parametrize("state", STATES)
def test_requests_go_on_without_a_hal(npu: Npu, state: str) -> None:
    npu.policy(TURN_TAKING)
    album, assistant = npu.app("album"), npu.app("assistant")
    npu.hal.dies()
    STATES[state](album, assistant)()
    npu.hal.comes_back()
    check(npu.hal.knows(album.uid) and npu.hal.knows(assistant.uid), "the HAL hears of both")


@covers("HAL restart: work that ran when it died never completes, and counts for nobody")
@needs("service", "callbacks", "hal", "inference", "many-uids")
def test_work_that_died_with_the_hal_does_not_count(npu: Npu) -> None:
    npu.policy(TURN_TAKING)
    album = npu.app("album")
    held, lost = album.request().load(), npu.app("camera").request()
    lost.expect(NOT_PRIORITIZED)
    album.starts_work(seconds=0.3)
    npu.hal.dies()
    npu.hal.comes_back()
    npu.session.advance(0.5)
    held.expect_nothing()
    lost.expect_nothing()


@covers("HAL restart: an app that dies while there is no HAL is GONE to the next one")
@needs("service", "callbacks", "hal", "many-uids")
def test_death_without_a_hal_is_told_to_the_next(npu: Npu) -> None:
    album = npu.app("album").in_foreground()
    npu.hal.dies()
    album.dies()
    npu.session.advance(0.1)
    npu.hal.comes_back()
    check(npu.hal.entry(album.uid).priority == 1000, "the app is GONE")


@covers("HAL restart: while updates are disabled a new HAL gets the callback and no table, until enable")
@needs("service", "shell", "root", "hal", "many-uids")
def test_disabled_updates_stay_disabled(npu: Npu) -> None:
    album = npu.app("album").in_foreground()
    npu.cmd("disable", as_root=True)
    npu.hal.dies()
    npu.hal.comes_back()
    check(not npu.hal.knows(album.uid), "no table goes down")
    check(npu.hal.callback_version()[0] == 1, "the callback is set all the same")
    npu.cmd("enable", as_root=True)
    check(npu.hal.entry(album.uid).priority == 100, "enable pushes the current table")


@covers("HAL restart: under load nothing is lost: every change of importance reaches the last HAL")
@needs("service", "callbacks", "hal", "inference", "many-uids", "graded-importance", "two-in-front")
def test_restarts_under_load_lose_nothing(npu: Npu) -> None:
    npu.policy(TURN_TAKING)
    apps = [npu.app(f"app{number}") for number in range(4)]
    requests = [app.request() for app in apps]
    words = ["foreground", "visible", "background"]
    for round_ in range(3):
        for number, app in enumerate(apps):
            app.at(words[(round_ + number) % 3]).starts_work(seconds=0.05)
        npu.hal.dies()
        apps[round_].at("perceptible")
        npu.hal.comes_back()
    expected = [words[(2 + number) % 3] for number in range(4)]
    expected[2] = "perceptible"
    numbers = {"foreground": 100, "visible": 200, "perceptible": 230, "background": 400}
    for app, word in zip(apps, expected, strict=True):
        check(npu.hal.entry(app.uid).priority == numbers[word], f"{app.label} is {word}")
    for app, request in zip(apps, requests, strict=True):
        app.dies()
        request.ignore()


@covers("HAL failure: a HAL that refuses an update is given the whole table with the next one")
@needs("service", "hal", "hal-faults", "many-uids", "two-in-front")
def test_refused_update_is_made_up_for(npu: Npu) -> None:
    album, camera = npu.app("album"), npu.app("camera")
    npu.hal.breaks(refuse_calls=1)
    album.in_foreground()
    check(npu.hal.entry(album.uid).priority == 400, "the refused update did not arrive")
    camera.in_foreground()
    check(npu.hal.entry(album.uid).priority == 100, "and is made up for")
    check(npu.hal.entry(camera.uid).priority == 100, "together with the next one")


@covers("HAL failure: work that fails on the device does not end a turn")
@needs("service", "callbacks", "hal", "hal-faults", "inference", "many-uids")
def test_failing_hardware_ends_no_turn(npu: Npu) -> None:
    npu.policy(TURN_TAKING)
    album = npu.app("album")
    held, lost = album.request().load(), npu.app("camera").request()
    lost.expect(NOT_PRIORITIZED)
    npu.hal.breaks(fail_jobs=1)
    album.finishes_work()
    held.expect_nothing()
    album.finishes_work()
    held.give_way()
    lost.load()


@covers("HAL revision: version 1 with an unknown hash is used, with a warning that names the hash")
@needs("service", "shell", "hal", "hal-kinds", "metrics", "many-uids")
def test_unknown_hash_is_a_warning(npu: Npu) -> None:
    npu.hal.dies()
    npu.hal.comes_back("unknown-hash")
    album = npu.app("album").in_foreground()
    check(npu.hal.entry(album.uid).priority == 100, "the HAL is told what there is")
    check("warning" in npu.dump() and "unknown hash notfrozen" in npu.dump(), "the dump names the hash")


@covers("HAL revision: another version is refused with the reason, and arbitration goes on")
@needs("service", "callbacks", "shell", "hal", "hal-kinds", "metrics", "many-uids")
def test_unknown_version_is_refused(npu: Npu) -> None:
    npu.policy(TURN_TAKING)
    npu.hal.dies()
    npu.hal.comes_back("unknown-version")
    album = npu.app("album").in_foreground()
    check(not npu.hal.knows(album.uid), "the HAL is told nothing")
    check("has version 7" in npu.dump(), "the dump says why")
    album.request().load().unload()


@covers("HAL revision: the early one, whose callback begins with onIdle, is refused by name")
@needs("service", "callbacks", "shell", "hal", "hal-kinds", "metrics", "inference", "many-uids")
def test_early_revision_is_refused(npu: Npu) -> None:
    npu.policy(TURN_TAKING)
    album = npu.app("album")
    held, lost = album.request().load(), npu.app("camera").request()
    lost.expect(NOT_PRIORITIZED)
    npu.hal.dies()
    npu.hal.comes_back("early")
    album.finishes_work()
    held.expect_nothing()
    check("early revision, which begins with onIdle" in npu.dump(), "the dump names the revision")
    npu.hal.dies()
    npu.hal.comes_back()
    album.finishes_work()
    held.expect_unload_request().report_unloaded().expect_complete(COMPLETE)
    lost.load()
