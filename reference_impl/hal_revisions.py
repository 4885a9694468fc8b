"""Which revisions of the HAL's interface there are, and which of them the service works with."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from generated.android.hardware.npu import IScheduling
from reference_impl.constants import HAL_SERVICE

KNOWN_VERSION = IScheduling.aidl.version
KNOWN_HASH = IScheduling.aidl.hash


class Acceptance(Enum):
    """What the service does with a HAL."""

    ACCEPTED = "accepted"
    WARNED = "accepted with a warning"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the service does with a HAL, and why, in a sentence that names the revision."""

    acceptance: Acceptance
    reason: str


def judge(version: int, digest: str) -> Judgement:
    """What to do with a HAL that calls itself so.

    Args:
        version: what getInterfaceVersion answers; 0 if the interface has none.
        digest: what getInterfaceHash answers; "" if the interface has none.
    """
    if version != KNOWN_VERSION:
        named = f"version {version}" if version else "no version"
        return Judgement(
            Acceptance.REFUSED,
            f"{HAL_SERVICE} has {named} (hash {digest or 'none'}); "
            f"this service speaks version {KNOWN_VERSION}",
        )
    if digest != KNOWN_HASH:
        return Judgement(
            Acceptance.WARNED,
            f"{HAL_SERVICE} is version {version} with the unknown hash {digest or 'none'}, not {KNOWN_HASH}: "
            "its methods may mean something else",
        )
    return Judgement(Acceptance.ACCEPTED, f"{HAL_SERVICE} is version {version} (hash {digest})")


def early(version: int, digest: str, evidence: str) -> Judgement:
    """What to do with a HAL whose calls give it away as the early revision.

    That one's callback began with `onIdle` and was not oneway, so that every code after it means another
    method; nothing that it reports can be trusted.

    Args:
        version: what it calls itself.
        digest: its hash.
        evidence: what it did.
    """
    return Judgement(
        Acceptance.REFUSED,
        f"{HAL_SERVICE} (version {version}, hash {digest or 'none'}) {evidence}: its callback is that of the "
        "early revision, which begins with onIdle; it must be built against version 1",
    )
