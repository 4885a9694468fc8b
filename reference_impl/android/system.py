"""A pretended Android on a real binder driver: `python3 -m reference_impl.android.system`.

One program is the service manager, the npu service, and what answers the commands that people type; the HAL
is one of its own, and is started again when it ends.
It listens at two places: a port on the loopback interface, where `client` brings commands, and a socket
called `npukit.lab`, where a host may drive the reference device as `reference_impl.control` says. While such
a host is connected, the device is the one that it has reset; afterwards it boots again.
"""

from __future__ import annotations

import argparse
import os
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing, suppress

from binder import BinderError, IBinder, Parcel
from reference_impl.android import shell_commands
from reference_impl.android.activity import Activities
from reference_impl.buffers.process import why_no_buffers
from reference_impl.buffers.served import ServedBuffers
from reference_impl.constants import HAL_SERVICE, PERMISSION_ATTRIBUTE_WORK_TO_OTHER_APPS, SYSTEM_UID
from reference_impl.control import APART, HERE, Control
from reference_impl.kernel_processes import NoServiceManager, ServedProcess
from reference_impl.lines import CommandError
from reference_impl.names_process import NamesProcess
from reference_impl.platform import Package

COMMAND_PORT = 5040
LAB_SOCKET = "npukit.lab"
HAL_LOOK_SECONDS = 0.5

_LONGEST = 1 << 16
"""No command line has more bytes than this."""

FIRST_APP_UID = 10101
PACKAGES = (
    *(
        Package(f"com.example.{name}", FIRST_APP_UID + number)
        for number, name in enumerate("album assistant camera editor maps notes radio weather".split())
    ),
    Package(
        "com.example.runtime",
        FIRST_APP_UID + 20,
        permissions=frozenset({PERMISSION_ATTRIBUTE_WORK_TO_OTHER_APPS}),
    ),
    Package("com.example.legacy", FIRST_APP_UID + 21, target_sdk=36, features=frozenset()),
)
"""What is installed: apps that declare the NPU feature, one that may attribute work, and one of before."""


def properties(serial: str) -> dict[str, str]:
    """What `getprop` says after booting."""
    return {
        "ro.build.fingerprint": "npukit/virtual/virtual:17/NPUKIT/1:userdebug/test-keys",
        "ro.build.type": "userdebug",
        "ro.build.version.release": "17",
        "ro.build.version.sdk": "37",
        "ro.debuggable": "1",
        "ro.product.cpu.abi": "x86_64",
        "ro.product.cpu.abilist": "x86_64",
        "ro.product.model": "npukit virtual device",
        "ro.serialno": serial,
        "sys.boot_completed": "1",
    }


class VirtualSystem:
    """The program, once its service manager runs.

    Args:
        path: the binder device.
        serial: of the pretended device.
    """

    def __init__(self, path: str, serial: str) -> None:
        self.control = Control(path, PACKAGES, buffers=None if why_no_buffers() else ServedBuffers())
        self._lock = threading.RLock()
        self._one_host = threading.Lock()
        self._ending = threading.Event()
        self._is_used = False  # by a host, which has not left the device as it was after booting
        self._probe: ServedProcess = self.control.driver.new_process("shell", SYSTEM_UID)
        self._probe.wait_for_service_manager(10)
        self._boot()
        device = self.control.device
        self.system = shell_commands.System(
            device,
            Activities(device.platform, device.set_importance),
            properties(serial),
            [],
            self._names,
            self._transact,
            self.pid_of,
        )
        self.log("boot", f"{len(PACKAGES)} packages, serial {serial}")

    def log(self, tag: str, text: str) -> None:
        """Adds a line to what `logcat` shows."""
        moment = time.strftime("%m-%d %H:%M:%S")
        self.system.log.append(f"{moment}.000  1000  1000 I {tag}: {text}")
        del self.system.log[:-2000]

    def run(self, name: str, call: shell_commands.Call) -> int:
        """Carries a command out; one at a time, as the device is nobody else's meanwhile."""
        with self._lock:
            self._follow_device()
            if name != "logcat":
                self.log("shell", f"uid {call.uid}: {name} {' '.join(call.words)}")
            return shell_commands.run(name, call, self.system)

    def lab(self, connection: socket.socket) -> None:
        """Lets a host drive the reference device until it hangs up."""
        with (
            self._one_host,
            connection,
            connection.makefile("r") as commands,
            connection.makefile("w") as answers,
        ):
            self.log("lab", "a host takes over")
            self._is_used = True
            # Hosts start it anew all the time, so it stays within this program.
            self.control.where = HERE
            with suppress(OSError, ValueError):
                self.control.serve(commands, answers, self._lock)
            self.log("lab", "the host has gone")

    def _boot(self) -> None:
        self.control.where = APART
        self.control.boot()

    def watch_hal(self) -> None:
        """Starts the HAL again whenever its program has ended. Never returns."""
        while True:
            self._ending.wait(HAL_LOOK_SECONDS)
            try:
                with self._lock:
                    self.control.revive_hal()
            except (BinderError, CommandError) as error:
                self.log("init", f"the HAL does not start: {error}")

    def pid_of(self, name: str) -> int:
        """Of the process behind a service; 0 if it is not known."""
        if name == HAL_SERVICE:
            return self.control.hal_pid or os.getpid()
        return os.getpid() if name in self._names() else 0

    def close(self) -> None:
        self.control.close()

    def _follow_device(self) -> None:
        if self._is_used and not self._one_host.locked():
            self._is_used = False
            self._boot()
        device = self.control.device
        if self.system.device is not device:
            self.system.device = device
            self.system.activities = Activities(device.platform, device.set_importance)

    # --- binder ------------------------------------------------------------------------------------

    def _names(self) -> dict[str, str]:
        return {name: _descriptor(self._probe.get_service(name)) for name in self._probe.list_services()}

    def _transact(self, name: str, code: int, values: list[str]) -> bytes:
        binder = self._probe.get_service(name)
        if binder is None:
            raise ValueError(f"there is no service {name}")
        data = binder.new_parcel()
        data.write_interface_token(binder.interface_descriptor())
        write_values(data, values)
        with binder.transact(code, data) as reply:
            return bytes(reply)


