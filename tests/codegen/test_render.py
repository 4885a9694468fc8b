"""Generated modules: that they import, hold the right values, and put the right bytes on the wire."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from binder import Binder, DeadObjectError, Parcel, ParcelError, ParcelFileDescriptor, Status, UsageError
from binder.local import DeterministicScheduler, Driver
from codegen.interface_model import Release

from .aidl_files import imported, render_text, write_files

SINK = {
    "q/A.aidl": """package q;
import q.E; import q.P; import q.ICallback; import r.Other;
parcelable A {
    const int K = 7;
    const String NAME = "it's";
    boolean a = true; byte b = -1; char c = 'z'; int d = -5; long e = 1L << 33; float f = 1.5f;
    double g = -2.25; String s = "hi"; int[] h = {1, 2}; String[] k = {}; byte[] m = {1, -1};
    E first; E second = E.Y; @nullable String t; P p; @nullable P np; P[] ps; List<String> l;
    int[2][2] grid; byte[2][3] rows; E[] es; boolean[] zs; char[] cs; long[] ls; double[] ds; float[] fs;
    @nullable IBinder o; @nullable ICallback cb; @nullable ParcelFileDescriptor fd; @nullable String[] ns;
    byte[4] id; r.Other other; r.Other.Kind kind = r.Other.Kind.TWO; @nullable int[3] maybe;
}""",
    "q/E.aidl": "package q; enum E { X, Y = 3, Z }",
    "q/P.aidl": "package q; parcelable P { int x = 4; @nullable String y; }",
    "q/ICallback.aidl": "package q; import q.A; oneway interface ICallback { void done(in A a); }",
    "r/Other.aidl": """package r; import q.ICallback;
parcelable Other { int n; @nullable q.ICallback back; enum Kind { ONE, TWO } }""",
    "q/IService.aidl": """package q; import q.A; import q.ICallback; import q.E; import q.P; import r.Other;
