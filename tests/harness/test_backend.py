"""The contract between scenarios and backends."""

from __future__ import annotations

import inspect
import re

from harness import hal, requests, vocabulary
from harness.backend import CAPABILITIES, AppProcess, Backend, ScenarioFailure, Session
from harness.reference import ReferenceApp, ReferenceBackend, ReferenceSession


def test_every_capability_says_what_provides_it() -> None:
    for name, provider in CAPABILITIES.items():
        assert re.fullmatch(r"[a-z-]+", name)
        assert len(provider) > 10


def test_every_word_of_the_contract_is_documented() -> None:
    for protocol in (AppProcess, Session, Backend):
        for name, member in vars(protocol).items():
            if inspect.isfunction(member) and not name.startswith("_"):
                assert member.__doc__, f"{protocol.__name__}.{name}"


def test_reference_offers_every_word() -> None:
    for protocol, implementation in (
        (AppProcess, ReferenceApp),
        (Session, ReferenceSession),
        (Backend, ReferenceBackend),
    ):
        words = {name for name in vars(protocol) if not name.startswith("_")}
        missing = {word for word in words if not hasattr(implementation, word)}
        assert not missing, protocol.__name__


def test_vocabulary_uses_no_word_outside_the_contract() -> None:
    text = "".join(inspect.getsource(module) for module in (vocabulary, requests, hal))
    used = set(re.findall(r"\bsession\.(\w+)", text))
    assert used <= set(vars(Session))


def test_broken_rule_is_an_assertion() -> None:
    assert issubclass(ScenarioFailure, AssertionError)
