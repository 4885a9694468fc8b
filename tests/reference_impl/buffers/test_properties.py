"""Random sequences of operations by several processes: the stand-in and a small model never differ.

NPUKIT_SEQUENCES says how many; continuous integration plays 5,000 of each generation.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from errno import errorcode
from mmap import PAGESIZE
from pathlib import Path
from random import Random

import pytest

from reference_impl.buffers.dmabuf import SYNC_STRUCT, DmabufRequest
from reference_impl.buffers.profiles import PROFILES
from reference_impl.buffers.standin import StandInMapping
from reference_impl.buffers.wrapfd import (
    LOAD_STRUCT,
    REWRAP_STRUCT,
    WRAP_STRUCT,
    Request,
    Wrapfd,
)

from .kit import Bench, weights
from .small_model import Buffer, MapModel, SmallModel, WrapModel

SEQUENCES = int(os.environ.get("NPUKIT_SEQUENCES", "150"))
STEPS = 30
PIDS = (1, 2, 3)
PAGES = 3
P = PAGESIZE


def outcome(call: Callable[[], object]) -> object:
    """What a call returns, `ok` for nothing, or its errno's name."""
    try:
        result = call()
    except OSError as error:
        return errorcode[error.errno or 0]
    return "ok" if result is None else result


class Play:
    """One sequence, done to both."""

    def __init__(self, seed: int, generation: str, file: int, content: bytes) -> None:
        self.random = Random(seed)
        self.bench = Bench(PROFILES[generation])
        self.model = SmallModel(generation)
        self.file, self.content = file, content
        self.wraps: list[tuple[int, WrapModel]] = []
        self.maps: list[tuple[StandInMapping, MapModel]] = []
        self.story: list[str] = []
        self.sources = [
            (self.bench.dmabuf(PAGES, writable=writable), Buffer(bytearray(PAGES * P), writable))
            for writable in (True, False)
        ]
        self.agree("wrap", self._wrap(0, 3), self.model.wrap(self.sources[0][1], 3, 0))

    def process(self, pid: int) -> Wrapfd:
        return self.bench.process(pid)

    def agree(self, what: str, ours: object, wanted: object) -> None:
        """Both answered the same: the same errno or success, and what came back is kept side by side."""
        self.story.append(f"{what}: {wanted if isinstance(wanted, str) else 'made'}")
        if isinstance(ours, str) or isinstance(wanted, str):
            assert ours == wanted, "\n".join([*self.story, f"the stand-in: {ours}"])
        elif isinstance(wanted, WrapModel):
            assert isinstance(ours, int)
            self.wraps.append((self.bench.keep(ours), wanted))
        elif isinstance(wanted, MapModel):
            assert isinstance(ours, StandInMapping)
            self.maps.append((ours, wanted))
        else:
            assert ours == wanted, "\n".join(self.story)

    def play(self) -> None:
        for _ in range(STEPS):
            getattr(self, self.random.choice(MOVES))()
            self.compare()
        self.bench.close()

    def compare(self) -> None:
        for fd, wrap in self.wraps:
            info = self.process(1).fdinfo(fd)
            found = info["owner"], info["guests"], info["maps"], info["empty"]
            assert found == self.model.fdinfo(wrap), "\n".join(self.story)
        for mapping, model in self.maps:
            if (
                None in model.pages
                or not all((page or 0) & 1 for page in model.pages)
                or not mapping.mapped.areas
            ):
                continue
            buffer = model.wrap.buffer
            assert buffer is not None, "mapped, it cannot be emptied"
            start = model.first_page * P
            assert mapping.view == buffer.data[start : start + len(mapping.view)], "\n".join(self.story)

    def _wrap(self, source: int, prot: int, reserved: int = 0) -> object:
        fd, _ = self.sources[source]
        return outcome(lambda: self.process(1).port.wrap(WRAP_STRUCT.pack(fd, prot, reserved)))

    def _pick(self) -> tuple[int, int, WrapModel, Wrapfd]:
        # One process and the latest wraps do most, so that sequences get somewhere.
        pid = self.random.choices(PIDS, (4, 2, 1))[0]
        fd, wrap = self.random.choice(self.wraps[-3:] if self.random.random() < 0.8 else self.wraps)
        return pid, fd, wrap, self.process(pid)

    def _seldom(self) -> int:
        return int(self.random.random() < 0.05)

    # --- moves ---

    def wrap(self) -> None:
        source, prot = self.random.randrange(2), self.random.choice((0, 1, 2, 3, 3, 4))
        reserved = self._seldom()
        wanted = self.model.wrap(self.sources[source][1], prot, reserved)
        self.agree(f"wrap {source} {prot}", self._wrap(source, prot, reserved), wanted)

    def close_sources(self) -> None:
        """From now on content belongs to its wraps alone."""
        if self._seldom():
            null = os.open(os.devnull, os.O_RDONLY)
            for fd, _ in self.sources:
                os.dup2(null, fd)
            os.close(null)
            self.wrap = lambda: None  # type: ignore[method-assign]

    def state(self) -> None:
        pid, fd, wrap, us = self._pick()
        self.agree(f"{pid} state", outcome(lambda: us.state(fd).name), self.model.state(wrap))

    def acquire(self) -> None:
        pid, fd, wrap, us = self._pick()
        self.agree(f"{pid} acquire {fd}", outcome(lambda: us.acquire(fd)), self.model.acquire(pid, wrap))

    def release(self) -> None:
        pid, fd, wrap, us = self._pick()
        self.agree(f"{pid} release {fd}", outcome(lambda: us.release(fd)), self.model.release(pid, wrap))

    def empty(self) -> None:
        pid, fd, wrap, us = self._pick()
        self.agree(f"{pid} empty {fd}", outcome(lambda: us.empty(fd)), self.model.empty(pid, wrap))

    def guests(self) -> None:
        pid, fd, wrap, us = self._pick()
        allowed = self.random.random() < 0.7
        call = us.allow_guests if allowed else us.prohibit_guests
        wanted = self.model.guests(pid, wrap, allowed)
        self.agree(f"{pid} guests {allowed} {fd}", outcome(lambda: call(fd)), wanted)

    def rewrap(self) -> None:
        pid, fd, wrap, us = self._pick()
        prot, pad = self.random.choice((0, 1, 2, 3, 8)), self._seldom()
        argument = REWRAP_STRUCT.pack(prot, pad, 0)
        ours = outcome(lambda: us.port.ioctl(fd, Request.REWRAP, argument)[0])
        self.agree(f"{pid} rewrap {fd} {prot}", ours, self.model.rewrap(pid, wrap, prot, pad))

    def load(self) -> None:
        pid, fd, wrap, us = self._pick()
        file_offset, offset = (
            self.random.choice((0, 0, P, 2 * P, 100, -1 if self._seldom() else 0)) for _ in range(2)
        )
        length = self.random.choice((0, 1, P, 2 * P, P + 5, 3 * P, 4 * P, len(self.content) + 1))
        pad = self._seldom()
        numbers = (value & 2**64 - 1 for value in (file_offset, offset, length))
        argument = LOAD_STRUCT.pack(self.file, pad, *numbers, 0)
        ours = outcome(lambda: us.port.ioctl(fd, Request.LOAD, argument)[0] or None)
        wanted = self.model.load(pid, wrap, self.content, file_offset, offset, length, pad)
        self.agree(f"{pid} load {fd} {file_offset} {offset} {length}", ours, wanted)

    def mmap(self) -> None:
        pid, fd, wrap, us = self._pick()
        first, length = self.random.choice((0, 0, 1, 2)), self.random.choice((1, P, 2 * P, 3 * P, 4 * P))
        # Copies of one's own (MAP_PRIVATE) have no place in the model's content.
        prot, shared = self.random.choice(((1, True), (1, True), (3, True), (2, True), (1, False)))
        ours = outcome(lambda: us.map(fd, length, prot, shared=shared, offset=first * P))
        self.agree(
            f"{pid} mmap {fd} {first} {length} {prot}",
            ours,
            self.model.mmap(pid, wrap, first, length, prot, shared),
        )

    def write_private(self) -> None:
        """Only whether it is allowed."""
        pid, fd, wrap, us = self._pick()
        ours = outcome(lambda: us.map(fd, P, 3, shared=False))
        wanted = self.model.mmap(pid, wrap, 0, P, 3, False)
        if isinstance(wanted, MapModel):
            assert isinstance(ours, StandInMapping)
            ours.close()
            self.model.munmap(wanted, 0, 1)
        else:
            self.agree(f"{pid} private {fd}", ours, wanted)

    def munmap(self) -> None:
        if self.maps:
            mapping, model = self.random.choice(self.maps)
            first, count = self.random.randrange(len(model.pages)), self.random.randint(1, 3)
            ours = outcome(lambda: mapping.unmap(first * P, count * P))
            self.model.munmap(model, first, count)
            self.agree(f"munmap {first} {count}", ours, "ok")

    def mprotect(self) -> None:
        if self.maps:
            mapping, model = self.random.choice(self.maps)
            first, count = self.random.randrange(len(model.pages)), self.random.randint(1, 2)
            prot = self.random.choice((1, 3))
            ours = outcome(lambda: mapping.protect(first * P, count * P, prot))
            self.agree(
                f"mprotect {first} {count} {prot}", ours, self.model.mprotect(model, first, count, prot)
            )

    def unmap_all(self) -> None:
        if self.maps:
            mapping, model = self.maps.pop(self.random.randrange(len(self.maps)))
            mapping.close()
            self.model.munmap(model, 0, len(model.pages))
            self.story.append("unmap all")

    def fork(self) -> None:
        """A child of process 1 unmaps some of what it inherited, and perhaps goes on with the rest."""
        if self._seldom():
            child = 7
            ours = self.bench.driver.fork(1, child)
            models = self.model.fork([wrap for _, wrap in self.wraps], 1, child)
            assert len(ours) == len(models)
            self.story.append("fork")
            self.compare()
            self.bench.driver.exit(child)
            self.model.exit([wrap for _, wrap in self.wraps], child)

    def exit(self) -> None:
        if self.random.random() < 0.3:
            pid = self.random.choice(PIDS)
            self.bench.driver.exit(pid)
            self.model.exit([wrap for _, wrap in self.wraps], pid)
            self.maps = [(ours, model) for ours, model in self.maps if model.pid != pid]
            self.story.append(f"exit {pid}")

    def lseek(self) -> None:
        pid, fd, wrap, us = self._pick()
        offset, whence = self.random.choice(((0, os.SEEK_END), (0, os.SEEK_SET), (3, os.SEEK_SET)))
        ours = outcome(lambda: us.port.lseek(fd, offset, whence))
        self.agree(f"{pid} lseek", ours, self.model.lseek(wrap, offset, whence == os.SEEK_END))

    def other_ioctl(self) -> None:
        pid, fd, wrap, us = self._pick()
        known = self.random.random() < 0.5
        request = DmabufRequest.SYNC if known else 0xBC77
        ours = outcome(lambda: us.port.ioctl(fd, request, SYNC_STRUCT.pack(1))[0] or None)
        self.agree(f"{pid} ioctl {known}", ours, self.model.other_ioctl(pid, wrap, known))


MOVES = (
    "wrap close_sources state acquire acquire release empty guests rewrap load load mmap mmap write_private"
    " munmap mprotect unmap_all unmap_all fork exit lseek other_ioctl"
).split()


@pytest.mark.timeout(600)
@pytest.mark.parametrize("generation", PROFILES)
def test_stand_in_and_model_agree(generation: str, direct_folder: Path) -> None:
    path = weights(direct_folder, 4, 3)
    fd = os.open(path, os.O_RDONLY)
    try:
        for seed in range(SEQUENCES // len(PROFILES)):
            Play(seed, generation, fd, path.read_bytes()).play()
    finally:
        os.close(fd)
