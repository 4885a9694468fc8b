"""The host's side needs nothing that only Linux has."""

from __future__ import annotations

import subprocess
import sys

import pytest

from ..command import ROOT

# What this Python has and a Mac's has not.
LINUX_ONLY = """
import ctypes, fcntl, mmap, os, select, signal, socket, sys, time
for module, names in {
    os: "memfd_create eventfd pidfd_open setresuid setresgid splice getrandom sched_setaffinity"
    " copy_file_range O_TMPFILE O_DIRECT O_PATH posix_fadvise MFD_CLOEXEC",
    select: "epoll EPOLLIN",
    socket: "AF_NETLINK AF_PACKET AF_VSOCK SOCK_CLOEXEC SOCK_NONBLOCK SO_PEERCRED SO_BINDTODEVICE",
    signal: "signalfd sigtimedwait sigwaitinfo SIGPWR SIGSTKFLT",
    mmap: "MAP_POPULATE MAP_STACK",
    fcntl: "F_ADD_SEALS F_SETPIPE_SZ F_NOTIFY F_OFD_SETLK",
}.items():
    for name in names.split():
        vars(module).pop(name, None)
for name in "spwd nis ossaudiodev _posixshmem".split():
    sys.modules[name] = None
# What a Mac has and this Python has not.
sys.modules["_scproxy"] = proxies = type(sys)("_scproxy")
proxies._get_proxy_settings = proxies._get_proxies = dict
sys.platform = "darwin"
"""


@pytest.mark.parametrize(
    "module", ["binder.kernel.remote", "harness.agent.install", "harness.agent.build", "harness.adb"]
)
def test_imports_nothing_that_only_linux_has(module: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", f"{LINUX_ONLY}\nimport {module}"],
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
