"""What can go wrong with a device, each with what to do about it."""

from __future__ import annotations

from .states import State

_QUOTED = 400


class AdbError(Exception):
    """Something that was asked of adb or of a device did not work.

    Attributes:
        remedy: what to do about it; may be empty.
    """

    def __init__(self, message: str, remedy: str = "") -> None:
        self.remedy = remedy
        super().__init__(f"{message}; {remedy}" if remedy else message)


class NoServer(AdbError):
    """Nothing answers where adb's server should be, or what answers is none."""


class Refused(AdbError):
    """The server or the device answered FAIL, for a reason that it gives as text."""

    def __init__(self, request: str, reason: str) -> None:
        self.reason = reason
        super().__init__(f"adb refuses {request!r}: {reason.strip() or 'it gives no reason'}")


class DeviceUnavailable(AdbError):
    """The device is listed in a state in which it does nothing for us, or is not listed.

    Attributes:
        serial: which one.
        state: its row of `STATES`.
    """

    def __init__(self, serial: str, state: State, context: str = "") -> None:
        self.serial, self.state = serial, state
        super().__init__(f"device {serial!r} is {state.meaning}{context}", state.remedy_for(serial))


class LinkLost(AdbError, ConnectionError):
    """The connection to adb's server or to the device ended in the middle."""


class TimedOut(AdbError, TimeoutError):
    """Something took longer than it may."""


class OutcomeUnknown(AdbError):
    """What was asked for has begun and the end was not seen: it may be done, done in part, or not done."""


class NotSupported(AdbError):
    """The device's adbd, or adb's server, is too old for this."""


class CommandFailed(AdbError):
    """A command on the device ended with an exit code that is not 0.

    Attributes:
        code: the exit code.
    """

    def __init__(self, command: str, code: int, said: str) -> None:
        self.code = code
        super().__init__(f"{command!r} ended with {code} on the device: {quoted(said)}")


class BadOutput(AdbError):
    """A command on the device said something that nobody expected. The message quotes it."""

    def __init__(self, command: str, problem: str, output: str) -> None:
        self.output = output
        super().__init__(f"{command!r} on the device: {problem}; it said: {quoted(output)}")


def quoted(text: str) -> str:
    """Text for a message: on one line, not too much of it."""
    shown = repr(text.strip()[:_QUOTED])
    return shown if len(text.strip()) <= _QUOTED else f"{shown}... ({len(text)} characters)"
