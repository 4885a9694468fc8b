"""Compiles the agent, for any of four kinds of machine, into a file that is the same wherever it is made.

Needs the Python package `ziglang`, a C compiler that has a C library for each target with it.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path

SOURCES = Path(__file__).parent
BUILD_SECONDS = 600.0

TARGETS = {
    "aarch64": ("aarch64-linux-musl",),
    "x86_64": ("x86_64-linux-musl",),
    # Soft floats and no newer instructions: whatever 32-bit Android runs on runs this.
    "arm": ("arm-linux-musleabi", "-mcpu=generic+v7a"),
    "x86": ("x86-linux-musl", "-mcpu=i686"),
}
"""By kind of machine, what the compiler is to make."""

_ALIASES = {
    "arm64-v8a": "aarch64",
    "arm64": "aarch64",
    "amd64": "x86_64",
    "armeabi-v7a": "arm",
    "armeabi": "arm",
    "armv7l": "arm",
    "armv8l": "arm",
    "i686": "x86",
    "i386": "x86",
}

FLAGS = (
    *("-std=c11", "-Os", "-s", "-static", "-pthread", "-fno-ident", "-Wl,--build-id=none"),
    *("-Wall", "-Wextra", "-Wshadow", "-Wstrict-prototypes", "-Werror"),
)

Report = Callable[[str], None]
"""Hears what is going on."""


class BuildError(Exception):
    """The agent cannot be made. The message says why, and what helps."""


def abi_named(name: str) -> str:
    """The kind of machine, for whatever it is called: by Android, by `uname -m`, or here."""
    abi = _ALIASES.get(name, name)
    if abi not in TARGETS:
        raise BuildError(f"there is no agent for {name}, only for {', '.join(TARGETS)}")
    return abi


def sources() -> list[Path]:
    return sorted(path for path in SOURCES.iterdir() if path.suffix in (".c", ".h"))


def cache_folder() -> Path:
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "npukit"


def key(abi: str) -> str:
    """What a build depends on, as one name."""
    parts = [compiler_version(), *TARGETS[abi], *FLAGS]
    digest = hashlib.sha256("\0".join(parts).encode())
    for path in sources():
        digest.update(b"\0" + path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def compiler_version() -> str:
    if importlib.util.find_spec("ziglang") is None:
        raise BuildError("the compiler is missing: pip install 'npukit[agent]'")
    return version("ziglang")


def build(abi: str, report: Report = lambda text: None) -> Path:
    """The agent for such a machine, made unless it has been made before.

    Args:
        abi: what `abi_named` knows.
        report: hears of a compilation, which takes a minute when it is the first.

    Raises:
        BuildError: there is no compiler, or it fails.
    """
    abi = abi_named(abi)
    folder = cache_folder() / "agent" / key(abi)
    program = folder / f"npukit-agent-{abi}"
    if program.exists():
        return program
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with _alone(folder):
            if not program.exists():
                report(f"compiling the agent for {abi}; the first time takes a minute")
                compile_agent(abi, program)
    except OSError as error:
        raise BuildError(f"cannot keep the agent in {folder}: {error.strerror}") from None
    return program


def compile_agent(
    abi: str, program: Path, *, folder: Path = SOURCES, local_cache: Path | None = None
) -> None:
    """Compiles, whatever there is already.

    Args:
        abi: one of `TARGETS`.
        program: where the result goes; it is there as a whole or not at all.
        folder: where the sources are.
        local_cache: for what the compiler keeps of this program.
    """
    caches = cache_folder() / "zig"
    environment = {
        **os.environ,
        "ZIG_GLOBAL_CACHE_DIR": str(caches),
        "ZIG_LOCAL_CACHE_DIR": str(local_cache or caches / "local"),
    }
    with tempfile.TemporaryDirectory(dir=program.parent) as scratch:
        made = Path(scratch) / program.name
        target, *processor = TARGETS[abi]
        command = [sys.executable, "-m", "ziglang", "cc", "-target", target, *processor, *FLAGS]
        # By relative names, so that it does not matter where the sources are.
        command += [*sorted(path.name for path in folder.glob("*.c")), "-o", str(made)]
        try:
            done = subprocess.run(
                command,
                cwd=folder,
                env=environment,
                capture_output=True,
                text=True,
                timeout=BUILD_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise BuildError(
                f"the compiler has not made the agent for {abi} within {BUILD_SECONDS:.0f} s"
            ) from None
        if done.returncode:
            raise BuildError(f"the agent for {abi} cannot be compiled:\n{done.stderr.strip()}")
        made.chmod(0o755)
        made.replace(program)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Only one process at a time compiles into a folder; the system takes the lock from one that ends."""
    try:
        import fcntl
    except ImportError:  # Windows: two may compile the same, and the last one's stays
        yield
        return
    with (folder / "lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
