"""The table of waits: every purpose, stage and return."""

from __future__ import annotations

import re

import pytest

from binder import DeadObjectError, Status
from binder.kernel.call import FAILURES, TRANSITIONS, Purpose, Stage, Wait, failure_status
from binder.kernel.commands import Incoming, Return, Returned

REPLY = Incoming(0, 0, 0, 0, 1, 2, 4, 0, 0x7000, 0)


def _wait_at(purpose: Purpose, stage: Stage) -> Wait:
    wait = Wait(purpose)
    wait.stage = stage
    return wait


@pytest.mark.parametrize("purpose", list(Purpose))
@pytest.mark.parametrize("stage", [Stage.SENT, Stage.ACCEPTED])
@pytest.mark.parametrize("kind", list(Return))
def test_every_return_moves_a_wait_as_the_table_says_or_not_at_all(
    purpose: Purpose, stage: Stage, kind: Return
) -> None:
    wait = _wait_at(purpose, stage)
    taken = wait.feed(Returned(kind, incoming=REPLY if kind is Return.REPLY else None))
    if kind in FAILURES:
        assert taken
        assert wait.done
        assert wait.failure is not None
    elif (stage, kind) in TRANSITIONS[purpose]:
        assert taken
        assert wait.stage is TRANSITIONS[purpose][stage, kind]
    else:
        assert not taken
        assert wait.stage is stage


def test_a_call_is_accepted_and_then_answered() -> None:
    wait = Wait(Purpose.CALL)
    kinds = (Return.TRANSACTION_COMPLETE, Return.TRANSACTION, Return.REPLY)
    taken = [(wait.feed(Returned(kind, incoming=REPLY)), wait.stage) for kind in kinds]
    assert taken == [(True, Stage.ACCEPTED), (False, Stage.ACCEPTED), (True, Stage.DONE)]
    assert wait.reply is REPLY


@pytest.mark.parametrize(
    ("returned", "status", "text"),
    [
        (Returned(Return.DEAD_REPLY), Status.DEAD_OBJECT, "gone"),
        (
            Returned(Return.FAILED_REPLY),
            Status.FAILED_TRANSACTION,
            "no room in the receiver.s buffer.*ENOSPC",
        ),
        (Returned(Return.FROZEN_REPLY), Status.FAILED_TRANSACTION, "frozen"),
        (Returned(Return.ERROR, value=-22), Status.BAD_VALUE, "reports an error"),
    ],
)
def test_failures_are_the_status_that_libbinder_reports(
    returned: Returned, status: Status, text: str
) -> None:
    error = failure_status(returned, (Return.FAILED_REPLY, -28))
    assert error.status == status
    assert re.search(text, str(error))
    assert isinstance(error, DeadObjectError) == (status is Status.DEAD_OBJECT)
