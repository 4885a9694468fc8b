"""A device of Android 17 as its shell shows it: a table of commands over a little state, for `FakeAdb`."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from dataclasses import dataclass, field

from harness.fake_adb import Answer, Cut, FakeDevice, ran

from . import samples

Output = "str | tuple[str, int]"


@dataclass
class FakeAndroid:
    """Its state, and `shell` for `FakeDevice.shell`.

    Attributes:
        uid: of adbd's shell: 2000, or 0 once `root:` was asked for.
        packages: uid by name; each has a launcher and declares the NPU feature.
        states: ActivityManager's state by uid.
        user: whose packages they are.
        overrides: what a command prints instead, with an exit code if it is not 0.
        boots: how often it has booted.
        answers_until_booted: how many commands are run before a boot is complete.
    """

    uid: int = 2000
    userdebug: bool = True
    packages: dict[str, int] = field(
        default_factory=lambda: {"com.example.one": 10123, "com.example.two": 10124}
    )
    states: dict[int, str] = field(default_factory=dict)
    user: int = 0
    overrides: dict[str, object] = field(default_factory=dict)
    boots: int = 1
    answers_until_booted: int = 0
    in_front: int = 0
    hal_names: tuple[str, ...] = ()
    ran: list[str] = field(default_factory=list)

    def install(self, device: FakeDevice) -> FakeAndroid:
        device.shell = self.answer
        self.device = device
        return self

    def answer(self, service: str) -> Answer:
        if service == "root:":
            return self._root()
        if service == "reboot:":
            self.boots += 1
            self.uid = 2000
            self.answers_until_booted = 3
            return [Cut()]
        line = service.removeprefix("shell,v2,raw:")
        self.ran.append(line)
        output = self.overrides[line] if line in self.overrides else self._run(line)
        text, code = output if isinstance(output, tuple) else (output, 0)
        return ran(str(text).encode(), b"", code)

    def _root(self) -> Answer:
        if self.uid == 0:
            return b"adbd is already running as root\n"
        if not self.userdebug:
            return b"adbd cannot run as root in production builds\n"
        self.uid = 0
        return b"restarting adbd as root\n"

    def _run(self, line: str) -> object:
        if self.answers_until_booted and "boot_id" not in line:
            self.answers_until_booted -= 1
            return ("", 0) if line.startswith("getprop") else ("cmd: Can't find service", 20)
        for pattern, act in _COMMANDS:
            if match := re.fullmatch(pattern, line):
                return act(self, *match.groups())
        return f"/system/bin/sh: {line.split()[0]}: inaccessible or not found\n", 127

    def dump(self, name: str) -> object:
        name = shlex.split(name)[0]
        if name not in self.packages:
            return "Unable to find package: " + name
        return samples.PACKAGE_DUMP.replace("com.example.one", name).replace(
            "10123", str(self.packages[name])
        )

    def list(self, user: str, name: str | None) -> object:
        if int(user) != self.user:
            return ""
        lines = [
            f"package:{each} uid:{uid}" for each, uid in self.packages.items() if not name or name in each
        ]
        return "\n".join(lines) + "\n"

    def start(self, name: str) -> object:
        self.in_front = self.packages[name]
        self.states[self.in_front] = "2 (TOP)"
        return f"Starting: Intent {{ cmp={name}/.MainActivity }}\nStatus: ok\nTotalTime: 120\nComplete\n"

    def home(self) -> object:
        if self.in_front:
            self.states[self.in_front] = "16 (CACHED_ACTIVITY)"
        self.in_front = 0
        return ""

    def stop(self, name: str) -> object:
        self.states.pop(self.packages[name], None)
        return ""

    def state(self, uid: str) -> object:
        return self.states.get(int(uid), "20 (NONEXISTENT)") + "\n"


_COMMANDS: list[tuple[str, Callable[..., object]]] = [
    ("id -u", lambda self: f"{self.uid}\n"),
    ("cat /proc/sys/kernel/random/boot_id", lambda self: f"boot-{self.boots}\n"),
    ("getprop sys.boot_completed", lambda self: "1\n"),
    ("getprop", lambda self: samples.GETPROP),
    ("service check npu", lambda self: "Service npu: found\n"),
    ("service list", lambda self: samples.SERVICE_LIST),
    ("pm list features", lambda self: samples.FEATURES),
    ("ls -d /dev/wrapfd 2>&1; true", lambda self: "ls: /dev/wrapfd: No such file or directory\n"),
    ("ls /dev/dma_heap", lambda self: "system\nsystem-uncached\n"),
    (r"\{ test -x .*; true", lambda self: "\n"),
    ("su 0 id -u", lambda self: "0\n" if self.userdebug else ("su: inaccessible or not found\n", 127)),
    (r"(?:su 0 )?service call \S+IScheduling/default 16777215", lambda self: samples.SERVICE_CALL_SHORT),
    (r"(?:su 0 )?service call \S+IScheduling/default 16777214", lambda self: samples.HAL_HASH),
    (r"(?:su 0 )?sh -c 'pid=.*", lambda self: " ".join(self.hal_names)),
    ("ls /apex", lambda self: "com.android.art\ncom.android.npumanager\ncom.android.npumanager@370000000\n"),
    ("getenforce", lambda self: "Enforcing\n"),
    ("cmd npu info", lambda self: samples.NPU_INFO),
    ("aflags list", lambda self: samples.AFLAGS),
    (r"device_config get machine_learning (\S+)", lambda self, flag: "null\n"),
    ("am get-current-user", lambda self: f"{self.user}\n"),
    (r"cmd package list packages -U --user (\d+)(?: -3)?(?: ([\w.]+))?", FakeAndroid.list),
    (r"dumpsys package (\S+)", FakeAndroid.dump),
    (
        r"cmd package resolve-activity --brief --user \d+ -c android.intent.category.LAUNCHER (\S+)",
        lambda self, name: samples.LAUNCHER.replace("com.example.one", name),
    ),
    (r"am start -W --user \d+ -n ([\w.]+)/\S+", FakeAndroid.start),
    (r"input keyevent KEYCODE_HOME", FakeAndroid.home),
    (r"am force-stop --user \d+ (\S+)", FakeAndroid.stop),
    (r"am get-uid-state (\d+)", FakeAndroid.state),
    (r"pidof (\S+)", lambda self, name: "4711 4712\n" if self.packages.get(name) in self.states else ("", 1)),
]
