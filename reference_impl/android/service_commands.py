"""`service`, `cmd`, `dumpsys` and what asks the system about itself."""

from __future__ import annotations

from collections.abc import Mapping

from binder import BinderError
from binder.identity import CallingIdentity, serving
from reference_impl.android import activity_commands, package_commands
from reference_impl.android.shell_commands import NOT_FOUND, USAGE, Call, Command, System
from reference_impl.constants import HAL_SERVICE, NPU_SERVICE
from reference_impl.dump import dump
from reference_impl.shell import run_command

_ROW = 4


def _service(call: Call, system: System) -> int:
    if not call.words:
        return call.fail(
            "Usage: service list | check SERVICE | call SERVICE CODE [i32 N | i64 N | s16 TEXT | null] ...",
            10,
        )
    word, *rest = call.words
    if word == "list":
        names = system.names()
        call.say(f"Found {len(names)} services:")
        for number, (name, descriptor) in enumerate(sorted(names.items())):
            call.say(f"{number}\t{name}: [{descriptor}]")
        return 0
    if word == "check" and rest:
        return call.say(f"Service {rest[0]}: {'found' if rest[0] in system.names() else 'not found'}")
    if word == "call" and len(rest) > 1:
        return _call_service(call, system, rest)
    return call.fail(f"service: unknown command {word}", 10)


def _call_service(call: Call, system: System, words: list[str]) -> int:
    name, code, *values = words
    if name not in system.names():
        return call.say(f"service: Service {name} does not exist") or 10
    try:
        reply = system.transact(name, int(code), values)
    except ValueError as error:
        return call.fail(f"service: {error}", 10)
    except BinderError as error:
        return call.say(f"Result: Error {error}")
    return call.say(_as_parcel(reply))


def _as_parcel(data: bytes) -> str:
    """A reply as Android's Parcel prints itself: words, and the text that they might be."""
    if not data:
        return "Result: Parcel(NULL)"
    words = [int.from_bytes(data[at : at + 4], "little") for at in range(0, len(data), 4)]

    def text(at: int) -> str:
        row = data[at : at + 4 * _ROW]
        return "".join(chr(byte) if 32 <= byte < 127 else "." for byte in row)

    if len(words) <= _ROW:
        return f"Result: Parcel({' '.join(f'{word:08x}' for word in words)} '{text(0)}')"
    rows = ["Result: Parcel("]
    for first in range(0, len(words), _ROW):
        row = " ".join(f"{word:08x}" for word in words[first : first + _ROW])
        rows.append(f"  0x{first * 4:08x}: {row:<35} '{text(first * 4)}'")
    return "\n".join(rows) + ")"


def _cmd(call: Call, system: System) -> int:
    if not call.words:
        return call.fail(
            "cmd: No service specified; use -l to list all running services.",
            NOT_FOUND,
        )
    name, *call.words = call.words
    if name == "-l":
        call.say("Currently running services:")
        for each in sorted({*system.names(), *_CMD}):
            call.say(f"  {each}")
        return 0
    if name == NPU_SERVICE and NPU_SERVICE in system.names():
        with _as_caller(call):
            return run_command(system.device.service, call.words, call.out, call.err)
    command = _CMD.get(name)
    if command is None:
        return call.fail(f"cmd: Can't find service: {name}", NOT_FOUND)
    return command(call, system)


def _dumpsys(call: Call, system: System) -> int:
    names = {*system.names(), "package"}
    if not call.words or call.words[0] == "-l":
        call.say("Currently running services:")
        for name in sorted(names):
            call.say(f"  {name}")
        return 0
    name, *call.words = call.words
    if name == "--pid" and call.words:
        pid = system.pid_of(call.words[0])
        return call.say(str(pid)) if pid else call.fail(f"Can't find service: {call.words[0]}", 0)
    if name not in names:
        return call.fail(f"Can't find service: {name}", 0)
    if name == "package":
        return package_commands.dump(call, system)
    if name == NPU_SERVICE:
        with _as_caller(call):
            dump(system.device.service, call.words, call.out)
    return 0


def _as_caller(call: Call) -> serving:
    caller = CallingIdentity(call.pid, call.uid)
    return serving(caller, caller)


def _getprop(call: Call, system: System) -> int:
    if call.words:
        default = call.words[1] if len(call.words) > 1 else ""
        return call.say(system.properties.get(call.words[0], default))
    for name, value in sorted(system.properties.items()):
        call.say(f"[{name}]: [{value}]")
    return 0


def _setprop(call: Call, system: System) -> int:
    if len(call.words) != 2:
        return call.fail("usage: setprop NAME VALUE")
    if call.words[0].startswith("ro."):
        return call.fail(f"Failed to set property '{call.words[0]}' to '{call.words[1]}'.")
    system.properties[call.words[0]] = call.words[1]
    return 0


_MODULE = "com.android.npumanager"
_NAMESPACE = "machine_learning"


def _flag_name(key: str) -> str:
    return key.removeprefix(f"{_MODULE}.")


def _device_config(call: Call, system: System) -> int:
    word, *rest = call.words or [""]
    if word == "get" and len(rest) == 2:
        return call.say(_flag_text(system, *rest))
    if word == "put" and len(rest) in (3, 4) and rest[0] == _NAMESPACE:
        system.device.set_flag(_flag_name(rest[1]), rest[2] == "true")
        return call.say(f"Successfully set {rest[0]}/{rest[1]} to {rest[2]}")
    return call.fail(f"Error: Invalid command: {word}", USAGE)


def _flag_text(system: System, namespace: str, key: str) -> str:
    flags: Mapping[str, bool] = system.device.platform.flags()
    name = _flag_name(key)
    if namespace != _NAMESPACE or name == key or name not in flags:
        return "null"
    return "true" if flags[name] else "false"


def _aflags(call: Call, system: System) -> int:
    if call.words[:1] != ["list"]:
        return call.fail("Usage: aflags list")
    for name, value in sorted(system.device.platform.flags().items()):
        state = "enabled" if value else "disabled"
        call.say(f"{_MODULE}.{name} {state} - default read-write {_MODULE} system")
    return 0


def _logcat(call: Call, system: System) -> int:
    options, _ = call.options("-b", "-t", "-T", "-v", "-s")
    if "-c" in options:
        system.log.clear()
        return 0
    count = options.get("-t", "")
    for line in system.log[-int(count) :] if count.isdecimal() else list(system.log):
        call.say(line)
    return 0


def _lshal(call: Call, system: System) -> int:
    call.say("| All AIDL HALs registered with servicemanager")
    if HAL_SERVICE in system.names():
        call.say(f"   Y {HAL_SERVICE}")
    return 0


def _getenforce(call: Call, system: System) -> int:
    return call.say("Permissive")


def _settings(call: Call, system: System) -> int:
    return call.say("null")


_CMD: dict[str, Command] = {
    "package": package_commands.pm,
    "activity": activity_commands.COMMANDS["am"],
    "device_config": _device_config,
}

COMMANDS: dict[str, Command] = {
    "service": _service,
    "cmd": _cmd,
    "dumpsys": _dumpsys,
    "getprop": _getprop,
    "setprop": _setprop,
    "device_config": _device_config,
    "aflags": _aflags,
    "logcat": _logcat,
    "lshal": _lshal,
    "getenforce": _getenforce,
    "settings": _settings,
}
