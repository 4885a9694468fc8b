"""Who may do what: the seam for what SELinux decides on a device."""

from __future__ import annotations

from collections.abc import Callable

from binder.identity import CallingIdentity

# How uids are divided among users, and where in a user's range apps begin.
_PER_USER = 100_000
_FIRST_APP = 10_000
_ISOLATED = range(99_000, 100_000)


class Policy:
    """Lets everybody do everything. Override what should be refused."""

    def may_find(self, caller: CallingIdentity, name: str) -> bool:
        """Whether the caller may look a service up, wait for it, or ask what is known of it."""
        return True

    def may_add(self, caller: CallingIdentity, name: str) -> bool:
        """Whether the caller may register a service, take it back, or watch its clients."""
        return True

    def may_list(self, caller: CallingIdentity) -> bool:
        """Whether the caller may know which services there are."""
        return True

    def by_name(self, permission: str) -> Callable[[CallingIdentity, str], bool] | None:
        """The question that a permission's name stands for; None if it stands for none."""
        questions = {
            "find": self.may_find,
            "add": self.may_add,
            "list": lambda caller, name: self.may_list(caller),
        }
        return questions.get(permission)


def is_app(uid: int) -> bool:
    """Whether a uid is an app's, of whichever user. Apps never register services."""
    return uid % _PER_USER >= _FIRST_APP


def is_isolated(uid: int) -> bool:
    """Whether a uid is that of an isolated process, which finds only services that say so."""
    return uid % _PER_USER in _ISOLATED
