"""Judges what a device said: one function for each subject, none of which asks anything."""

from __future__ import annotations

import shlex
from collections.abc import Callable

from ..adb import android
from . import revisions
from .facts import Facts
from .findings import Finding, Level, Tier

FIRST_API_LEVEL = 37
"""Android 17, with which the NPU Manager came."""

_ENABLED = "npumanager_enabled"
_OK, _ABSENT, _FAILURE = Level.OK, Level.ABSENT, Level.FAILURE


def _build(facts: Facts) -> Finding:
    level = facts.property("ro.build.version.sdk")
    if not facts.properties.known or not level.isdecimal():
        return _unknown("build", facts.properties.problem or "no ro.build.version.sdk", "is this Android?")
    says = f"API level {level}, {facts.property('ro.build.fingerprint') or 'no fingerprint'}"
    if int(level) < FIRST_API_LEVEL:
        remedy = "use a device of Android 17 or later"
        return Finding("build", _ABSENT, f"{says}: the NPU Manager came with {FIRST_API_LEVEL}", remedy)
    return Finding("build", _OK, says)


def _boot(facts: Facts) -> Finding:
    if not facts.properties.known:
        return _unknown("boot", facts.properties.problem)
    if facts.property("sys.boot_completed") == "1":
        return Finding("boot", _OK, "complete")
    return Finding("boot", Level.WARNING, "not complete: sys.boot_completed is not 1", "wait, and ask again")


def _apex(facts: Facts) -> Finding:
    if not facts.apexes.known:
        return _unknown("APEX", facts.apexes.problem)
    if android.APEX in facts.apexes.get(set()):
        return Finding("APEX", _OK, android.APEX)
    return Finding("APEX", _ABSENT, f"no {android.APEX}", "use a build that has the module")


def _flag(facts: Facts) -> Finding:
    answer = facts.flags.get(_ENABLED)
    others = [
        f"{name} {'on' if each.value else 'off'}"
        for name, each in facts.flags.items()
        if name != _ENABLED and each.value is not None
    ]
    beside = f" ({', '.join(others)})" if others else ""
    if answer is None or not answer.known:
        return _unknown("flags", answer.problem if answer else "not asked")
    if answer.value is None:
        return Finding(
            "flags", Level.UNKNOWN, f"{_ENABLED}: as the build has it, which it does not tell{beside}"
        )
    if answer.value:
        return Finding("flags", _OK, f"{_ENABLED} on{beside}")
    remedy = f"device_config put {android.FLAG_NAMESPACE} {android.APEX}.{_ENABLED} true, then reboot"
    return Finding("flags", _ABSENT, f"{_ENABLED} off{beside}", remedy)


def _service(facts: Facts) -> Finding:
    if not facts.services.known:
        return _unknown("service", facts.services.problem)
    interface = facts.services.get({}).get(android.SERVICE)
    if interface is None:
        flag = facts.flags.get(_ENABLED)
        expected = android.APEX in facts.apexes.get(set()) and (flag is None or flag.value is not False)
        if expected:
            return Finding(
                "service", _FAILURE, "the module is there and its service npu is not", "see: logcat"
            )
        return Finding("service", _ABSENT, "no service npu", "see APEX and flags above")
    if interface and interface != android.SERVICE_INTERFACE:
        says = f"npu is a {interface}, not {android.SERVICE_INTERFACE}"
        return Finding("service", _FAILURE, says, "use a newer npukit, or another build")
    return Finding("service", _OK, f"npu, {interface or 'which does not tell its interface'}")


def _policy(facts: Facts) -> Finding:
    if android.SERVICE not in facts.services.get({}):
        return Finding("policy", _ABSENT, "no service to ask")
    if facts.info.value is None:
        return _unknown("policy", facts.info.problem)
    info = facts.info.value
    budget = "" if info.max_budget is None else f", at most {info.max_budget}"
    return Finding("policy", _OK, f"{info.policy}{budget}, {len(info.priorities)} uids with a priority")


def _feature(facts: Facts) -> Finding:
    if not facts.features.known:
        return _unknown("feature", facts.features.problem)
    if android.FEATURE in facts.features.get({}):
        return Finding("feature", _OK, android.FEATURE)
    return Finding(
        "feature", _ABSENT, f"{android.FEATURE} is not declared", "a device with an NPU declares it"
    )


def _hal(facts: Facts) -> Finding:
    if not facts.services.known:
        return _unknown("HAL", facts.services.problem)
    if android.HAL in facts.services.get({}):
        return Finding("HAL", _OK, android.HAL)
    if android.FEATURE in facts.features.get({}):
        says = f"no {android.HAL}, and a device that declares {android.FEATURE} must have it (VTS)"
        return Finding(
            "HAL", _FAILURE, says, "start the HAL, or do not declare the feature; see: lshal, logcat"
        )
    return Finding("HAL", _ABSENT, f"no {android.HAL}", "HAL scenarios are skipped")


def _revision(facts: Facts) -> Finding:
    if android.HAL not in facts.services.get({}):
        return Finding(revisions.SUBJECT, _ABSENT, "no HAL to ask")
    return revisions.judge(facts.hal)


def _wrapfd(facts: Facts) -> Finding:
    if not facts.wrapfd.known:
        return _unknown("wrapfd", facts.wrapfd.problem)
    if facts.wrapfd.value:
        return _generation(facts)
    if driver := facts.buffers.get(android.NpuBuffers()).driver:
        return Finding("wrapfd", _OK, f"no /dev/wrapfd; the service uses another driver: {driver}")
    remedy = "use a kernel with it; the reference has a stand-in for it"
    return Finding("wrapfd", _ABSENT, "no /dev/wrapfd: buffers are unsupported", remedy)


