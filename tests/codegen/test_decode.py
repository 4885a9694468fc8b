"""`codegen decode` reads what generated code writes, and explains what nobody wrote."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from binder import Binder, Parcel, ParcelFileDescriptor, PersistableBundle, ServiceSpecificException
from binder.reply import write_exception, write_no_exception
from codegen import ast
from codegen.decode import Decoded, decode_reply, decode_request
from generated.android.npumanager import BufferType, FileSegment, INpuManagerService, NpuBufferGetRequest
from tests.harness.command import ROOT, run_command

from .aidl_files import compile_text, imported, render_text
from .test_render import SINK, _filled
from .test_render_constructs import FILES

SERVICE = "android.npumanager.INpuManagerService"


def _interface(folder: Path, files: dict[str, str], name: str) -> ast.Interface:
    program = compile_text(folder, files)
    found = program.declarations[name]
    assert isinstance(found, ast.Interface)
    return found


def _request(module: Any, interface: str, code: int, *args: Any) -> bytes:
    info = getattr(module, interface).aidl
    parcel = Parcel()
    parcel.write_interface_token(info.descriptor)
    info.by_code[code].write_request(parcel, *args)
    return bytes(parcel)


def _read(folder: Path, files: dict[str, str], name: str, code: int, data: bytes) -> Decoded:
    interface = _interface(folder, files, name)
    return decode_request(interface, interface.methods[code - 1], data)


def test_every_kind_of_value_is_read(tmp_path: Path) -> None:
    with imported(tmp_path, render_text(tmp_path, SINK), "q") as q:
        data = _request(q, "IService", 1, _filled(q), q.BpCallback(Binder()))
    found = _read(tmp_path, SINK, "q.IService", 1, data)
    assert found.error is None
    a = found.values["a"]
    assert isinstance(a, dict)
    assert (a["a"], a["b"], a["c"], a["e"], a["s"]) == (False, -128, "é", -(2**63), "é😀")
    assert (a["first"], a["second"], a["es"]) == ("Z", 99, ["X", -7])
    assert (a["p"], a["np"], a["ps"]) == (
        {"x": 5, "y": "y"},
        {"x": 4, "y": None},
        [{"x": 4, "y": None}, {"x": 2, "y": None}],
    )
    assert (a["grid"], a["rows"], a["ns"]) == ([[1, 2], [3, 4]], [[97, 98, 99], [100, 101, 102]], ["a", None])
    assert str(found.values["callback"]).startswith("local binder 0x")


def test_unions_maps_and_holders_are_read(tmp_path: Path) -> None:
    with imported(tmp_path, render_text(tmp_path, FILES), "q") as q:
        union = _request(q, "IA", 1, q.U.s("x"))
        maps = _request(q, "IA", 5, {"k": Binder()}, {"p": q.P(1, q.U.a(2))})
    assert _read(tmp_path, FILES, "q.IA", 1, union).values == {"u": {"s": "x"}}
    found = _read(tmp_path, FILES, "q.IA", 5, maps)
    assert found.error is None
    assert found.values["y"] == {"p": {"x": 1, "u": {"a": 2}, "us": []}}


def test_every_truncation_is_explained_with_its_offset(tmp_path: Path) -> None:
    with imported(tmp_path, render_text(tmp_path, SINK), "q") as q:
        data = _request(q, "IService", 1, _filled(q), q.BpCallback(Binder()))
    interface = _interface(tmp_path, SINK, "q.IService")
    for size in range(0, len(data), 4):
        found = decode_request(interface, interface.methods[0], data[:size])
        assert found.error is not None
        assert 0 <= found.error.offset <= size


@given(st.binary(max_size=200), st.integers(0, 100))
def test_nonsense_is_never_more_than_an_error(data: bytes, cut: int) -> None:
    interface, whole = _NONSENSE
    for bytes_ in (data, whole[: 92 + cut] + data):
        for method in interface.methods:
            decode_request(interface, method, bytes_)
            decode_reply(method, bytes_)


def _project_interface(name: str) -> ast.Interface:
    from codegen.diagnostics import Diagnostics
    from codegen.frontend import compile_files

    roots = [ROOT / "aidl/android.npumanager", ROOT / "aidl/android.os"]
    path = roots[0] / f"android/npumanager/{name}.aidl"
    found = compile_files([path], roots, vintf=False, diagnostics=Diagnostics()).requested[0].declarations[0]
    assert isinstance(found, ast.Interface)
    return found


def _set_policy_request() -> bytes:
    parcel = Parcel()
    parcel.write_interface_token(SERVICE)
    bundle = PersistableBundle.of({"maxBudget": 8, "modelSizeWeights": {"0": 2}, "s": "x", "l": [1, 2]})
    INpuManagerService.aidl.by_code[5].write_request(parcel, 2, bundle)
    return bytes(parcel)


_NONSENSE = (_project_interface("INpuManagerService"), _set_policy_request())


def test_command_shows_values_with_their_offsets() -> None:
    done = run_command("codegen", "decode", SERVICE, "setPolicy", _set_policy_request().hex())
    assert done.code == 0, done.err
    lines = [line.split() for line in done.out.splitlines()]
    assert ["92", "policy", "2"] in lines
    assert any(line[1:] == ["'maxBudget'", "8"] for line in lines)


def test_command_takes_codes_json_and_replies() -> None:
    done = run_command("codegen", "decode", SERVICE, "5", _set_policy_request().hex(), "--json")
    assert json.loads(done.out)["values"]["policyParams"]["modelSizeWeights"] == {"0": 2}
    parcel = Parcel()
    write_exception(parcel, ServiceSpecificException(7, "no"))
    done = run_command("codegen", "decode", SERVICE, "setPolicy", bytes(parcel).hex(" "), "--reply")
    assert "ServiceSpecificException 7: no" in done.out


def test_command_reads_what_service_call_prints() -> None:
    parcel = Parcel()
    write_no_exception(parcel)
    parcel.write_bool_array([True, False])
    words = [bytes(parcel)[at : at + 4][::-1].hex() for at in range(0, len(parcel), 4)]
    printed = f"Result: Parcel(\n  0x00000000: {' '.join(words[:4])} '.... (x)..')\n"
    name = "android.npumanager.INpuAllocator"
    done = run_command("codegen", "decode", name, "isSupported", printed, "--reply")
    assert done.code == 0, done.err
    assert "[True, False]" in done.out


def test_requests_with_descriptors_are_read() -> None:
    parcel = Parcel()
    parcel.write_interface_token("android.npumanager.INpuAllocator")
    with ParcelFileDescriptor(os.memfd_create("x")) as fd:
        segment = FileSegment(1, 2, 3, fileFd=fd)
        request = NpuBufferGetRequest(9, 0, BufferType.CACHE, 4096, fileSegmentToLoad=segment)
        parcel.write_array([request], parcel.write_parcelable)
    done = run_command(
        "codegen", "decode", "android.npumanager.INpuAllocator", "getBuffers", bytes(parcel).hex()
    )
    assert done.code == 0, done.err
    assert "bufferType" in done.out
    assert "CACHE" in done.out


@pytest.mark.parametrize(
    ("args", "code", "message"),
    [
        ((SERVICE, "setPolicy", "00"), 1, "offset 0:"),
        ((SERVICE, "setPolicy", "xyz"), 2, "these are no bytes"),
        ((SERVICE, "setPolicy", "@missing"), 2, "missing: cannot be read"),
        ((SERVICE, "fly", "00"), 2, "it has canLoadModel (1)"),
        (("android.npumanager.INothing", "f", "00"), 2, "-I"),
        (
            ("aidl/android.npumanager/android/npumanager/BufferType.aidl", "f", "00"),
            2,
            "declares no interface",
        ),
    ],
)
def test_mistakes_are_explained(args: tuple[str, ...], code: int, message: str) -> None:
    done = run_command("codegen", "decode", *args)
    assert done.code == code
    assert message in done.err
    assert "Traceback" not in done.err
