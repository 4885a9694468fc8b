from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from harness.adb import Device, DeviceUnavailable, OutcomeUnknown, Server, TimedOut
from harness.adb.finding import Found
from harness.adb.pool import NoDeviceLeft, Pool
from harness.adb.states import STATES
from harness.fake_adb import Cut, FakeAdb, ran

ROOT = Path(__file__).parents[3]

# Takes devices until it has had so many turns, and fails if it ever finds somebody else on one.
WORKER = """
import os, sys, threading
from pathlib import Path
from harness.adb import Device, Server
from harness.adb.finding import Found
from harness.adb.pool import Pool
from harness.adb.states import STATES
folder, port, turns, serials = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:]
found = [Found(Device(Server(port=port), serial), STATES["device"], serial) for serial in serials]
pool = Pool(found, "run", folder)
print("ready", flush=True)
sys.stdin.readline()
for _ in range(turns):
    with pool.lease(30) as device:
        mark = folder / f"{device.serial}.used"
        os.close(os.open(mark, os.O_CREAT | os.O_EXCL))
        print(device.serial, flush=True)
        if turns == 1:
            sys.stdin.readline()
        threading.Event().wait(0.005)
        mark.unlink()
"""


def found(server: Server, *serials: str) -> list[Found]:
    return [Found(Device(server, serial), STATES["device"], f"key of {serial}") for serial in serials]


@pytest.fixture
def pool(fake: FakeAdb, server: Server, tmp_path: Path) -> Pool:
    for serial in "ab":
        fake.add(serial, shell=lambda service: ran())
    return Pool(found(server, "a", "b"), "run", tmp_path)


@contextmanager
def worker(folder: Path, server: Server, turns: int, *serials: str) -> Iterator[subprocess.Popen[str]]:
    started = subprocess.Popen(
        [sys.executable, "-c", WORKER, str(folder), str(server.port), str(turns), *serials],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )
    with started:
        try:
            assert started.stdout is not None
            assert started.stdout.readline() == "ready\n"
            yield started
        finally:
            started.kill()


