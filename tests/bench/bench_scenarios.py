"""How fast the scenarios are played in virtual time, on one core.

The peer is as many empty tests, played by pytest in the same way: what is left is the scenarios' own.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from statistics import median

from harness.run import play

ROUNDS = 5


def _write_empty_tests(folder: str, count: int) -> None:
    Path(folder, "test_empty.py").write_text(
        f"import pytest\n@pytest.mark.parametrize('n', range({count}))\ndef test_empty(n): pass\n"
    )


def main() -> None:
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    warm_up = play()
    if warm_up.exit_code:
        raise SystemExit("the scenarios do not pass; there is nothing to measure")
    count = len(warm_up.results)
    scenarios, empty = [], []
    with tempfile.TemporaryDirectory() as folder:
        _write_empty_tests(folder, count)
        for seed in range(ROUNDS):
            scenarios.append(play(seed=seed).wall_seconds)
            empty.append(play(folder=Path(folder)).wall_seconds)
    ours, peer = median(scenarios), median(empty)
    print(f"{count} scenarios, {ROUNDS} rounds, one core, medians")
    print(f"  scenarios    {ours:6.3f} s   {count / ours:7.0f} per second")
    print(f"  empty tests  {peer:6.3f} s   {count / peer:7.0f} per second")
    print(f"  ratio scenarios / empty tests: {ours / peer:.2f}")


if __name__ == "__main__":
    main()
