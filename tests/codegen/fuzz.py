"""Throws input at the compiler that nobody should write, and looks at what it does.

    python -m tests.codegen.fuzz --seconds N [--seed S]

Whatever the input: nothing is raised, it does not take long, what is reported lies inside of the
file, nothing is written for what is refused, and memory does not grow. Exits with 1, and the input,
at the first that breaks this.
"""

from __future__ import annotations

import argparse
import faulthandler
import shutil
import sys
import time
import traceback
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from codegen.checks import check
from codegen.constants import evaluate
from codegen.diagnostics import Diagnostics
from codegen.frontend import compile_files
from codegen.resolve import load
from tests.harness.command import run_command

from .agreement import render
from .corpus_files import CORPUS
from .random_aidl import mutated, program

LONGEST = 10.0
"""Seconds of a processor that one input may take."""

MOST_GROWTH = 48 << 20
"""Bytes that memory may grow by once everything has been used."""

_COMMAND_EVERY = 60
_WARM = 300

_TOKENS = [
    *"{ } ( ) [ ] < > ; , . = @ - + ! ~ * / % & | ^ << >> && || == ' \" \\ # $ ? : // /* */ /**".split(),
    *'0 1 09 0x 0xff 1.5f 1e400 \'a\' "x" "\\" true K A B.C q.A cpp_header rust_type'.split(),
    *"in out inout oneway interface parcelable union enum const package import void int String List".split(),
    *"Map IBinder ParcelableHolder @nullable @Backing @FixedSize".split(),
    *["\n", "\r", "\t", "\0", "\x7f", "é", "漢", "\ufeff", "\u2028", " "],
]


@dataclass(frozen=True)
class Input:
    """What is put into the file called `name`, which may import from `others` and from a `root`."""

    data: bytes
    name: str = "q/A.aidl"
    others: dict[str, str] = field(default_factory=dict)
    root: Path | None = None


def _corpus() -> list[Input]:
    return [
        Input((topic / name).read_bytes(), name, root=topic)
        for topic in sorted(CORPUS.iterdir())
        for name in sorted(str(path.relative_to(topic)) for path in topic.rglob("*.aidl"))
    ]


