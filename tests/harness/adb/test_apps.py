from __future__ import annotations

import pytest

from harness.adb import AdbError, BadOutput, CommandFailed, Device, TimedOut
from harness.adb.apps import App, candidates, current_user
from harness.fake_adb import FakeAdb

from .fake_android import FakeAndroid


@pytest.fixture
def phone(fake: FakeAdb) -> FakeAndroid:
    return FakeAndroid().install(fake.add("0123"))


def test_an_app_goes_to_the_front_to_the_back_and_away(phone: FakeAndroid, device: Device) -> None:
    app = App(device, "com.example.two")
    assert (app.uid, app.importance()) == (10124, 1000)
    app.start()
    assert (app.importance(), app.pids()) == (100, [4711, 4712])
    app.to_background()
    assert app.importance() == 400
    app.force_stop()
    assert (app.importance(), app.pids()) == (1000, [])


def test_packages_are_those_of_the_user_who_was_named(phone: FakeAndroid, device: Device) -> None:
    phone.user = 10
    phone.packages = {"com.example.one": 1010123}
    assert App(device, "com.example.one", user=10).uid == 1010123
    with pytest.raises(AdbError, match=r"com.example.one is not installed for user 0 .*harness doctor"):
        App(device, "com.example.one")
    assert [line for line in phone.ran if "list packages" in line and "--user" not in line] == []
    assert current_user(device) == 10


def test_a_package_whose_name_only_contains_the_other_is_not_it(phone: FakeAndroid, device: Device) -> None:
    with pytest.raises(AdbError, match="not installed"):
        App(device, "com.example.on")


@pytest.mark.parametrize(
    "name", ["", "one", "-f", "com.example;reboot", "com.example.$(id)", "a b.c", "com..x"]
)
def test_what_is_no_name_of_a_package_never_reaches_the_device(
    phone: FakeAndroid, device: Device, name: str
) -> None:
    with pytest.raises(AdbError, match="no name of a package"):
        App(device, name)
    assert phone.ran == []


def test_a_start_that_am_calls_an_error_is_one(phone: FakeAndroid, device: Device) -> None:
    app = App(device, "com.example.one")
    line = "am start -W --user 0 -n com.example.one/.MainActivity"
    phone.overrides[line] = "Starting: Intent { }\nError type 3\nError: Activity class does not exist.\n"
    with pytest.raises(CommandFailed, match="Activity class does not exist"):
        app.start()


def test_an_app_that_does_not_move_is_not_waited_for_without_end(phone: FakeAndroid, device: Device) -> None:
    app = App(device, "com.example.one")
    app.start()
    with pytest.raises(TimedOut, match=r"waiting for com.example.one to have an importance from 400 to 1000"):
        app.wait_for(400, 1000, timeout=0.05)


def test_bad_answers_are_quoted(phone: FakeAndroid, device: Device) -> None:
    app = App(device, "com.example.one")
    phone.overrides["am get-uid-state 10123"] = "Error: unknown command"
    with pytest.raises(BadOutput, match="Error: unknown command"):
        app.importance()
    phone.overrides["am get-current-user"] = "what?"
    with pytest.raises(BadOutput, match=r"what\?"):
        current_user(device)


def test_candidates_are_apps_that_can_come_to_the_front(phone: FakeAndroid, device: Device) -> None:
    phone.packages = {
        "com.example.two": 10124,
        "com.example.one": 10123,
        "com.shared.other": 10123,
        "com.android.shell": 2000,
    }
    found = candidates(device)
    assert [(each.package, each.uid) for each in found] == [
        ("com.example.one", 10123),
        ("com.example.two", 10124),
    ]
    assert found[0].declares_npu is True
    assert found[0].target_sdk == 37
