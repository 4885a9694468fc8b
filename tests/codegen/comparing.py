"""Holds our compiler against Google's on programs made up on the spot."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from . import google
from .agreement import compile_ours, differences
from .disagreements import Kind, known
from .google import Options, Verdict
from .random_aidl import Program

OPTIONS = Options(structured=True)


def write(program: Program, folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    for name, text in program.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("utf-8", "surrogateescape"))


def compare_one(program: Program, folder: Path) -> list[str]:
    """What the two compilers disagree about, and no list knows of."""
    write(program, folder)
    return _compare(program, folder, google.java(folder, list(program.files), OPTIONS))


def compare_each(programs: Iterable[Program], folder: Path) -> Iterator[tuple[Program, list[str]]]:
    """The same for many, with Google's compiler on all cores."""

    def ask(numbered: tuple[int, Program]) -> tuple[Program, Path, Verdict]:
        number, program = numbered
        place = folder / str(number)
        write(program, place)
        return program, place, google.java(place, list(program.files), OPTIONS)

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for program, place, verdict in pool.map(ask, enumerate(programs)):
            yield program, _compare(program, place, verdict)
            shutil.rmtree(place)


def compare_together(programs: list[Program], folder: Path) -> Iterator[tuple[Program, list[str]]]:
    """The same for programs that should be valid and share no names: in one run, if they are."""
    everything = Program({name: text for program in programs for name, text in program.files.items()})
    write(everything, folder)
    verdict = google.java(folder, list(everything.files), OPTIONS)
    if verdict.accepted and not _compare(everything, folder, verdict):
        yield from ((program, []) for program in programs)
    else:
        yield from compare_each(programs, folder)


def _compare(program: Program, folder: Path, theirs: Verdict) -> list[str]:
    ours = compile_ours(folder, list(program.files), OPTIONS)
    if ours.accepted and not theirs.accepted:
        unknown = [error for error in theirs.errors if not known(Kind.WE_ACCEPT, error)]
        return [f"we accept, Google says: {error}" for error in unknown]
    if theirs.accepted and not ours.accepted:
        if all(known(Kind.WE_REFUSE, error) for error in ours.errors):
            return []
        return [f"Google accepts, we say:\n{ours.text}"]
    if not ours.accepted:
        return []
    return [text for text in differences(ours.program, theirs.java) if not known(Kind.DIFFERENT, text)]
