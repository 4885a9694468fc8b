"""Generated code for what the NPU's own interfaces do not use: unions, out parameters, maps, holders."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from binder import (
    Binder,
    OpaqueParcelable,
    Parcel,
    ParcelableHolder,
    ParcelError,
    Permission,
    PersistableBundle,
    SecurityException,
    Stability,
    Status,
    UsageError,
)
from binder.local import DeterministicScheduler, Driver

from .aidl_files import imported, render_text, write_files

FILES = {
    "q/U.aidl": """package q;
/** One of several. */
union U {
    int a = 7;
    /** Some text. */
    String s; ParcelFileDescriptor fd; @nullable IBinder b; q.P p; int[] numbers; boolean z;
    const int K = 3;
}""",
    "q/P.aidl": "package q; import q.U; parcelable P { int x = 4; @nullable(heap=true) U u; U[] us; }",
    "q/FdFirst.aidl": "package q; union FdFirst { ParcelFileDescriptor fd; int x; }",
    "q/H.aidl": "package q; parcelable H { ParcelableHolder h; int after = 5; }",
    "q/P2.aidl": "package q; parcelable P2 { int k = 5; }",
    "q/G.aidl": "package q; parcelable G<T, U> { int x; }",
    "q/Opaque.aidl": 'package q; parcelable Opaque cpp_header "x.h"; parcelable Opaque.Inner;',
    "q/UsesOpaque.aidl": "package q; import q.Opaque; parcelable UsesOpaque { int x; @nullable Opaque o; }",
    "q/Outer.aidl": """package q;
parcelable Outer {
    parcelable B { parcelable C { int x = 1; } C c; @nullable IN back; }
    B b; q.Outer.B.C d; Outer.B e; enum E { K, L } E f = E.L;
    interface IN { void g(in B b); oneway void done(E e); }
    @nullable IN cb; union V { E e = E.K; String s; }
    V v;
}""",
    "q/IA.aidl": """package q; import q.U; import q.P; import q.G; import q.FdFirst;
