"""Asks a device what it has. Changes nothing on it, but for the agent's file."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from binder import Parcel
from binder.errors import BinderError
from binder.protocol import GET_INTERFACE_HASH, GET_INTERFACE_VERSION
from binder.reply import read_exception

from ..adb import AdbError, Device, DeviceUnavailable, NoServer, android
from ..adb.apps import candidates
from . import revisions
from .facts import AgentTest, Answer, Facts, Hal

T = TypeVar("T")

WRAPFD = "/dev/wrapfd"
HEAPS = "/dev/dma_heap"
INFERENCE = (
    "/data/local/tmp/run-test-inference",
    "/apex/com.android.hardware.npu/bin/run-test-inference",
)
_SOME_APP = 10_123
"""An app's uid to try if there is no candidate: a uid needs no package to make binder calls."""

_SLOW_SECONDS = 30.0


class AgentTester(Protocol):
    """Starts an agent, pings what it can, and ends it. Raises an exception that says why it cannot."""

    def __call__(self, device: Device, *, uid: int | None, through_su: bool, api_level: int) -> AgentTest:
        """`uid`: whom it runs as, the shell's user if None; `through_su`: whether `su` makes it so."""


def probe(device: Device, tester: AgentTester | None) -> Facts:
    """Asks everything.

    Args:
        tester: tries the agent; None to leave it out.

    Raises:
        DeviceUnavailable: the device was lost meanwhile.
    """
    facts = Facts(device.serial)
    said = _Asking(device)
    facts.properties = said(android.GETPROP, android.properties)
    facts.uid = said("id -u", int)
    facts.su = said("su 0 id -u", int)
    facts.enforcing = said(android.GETENFORCE, android.is_enforcing)
    facts.apexes = said(android.APEX_LIST, android.apexes)
    facts.services = said(android.SERVICE_LIST, android.services)
    facts.features = said(android.FEATURE_LIST, android.features)
    listed = said(android.AFLAGS_LIST, android.aflags).get({})
    facts.flags = {flag: _flag(said, listed, flag) for flag in android.FLAGS}
    if android.SERVICE in facts.services.get({}):
        facts.info = said(android.NPU_INFO, android.npu_info)
        facts.buffers = said(android.NPU_DUMP, android.npu_buffers)
    facts.wrapfd = said(f"ls -d {WRAPFD} 2>&1; true", _is_there)
    facts.heaps = said(f"ls {HEAPS}", lambda text: tuple(text.split()))
    there = "; ".join(f"test -x {path} && echo {path}" for path in INFERENCE)
    facts.inference = said(f"{{ {there}; }}; true", lambda text: (text.split() or [""])[0])
    facts.candidates = _attempt(lambda: candidates(device))
    if tester is not None:
        _try_agent(device, facts, tester)
    if android.HAL in facts.services.get({}):
        facts.hal = _hal(said, facts)
    return facts


class _Asking:
    """Runs a command and reads what it prints, or says why that is not possible."""

    def __init__(self, device: Device) -> None:
        self._device = device

    def __call__(self, command: str, read: Callable[[str], T]) -> Answer[T]:
        def ask() -> T:
            done = self._device.shell(command, timeout=_SLOW_SECONDS, repeatable=True).check()
            return read(done.text)

        return _attempt(ask)


def _attempt(ask: Callable[[], T]) -> Answer[T]:
    try:
        return Answer(ask())
    except (DeviceUnavailable, NoServer):
        raise
    except (AdbError, ValueError) as error:
        return Answer(problem=str(error))


def _is_there(listed: str) -> bool:
    """Whether `ls` lists a file. Raises ValueError if it may not look."""
    if listed.strip() == WRAPFD:
        return True
    if "No such file" in listed:
        return False
    raise ValueError(listed.strip())


def _flag(said: _Asking, listed: dict[str, bool], flag: str) -> Answer[bool | None]:
    """As it is in effect, where the build lists that, or else as it was set; None if nobody has set it."""
    in_effect = listed.get(f"{android.APEX}.{flag}")
    if in_effect is not None:
        return Answer(in_effect)
    return said(android.flag_command(flag), android.flag_value)


def _try_agent(device: Device, facts: Facts, tester: AgentTester) -> None:
    api_level = int(facts.property("ro.build.version.sdk") or 0)
    facts.agent = _tried(lambda: tester(device, uid=None, through_su=False, api_level=api_level))
    is_root = facts.uid.value == 0
    if not is_root and facts.su.value != 0:
        return
    apps = facts.candidates.get([])
    uid = apps[0].uid if apps else _SOME_APP
    facts.agent_as_app = _tried(lambda: tester(device, uid=uid, through_su=not is_root, api_level=api_level))


def _tried(tester: Callable[[], AgentTest]) -> Answer[AgentTest]:
    try:
        return Answer(tester())
    except (DeviceUnavailable, NoServer):
        raise
    except Exception as error:  # whatever a compiler, a device or a program of ours has to say
        return Answer(problem=str(error) or type(error).__name__)


# --- the HAL --------------------------------------------------------------------------------------


def _hal(said: _Asking, facts: Facts) -> Hal:
    """By the agent if it got through, else by `service call` there, which needs root on most builds."""
    asked = [test.value.hal for test in (facts.agent, facts.agent_as_app) if test.value is not None]
    known = next((hal for hal in asked if hal.version.known), None)
    as_root = "su 0 " if facts.uid.value != 0 and facts.su.value == 0 else ""
    names = said(_names_script(as_root), lambda text: frozenset(text.split()) & set(revisions.NAMES))
    if known is not None:
        return Hal(known.version, known.hash, names)
    call = f"{as_root}service call {android.HAL}"
    return Hal(
        said(f"{call} {GET_INTERFACE_VERSION}", lambda text: _reply(text).read_int32()),
        said(f"{call} {GET_INTERFACE_HASH}", lambda text: _reply(text).read_string16() or ""),
        names,
    )


def _reply(text: str) -> Parcel:
    parcel = Parcel.from_bytes(android.called(text))
    try:
        read_exception(parcel)
    except BinderError as error:
        raise ValueError(f"the HAL answers {error}") from None
    return parcel


def _names_script(as_root: str, names: Sequence[str] = revisions.NAMES) -> str:
    """Prints the names that are in the program of the HAL or in its vendor's libraries."""
    files = r"sed -n 's/.* \(\/[^ ]*\)$/\1/p' /proc/$pid/maps | grep -v '^/\(dev\|system\|memfd\)' | sort -u"
    script = (
        f'pid=$(dumpsys --pid {android.HAL} 2>/dev/null | head -n 1); files=$({files}); [ -n "$files" ] && '
    )
    script += (
        "{ for name in " + " ".join(names) + '; do grep -qa -e "$name" $files && echo "$name"; done; true; }'
    )
    return f"{as_root}sh -c {shlex.quote(script)}"
