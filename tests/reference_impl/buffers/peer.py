"""A process of its own, given a wrap: python -m tests.reference_impl.buffers.peer SOCKET CONTROL.

Told `look`, it maps what it was given and tries to write to it in every way there is; told `again`, it tries
to see it once more; told `own`, it acquires it. It says what happened.
"""

from __future__ import annotations

import json
import mmap
import os
import socket
import sys
from collections.abc import Callable
from errno import errorcode
from pathlib import Path

from reference_impl.buffers import pages
from reference_impl.buffers.socket_port import LocalChannel, SocketPort
from reference_impl.buffers.wrapfd import PROT_RW, Wrapfd

PAGE = mmap.PAGESIZE


def attempt(call: Callable[[], object]) -> str:
    try:
        result = call()
    except OSError as error:
        return errorcode[error.errno or 0]
    return result.decode() if isinstance(result, bytes) else "ok"


def look(wrapfd: Wrapfd, fd: int) -> dict[str, str]:
    mapping = wrapfd.map(fd, PAGE)
    found = {
        "content": bytes(mapping.view[:2]).decode(),
        "protect, asked": attempt(lambda: mapping.protect(0, PAGE, PROT_RW)),
        "map writable, asked": attempt(lambda: wrapfd.map(fd, PAGE, PROT_RW)),
        "map writable, not asked": attempt(lambda: mmap.mmap(fd, PAGE, prot=PROT_RW)),
        "write, not asked": attempt(lambda: os.pwrite(fd, b"x", 0)),
    }
    raw = pages.Pages(fd, PAGE, mmap.PROT_READ, shared=True, offset=0)
    found["protect, not asked"] = attempt(lambda: raw.protect(0, PAGE, PROT_RW))
    raw.close()
    again = os.open(f"/proc/self/fd/{fd}", os.O_RDWR)
    found["write through another opening"] = attempt(lambda: os.pwrite(again, b"x", 0))
    found["map another opening writable"] = attempt(lambda: mmap.mmap(again, PAGE, prot=PROT_RW))
    os.close(again)
    mapping.close()
    return found


def again(wrapfd: Wrapfd, fd: int) -> dict[str, str]:
    return {
        "map": attempt(lambda: wrapfd.map(fd, PAGE)),
        "state": wrapfd.state(fd).name,
        "old descriptor": os.pread(fd, 2, 0).hex(),
        "whole": "zeros" if not any(os.pread(fd, 1 << 20, 0)) else "data",
    }


def own(wrapfd: Wrapfd, fd: int) -> dict[str, str]:
    return {"acquire": attempt(lambda: wrapfd.acquire(fd)), "pid": str(os.getpid())}


COMMANDS = {"look": look, "again": again, "own": own}


def main() -> None:
    wrapfd = Wrapfd(SocketPort(LocalChannel(Path(sys.argv[1]))))
    control = socket.socket(fileno=int(sys.argv[2]))
    fd = -1
    while True:
        command, fds, _, _ = socket.recv_fds(control, 100, 1)
        if not command:
            return
        fd = fds[0] if fds else fd
        control.send(json.dumps(COMMANDS[command.decode()](wrapfd, fd)).encode())


if __name__ == "__main__":
    main()
