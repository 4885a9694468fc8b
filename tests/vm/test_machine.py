"""The virtual machine itself: what tests that use it rely on."""

from __future__ import annotations

import os
import socket
import time
from pathlib import Path

import pytest

from . import guest
from .machine import Machine
from .processes import wait_until

pytestmark = pytest.mark.vm

DEVICES = ["/dev/binder", "/dev/hwbinder", "/dev/vndbinder"]
EVERY_BYTE = bytes(range(256)) * 300


def test_boots_the_kernel_that_it_should(machine: Machine) -> None:
    assert machine.run("uname -r").check().text.startswith("6.12")


@pytest.mark.parametrize("code", [0, 1, 7, 255])
def test_exit_codes_arrive(machine: Machine, code: int) -> None:
    assert machine.run(f"exit {code}").code == code


def test_stdout_and_stderr_arrive_apart(machine: Machine) -> None:
    done = machine.run("echo out; echo err >&2")
    assert (done.stdout, done.stderr) == (b"out\n", b"err\n")


def test_all_bytes_go_in_and_come_out(machine: Machine) -> None:
    assert machine.run("cat", input=EVERY_BYTE).stdout == EVERY_BYTE


def test_a_program_may_leave_its_input_unread(machine: Machine) -> None:
    assert machine.run("echo done", input=EVERY_BYTE * 20).stdout == b"done\n"


def test_arguments_arrive_as_they_are(machine: Machine) -> None:
    assert machine.run(["printf", "%s|", "a b", "it's", "$HOME", ""]).stdout == b"a b|it's|$HOME||"


def test_runs_as_root_or_as_any_user(machine: Machine) -> None:
    assert machine.run("id -u; id -g; id -G").text.split() == ["0", "0", "0"]
    assert machine.run("id -u; id -g; id -G", uid=10054).text.split() == ["10054"] * 3
    assert machine.run("cat /proc/1/mem", uid=10054).code == 1


def test_a_failed_program_says_what_it_said(machine: Machine) -> None:
    with pytest.raises(AssertionError, match=r"exit code 3\nup\ndown"):
        machine.run("echo up; echo down >&2; exit 3").check()


def test_files_and_directories_are_copied(machine: Machine, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "file").write_bytes(EVERY_BYTE)
    machine.push(tmp_path / "folder", "/data/local/tmp")
    assert machine.run("cat /data/local/tmp/folder/file").stdout == EVERY_BYTE


# --- programs that keep running -------------------------------------------------------------------


def test_lines_of_a_running_program_come_as_it_says_them(machine: Machine) -> None:
    with machine.spawn("echo first; read answer; echo got $answer; exit 5") as running:
        assert running.line() == "first"
        running.send(b"42\n")
        assert running.line_with("got") == "got 42"
        with pytest.raises(EOFError):
            running.line()
        assert running.wait() == 5


def test_a_kill_takes_the_programs_children_with_it(machine: Machine) -> None:
    with machine.spawn("sleep 1001 & echo started; wait", uid=2000) as running:
        running.line_with("started")
        assert machine.run("cat /proc/*/cmdline").text.count("sleep\x001001") == 1
    assert running.wait() == 137
    assert machine.run("cat /proc/*/cmdline 2>/dev/null").text.count("sleep\x001001") == 0


def test_waiting_for_a_line_ends_in_time(machine: Machine) -> None:
    with machine.spawn("sleep 1002") as running, pytest.raises(TimeoutError, match="no output within"):
        running.line(timeout=0.2)


def test_a_program_that_takes_too_long_is_killed(machine: Machine) -> None:
    before = time.monotonic()
    with pytest.raises(TimeoutError, match="sleep 1003"):
        machine.run("sleep 1003", timeout=0.5)
    assert time.monotonic() - before < 30
    assert machine.run("cat /proc/*/cmdline 2>/dev/null").text.count("sleep\x001003") == 0


def test_a_socket_of_the_machine_is_reached(machine: Machine) -> None:
    server = (
        "import socket; s = socket.create_server(('127.0.0.1', 6000)); print('up'); s.accept()[0].send(b'hi')"
    )
    with machine.spawn(["python3", "-c", server]) as running:
        running.line_with("up")
        with socket.create_connection(("127.0.0.1", machine.forward("tcp:6000")), 10) as client:
            assert client.recv(2) == b"hi"


