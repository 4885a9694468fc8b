"""Parcels against hand-written `struct` code of the same layout: `python -m tests.bench.bench_parcel`.

Both sides start from the same dataclass and end in the same bytes, and back. The hand-written code
does what it must to be right about well-formed data, and nothing more: no null where there must not
be, no wrong sizes, no objects, no older or newer peers.
"""

from __future__ import annotations

from collections.abc import Callable
from struct import Struct

from binder import Parcel
from generated.android.hardware.npu import Uuid, WorkInfo
from generated.android.npumanager import BufferType, NpuBufferGetRequest

from .measure import compare

_INT = Struct("<i")
_UUID = Struct("<iii16s")
_WORK_MIDDLE = Struct("<iii")
_WORK_END = Struct("<iiqi")
_REQUEST = Struct("<iiqibqiii")
_REQUEST_WRITE = Struct("<iiqiiqiii")
_REQUEST_READ = Struct("<iiqib3xqiii")

ROUNDS = 300

WORK = WorkInfo(
    id=42,
    groupId=Uuid(bytes(range(16))),
    uid=10_123,
    debugPid=4_321,
    originalUid=10_124,
    debugFeatureId="assistant.summary",
    jobPriority=200,
    effectivePriority=700,
    timestampMs=1_234_567_890_123,
    deviceNumber=0,
)
REQUESTS = [NpuBufferGetRequest(n, 0, BufferType.MODEL_WEIGHTS, 1 << 20, 500, None, 3) for n in range(64)]


def pack_work(info: WorkInfo) -> bytes:
    group = b"\0\0\0\0" if info.groupId is None else _UUID.pack(1, 24, 16, info.groupId.uuid)
    if info.debugFeatureId is None:
        feature = b"\xff\xff\xff\xff"
    else:
        units = info.debugFeatureId.encode("utf-16-le")
        feature = _INT.pack(len(units) // 2) + units + (b"\0\0" if len(units) & 2 else b"\0\0\0\0")
    body = b"".join(
        (
            _INT.pack(info.id),
            group,
            _WORK_MIDDLE.pack(info.uid, info.debugPid, info.originalUid),
            feature,
            _WORK_END.pack(info.jobPriority, info.effectivePriority, info.timestampMs, info.deviceNumber),
        )
    )
    return b"\1\0\0\0" + _INT.pack(len(body) + 4) + body


def unpack_work(data: bytes) -> WorkInfo:
    (id,) = _INT.unpack_from(data, 8)
    (present,) = _INT.unpack_from(data, 12)
    pos = 16
    group = None
    if present:
        _, _, uuid = Struct("<ii16s").unpack_from(data, pos)
        group = Uuid(uuid)
        pos += 24
    uid, pid, original = _WORK_MIDDLE.unpack_from(data, pos)
    (length,) = _INT.unpack_from(data, pos + 12)
    pos += 16
    feature = None
    if length >= 0:
        feature = data[pos : pos + 2 * length].decode("utf-16-le")
        pos += 2 * length + 5 & ~3
    job, effective, at, device = _WORK_END.unpack_from(data, pos)
    return WorkInfo(id, group, uid, pid, original, feature, job, effective, at, device)


def pack_requests(requests: list[NpuBufferGetRequest]) -> bytes:
    parts = [_INT.pack(len(requests))]
    for r in requests:
        if r.fileSegmentToLoad is not None:
            raise NotImplementedError("a file segment, which would be a function of its own")
        parts.append(
            _REQUEST_WRITE.pack(
                1,
                40,
                r.appReqId,
                r.deviceNumber,
                r.bufferType,
                r.size,
                r.bufferPriority,
                0,
                r.protectionFlags,
            )
        )
    return b"".join(parts)


def unpack_requests(data: bytes) -> list[NpuBufferGetRequest]:
    (count,) = _INT.unpack_from(data)
    requests = []
    for n in range(count):
        _, _, id, device, kind, size, priority, _, flags = _REQUEST_READ.unpack_from(data, 4 + 44 * n)
        requests.append(NpuBufferGetRequest(id, device, BufferType(kind), size, priority, None, flags))
    return requests


def write_work() -> bytes:
    parcel = Parcel()
    parcel.write_parcelable(WORK)
    return bytes(parcel)


def write_requests() -> bytes:
    parcel = Parcel()
    parcel.write_parcelables(REQUESTS)
    return bytes(parcel)


def read_work(parcel: Parcel) -> WorkInfo | None:
    parcel.position = 0
    return parcel.read_parcelable(WorkInfo)


def read_requests(parcel: Parcel) -> list[NpuBufferGetRequest]:
    parcel.position = 0
    return parcel.read_array(lambda: parcel.read_parcelable(NpuBufferGetRequest))


def cases() -> list[tuple[str, Callable[[], object], Callable[[], object], int]]:
    work, requests = write_work(), write_requests()
    work_parcel, requests_parcel = Parcel.from_bytes(work), Parcel.from_bytes(requests)
    return [
        ("write WorkInfo", write_work, lambda: pack_work(WORK), 100),
        ("read WorkInfo", lambda: read_work(work_parcel), lambda: unpack_work(work), 100),
        ("write 64 requests", write_requests, lambda: pack_requests(REQUESTS), 4),
        ("read 64 requests", lambda: read_requests(requests_parcel), lambda: unpack_requests(requests), 4),
    ]


def main() -> None:
    for name, ours, peer, repeat in cases():
        if ours() != peer():
            raise SystemExit(f"{name}: the two do not agree")
        rate, peer_rate, ratio = compare(ours, peer, repeat, ROUNDS)
        print(f"{name:18} {rate:9.0f}/s   struct {peer_rate:9.0f}/s   {ratio:.2f} times slower")


if __name__ == "__main__":
    main()
