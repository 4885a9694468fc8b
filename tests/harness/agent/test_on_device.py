"""The agent on a device: calls over its driver, and every way in which it can come to an end."""

from __future__ import annotations

import os
import signal
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from queue import SimpleQueue

import pytest

from binder import Binder, DeadObjectError, IBinder, Parcel, StatusError, calling_pid, calling_uid
from binder.kernel import DeviceError, KernelProcess
from binder.kernel.framing import (
    VERSION,
    Answer,
    Outcome,
    StreamEnded,
    greeting,
    pack_wish,
    read_answer,
    read_exactly,
    unpack_error,
)
from binder.kernel.link import AgentError
from binder.kernel.observed import Exchange
from binder.kernel.remote import RemoteDevice, RemoteFile, RemoteProcess
from binder.kernel.streams import Stream
from binder.protocol import Status, TransactionFlag
from harness.adb import Device, Server
from harness.agent.install import FOLDER, install, start

from ...vm.machine import ROOT, Machine
from ...vm.processes import wait_until

pytestmark = pytest.mark.vm

SERVER_UID, APP_UID, OTHER_UID = 1000, 10123, 10124
PATIENCE = 30.0
IDENTITY, TAKE_FILE, CALL_BACK, HANG, ECHO, GIVE_FILE = range(1, 7)


class Service(Binder):
    """Runs here, and is reached by an agent's process on the device."""

    def __init__(self) -> None:
        self.device: RemoteDevice | None = None
        self.hanging: SimpleQueue[None] = SimpleQueue()
        self.may_go_on = threading.Event()

    def on_transact(self, code: int, data: Parcel, reply: Parcel, flags: int) -> None:
        if code == IDENTITY:
            reply.write_int32(calling_uid())
            reply.write_int32(calling_pid())
        elif code == TAKE_FILE:
            with data.read_file_descriptor() as file:
                reply.write_byte_array(file.read())  # type: ignore[attr-defined]
        elif code == CALL_BACK:
            other = data.read_strong_binder()
            assert other is not None
            with other.transact(ECHO, filled(other, b"back"), int(TransactionFlag.ACCEPT_FDS)) as answer:
                reply.write_byte_array(answer.read_byte_array())
        elif code == HANG:
            self.hanging.put(None)
            self.may_go_on.wait(PATIENCE)
        elif code == ECHO:
            reply.write_byte_array(data.read_byte_array())
        elif code == GIVE_FILE and self.device is not None:
            with self.device.create_file(b"given") as file:
                reply.write_file_descriptor(file)
        else:
            super().on_transact(code, data, reply, flags)


def filled(binder: IBinder, content: bytes) -> Parcel:
    data = binder.new_parcel()
    data.write_byte_array(content)
    return data


class Bench:
    """A device with the agent on it, and a service there that this process implements."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.target = Device(Server.from_environment(machine.adb.environment), machine.adb.serial)
        self.path = install(self.target)
        self.service = Service()
        self.server = KernelProcess(self.agent(SERVER_UID), max_threads=4)
        self.service.device = self.server.device  # type: ignore[assignment]
        self.server.become_context_manager(self.service)

    def agent(
        self, uid: int | None, binder: str = "/dev/binder", call_seconds: float = PATIENCE
    ) -> RemoteDevice:
        name = f"the agent on {self.target.serial}"
        return start(self.target, self.path, binder, uid=uid, name=name, call_seconds=call_seconds)

    @contextmanager
    def app(self, uid: int = APP_UID, call_seconds: float = PATIENCE) -> Iterator[KernelProcess]:
        with KernelProcess(self.agent(uid, call_seconds=call_seconds)) as process:
            yield process

    def agents(self) -> dict[int, str]:
        """The agents' processes on the device, with their states; the dead that nobody buried, too."""
        # Which numbers there are may change while they are read.
        lines = map(str.split, self.target.shell("cat /proc/[0-9]*/stat 2>/dev/null").text.splitlines())
        return {int(pid): state for pid, name, state, *_ in lines if "npukit-agent" in name}

    def gone(self, pid: int) -> bool:
        return wait_until(lambda: pid not in self.agents(), PATIENCE)

    def descriptors(self, device: RemoteDevice) -> list[str]:
        links = self.target.shell(f"cd /proc/{device.pid}/fd && for f in *; do readlink $f; done").check()
        return sorted(line for line in links.text.splitlines() if not line.startswith("socket:"))


