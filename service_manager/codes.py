"""The codes of IServiceManager, which moved with every release of Android.

An edition is one form of the interface. Most API levels have exactly one; builds of API level 35
have several, and do not say which.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from types import MappingProxyType

from binder import UsageError


class Edition(Enum):
    """A form of the service manager's interface, by where it appeared first."""

    API_29 = "29"
    """Not AIDL yet: replies without an exception header, services listed one by one."""
    API_30 = "30"
    API_31 = "31"
    API_33 = "33"
    API_34 = "34"
    API_35_R6 = "35 r6"
    """From Android 15.0.0 r6 on: a look-up can also answer with a union, whose service is a binder."""
    API_35_R20 = "35 r20"
    """From Android 15.0.0 r20 on: the service in that union is a parcelable."""
    API_36 = "36"
    """The form of our AIDL: checkService answers with a binder again, checkService2 with the union."""

    @property
    def codes(self) -> Mapping[str, int]:
        """By name, the codes of the methods that it has."""
        return _CODES_OF[self]


# 0 stands for a method that is not there.
_COLUMNS = tuple(Edition)
_TABLE = {
    #                              29  30  31  33  34 r6 r20  36
    "getService":                 (1,  1,  1,  1,  1,  1,  1,  1),
    "getService2":                (0,  0,  0,  0,  0,  2,  2,  2),
    "checkService":               (2,  2,  2,  2,  2,  3,  3,  3),
    "checkService2":              (0,  0,  0,  0,  0,  0,  0,  4),
    "addService":                 (3,  3,  3,  3,  3,  4,  4,  5),
    "listServices":               (4,  4,  4,  4,  4,  5,  5,  6),
    "registerForNotifications":   (0,  5,  5,  5,  5,  6,  6,  7),
    "unregisterForNotifications": (0,  6,  6,  6,  6,  7,  7,  8),
    "isDeclared":                 (0,  7,  7,  7,  7,  8,  8,  9),
    "getDeclaredInstances":       (0,  0,  8,  8,  8,  9,  9, 10),
    "updatableViaApex":           (0,  0,  9,  9,  9, 10, 10, 11),
    "getUpdatableNames":          (0,  0,  0,  0, 10, 11, 11, 12),
    "getConnectionInfo":          (0,  0,  0, 10, 11, 12, 12, 13),
    "registerClientCallback":     (0,  8, 10, 11, 12, 13, 13, 14),
    "tryUnregisterService":       (0,  9, 11, 12, 13, 14, 14, 15),
    "getServiceDebugInfo":        (0,  0, 12, 13, 14, 15, 15, 16),
    "checkServiceAccess":         (0,  0,  0,  0,  0,  0,  0, 17),
}  # fmt: skip

_CODES_OF = {
    edition: MappingProxyType({name: row[column] for name, row in _TABLE.items() if row[column]})
    for column, edition in enumerate(_COLUMNS)
}

_EDITIONS_OF: Mapping[int, tuple[Edition, ...]] = {
    29: (Edition.API_29,),
    30: (Edition.API_30,),
    31: (Edition.API_31,),
    32: (Edition.API_31,),
    33: (Edition.API_33,),
    34: (Edition.API_34,),
    35: (Edition.API_34, Edition.API_35_R6, Edition.API_35_R20),
    36: (Edition.API_36,),
    37: (Edition.API_36,),
}


def editions_of(api_level: int) -> tuple[Edition, ...]:
    """The editions that builds of an API level can have, oldest first."""
    try:
        return _EDITIONS_OF[api_level]
    except KeyError:
        known = f"{min(_EDITIONS_OF)} to {max(_EDITIONS_OF)}"
        raise UsageError(f"API level {api_level} is not one of {known}") from None


def chosen(api_level: int, edition: Edition | None) -> Edition:
    """`edition`, which must be one of an API level's; the newest of them for None."""
    editions = editions_of(api_level)
    if edition is not None and edition not in editions:
        raise UsageError(
            f"builds of API level {api_level} have no service manager of edition {edition.value}"
        )
    return edition or editions[-1]
