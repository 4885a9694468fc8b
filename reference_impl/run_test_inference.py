"""`run-test-inference`: makes the NPU of the reference HAL work, as the vendor's program of that name does.

    run-test-inference [--job-priority N] [--original-uid UID]

Exits 0 when the work ran, 1 when it did not, 2 when it could not be asked for. Always does the same work, as
the uid that it runs under. Needs nothing but the standard library.
"""

from __future__ import annotations

import argparse
import sys
import threading
from contextlib import closing

from binder import BinderError, RemoteException
from binder.kernel import DeviceError, KernelProcess, LocalDevice
from generated.android.hardware.npu import EndReason
from generated.npukit.npu import BnJobCallback, INpuDevice
from reference_impl.constants import NPU_DEVICE_SERVICE
from reference_impl.hal_work import DEFAULT_JOB_PRIORITY
from service_manager import ServiceManager

RAN, DID_NOT_RUN, COULD_NOT_ASK = 0, 1, 2

DURATION_MS = 300
PATIENCE_SECONDS = 60.0


class _Ended(BnJobCallback):
    """Waits for the end of a job."""

    def __init__(self) -> None:
        self._told = threading.Event()
        self.reason: EndReason | None = None

    def onEnded(self, reason: EndReason) -> None:
        self.reason = reason
        self._told.set()

    def wait(self, timeout: float) -> bool:
        return self._told.wait(timeout)


def infer(path: str, job_priority: int, original_uid: int) -> int:
    """Has one job done over a binder device. Returns an exit code, after a line on stderr if it is not 0."""
    try:
        with closing(KernelProcess(LocalDevice(path))) as process:
            found = ServiceManager(process.context_manager()).check_service(NPU_DEVICE_SERVICE)
            if found is None:
                return _fail(COULD_NOT_ASK, f"there is no service {NPU_DEVICE_SERVICE}: is the HAL running?")
            ended = _Ended()
            INpuDevice.from_binder(found).submit(job_priority, original_uid, DURATION_MS, ended)
            if not ended.wait(PATIENCE_SECONDS):
                return _fail(DID_NOT_RUN, f"the work has not ended after {PATIENCE_SECONDS:.0f} s")
    except RemoteException as refusal:
        return _fail(DID_NOT_RUN, f"the HAL refuses: {refusal}")
    except (BinderError, DeviceError) as error:
        return _fail(COULD_NOT_ASK, str(error))
    if ended.reason is not EndReason.COMPLETED:
        return _fail(DID_NOT_RUN, f"the work ended as {getattr(ended.reason, 'name', ended.reason)}")
    return RAN


def _fail(code: int, text: str) -> int:
    sys.stderr.write(f"run-test-inference: {text}\n")
    return code


def _priority(text: str) -> int:
    if not text.isdecimal() or not 0 <= int(text) <= 1000:
        raise argparse.ArgumentTypeError(f"{text!r} is not from 0 to 1000")
    return int(text)


def main(arguments: list[str] | None = None) -> int:
    """Does what the command line says. Returns an exit code."""
    parser = argparse.ArgumentParser(
        prog="run-test-inference",
        description="Make the NPU do a piece of work.",
        epilog="Example: run-test-inference --job-priority 100",
    )
    parser.add_argument(
        "--job-priority",
        type=_priority,
        default=DEFAULT_JOB_PRIORITY,
        metavar="N",
        help="0, the most important, to 1000 (500)",
    )
    parser.add_argument(
        "--original-uid", type=int, default=INpuDevice.NO_UID, metavar="UID", help="in whose name to work"
    )
    parser.add_argument("--binder", default="/dev/binder", metavar="DEV", help="the binder device")
    given = parser.parse_args(arguments)
    return infer(given.binder, given.job_priority, given.original_uid)


if __name__ == "__main__":
    sys.exit(main())
