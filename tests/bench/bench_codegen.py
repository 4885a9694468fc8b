"""How fast the AIDL compiler is on a large tree, and how fast what it writes is imported.

The peers are Google's own compiler, called once for each package as its build does, our own cold run,
and a module of as many plain dataclasses. All are timed in turns, so that a busy machine slows all.
"""

from __future__ import annotations

import os
import re
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import NamedTuple

from tests.codegen import google

from .aidl_tree import write_tree

FILES, ROUNDS = 1500, 3
IMPORT_SIZES, IMPORT_ROUNDS = (150, 600), 7
_CODEGEN = [sys.executable, "-c", "from codegen.cli import main; main()", "generate"]


class Sample(NamedTuple):
    """Seconds, of which so many on a processor."""

    wall: float
    cpu: float


def _timed(run: Callable[[], None]) -> Sample:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = perf_counter()
    run()
    wall = perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return Sample(wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def _middle(samples: list[Sample]) -> Sample:
    return Sample(median(s.wall for s in samples), median(s.cpu for s in samples))


class Bench:
    """A tree in a folder, and ways to compile it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._files = write_tree(folder / "tree", FILES)
        self._environment = {**os.environ, "NPUKIT_CACHE": str(folder / "cache")}

    def ours(self, *options: str) -> None:
        """Compiles, or takes over what has not changed."""
        command = [*_CODEGEN, *options, "-o", str(self._folder / "ours"), str(self._folder / "tree")]
        subprocess.run(command, env=self._environment, check=True, stderr=subprocess.DEVNULL)

    def theirs(self) -> None:
        """Google's compiler on the same files."""
        packages: dict[Path, list[Path]] = {}
        for file in self._files:
            packages.setdefault(file.parent, []).append(file)
        for files in packages.values():
            words = ["--lang=java", f"-I{self._folder}/tree", "-o", "theirs", *map(str, files)]
            if (done := google.run(self._folder, words)).returncode:
                raise SystemExit(f"aidl failed: {done.stderr}")

    def changed(self) -> None:
        """Compiles after a change of one file."""
        path = self._files[-1]
        path.write_text(path.read_text() + "\n// changed\n")
        self.ours()


def _compilers(folder: Path) -> None:
    bench = Bench(folder)
    runs: dict[str, Callable[[], None]] = {
        "cold, -j 1": lambda: bench.ours("--no-cache"),
        "cold, -j 2": lambda: bench.ours("--no-cache", "-j", "2"),
    }
    if google.is_new():
        runs["Google's aidl"] = bench.theirs
    bench.ours()
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    runs |= {"unchanged": bench.ours, "one file changed": bench.changed}
    samples: dict[str, list[Sample]] = {name: [] for name in runs}
    for _ in range(ROUNDS):
        for name, run in runs.items():
            samples[name].append(_timed(run))
    found = {name: _middle(each) for name, each in samples.items()}
    print(f"{FILES} files, {ROUNDS} rounds, medians")
    for name, sample in found.items():
        print(f"  {name:18} {sample.wall:6.2f} s   {sample.cpu:6.2f} s on a processor")
    cold = found["cold, -j 1"]
    if peer := found.get("Google's aidl"):
        print(f"  ratio cold / aidl, -j 1: {cold.wall / peer.wall:.2f}")
        print(f"  ratio cold / aidl, -j 1, on a processor: {cold.cpu / peer.cpu:.2f}")
        print(f"  ratio cold / aidl, -j 2: {found['cold, -j 2'].wall / peer.wall:.2f}")
    else:
        print(f"  no aidl of Android 14 on PATH, so no ratio to it: {google.HOW_TO_GET_IT}")
    for name in ("unchanged", "one file changed"):
        print(f"  ratio {name} / cold: {found[name].wall / cold.wall:.3f}")
    print(f"  peak memory: {memory:.0f} MB")


_IMPORT = """
import sys, time
import abc, dataclasses, enum, typing, binder
sys.path.insert(0, sys.argv[1])
start = time.process_time()
__import__(sys.argv[2])
print(time.process_time() - start)
"""


def _import_time(folder: Path, module: str) -> float:
    command = [sys.executable, "-c", _IMPORT, str(folder), module]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def _plain_module(classes: int) -> str:
    fields = "\n".join(f"    field_{n}: int = {n}" for n in range(5))
    bodies = "".join(f"\n\n@dataclass\nclass Plain{n}:\n{fields}\n" for n in range(classes))
    return f"from __future__ import annotations\n\nfrom dataclasses import dataclass\n{bodies}"


def _imports(folder: Path) -> None:
    per_class = []
    for size in IMPORT_SIZES:
        tree = folder / f"import{size}"
        write_tree(tree / "tree", size, per_package=size)
        command = [*_CODEGEN, "--no-cache", "-o", str(tree / "made"), str(tree / "tree")]
        subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
        text = (tree / "made/com/example/common/__init__.py").read_text()
        classes = len(re.findall(r"^ *class ", text, re.MULTILINE))
        (tree / "plain.py").write_text(_plain_module(classes))
        pairs = [
            (_import_time(tree, "made.com.example.common"), _import_time(tree, "plain"))
            for _ in range(IMPORT_ROUNDS + 1)
        ][1:]  # the first one compiles to bytecode
        ours, peer = median(a for a, _ in pairs), median(b for _, b in pairs)
        per_class.append(ours / classes)
        ratio = median(a / b for a, b in pairs)
        print(
            f"  import of {classes} generated classes {ours * 1000:6.1f} ms, of plain dataclasses "
            f"{peer * 1000:6.1f} ms, ratio {ratio:.2f}"
        )
    growth = per_class[1] / per_class[0]
    print(f"  time per class, {IMPORT_SIZES[1] // IMPORT_SIZES[0]} times as many: {growth:.2f} of before")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        _compilers(Path(folder))
        _imports(Path(folder))


if __name__ == "__main__":
    main()
