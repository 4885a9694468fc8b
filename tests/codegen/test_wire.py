"""Layouts for people agree with the bytes that generated code writes."""

from __future__ import annotations

from pathlib import Path

from binder import Parcel
from codegen.wire import Table, as_data, as_text, describe
from generated.android.hardware.npu import SchedulingConfig
from generated.android.npumanager import ModelLoadRequestParcelable, NpuModelSize

from .aidl_files import compile_text

AIDL = Path(__file__).parents[2] / "aidl"


def _tables(folder: Path, files: dict[str, str]) -> list[Table]:
    program = compile_text(folder, files)
    return [table for document in program.requested for table in describe(document)]


def _project_tables(package: str, name: str, folder: Path) -> list[Table]:
    source = AIDL / package / Path(*package.split("."))
    others = {f"{package.replace('.', '/')}/{path.name}": path.read_text() for path in source.glob("*.aidl")}
    others |= {
        f"android/os/{path.name}": path.read_text()
        for path in (AIDL / "android.os/android/os").glob("*.aidl")
    }
    program = compile_text(folder, others, vintf=package == "android.hardware.npu")
    (document,) = (doc for doc in program.requested if doc.source.path.name == f"{name}.aidl")
    return list(describe(document))


def test_offsets_of_the_model_load_request_are_those_of_its_bytes(tmp_path: Path) -> None:
    (table,) = _project_tables("android.npumanager", "ModelLoadRequestParcelable", tmp_path)
    parcel = Parcel()
    parcel.write_parcelable(ModelLoadRequestParcelable(54, NpuModelSize.LESS_THAN_1GB, 0))
    # The wire format's golden vector 10.
    assert bytes(parcel) == bytes.fromhex("01000000 10000000 36000000 00000000 00000000")
    found = {row.name: row.offset for row in table.rows}
    assert found == {"(marker)": 0, "(size)": 4, "id": 8, "size": 12, "priority": 16}
    assert sum(row.size or 0 for row in table.rows) == len(parcel)


def test_booleans_and_sizes_agree_too(tmp_path: Path) -> None:
    (table,) = _project_tables("android.hardware.npu", "SchedulingConfig", tmp_path)
    parcel = Parcel()
    parcel.write_parcelable(SchedulingConfig(1, 2, True, False))
    assert sum(row.size or 0 for row in table.rows) == len(parcel)


def test_buffer_type_is_a_byte_enum(tmp_path: Path) -> None:
    (table,) = _project_tables("android.npumanager", "BufferType", tmp_path)
    assert "byte enum" in as_text(table)
    (request,) = _project_tables("android.npumanager", "NpuBufferGetRequest", tmp_path)
    assert "BufferType, byte enum" in as_text(request)


def test_methods_have_ids_and_codes(tmp_path: Path) -> None:
    tables = _project_tables("android.npumanager", "INpuManagerService", tmp_path)
    text = "\n".join(as_text(table) for table in tables)
    assert "INpuManagerService.canLoadModel: id 0, code 1, request" in text
    assert "INpuManagerService.createAllocator: id 5, code 6, reply" in text
    # The wire format's golden vector 15 is 92 bytes long.
    assert tables[0].rows[0].size == 92


def test_offsets_end_where_a_value_varies(tmp_path: Path) -> None:
    files = {
        "q/A.aidl": "package q; parcelable A { int a; String s; int b; }",
        "q/IA.aidl": "package q; interface IA {"
        " int[2] f(in long[] a, IBinder b); oneway void g(in char c); }",
        "q/E.aidl": "package q; enum E { X = 3 }",
    }
    parcelable, *methods, enum = _tables(tmp_path, files)
    assert [row.offset for row in parcelable.rows] == [0, 4, 8, 12, None]
    request, reply, oneway = methods
    assert [row.name for row in request.rows] == ["(token)", "a", "b"]
    assert request.rows[2].offset is None
    assert [(row.offset, row.size) for row in reply.rows] == [(0, 4), (4, 12)]
    assert "oneway request" in oneway.title
    assert as_data(enum)["rows"] == [{"name": "X", "value": 3}]
    assert as_data(request)["code"] == 1


def test_text_says_what_varies(tmp_path: Path) -> None:
    (table,) = _tables(tmp_path, {"q/A.aidl": "package q; parcelable A { String s; int b; }"})
    lines = as_text(table).splitlines()
    assert lines[0] == "parcelable q.A"
    assert "varies" in lines[4]
    assert "?" in lines[5]
