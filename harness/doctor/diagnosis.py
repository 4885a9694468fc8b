"""The whole of it: asks, judges, and sums up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..adb import Device
from ..adb.apps import Candidate
from . import rules
from .facts import Facts
from .findings import Finding, Level, Tier
from .probe import AgentTester, probe

FINE, FINDINGS = 0, 1


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What the doctor says of a device."""

    serial: str
    server: str
    model: str
    findings: list[Finding]
    tiers: list[Tier]
    candidates: list[Candidate]

    @property
    def exit_code(self) -> int:
        """0 if scenarios can be played and nothing is against a rule, else 1."""
        broken = any(finding.level is Level.FAILURE for finding in self.findings)
        return FINDINGS if broken or not any(tier.available for tier in self.tiers) else FINE

    def as_json(self) -> dict[str, Any]:
        return {
            "serial": self.serial,
            "server": self.server,
            "model": self.model,
            "findings": [finding.as_json() for finding in self.findings],
            "tiers": [tier.as_json() for tier in self.tiers],
            "candidates": [
                {
                    "package": app.package,
                    "uid": app.uid,
                    "target_sdk": app.target_sdk,
                    "declares_npu": app.declares_npu,
                }
                for app in self.candidates
            ],
            "playable": any(tier.available for tier in self.tiers),
        }


def judge(facts: Facts, server: str = "") -> Diagnosis:
    """What the doctor says of what a device said."""
    return Diagnosis(
        facts.serial,
        server,
        facts.property("ro.product.model"),
        [rule(facts) for rule in rules.RULES],
        rules.tiers(facts),
        facts.candidates.get([]),
    )


def diagnose(device: Device, tester: AgentTester | None) -> Diagnosis:
    """Asks a device and judges. Raises `DeviceUnavailable` if the device is lost meanwhile."""
    return judge(probe(device, tester), str(device.server))