interface IA {
    U.Tag tag(in U u);
    int f(inout String[] a, out List<String> b, in int c);
    void g(out int[] a, out int[3] b, out List<String> c, out @nullable String[] d);
    P h(inout U u, out P result, out U count);
    Map<String, String> m(in Map<String, IBinder> x, in @nullable Map<String, P> y);
    void open(out ParcelFileDescriptor[] fds);
    G<int[], String> generic(in G<String, U> g);
}""",
}


@pytest.fixture
def q(tmp_path: Path) -> Any:
    with imported(tmp_path, render_text(tmp_path, FILES), "q") as module:
        yield module


def _typed(value: Any) -> bytes:
    parcel = Parcel()
    parcel.write_parcelable(value)
    return bytes(parcel)


# --- unions -----------------------------------------------------------------------------------------


def test_union_is_its_first_member_by_default(q: Any) -> None:
    assert (q.U().tag, q.U().value) == (q.U.Tag.a, 7)
    assert [tag.name for tag in q.U.Tag] == ["a", "s", "fd", "b", "p", "numbers", "z"]
    assert q.U.K == 3


def test_union_bytes_are_those_of_the_golden_vector(q: Any) -> None:
    # The wire format's golden vector 11 has tag 2; here the string is tag 1.
    golden = bytes.fromhex("01000000 01000000 02000000 6F006B00 00000000")
    assert _typed(q.U.s("ok")) == golden
    assert Parcel.from_bytes(golden).read_parcelable(q.U) == q.U.s("ok")


def test_every_member_survives_a_round_trip(q: Any) -> None:
    for value in (q.U.a(-3), q.U.s(""), q.U.b(None), q.U.p(q.P(1, q.U.z(True))), q.U.numbers([1, 2])):
        parcel = Parcel.from_bytes(_typed(value))
        assert parcel.read_parcelable(q.U) == value
        assert parcel.remaining == 0
    outer = q.P(2, None, [q.U.a(1), q.U.s("x"), q.U.z(False)])
    assert Parcel.from_bytes(_typed(outer)).read_parcelable(q.P) == outer


def test_unknown_tags_are_refused_both_ways(q: Any) -> None:
    with pytest.raises(ParcelError, match="99 is no tag of U") as error:
        Parcel.from_bytes(bytes.fromhex("01000000 63000000 00000000")).read_parcelable(q.U)
    assert error.value.status is Status.BAD_VALUE
    with pytest.raises(UsageError, match="99 is no tag of U"):
        _typed(q.U(q.U.Tag(99), 1))
    with pytest.raises(UsageError):
        _typed(q.U.s(5))


def test_union_whose_first_member_cannot_be_made_has_no_default(q: Any) -> None:
    with pytest.raises(TypeError):
        q.FdFirst()
    assert q.FdFirst.x(3).value == 3


# --- results through arguments ------------------------------------------------------------------------


def _proxy(q: Any, service: Any) -> Any:
    driver = Driver(DeterministicScheduler())
    driver.new_process("server", 1000).add_service("s", service)
    binder = driver.new_process("client", 10001).get_service("s")
    assert binder is not None
    return q.IA.from_binder(binder)


def _service(q: Any) -> Any:
    class Service(q.BnA):  # type: ignore[misc]  # made by the test
        def tag(self, u: Any) -> Any:
            return u.tag

        def f(self, a: Any, c: int) -> Any:
            return self.FResult(c + 1, [*a, "!"], ["b"])

        def g(self, a_length: int, d_length: int) -> Any:
            return self.GResult([1] * a_length, [1, 2, 3], [], None if d_length < 0 else ["x"] * d_length)

        def h(self, u: Any) -> Any:
            return self.HResult(q.P(1), u, q.P(2), q.U.s("c"))

        def m(self, x: Any, y: Any) -> Any:
            return {key: str(value is not None) for key, value in x.items()} | dict.fromkeys(y or {}, "p")

        def open(self, fds_length: int) -> Any:
            return self.OpenResult([None] * fds_length)

        def generic(self, g: Any) -> Any:
            return g

    return Service()


def test_results_come_back_in_a_named_tuple(q: Any) -> None:
    proxy = _proxy(q, _service(q))
    assert proxy.tag(q.U.s("x")) == q.U.Tag.s
    done = proxy.f(["a"], 41)
    assert (done.result, done.a, done.b) == (42, ["a", "!"], ["b"])
    done = proxy.g(2, -1)
    assert (done.a, done.b, done.c, done.d) == ([1, 1], [1, 2, 3], [], None)
    assert proxy.g(0, 1).d == ["x"]
    done = proxy.h(q.U.a(9))
    assert (done.result.x, done.u, done.result_.x, done.count_) == (1, q.U.a(9), 2, q.U.s("c"))
    assert proxy.generic(q.G(3)) == q.G(3)


def test_request_carries_lengths_of_out_arrays_only(q: Any) -> None:
    parcel = Parcel()
    q.IA.aidl.by_code[3].write_request(parcel, 5, -1)
    assert bytes(parcel) == bytes.fromhex("05000000 FFFFFFFF")


def test_wrong_results_never_reach_the_caller(q: Any) -> None:
    with pytest.raises(Exception, match=r"null|None|NULL"):
        _proxy(q, _service(q)).open(2)


def test_maps_go_both_ways(q: Any) -> None:
    proxy = _proxy(q, _service(q))
    assert proxy.m({"k": Binder()}, {"z": q.P()}) == {"k": "True", "z": "p"}
    assert proxy.m({}, None) == {}
    with pytest.raises(UsageError):
        proxy.m({"k": None}, None)


def test_permissions_are_kept_as_data(tmp_path: Path) -> None:
    files = {
        "q/IA.aidl": """package q; interface IA {
            @EnforcePermission(anyOf={"A","B",}) void any();
            @EnforcePermission(allOf={"A","B"}) void all();
            @EnforcePermission("C") void one();
            @RequiresNoPermission void none(); }"""
    }
    with imported(tmp_path, render_text(tmp_path, files), "q") as q:
        found = {method.name: method.permission for method in q.IA.aidl.methods}
    assert found["any"] == Permission(any_of=("A", "B"))
    assert found["all"] == Permission(all_of=("A", "B"))
    assert found["one"] == Permission(all_of=("C",))
    assert found["none"] is None
    found["any"].check({"B"}.__contains__)
    for name, held in (("any", set()), ("all", {"A"}), ("one", {"A"})):
        with pytest.raises(SecurityException, match="requires"):
            found[name].check(held.__contains__)


def test_deprecated_methods_warn_their_caller(tmp_path: Path) -> None:
    files = {"q/IA.aidl": "package q; interface IA { /** Old.\n * @deprecated use g */ void f(); void g(); }"}
    with imported(tmp_path, render_text(tmp_path, files), "q") as q:

        class Service(q.BnA):  # type: ignore[misc, name-defined]  # made by the test
            def f(self) -> None: ...

            def g(self) -> None: ...

        proxy = q.BpA(Service())
        proxy.g()
        with pytest.warns(DeprecationWarning, match=r"q\.IA\.f is deprecated: use g"):
            proxy.f()


# --- holders ------------------------------------------------------------------------------------------


def test_holder_bytes_are_those_of_the_golden_vector(q: Any) -> None:
    # The wire format's golden vector 23, with the name of this test's type in place of h.P2.
    holder = ParcelableHolder()
    holder.set(q.P2(5))
    parcel = Parcel()
    parcel.write_parcelable(holder)
    assert bytes(parcel) == bytes.fromhex(
        "01000000 00000000 18000000 04000000 71002E00 50003200 00000000 08000000 05000000"
    )


def test_holder_gives_its_value_to_those_who_know_it(q: Any) -> None:
    value = q.H()
    value.h.set(q.P2(9))
    arrived = Parcel.from_bytes(_typed(value)).read_parcelable(q.H)
    assert arrived is not None
    assert arrived.h.name == "q.P2"
    assert arrived.h.get(q.P) is None
    assert _typed(arrived) == _typed(value)
    assert arrived.h.get(q.P2) == q.P2(9)
    assert arrived.after == 5
    assert arrived == value


def test_holder_keeps_the_objects_in_what_it_does_not_know(q: Any) -> None:
    binder = Binder()
    value = q.H()
    value.h.set(q.P(1, q.U.b(binder)))
    parcel = Parcel()
    parcel.write_parcelable(value)
    arrived = parcel.rewind().read_parcelable(q.H)
    again = Parcel()
    again.write_parcelable(arrived)
    assert again.offsets == parcel.offsets
    final = again.rewind().read_parcelable(q.H)
    assert final is not None
    assert final.h.get(q.P).u.value is binder


@pytest.mark.parametrize(
    "body",
    [
        "02000000 00000000",
        "00000000 FFFFFFFF",
        "00000000 04000000",
        "01000000 00000000",
        "00000000 08000000 FFFFFFFF",
    ],
)
def test_bad_holders_are_refused(q: Any, body: str) -> None:
    data = bytes.fromhex("01000000") + bytes.fromhex(body)
    framed = Parcel()
    start = framed.begin_body()
    for word in range(0, len(data), 4):
        framed.write_int32(int.from_bytes(data[word : word + 4], "little", signed=True))
    framed.end_body(start)
    with pytest.raises(ParcelError):
        q.H.read_from(framed.rewind())


def test_vintf_holder_takes_only_vintf_values(q: Any) -> None:
    with pytest.raises(UsageError, match=r"q\.P2 is not VINTF-stable"):
        ParcelableHolder(Stability.VINTF).set(q.P2())


# --- the rest -----------------------------------------------------------------------------------------


def test_unstructured_parcelable_says_what_to_register(q: Any) -> None:
    assert issubclass(q.Opaque, OpaqueParcelable)
    assert Parcel.from_bytes(_typed(q.UsesOpaque(3))).read_parcelable(q.UsesOpaque) == q.UsesOpaque(3)
    with pytest.raises(UsageError, match=r"q\.Opaque has no Python class; .*--parcelable q\.Opaque="):
        _typed(q.UsesOpaque(3, q.Opaque()))


def test_registered_parcelable_is_the_class_itself(tmp_path: Path) -> None:
    files = {"android/os/PersistableBundle.aidl": "package android.os; parcelable PersistableBundle;"}
    with imported(tmp_path, render_text(tmp_path, files), "android.os") as module:
        assert module.PersistableBundle is PersistableBundle


def test_union_beside_a_registered_class_is_formatted_as_ruff_would(tmp_path: Path) -> None:
    files = {
        "android/os/PersistableBundle.aidl": "package android.os; parcelable PersistableBundle;",
        "android/os/RatherLongParcelableName.aidl": """package android.os;
