"""What is open is counted, and the suite of scenarios leaves nothing open."""

from __future__ import annotations

import os
from io import StringIO
from pathlib import Path

from rich.console import Console

from harness.report import print_run
from harness.resources import Resources, in_words, measure
from harness.run import play
from tests.harness.kit import write_scenarios


def test_descriptors_and_buffers_are_counted() -> None:
    before = measure()
    fd = os.memfd_create("npubuf")
    os.write(fd, bytes(8192))
    copy = os.dup(fd)
    after = measure()
    os.close(fd)
    os.close(copy)
    assert before is not None
    assert after is not None
    assert after == Resources(before.descriptors + 2, before.buffer_bytes + 8192)
    assert measure() == before


def test_buffer_scenarios_leave_nothing_open() -> None:
    done = play(["allocator.*", "ndk.*", "wrapfd.test_re*"])
    assert done.exit_code == 0
    assert done.before is not None
    assert done.before == done.after


def test_a_leak_shows(tmp_path: Path) -> None:
    source = """
        import os

        @needs("buffers")
        def test_leak(npu):
            os.memfd_create("npubuf")
    """
    done = play(folder=write_scenarios(tmp_path, "leak", source))
    assert done.before is not None
    assert done.after is not None
    assert done.after.descriptors == done.before.descriptors + 1
    said = StringIO()
    print_run(done, Console(width=150, file=said))
    assert in_words(done.before, done.after) in said.getvalue()
    for name in os.listdir("/proc/self/fd"):
        path = f"/proc/self/fd/{name}"
        if os.path.islink(path) and os.readlink(path).startswith("/memfd:npubuf"):
            os.close(int(name))
