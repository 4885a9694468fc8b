"""Whatever the driver says, a thread ends with one of the project's own errors, or goes on."""

from __future__ import annotations

from contextlib import suppress

from hypothesis import given, settings
from hypothesis import strategies as st

from binder import Binder, BinderError, Parcel, ParcelFileDescriptor
from binder.flat import ObjectType
from binder.kernel import KernelProcess
from binder.kernel.commands import Return, payload_size

from .fake import COMPLETE, NOOP, FakeDevice, flat

WORD = st.integers(0, 2**64 - 1)
SMALL = st.integers(0, 64)


class Process(KernelProcess):
    """Takes no descriptors over, whose numbers are nobody's here, and starts no threads."""

    def resolve_fd(self, fd: int) -> ParcelFileDescriptor:
        return ParcelFileDescriptor(fd, owned=False)

    def start_threads(self) -> None:
        pass

    def spawn_looper(self) -> None:
        pass


@st.composite
def returns(draw: st.DrawFn) -> bytes:
    """One return of any kind, with a payload that has the right size and nothing else right."""
    kind = draw(st.sampled_from(list(Return)) | st.integers(0, 0xFFFF))
    size = payload_size(kind)
    return kind.to_bytes(4, "little") + draw(st.binary(min_size=size, max_size=size))


@st.composite
def contents(draw: st.DrawFn) -> tuple[bytes, tuple[int, ...]]:
    """Data and offsets of a transaction: objects, some of them right, and offsets near them."""
    parts = draw(
        st.lists(
            st.binary(max_size=40)
            | st.builds(flat, st.sampled_from(list(ObjectType)), SMALL | WORD, SMALL)
            | st.builds(flat, st.integers(0, 2**32 - 1), WORD, WORD, st.none()),
            max_size=5,
        )
    )
    places, data = [], b""
    for part in parts:
        places.append(len(data))
        data += part
    offsets = draw(st.lists(st.sampled_from([*places, 0]) | st.integers(0, 2**64 - 1), max_size=5))
    return data, tuple(offsets)


def survive(device: FakeDevice, process: KernelProcess) -> None:
    data = Parcel()
    data.write_strong_binder(Binder())
    for flags in (0x10, 0x11):
        with suppress(BinderError), process.context_manager().transact(1, data, flags) as reply:
            reply.read_strong_binder()
            reply.read_file_descriptor()


@given(st.lists(returns() | st.binary(max_size=12), max_size=12), st.binary(max_size=6))
@settings(max_examples=300, deadline=None)
def test_any_returns(said: list[bytes], rest: bytes) -> None:
    device = FakeDevice()
    with Process(device) as process:
        device.script.extend(said[:6])
        device.script.append(b"".join(said[6:]) + rest)
        survive(device, process)


@given(contents(), st.integers(0, 0xFF), st.sampled_from(["reply", "request"]))
@settings(max_examples=500, deadline=None)
def test_any_contents(content: tuple[bytes, tuple[int, ...]], flags: int, where: str) -> None:
    device = FakeDevice()
    with Process(device) as process:
        own = Binder()
        process._pin(own)
        if where == "reply":
            device.script.append(NOOP + COMPLETE + device.reply(*content, flags=flags))
        else:
            arrived = device.transaction(*content, target=own.address, code=0x5F444D50, flags=flags)
            device.script.extend([NOOP + COMPLETE + arrived, NOOP + COMPLETE, device.reply()])
        survive(device, process)
