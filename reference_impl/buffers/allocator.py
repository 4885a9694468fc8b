"""INpuAllocator: one client's way to its buffers.

Calls return at once. What takes time is done by a background executor, one thing after the other, and is
answered through the client's callback. Rules: allocator part of the buffer facts.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from errno import ECANCELED, EINVAL
from functools import partial

from binder import (
    IllegalArgumentException,
    IllegalStateException,
    ParcelFileDescriptor,
    ServiceSpecificException,
    StatusError,
)
from generated.android.npumanager import (
    BnNpuAllocator,
    BufferType,
    FileSegment,
    INpuAllocatorCallback,
    NpuBufferGetRequest,
)

from .pool import Buffer, BufferPool, check_priority

log = logging.getLogger(__name__)

Executor = Callable[[Callable[[], None]], None]
"""Runs what it is given later, one thing at a time and in order."""


class NpuAllocator(BnNpuAllocator):
    """The allocator of one client. It is of no use once the client's process has died.

    Args:
        pool: where buffers come from.
        callback: hears the results.
        pid, uid: the client's.
        executor: does the work.

    Raises:
        IllegalStateException: the heap configuration is invalid.
    """

    def __init__(
        self, pool: BufferPool, callback: INpuAllocatorCallback, pid: int, uid: int, executor: Executor
    ) -> None:
        if pool.provision.config_error:
            raise IllegalStateException(pool.provision.config_error)
        self._pool = pool
        self._callback = callback
        self._pid, self._uid = pid, uid
        self._executor = executor
        self._lock = threading.RLock()
        self._buffers: dict[int, Buffer] = {}
        self._dead = False
        try:
            callback.as_binder().link_to_death(self._client_died)
        except StatusError:
            self._dead = True  # nobody will ask for anything

    # --- INpuAllocator -----------------------------------------------------------------------------

    def getBuffers(self, requests: Sequence[NpuBufferGetRequest]) -> None:
        for request in requests:
            buffer = self._enter(request)
            if buffer is None:
                self._close(request.fileSegmentToLoad)
                self._answer_get(
                    request.appReqId, None, EINVAL, f"there is a buffer {request.appReqId} already"
                )
            else:
                self._executor(partial(self._get, request, buffer))

    def isSupported(self, requests: Sequence[NpuBufferGetRequest]) -> list[bool]:
        for request in requests:
            self._close(request.fileSegmentToLoad)
        for request in requests:
            if request.bufferType not in BufferType.__members__.values():
                raise IllegalArgumentException(f"Unknown buffer type: {int(request.bufferType)}")
        return [self._pool.heap_for(request) is not None for request in requests]

    def putBuffers(self, appReqIds: Sequence[int]) -> None:
        unknown = []
        for app_request_id in appReqIds:
            with self._lock:
                buffer = self._buffers.pop(app_request_id, None)
            if buffer is None:
                unknown.append(app_request_id)
            else:
                self._pool.free(buffer)
        if unknown:
            raise ServiceSpecificException(EINVAL, f"Unknown appReqIds: {', '.join(map(str, unknown))}")

    def setPriority(self, appReqId: int, newBufferPriority: int) -> None:
        with self._lock:
            buffer = self._buffers.get(appReqId)
            if buffer is None:
                raise ServiceSpecificException(EINVAL, f"Unknown appReqId: {appReqId}")
            try:
                check_priority(newBufferPriority)
            except OSError as error:
                raise ServiceSpecificException(EINVAL, error.strerror) from error
            buffer.priority = newBufferPriority

    def loadFileSegmentToBuffer(self, appReqId: int, fileSegment: FileSegment) -> None:
        # The pool's lock, because who is being loaded is not preempted.
        with self._lock, self._pool.lock:
            buffer = self._buffers.get(appReqId)
            if buffer is None or buffer.fd is None:
                problem = f"there is no buffer {appReqId}"
            elif buffer.loading:
                problem = f"buffer {appReqId} is being loaded already"
            else:
                problem = ""
                buffer.loading = True
        if problem or buffer is None:
            self._close(fileSegment)
            self._answer_load(appReqId, EINVAL, problem)
        else:
            self._executor(partial(self._load, appReqId, buffer, fileSegment))

    # --- in the background -------------------------------------------------------------------------

    def _enter(self, request: NpuBufferGetRequest) -> Buffer | None:
        """Takes the request's id, None if it is taken."""
        with self._lock:
            if request.appReqId in self._buffers:
                return None
            buffer = Buffer(
                client_pid=self._pid,
                uid=self._uid,
                app_request_id=request.appReqId,
                priority=request.bufferPriority,
                preempted=lambda: self._tell(lambda: self._callback.onNotifyPreempted(request.appReqId)),
            )
            self._buffers[request.appReqId] = buffer
            return buffer

    def _get(self, request: NpuBufferGetRequest, buffer: Buffer) -> None:
        try:
            fd = self._pool.allocate(buffer, request)
        except OSError as error:
            with self._lock:
                if self._buffers.get(request.appReqId) is buffer:
                    del self._buffers[request.appReqId]
            self._answer_get(request.appReqId, None, error.errno or EINVAL, error.strerror)
        else:
            with ParcelFileDescriptor(fd) as given:
                self._answer_get(request.appReqId, given, 0, None)
        finally:
            self._close(request.fileSegmentToLoad)

    def _load(self, app_request_id: int, buffer: Buffer, segment: FileSegment) -> None:
        code, message = 0, None
        try:
            with self._pool.loading(buffer) as fill:
                fill(segment)
        except OSError as error:
            code, message = error.errno or EINVAL, error.strerror
        finally:
            self._close(segment)
            with self._lock:
                buffer.loading = False
                if buffer.freed:
                    code, message = ECANCELED, f"buffer {app_request_id} was given back"
        self._answer_load(app_request_id, code, message)

    def _client_died(self) -> None:
        with self._lock:
            self._dead = True
            buffers = list(self._buffers.values())
            self._buffers.clear()
        for buffer in buffers:
            self._pool.free(buffer)

    # --- answers -----------------------------------------------------------------------------------

    def _answer_get(
        self, app_request_id: int, fd: ParcelFileDescriptor | None, code: int, message: str | None
    ) -> None:
        self._tell(lambda: self._callback.onGetBuffer(app_request_id, fd, code, message))

    def _answer_load(self, app_request_id: int, code: int, message: str | None) -> None:
        self._tell(lambda: self._callback.onLoad(app_request_id, code, message))

    def _tell(self, call: Callable[[], None]) -> None:
        if self._dead:
            return
        try:
            call()
        except StatusError as error:
            log.info("an allocator's callback was not delivered: %s", error)

    @staticmethod
    def _close(segment: FileSegment | None) -> None:
        if segment is not None:
            segment.fileFd.close()


class Allocators:
    """Makes the allocators of a service.

    Args:
        pool: where all buffers come from.
        new_executor: makes a background executor for each allocator.
    """

    def __init__(self, pool: BufferPool, new_executor: Callable[[], Executor]) -> None:
        self.pool = pool
        self._new_executor = new_executor

    def create(self, callback: INpuAllocatorCallback, pid: int, uid: int) -> NpuAllocator:
        """An allocator for a client. Raises what `NpuAllocator` does."""
        return NpuAllocator(self.pool, callback, pid, uid, self._new_executor())