@pytest.fixture(scope="module")
def bench(machine: Machine) -> Iterator[Bench]:
    bench = Bench(machine)
    try:
        yield bench
    finally:
        bench.service.may_go_on.set()
        bench.server.close()


def call(process: KernelProcess, code: int, fill: Callable[[Parcel], object] = lambda data: None) -> Parcel:
    target = process.context_manager()
    data = target.new_parcel()
    fill(data)
    return target.transact(code, data, int(TransactionFlag.ACCEPT_FDS))


# --- calls ----------------------------------------------------------------------------------------


def test_an_agent_calls_as_the_user_that_it_should_be(bench: Bench) -> None:
    for uid in (APP_UID, OTHER_UID):
        with bench.app(uid) as app, call(app, IDENTITY) as reply:
            assert (reply.read_int32(), reply.read_int32()) == (uid, app.device.pid)
            assert app.identity.uid == uid


def test_setpriv_may_choose_the_user_instead(bench: Bench) -> None:
    command = f"exec setpriv --reuid={OTHER_UID} --clear-groups {bench.path}"
    with KernelProcess(RemoteDevice(bench.target.stream(command))) as app, call(app, IDENTITY) as reply:
        assert reply.read_int32() == OTHER_UID


def test_an_agent_without_root_may_become_nobody_else(bench: Bench) -> None:
    command = f"exec setpriv --reuid={OTHER_UID} --clear-groups {bench.path}"
    with pytest.raises(AgentError, match=f"cannot run as uid {APP_UID}: Operation not permitted"):
        RemoteDevice(bench.target.stream(command), uid=APP_UID)


def test_an_agent_serves_calls_while_it_calls(bench: Bench) -> None:
    class Callback(Binder):
        def on_transact(self, code: int, data: Parcel, reply: Parcel, flags: int) -> None:
            assert calling_uid() == SERVER_UID
            reply.write_byte_array((data.read_byte_array() or b"") + b" and forth")

    with bench.app() as app, call(app, CALL_BACK, lambda data: data.write_strong_binder(Callback())) as reply:
        assert reply.read_byte_array() == b"back and forth"


