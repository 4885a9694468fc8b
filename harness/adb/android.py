"""What Android's own commands print, read tolerantly: unknown lines are passed over, nonsense is quoted.

Each command stands beside its parser. The samples in the tests are after Android's public sources; nobody has
held them against a device of Android 17 yet.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from generated.android.hardware.npu import IScheduling
from generated.android.npumanager import INpuManagerService

from .errors import BadOutput

APEX = "com.android.npumanager"
FEATURE = "android.hardware.npu"
SERVICE = "npu"
SERVICE_INTERFACE = INpuManagerService.aidl.descriptor
HAL_INTERFACE = IScheduling.aidl.descriptor
HAL = f"{HAL_INTERFACE}/default"
FLAG_NAMESPACE = "machine_learning"
FLAGS = (
    "npumanager_enabled npumanager_block_missing_feature opportunistic_priority request_unload_reason"
    " memory_preempt_reuse"
).split()

GETPROP = "getprop"
SERVICE_LIST = "service list"
FEATURE_LIST = "pm list features"
APEX_LIST = "ls /apex"
GETENFORCE = "getenforce"
NPU_INFO = "cmd npu info"
NPU_DUMP = "dumpsys npu"
AFLAGS_LIST = "aflags list"


def packages_command(user: int, *, uid: int | None = None) -> str:
    """Lists the packages of one user with their uids: a device may have a second user or a work profile."""
    only = "" if uid is None else f" --uid {uid}"
    return f"cmd package list packages -U --user {user}{only}"


def flag_command(flag: str) -> str:
    return f"device_config get {FLAG_NAMESPACE} {APEX}.{flag}"


def properties(output: str) -> dict[str, str]:
    """`getprop`: lines of `[name]: [value]`; a value may have several lines."""
    found = re.findall(r"^\[([^\]\n]+)\]: \[(.*?)\]\r?$", output, re.MULTILINE | re.DOTALL)
    if not found:
        raise BadOutput(GETPROP, "no property in it", output)
    return dict(found)


def services(output: str) -> dict[str, str]:
    """`service list`: by name, the interface, "" where the service does not tell it."""
    found = re.findall(r"^\s*\d+\s+(\S+): \[(.*)\]\s*$", output, re.MULTILINE)
    if not found and not re.search(r"Found 0 services", output):
        raise BadOutput(SERVICE_LIST, "no service in it", output)
    return dict(found)


def features(output: str) -> dict[str, int]:
    """`pm list features`: by name, the version, 0 where there is none."""
    found = re.findall(r"^feature:([^=\s]+)(?:=(\d+))?\s*$", output, re.MULTILINE)
    if not found:
        raise BadOutput(FEATURE_LIST, "no feature in it", output)
    return {name: int(version or 0) for name, version in found}


def packages(output: str) -> dict[str, int]:
    """`cmd package list packages -U --user N`: the uid of each package. No package at all is no error."""
    found = {}
    for line in output.splitlines():
        match = re.match(r"package:(?P<name>\S+)\s+uid:(?P<uid>\d+)", line.strip())
        if match:
            # With paths, those come first, and may have signs of equality themselves.
            found[match["name"].rpartition("=")[2]] = int(match["uid"])
    if not found and output.strip():
        raise BadOutput(packages_command(0), "no package with a uid in it", output)
    return found


@dataclass(frozen=True, slots=True)
class PackageDump:
    """What `dumpsys package NAME` tells of a package.

    Attributes:
        target_sdk: None if it does not say.
        requested: permissions that its manifest asks for.
        granted: permissions that it holds, whoever granted them.
        declares_npu: whether it declares the NPU feature; None if the dump lists no features of packages.
    """

    name: str
    target_sdk: int | None
    requested: frozenset[str]
    granted: frozenset[str]
    declares_npu: bool | None


def package_dump(output: str, name: str) -> PackageDump:
    """`dumpsys package NAME`. Raises `BadOutput` if the package is not in it."""
    start = re.search(rf"^  Package \[{re.escape(name)}\]", output, re.MULTILINE)
    if start is None:
        raise BadOutput(f"dumpsys package {name}", "the package is not in it", output)
    own = output[start.start() :]
    target = re.search(r"\btargetSdk=(\d+)", own)
    features = _section(own, r"[\w -]*features")
    return PackageDump(
        name,
        int(target[1]) if target else None,
        frozenset(line.split(":")[0].strip() for line in _section(own, "requested permissions") or ()),
        frozenset(re.findall(r"^\s+([\w.]+): granted=true", own, re.MULTILINE)),
        None if features is None else any(FEATURE in line.split() for line in features),
    )


def _section(text: str, heading: str) -> list[str] | None:
    """The lines under a heading, which are indented more than it; None without the heading."""
    match = re.search(
        rf"^( *){heading}:[ \t]*\r?\n((?:\1 +\S.*(?:\n|$))*)", text, re.MULTILINE | re.IGNORECASE
    )
    return match[2].splitlines() if match else None


def launcher_command(name: str, user: int) -> str:
    """Asks which activity a launcher starts."""
    return f"cmd package resolve-activity --brief --user {user} -c android.intent.category.LAUNCHER {name}"


def launcher(output: str, name: str) -> str:
    """`cmd package resolve-activity --brief`: the activity as `am start -n` takes it; "" if there is none."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    if lines and re.fullmatch(rf"{re.escape(name)}/\S+", lines[-1]):
        return lines[-1]
    if "No activity found" in output:
        return ""
    raise BadOutput("cmd package resolve-activity", f"no activity of {name} in it", output)