# --- what is in it --------------------------------------------------------------------------------


@pytest.mark.parametrize("device", DEVICES)
def test_the_driver_answers_its_version(machine: Machine, device: str) -> None:
    assert machine.run(["python3", "-c", guest.VERSION, device], uid=10054).check().text == "8\n"


def test_memory_can_be_had_from_a_heap(machine: Machine) -> None:
    assert machine.run("test -c /dev/dma_heap/system && test -c /dev/udmabuf").code == 0


def test_no_network_is_reached(machine: Machine) -> None:
    dial = "import socket; socket.create_connection(('10.0.2.2', 22), 3)"
    assert machine.run(["python3", "-c", dial]).code == 1


CALLS_A_SERVICE = """
from binder.local import DeterministicScheduler, Driver
from generated.android.npumanager import BnModelLoadCallback, IModelLoadCallback

class Callback(BnModelLoadCallback):
    def onCanLoadModel(self, status): print("called with", status)
    def onModelLoadRequestComplete(self, status): raise NotImplementedError
    def onRequestUnloadModel(self): raise NotImplementedError

driver = Driver(DeterministicScheduler(1))
server, client = driver.new_process("server", uid=1000), driver.new_process("client", uid=10054)
server.add_service("callback", Callback())
IModelLoadCallback.from_binder(client.get_service("callback")).onCanLoadModel(7)
driver.scheduler.settle()
driver.close()
"""


def test_our_code_runs_with_nothing_but_the_standard_library(machine: Machine) -> None:
    assert machine.run(["python3", "-c", CALLS_A_SERVICE]).check().text == "called with 7\n"
    assert machine.run("python3 -c 'import reference_impl.device'", timeout=60).check().stderr == b""


@pytest.mark.parametrize("tool", ["binder-list", "binder-ping", "binder-call"])
def test_gbinders_tools_are_there(machine: Machine, tool: str) -> None:
    assert "Usage" in machine.run([tool, "--help"]).check().text


def test_gbinders_tools_wait_for_a_service_manager(machine: Machine) -> None:
    with pytest.raises(TimeoutError):
        machine.run("binder-list -d /dev/binder", timeout=2)


def test_gbinder_can_be_had_from_python(sid_machine: Machine) -> None:
    modules = "import gbinder, sys; print(*sys.version_info[:2], gbinder.ServiceManager.__name__)"
    assert sid_machine.run(["python3", "-c", modules]).check().text == "3 14 ServiceManager\n"
    assert sid_machine.run("uname -r").check().text.startswith("6.12")


def test_a_failure_is_shown_with_what_the_kernel_said(machine: Machine) -> None:
    machine.run("echo something is wrong >/dev/kmsg").check()
    assert "something is wrong" in machine.log()


# --- going back -----------------------------------------------------------------------------------


def claim(machine: Machine, uid: int) -> str:
    """What becoming context manager of /dev/binder, for a moment, answers."""
    done = machine.run(["python3", "-c", guest.BECOME_CONTEXT_MANAGER, "/dev/binder"], uid=uid)
    return done.check().text.strip()


def test_restoring_gives_a_device_that_nobody_has_used(machine: Machine) -> None:
    machine.restore()
    machine.run("touch /data/local/tmp/left-behind").check()
    assert [claim(machine, uid) for uid in (1000, 1001, 1000)] == ["claimed", "EPERM", "claimed"]
    machine.restore()
    assert claim(machine, 1001) == "claimed"
    assert machine.run("ls /data/local/tmp/left-behind").code == 2


def test_a_restored_machine_knows_the_time(machine: Machine) -> None:
    machine.restore()
    assert abs(float(machine.run("date +%s.%N").text) - time.time()) < 30


def test_a_stopped_machine_is_gone_and_comes_back(machine: Machine) -> None:
    qemu = machine.pids()[0]
    machine.stop()
    assert wait_until(lambda: not os.path.exists(f"/proc/{qemu}"), 10)
    machine.restore()
    assert machine.run("true").code == 0
