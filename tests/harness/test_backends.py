"""Backends by name."""

from __future__ import annotations

import pytest

from harness.backend import OF_ONE_PROCESS
from harness.backends import BACKENDS, open_backend
from harness.kernel import KernelBackend
from harness.on_device.tier import _OF_LAB
from harness.reference import ReferenceBackend

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


def test_what_only_one_process_can_offer_is_asked_of_no_other_backend() -> None:
    assert ReferenceBackend.capabilities >= OF_ONE_PROCESS
    assert not OF_ONE_PROCESS & KernelBackend.capabilities
    assert not OF_ONE_PROCESS & _OF_LAB
