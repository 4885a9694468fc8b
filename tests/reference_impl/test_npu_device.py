"""Giving the reference HAL work, as a program does."""

from __future__ import annotations

import pytest

from binder import IllegalArgumentException, SecurityException
from binder.local import Driver, Process
from generated.android.hardware.npu import EndReason, SchedulingConfig
from generated.npukit.npu import BnJobCallback, INpuDevice
from reference_impl.constants import NPU_DEVICE_SERVICE
from reference_impl.device import ReferenceDevice
from reference_impl.run_test_inference import main

from .device_kit import ALBUM, ASSISTANT


class Ended(BnJobCallback):
    """Remembers how jobs ended."""

    def __init__(self) -> None:
        self.reasons: list[EndReason] = []

    def onEnded(self, reason: EndReason) -> None:
        self.reasons.append(reason)


def npu_of(device: ReferenceDevice, uid: int) -> tuple[Process, INpuDevice]:
    process = device.start_process(uid)
    assert isinstance(process, Process)
    binder = process.get_service(NPU_DEVICE_SERVICE)
    assert binder is not None
    return process, INpuDevice.from_binder(binder)


def test_a_job_is_that_of_the_caller_and_its_end_is_told(driver: Driver, device: ReferenceDevice) -> None:
    _, npu = npu_of(device, ALBUM)
    ended = Ended()
    npu.submit(100, INpuDevice.NO_UID, 300, ended)
    driver.scheduler.advance(0.2)
    assert ended.reasons == []
    driver.scheduler.advance(0.2)
    assert ended.reasons == [EndReason.COMPLETED]
    events = [event.uid for event in device.service.metrics.events() if event.kind == "work_started"]
    assert events == [ALBUM]


def test_what_the_table_does_not_allow_is_refused(driver: Driver, device: ReferenceDevice) -> None:
    _, npu = npu_of(device, ALBUM)
    with pytest.raises(SecurityException, match=f"uid {ALBUM} may not work in the name of {ASSISTANT}"):
        npu.submit(100, ASSISTANT, 300, Ended())
    assert device.hal is not None
    device.hal.updateSchedulingConfigs([SchedulingConfig(ALBUM, 100, False, False)])
    with pytest.raises(SecurityException, match="no direct access"):
        npu.submit(100, INpuDevice.NO_UID, 300, Ended())
    with pytest.raises(IllegalArgumentException, match="1001"):
        npu.submit(1001, INpuDevice.NO_UID, 300, Ended())


def test_a_job_ends_with_the_process_that_waits_for_it(driver: Driver, device: ReferenceDevice) -> None:
    process, npu = npu_of(device, ALBUM)
    npu.submit(100, INpuDevice.NO_UID, 10_000, Ended())
    driver.scheduler.settle()
    process.kill()
    driver.scheduler.settle()
    assert device.hal is not None
    assert device.hal.counts["CANCELLED_USER"] == 1
    _, other = npu_of(device, ASSISTANT)
    ended = Ended()
    other.submit(100, INpuDevice.NO_UID, 100, ended)
    driver.scheduler.advance(0.2)
    assert ended.reasons == [EndReason.COMPLETED], "the NPU is free again"


@pytest.mark.parametrize("words", [["--job-priority", "-1"], ["--job-priority", "x"], ["--nonsense"]])
def test_a_bad_command_line_is_refused(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == 2
    assert "run-test-inference: error: " in capsys.readouterr().err


def test_a_missing_driver_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--binder", "/dev/nowhere"]) == 2
    assert "/dev/nowhere" in capsys.readouterr().err
