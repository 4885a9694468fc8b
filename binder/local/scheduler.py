"""When things happen: oneway deliveries, posted tasks and timers, on a clock of their own.

Two schedulers share one interface. The deterministic one has a single thread, chooses what to do
next by a seeded random generator, and has a clock that only moves when there is nothing else to
do; the other has worker threads and real time.
"""

from __future__ import annotations

import logging
import threading
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable
from contextvars import Context
from heapq import heappop, heappush
from itertools import count
from math import inf
from random import Random
from typing import TypeAlias

from ..errors import UsageError

log = logging.getLogger("binder")

Task: TypeAlias = Callable[[], None]


# No honest program has so many tasks between two events; one whose tasks post each other has.
BUSY_LIMIT = 1_000_000


def _run_apart(task: Task) -> None:
    """Runs a task in a context of its own: it is not called by whoever happens to wait for it."""
    Context().run(task)


class Timer:
    """A task to be run later. `cancel` it to have it not run."""

    __slots__ = ("_task", "due")

    def __init__(self, due: float, task: Task) -> None:
        self.due = due
        self._task: Task | None = task

    @property
    def cancelled(self) -> bool:
        """Whether it will not run, or not again."""
        return self._task is None

    def cancel(self) -> None:
        # What the task refers to need not live until it would have been due.
        self._task = None

    def fire(self) -> None:
        """For schedulers: runs the task, unless it was cancelled."""
        task, self._task = self._task, None
        if task is not None:
            task()


class Scheduler(ABC):
    """Runs tasks. All times are in seconds."""

    @abstractmethod
    def now(self) -> float:
        """The monotonic clock."""

    @abstractmethod
    def post(self, task: Task) -> None:
        """Has `task` run soon, in no particular order with other tasks (see `SerialQueue`)."""

    @abstractmethod
    def call_later(self, delay: float, task: Task) -> Timer:
        """Has `task` run when `delay` has passed."""

    @abstractmethod
    def wait_until(self, condition: Callable[[], bool], timeout: float) -> bool:
        """Waits for a condition that tasks bring about. Returns whether it holds in the end."""

    @abstractmethod
    def settle(self) -> None:
        """Waits until everything posted, and what it posts in turn, has run. Timers are not waited for."""

    @abstractmethod
    def advance(self, duration: float) -> None:
        """Lets time pass, and what is due in it happen."""

    @abstractmethod
    def close(self) -> None:
        """Drops what has not run yet and ends all threads."""


class SerialQueue:
    """Tasks that must run one at a time and in order, such as the oneway calls to one object."""

    def __init__(self, scheduler: Scheduler) -> None:
        self._scheduler = scheduler
        # Reentrant, because garbage collection can run somebody's finaliser at any time.
        self._lock = threading.RLock()
        self._tasks: deque[Task] = deque()
        self._running = False

    def submit(self, task: Task) -> None:
        with self._lock:
            self._tasks.append(task)
            if self._running:
                return
            self._running = True
        self._scheduler.post(self._run_one)

    def __len__(self) -> int:
        return len(self._tasks)

    def clear(self) -> None:
        """Drops what has not begun."""
        with self._lock:
            self._tasks.clear()

    def _run_one(self) -> None:
        with self._lock:
            if not self._tasks:
                self._running = False
                return
            task = self._tasks.popleft()
        try:
            task()
        finally:
            with self._lock:
                self._running = bool(self._tasks)
                again = self._running
            if again:
                self._scheduler.post(self._run_one)


class DeterministicScheduler(Scheduler):
    """One thread, one interleaving per seed, and a virtual clock.

    Args:
        seed: chooses the order of what could happen in any order.
    """

    # A delivery takes a moment, so that what happens later has a later time.
    TICK = 10e-6

    def __init__(self, seed: int = 0) -> None:
        self._random = Random(seed)
        self._ready: list[Task] = []
        self._timers: list[tuple[float, int, Timer]] = []
        self._sequence = count()
        self._now = 0.0

    def now(self) -> float:
        return self._now

    def post(self, task: Task) -> None:
        self._ready.append(task)

    def call_later(self, delay: float, task: Task) -> Timer:
        timer = Timer(self._now + delay, task)
        heappush(self._timers, (timer.due, next(self._sequence), timer))
        return timer

    def wait_until(self, condition: Callable[[], bool], timeout: float) -> bool:
        deadline = self._now + timeout
        for _ in range(BUSY_LIMIT):
            if condition():
                return True
            if not self._step(deadline):
                return condition()
        raise self._too_busy()

    def settle(self) -> None:
        for _ in range(BUSY_LIMIT):
            if not self._ready:
                return
            self._run_ready()
        raise self._too_busy()

    def advance(self, duration: float) -> None:
        deadline = self._now + duration
        for _ in range(BUSY_LIMIT):
            if not self._step(deadline):
                return
        raise self._too_busy()

    def close(self) -> None:
        self._ready.clear()
        self._timers.clear()

    @staticmethod
    def _too_busy() -> UsageError:
        return UsageError(f"{BUSY_LIMIT} tasks have run and more wait: do they post each other for ever?")

    def _step(self, deadline: float) -> bool:
        """Does one thing, or moves the clock to the next timer. False once nothing is left to do."""
        if self._ready:
            self._run_ready()
            return True
        while self._timers and self._timers[0][0] <= deadline:
            due, _, timer = heappop(self._timers)
            if not timer.cancelled:
                self._now = max(self._now, due)
                _run_apart(timer.fire)
                return True
        if deadline != inf:
            self._now = max(self._now, deadline)
        return False

    def _run_ready(self) -> None:
        ready = self._ready
        index = self._random.randrange(len(ready)) if len(ready) > 1 else 0
        # Order does not matter here, so taking one out need not move the others.
        ready[index], ready[-1] = ready[-1], ready[index]
        task = ready.pop()
        self._now += self.TICK
        _run_apart(task)


