"""`pm`: what is installed, and its parts in `cmd` and `dumpsys`."""

from __future__ import annotations

from reference_impl.android.activity_commands import activity_of
from reference_impl.android.shell_commands import USAGE, Call, Command, System
from reference_impl.constants import FEATURE_NEURAL_PROCESSING_UNIT, FIRST_APPLICATION_UID
from reference_impl.platform import Package

_DEVICE_FEATURES = (
    "android.hardware.ram.normal",
    FEATURE_NEURAL_PROCESSING_UNIT,
    "android.software.home_screen",
)


def _list(call: Call, system: System) -> int:
    options, rest = call.options("--user", "--uid")
    what = rest[0] if rest else ""
    if what == "features":
        for feature in sorted(_DEVICE_FEATURES):
            call.say(f"feature:{feature}")
        return 0
    if what != "packages":
        return call.fail(f"Error: unknown list type '{what}'", 1)
    wanted = rest[1] if len(rest) > 1 else ""
    for package in sorted(system.device.platform.packages(), key=lambda each: each.name):
        is_system = package.uid < FIRST_APPLICATION_UID
        if (
            wanted not in package.name
            or ("-3" in options and is_system)
            or ("-s" in options and not is_system)
        ):
            continue
        call.say(f"package:{package.name}" + (f" uid:{package.uid}" if "-U" in options else ""))
    return 0


def _resolve(call: Call, system: System) -> int:
    options, rest = call.options("--user", "-a", "-c", "-p")
    name = rest[-1] if rest else options.get("-p", "")
    package = next((each for each in system.device.platform.packages() if each.name == name), None)
    if package is None:
        return call.say("No activity found")
    if "--brief" in options:
        call.say("priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 isDefault=true")
    return call.say(activity_of(package))


def _path(call: Call, system: System) -> int:
    _, rest = call.options("--user")
    names = {package.name for package in system.device.platform.packages()}
    if not rest or rest[0] not in names:
        return 1
    return call.say(f"package:/data/app/{rest[0]}/base.apk")


_PM: dict[str, Command] = {"list": _list, "resolve-activity": _resolve, "path": _path}


def pm(call: Call, system: System) -> int:
    """`pm`, and `cmd package`."""
    if not call.words:
        return call.fail("Package manager (package) commands: list, path, resolve-activity", USAGE)
    word, *call.words = call.words
    action = _PM.get(word)
    return call.fail(f"Unknown command: {word}", USAGE) if action is None else action(call, system)


def dump(call: Call, system: System) -> int:
    """`dumpsys package [NAME]`."""
    packages = system.device.platform.packages()
    wanted = [package for package in packages if not call.words or package.name in call.words]
    call.say("Activity Resolver Table:")
    call.say("  Non-Data Actions:")
    call.say("      android.intent.action.MAIN:")
    for package in (each for each in wanted if each.uid >= FIRST_APPLICATION_UID):
        call.say(f"        {package.uid:x} {activity_of(package)} filter 0")
        call.say('          Action: "android.intent.action.MAIN"')
        call.say('          Category: "android.intent.category.LAUNCHER"')
    call.say("")
    call.say("Packages:")
    for package in wanted:
        for line in _described(package):
            call.say(line)
    if call.words and not wanted:
        call.say(f"Unable to find package: {call.words[0]}")
    return 0


def _described(package: Package) -> list[str]:
    lists = {
        "requested features": sorted(package.features),
        "requested permissions": sorted(package.permissions),
        "install permissions": [f"{name}: granted=true" for name in sorted(package.permissions)],
    }
    return [
        f"  Package [{package.name}] (0):",
        f"    appId={package.uid}",
        f"    versionCode=1 minSdk=34 targetSdk={package.target_sdk}",
        "    User 0: ceDataInode=0 installed=true hidden=false suspended=false stopped=false enabled=0",
        *(line for title, rows in lists.items() for line in _listed(title, rows)),
    ]


def _listed(title: str, rows: list[str]) -> list[str]:
    return [f"    {title}:", *(f"      {row}" for row in rows)] if rows else []


COMMANDS: dict[str, Command] = {"pm": pm}
