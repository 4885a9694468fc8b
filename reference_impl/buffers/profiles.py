"""The generations of the wrapfd driver: which checks each makes, and what else tells them apart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from errno import EAGAIN

from .rules import (
    BAD_PADDING,
    BAD_PROT,
    INDIRECT_FILE,
    IS_EMPTY,
    LOADING,
    MAPPED,
    NEGATIVE,
    NEWEST_CHECKS,
    NOT_MINE,
    PAST_END,
    PAST_END_OF_FILE,
    READ_ONLY_WRAP,
    UNALIGNED,
    UNREADABLE_FILE,
    Checks,
    Op,
)


@dataclass(frozen=True, slots=True)
class Profile:
    """A generation.

    Attributes:
        checks: by operation, what it may be refused for, in order.
        frees_at_death: whether the owner's death ends its ownership.
        seekable: whether lseek tells the size.
        loads_read_only: whether a load may write into a read-only wrap.
    """

    name: str
    checks: Mapping[Op, Checks]
    frees_at_death: bool = True
    seekable: bool = True
    loads_read_only: bool = False


NEWEST = Profile("newest", NEWEST_CHECKS)
"""Measured on the newest public driver."""

CONTRACT = Profile(
    "contract",
    {
        **NEWEST_CHECKS,
        Op.LOAD: (
            *(NEGATIVE, BAD_PADDING, UNALIGNED),
            *(UNREADABLE_FILE, INDIRECT_FILE, PAST_END_OF_FILE),
            *(NOT_MINE, IS_EMPTY, READ_ONLY_WRAP, PAST_END),
        ),
    },
)
"""What the published description of libwrapfd promises. The default."""

_BUSY_LOADING = replace(LOADING, errno=EAGAIN)

FIRST = Profile(
    "first",
    {
        **NEWEST_CHECKS,
        Op.WRAP: (BAD_PADDING, BAD_PROT),
        Op.LOAD: (
            *(NEGATIVE, BAD_PADDING, UNALIGNED),
            *(UNREADABLE_FILE, INDIRECT_FILE, PAST_END_OF_FILE),
            *(NOT_MINE, MAPPED, IS_EMPTY, PAST_END),
        ),
        Op.REWRAP: (BAD_PADDING, BAD_PROT, NOT_MINE, MAPPED, _BUSY_LOADING, IS_EMPTY),
        Op.EMPTY: (NOT_MINE, MAPPED, _BUSY_LOADING, IS_EMPTY),
        Op.OTHER_IOCTL: (IS_EMPTY,),
    },
    frees_at_death=False,
    seekable=False,
    loads_read_only=True,
)
"""The oldest public copies, by reading."""

PROFILES: Mapping[str, Profile] = {profile.name: profile for profile in (CONTRACT, NEWEST, FIRST)}
