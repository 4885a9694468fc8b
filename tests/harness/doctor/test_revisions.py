"""Revisions of the HAL's interface, told apart by what a HAL answers and by names in its program."""

from __future__ import annotations

import pytest

from harness.doctor.facts import Answer, Hal
from harness.doctor.findings import Level
from harness.doctor.revisions import FROZEN_HASH, NAMES, REVISIONS, judge


def hal(version: int | None = 1, hash_: str | None = FROZEN_HASH, *names: str) -> Hal:
    return Hal(
        Answer(version) if version is not None else Answer(problem="permission denied"),
        Answer(hash_) if hash_ is not None else Answer(problem="permission denied"),
        Answer(frozenset(names)),
    )


@pytest.mark.parametrize(
    ("said", "level", "words"),
    [
        (hal(), Level.OK, "frozen interface"),
        # Whatever else is in a vendor's libraries, the hash is the interface's own word.
        (hal(1, FROZEN_HASH, "NpuUuid"), Level.OK, "frozen interface"),
        (hal(1, "0" * 40), Level.WARNING, "NOT the known hash"),
        (hal(1, "notfrozen"), Level.WARNING, "in development"),
        (hal(1, None), Level.WARNING, "not told"),
        (hal(2, "1" * 40), Level.FAILURE, "only version 1 is known"),
        (hal(None, None), Level.UNKNOWN, "permission denied"),
        (hal(1, "2" * 40, "NpuUuid", "minPriority"), Level.FAILURE, "the dialect of the documentation page"),
        (hal(None, None, "appPriority"), Level.FAILURE, "the dialect of the documentation page"),
        (hal(1, "notfrozen", "ISchedulingCallback6onIdle"), Level.FAILURE, "an early revision"),
    ],
)
def test_each_revision_is_named(said: Hal, level: Level, words: str) -> None:
    finding = judge(said)
    assert finding.level is level
    assert words in finding.says
    assert finding.remedy or level is Level.OK


def test_a_refusal_says_by_which_name_it_was_known() -> None:
    assert "its program has NpuUuid, minPriority" in judge(hal(1, "x", "minPriority", "NpuUuid")).says


def test_no_name_stands_for_two_revisions() -> None:
    assert len(NAMES) == sum(len(revision.names) for revision in REVISIONS) == len(set(NAMES))


def test_the_frozen_interface_has_none_of_these_names() -> None:
    from generated.android.hardware import npu

    own = {name for kind in (npu.SchedulingConfig, npu.WorkInfo) for name in kind.__dataclass_fields__}
    own |= set(dir(npu.ISchedulingCallback)) | set(dir(npu))
    assert not own & set(NAMES)
