"""Which generation of the wrapfd driver a machine has, from a few harmless calls.

    python -m reference_impl.buffers.probe [--heap NAME] [--stand-in GENERATION]

What is expected of a generation is what the stand-in answers to the same calls. The calls avoid what public
drivers are known to hang on or get wrong (see docs/divergences.md): no load is empty or long, and nothing is
sought on an empty wrap. Whoever has another way to a driver, through an agent for one, passes its own port.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache
from mmap import PAGESIZE, PROT_READ

from .contents import Contents
from .dmabuf import HEAP_FOLDER
from .heaps import Heaps, KernelHeaps, StandInHeaps
from .kernel import KernelPort
from .memory import MemoryFiles
from .process import direct_folder
from .profiles import PROFILES
from .standin import StandInDriver
from .wrapfd import DEVICE_PATH, PROT_RW, Wrapfd, error_name

Observed = Mapping[str, str]
"""By call, `ok` or the errno's name."""

FOUND, ABSENT = 0, 2
_PAGES = 2


class Bench:
    """What the calls are made with: a driver, dma-bufs, a file of two pages, and what is to be closed."""

    def __init__(
        self,
        driver: Wrapfd,
        new_dmabuf: Callable[[int], int],
        file: int,
        stack: ExitStack,
        close: Callable[[int], None],
    ) -> None:
        self.driver = driver
        self.file = file
        self._close = close
        self._new_dmabuf = new_dmabuf
        self._stack = stack

    def wrap(self, prot: int, *, owned: bool) -> int:
        dmabuf = self._keep(self._new_dmabuf(_PAGES * PAGESIZE))
        wrap = self._keep(self.driver.wrap(dmabuf, prot))
        if owned:
            self.driver.acquire(wrap)
        return wrap

    def load(self, wrap: int, *, at: int = 0, length: int = PAGESIZE) -> None:
        self.driver.load(wrap, self.file, at, 0, length)

    def _keep(self, fd: int) -> int:
        self._stack.callback(self._close, fd)
        return fd


def _load_while_mapped(bench: Bench) -> None:
    wrap = bench.wrap(PROT_RW, owned=True)
    mapping = bench.driver.map(wrap, PAGESIZE)
    try:
        bench.load(wrap)
    finally:
        mapping.close()


CALLS: Mapping[str, Callable[[Bench], object]] = {
    "lseek tells the size": lambda bench: bench.driver.size(bench.wrap(PROT_RW, owned=False)),
    "load of a wrap that nobody owns": lambda bench: bench.load(bench.wrap(PROT_RW, owned=False)),
    "load at an odd offset": lambda bench: bench.load(bench.wrap(PROT_RW, owned=True), at=512, length=512),
    "load while mapped": _load_while_mapped,
    "load of a read-only wrap": lambda bench: bench.load(bench.wrap(PROT_READ, owned=True)),
}


@dataclass(frozen=True, slots=True)
class Finding:
    """What a driver answered.

    Attributes:
        generations: those that answer exactly so; usually one, or none.
        nearest: the one with the fewest differences.
        differences: the calls that it answers differently, with what it would say.
    """

    observed: Observed
    generations: tuple[str, ...]
    nearest: str
    differences: Observed

    def __str__(self) -> str:
        if self.generations:
            return f"generation: {' or '.join(self.generations)}"
        wrong = "; ".join(
            f"{call}: {self.observed[call]} instead of {wanted}" for call, wanted in self.differences.items()
        )
        return f"no known generation; nearest: {self.nearest}, but {wrong}"


def probe(
    driver: Wrapfd, new_dmabuf: Callable[[int], int], file: int, *, close: Callable[[int], None] = os.close
) -> Finding:
    """Tells the generation of a driver.

    Args:
        driver: a process's way to it.
        new_dmabuf: makes a dma-buf of so many bytes, the caller's to close.
        file: open for reading, two pages at least, on a file system that can be read directly.
        close: closes descriptors of that process.

    Raises:
        OSError: not even a dma-buf can be had or wrapped.
    """
    return identify(observe(driver, new_dmabuf, file, close=close))