# The least process state of each importance, as ActivityManager ranks them since API level 30.
_IMPORTANCES = (
    (20, 1000),
    (14, 400),
    (13, 350),
    (12, 325),
    (10, 300),
    (8, 230),
    (6, 200),
    (4, 125),
    (0, 100),
)
_NAMED = {
    "PERSISTENT": 100,
    "PERSISTENT_UI": 100,
    "TOP": 100,
    "BOUND_TOP": 100,
    "FOREGROUND_SERVICE": 125,
    "BOUND_FOREGROUND_SERVICE": 125,
    "IMPORTANT_FOREGROUND": 200,
    "IMPORTANT_BACKGROUND": 200,
    "TRANSIENT_BACKGROUND": 230,
    "BACKUP": 230,
    "SERVICE": 300,
    "RECEIVER": 300,
    "TOP_SLEEPING": 325,
    "HEAVY_WEIGHT": 350,
    "HOME": 400,
    "LAST_ACTIVITY": 400,
    "CACHED_ACTIVITY": 400,
    "CACHED_ACTIVITY_CLIENT": 400,
    "CACHED_RECENT": 400,
    "CACHED_EMPTY": 400,
    "NONEXISTENT": 1000,
}


def importance(output: str, uid: int) -> int:
    """`am get-uid-state UID`: the importance, 100 (in front) to 1000 (gone).

    It prints the number of a process state, and on most builds its name, which is believed first, for numbers
    have moved between API levels.
    """
    match = re.match(r"\s*(?P<number>-?\d+)(?:\s*\(\s*(?P<name>\w+)\s*\))?", output)
    if match is None:
        raise BadOutput(f"am get-uid-state {uid}", "no process state in it", output)
    name = (match["name"] or "").removeprefix("PROCESS_STATE_")
    if name in _NAMED:
        return _NAMED[name]
    number = int(match["number"])
    return next((value for least, value in _IMPORTANCES if number >= least), 1000)


def is_enforcing(output: str) -> bool:
    """`getenforce`: whether SELinux enforces its rules."""
    modes = {"enforcing": True, "permissive": False, "disabled": False}
    try:
        return modes[output.strip().lower()]
    except KeyError:
        raise BadOutput(GETENFORCE, "neither Enforcing, Permissive nor Disabled", output) from None


