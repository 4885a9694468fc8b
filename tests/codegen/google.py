"""Google's own AIDL compiler: whether it is there, how new it is, and what it makes of files."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

AIDL = shutil.which("aidl")
HOW_TO_GET_IT = "tests/tools/newest-aidl.sh DIR makes one, then put DIR/bin first on PATH"
_NEWEST = "--min_sdk_version=34"
_UNION = "package q; union U { int a; }"


def run(folder: Path, arguments: Iterable[str | Path]) -> subprocess.CompletedProcess[str]:
    """Runs the compiler in a folder. What it prints may hold bytes of the source that are no text."""
    command = [AIDL or "aidl", *map(str, arguments)]
    return subprocess.run(
        command, cwd=folder, capture_output=True, timeout=100, encoding="utf-8", errors="replace"
    )


@cache
def sdk_option() -> tuple[str, ...] | None:
    """How to ask for the newest Java; None if the compiler is that of Android 10, without unions."""
    if AIDL is None:
        return None
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "q").mkdir()
        (folder / "q/U.aidl").write_text(_UNION)
        for options in ((_NEWEST,), ()):
            words = ["--lang=java", "-o", "out", "--structured", *options, "-I", ".", "q/U.aidl"]
            if run(folder, words).returncode == 0:
                return options
    return None


def is_new() -> bool:
    """Whether the compiler is at least Android 14's."""
    return sdk_option() == (_NEWEST,)


@dataclass(frozen=True)
class Options:
    """How files are to be compiled; both compilers know all of this."""

    structured: bool = True
    vintf: bool = False
    roots: tuple[str, ...] = (".",)

    def words(self) -> list[str]:
        flags = ["--structured"] if self.structured or self.vintf else []
        flags += ["--stability=vintf"] if self.vintf else []
        return [*flags, *(word for root in self.roots for word in ("-I", root))]


@dataclass
class Verdict:
    """What the compiler says of files. `java` is by the path below the output folder."""

    accepted: bool
    messages: str
    java: dict[str, str] = field(default_factory=dict)

    @property
    def errors(self) -> list[str]:
        """The errors without their places, each once."""
        lines = [line for line in self.messages.splitlines() if line.startswith("ERROR: ")]
        return list(dict.fromkeys(line.split(": ", 2)[-1] for line in lines))


def java(folder: Path, files: Sequence[str], options: Options) -> Verdict:
    """Compiles files, by their paths below a folder, in one run."""
    with TemporaryDirectory() as out:
        words = ["--lang=java", "-o", out, *options.words(), *(sdk_option() or ()), *files]
        done = run(folder, words)
        made = {
            str(path.relative_to(out)): path.read_text(encoding="utf-8", errors="surrogateescape")
            for path in Path(out).rglob("*.java")
        }
    return Verdict(done.returncode == 0, done.stdout + done.stderr, made)


def each(folder: Path, files: Sequence[str], options: Options) -> dict[str, Verdict]:
    """Compiles files one by one, so that each has a verdict of its own."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        verdicts = pool.map(lambda file: java(folder, [file], options), files)
        return dict(zip(files, verdicts, strict=True))


def dump_api(folder: Path, files: Sequence[str], options: Options) -> dict[str, str]:
    """The snapshots of files that are accepted, by their paths below the output folder."""
    with TemporaryDirectory() as out:
        done = run(folder, ["--dumpapi", f"--out={out}", *options.words(), *files])
        if done.returncode != 0:
            raise AssertionError(done.stdout + done.stderr)
        return {
            str(path.relative_to(out)): path.read_text(encoding="utf-8", errors="surrogateescape")
            for path in Path(out).rglob("*.aidl")
        }
