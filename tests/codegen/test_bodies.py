"""The short way to a body: which bodies have one, and that it says and refuses what the long way does."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from binder import Parcel, ParcelError, UsageError

from .aidl_files import imported, render_text

AIDL = """
package q;
parcelable Q {
    enum Small { A = -3, B = 5 }
    @Backing(type="byte") enum Tiny { A = -3, B = 5 }
    parcelable Id { byte[5] bytes; }
    parcelable Numbers { int[3] numbers; double[2] more; }
    parcelable Plain {
        int number = 7; Tiny tiny = Tiny.B; Small small = Small.B; boolean yes = true; char letter = 'x';
    }
    parcelable Alone { Small small = Small.B; }
    parcelable Bare {
        long a; @nullable Node node; @nullable int[] list; @nullable FileDescriptor[] b; byte c;
    }
    parcelable Mixed {
        @nullable Id id; Id always; String text; @nullable String maybe; float f; Plain plain;
    }
    parcelable Node { int value; @nullable(heap=true) Node next; }
    parcelable Never { int a; List<String> names; }
    parcelable Nothing { }
    parcelable OfObjects { IBinder binder; }
}
"""

IDENTITY = b"\x01\x02\xff\x00\x05"


@pytest.fixture(scope="module")
def q(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    folder = tmp_path_factory.mktemp("short")
    with imported(folder, render_text(folder, {"q/Q.aidl": AIDL}), "q") as module:
        yield module.Q


def long_way(value: Any) -> bytes:
    parcel = Parcel()
    value.write_to(parcel)
    return bytes(parcel)


def values(q: Any) -> list[Any]:
    plain = q.Plain(-1, q.Tiny.A, q.Small.A, False, "\uffff")
    return [
        q.Id(IDENTITY),
        q.Numbers([1, -2, 3], [0.5, -1.0]),
        q.Plain(),
        plain,
        q.Alone(q.Small.A),
        q.Alone(77),
        q.Bare(1 << 62, None, None, None, -128),
        q.Mixed(None, q.Id(IDENTITY), "", None, 0.5, plain),
        q.Mixed(q.Id(IDENTITY), q.Id(IDENTITY), "\U0001f600", "x", -0.5, q.Plain()),
        q.Node(4),
    ]


@pytest.mark.parametrize("index", range(10))
def test_says_what_the_long_way_says(q: Any, index: int) -> None:
    value = values(q)[index]
    data = long_way(value)
    assert value.pack_body() == data
    parcel = Parcel()
    parcel.write_parcelable(value)
    parcel.write_parcelables([value, value])
    assert bytes(parcel) == b"\1\0\0\0" + data + b"\2\0\0\0" + 2 * (b"\1\0\0\0" + data)
    parcel.rewind()
    assert parcel.read_parcelable(type(value)) == value
    assert parcel.read_array(lambda: parcel.read_parcelable(type(value))) == [value, value]
    assert parcel.remaining == 0


def test_is_not_taken_by_what_may_be_anything(q: Any) -> None:
    assert [q.Never().pack_body(), q.Nothing().pack_body(), q.Bare(node=q.Node()).pack_body()] == [None] * 3
    assert q.Node(1, q.Node(2)).pack_body() is None
    for value in (q.Never(1, ["a"]), q.Nothing(), q.Bare(3, q.Node(1, q.Node(2)), [4, 5])):
        parcel = Parcel()
        parcel.write_parcelables([value])
        assert bytes(parcel) == b"\1\0\0\0\1\0\0\0" + long_way(value)
        parcel.rewind()
        assert (parcel.read_int32(), parcel.read_parcelable(type(value))) == (1, value)


WRONG = [
    ("Plain", {"number": 1 << 31}, "number"),
    ("Plain", {"tiny": 128}, "128 does not fit a byte"),
    ("Plain", {"tiny": -129}, "-129 does not fit a byte"),
    ("Plain", {"tiny": "x"}, "'x' does not fit a byte"),
    ("Plain", {"tiny": 1.0}, "tiny"),
    ("Plain", {"letter": "xy"}, "'xy' is not one UTF-16 unit"),
    ("Id", {"bytes": b"1234"}, "bytes must have exactly 5 elements"),
    ("Id", {"bytes": None}, "bytes must have exactly 5 elements"),
    ("Numbers", {"numbers": [1, 2]}, "numbers must have exactly 3 elements"),
    ("Numbers", {"more": ["a", "b"]}, "cannot send"),
    ("Mixed", {"text": None}, "text must not be None"),
    ("Mixed", {"always": None}, "always must not be None"),
    ("Mixed", {"always": 5}, "5 is no parcelable"),
    ("Mixed", {"maybe": 5}, "cannot send 5 as a string"),
    ("Bare", {"a": None}, "a"),
]


@pytest.mark.parametrize(("name", "fields", "message"), WRONG)
def test_refuses_what_the_long_way_refuses_in_its_words(
    q: Any, name: str, fields: dict[str, Any], message: str
) -> None:
    fields = {("bytes_" if key == "bytes" else key): value for key, value in fields.items()}
    wrong = replace(getattr(q, name)(), **fields)
    with pytest.raises(UsageError) as expected:
        wrong.write_to(Parcel())
    assert message in str(expected.value)
    for method, value in (("write_parcelable", wrong), ("write_parcelables", [wrong])):
        with pytest.raises(UsageError) as error:
            getattr(Parcel(), method)(value)
        assert str(error.value) == str(expected.value)


@pytest.mark.parametrize("wrong", [None, 5, [None], [5], iter([])])
def test_refuses_an_array_that_is_none(wrong: Any) -> None:
    with pytest.raises(UsageError):
        Parcel().write_parcelables(wrong)


def test_every_truncation_ends_where_the_long_way_ends(q: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def outcome(data: bytes, cls: Any) -> object:
        parcel = Parcel.from_bytes(data)
        try:
            return repr(cls.read_from(parcel)), parcel.position
        except ParcelError as error:
            return error.status, error.offset, error.wanted, error.available, str(error)

    for value in values(q):
        data = long_way(value)
        spoiled = [data[:size] for size in range(0, len(data), 4)]
        # An older and a newer peer, and every word with something else in it.
        spoiled += [(size).to_bytes(4, "little") + data[4:] for size in range(0, len(data) + 8)]
        spoiled += [
            data[:at] + word + data[at + 4 :]
            for at in range(0, len(data), 4)
            for word in (b"\1\0\0\0", b"\2\0\0\0", b"\xff\xff\xff\xff", b"\xff\xff\xff\x7f")
        ]
        short = [outcome(each, type(value)) for each in spoiled]
        with monkeypatch.context() as patch:
            patch.setattr(Parcel, "read_fixed_body", lambda parcel, body: None)
            assert short == [outcome(each, type(value)) for each in spoiled]


def test_an_object_is_not_read_as_plain_data(q: Any) -> None:
    body = long_way(q.Bare(5))
    parcel = Parcel.from_bytes(body, [4])
    with pytest.raises(ParcelError, match="an object is there"):
        q.Bare.read_from(parcel)
