"""Tries the agent on a device: brings it there, pings the service manager and the service, asks the HAL."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

from binder import BinderError
from binder.kernel.remote import RemoteDevice, RemoteProcess
from generated.android.hardware.npu import IScheduling
from service_manager import ServiceManager

from ..adb import Device, android
from ..agent.build import Report
from ..agent.install import install, start
from ..reference import generation_over
from .facts import AgentTest, Answer, Hal
from .probe import AgentTester

T = TypeVar("T")


def agent_tester(report: Report) -> AgentTester:
    """Tries agents. Each has ended when its try has; the file stays on the device for the next time.

    Args:
        report: hears what takes its time, as the first building of the agent does.
    """

    def try_one(device: Device, *, uid: int | None, through_su: bool, api_level: int) -> AgentTest:
        path = install(device, report)
        return _try(start(device, path, uid=uid, through_su=through_su, name="the agent on trial"), api_level)

    return try_one


def _try(remote: RemoteDevice, api_level: int) -> AgentTest:
    process = RemoteProcess(remote, lambda exchange: None)
    try:
        manager = process.context_manager()
        begin = time.perf_counter()
        manager.ping()
        ping_ms = (time.perf_counter() - begin) * 1000
        names = ServiceManager(manager, api_level or None)
        npu = names.check_service(android.SERVICE)
        if npu is not None:
            npu.ping()
        return AgentTest(remote.uid, ping_ms, npu is not None, _hal(names), _generation(remote))
    finally:
        process.kill()


def _hal(names: ServiceManager) -> Hal:
    try:
        binder = names.check_service(android.HAL)
    except BinderError as error:
        return Hal(Answer(problem=str(error)), Answer(problem=str(error)))
    if binder is None:
        problem = f"the service manager does not give {android.HAL} to this uid"
        return Hal(Answer(problem=problem), Answer(problem=problem))
    hal = IScheduling.from_binder(binder)
    return Hal(_asked(hal.getInterfaceVersion), _asked(hal.getInterfaceHash))


def _generation(remote: RemoteDevice) -> Answer[str]:
    """Of the wrapfd driver. The heap that every device has is called `system`."""
    try:
        return Answer(str(generation_over(remote, "system")))
    except OSError as error:
        return Answer(problem=error.strerror or str(error))


def _asked(ask: Callable[[], T]) -> Answer[T]:
    try:
        return Answer(ask())
    except BinderError as error:
        return Answer(problem=str(error))
