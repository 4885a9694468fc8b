"""What it costs that a run is watched: `python -m tests.bench.bench_live`.

The peer is the same run of which nobody hears. Processor time of all threads counts, the drawing one's too,
and the runs take turns, so that a busy machine is the same for all.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from io import StringIO
from statistics import median

from rich.console import Console

from harness.live import Lines, View, on_terminal
from harness.run import Progress, play

ROUNDS = 5
PATTERNS = ["budget.*", "turn_taking.*", "work.*", "priorities.*", "hal_*"]
TOTAL = 200


@contextmanager
def nobody() -> Iterator[Progress]:
    yield Progress()


@contextmanager
def terminal(verbose: bool) -> Iterator[Progress]:
    console = Console(file=StringIO(), force_terminal=True, width=120)
    with on_terminal(View(TOTAL), console, verbose=verbose) as progress:
        yield progress


@contextmanager
def lines(verbose: bool) -> Iterator[Progress]:
    yield Lines(TOTAL, StringIO(), verbose=verbose)


def seconds(progress: Progress) -> float:
    begin = time.process_time()
    play(PATTERNS, progress=progress)
    return time.process_time() - begin


def main() -> None:
    ways: dict[str, Callable[[], AbstractContextManager[Progress]]] = {
        "nobody": nobody,
        "lines": partial(lines, False),
        "lines, verbose": partial(lines, True),
        "a terminal": partial(terminal, False),
        "a terminal, verbose": partial(terminal, True),
    }
    taken: dict[str, list[float]] = {name: [] for name in ways}
    play(PATTERNS)  # imports, and what is computed once
    for _ in range(ROUNDS):
        for name, watch in ways.items():
            with watch() as progress:
                taken[name].append(seconds(progress))
    peer = median(taken["nobody"])
    for name, times in taken.items():
        print(f"heard by {name:20} {median(times):6.2f} s of processor, {median(times) / peer:.2f} x nobody")


if __name__ == "__main__":
    main()
