from __future__ import annotations

import time

import pytest

from harness.adb import Device
from harness.adb.apps import App
from harness.backend import ScenarioFailure
from harness.on_device.android import QUIET_SECONDS, AndroidStage
from harness.on_device.apps import Players
from tests.harness.adb.fake_android import FakeAndroid


@pytest.fixture
def app(phone: FakeAndroid, device: Device) -> App:
    return App(device, "com.example.one")


@pytest.fixture
def stage(app: App) -> AndroidStage:
    stage = AndroidStage(Players([]), lambda: 0.0)
    stage("reset")
    stage.watch(app)
    return stage


def test_an_app_is_moved_as_its_user_would(stage: AndroidStage, app: App) -> None:
    for importance in (400, 100, 100, 400, 1000, 400, 1000):
        stage("importance", uid=app.uid, importance=importance)
        assert app.importance() == importance
    stage("importance", uid=app.uid, importance=100)
    stage("gone", uid=app.uid)
    assert app.importance() == 1000


@pytest.mark.parametrize("importance", [125, 200, 230, 999])
def test_importances_that_no_command_gives_are_refused(
    stage: AndroidStage, app: App, importance: int
) -> None:
    with pytest.raises(
        ScenarioFailure, match=rf"no command of Android moves an app to importance {importance}"
    ):
        stage("importance", uid=app.uid, importance=importance)


def test_what_android_has_no_command_for_is_refused(stage: AndroidStage) -> None:
    with pytest.raises(ScenarioFailure, match="Android has no command for 'kill_hal'"):
        stage("kill_hal")


def test_an_app_that_does_not_start_fails_the_scenario(
    stage: AndroidStage, app: App, phone: FakeAndroid
) -> None:
    phone.overrides["am start -W --user 0 -n com.example.one/.MainActivity"] = "Error type 3\n"
    with pytest.raises(ScenarioFailure, match="Error type 3"):
        stage("importance", uid=app.uid, importance=100)


def test_it_is_settled_when_nothing_has_been_heard_for_a_moment(phone: FakeAndroid) -> None:
    heard = time.monotonic()
    stage = AndroidStage(Players([]), lambda: heard)
    stage("settle")
    assert time.monotonic() - heard >= QUIET_SECONDS
