"""Work shared among processes, with results as if one had done it.

The process that asks works too. Helpers take the next few items whenever they have done the last,
and send what came of them at the end; what a helper does not deliver, whatever the reason, is done
again here, where an exception is raised as if there were no helpers.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")

METHOD = "fork" if sys.platform == "linux" else "spawn"
"""How helpers start. macOS has fork, but its system libraries do not survive it."""

_TURNS = 12
"""How often each process comes back for more items: they do not all take equally long."""


def share(
    function: Callable[[_Item], _Result],
    items: Sequence[_Item],
    jobs: int,
    done: Callable[[int], None] = lambda count: None,
) -> list[_Result]:
    """What `function` makes of each item, in order.

    Args:
        function: is called in any of the processes, so it must not rely on what it did before.
        items: what to call it with.
        jobs: how many processes may work, this one included.
        done: hears now and then how many items are done.
    """
    jobs = min(jobs, len(items))
    size = max(1, len(items) // (jobs * _TURNS)) if jobs > 1 else 1
    found: dict[int, _Result] = {}
    if jobs > 1:
        with _helpers(function, items, size, jobs - 1) as (take, connections):
            for start in iter(take, -1):
                for index in range(start, min(start + size, len(items))):
                    found[index] = function(items[index])
                done(min(start + size, len(items)))
            for connection in connections:
                found.update(_receive(connection))
    for index, item in enumerate(items):
        if index not in found:
            found[index] = function(item)
            done(len(found))
    return [found[index] for index in range(len(items))]


@contextmanager
def _helpers(
    function: Callable[[Any], Any], items: Sequence[Any], size: int, count: int
) -> Iterator[tuple[Callable[[], int], list[Connection]]]:
    """Processes that work on items; they have ended when this has. Gives what takes the next items."""
    import multiprocessing

    context: Any = multiprocessing.get_context(METHOD)
    counter = context.Value("q", 0)
    take = _Tickets(counter, size, len(items))
    processes = []
    connections = []
    try:
        with _no_interrupts():
            for _ in range(count):
                receiver, sender = context.Pipe(duplex=False)
                process = context.Process(
                    target=_help, args=(function, items, size, take, sender, os.getpid()), daemon=True
                )
                with suppress(OSError, RecursionError):  # then there is one less
                    process.start()
                    processes.append(process)
                    connections.append(receiver)
                sender.close()
        yield take, connections
    finally:
        for process in processes:
            process.kill()
        for process in processes:
            process.join()


class _Tickets:
    """Hands out where to go on: a number of items each time, -1 when there are no more."""

    def __init__(self, counter: Any, size: int, end: int) -> None:
        self._counter, self._size, self._end = counter, size, end

    def __call__(self) -> int:
        with self._counter.get_lock():
            start: int = self._counter.value
            self._counter.value = start + self._size
        return start if start < self._end else -1


@contextmanager
def _no_interrupts() -> Iterator[None]:
    """Keeps Ctrl-C waiting while helpers start: it is for the process that started them."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _help(
    function: Callable[[Any], Any],
    items: Sequence[Any],
    size: int,
    take: Callable[[], int],
    sender: Connection,
    parent: int,
) -> None:
    """What a helper does. It ends soon after its parent, even if that was killed."""
    import pickle

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.disable()
    parts: list[bytes] = []
    for start in iter(take, -1):
        if os.getppid() != parent:
            return
        part = {}
        for index in range(start, min(start + size, len(items))):
            with suppress(Exception):  # it is raised where this is done again
                part[index] = function(items[index])
        with suppress(Exception):  # such as RecursionError, of trees that are too deep to send
            parts.append(pickle.dumps(part, pickle.HIGHEST_PROTOCOL))
    with suppress(OSError):
        sender.send(parts)


def _receive(connection: Connection) -> dict[int, Any]:
    """What a helper sends; nothing if it has died."""
    import pickle

    found: dict[int, Any] = {}
    with suppress(EOFError, OSError):
        for part in connection.recv():
            found.update(pickle.loads(part))
    return found