@dataclass
class Inputs:
    """Makes inputs."""

    rng: Random
    corpus: list[Input] = field(default_factory=_corpus)

    def next(self) -> Input:
        from_files = [self.changed_bytes, self.changed_bytes, self.spliced, self.cut]
        from_nothing = [self.soup, self.noise, self.deep, self.huge_number, self.long_line, self.much_of_one]
        choice = self.rng.random()
        if choice < 0.35:
            original = self.rng.choice(self.corpus)
            return replace(original, data=self.rng.choice(from_files)(original.data))
        if choice < 0.6:
            return self.changed_program()
        return Input(self.rng.choice(from_nothing)())

    def changed_bytes(self, original: bytes) -> bytes:
        """A file of the corpus with bytes flipped, taken out, doubled, or put in."""
        data = bytearray(original)
        for _ in range(self.rng.choice([1, 1, 1, 2, 5])):
            place = self.rng.randrange(len(data) + 1)
            change = self.rng.randrange(4)
            if change == 0 and place < len(data):
                data[place] ^= 1 << self.rng.randrange(8)
            elif change == 1:
                del data[place : place + self.rng.randint(1, 20)]
            elif change == 2:
                data[place:place] = data[place : place + self.rng.randint(1, 40)]
            else:
                data[place:place] = self.rng.choice(_TOKENS).encode()
        return bytes(data)

    def spliced(self, original: bytes) -> bytes:
        """The beginning of one file and the end of another."""
        other = self.rng.choice(self.corpus).data
        return original[: self.rng.randrange(len(original) + 1)] + other[self.rng.randrange(len(other) + 1) :]

    def cut(self, original: bytes) -> bytes:
        return original[: self.rng.randrange(len(original) + 1)]

    def changed_program(self) -> Input:
        made = mutated(self.rng, program(self.rng, "q"))
        name = self.rng.choice(list(made.files))
        return Input(made.files[name].encode("utf-8", "surrogateescape"), name, made.files)

    def soup(self) -> bytes:
        glue = self.rng.choice(["", " ", "\n"])
        start = self.rng.choice(
            ["", "package q; ", "package q; parcelable A { ", "package q; interface IA { "]
        )
        tokens = (self.rng.choice(_TOKENS) for _ in range(self.rng.randrange(120)))
        return (start + glue.join(tokens)).encode()

    def noise(self) -> bytes:
        return self.rng.randbytes(self.rng.randrange(400))

    def deep(self) -> bytes:
        """Things inside of things, sometimes without an end."""
        opening, inside, closing = self.rng.choice(
            [
                ("(", "1", ")"),
                ("-", "1", ""),
                ("{", "1", "}"),
                ("List<", "String", ">"),
                ("1 + (", "1", ")"),
                ("!~", "K", ""),
                ("parcelable P {", "int x;", "}"),
                ("union U { int a; interface I {", "void f();", "} }"),
                ("/*", " ", "*/"),
                ("@a(b=", "1", ")"),
            ]
        )
        depth = self.rng.choice([1, 10, 63, 64, 65, 100, 1_000, 20_000])
        ends = depth if self.rng.random() < 0.8 else self.rng.randrange(depth + 1)
        text = opening * depth + inside + closing * ends
        around = self.rng.choice(
            ["const int K = %s;", "%s", "%s a;", "int[%s] a;", "int[] a = %s;", "@x(%s) int a;"]
        )
        return f"package q; parcelable A {{ {around.replace('%s', text)} }}".encode()

    def huge_number(self) -> bytes:
        digits = self.rng.choice("019aF") * self.rng.choice([5, 10, 19, 20, 40, 400, 5_000, 100_000])
        number = (
            self.rng.choice(["", "-", "0x", "0X", "."])
            + digits
            + self.rng.choice(["", "L", "u8", ".", "e99", "f"])
        )
        other = self.rng.choice(["", f" + {number}", f" << {number}", f" * {number}", f" / {number}"])
        place = self.rng.choice(
            ["const long K = %s;", "int[%s] a;", "byte[%s] a;", "double d = %s;", "enum E { A = %s, B }"]
        )
        return f"package q; parcelable A {{ {place.replace('%s', number + other)} }}".encode()

    def long_line(self) -> bytes:
        length = self.rng.choice([1_000, 20_000, 200_000])
        what = self.rng.choice(['"%s"', "'%s'", "%s", "// %s", "/* %s */", "%s.%s", "@%s"])
        text = what.replace("%s", self.rng.choice("ax _\\\"'*/é") * length)
        return f"package q; parcelable A {{ String a = {text}; }}".encode()

    def much_of_one(self) -> bytes:
        token = self.rng.choice(_TOKENS) or " "
        return b"package q; parcelable A { " + token.encode() * self.rng.choice([100, 3_000, 30_000])


class Broken(Exception):
    """The compiler did something that it must not do."""


