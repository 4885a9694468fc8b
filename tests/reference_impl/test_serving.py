"""The served device where there is no driver; `tests/harness/test_kernel_backend.py` has one."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from reference_impl.control import COMMANDS, Control
from reference_impl.control import __doc__ as contract
from reference_impl.hal_commands import HAL_COMMANDS, HalCommands


def serve(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "reference_impl.serving", *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize(
    "how", [[], ["--context-manager"], ["--control"], ["--control", "--context-manager"]]
)
def test_a_device_that_is_not_there_is_named(how: list[str]) -> None:
    done = serve("--binder", "/dev/nowhere", *how)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("serve: /dev/nowhere cannot be opened: No such file or directory")
    assert done.stderr.count("\n") == 1


def test_every_command_is_written_down() -> None:
    assert contract is not None
    words = set(contract.replace(",", " ").split())
    assert {*COMMANDS, *HAL_COMMANDS} <= words
    assert all(hasattr(Control, name) for name in COMMANDS)
    assert all(hasattr(HalCommands, name) for name in HAL_COMMANDS)


@pytest.mark.parametrize("how", [[], ["--control"]])
def test_a_bad_heap_configuration_is_named_before_anything_is_opened(tmp_path: Path, how: list[str]) -> None:
    heaps = tmp_path / "heaps.toml"
    heaps.write_text('[[heap]]\npath = "/dev/dma_heap/npu"\n\n[[heap.npu]]\ndevice_numbers = [-1]\n')
    done = serve("--binder", "/dev/nowhere", "--heaps", str(heaps), *how)
    assert done.returncode == 2
    assert f"serve: {heaps}:5: error: -1 is no device number" in done.stderr
    assert "buffer_types" in done.stderr


def test_with_a_good_one_it_goes_on(tmp_path: Path) -> None:
    heaps = tmp_path / "heaps.toml"
    heaps.write_text('[[heap]]\npath = "/dev/dma_heap/npu"\n')
    done = serve("--binder", "/dev/nowhere", "--heaps", str(heaps))
    assert done.stderr.startswith("serve: /dev/nowhere cannot be opened")
