"""What to do about a test whose program this machine does not have."""

from __future__ import annotations

import os
from typing import NoReturn

import pytest


def lacking(marker: str, reason: str) -> NoReturn:
    """Skips the test that runs, or fails it if NPUKIT_REQUIRE says that it must not be skipped.

    Args:
        marker: the test's marker; NPUKIT_REQUIRE lists markers, or says `all`.
        reason: what is missing.
    """
    required = os.environ.get("NPUKIT_REQUIRE", "").split(",")
    if "all" in required or marker in required:
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason)
