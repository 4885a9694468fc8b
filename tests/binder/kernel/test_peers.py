"""Our service manager, services and clients, and those of others, over the real driver."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from ...vm.machine import Machine
from .conftest import CLIENT_UID, prepare, serving

pytestmark = pytest.mark.vm

DEVICE = "/dev/binder"
NAME = "npukit.IPeer/default"

# What gbinder speaks by the name of a setting, by the API level that does the same.
SETTINGS = {"aidl3": 30, "aidl5": 35, "aidl6": 36}

OURS = ["is npukit.IPeer", "added 5"]


@pytest.fixture(scope="module")
def trixie(machine: Machine) -> Machine:
    prepare(machine, "service_manager")
    return machine


@pytest.fixture(scope="module")
def sid(sid_machine: Machine) -> Machine:
    prepare(sid_machine, "service_manager")
    return sid_machine


@contextmanager
def manager(machine: Machine, setting: str) -> Iterator[None]:
    """Our service manager with the services `npu` and NAME, and gbinder told to speak like its clients."""
    settings = f"[General]\n[Protocol]\n{DEVICE} = aidl3\n[ServiceManager]\n{DEVICE} = {setting}\n"
    machine.run("cat > /etc/gbinder.conf", input=settings.encode()).check()
    with serving(machine, "guest.manager", DEVICE, str(SETTINGS[setting])):
        yield


@pytest.mark.parametrize("setting", SETTINGS)
def test_gbinders_tools_list_and_ping_and_call_our_services(trixie: Machine, setting: str) -> None:
    with manager(trixie, setting):
        assert trixie.run(f"binder-list -d {DEVICE}").check().text.split() == ["manager", "npu", NAME]
        assert trixie.run(f"binder-list -d {DEVICE} nobody").code == 2
        trixie.run(f"binder-ping -d {DEVICE} npu").check()
        called = trixie.run(f"binder-call -d {DEVICE} -a {NAME} 1 2 3 reply i32 i32", uid=CLIENT_UID)
        assert called.text.split() == ["0", "5"]


def test_gbinders_module_is_a_client_of_our_service(sid: Machine) -> None:
    with manager(sid, "aidl6"):
        done = sid.run(["python3", "-m", "guest.gbinder_peer", "client", DEVICE], uid=CLIENT_UID).check()
    assert done.text.splitlines() == ["added 5", "greeted hello gbinder", "called back 42"]


def test_gbinders_module_is_a_server_for_our_client(sid: Machine) -> None:
    program = ["python3", "-m", "guest.gbinder_peer", "server", DEVICE]
    with manager(sid, "aidl6"), sid.spawn(program) as server:
        server.line_with("ready")
        done = sid.run(["python3", "-m", "guest.peer", "call", DEVICE, "36", "theirs"], uid=CLIENT_UID)
    assert done.check().text.splitlines() == [*OURS, "greeted gbinder greets npukit", "called back 42"]


@pytest.mark.parametrize("api_level", [29, 31, 33, 35, 37])
def test_our_client_and_our_service_understand_each_other(trixie: Machine, api_level: int) -> None:
    with serving(trixie, "guest.manager", DEVICE, str(api_level)):
        done = trixie.run(["python3", "-m", "guest.peer", "call", DEVICE, str(api_level), "npu"])
    assert done.check().text.splitlines() == [
        *OURS,
        "greeted hello npukit",
        "called back 42",
        "dumped ['a', 'b']",
        "told ['c'] and 7",
    ]


def test_a_client_sees_a_service_die_once_and_come_back(trixie: Machine) -> None:
    with trixie.spawn(["python3", "-m", "guest.follower", DEVICE], uid=CLIENT_UID) as follower:
        follower.line_with("ready")
        for _ in range(2):
            with serving(trixie, "guest.server", DEVICE):
                follower.line_with("linked")
            assert follower.line() == "died 1"