def say(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    process.stdin.write("\n")
    process.stdin.flush()


def hear(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def test_no_two_leases_have_the_same_device(pool: Pool) -> None:
    with pool.lease() as first, pool.lease() as second:
        assert {first.serial, second.serial} == {"a", "b"}
        with pytest.raises(TimedOut, match="waiting for a device that nobody uses"), pool.lease(0.05):
            pass
    with pool.lease() as again:
        assert again.serial == "a"


def test_two_runs_do_not_share_a_device_either(server: Server, pool: Pool, tmp_path: Path) -> None:
    other = Pool(found(server, "a"), "another run", tmp_path)
    with pool.lease(), pytest.raises(TimedOut), other.lease(0.05):
        pass


def test_the_same_device_by_two_ways_has_one_lock(fake: FakeAdb, server: Server, tmp_path: Path) -> None:
    fake.add("usb")
    fake.add("10.0.0.2:5555")
    key = "39180DLJG0017F"
    usb = Pool([Found(Device(server, "usb"), STATES["device"], key)], "run", tmp_path)
    network = Pool([Found(Device(server, "10.0.0.2:5555"), STATES["device"], key)], "run", tmp_path)
    with usb.lease(), pytest.raises(TimedOut), network.lease(0.05):
        pass


def test_processes_take_turns_and_leave_no_device_idle(fake: FakeAdb, server: Server, tmp_path: Path) -> None:
    serials = ("a", "b c")
    for serial in serials:
        fake.add(serial)
    with (
        worker(tmp_path, server, 8, *serials) as one,
        worker(tmp_path, server, 8, *serials) as two,
        worker(tmp_path, server, 8, *serials) as three,
    ):
        for process in (one, two, three):
            say(process)
        said = [process.communicate(timeout=30)[0].split("\n") for process in (one, two, three)]
        assert [process.returncode for process in (one, two, three)] == [0, 0, 0]
    used = [serial for lines in said for serial in lines if serial]
    assert len(used) == 24
    assert set(used) == set(serials)


def test_the_lock_of_a_killed_process_is_free(fake: FakeAdb, server: Server, tmp_path: Path) -> None:
    fake.add("a")
    with worker(tmp_path, server, 1, "a") as process:
        say(process)
        assert hear(process) == "a"
        pool = Pool([Found(Device(server, "a"), STATES["device"], "a")], "run", tmp_path)
        with pytest.raises(TimedOut), pool.lease(0.05):
            pass
        process.send_signal(signal.SIGKILL)
        process.wait(10)
        with pool.lease(5) as device:
            assert device.serial == "a"


def test_a_forked_child_does_not_hold_on_to_the_lock(pool: Pool) -> None:
    reading, writing = os.pipe()
    with pool.lease():
        pid = os.fork()
        if not pid:
            os.write(writing, b"forked")
            threading.Event().wait(30)
            os._exit(0)
        assert os.read(reading, 6) == b"forked"
    try:
        with pool.lease(5) as device:
            assert device.serial == "a"
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        os.close(reading)
        os.close(writing)


def test_a_lost_device_is_left_out_by_every_worker(server: Server, pool: Pool, tmp_path: Path) -> None:
    with pool.lease() as device:
        pool.lose(device, "its cable was pulled")
    colleague = Pool(found(server, "a", "b"), "run", tmp_path)
    with colleague.lease() as other:
        assert other.serial == "b"
        with pytest.raises(TimedOut), pool.lease(0.05):
            pass
    assert colleague.losses() == {"key of a": "its cable was pulled"}
    next_run = Pool(found(server, "a", "b"), "next run", tmp_path)
    with next_run.lease() as device:
        assert device.serial == "a"


def test_when_all_are_lost_the_reason_is_told_at_once(pool: Pool) -> None:
    for _ in range(2):
        with pool.lease() as device:
            pool.lose(device, f"{device.serial} burnt")
    with pytest.raises(NoDeviceLeft, match="key of a: a burnt; key of b: b burnt"), pool.lease():
        pass


def test_a_device_that_goes_in_mid_lease_is_lost(fake: FakeAdb, pool: Pool) -> None:
    def leaving(service: str) -> list[Cut]:
        fake.devices[0].state = "offline"
        return [Cut()]

    fake.devices[0].shell = leaving  # type: ignore[assignment]
    with pytest.raises((OutcomeUnknown, Exception)), pool.lease() as device:
        device.shell("play")
    assert "offline" in pool.losses()["key of a"]


def test_a_device_that_is_listed_and_does_not_answer_is_lost(fake: FakeAdb, pool: Pool) -> None:
    fake.devices[0].shell = lambda service: [Cut()]
    with pytest.raises(Exception, match="connection"), pool.lease() as device:
        device.shell("play")
    assert list(pool.losses()) == ["key of a"]


def test_a_failure_of_a_scenario_loses_no_device(pool: Pool) -> None:
    with pytest.raises(AssertionError), pool.lease():
        raise AssertionError("a rule was broken")
    with pytest.raises(OutcomeUnknown), pool.lease():
        raise OutcomeUnknown("something else")
    assert pool.losses() == {}


def test_a_device_that_went_before_it_was_leased_is_passed_over(fake: FakeAdb, pool: Pool) -> None:
    fake.devices[0].state = "unauthorized"
    with pool.lease() as device:
        assert device.serial == "b"
    fake.devices.clear()
    with pytest.raises(NoDeviceLeft, match=r"unauthorized.*not known to adb's server"), pool.lease():
        pass


def test_the_end_of_a_run_forgets_its_losses(pool: Pool, tmp_path: Path) -> None:
    with pool.lease() as device:
        pool.lose(device, "gone")
    pool.close()
    assert pool.losses() == {}
    assert {path.suffix for path in tmp_path.iterdir()} == {".lock"}


def test_a_pool_of_nothing_says_so(tmp_path: Path) -> None:
    with pytest.raises(NoDeviceLeft, match="there was none"), Pool([], "run", tmp_path).lease():
        pass


def test_an_unavailable_device_keeps_its_state() -> None:
    error = DeviceUnavailable("a", STATES["recovery"])
    assert error.state.name == "recovery"
