"""Many threads at once: nothing is lost, nothing stays open, nothing waits for ever."""

from __future__ import annotations

import gc
import os
import threading
from collections.abc import Callable
from contextlib import suppress

from binder import BinderError, DeadObjectError, ParcelFileDescriptor
from generated.android.npumanager import (
    FileSegment,
    INpuAllocator,
    INpuAllocatorCallback,
    INpuManagerService,
    ModelLoadRequestParcelable,
)

from ..services import PATIENCE, Allocator, AllocatorCallback, Callback, Manager, open_files, world_of

REQUEST = ModelLoadRequestParcelable(id=54)


def together(*runs: Callable[[], None]) -> None:
    """Runs all at once, each in a thread, and raises what one of them did."""
    errors: list[BaseException] = []
    start = threading.Barrier(len(runs))

    def work(run: Callable[[], None]) -> None:
        start.wait(PATIENCE)
        try:
            run()
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=(run,)) for run in runs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
        assert not thread.is_alive()
    for error in errors:
        raise error


def test_clients_on_many_threads_each_get_their_own_answers() -> None:
    with world_of("threads") as world:
        world.serve(Manager(canLoadModel=lambda request, callback: callback.onCanLoadModel(request.id)))
        owns = [Callback() for _ in range(4)]

        def client(own: Callback, first: int) -> None:
            process = world.driver.new_process(f"client{first}", uid=first)
            binder = process.get_service("npu")
            assert binder is not None
            service = INpuManagerService.from_binder(binder)
            for n in range(100):
                service.canLoadModel(ModelLoadRequestParcelable(first + n), own)

        together(*(lambda own=own, n=n: client(own, 1000 * n) for n, own in enumerate(owns)))
        world.wait(lambda: all(len(own.calls) == 100 for own in owns))
        assert [own.decisions for own in owns] == [[1000 * n + k for k in range(100)] for n in range(4)]
        world.settle()
        assert world.server.buffer_used == 0


def test_one_object_sent_by_many_threads_is_one_object() -> None:
    with world_of("threads") as world:
        own = Callback()
        manager = Manager()
        world.serve(manager)
        binder = world.client.get_service("npu")
        assert binder is not None
        service = INpuManagerService.from_binder(binder)

        def send() -> None:
            for _ in range(50):
                service.canLoadModel(REQUEST, own)

        together(send, send, send, send)
        assert len({call[2] for call in manager.calls}) == 1
        assert len(world.client.nodes()) == 1


def test_a_process_killed_under_fire_leaves_nothing_open() -> None:
    with world_of("threads") as world, ParcelFileDescriptor(os.open(os.devnull, os.O_RDONLY)) as fd:
        before = open_files()
        allocator = INpuAllocator.from_binder(world.raw(Allocator()))
        own = AllocatorCallback()
        callback = INpuAllocatorCallback.from_binder(world.server.reference_to(world.client.node_for(own)))
        told: list[str] = []
        callback.as_binder().link_to_death(lambda: told.append("dead"))

        def load() -> None:
            with suppress(BinderError):
                for n in range(2000):
                    allocator.loadFileSegmentToBuffer(n, FileSegment(fileFd=fd))

        def notify() -> None:
            with suppress(BinderError):
                for n in range(2000):
                    callback.onGetBuffer(n, fd, 0, None)

        def kill() -> None:
            world.wait(lambda: len(own.calls) > 20)
            world.client.kill()

        together(load, load, notify, notify, kill)
        world.wait(lambda: told == ["dead"])
        world.settle()
        with suppress(DeadObjectError):
            callback.onGetBuffer(0, fd, 0, None)
        world.server.kill()
        own.calls.clear()
        gc.collect()
        assert open_files() == before


def test_names_come_and_go_while_others_wait_for_them() -> None:
    with world_of("threads") as world:
        found: list[object] = []

        def add() -> None:
            for n in range(50):
                world.server.add_service(f"s{n}", Manager())

        def wait() -> None:
            for n in range(50):
                world.client.wait_for_service(f"s{n}", found.append)

        together(add, wait, wait)
        world.wait(lambda: len(found) == 100)
