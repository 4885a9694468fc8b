"""Driving a virtual device's reference through the socket that it has for that."""

from __future__ import annotations

from ..adb import AdbError, Device, ExecStream
from ..adb.deadline import Deadline
from ..placement import PlacementError

SOCKET = "npukit.lab"
_CONNECT_SECONDS = 10.0


class LabLink:
    """The socket, as something that is talked to in lines. No real device has it.

    Raises:
        PlacementError: the device has none.
    """

    def __init__(self, device: Device) -> None:
        name = f"localabstract:{SOCKET}"
        deadline = Deadline(_CONNECT_SECONDS, f"connecting to {name} of {device.serial!r}")
        try:
            self._stream = ExecStream(device.server.open_device(device.serial, name, deadline), name)
        except AdbError as error:
            raise PlacementError(str(error)) from error
        self._read = bytearray()

    def line(self, timeout: float) -> str:
        try:
            while (end := self._read.find(b"\n")) < 0:
                data = self._stream.read(1 << 16, timeout)
                if not data:
                    raise PlacementError("the virtual device has ended")
                self._read += data
        except AdbError as error:
            raise PlacementError(str(error)) from error
        line = bytes(self._read[:end])
        del self._read[: end + 1]
        return line.decode()

    def send(self, line: str) -> None:
        try:
            self._stream.write(f"{line}\n".encode())
        except AdbError as error:
            raise PlacementError(str(error)) from error

    def close(self) -> None:
        self._stream.close()
