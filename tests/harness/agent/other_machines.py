"""Tries the agents for machines other than this one: `python -m tests.harness.agent.other_machines`.

Needs Debian's qemu-user, and a minute for each kind of machine the first time. There is no binder driver that
way; what is tried is the stream, descriptors, mapped memory and threads.
"""

from __future__ import annotations

import shutil
import sys
from concurrent.futures import ThreadPoolExecutor

from binder.kernel.link import AgentError
from binder.kernel.remote import RemoteDevice
from binder.kernel.streams import ProcessStream
from harness.agent.build import build

EMULATORS = {"aarch64": "qemu-aarch64", "arm": "qemu-arm", "x86": "qemu-i386", "x86_64": "qemu-x86_64"}


def use(device: RemoteDevice, number: int) -> None:
    content = b"%d" % number * 1_500_000
    with device.create_file(content) as file:
        file.write_memory(b"changed", 5000)
        if file.read() != content[:5000] + b"changed" + content[5007:]:
            raise AssertionError("not what was written")
        try:
            file.read_memory(10, 1 << 24)
        except AgentError as error:
            if "Bad address" not in str(error):
                raise
        else:
            raise AssertionError("memory where there is none")


def main() -> None:
    for abi, emulator in EMULATORS.items():
        if shutil.which(emulator) is None:
            sys.exit(f"{emulator} is not on this machine: apt-get install qemu-user")
        device = RemoteDevice(ProcessStream([emulator, str(build(abi))]), "")
        try:
            with ThreadPoolExecutor(4) as threads:
                list(threads.map(use, [device] * 4, range(4)))
        finally:
            device.close()
        sys.stdout.write(f"{abi}: works\n")


if __name__ == "__main__":
    main()
