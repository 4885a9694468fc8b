"""Two ways of doing the same thing, timed in turns, so that a busy machine slows both."""

from __future__ import annotations

import gc
from collections.abc import Callable
from statistics import median
from time import perf_counter

ROUNDS = 15


def per_second(run: Callable[[], object], repeat: int) -> float:
    """How often `run` can be done in a second, from doing it `repeat` times."""
    start = perf_counter()
    for _ in range(repeat):
        run()
    return repeat / (perf_counter() - start)


def compare(
    ours: Callable[[], object], peer: Callable[[], object], repeat: int, rounds: int = ROUNDS
) -> tuple[float, float, float]:
    """Median rates per second of both, and how many times slower `ours` is.

    What takes microseconds is best done in many short rounds: the machine is as fast in both halves of one.
    """
    gc.collect()
    pairs = [(per_second(ours, repeat), per_second(peer, repeat)) for _ in range(rounds)]
    return (
        median(ours for ours, _ in pairs),
        median(peer for _, peer in pairs),
        median(peer / ours for ours, peer in pairs),
    )