def flag_value(output: str) -> bool | None:
    """`device_config get NAMESPACE FLAG`: None if nobody has set it, so that the build's default holds."""
    values = {"true": True, "false": False, "null": None}
    try:
        return values[output.strip().lower()]
    except KeyError:
        raise BadOutput(f"device_config get {FLAG_NAMESPACE}", "not true, false or null", output) from None


def aflags(output: str) -> dict[str, bool]:
    """`aflags list`: by whole name, whether a flag is enabled. Lines of another kind are passed over."""
    rows = (line.split() for line in output.splitlines())
    return {row[0]: row[1] == "enabled" for row in rows if len(row) > 1 and row[1] in ("enabled", "disabled")}


def apexes(output: str) -> set[str]:
    """`ls /apex`: names of modules, each of which is also there with its version behind an @."""
    return {name.partition("@")[0] for name in output.split()}


@dataclass(frozen=True, slots=True)
class NpuInfo:
    """What `cmd npu info` and `dumpsys npu` tell.

    Attributes:
        policy: "statusquo", "budget", "turntaking", or another word.
        max_budget: None where the policy has none.
        requests: uid and state of each known request.
        priorities: by uid.
    """

    policy: str
    max_budget: int | None = None
    requests: tuple[tuple[int, str], ...] = ()
    priorities: Mapping[int, int] = field(default_factory=dict)


def npu_info(output: str) -> NpuInfo:
    """`cmd npu info`, `dumpsys npu`."""
    policy = re.search(r"^\s*Policy:\s*(\S+)", output, re.MULTILINE)
    if policy is None:
        raise BadOutput(NPU_INFO, 'no line "Policy:" in it', output)
    before, _, priorities = output.partition("Priorities:")
    budget = re.search(r"^\s*Max:\s*(\d+)", before, re.MULTILINE)
    requests = re.findall(r"^\s*(\d+)\s*(?:\[[^\]]*\])?\s*:\s*([A-Z_]+)\s*$", before, re.MULTILINE)
    ranks = re.findall(r"^\s*(\d+)\s*(?:\[[^\]]*\])?\s*:?\s*(\d+)\s*$", priorities, re.MULTILINE)
    return NpuInfo(
        policy[1].lower(),
        int(budget[1]) if budget else None,
        tuple((int(uid), state) for uid, state in requests),
        {int(uid): int(rank) for uid, rank in ranks},
    )


@dataclass(frozen=True, slots=True)
class NpuBuffers:
    """What `dumpsys npu` tells of buffers.

    Attributes:
        driver: the wrapfd driver that the service uses; "" if it does not say, as public versions do not.
        heaps: by name, how full each is, in the service's words.
    """

    driver: str = ""
    heaps: Mapping[str, str] = field(default_factory=dict)


def npu_buffers(output: str) -> NpuBuffers:
    """`dumpsys npu`."""
    driver = re.search(r"^\s*Driver: (.+)$", output, re.MULTILINE)
    heaps = re.findall(r"^\s*Heap (\S+): (.+)$", output, re.MULTILINE)
    return NpuBuffers(driver[1].strip() if driver else "", dict(heaps))


def called(output: str) -> bytes:
    """`service call NAME CODE ...`: the reply parcel.

    Raises:
        BadOutput: it is none, for instance because there is no such service or SELinux forbids the call.
    """
    match = re.search(r"Result: Parcel\((?:NULL|(?!Error)(.*))\)", output, re.DOTALL)
    if match is None:
        raise BadOutput("service call", "no reply parcel in it", output)
    # What a line says in quotation marks is the same as text.
    words = re.sub(r"'[^\n]*'|0x[0-9a-f]{8}:", " ", match[1] or "").split()
    if not all(re.fullmatch(r"[0-9a-f]{8}", word) for word in words):
        raise BadOutput("service call", "not only words of hexadecimal digits in it", output)
    return b"".join(int(word, 16).to_bytes(4, "little") for word in words)
