"""Fixtures and hooks for tests marked `vm`."""

from __future__ import annotations

from collections.abc import Generator

import pytest

from . import fixtures
from .fixtures import machine, saved_machine, saved_sid_machine, sid_machine

__all__ = ["machine", "saved_machine", "saved_sid_machine", "sid_machine"]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    fixtures.prepare(items)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    fixtures.explain(item, report)
    return report
