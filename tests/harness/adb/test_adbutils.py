"""What adbutils does wrong, on the same answers that our tests beside this one read rightly.

A test that fails here says that adbutils has been mended, and that something of ours may go.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from adbutils import AdbClient, AdbConnection

from harness.fake_adb import Cut, FakeAdb, FakeFile, block, packet, real_shell


class Recording(AdbClient):  # type: ignore[misc]
    """A client whose connections can be closed: some of its methods forget them."""

    def __init__(self, *address: object) -> None:
        super().__init__(*address)
        self.connections: list[AdbConnection] = []

    def make_connection(self, timeout: float | None = None) -> AdbConnection:
        self.connections.append(super().make_connection(timeout))
        return self.connections[-1]


@pytest.fixture
def client(fake: FakeAdb) -> Iterator[AdbClient]:
    recording = Recording(*fake.address)
    yield recording
    for connection in recording.connections:
        connection.close()


def test_splits_a_serial_with_a_space(fake: FakeAdb, client: AdbClient) -> None:
    fake.add("adb-ABC-x (2)._adb-tls-connect._tcp")
    assert client.list()[0].serial == "adb-ABC-x"
    assert client.device_list() == []


def test_cuts_the_state_no_permissions(fake: FakeAdb, client: AdbClient) -> None:
    fake.add("0123", state="no permissions (user in plugdev group); see [http://x.test]")
    assert client.list()[0].state == "no"


def test_takes_a_cut_list_for_a_short_one(fake: FakeAdb, client: AdbClient) -> None:
    fake.answers["host:devices"] = [block("0123\tdevice\n4567\tdevice\n")[:-9], Cut()]
    assert len(client.list()) == 1


@pytest.mark.parametrize("command", ["exit 3", "ls / # note", "sleep 1 &"])
def test_misreads_the_exit_code_without_packets(fake: FakeAdb, client: AdbClient, command: str) -> None:
    fake.add("0123", shell=lambda service: real_shell()(service.replace("shell:", "exec:", 1)))
    with pytest.raises(Exception, match="output invalid"):
        client.device("0123").shell2(command, v2=False)


def test_raises_a_bare_error_for_a_cut_packet(fake: FakeAdb, client: AdbClient) -> None:
    fake.add("0123", shell=lambda service: [packet(1, b"hello")[:7], Cut()])
    with pytest.raises(EOFError):
        client.device("0123").shell2("svc", v2=True)


def test_takes_a_file_of_1970_for_none(fake: FakeAdb, client: AdbClient) -> None:
    fake.add("0123").files["/apex/a"] = FakeFile(b"x", modified=0)
    assert not client.sync("0123").exists("/apex/a")


def test_knows_sizes_of_32_bits_only(fake: FakeAdb, client: AdbClient) -> None:
    fake.add("0123").files["/data/big"] = FakeFile(size=5 << 30, modified=1)
    assert client.sync("0123").stat("/data/big").size == 1 << 30


def test_does_not_pass_on_why_a_file_was_refused(fake: FakeAdb, client: AdbClient) -> None:
    fake.add("0123")
    with pytest.raises(Exception, match=r"^FAIL$"):
        client.sync("0123").push(b"x", "/system/x")


def test_has_a_deadline_of_ten_minutes_or_none(fake: FakeAdb, client: AdbClient) -> None:
    fake.add("0123").answers["shell:x"] = b""
    assert client.device("0123").open_shell("x").conn.gettimeout() == 600
    assert client.make_connection().conn.gettimeout() is None
