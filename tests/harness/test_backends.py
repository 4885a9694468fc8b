"""Backends by name."""

from __future__ import annotations

import pytest

from harness.backends import BACKENDS, open_backend

from .command import run_command


def test_every_backend_opens_under_its_own_name() -> None:
    for name in BACKENDS:
        assert open_backend(name).name == name


def test_unknown_backend_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        open_backend("cloud")


def test_listing_backends_does_not_load_them() -> None:
    before = (
        "import harness.backends as b, harness.catalogue as c; c.catalogue(); "
        "assert not any(name.startswith('reference_impl') for name in sys.modules), 'loaded'"
    )
    assert run_command("harness", "--help", before=before).code == 0