def test_several_threads_call_at_once(bench: Bench) -> None:
    answers: SimpleQueue[bytes | None] = SimpleQueue()

    def many(app: KernelProcess, number: int) -> None:
        for said in (b"%d %d" % (number, turn) for turn in range(20)):
            with call(app, ECHO, partial(Parcel.write_byte_array, value=said)) as reply:
                answers.put(said if reply.read_byte_array() == said else None)

    with bench.app() as app:
        threads = [threading.Thread(target=many, args=(app, number)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(PATIENCE)
    heard = [answers.get(timeout=1) for _ in range(80)]
    assert None not in heard
    assert len(set(heard)) == 80


def test_descriptors_travel_between_agents_and_none_is_left(bench: Bench) -> None:
    with bench.app() as app:
        device = app.device
        assert isinstance(device, RemoteDevice)
        before = bench.descriptors(device)
        served = bench.descriptors(bench.server.device)  # type: ignore[arg-type]
        with device.create_file(b"of the app's") as file:
            reply = call(app, TAKE_FILE, lambda data: data.write_file_descriptor(file))
        with reply:
            assert reply.read_byte_array() == b"of the app's"
        assert bench.descriptors(device) == before
        assert bench.descriptors(bench.server.device) == served  # type: ignore[arg-type]


# --- sizes ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("mebibytes", [2, 16])
def test_a_parcel_that_is_too_large_is_refused_and_nothing_else_happens(bench: Bench, mebibytes: int) -> None:
    with bench.app() as app:
        with pytest.raises(StatusError) as refused:
            call(app, ECHO, lambda data: data.write_byte_array(bytes(mebibytes << 20)))
        assert refused.value.status == Status.FAILED_TRANSACTION
        with call(app, ECHO, lambda data: data.write_byte_array(bytes(100_000))) as reply:
            assert reply.read_byte_array() == bytes(100_000)


def test_a_heaps_buffer_is_written_read_and_sent(bench: Bench) -> None:
    device = bench.agent(None, "")
    try:
        heap = device.open_file("/dev/dma_heap/system")
        # struct dma_heap_allocation_data: length, descriptor, its flags (close on exec), flags of the heap
        _, answer = heap.control(0xC0184800, struct.pack("<QIIQ", 65536, 0, 0o2000002, 0))
        with RemoteFile(struct.unpack("<QIIQ", answer)[1], device) as buffer:
            buffer.write_memory(b"in the buffer", 5000)
            assert buffer.read_memory(13, 5000) == b"in the buffer"
            with pytest.raises(AgentError):
                buffer.read_memory(10, 1 << 20)
    finally:
        device.close()


# --- the end --------------------------------------------------------------------------------------


@contextmanager
def a_call_that_hangs(bench: Bench, app: KernelProcess) -> Iterator[SimpleQueue[Exception]]:
    """A call to a service that does not answer. What comes of it is in the queue."""
    outcome: SimpleQueue[Exception] = SimpleQueue()

    def hang() -> None:
        try:
            call(app, HANG).release()
        except (StatusError, DeviceError) as error:
            outcome.put(error)

    bench.service.may_go_on.clear()
    caller = threading.Thread(target=hang)
    caller.start()
    bench.service.hanging.get(timeout=PATIENCE)
    try:
        yield outcome
    finally:
        bench.service.may_go_on.set()
        caller.join(PATIENCE)
        assert not caller.is_alive()


def test_a_killed_agent_ends_the_calls_that_wait(bench: Bench) -> None:
    with bench.app() as app, a_call_that_hangs(bench, app) as outcome:
        bench.target.shell(f"kill -KILL {app.device.pid}").check()
        error = outcome.get(timeout=PATIENCE)
        assert isinstance(error, DeadObjectError)
        assert f"(pid {app.device.pid}, uid {APP_UID}): the agent has ended" in str(error)
        assert bench.gone(app.device.pid)


def test_an_agent_that_is_told_to_die_is_noticed_by_whom_it_served(bench: Bench) -> None:
    def ignore(exchange: Exchange) -> None: ...

    process = RemoteProcess(bench.agent(APP_UID), ignore)
    process.kill()
    assert bench.gone(process.device.pid)
    with pytest.raises(DeadObjectError):
        call(process, IDENTITY)


def test_a_cut_connection_ends_both_sides(bench: Bench) -> None:
    with bench.app() as app, a_call_that_hangs(bench, app) as outcome:
        device = app.device
        assert isinstance(device, RemoteDevice)
        device._link._stream.close()
        assert isinstance(outcome.get(timeout=PATIENCE), DeadObjectError)
        assert bench.gone(device.pid)


def test_an_agent_that_stands_still_is_given_up(bench: Bench) -> None:
    with bench.app(call_seconds=0.5) as app:
        bench.target.shell(f"kill -STOP {app.device.pid}").check()
        with pytest.raises(DeviceError, match="the agent does not answer any more"):
            call(app, IDENTITY)
        assert isinstance(app.device, RemoteDevice)
        assert app.device.lost
        bench.target.shell(f"kill -CONT {app.device.pid}").check()
        assert bench.gone(app.device.pid)


HOST = """
import sys
from binder.kernel import KernelProcess
from harness.adb import Device, Server
from harness.agent.install import start
serial, port, path = sys.argv[1:]
device = start(Device(Server("127.0.0.1", int(port)), serial), path, uid=10123)
process = KernelProcess(device)
process.start_threads()
print(device.pid, flush=True)
process.context_manager().transact(4, process.context_manager().new_parcel())
"""


def test_a_killed_host_leaves_nothing_on_the_device(bench: Bench) -> None:
    bench.service.may_go_on.clear()
    server = bench.target.server
    with subprocess.Popen(
        [sys.executable, "-c", HOST, bench.target.serial, str(server.port), bench.path],
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    ) as host:
        assert host.stdout is not None
        pid = int(host.stdout.readline())
        bench.service.hanging.get(timeout=PATIENCE)
        assert bench.agents()[pid] in "SRD"
        host.send_signal(signal.SIGKILL)
        host.wait(PATIENCE)
    assert bench.gone(pid)
    bench.service.may_go_on.set()


def test_a_call_has_a_deadline_and_its_thread_can_go_on(bench: Bench) -> None:
    with bench.app(call_seconds=1.0) as app:
        bench.service.may_go_on.clear()
        began = time.monotonic()
        with pytest.raises(StatusError, match="does not answer within 1 s") as late:
            call(app, HANG)
        assert late.value.status == Status.TIMED_OUT
        assert time.monotonic() - began < PATIENCE
        bench.service.hanging.get(timeout=PATIENCE)
        with call(app, ECHO, lambda data: data.write_byte_array(b"still there")) as reply:
            assert reply.read_byte_array() == b"still there"
        bench.service.may_go_on.set()


def until_the_end(stream: Stream) -> Iterator[Answer]:
    with suppress(StreamEnded):
        while True:
            yield read_answer(stream.read)


@pytest.mark.parametrize(
    ("said", "complaint"),
    [
        (b"NPUB\x01\0" + pack_wish(None, "/dev/binder"), f"the host speaks version 1, not {VERSION}"),
        (b"POST / HTTP/1.1\r\n\r\n", "the host does not speak as one does"),
        (greeting() + pack_wish(None, "") + b"\xff" * 64, "a frame cannot have 4294967295 bytes"),
        (greeting() + pack_wish(None, "/dev/null"), "/dev/null is no binder device"),
    ],
    ids=["version", "garbage", "frames", "device"],
)
def test_what_makes_no_sense_is_said_and_ends_the_agent(bench: Bench, said: bytes, complaint: str) -> None:
    stream = bench.target.stream(f"exec {bench.path}")
    try:
        stream.write(said)
        assert read_exactly(stream.read, 6) == greeting()
        answers = list(until_the_end(stream))
        assert complaint in unpack_error(answers[-1].payload)[1]
        assert [answer.outcome for answer in answers[:-1]] in ([], [Outcome.OK])
    finally:
        stream.close()
    assert wait_until(lambda: set(bench.agents()) == {bench.server.device.pid}, PATIENCE)


def test_what_is_no_agent_is_quoted(bench: Bench) -> None:
    with pytest.raises(DeviceError, match=r"it says '.*/nowhere/agent: not found"):
        start(bench.target, "/nowhere/agent", name="an agent")


# --- getting there --------------------------------------------------------------------------------


def test_it_is_brought_there_once_and_again_if_it_is_not_what_it_was(bench: Bench) -> None:
    said: list[str] = []
    assert install(bench.target, said.append) == bench.path
    assert said == []
    kept, path = f"{bench.path}.kept", bench.path
    bench.target.shell(f"cp {path} {kept} && echo x >{path}.new && mv {path}.new {path}").check()
    assert install(bench.target, said.append) == bench.path
    assert said == [f"copying the agent to {bench.path}"]
    assert bench.target.shell(f"cmp {path} {kept} && rm {kept}").code == 0
    assert bench.target.shell(f"ls {FOLDER} | grep npukit-agent").text == f"{path.rpartition('/')[2]}\n"


def test_the_command_line_brings_it_there(bench: Bench) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "harness", "agent", "push", "--serial", bench.target.serial],
        env={**os.environ, **bench.machine.adb.environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        cwd=ROOT,
    )
    assert (done.returncode, done.stdout) == (0, f"{bench.path}\n"), done.stderr


def test_it_says_its_greeting_to_a_person(bench: Bench) -> None:
    done = bench.machine.adb.call("shell", "-T", f"{bench.path} </dev/null")
    assert done.stdout.startswith(greeting())
    assert done.stdout.endswith(b"the stream ended after 0 of 4 bytes")


def test_nothing_of_an_agent_is_left_in_adbd(bench: Bench) -> None:
    def descriptors() -> int:
        return int(bench.target.shell("ls /proc/$PPID/fd | wc -l").check().text)

    before = descriptors()
    for _ in range(3):
        with bench.app():
            pass
        device = bench.agent(APP_UID)
        device.kill()
        bench.agent(APP_UID)._link._stream.close()
    assert wait_until(lambda: descriptors() <= before, PATIENCE)


def test_nothing_is_left_at_the_end(bench: Bench) -> None:
    assert wait_until(lambda: bench.agents().keys() == {bench.server.device.pid}, PATIENCE), bench.agents()