_WRITERS: Mapping[str, Callable[[Parcel, str], None]] = {
    "i32": lambda parcel, text: parcel.write_int32(int(text, 0)),
    "i64": lambda parcel, text: parcel.write_int64(int(text, 0)),
    "f": lambda parcel, text: parcel.write_float(float(text)),
    "d": lambda parcel, text: parcel.write_double(float(text)),
    "s16": lambda parcel, text: parcel.write_string16(text),
}


def write_values(parcel: Parcel, words: Iterable[str]) -> None:
    """Writes what follows the code in `service call`. Raises ValueError for a word that makes no sense."""
    rest = iter(words)
    for kind in rest:
        if kind == "null":
            parcel.write_strong_binder(None)
            continue
        writer, text = _WRITERS.get(kind), next(rest, None)
        if writer is None or text is None:
            raise ValueError(f"unknown option {kind}" if writer is None else f"no value supplied for {kind}")
        writer(parcel, text)


def _descriptor(binder: IBinder | None) -> str:
    try:
        return "" if binder is None else binder.interface_descriptor()
    except BinderError:
        return ""


# --- sockets ---------------------------------------------------------------------------------------


def answer_command(connection: socket.socket, system: VirtualSystem) -> None:
    """Takes one command line, as `client` writes it, and says what came of it."""
    connection.settimeout(60)
    with connection, connection.makefile("rb") as stream:
        try:
            count = int(_word(stream.read, _LONGEST))
            uid, pid = int(_word(stream.read, _LONGEST)), int(_word(stream.read, _LONGEST))
            name, *words = (_word(stream.read, _LONGEST) for _ in range(count + 1))
        except (ValueError, OSError):
            return
        call = shell_commands.Call(uid, pid, words)
        code = system.run(name, call)
        out, err = call.out.getvalue().encode(), call.err.getvalue().encode()
        with suppress(OSError):
            connection.sendall(f"{code} {len(out)} {len(err)}\n".encode() + out + err)


def _word(read: Callable[[int], bytes], most: int) -> str:
    found = bytearray()
    while (byte := read(1)) != b"\0":
        if not byte or len(found) >= most:
            raise ValueError("the command line ends too soon")
        found += byte
    return found.decode(errors="replace")


def accept(listener: socket.socket, serve: Callable[[socket.socket], None]) -> None:
    """Serves each connection on a thread of its own until the listener is closed."""
    while True:
        try:
            connection, _ = listener.accept()
        except OSError:
            return
        threading.Thread(target=serve, args=(connection,), daemon=True).start()


def main() -> int:
    parser = argparse.ArgumentParser(description="Pretend to be Android 17 with an NPU.")
    parser.add_argument("--binder", default="/dev/binder", metavar="DEV", help="the driver's device")
    parser.add_argument("--serial", default="NPUKIT0001", help="what ro.serialno says")
    parser.add_argument("--port", type=int, default=COMMAND_PORT, help="where commands come in")
    arguments = parser.parse_args()
    try:
        with closing(NamesProcess(arguments.binder)):
            _serve(VirtualSystem(arguments.binder, arguments.serial), arguments.port)
    except (BinderError, NoServiceManager, OSError) as error:
        sys.stderr.write(f"system: {error}\n")
        return 2
    return 0


def _serve(system: VirtualSystem, port: int) -> None:
    lab = socket.socket(socket.AF_UNIX)
    with closing(system), lab, socket.create_server(("127.0.0.1", port)) as commands:
        lab.bind(f"\0{LAB_SOCKET}")
        lab.listen()
        threading.Thread(target=accept, args=(lab, system.lab), daemon=True).start()
        threading.Thread(target=system.watch_hal, daemon=True).start()
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        accept(commands, lambda connection: answer_command(connection, system))


if __name__ == "__main__":
    sys.exit(main())
