"""How fast buffers are loaded, allocated and mapped, and how much memory of this process a load takes.

A load is held against `cp` of the same file, in turns; allocations through the whole stack (NDK client,
parcels, allocator, stand-in driver) against what any program does for its own memory, memfd_create and mmap.
"""

from __future__ import annotations

import mmap
import os
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

from binder.local import Driver, ThreadScheduler
from generated.android.npumanager import BufferType
from reference_impl.buffers.heap_config import HeapConfig, NpuEntry
from reference_impl.buffers.ndk import Buffer, NpuBufferManager
from reference_impl.buffers.ndk_request import AllocRequest, Segment
from reference_impl.buffers.process import direct_folder
from reference_impl.buffers.provision import StandInProvision
from reference_impl.device import ReferenceDevice
from tests.bench.measure import compare

SIZE = int(os.environ.get("NPUKIT_BENCH_BYTES", 1 << 30))
ROUNDS = 3
SMALL = 64 * mmap.PAGESIZE
WAIT = 120.0

CONFIG = HeapConfig((("npu", (NpuEntry(frozenset({0}), frozenset({BufferType.MODEL_WEIGHTS})),)),))


class Client:
    """A native runtime on a reference device with threads."""

    def __init__(self) -> None:
        self._driver = Driver(ThreadScheduler())
        self.provision = StandInProvision(CONFIG, {"npu": 4 * SIZE})
        self._device = ReferenceDevice(self._driver, provision=self.provision)
        process = self._device.start_process(10123, "bench")
        wrapfd = self.provision.wrapfd(process.pid)
        self._manager = NpuBufferManager(self._device.npu_service(process), wrapfd)

    def allocate(self, size: int, prot: int = mmap.PROT_READ, segment: Segment | None = None) -> Buffer:
        done = threading.Event()
        got: list[Any] = []

        def on_alloc(code: int, buffer: Buffer | None, cookie: object) -> None:
            got.extend((code, buffer))
            done.set()

        request = AllocRequest().set_device_number(0).set_buffer_type(BufferType.MODEL_WEIGHTS)
        request.set_size(size).set_protection_flags(prot).set_on_alloc(on_alloc)
        if segment is not None:
            request.set_file_segment_to_load(segment.fd, segment.file_offset, segment.length)
        with request:
            self._manager.alloc_async([request])
            if not done.wait(WAIT) or got[0]:
                raise SystemExit(f"no buffer: {os.strerror(got[0]) if got else 'no answer'}")
        buffer: Buffer = got[1]
        return buffer

    def close(self) -> None:
        self._device.shut_down()
        self._driver.close()


@contextmanager
def big_file() -> Iterator[Path]:
    """A file of random bytes, flushed, and in the page cache."""
    with tempfile.TemporaryDirectory(dir=direct_folder()) as folder:
        path = Path(folder, "weights")
        block = os.urandom(1 << 20)
        with path.open("wb") as file:
            for number in range(SIZE >> 20):
                file.write(number.to_bytes(8, "little") + block[8:])
            file.flush()
            os.fsync(file.fileno())
        yield path


def seconds(do: Callable[[], object]) -> float:
    start = time.perf_counter()
    do()
    return time.perf_counter() - start


def peak_memory() -> int:
    """The most that this process has ever had in memory since the last `forget_peak`, in bytes."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM:"))


def forget_peak() -> int:
    """Starts anew with what there is now, which is returned."""
    Path("/proc/self/clear_refs").write_text("5")
    return peak_memory()


def bench_load(client: Client, path: Path) -> None:
    fd = os.open(path, os.O_RDONLY)
    copied = path.with_name("copy")
    ours, peer, growth = [], [], []
    for _ in range(ROUNDS):
        before = forget_peak()
        buffers: list[Buffer] = []
        ours.append(seconds(lambda: buffers.append(client.allocate(SIZE, segment=Segment(fd, 0, SIZE)))))  # noqa: B023
        growth.append(peak_memory() - before)
        with buffers[0].map(length=mmap.PAGESIZE, offset=SIZE - (1 << 20)) as view:
            if view[:8] != ((SIZE >> 20) - 1).to_bytes(8, "little"):
                raise SystemExit("the last mebibyte is wrong")
        buffers[0].free()
        peer.append(seconds(lambda: subprocess.run(["cp", path, copied], check=True)))
        copied.unlink()
    os.close(fd)
    rate = [SIZE / 1e6 / median(times) for times in (ours, peer)]
    ratio = median(b / a for a, b in zip(ours, peer, strict=True))
    print(f"loading {SIZE >> 20} MiB into a buffer, {ROUNDS} rounds in turns, medians")
    print(f"  load            {rate[0]:8.0f} MB/s")
    print(f"  cp of the file  {rate[1]:8.0f} MB/s")
    print(f"  ratio load / cp: {ratio:.2f} (goal: 0.80 or better)")
    print(f"  peak memory grew by {max(growth) / (1 << 20):.1f} MiB (goal: under 32 MiB)")


def bench_small(client: Client) -> None:
    def allocate() -> None:
        client.allocate(SMALL).free()

    def plain() -> None:
        fd = os.memfd_create("plain")
        os.ftruncate(fd, SMALL)
        mmap.mmap(fd, SMALL).close()
        os.close(fd)

    ours, peer, slower = compare(allocate, plain, 100)
    print(f"allocating and freeing {SMALL >> 10} KiB")
    print(f"  allocations  {ours:8.0f} per second")
    print(f"  memfd, mmap  {peer:8.0f} per second")
    print(f"  ratio allocation / memfd and mmap: {slower:.1f} times the time")
    buffer = client.allocate(SMALL)
    fd = os.memfd_create("plain")
    os.ftruncate(fd, SMALL)

    def map_buffer() -> None:
        with buffer.map():
            pass

    ours, peer, slower = compare(map_buffer, lambda: mmap.mmap(fd, SMALL).close(), 300)
    print(f"mapping {SMALL >> 10} KiB")
    print(f"  a buffer  {1e6 / ours:6.1f} us")
    print(f"  a memfd   {1e6 / peer:6.1f} us")
    print(f"  ratio buffer / memfd: {slower:.1f} times the time")
    os.close(fd)
    buffer.free()


def main() -> None:
    client = Client()
    try:
        with big_file() as path:
            bench_load(client, path)
        bench_small(client)
    finally:
        client.close()


if __name__ == "__main__":
    main()
