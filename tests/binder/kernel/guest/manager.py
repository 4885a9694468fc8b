"""A service manager on a binder device, and services, until its input ends.

python3 -m guest.manager DEVICE API_LEVEL
"""

from __future__ import annotations

import sys
from typing import IO

from binder import Binder, Parcel
from binder.kernel import KernelProcess, LocalDevice
from binder.token import enforce_interface
from generated.android.os import IServiceManager
from service_manager.server import ServiceManagerServer

DESCRIPTOR = "npukit.IPeer"
ADD, CALL_BACK, GREET = 1, 2, 3
HIDL_PING = 0x0F504E47


class Peer(Binder):
    """Serves what others' tools can ask for: numbers, texts, callbacks."""

    def own_descriptor(self) -> str:
        return DESCRIPTOR

    def on_dump(self, out: IO[str], args: list[str]) -> None:
        out.write(f"dumped {args}\n")

    def on_shell_command(self, stdin: IO[str], out: IO[str], err: IO[str], args: list[str]) -> int:
        out.write(f"told {args} and {stdin.read()}\n")
        return 7

    def on_transact(self, code: int, data: Parcel, reply: Parcel, flags: int) -> None:
        if code == HIDL_PING:
            # All that `binder-ping` knows to ask, of any kind of service; AIDL's other servers refuse it.
            reply.write_int32(0)
            return
        if code not in (ADD, CALL_BACK, GREET):
            super().on_transact(code, data, reply, flags)
            return
        enforce_interface(data, DESCRIPTOR)
        reply.write_int32(0)
        if code == ADD:
            reply.write_int32(data.read_int32() + data.read_int32())
        elif code == GREET:
            reply.write_string16(f"hello {data.read_string16()}")
        else:
            other = data.read_strong_binder()
            assert other is not None
            request = other.new_parcel()
            request.write_interface_token(DESCRIPTOR)
            request.write_int32(20)
            request.write_int32(22)
            with other.transact(ADD, request, 0x10) as answer:
                answer.read_int32()
                reply.write_int32(answer.read_int32())


def main(path: str, api_level: int) -> None:
    with KernelProcess(LocalDevice(path), api_level=api_level) as process:
        manager = ServiceManagerServer(api_level=api_level)
        process.become_context_manager(manager)
        for name in ("npu", f"{DESCRIPTOR}/default"):
            manager.addService(name, Peer(), False, IServiceManager.DUMP_FLAG_PRIORITY_DEFAULT)
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        sys.stdin.read()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
