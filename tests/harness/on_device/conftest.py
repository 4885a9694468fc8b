from __future__ import annotations

import pytest

from harness.fake_adb import FakeAdb
from tests.harness.adb.conftest import device, fake, server
from tests.harness.adb.fake_android import FakeAndroid

__all__ = ["device", "fake", "phone", "server"]


@pytest.fixture
def phone(fake: FakeAdb) -> FakeAndroid:
    return FakeAndroid().install(fake.add("0123"))
