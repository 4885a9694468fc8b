from __future__ import annotations

import pytest

from harness.adb import Device, DeviceUnavailable, Server
from harness.adb.finding import NotOne, everything, find, one, wanted_serials
from harness.fake_adb import FakeAdb, FakeDevice, ran

BOOT, OTHER_BOOT = "11111111-aaaa", "22222222-bbbb"


def phone(fake: FakeAdb, serial: str, own: str = "", boot: str = BOOT) -> FakeDevice:
    """A device that tells its own serial number and the number of its boot."""
    said = f"{own}\n\n{boot}\n" if own else f"\n{boot}\n"
    return fake.add(serial, shell=lambda service: ran(said.encode()))


def test_the_same_phone_by_usb_and_network_is_one_device(fake: FakeAdb, server: Server) -> None:
    phone(fake, "adb-39180-x (2)._adb-tls-connect._tcp", "39180")
    phone(fake, "10.0.0.2:5555", "39180")
    phone(fake, "39180", "39180")
    (found,) = find([server])
    assert found.device.serial == "39180", "USB before networks"
    assert found.key == "39180"
    assert one([server]).serial == "39180"


def test_a_lone_way_to_a_phone_has_the_same_key(fake: FakeAdb, server: Server) -> None:
    phone(fake, "10.0.0.2:5555", "39180")
    assert find([server])[0].key == "39180"


def test_two_phones_of_one_model_are_two(fake: FakeAdb, server: Server) -> None:
    phone(fake, "39180", "39180")
    phone(fake, "39181", "39181", OTHER_BOOT)
    assert [found.key for found in find([server])] == ["39180", "39181"]


@pytest.mark.parametrize("common", ["EMULATOR36X1X9X0", "unknown", "0123456789ABCDEF", ""])
def test_what_many_devices_are_called_names_none(fake: FakeAdb, server: Server, common: str) -> None:
    phone(fake, "emulator-5554", common)
    phone(fake, "emulator-5556", common, OTHER_BOOT)
    found = find([server])
    assert [entry.key for entry in found] == [f"{server}/emulator-5554", f"{server}/emulator-5556"]


def test_a_device_without_a_number_of_its_own_is_known_by_its_boot(fake: FakeAdb, server: Server) -> None:
    phone(fake, "127.0.0.1:5555")
    phone(fake, "localhost:5555")
    assert [found.device.serial for found in find([server])] == ["127.0.0.1:5555"]


def test_devices_that_share_a_number_and_nothing_else_are_two(fake: FakeAdb, server: Server) -> None:
    phone(fake, "one", "39180")
    phone(fake, "two", "39180", OTHER_BOOT)
    assert len({found.key for found in find([server])}) == 2


def test_servers_of_a_lab_make_one_pool(fake: FakeAdb, server: Server) -> None:
    phone(fake, "a", "A")
    with FakeAdb() as other:
        phone(other, "b", "B", OTHER_BOOT)
        phone(other, "10.0.0.2:5555", "A")
        found = find([server, Server(*other.address), server])
    assert [(entry.device.serial, entry.key) for entry in found] == [("a", "A"), ("b", "B")]


def test_a_ghost_of_an_emulator_is_passed_over(fake: FakeAdb, server: Server) -> None:
    fake.add("emulator-5562", state="offline")
    phone(fake, "39180", "39180")
    assert one([server]).serial == "39180"
    fake.devices.pop()
    with pytest.raises(NotOne, match="there is no device; plug one in"):
        find([server])


def test_two_ready_devices_and_none_chosen_is_refused_with_a_list(fake: FakeAdb, server: Server) -> None:
    phone(fake, "39180", "39180")
    phone(fake, "a b", "39181", OTHER_BOOT)
    with pytest.raises(NotOne, match=r"there are 2 devices: 39180 \(device\), 'a b' \(device\); choose one"):
        one([server])


def test_only_the_device_that_was_named_is_touched(fake: FakeAdb, server: Server) -> None:
    for serial in ("one", "two", "three"):
        phone(fake, serial, serial)
    wanted = wanted_serials([], {"ANDROID_SERIAL": "two"})
    assert one([server], wanted).serial == "two"
    assert [device.serial for device in fake.devices if device.asked] == ["two"]
    assert not any("one" in request or "three" in request for request in fake.requests)


@pytest.mark.parametrize(
    ("given", "environment", "wanted"),
    [
        (["a"], {"ANDROID_SERIAL": "b"}, ["a"]),
        (["a", "c", "a"], {}, ["a", "c"]),
        ([], {"ANDROID_SERIAL": "b"}, ["b"]),
        ([], {"ANDROID_SERIAL": ""}, []),
        ([], {}, []),
    ],
)
def test_who_was_named(given: list[str], environment: dict[str, str], wanted: list[str]) -> None:
    assert wanted_serials(given, environment) == wanted


def test_a_named_device_that_is_not_there_is_an_error(fake: FakeAdb, server: Server) -> None:
    phone(fake, "39180", "39180")
    with pytest.raises(DeviceUnavailable, match=r"device '39181' is not known .*\(it lists '39180'\); plug"):
        find([server], ["39181"])
    assert fake.devices[0].asked == []


def test_a_named_device_that_is_not_ready_is_an_error_with_its_remedy(fake: FakeAdb, server: Server) -> None:
    fake.add("39180", state="unauthorized")
    with pytest.raises(DeviceUnavailable, match="USB debugging") as caught:
        find([server], ["39180"])
    assert caught.value.state.name == "unauthorized"


def test_if_none_is_ready_each_says_what_it_is(fake: FakeAdb, server: Server) -> None:
    fake.add("39180", state="unauthorized")
    with pytest.raises(DeviceUnavailable, match="USB debugging"):
        find([server])
    fake.add("39181", state="recovery")
    with pytest.raises(NotOne, match=r"'39180' is unauthorized.*'39181' is in recovery.*harness devices"):
        find([server])


def test_everything_is_there_for_people_to_see(fake: FakeAdb, server: Server) -> None:
    phone(fake, "39180", "39180")
    phone(fake, "10.0.0.2:5555", "39180")
    fake.add("emulator-5562", state="offline")
    assert [(entry.device.serial, entry.state.name) for entry in everything([server])] == [
        ("39180", "device"),
        ("emulator-5562", "offline"),
    ]


def test_a_device_that_tells_nothing_is_known_by_where_it_is(fake: FakeAdb, server: Server) -> None:
    fake.add("39180", shell=lambda service: ConnectionError("closed"))
    (found,) = find([server])
    assert found.key == f"{server}/39180"
    assert isinstance(found.device, Device)
