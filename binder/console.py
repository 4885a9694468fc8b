"""The two transactions that people talk to a service through: DUMP and SHELL_COMMAND.

Both carry descriptors to write to and words. A shell command's exit code does not come in the
reply but through a callback of its own, a result receiver.
"""

from __future__ import annotations

import logging
import os
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import IO, Protocol, Self

from .errors import DeadObjectError, StatusError
from .fds import ParcelFileDescriptor
from .ibinder import IBinder
from .parcel import Parcel
from .protocol import SpecialCode, Status, TransactionFlag

log = logging.getLogger("binder")

RESULT_RECEIVER = "com.android.internal.os.IResultReceiver"
SEND_RESULT = 1


class Console(Protocol):
    """A service that people can talk to."""

    def on_dump(self, out: IO[str], args: list[str]) -> None: ...

    def on_shell_command(self, stdin: IO[str], out: IO[str], err: IO[str], args: list[str]) -> int: ...


@dataclass(frozen=True, slots=True)
class ShellResult:
    """What a shell command did."""

    exit_code: int
    out: str
    err: str


# What a command that raises an exception exits with, as in Android's ShellCommand.
EXIT_AFTER_EXCEPTION = -1


def _open(fd: ParcelFileDescriptor, mode: str) -> IO[str]:
    number = fd.detach()
    try:
        return os.fdopen(number, mode, encoding="utf-8", errors="replace")
    except OSError as error:
        os.close(number)
        raise StatusError(Status.BAD_VALUE, f"a descriptor that cannot be opened: {error}") from None


def _read_words(data: Parcel) -> list[str]:
    return data.read_array(data.read_string16)


def serve_dump(service: Console, data: Parcel) -> None:
    """Answers a DUMP transaction."""
    fd = data.read_file_descriptor()
    words = _read_words(data)
    # Whoever reads may have seen enough.
    with suppress(BrokenPipeError), _open(fd, "w") as out:
        service.on_dump(out, words)


def serve_shell_command(service: Console, data: Parcel) -> None:
    """Answers a SHELL_COMMAND transaction and reports the exit code."""
    files = [data.read_file_descriptor() for _ in range(3)]
    words = _read_words(data)
    data.read_strong_binder()  # a callback for opening files, which no command here needs
    receiver = data.read_strong_binder()
    exit_code = EXIT_AFTER_EXCEPTION
    with (
        suppress(BrokenPipeError),
        _open(files[0], "r") as stdin,
        _open(files[1], "w") as out,
        _open(files[2], "w") as err,
    ):
        exit_code = _run(service, stdin, out, err, words)
    if receiver is not None:
        result = receiver.new_parcel()
        result.write_interface_token(RESULT_RECEIVER)
        result.write_int32(exit_code)
        result.write_parcelable(None)
        # Whoever has gone in the meantime does not want to know.
        with suppress(DeadObjectError):
            receiver.transact(SEND_RESULT, result, TransactionFlag.ONE_WAY)


def _run(service: Console, stdin: IO[str], out: IO[str], err: IO[str], words: list[str]) -> int:
    try:
        return service.on_shell_command(stdin, out, err, words)
    except Exception as error:
        # Somebody waits for an exit code, and for a hint of what went wrong.
        log.exception("the command %r failed", " ".join(words))
        err.write(
            f"Exception occurred while executing {' '.join(words)!r}: {type(error).__name__}: {error}\n"
        )
        return EXIT_AFTER_EXCEPTION


class ConsoleFile(ParcelFileDescriptor):
    """A file for a service to write to, and to be read afterwards."""

    __slots__ = ()

    @classmethod
    def new(cls) -> Self:
        with tempfile.TemporaryFile() as file:
            return cls.dup(file.fileno())

    def read(self) -> bytes:
        """All that is in it."""
        return os.pread(self.fileno(), os.fstat(self.fileno()).st_size, 0)


def dump(
    service: IBinder, args: Sequence[str] = (), *, new_file: Callable[[], ConsoleFile] = ConsoleFile.new
) -> str:
    """What `dumpsys SERVICE ARGS...` shows. Raises `StatusError`.

    `new_file` makes files where the caller is.
    """
    with new_file() as out:
        data = service.new_parcel()
        data.write_file_descriptor(out)
        data.write_array(args, data.write_string16)
        service.transact(SpecialCode.DUMP, data, TransactionFlag.ACCEPT_FDS).release()
        return _contents(out)


def shell_command(
    service: IBinder,
    args: Sequence[str],
    receiver: IBinder,
    wait_for_exit_code: Callable[[], int | None],
    *,
    new_file: Callable[[], ConsoleFile] = ConsoleFile.new,
) -> ShellResult:
    """Runs `cmd SERVICE ARGS...`.

    Args:
        service: whose command it is.
        args: its words.
        receiver: a result receiver to send along.
        wait_for_exit_code: waits for what the receiver hears; None if that takes too long.
        new_file: makes files where the caller is.

    Raises:
        StatusError: the transaction failed, or no exit code came.
    """
    with new_file() as stdin, new_file() as out, new_file() as err:
        data = service.new_parcel()
        for file in (stdin, out, err):
            data.write_file_descriptor(file)
        data.write_array(args, data.write_string16)
        data.write_strong_binder(None)
        data.write_strong_binder(receiver)
        service.transact(SpecialCode.SHELL_COMMAND, data, TransactionFlag.ACCEPT_FDS).release()
        exit_code = wait_for_exit_code()
        if exit_code is None:
            raise StatusError(Status.TIMED_OUT, f"no exit code from the command {' '.join(args)!r}")
        return ShellResult(exit_code, _contents(out), _contents(err))


def _contents(file: ConsoleFile) -> str:
    return file.read().decode("utf-8", "replace")