class ThreadScheduler(Scheduler):
    """Worker threads, started as they are needed, and real time.

    A task that raises does not end its thread; the first such error is raised by whoever waits.
    """

    def __init__(self, max_threads: int = 16) -> None:
        self._max_threads = max_threads
        self._changed = threading.Condition()
        self._tasks: deque[Task] = deque()
        self._timers: list[tuple[float, int, Timer]] = []
        self._sequence = count()
        self._threads: list[threading.Thread] = []
        self._idle = 0
        self._settling = 0
        self._closed = False
        self._error: BaseException | None = None

    def now(self) -> float:
        return time.monotonic()

    def post(self, task: Task) -> None:
        with self._changed:
            if self._closed:
                return
            self._tasks.append(task)
            self._add_thread()
            self._changed.notify_all()

    def call_later(self, delay: float, task: Task) -> Timer:
        timer = Timer(self.now() + delay, task)
        with self._changed:
            if not self._closed:
                heappush(self._timers, (timer.due, next(self._sequence), timer))
                self._add_thread()
                self._changed.notify_all()
        return timer

    def wait_until(self, condition: Callable[[], bool], timeout: float) -> bool:
        deadline = self.now() + timeout
        while not condition():
            with self._changed:
                self._raise_error()
                left = deadline - self.now()
                if left <= 0:
                    return condition()
                # A condition may also become true through something that is no task.
                self._changed.wait(min(left, 0.01))
        return True

    def settle(self) -> None:
        with self._changed:
            # A task that waits for all others must not wait for itself, nor for another that does.
            inside = threading.current_thread() in self._threads
            self._settling += inside
            self._changed.notify_all()
            try:
                self._changed.wait_for(lambda: self._is_settled(self._settling if inside else 0))
            finally:
                self._settling -= inside
            self._raise_error()

    def _is_settled(self, busy: int) -> bool:
        return not self._tasks and self._idle + busy >= len(self._threads)

    def advance(self, duration: float) -> None:
        self.wait_until(lambda: False, duration)

    def close(self) -> None:
        with self._changed:
            self._closed = True
            self._tasks.clear()
            self._timers.clear()
            self._changed.notify_all()
            error, self._error = self._error, None
        for thread in self._threads:
            if thread is not threading.current_thread():
                thread.join(timeout=5)
        if error is not None:
            log.error("a task failed, and nobody waited for it to", exc_info=error)

    def _raise_error(self) -> None:
        error, self._error = self._error, None
        if error is not None:
            raise error

    def _add_thread(self) -> None:
        if self._idle < len(self._tasks) + 1 and len(self._threads) < self._max_threads:
            thread = threading.Thread(target=self._work, name=f"binder:{len(self._threads)}", daemon=True)
            self._threads.append(thread)
            thread.start()

    def _next_task(self) -> Task | None:
        """With the lock held: the next task, or None if there is none right now."""
        if self._tasks:
            return self._tasks.popleft()
        if self._timers and self._timers[0][0] <= self.now():
            return heappop(self._timers)[2].fire
        return None

    def _work(self) -> None:
        while self._work_once():
            pass

    def _work_once(self) -> bool:
        # A function of its own, so that a thread that waits does not keep its last task alive.
        task = self._await_task()
        if task is None:
            return False
        try:
            _run_apart(task)
        except BaseException as error:
            with self._changed:
                self._error = self._error or error
        return True

    def _await_task(self) -> Task | None:
        """The next task as soon as there is one; None once the scheduler is closed."""
        with self._changed:
            self._idle += 1
            self._changed.notify_all()
            while not self._closed:
                task = self._next_task()
                if task is not None:
                    self._idle -= 1
                    return task
                self._changed.wait(self._time_to_timer())
            return None

    def _time_to_timer(self) -> float | None:
        if not self._timers:
            return None
        return min(max(self._timers[0][0] - self.now(), 0.0), threading.TIMEOUT_MAX)