def observe(
    driver: Wrapfd, new_dmabuf: Callable[[int], int], file: int, *, close: Callable[[int], None] = os.close
) -> Observed:
    """Makes the calls. Everything is closed again."""
    with ExitStack() as stack:
        bench = Bench(driver, new_dmabuf, file, stack, close)
        bench.wrap(PROT_RW, owned=True)  # what fails here is no answer but a reason to give up
        return {name: _answer(lambda call=call: call(bench)) for name, call in CALLS.items()}  # type: ignore[misc]


def identify(observed: Observed) -> Finding:
    """Which generation answers so."""
    differences = {
        name: {call: answer for call, answer in expected(name).items() if observed.get(call) != answer}
        for name in PROFILES
    }
    nearest = min(differences, key=lambda name: len(differences[name]))
    same = tuple(name for name, wrong in differences.items() if not wrong)
    return Finding(observed, same, nearest, differences[nearest])


@cache
def expected(generation: str) -> Observed:
    """What a generation answers: what its stand-in does."""
    with ExitStack() as stack:
        driver, heaps = _stand_in(generation)
        stack.callback(driver.port.collect)
        return observe(driver, lambda size: heaps.allocate("npu", size, b"probe"), _file(stack))


def _stand_in(generation: str) -> tuple[Wrapfd, Heaps]:
    profile = PROFILES[generation]
    contents = Contents(MemoryFiles(), {"npu": 1 << 20}, keep_writable=profile.loads_read_only)
    return Wrapfd(StandInDriver(contents, profile).port(os.getpid())), StandInHeaps(contents)


def _answer(call: Callable[[], object]) -> str:
    try:
        call()
    except OSError as error:
        return error_name(error.errno or 0)
    return "ok"


def _file(stack: ExitStack) -> int:
    file = stack.enter_context(tempfile.TemporaryFile(dir=direct_folder()))  # noqa: SIM115
    file.write(bytes(_PAGES * PAGESIZE))
    file.flush()
    return file.fileno()


def _heaps() -> list[str]:
    try:
        return sorted(os.listdir(HEAP_FOLDER))
    except OSError:
        return []


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m reference_impl.buffers.probe",
        description="Say which generation of the wrapfd driver this machine has, and which DMA-BUF heaps.",
    )
    parser.add_argument("--heap", metavar="NAME", help="the heap to use; by default `system`, else the first")
    parser.add_argument("--stand-in", choices=PROFILES, help="ask the stand-in instead of a real driver")
    arguments = parser.parse_args()
    found = _heaps()
    try:
        with ExitStack() as stack:
            if arguments.stand_in:
                (driver, heaps), heap = _stand_in(arguments.stand_in), "npu"
            else:
                heap = arguments.heap or ("system" if "system" in found else "".join(found[:1]))
                driver, heaps = Wrapfd(KernelPort()), KernelHeaps()
            finding = probe(driver, lambda size: heaps.allocate(heap, size, b"probe"), _file(stack))
            driver.port.collect()
    except OSError as error:
        what = DEVICE_PATH if not os.path.exists(DEVICE_PATH) else f"{DEVICE_PATH} or heap {heap!r}"
        sys.stdout.write(f"wrapfd: {what} cannot be used: {error.strerror}\n")
        sys.stdout.write(f"heaps: {', '.join(found) or 'none'}\n")
        return ABSENT
    sys.stdout.write(f"wrapfd: {driver.port.name}, {finding}\nheaps: {', '.join(found) or 'none'}\n")
    for call, answer in finding.observed.items():
        sys.stdout.write(f"  {call}: {answer}\n")
    return FOUND


if __name__ == "__main__":
    sys.exit(main())