class Fuzzer:
    """Runs inputs in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.accepted = 0
        self.refused = 0

    def run(self, made: Input, *, command: bool = False) -> None:
        """Raises `Broken`, or whatever the compiler raises."""
        started = time.process_time()
        for name, text in made.others.items():
            self._write(name, text.encode("utf-8", "surrogateescape"))
        path = self._write(made.name, made.data)
        roots = [self._folder, *([made.root] if made.root else [])]
        diagnostics = self._compile(path, roots)
        if diagnostics.failed:
            self.refused += 1
            self._run_all_stages(path, roots)
        else:
            self.accepted += 1
        if command:
            self._run_command(path, roots, diagnostics)
        shutil.rmtree(self._folder)
        took = time.process_time() - started
        if took > LONGEST:
            raise Broken(f"took {took:.1f} s")

    def _write(self, name: str, data: bytes) -> Path:
        path = self._folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        return path

    def _compile(self, path: Path, roots: list[Path]) -> Diagnostics:
        diagnostics = Diagnostics()
        result = compile_files([path], roots, lint=True, diagnostics=diagnostics)
        if not diagnostics.failed:
            if not result.requested:
                raise Broken("accepted, but there is nothing")
            for package, text in render(result, diagnostics).items():
                if not diagnostics.failed:
                    compile(text, package or "root", "exec")
        _look_at(diagnostics)
        return diagnostics

    def _run_all_stages(self, path: Path, roots: list[Path]) -> None:
        """Each stage has to cope with whatever the one before it left."""
        diagnostics = Diagnostics()
        result = load([path], roots, diagnostics)
        evaluate(result, diagnostics)
        check(result, diagnostics, lint=True)
        _look_at(diagnostics)

    def _run_command(self, path: Path, roots: list[Path], diagnostics: Diagnostics) -> None:
        """As a user does; that nothing earlier is remembered keeps runs alike.

        The command also generates what is imported, so it may refuse more.
        """
        out = self._folder / "out"
        includes = [word for root in roots for word in ("-I", str(root))]
        done = run_command("codegen", "generate", "--no-cache", *includes, "-o", str(out), str(path))
        if "Traceback" in done.err or done.code not in (0, 1) or (done.code == 0 and diagnostics.failed):
            raise Broken(f"the command ended with {done.code}: {done.err}")
        if out.exists() != (done.code == 0):
            raise Broken("something was written for what is refused, or nothing for what is not")
        if done.code == 1 and "error: " not in done.err:
            raise Broken(f"the command does not say why: {done.err}")
        shutil.rmtree(out, ignore_errors=True)


def _look_at(diagnostics: Diagnostics) -> None:
    for item in diagnostics.sorted():
        text = item.span.source.text
        line, column = item.span.source.position(item.span.start)
        if not 0 <= item.span.start <= item.span.end <= len(text) or line < 1 or column < 1:
            raise Broken(f"{item.span.start} to {item.span.end} is not in {len(text)} characters")
        if not item.message or not item.render().startswith(f"{item.span.source.name}:{line}:{column}: "):
            raise Broken(f"does not say where, or what: {item.render()!r}")


def _memory() -> int:
    """What this process has in memory, in bytes."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


def fuzz(seconds: float, seed: int) -> str:
    """Runs until the time is over; raises what went wrong. Returns a summary."""
    inputs = Inputs(Random(seed))
    ends, count, warm = time.monotonic() + seconds, 0, 0
    with TemporaryDirectory() as folder:
        fuzzer = Fuzzer(Path(folder) / "files")
        while time.monotonic() < ends:
            made = inputs.next()
            # What hangs inside of one call cannot be stopped otherwise.
            faulthandler.dump_traceback_later(6 * LONGEST, exit=True)
            try:
                fuzzer.run(made, command=count % _COMMAND_EVERY == 0)
            except Exception as error:
                raise Broken(
                    f"seed {seed}, input {count}: {made.name} in {made.root}, {made.data[:3000]!r}"
                ) from error
            finally:
                faulthandler.cancel_dump_traceback_later()
            count += 1
            if count == _WARM:
                warm = _memory()
    growth = _memory() - warm if warm else 0
    if growth > MOST_GROWTH:
        raise Broken(f"memory grew by {growth >> 20} MB in {count - _WARM} inputs")
    kinds = f"{fuzzer.accepted} accepted, {fuzzer.refused} refused"
    return f"{count} inputs from seed {seed}: {kinds}, {growth >> 20} MB more memory"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    try:
        sys.stdout.write(fuzz(options.seconds, options.seed) + "\n")
    except Broken:
        traceback.print_exc()
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
