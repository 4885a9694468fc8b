"""Machines that cannot hold buffers, or not so many: the error says so, and nothing is left behind."""

from __future__ import annotations

import os
import platform
import resource
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from errno import EMFILE, ENOMEM
from pathlib import Path

import pytest

from reference_impl.buffers.contents import Contents
from reference_impl.buffers.memory import MemoryFiles, MemoryUnavailable, available_memory
from reference_impl.buffers.process import no_more_descriptors

from .kit import Bench, is_back_at, open_descriptors, refused

ROOT = Path(__file__).parents[3]
PAGE = 4096


@pytest.fixture(autouse=True)
def nothing_stays_open() -> Iterator[None]:
    before = open_descriptors()
    yield
    assert is_back_at(before)


class NoSeals(MemoryFiles):
    """What memfd_create makes where seals are not allowed."""

    def _open(self, name: str) -> int:
        return os.memfd_create(name, os.MFD_CLOEXEC)


def test_this_machine_can() -> None:
    MemoryFiles().check()
    assert (available_memory() or 0) > 0


def test_without_seals_the_error_says_so() -> None:
    with pytest.raises(MemoryUnavailable, match="buffers need memfd_create with seals"):
        NoSeals().check()


def test_a_folder_will_do(tmp_path: Path) -> None:
    files = MemoryFiles(tmp_path)
    files.check()
    contents = Contents(files, {"npu": 10 * PAGE})
    fd = contents.allocate("npu", PAGE)
    os.pwrite(fd, b"x", 0)
    os.close(fd)
    contents.collect()
    assert contents.used("npu") == 0
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(MemoryUnavailable, match=r"no buffer memory can be had in .*none: .*No such file"):
        MemoryFiles(tmp_path / "none").check()


def test_a_full_heap_says_how_much_it_has() -> None:
    bench = Bench(capacity=3 * PAGE)
    first = bench.dmabuf(2)
    with pytest.raises(
        OSError, match=f"{2 * PAGE} bytes are wanted, heap npu has {PAGE} bytes left"
    ) as caught:
        bench.dmabuf(2)
    assert caught.value.errno == ENOMEM
    assert os.fstat(first).st_size == 2 * PAGE
    bench.close()


def test_more_than_the_machine_has() -> None:
    bench = Bench(capacity=2**50)
    with pytest.raises(OSError, match="the machine has too few left") as caught:
        bench.dmabuf(2**49 // PAGE)
    assert caught.value.errno == ENOMEM
    assert bench.contents.used("npu") == 0


@contextmanager
def file_size_limit(size: int) -> Iterator[None]:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_limit_of_the_process() -> None:
    bench = Bench()
    with file_size_limit(PAGE), refused(ENOMEM):
        bench.dmabuf(2)
    assert bench.contents.used("npu") == 0


def test_no_descriptors_left() -> None:
    bench = Bench()
    with no_more_descriptors(), refused(EMFILE):
        bench.dmabuf()
    assert bench.contents.used("npu") == 0


# --- on a file system of its own ---

FULL = """
import errno, os, sys
from pathlib import Path
from reference_impl.buffers.contents import Contents
from reference_impl.buffers.memory import MemoryFiles
if len(sys.argv) > 2:
    os.setuid(int(sys.argv[2]))
contents = Contents(MemoryFiles(Path(sys.argv[1])), {"npu": 1 << 30})
before = len(os.listdir("/proc/self/fd"))
first = contents.allocate("npu", 65536)
try:
    contents.allocate("npu", 1 << 20)
except OSError as error:
    print(errno.errorcode[error.errno], error.strerror)
os.close(first)
contents.collect()
print(len(os.listdir("/proc/self/fd")) - before, contents.used("npu"))
os.close(contents.allocate("npu", 65536))
"""


def on_a_small_file_system(options: str, folder: Path, *arguments: str) -> str:
    """What a program says that has a tmpfs with these options as its buffers' folder."""
    script = f'mount -t tmpfs -o {options},mode=1777 none "$1" && shift && exec "$@"'
    inside = [sys.executable, "-c", FULL, str(folder), *arguments]
    done = subprocess.run(
        ["unshare", "--mount", "sh", "-c", script, "sh", str(folder), *inside],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
    )
    if done.returncode and not done.stdout and "Traceback" not in done.stderr:
        pytest.skip(f"no file system can be mounted here: {done.stderr.strip()}")
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for parent in (tmp_path, *tmp_path.parents[:2]):
        parent.chmod(0o755)
    return tmp_path


def test_a_full_file_system(folder: Path) -> None:
    said = on_a_small_file_system("size=256k", folder).splitlines()
    assert said[0].startswith("ENOMEM No space left on device: no room for 1048576 bytes in")
    assert said[1] == "0 0", "nothing is left open, nothing in use"


def test_a_quota(folder: Path) -> None:
    options = "size=4m,usrquota,usrquota_block_hardlimit=256k"
    said = on_a_small_file_system(options, folder, "65534").splitlines()
    assert said[0].startswith("ENOMEM Disk quota exceeded: no room for 1048576 bytes in")
    assert said[1] == "0 0"


# --- without memfd_create at all ---

MEMFD_CREATE = {"x86_64": 319, "aarch64": 279}

# A filter of the kernel's (seccomp) that knows no memfd_create, then the program.
WITHOUT_MEMFD = """
import ctypes, struct, sys
number = int(sys.argv.pop(1))
code = [(0x20, 0, 0, 0), (0x15, 0, 1, number), (0x06, 0, 0, 0x00050000 | 38), (0x06, 0, 0, 0x7FFF0000)]
program = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *line) for line in code))
filter = ctypes.create_string_buffer(struct.pack("HxxxxxxP", len(code), ctypes.addressof(program)))
libc = ctypes.CDLL(None, use_errno=True)
libc.prctl.argtypes = [ctypes.c_int] + [ctypes.c_ulong] * 4
assert libc.prctl(38, 1, 0, 0, 0) == 0 and libc.prctl(22, 2, ctypes.addressof(filter), 0, 0) == 0
from harness.cli import main
sys.exit(main())
"""


def test_without_memfd_create_scenarios_are_skipped_with_the_reason() -> None:
    number = MEMFD_CREATE.get(platform.machine())
    if number is None:
        pytest.skip(f"the number of memfd_create on {platform.machine()} is not known here")
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_MEMFD, str(number), "run", "ndk.weights", "status_quo.*"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert done.returncode == 0, done.stderr
    assert "1 skipped" in done.stdout
    assert "memfd_create with seals" in done.stdout
    assert "Function not implemented" in done.stdout
