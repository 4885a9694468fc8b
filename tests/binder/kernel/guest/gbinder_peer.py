"""The other side by gbinder, an implementation of binder that is not ours.

python3 -m guest.gbinder_peer client DEVICE            calls the service `npu`, and lets itself be called back
python3 -m guest.gbinder_peer server DEVICE            serves `theirs` until it is killed
python3 -m guest.gbinder_peer time DEVICE COUNT        says how many calls a second it makes
python3 -m guest.gbinder_peer write DEVICE COUNT       requests to load a model a second: ours, its, ratio
python3 -m guest.gbinder_peer buffers DEVICE COUNT     likewise for requests for 64 buffers
"""

from __future__ import annotations

import ctypes
import sys
import time
from statistics import median
from typing import Any

import gbinder  # type: ignore[import-not-found]

DESCRIPTOR = "npukit.IPeer"
ADD, CALL_BACK, GREET = 1, 2, 3


def say(*words: object) -> None:
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()


def local_object(manager: Any) -> Any:
    def serve(request: Any, code: int, flags: int) -> tuple[Any, int]:
        reader = request.init_reader()
        reply = held[0].new_reply()
        reply.append_int32(0)
        if code == ADD:
            reply.append_int32(number(reader) + number(reader))
            return reply, 0
        if code == GREET:
            reply.append_string16(f"gbinder greets {reader.read_string16()}")
            return reply, 0
        if code == CALL_BACK:
            other = gbinder.Client(reader.read_object(), DESCRIPTOR)
            request = other.new_request()
            request.append_int32(20)
            request.append_int32(22)
            reply.append_int32(number(reply_to(other, ADD, request)))
            return reply, 0
        return None, -74

    held = [manager.new_local_object(DESCRIPTOR, serve)]
    return held[0]


def number(reader: Any) -> int:
    read, value = reader.read_int32()
    assert read
    return int(value)


def service_of(manager: Any, name: str) -> Any:
    remote, status = manager.get_service_sync(name)
    assert status == 0, status
    return gbinder.Client(remote, DESCRIPTOR)


def reply_to(client: Any, code: int, request: Any) -> Any:
    reply, status = client.transact_sync_reply(code, request)
    assert status == 0, status
    reader = reply.init_reader()
    assert number(reader) == 0
    return reader


def client(manager: Any) -> None:
    peer = service_of(manager, "npu")
    request = peer.new_request()
    request.append_int32(2)
    request.append_int32(3)
    say("added", number(reply_to(peer, ADD, request)))
    request = peer.new_request()
    request.append_string16("gbinder")
    say("greeted", reply_to(peer, GREET, request).read_string16())
    request = peer.new_request()
    own = local_object(manager)
    request.append_local_object(own)
    say("called back", number(reply_to(peer, CALL_BACK, request)))


def server(manager: Any) -> None:
    own = local_object(manager)
    say("registered", manager.add_service_sync("theirs", own))
    glib = ctypes.CDLL("libglib-2.0.so.0")
    glib.g_main_loop_new.restype = ctypes.c_void_p
    glib.g_main_loop_run.argtypes = (ctypes.c_void_p,)
    loop = glib.g_main_loop_new(None, 0)
    say("ready")
    glib.g_main_loop_run(loop)


def say_rate(work: Any, count: int) -> None:
    """As in `guest.peer`."""
    rates = []
    for _ in range(10):
        start = time.perf_counter()
        for _ in range(count // 10):
            work()
        rates.append(count // 10 / (time.perf_counter() - start))
    say("rate", max(rates))


def rate(manager: Any, count: int) -> None:
    peer = service_of(manager, "npu")

    def work() -> None:
        request = peer.new_request()
        request.append_int32(2)
        request.append_int32(3)
        reader = reply_to(peer, ADD, request)
        assert number(reader) == 5

    say_rate(work, count)


def write_load(service: Any, callback: Any) -> None:
    """The request that `guest.peer` writes: `canLoadModel`, with the token, a parcelable and a callback."""
    request = service.new_request()
    for number in (1, 16, 54, 0, 1000):
        request.append_int32(number)
    request.append_local_object(callback)


def write_buffers(service: Any, callback: Any) -> None:
    """`getBuffers`, likewise."""
    request = service.new_request()
    append_int32, append_int64 = request.append_int32, request.append_int64
    append_int32(64)
    for number in range(64):
        append_int32(1)
        append_int32(40)
        append_int64(number)
        append_int32(0)
        append_int32(1)
        append_int64(1 << 20)
        append_int32(500)
        append_int32(0)
        append_int32(1)


def compare_writes(manager: Any, what: str, count: int) -> None:
    """In turns and in one process, so that a busy machine slows both."""
    # Only here: to import it takes the machine a while.
    from .peer import writer_of

    remote, status = manager.get_service_sync("npu")
    assert status == 0, status
    service = gbinder.Client(remote, "android.npumanager.INpuManagerService")
    callback = local_object(manager)
    write = write_load if what == "write" else write_buffers
    ours, theirs, ratios = [], [], []
    work = writer_of(what)
    for _ in range(20):
        start = time.perf_counter()
        for _ in range(count // 20):
            work()
        between = time.perf_counter()
        for _ in range(count // 20):
            write(service, callback)
        end = time.perf_counter()
        ours.append(count // 20 / (between - start))
        theirs.append(count // 20 / (end - between))
        ratios.append(ours[-1] / theirs[-1])
    say(median(ours), median(theirs), median(ratios))


def main(what: str, device: str, *numbers: str) -> None:
    manager = gbinder.ServiceManager(device)
    if what == "client":
        client(manager)
    elif what == "server":
        server(manager)
    elif what in ("write", "buffers"):
        compare_writes(manager, what, int(numbers[0]))
    else:
        rate(manager, int(numbers[0]))


if __name__ == "__main__":
    main(*sys.argv[1:])
