"""ParcelableHolder: a field that holds any one parcelable, known or unknown to whoever carries it."""

from __future__ import annotations

from typing import TypeVar

from .errors import UsageError, shown
from .parcel import Parcel
from .protocol import Stability, Status
from .values import Parcelable

P = TypeVar("P", bound=Parcelable)

_STABILITY_WORDS = {Stability.UNDECLARED: 0, Stability.VINTF: 1}


class ParcelableHolder(Parcelable):
    """Holds nothing, a value, or the bytes of a value that nobody has asked for yet.

    What it cannot read it sends on as it came.

    Args:
        stability: VINTF if the parcelable that it is a field of is, else UNDECLARED.
    """

    __slots__ = ("_name", "_raw", "_value", "stability")

    def __init__(self, stability: Stability = Stability.UNDECLARED) -> None:
        if stability not in _STABILITY_WORDS:
            raise UsageError(f"a holder is VINTF or UNDECLARED, not {stability.name}")
        self.stability = stability
        self._name = ""
        self._raw: Parcel | None = None
        self._value: Parcelable | None = None

    @property
    def name(self) -> str:
        """The AIDL name of what it holds; "" for nothing."""
        return self._name

    def set(self, value: Parcelable | None) -> None:
        """Holds `value` from now on. Raises `UsageError` if it is less stable than the holder."""
        info = None if value is None else getattr(value, "aidl", None)
        if value is not None and info is None:
            raise UsageError(f"{shown(value)} has no AIDL name to be held under")
        if info is not None and self.stability not in (Stability.UNDECLARED, info.stability):
            raise UsageError(f"{info.name} is not VINTF-stable, as what this holder holds must be")
        self._raw = None
        self._value = value
        self._name = "" if info is None else info.name

    def get(self, cls: type[P]) -> P | None:
        """What it holds, if that is a `cls`; None if it holds nothing or something else.

        Raises:
            ParcelError: it holds bytes that are called a `cls` and cannot be read as one.
        """
        if self._value is None and self._raw is not None and self._name == cls.aidl.name:
            self._value = cls.read_from(self._raw.rewind())
            self._raw = None
        return self._value if isinstance(self._value, cls) else None

    def write_to(self, parcel: Parcel) -> None:
        parcel.write_int32(_STABILITY_WORDS[self.stability])
        start = parcel.position
        parcel.write_int32(0)
        if not self._name:
            return
        parcel.write_string16(self._name)
        if self._raw is not None:
            parcel.append(self._raw)
        elif self._value is not None:
            self._value.write_to(parcel)
        parcel.patch_int32(start, parcel.position - start - 4)

    @classmethod
    def read_from(cls, parcel: Parcel) -> ParcelableHolder:
        words = {word: stability for stability, word in _STABILITY_WORDS.items()}
        word = parcel.read_int32()
        if word not in words:
            raise parcel.error(Status.BAD_VALUE, f"a holder of stability {word}")
        holder = cls(words[word])
        size = parcel.read_int32()
        if size < 0:
            raise parcel.error(Status.BAD_VALUE, f"a holder of {size} bytes")
        if size:
            content = parcel.take(size)
            holder._name = content.non_null(content.read_string16())
            holder._raw = content.take(content.remaining)
        return holder

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ParcelableHolder):
            return NotImplemented
        return self._content() == other._content()

    def __hash__(self) -> int:
        raise TypeError("a ParcelableHolder can change, so it has no hash")

    def _content(self) -> tuple[Stability, str, bytes]:
        body = Parcel()
        if self._raw is not None:
            body = self._raw
        elif self._value is not None:
            self._value.write_to(body)
        return self.stability, self._name, bytes(body)

    def __repr__(self) -> str:
        return (
            f"ParcelableHolder({self._value!r})" if self._value else f"ParcelableHolder({self._name or None})"
        )


def read_holder(parcel: Parcel, stability: Stability) -> ParcelableHolder:
    """Reads a holder that is a field of a parcelable of the given stability."""
    holder = parcel.non_null(parcel.read_parcelable(ParcelableHolder))
    if holder.stability is not stability:
        raise parcel.error(Status.BAD_VALUE, f"a holder of stability {holder.stability.name}")
    return holder
