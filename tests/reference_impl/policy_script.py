"""Runs a policy on lines that read like the story they tell, without a service.

    album is CACHED
    album asks 1 GREATER_THAN_2G      -> album/1 CAN_LOAD_NOW
    album loaded 1
    assistant is FOREGROUND
    assistant asks 1 GREATER_THAN_2G  -> album/1 UNLOAD, assistant/1 WAIT_FOR_UNLOAD
    album unloaded 1                  -> album/1 COMPLETE, assistant/1 CAN_LOAD_NOW

Other verbs: `cancelled ID`, `works` (its work completed), `fails` (its work ended otherwise), `dies`. A size
may be followed by the request's own priority, as in `asks 2 LESS_THAN_1GB BACKGROUND`.
"""

from __future__ import annotations

import re

from reference_impl.constants import FIRST_APPLICATION_UID, Importance, ModelPriority, ModelSize
from reference_impl.policies.base import Policy
from reference_impl.policies.events import (
    Action,
    AnswerCanLoad,
    Cancel,
    CanLoad,
    ClientDied,
    Complete,
    Forget,
    ImportanceChanged,
    Loaded,
    PolicyEvent,
    Replaced,
    RequestKey,
    RequestUnload,
    Unloaded,
    WorkEnded,
)
from reference_impl.policies.state import PolicyState


class PolicyScript:
    """A policy with apps by name; every app starts CACHED."""

    def __init__(self, policy: Policy) -> None:
        self.policy = policy
        self.state = PolicyState()
        self.uids: dict[str, int] = {}
        self.importance: dict[int, int] = {}

    def run(self, story: str) -> None:
        """Do every line of `story` and compare what follows with what it says after the arrow.

        A line that begins with an arrow continues the one before.
        """
        for line in filter(None, map(str.strip, re.sub(r"\s*\n\s*->", " ->", story).splitlines())):
            step, _, expected = line.partition("->")
            actual = ", ".join(self.do(step.strip()))
            assert actual == expected.strip(), f"{step.strip()} -> {actual}, not {expected.strip()}"

    def do(self, step: str) -> list[str]:
        """Do one step and say in words what the policy wants done."""
        event = self._event(*step.split())
        before = self.state
        self.state, actions = self.policy.step(before, event, lambda uid: self.importance[uid])
        return [self._words(action) for action in actions]

    def _event(self, app: str, verb: str, *args: str) -> PolicyEvent:
        uid = self.uids.setdefault(app, FIRST_APPLICATION_UID + 1 + len(self.uids))
        self.importance.setdefault(uid, Importance.CACHED)
        match verb, args:
            case "is", (importance,):
                self.importance[uid] = Importance[importance]
                return ImportanceChanged(uid)
            case "asks", (number, size, *priority):
                rank = ModelPriority[priority[0]] if priority else ModelPriority.NORMAL
                return CanLoad(RequestKey(uid, int(number)), ModelSize[size], rank)
            case "loaded", (number,):
                return Loaded(RequestKey(uid, int(number)))
            case "unloaded", (number,):
                return Unloaded(RequestKey(uid, int(number)))
            case "cancelled", (number,):
                return Cancel(RequestKey(uid, int(number)))
            case "works", ():
                return WorkEnded(uid, completed=True)
            case "fails", ():
                return WorkEnded(uid, completed=False)
            case "dies", ():
                return ClientDied(uid)
        raise ValueError(f"no such step: {app} {verb} {args}")

    def _words(self, action: Action) -> str:
        names = {uid: name for name, uid in self.uids.items()}
        subject = f"{names[action.key.uid]}/{action.key.id}"
        match action:
            case AnswerCanLoad(_, status) | Complete(_, status):
                return f"{subject} {status.name}"
            case RequestUnload():
                return f"{subject} UNLOAD"
            case Replaced():
                return f"{subject} REPLACED"
            case Forget():
                return f"{subject} FORGET"
