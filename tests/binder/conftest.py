"""Every test that asks for a `world` runs on both schedulers; `still` is the deterministic one only."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from .services import World, world_of


@pytest.fixture(params=["deterministic", "threads"])
def world(request: pytest.FixtureRequest) -> Iterator[World]:
    with world_of(request.param) as world:
        yield world


@pytest.fixture
def still() -> Iterator[World]:
    with world_of() as world:
        yield world
