"""Each test has a cache of its own, and none has the user's."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def cache_folder(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where `codegen generate` keeps results in this test."""
    folder = Path(os.fspath(tmp_path_factory.mktemp("cache")), "npukit")
    monkeypatch.setenv("NPUKIT_CACHE", str(folder))
    return folder
