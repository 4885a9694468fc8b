"""Devices and scenario folders for tests of the harness."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

from harness.reference import ReferenceBackend
from harness.vocabulary import Npu

IMPORTS = """
    import pytest
    from harness.vocabulary import *
"""


def open_npu(seed: int = 0) -> Npu:
    """A device to play with by hand."""
    return Npu(ReferenceBackend().open(seed))


def write_scenarios(folder: Path, module: str, source: str) -> Path:
    """A folder with one module of scenarios. Modules of one test run need names of their own."""
    text = textwrap.dedent(IMPORTS) + textwrap.dedent(source)
    (folder / f"test_{module}.py").write_text(text, encoding="utf-8")
    return folder


def timeless(value: Any) -> Any:
    """A value without what depends on the wall's clock."""
    if isinstance(value, dict):
        return {key: timeless(item) for key, item in value.items() if not key.startswith("wall_")}
    return [timeless(item) for item in value] if isinstance(value, list) else value
