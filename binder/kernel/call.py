"""What a thread waits for after it has written a transaction, as a table.

A thread that has called waits for the driver to accept the transaction and then for the reply. A
oneway caller, and one who has sent a reply, only wait for the acceptance. Whatever else arrives in the
meantime (reference counts, deaths, a nested transaction) is none of this table's business.
"""

from __future__ import annotations

import errno
from collections.abc import Mapping
from enum import IntEnum, auto

from ..errors import DeadObjectError, StatusError, status_error
from ..protocol import Status
from .commands import Incoming, Return, Returned


class Purpose(IntEnum):
    CALL = auto()
    ONEWAY = auto()
    REPLY = auto()


class Stage(IntEnum):
    SENT = auto()
    ACCEPTED = auto()
    DONE = auto()


_ACCEPTED_AT_ONCE: dict[tuple[Stage, int], Stage] = {
    (Stage.SENT, Return.TRANSACTION_COMPLETE): Stage.DONE,
    # Said once to a process that sends too much; the transaction goes its way.
    (Stage.SENT, Return.ONEWAY_SPAM_SUSPECT): Stage.DONE,
    # The receiver is frozen and will get it when it thaws.
    (Stage.SENT, Return.TRANSACTION_PENDING_FROZEN): Stage.DONE,
}

TRANSITIONS: Mapping[Purpose, Mapping[tuple[Stage, int], Stage]] = {
    Purpose.CALL: {
        (Stage.SENT, Return.TRANSACTION_COMPLETE): Stage.ACCEPTED,
        (Stage.SENT, Return.ONEWAY_SPAM_SUSPECT): Stage.ACCEPTED,
        (Stage.ACCEPTED, Return.REPLY): Stage.DONE,
    },
    Purpose.ONEWAY: _ACCEPTED_AT_ONCE,
    Purpose.REPLY: _ACCEPTED_AT_ONCE,
}

FAILURES = {Return.DEAD_REPLY, Return.FAILED_REPLY, Return.FROZEN_REPLY, Return.ERROR}
"""Ends every wait, at any stage."""


class Wait:
    """One wait: fed with returns, it says when it is over and how it ended.

    Attributes:
        reply: what arrived, of a CALL that is done.
        failure: the return that ended it instead, if one did.
        suspect: whether the driver finds that this process sends too many oneway calls.
    """

    __slots__ = ("_table", "failure", "reply", "stage", "suspect")

    def __init__(self, purpose: Purpose) -> None:
        self._table = TRANSITIONS[purpose]
        self.stage = Stage.SENT
        self.reply: Incoming | None = None
        self.failure: Returned | None = None
        self.suspect = False

    @classmethod
    def answered(cls, reply: Incoming) -> Wait:
        """One for a call that is over before anybody has had to wait."""
        wait = cls(Purpose.CALL)
        wait.reply, wait.stage = reply, Stage.DONE
        return wait

    @property
    def done(self) -> bool:
        return self.stage is Stage.DONE

    def feed(self, returned: Returned) -> bool:
        """Takes a return. False if it has nothing to do with this wait."""
        if returned.kind in FAILURES:
            self.failure = returned
            self.stage = Stage.DONE
            return True
        following = self._table.get((self.stage, returned.kind))
        if following is None:
            return False
        self.stage = following
        if returned.kind == Return.REPLY:
            self.reply = returned.incoming
        elif returned.kind == Return.ONEWAY_SPAM_SUSPECT:
            self.suspect = True
        return True


_REASONS = {
    errno.ENOSPC: "no room in the receiver's buffer: the transaction is too large, or too many wait",
    errno.EPERM: "a rule of the kernel's forbids it, or one side takes no descriptors",
    errno.EBADF: "a descriptor in it is not open",
    errno.EINVAL: "a handle or an object in it is wrong",
    errno.ENOMEM: "no memory in the receiver's buffer",
    errno.EPROTO: "the two sides disagree about who waits for whom",
}


def failure_status(failure: Returned, extended: tuple[int, int] | None = None) -> StatusError:
    """The error for a failure, as libbinder reports it.

    Args:
        failure: what ended the wait.
        extended: the driver's last return and errno, where it tells them.
    """
    if failure.kind == Return.DEAD_REPLY:
        return DeadObjectError("the driver says that the process is gone")
    if failure.kind == Return.ERROR:
        return status_error(failure.value or Status.UNKNOWN_ERROR, "the driver reports an error")
    if failure.kind == Return.FROZEN_REPLY:
        return StatusError(Status.FAILED_TRANSACTION, "the process is frozen")
    reason = ""
    # It may tell of an earlier failure that nobody asked about.
    if extended and extended[0] == failure.kind and extended[1]:
        number = -extended[1]
        name = errno.errorcode.get(number, f"errno {number}")
        reason = f": {_REASONS[number]} ({name})" if number in _REASONS else f": {name}"
    return StatusError(Status.FAILED_TRANSACTION, f"the driver refused the transaction{reason}")
