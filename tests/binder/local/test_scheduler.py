"""Both schedulers: what they promise alike, and what each does in its own way."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from math import inf
from weakref import ref

import pytest

from binder import UsageError
from binder.local import DeterministicScheduler, Scheduler, SerialQueue, ThreadScheduler
from binder.local import scheduler as module

from ..services import PATIENCE, scheduler_of


@pytest.fixture(params=["deterministic", "threads"])
def any_scheduler(request: pytest.FixtureRequest) -> Iterator[Scheduler]:
    scheduler = scheduler_of(request.param)
    yield scheduler
    scheduler.close()


@pytest.fixture
def virtual() -> DeterministicScheduler:
    return DeterministicScheduler()


@pytest.fixture
def threads() -> Iterator[ThreadScheduler]:
    scheduler = ThreadScheduler(max_threads=4)
    yield scheduler
    scheduler.close()


# --- alike ----------------------------------------------------------------------------------------


def test_everything_posted_runs_and_what_it_posts_too(any_scheduler: Scheduler) -> None:
    ran: list[int] = []

    def task(n: int) -> None:
        ran.append(n)
        if n < 3:
            any_scheduler.post(lambda: task(n + 1))

    any_scheduler.post(lambda: task(0))
    any_scheduler.settle()
    assert ran == [0, 1, 2, 3]


def test_waiting_ends_when_the_condition_holds(any_scheduler: Scheduler) -> None:
    done: list[int] = []
    any_scheduler.call_later(0.01, lambda: done.append(1))
    assert any_scheduler.wait_until(lambda: bool(done), PATIENCE)


def test_waiting_gives_up_at_its_deadline(any_scheduler: Scheduler) -> None:
    start = any_scheduler.now()
    assert not any_scheduler.wait_until(lambda: False, 0.02)
    assert any_scheduler.now() - start >= 0.02


def test_waiting_for_what_holds_already_takes_no_time_out(any_scheduler: Scheduler) -> None:
    assert any_scheduler.wait_until(lambda: True, 0)


def test_a_timer_that_is_cancelled_does_not_run(any_scheduler: Scheduler) -> None:
    ran: list[int] = []
    timer = any_scheduler.call_later(0.3, lambda: ran.append(1))
    timer.cancel()
    assert timer.cancelled
    any_scheduler.call_later(0.31, lambda: ran.append(2))
    assert any_scheduler.wait_until(lambda: 2 in ran, PATIENCE)
    assert ran == [2]


def test_settling_does_not_wait_for_timers(any_scheduler: Scheduler) -> None:
    ran: list[int] = []
    any_scheduler.call_later(3600, lambda: ran.append(1))
    any_scheduler.settle()
    assert ran == []


def test_an_error_in_a_task_reaches_who_waits_and_other_tasks_still_run(any_scheduler: Scheduler) -> None:
    ran: list[int] = []

    def fail() -> None:
        raise ValueError("on purpose")

    any_scheduler.post(fail)
    with pytest.raises(ValueError, match="on purpose"):
        any_scheduler.settle()
    any_scheduler.post(lambda: ran.append(1))
    any_scheduler.settle()
    assert ran == [1]


def test_a_closed_scheduler_runs_nothing_more(any_scheduler: Scheduler) -> None:
    ran: list[int] = []
    any_scheduler.call_later(0, lambda: ran.append(1))
    any_scheduler.close()
    ran.clear()  # with threads, it may have been on its way
    any_scheduler.settle()
    assert ran == []


def test_a_closed_scheduler_lets_go_of_what_it_dropped(any_scheduler: Scheduler) -> None:
    class Thing:
        def run(self) -> None:
            pass

    thing = Thing()
    alive = ref(thing)
    any_scheduler.call_later(3600, thing.run)
    any_scheduler.close()
    del thing
    gc.collect()
    assert alive() is None


def test_a_task_may_wait_for_others(any_scheduler: Scheduler) -> None:
    ran: list[str] = []

    def outer() -> None:
        any_scheduler.post(lambda: ran.append("inner"))
        assert any_scheduler.wait_until(lambda: "inner" in ran, PATIENCE)
        ran.append("outer")

    any_scheduler.post(outer)
    assert any_scheduler.wait_until(lambda: len(ran) == 2, PATIENCE)
    assert ran == ["inner", "outer"]


def test_a_task_may_settle(any_scheduler: Scheduler) -> None:
    ran: list[str] = []

    def outer() -> None:
        any_scheduler.settle()
        ran.append("outer")

    for _ in range(2):
        any_scheduler.post(outer)
    any_scheduler.settle()
    assert ran == ["outer", "outer"]


# --- in order -------------------------------------------------------------------------------------


def test_a_serial_queue_runs_one_task_at_a_time_in_order(any_scheduler: Scheduler) -> None:
    queue = SerialQueue(any_scheduler)
    ran: list[int] = []
    inside = threading.Lock()

    def task(n: int) -> None:
        assert inside.acquire(blocking=False)
        ran.append(n)
        inside.release()

    def submit_fifty(first: int) -> None:
        for n in range(first, first + 50):
            queue.submit(lambda n=n: task(n))  # type: ignore[misc]

    submit_fifty(0)
    assert any_scheduler.wait_until(lambda: len(ran) == 50, PATIENCE)
    submit_fifty(50)
    any_scheduler.settle()
    assert ran == list(range(100))
    assert len(queue) == 0


def test_a_serial_queue_goes_on_after_an_error(any_scheduler: Scheduler) -> None:
    queue = SerialQueue(any_scheduler)
    ran: list[int] = []

    def fail() -> None:
        raise ValueError("on purpose")

    queue.submit(fail)
    queue.submit(lambda: ran.append(1))
    with pytest.raises(ValueError, match="on purpose"):
        any_scheduler.settle()
    any_scheduler.settle()
    assert ran == [1]


def test_a_serial_queue_that_was_cleared_takes_new_tasks(any_scheduler: Scheduler) -> None:
    queue = SerialQueue(any_scheduler)
    ran: list[int] = []

    def clear() -> None:
        queue.submit(lambda: ran.append(1))
        queue.clear()

    queue.submit(clear)
    any_scheduler.settle()
    assert ran == []
    queue.submit(lambda: ran.append(2))
    any_scheduler.settle()
    assert ran == [2]


def test_a_serial_queue_filled_by_many_threads_loses_nothing(threads: ThreadScheduler) -> None:
    queue = SerialQueue(threads)
    ran: list[tuple[int, int]] = []

    def fill(who: int) -> None:
        for n in range(100):
            queue.submit(lambda n=n: ran.append((who, n)))  # type: ignore[misc]

    fillers = [threading.Thread(target=fill, args=(who,)) for who in range(4)]
    for filler in fillers:
        filler.start()
    for filler in fillers:
        filler.join()
    assert threads.wait_until(lambda: len(ran) == 400, PATIENCE)
    for who in range(4):
        assert [n for other, n in ran if other == who] == list(range(100))


# --- the deterministic one ------------------------------------------------------------------------


def order_of(seed: int) -> list[int]:
    scheduler = DeterministicScheduler(seed)
    ran: list[int] = []
    for n in range(8):
        scheduler.post(lambda n=n: ran.append(n))  # type: ignore[misc]
    scheduler.settle()
    return ran


def test_the_order_of_tasks_follows_from_the_seed() -> None:
    assert order_of(3) == order_of(3)
    assert len({tuple(order_of(seed)) for seed in range(5)}) > 1


def test_virtual_time_stands_still_but_for_what_happens(virtual: DeterministicScheduler) -> None:
    assert virtual.now() == 0
    virtual.settle()
    assert virtual.now() == 0
    virtual.post(lambda: None)
    virtual.settle()
    assert 0 < virtual.now() < 0.001


def test_virtual_time_jumps_to_the_next_timer(virtual: DeterministicScheduler) -> None:
    times: list[float] = []
    for delay in (3, 1, 2):
        virtual.call_later(delay, lambda: times.append(virtual.now()))
    virtual.advance(2.5)
    assert times == [1, 2]
    assert virtual.now() == 2.5
    virtual.advance(10)
    assert times == [1, 2, 3]


def test_timers_of_the_same_moment_run_in_the_order_they_were_set(virtual: DeterministicScheduler) -> None:
    ran: list[int] = []
    for n in range(5):
        virtual.call_later(1, lambda n=n: ran.append(n))  # type: ignore[misc]
    virtual.advance(1)
    assert ran == [0, 1, 2, 3, 4]


def test_a_timer_whose_time_has_passed_runs_without_turning_the_clock_back(
    virtual: DeterministicScheduler,
) -> None:
    times: list[float] = []
    virtual.advance(5)
    virtual.call_later(-1, lambda: times.append(virtual.now()))
    virtual.advance(0)
    assert times == [5]


def test_waiting_without_end_for_what_cannot_come_ends(virtual: DeterministicScheduler) -> None:
    virtual.call_later(7, lambda: None)
    assert not virtual.wait_until(lambda: False, inf)
    assert virtual.now() == 7


def test_tasks_that_post_each_other_for_ever_are_a_usage_error(
    virtual: DeterministicScheduler, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "BUSY_LIMIT", 100)

    def again() -> None:
        virtual.post(again)

    virtual.post(again)
    with pytest.raises(UsageError, match="for ever"):
        virtual.settle()
    with pytest.raises(UsageError, match="for ever"):
        virtual.wait_until(lambda: False, 1)
    with pytest.raises(UsageError, match="for ever"):
        virtual.advance(1)


# --- the one with threads -------------------------------------------------------------------------


def test_tasks_run_beside_each_other(threads: ThreadScheduler) -> None:
    meeting = threading.Barrier(4)
    names: list[str] = []

    def meet() -> None:
        meeting.wait(PATIENCE)
        names.append(threading.current_thread().name)

    for _ in range(4):
        threads.post(meet)
    threads.settle()
    assert len(set(names)) == 4


def test_there_are_never_more_threads_than_allowed(threads: ThreadScheduler) -> None:
    for _ in range(200):
        threads.post(lambda: None)
    threads.settle()
    assert sum(thread.name.startswith("binder:") for thread in threading.enumerate()) <= 4


def test_a_waiting_thread_keeps_nothing_of_its_last_task(threads: ThreadScheduler) -> None:
    class Thing:
        def run(self) -> None:
            pass

    thing = Thing()
    alive = ref(thing)
    threads.post(thing.run)
    del thing
    threads.settle()
    gc.collect()
    assert alive() is None


def test_closing_from_within_a_task_does_not_wait_for_itself(threads: ThreadScheduler) -> None:
    closed = threading.Event()

    def close() -> None:
        threads.close()
        closed.set()

    threads.post(close)
    assert closed.wait(PATIENCE)


def test_an_error_that_nobody_waited_for_is_logged_at_the_end(caplog: pytest.LogCaptureFixture) -> None:
    scheduler = ThreadScheduler(max_threads=1)
    after = threading.Event()

    def fail() -> None:
        raise ValueError("on purpose")

    scheduler.post(fail)
    scheduler.post(after.set)
    assert after.wait(PATIENCE)
    scheduler.close()
    scheduler.close()
    assert caplog.text.count("nobody waited for it") == 1
    assert "on purpose" in caplog.text


def test_a_timer_without_end_does_not_upset_the_threads(threads: ThreadScheduler) -> None:
    ran: list[int] = []
    threads.call_later(inf, lambda: ran.append(0))
    threads.post(lambda: ran.append(1))
    threads.settle()
    assert ran == [1]


def test_settling_while_others_post_ends_when_they_do(threads: ThreadScheduler) -> None:
    ran: list[int] = []
    left = iter(range(300))

    def again() -> None:
        ran.append(1)
        if next(left, None) is not None:
            threads.post(again)

    for _ in range(4):
        threads.post(again)
    threads.settle()
    assert len(ran) == 304