def _generation(facts: Facts) -> Finding:
    """Of a driver that is there, by whichever agent may use it."""
    asked = [test.value.generation for test in (facts.agent, facts.agent_as_app) if test.value is not None]
    known = next((answer for answer in asked if answer.known), None)
    if known is not None:
        return Finding("wrapfd", _OK, f"/dev/wrapfd, {known.value}")
    why = asked[0].problem if asked else "no agent could ask"
    return Finding("wrapfd", _OK, f"/dev/wrapfd, of a generation that is not known: {why}")


def _heaps(facts: Facts) -> Finding:
    served = facts.buffers.get(android.NpuBuffers())
    own = "; ".join(f"{name}, {usage}" for name, usage in served.heaps.items())
    beside = f" (the service's: {own})" if own else ""
    if not facts.heaps.known:
        return _unknown("heaps", f"{facts.heaps.problem}{beside}")
    if names := facts.heaps.get(()):
        return Finding("heaps", _OK, f"{', '.join(names)}{beside}")
    if own:
        return Finding("heaps", _OK, f"none in /dev/dma_heap{beside}")
    return Finding("heaps", _ABSENT, "no heap in /dev/dma_heap: buffers are unsupported")


def _inference(facts: Facts) -> Finding:
    if not facts.inference.known:
        return _unknown("inference", facts.inference.problem)
    if facts.inference.value:
        return Finding("inference", _OK, facts.inference.value)
    remedy = "the vendor has it; adb push it to /data/local/tmp"
    return Finding("inference", _ABSENT, "no run-test-inference: nothing can give the NPU work", remedy)


def _selinux(facts: Facts) -> Finding:
    if not facts.enforcing.known:
        return _unknown("SELinux", facts.enforcing.problem)
    if facts.enforcing.value:
        return Finding("SELinux", _OK, "enforcing; what it denies is in the log as avc:")
    return Finding("SELinux", Level.WARNING, "permissive: what passes here may be denied elsewhere")


def _root(facts: Facts) -> Finding:
    if facts.uid.value == 0:
        return Finding("root", _OK, "adbd is root")
    if facts.su.value == 0:
        return Finding("root", _OK, "by su; adbd is not")
    if facts.property("ro.debuggable") == "1":
        return Finding(
            "root", _ABSENT, "not yet: this build allows it", f"adb -s {shlex.quote(facts.serial)} root"
        )
    return Finding(
        "root", _ABSENT, "this build does not allow it", "use a userdebug build, an emulator, Cuttlefish"
    )


def _apps(facts: Facts) -> Finding:
    if not facts.candidates.known:
        return _unknown("apps", facts.candidates.problem)
    apps = facts.candidates.get([])
    names = ", ".join(f"{app.package} ({app.uid})" for app in apps)
    if len(apps) >= 2:
        return Finding("apps", _OK, names)
    has = names or "none"
    remedy = "install two apps, each with an activity for launchers and a uid of its own"
    return Finding("apps", _ABSENT, f"scenarios play as two or more installed apps; here: {has}", remedy)


def _unknown(subject: str, problem: str, remedy: str = "") -> Finding:
    return Finding(subject, Level.UNKNOWN, problem, remedy)


RULES: tuple[Callable[[Facts], Finding], ...] = (
    _build,
    _boot,
    _apex,
    _flag,
    _service,
    _policy,
    _feature,
    _hal,
    _revision,
    _wrapfd,
    _heaps,
    _inference,
    _selinux,
    _root,
    _apps,
)
"""All subjects, in the order in which they are told."""


def tiers(facts: Facts) -> list[Tier]:
    """The ways to play, from the least to the most."""
    return [_shell_tier(facts), _agent_tier(facts), _any_uid_tier(facts)]


def _shell_tier(facts: Facts) -> Tier:
    gives = "policies, state and flags by commands; calls without callbacks"
    if facts.info.value is not None:
        return Tier("shell only", gives, True, f"cmd npu info, as uid {facts.uid.value}")
    return Tier("shell only", gives, False, facts.info.problem or "no service npu", _service(facts).remedy)


def _agent_tier(facts: Facts) -> Tier:
    gives = "calls with callbacks under the shell's own uid"
    test = facts.agent.value
    if test is None:
        return Tier("agent as shell", gives, False, facts.agent.problem)
    why = f"uid {test.uid}, service manager answers in {test.ping_ms:.1f} ms"
    if test.reached_npu:
        return Tier("agent as shell", gives, True, f"{why}, npu answers")
    return Tier("agent as shell", gives, False, f"{why}, npu is not reached", _service(facts).remedy)


def _any_uid_tier(facts: Facts) -> Tier:
    gives = "calls with callbacks under the uids of apps"
    test = facts.agent_as_app.value
    if test is not None:
        why = f"uid {test.uid}, service manager answers in {test.ping_ms:.1f} ms"
        reached = f"{why}, npu {'answers' if test.reached_npu else 'is not reached'}"
        return Tier("agent with any uid", gives, test.reached_npu, reached)
    root = _root(facts)
    if root.level is not Level.OK:
        return Tier("agent with any uid", gives, False, f"needs root: {root.says}", root.remedy)
    return Tier("agent with any uid", gives, False, facts.agent_as_app.problem)
