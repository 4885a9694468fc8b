"""Which Python class stands for an unstructured parcelable, whose bytes AIDL does not define."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

_CLASS = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*:[A-Za-z_]\w*")


class RegistryError(ValueError):
    """A class that is not written as `module:Class`."""


@dataclass(frozen=True, slots=True)
class PythonClass:
    """A class by where it is imported from."""

    module: str
    name: str

    @classmethod
    def parse(cls, text: str) -> PythonClass:
        """From `module:Class`. Raises `RegistryError`."""
        if not _CLASS.fullmatch(text):
            raise RegistryError(f"{text!r} is not a class; write module:Class")
        module, _, name = text.partition(":")
        return cls(module, name)


BUILT_IN: Mapping[str, PythonClass] = {
    "android.os.PersistableBundle": PythonClass("binder", "PersistableBundle"),
}
"""By the AIDL name, the classes that come with the runtime."""
