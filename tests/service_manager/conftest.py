"""`phone` is a device of the newest API level; `each` is one of every API level and edition."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from .kit import DECLARED, EDITIONS, IDS, Device, device


@pytest.fixture(params=["deterministic", "threads"])
def phone(request: pytest.FixtureRequest) -> Iterator[Device]:
    with device(kind=request.param, declared=[DECLARED]) as made:
        yield made


@pytest.fixture(params=EDITIONS, ids=IDS)
def each(request: pytest.FixtureRequest) -> Iterator[Device]:
    level, edition = request.param
    with device(level, edition=edition, declared=[DECLARED]) as made:
        yield made
