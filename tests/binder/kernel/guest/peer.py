"""Our side of conversations with services of others, and of our own: see `manager` and `gbinder_peer`.

python3 -m guest.peer call DEVICE API_LEVEL NAME       calls a service, and lets itself be called back
python3 -m guest.peer time DEVICE API_LEVEL COUNT      says how many calls a second it makes
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from queue import SimpleQueue

from binder import Binder, IBinder, InterfaceInfo, Parcel
from binder.console import RESULT_RECEIVER, dump, shell_command
from binder.kernel import KernelProcess, LocalDevice
from binder.token import enforce_interface
from generated.android.npumanager import (
    BnModelLoadCallback,
    BufferType,
    INpuAllocator,
    INpuManagerService,
    ModelLoadRequestParcelable,
    NpuBufferGetRequest,
)
from service_manager import ServiceManager

from .manager import ADD, CALL_BACK, DESCRIPTOR, GREET, Peer


class Receiver(Binder):
    """Hears the exit code of a shell command."""

    def __init__(self) -> None:
        self._codes: SimpleQueue[int] = SimpleQueue()

    def on_transact(self, code: int, data: Parcel, reply: Parcel, flags: int) -> None:
        enforce_interface(data, RESULT_RECEIVER)
        self._codes.put(data.read_int32())

    def result(self) -> int:
        return self._codes.get(timeout=20)


def request(binder: IBinder) -> Parcel:
    data = binder.new_parcel()
    data.write_interface_token(DESCRIPTOR)
    return data


def reply_to(binder: IBinder, code: int, data: Parcel) -> Parcel:
    reply = binder.transact(code, data, 0x10)
    assert reply.read_int32() == 0
    return reply


def add(binder: IBinder) -> int:
    data = request(binder)
    data.write_int32(2)
    data.write_int32(3)
    with reply_to(binder, ADD, data) as reply:
        return reply.read_int32()


def call(binder: IBinder) -> None:
    say("is", binder.interface_descriptor())
    say("added", add(binder))
    data = request(binder)
    data.write_string16("npukit")
    say("greeted", reply_to(binder, GREET, data).read_string16())
    data = request(binder)
    data.write_strong_binder(Peer())
    say("called back", reply_to(binder, CALL_BACK, data).read_int32())


def command(binder: IBinder) -> None:
    """What `dumpsys` and `cmd` ask for."""
    say(dump(binder, ["a", "b"]).strip())
    receiver = Receiver()
    done = shell_command(binder, ["c"], receiver, receiver.result)
    say(done.out.strip(), done.exit_code)


def say_rate(work: Callable[[], None], count: int) -> None:
    """How often `work` can be done in a second, in the best of ten parts: a busy machine disturbs some."""
    rates = []
    for _ in range(10):
        start = time.perf_counter()
        for _ in range(count // 10):
            work()
        rates.append(count // 10 / (time.perf_counter() - start))
    say("rate", max(rates))


def rate(binder: IBinder, count: int) -> None:
    def work() -> None:
        assert add(binder) == 5

    say_rate(work, count)


class Callback(BnModelLoadCallback):
    """Is only sent."""

    def onCanLoadModel(self, status: int) -> None: ...

    def onRequestUnloadModel(self) -> None: ...

    def onModelLoadRequestComplete(self, status: int) -> None: ...


def load() -> list[object]:
    return [ModelLoadRequestParcelable(id=54, priority=1000), Callback()]


def buffers() -> list[object]:
    return [[NpuBufferGetRequest(n, 0, BufferType.MODEL_WEIGHTS, 1 << 20) for n in range(64)]]


WRITES: dict[str, tuple[InterfaceInfo, str, Callable[[], list[object]]]] = {
    "write": (INpuManagerService.aidl, "canLoadModel", load),
    "buffers": (INpuAllocator.aidl, "getBuffers", buffers),
}


def writer_of(what: str) -> Callable[[], Parcel]:
    """What writes a request that `gbinder_peer` writes, too."""
    info, name, arguments = WRITES[what]
    write = next(method for method in info.methods if method.name == name).write_request
    values = arguments()

    def work() -> Parcel:
        data = Parcel()
        data.write_interface_token(info.descriptor)
        write(data, *values)
        return data

    return work


def say(*words: object) -> None:
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()


def main(what: str, device: str, api_level: str, argument: str) -> None:
    with KernelProcess(LocalDevice(device), api_level=int(api_level)) as process:
        manager = ServiceManager(process.context_manager(), int(api_level))
        binder = manager.check_service(argument if what == "call" else "npu")
        assert isinstance(binder, IBinder)
        assert not isinstance(binder, Binder)
        if what == "time":
            rate(binder, int(argument))
        else:
            call(binder)
            if argument == "npu":
                command(binder)


if __name__ == "__main__":
    main(*sys.argv[1:])
