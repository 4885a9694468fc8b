"""`am`, `input`: moving apps."""

from __future__ import annotations

from reference_impl.android.activity import MAIN_ACTIVITY
from reference_impl.android.shell_commands import USAGE, Call, Command, System
from reference_impl.platform import Package

_HOME_KEYS = {"KEYCODE_HOME", "3"}


def activity_of(package: Package) -> str:
    """The component that `am start` takes."""
    return f"{package.name}/.{MAIN_ACTIVITY}"


def _package(system: System, name: str) -> Package | None:
    return next((each for each in system.device.platform.packages() if each.name == name), None)


def _am(call: Call, system: System) -> int:
    if not call.words:
        return call.fail(
            "Activity manager (activity) commands: start, force-stop, kill, get-uid-state", USAGE
        )
    word, *call.words = call.words
    action = _AM.get(word)
    return call.fail(f"Unknown command: {word}", USAGE) if action is None else action(call, system)


def _start(call: Call, system: System) -> int:
    options, rest = call.options("-n", "--user", "-a", "-c", "-f")
    component = options.get("-n") or (rest[0] if rest else "")
    name, _, activity = component.partition("/")
    package = _package(system, name)
    call.say(f"Starting: Intent {{ cmp={component} }}")
    if package is None or activity.rpartition(".")[2] != MAIN_ACTIVITY:
        call.fail("Error type 3")
        return call.fail(f"Error: Activity class {{{component}}} does not exist.")
    was_gone = system.activities.start(package)
    if "-W" in options:
        launch = "COLD" if was_gone else "HOT"
        rows = (
            "Status: ok",
            f"LaunchState: {launch}",
            f"Activity: {component}",
            "TotalTime: 1",
            "WaitTime: 1",
        )
        for row in (*rows, "Complete"):
            call.say(row)
    return 0


def _stop(call: Call, system: System) -> int:
    _, rest = call.options("--user")
    # Like Android's, this says nothing of a package that there is not.
    if rest and (package := _package(system, rest[0])):
        system.activities.stop(package)
    return 0


def _kill(call: Call, system: System) -> int:
    _, rest = call.options("--user")
    if rest and (package := _package(system, rest[0])):
        system.activities.stop_in_background(package)
    return 0


def _uid_state(call: Call, system: System) -> int:
    _, rest = call.options("--user")
    if not rest or not rest[0].isdecimal():
        return call.fail("Error: get-uid-state takes a uid", USAGE)
    number, name = system.activities.process_state(int(rest[0]))
    return call.say(f"{number} ({name})")


def _user(call: Call, system: System) -> int:
    return call.say("0")


_AM: dict[str, Command] = {
    "start": _start,
    "start-activity": _start,
    "force-stop": _stop,
    "kill": _kill,
    "get-uid-state": _uid_state,
    "get-current-user": _user,
}


def _input(call: Call, system: System) -> int:
    if call.words[:1] == ["keyevent"] and _HOME_KEYS & set(call.words[1:]):
        system.activities.home()
        return 0
    return call.fail(f"Error: Unknown command: {' '.join(call.words)}", USAGE)


COMMANDS: dict[str, Command] = {"am": _am, "input": _input}