/** Has a name. */
parcelable RatherLongParcelableName {}""",
        "android/os/U.aidl": """package android.os;
import android.os.RatherLongParcelableName;
/**
 * One of several.
 *
 * @param it not "one"
 */
union U {
    /** The first. */
    RatherLongParcelableName memberWithQuiteALongName;
    /** The last. */
    int last;
}""",
    }
    write_files(tmp_path / "made", {str(path): text for path, text in render_text(tmp_path, files).items()})
    for command in (["check", "--select", "I,W"], ["format", "--diff"]):
        done = subprocess.run(
            [sys.executable, "-m", "ruff", *command, "--isolated", "--line-length", "110", "made"],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr


def test_nested_declarations_resolve_in_every_spelling(q: Any) -> None:
    value = q.Outer()
    assert (value.b.c.x, value.d.x, value.e.c.x, value.f) == (1, 1, 1, q.Outer.E.L)
    assert Parcel.from_bytes(_typed(value)).read_parcelable(q.Outer) == value

    class In(q.Outer.BnN):  # type: ignore[misc]  # made by the test
        def g(self, b: Any) -> None: ...

        def done(self, e: Any) -> None: ...

    assert In().own_descriptor() == "q.Outer.IN"


def test_output_is_strictly_typed_and_clean(tmp_path: Path) -> None:
    write_files(tmp_path / "made", {str(path): text for path, text in render_text(tmp_path, FILES).items()})
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
