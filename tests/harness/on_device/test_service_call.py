from __future__ import annotations

import pytest

from binder import Binder, PersistableBundle, StatusError
from binder.local import DeterministicScheduler, Driver
from generated.android.npumanager import INpuManagerService
from harness.adb import Device
from harness.fake_adb import FakeAdb, ran
from harness.on_device.service_call import ServiceCall
from tests.harness.adb.fake_android import FakeAndroid

OK = "Result: Parcel(00000000    '....')\n"


@pytest.fixture
def npu(device: Device) -> INpuManagerService:
    return INpuManagerService.from_binder(ServiceCall(device, "npu"))


def test_what_follows_the_token_is_given_as_words(phone: FakeAndroid, npu: INpuManagerService) -> None:
    phone.overrides["service call npu 5 i32 1 i32 0"] = OK
    npu.setPolicy(1, None)
    assert phone.ran == ["service call npu 5 i32 1 i32 0"]


def test_any_parcel_without_objects_can_be_sent(
    fake: FakeAdb, phone: FakeAndroid, npu: INpuManagerService
) -> None:
    said: list[str] = []

    def answer(service: str) -> bytes:
        said.append(service.removeprefix("shell,v2,raw:"))
        return ran(OK.encode())

    phone.device.shell = answer
    npu.setPolicy(2, PersistableBundle.of({"maxBudget": -8}))
    words = said[0].split()
    assert words[:4] == ["service", "call", "npu", "5"]
    assert set(words[4::2]) == {"i32"}
    assert "-8" in words[5::2]


@pytest.mark.parametrize(
    ("said", "status"),
    [
        ('Result: Parcel(Error: 0xfffffffffffffff7 "Bad address")\n', "FAILED_TRANSACTION"),
        (("service: Service npu does not exist\n", 10), "DEAD_OBJECT"),
        ("nonsense\n", "FAILED_TRANSACTION"),
    ],
)
def test_what_is_no_reply_is_a_status(
    phone: FakeAndroid, npu: INpuManagerService, said: object, status: str
) -> None:
    phone.overrides["service call npu 5 i32 1 i32 0"] = said
    with pytest.raises(StatusError, match=status):
        npu.setPolicy(1, None)


def test_binders_cannot_be_sent(phone: FakeAndroid, device: Device) -> None:
    process = Driver(DeterministicScheduler(0)).new_process("here", uid=0)
    npu = ServiceCall(device, "npu")
    with process.running():
        data = npu.new_parcel()
        data.write_strong_binder(Binder())
        with pytest.raises(StatusError, match="carries no binders"):
            npu.transact(1, data)
    assert phone.ran == []
