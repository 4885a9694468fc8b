"""Which uids are whose."""

from __future__ import annotations

import pytest

from binder.identity import CallingIdentity
from service_manager import Policy
from service_manager.policy import is_app, is_isolated


@pytest.mark.parametrize(
    ("uid", "app", "isolated"),
    [
        (0, False, False),
        (9_999, False, False),
        (10_000, True, False),
        (98_999, True, False),
        (99_000, True, True),
        (99_999, True, True),
        (100_000, False, False),
        (1_010_123, True, False),
        (1_099_001, True, True),
    ],
)
def test_uids_repeat_for_every_user(uid: int, app: bool, isolated: bool) -> None:
    assert (is_app(uid), is_isolated(uid)) == (app, isolated)


def test_everything_is_allowed_by_default() -> None:
    anybody = CallingIdentity(1, 10_123)
    for permission in ("find", "add", "list"):
        question = Policy().by_name(permission)
        assert question is not None
        assert question(anybody, "foo")
    assert Policy().by_name("") is None