/** Everything a method can have. */
interface IService {
    const int LIMIT = 10;
    A echo(in A a, in ICallback callback);
    E[] enums(in E one, in E[] many, byte b, char c, boolean z, int i);
    @nullable P maybe(in @nullable P p, in @nullable String s);
    char[] f(in char[] a, char b, byte c, in boolean[] d, in byte[] e);
    IBinder plain(IBinder b, in ParcelFileDescriptor fd, in IBinder[] all);
    Other.Kind nested(in Other.Kind k);
    void from(int self, int cls);
    oneway void shout(int x);
}""",
}


@pytest.fixture
def q(tmp_path: Path) -> Any:
    with imported(tmp_path, render_text(tmp_path, SINK), "q") as module:
        yield module


def test_fields_have_the_declared_defaults(q: Any) -> None:
    a = q.A()
    assert (a.a, a.b, a.c, a.d, a.e, a.f, a.g, a.s) == (True, -1, "z", -5, 1 << 33, 1.5, -2.25, "hi")
    assert (a.h, a.k, a.m) == ([1, 2], [], b"\1\xff")
    assert (a.first, a.second, a.kind.name) == (q.E.X, q.E.Y, "TWO")
    assert (a.t, a.np, a.o, a.cb, a.fd, a.ns, a.maybe) == (None,) * 7
    assert (a.p.x, a.ps, a.l, a.grid, a.id) == (4, [], [], [[0, 0], [0, 0]], bytes(4))
    assert (a.rows, a.other.n) == ([bytes(3), bytes(3)], 0)
    assert (q.A.K, q.A.NAME, q.IService.LIMIT) == (7, "it's", 10)


def test_defaults_are_not_shared(q: Any) -> None:
    q.A().h.append(3)
    assert q.A().h == [1, 2]


def _filled(q: Any) -> Any:
    return q.A(
        a=False, b=-128, c="é", d=2**31 - 1, e=-(2**63), f=0.5, g=1e300, s="é😀",
        h=[-1], k=["a", "b"], m=b"xyz", first=q.E.Z, second=q.E(99), t="", p=q.P(5, "y"),
        np=q.P(), ps=[q.P(), q.P(2)], l=["x"], grid=[[1, 2], [3, 4]], rows=[b"abc", b"def"],
        es=[q.E.X, q.E(-7)], zs=[True, False], cs=["a", "\uffff"], ls=[2**40], ds=[1.25], fs=[-0.5],
        ns=["a", None], id=b"\0\1\2\3", maybe=[1, 2, 3],
    )  # fmt: skip


def test_every_kind_of_field_survives_a_round_trip(q: Any) -> None:
    value = _filled(q)
    parcel = Parcel()
    parcel.write_parcelable(value)
    assert parcel.rewind().read_parcelable(q.A) == value
    assert parcel.remaining == 0


def test_every_truncation_is_refused(q: Any) -> None:
    parcel = Parcel()
    parcel.write_parcelable(_filled(q))
    data = bytes(parcel)
    for size in range(len(data)):
        with pytest.raises(ParcelError):
            Parcel.from_bytes(data[:size]).read_parcelable(q.A)


def test_an_older_peer_leaves_the_rest_at_its_defaults(q: Any) -> None:
    whole = Parcel()
    q.P(9, "y").write_to(whole)
    older = Parcel()
    older.write_int32(8)
    older.write_int32(9)
    assert q.P.read_from(older.rewind()) == q.P(9, None)
    empty = Parcel()
    empty.write_int32(4)
    assert q.P.read_from(empty.rewind()) == q.P()
    for size in range(4, len(bytes(_body(_filled(q)))), 4):
        _older_body(q, size)


def _body(value: Any) -> Parcel:
    parcel = Parcel()
    value.write_to(parcel)
    return parcel


def _older_body(q: Any, size: int) -> None:
    """A body cut at any word either reads with defaults for what is missing, or is refused."""
    cut = Parcel.from_bytes(bytes(_body(_filled(q)))[:size])
    cut.patch_int32(0, size)
    try:
        value = q.A.read_from(cut)
    except ParcelError:
        return
    assert value.maybe is None or size >= 0
    assert cut.position == size


def test_a_newer_peers_fields_are_skipped(q: Any) -> None:
    newer = Parcel()
    start = newer.begin_body()
    newer.write_int32(9)
    newer.write_string16("y")
    newer.write_int64(1234)
    newer.end_body(start)
    newer.write_int32(77)
    newer.rewind()
    assert q.P.read_from(newer) == q.P(9, "y")
    assert newer.read_int32() == 77


def test_fixed_arrays_write_a_count_per_dimension(tmp_path: Path) -> None:
    files = {"q/A.aidl": "package q; parcelable A { int[2][2] a; byte[2][3] b; }"}
    with imported(tmp_path, render_text(tmp_path, files), "q") as q:
        body = bytes(_body(q.A([[1, 2], [3, 4]], [b"\1\2\3", b"\4\5\6"])))
    golden = "02000000 02000000 01000000 02000000 02000000 03000000 04000000"
    golden += "02000000 03000000 01020300 03000000 04050600"
    assert body[4:] == bytes.fromhex(golden)


def test_wrong_values_are_refused_by_name(q: Any) -> None:
    for field, value in {
        "d": 2**31,
        "b": 128,
        "c": "ab",
        "s": None,
        "id": b"x",
        "grid": [[1]],
        "h": None,
    }.items():
        broken = q.A()
        setattr(broken, field, value)
        with pytest.raises(UsageError):
            broken.write_to(Parcel())


def test_fixed_array_of_another_size_is_refused(q: Any) -> None:
    parcel = Parcel()
    value = _filled(q)
    value.write_to(parcel)
    data = bytes(parcel).replace(b"\4\0\0\0\0\1\2\3", b"\3\0\0\0\0\1\2\0")
    with pytest.raises(ParcelError) as error:
        q.A.read_from(Parcel.from_bytes(data))
    assert error.value.status is Status.BAD_VALUE


def _service(q: Any) -> Any:
    class Service(q.BnService):  # type: ignore[misc]  # made by the test
        def __init__(self) -> None:
            self.heard: list[Any] = []

        def echo(self, a: Any, callback: Any) -> Any:
            callback.done(a)
            return a

        def enums(self, one: Any, many: Any, b: int, c: str, z: bool, i: int) -> Any:
            self.heard.append((one, many, b, c, z, i))
            return [*many, one]

        def maybe(self, p: Any, s: Any) -> Any:
            return p

        def f(self, a: Any, b: Any, c: Any, d: Any, e: Any) -> Any:
            self.heard.append((a, b, c, d, e))
            return [*a, b]

        def plain(self, b: Any, fd: Any, all: Any) -> Any:
            with fd:
                self.heard.append((os.fstat(fd.fileno()).st_ino, len(all)))
            return b

        def nested(self, k: Any) -> Any:
            return k

        def from_(self, self_: int, cls_: int) -> None:
            self.heard.append((self_, cls_))

        def shout(self, x: int) -> None:
            self.heard.append(x)

    return Service()


def test_calls_of_every_kind_go_through_a_driver(q: Any) -> None:
    scheduler = DeterministicScheduler()
    driver = Driver(scheduler)
    server, client = driver.new_process("server", 1000), driver.new_process("client", 10001)
    service = _service(q)
    server.add_service("s", service)
    binder = client.get_service("s")
    assert binder is not None
    proxy = q.IService.from_binder(binder)
    heard: list[Any] = []

    class Callback(q.BnCallback):  # type: ignore[misc]  # made by the test
        def done(self, a: Any) -> None:
            heard.append(a)

    value = _filled(q)
    assert proxy.echo(value, Callback()) == value
    scheduler.settle()
    assert heard == [value]
    assert proxy.enums(q.E.Y, [q.E.X, q.E(77)], -3, "c", True, 5) == [q.E.X, 77, q.E.Y]
    assert proxy.maybe(None, None) is None
    assert proxy.maybe(q.P(1), "s") == q.P(1)
    assert proxy.f(["a", "b"], "c", -1, [True, False], b"\1\2") == ["a", "b", "c"]
    assert proxy.nested(value.kind) == value.kind
    mine = Binder()
    with ParcelFileDescriptor(os.memfd_create("x")) as fd:
        inode = os.fstat(fd.fileno()).st_ino
        assert proxy.plain(mine, fd, [mine, binder]) is mine
    proxy.from_(1, 2)
    proxy.shout(9)
    scheduler.settle()
    assert service.heard[0] == (q.E.Y, [q.E.X, 77], -3, "c", True, 5)
    assert service.heard[1:] == [(["a", "b"], "c", -1, [True, False], b"\1\2"), (inode, 2), (1, 2), 9]
    server.kill()
    with pytest.raises(DeadObjectError):
        proxy.shout(1)
    driver.close()


def test_a_stub_that_lacks_a_method_cannot_be_made(q: Any) -> None:
    class Half(q.BnCallback):  # type: ignore[misc]  # made by the test
        pass

    with pytest.raises(TypeError, match="done"):
        Half()


def test_cyclic_packages_import_from_either_side(tmp_path: Path) -> None:
    files = {
        "a/A.aidl": "package a; import b.B; parcelable A { @nullable b.B[] bs; b.B.E e = b.B.E.Y; }",
        "b/B.aidl": "package b; import a.A; parcelable B { @nullable a.A[] as_; enum E { X, Y } }",
    }
    modules = render_text(tmp_path, files)
    for first, second in (("a", "b"), ("b", "a")):
        with imported(tmp_path, modules, first) as one:
            other = __import__(f"made.{second}", fromlist=["x"])
            a, b = (one, other) if first == "a" else (other, one)
            parcel = Parcel()
            parcel.write_parcelable(a.A([b.B()]))
            again: Any = parcel.rewind().read_parcelable(a.A)
            assert again.bs == [b.B()]


def test_names_that_python_reserves_are_renamed_and_keep_their_bytes(tmp_path: Path) -> None:
    files = {
        "q/lambda/A.aidl": "package q.lambda; parcelable A { int None = 1; int def; int lambda;"
        " int from; int from_; int is; int self; boolean True; int type; int list; int str;"
        " int parcel; int end; int cls; }",
        "q/lambda/I.aidl": "package q.lambda; interface I { void del(); int raise(int print); void match(); "
        "void __init__(); void aidl(); void transact(); }",
        "q/lambda/E.aidl": "package q.lambda; enum E { None, mro, name, value, _x_, real }",
    }
    with imported(tmp_path, render_text(tmp_path, files), "q.lambda_") as q:
        value = q.A(from_=4, from__=5, list_=6, cls_=7)
        assert value.None_ == 1
        parcel = Parcel()
        parcel.write_parcelable(value)
        words = [parcel.rewind().read_int32() for _ in range(1)]
        assert words == [1]
        assert bytes(parcel)[8:12] == b"\1\0\0\0"
        assert q.A.read_from(Parcel.from_bytes(bytes(parcel)[4:])) == value
        assert [method.name for method in q.I.aidl.methods][:2] == ["del", "raise"]
        assert hasattr(q.BpI, "del_")
        assert [int(q.E.None_), int(q.E.mro_), int(q.E.aidl_x_)] == [0, 1, 4]


def test_version_and_hash_are_answered(tmp_path: Path) -> None:
    files = {"q/IA.aidl": "package q; interface IA { void f() = 0; void g() = 5; }"}
    modules = render_text(tmp_path, files, release=Release(3, "abc"))
    with imported(tmp_path, modules, "q") as q:

        class Service(q.BnA):  # type: ignore[misc, name-defined]  # made by the test
            def f(self) -> None: ...

            def g(self) -> None: ...

        proxy = q.BpA(Service())
        assert (proxy.getInterfaceVersion(), proxy.getInterfaceHash()) == (3, "abc")


def test_explicit_ids_are_the_codes(tmp_path: Path) -> None:
    files = {"q/IA.aidl": "package q; interface IA { void a() = 5; void b() = 2; }"}
    with imported(tmp_path, render_text(tmp_path, files), "q") as q:
        assert {method.name: method.code for method in q.IA.aidl.methods} == {"a": 6, "b": 3}


def test_rendering_twice_gives_the_same_text(tmp_path: Path) -> None:
    assert render_text(tmp_path, SINK) == render_text(tmp_path, SINK)


def test_output_is_strictly_typed_and_clean(tmp_path: Path) -> None:
    write_files(tmp_path / "made", {str(path): text for path, text in render_text(tmp_path, SINK).items()})
    for command in (
        ["mypy", "--strict", "--no-incremental", "made"],
        ["ruff", "check", "--isolated", "--select", "E4,E7,E9,F,I,W", "made"],
    ):
        done = subprocess.run(
            [sys.executable, "-m", *command],
            cwd=tmp_path,
            env={**os.environ, "MYPYPATH": str(Path(__file__).parents[2])},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
