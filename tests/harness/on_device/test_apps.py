from __future__ import annotations

import pytest

from harness.adb import AdbError, Device
from harness.adb.apps import App
from harness.on_device.apps import Player, Players, Wanted
from tests.harness.adb.fake_android import FakeAndroid

ATTRIBUTE = "android.permission.ATTRIBUTE_WORK_TO_OTHER_APPS"
MODERN, LEGACY = Wanted(37, True), Wanted(36, False)


def player(
    device: Device,
    package: str = "com.example.one",
    *,
    target_sdk: int = 37,
    declares: bool | None = True,
    permissions: frozenset[str] = frozenset(),
) -> Player:
    return Player(App(device, package), target_sdk, declares, permissions)


@pytest.mark.parametrize(
    ("wanted", "target_sdk", "declares", "suits"),
    [
        (MODERN, 37, True, True),
        (MODERN, 40, True, True),
        (MODERN, 37, None, True),  # a device that does not tell
        (MODERN, 37, False, False),
        (MODERN, 36, True, False),
        (LEGACY, 36, False, True),
        (LEGACY, 30, False, True),
        (LEGACY, 37, False, False),
        (LEGACY, 36, True, False),
    ],
)
def test_a_package_suits_if_it_is_like_what_is_wanted(
    phone: FakeAndroid, device: Device, wanted: Wanted, target_sdk: int, declares: bool | None, suits: bool
) -> None:
    assert player(device, target_sdk=target_sdk, declares=declares).suits(wanted) is suits


def test_who_may_attribute_work_is_kept_for_who_needs_it(phone: FakeAndroid, device: Device) -> None:
    mighty = player(device, "com.example.one", permissions=frozenset({ATTRIBUTE}))
    plain = player(device, "com.example.two")
    players = Players([mighty, plain])
    players.begin()
    assert players.take("album", MODERN) is plain
    assert players.take("runtime", Wanted(37, True, (ATTRIBUTE,))) is mighty


def test_each_is_played_once_in_a_scenario(phone: FakeAndroid, device: Device) -> None:
    players = Players.on(device)
    for _ in range(2):
        players.begin()
        uids = {players.take(label, MODERN).app.uid for label in ("album", "assistant")}
        assert uids == {10123, 10124}
        with pytest.raises(
            pytest.skip.Exception, match=r"no installed app for SDK 37, that declares.*'third'"
        ):
            players.take("third", MODERN)


def test_named_packages_are_the_only_ones(phone: FakeAndroid, device: Device) -> None:
    players = Players.on(device, ["album=com.example.two", "com.example.one"])
    players.begin()
    assert players.take("album", MODERN).app.package == "com.example.two"
    assert players.take("anybody", MODERN).app.package == "com.example.one"
    with pytest.raises(AdbError, match=r"com.example.three is not installed"):
        Players.on(device, ["com.example.three"])
