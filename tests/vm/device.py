"""A virtual Android device: a machine with real adbd and binder, and the pretended Android in it."""

from __future__ import annotations

import shlex
import uuid

from reference_impl.android.shell_commands import NAMES

from .machine import Machine
from .qemu import MachineError

START_TIMEOUT = 60

_FOLDER = "/opt/npukit/reference_impl/android"
_BIN = "/usr/local/bin"
_LOG = "/data/local/tmp/system.log"


class VirtualDevice(Machine):
    """A machine that passes for an Android 17 device. It is used like any other.

    Args:
        number: what `ro.serialno` says; one that nobody else has, if it is not given.
        takes_turns: as for `Machine`.
    """

    def __init__(self, number: str = "", *, takes_turns: bool = True) -> None:
        super().__init__("trixie", takes_turns=takes_turns)
        self.number = number or f"NPUKIT{uuid.uuid4().hex[:8].upper()}"

    def start(self) -> None:
        """Boots, as far as `sys.boot_completed`."""
        super().start()
        self.push_code()
        self.run(_installation(), timeout=START_TIMEOUT).check()
        self.run("python3 -m compileall -q /opt/npukit", timeout=120).check()
        self.start_system()

    def start_system(self) -> None:
        """Starts the pretended Android. Raises `MachineError` if it does not come up."""
        command = f"python3 -m reference_impl.android.system --serial {shlex.quote(self.number)}"
        # On its own, so that it outlives the connection that starts it.
        self.run(f"cd /opt/npukit && setsid nohup {command} >{_LOG} 2>&1 </dev/null &").check()
        booted = (
            f"for n in $(seq {START_TIMEOUT * 5}); do grep -qx ready {_LOG} && exit; sleep 0.2; done; exit 1"
        )
        if self.run(booted, timeout=START_TIMEOUT + 10).code:
            raise MachineError(f"the virtual device does not start: {self.run(f'cat {_LOG}').text}")


def _installation() -> str:
    """A shell script that puts the commands where the shell finds them."""
    links = [f"ln -sf {_FOLDER}/client {_BIN}/{name}" for name in NAMES]
    return "\n".join(
        [
            "set -e",
            *links,
            f"ln -sf {_FOLDER}/su {_BIN}/su",
            f"ln -sf {_FOLDER}/run-test-inference /data/local/tmp/run-test-inference",
            "mkdir -p /apex/com.android.npumanager",
        ]
    )
