"""What `binder` offers."""

from __future__ import annotations

from types import FunctionType

import binder
import binder.local


def test_every_name_that_is_offered_is_there_and_listed_once() -> None:
    for module in (binder, binder.local):
        assert len(set(module.__all__)) == len(module.__all__)
        assert [name for name in module.__all__ if not hasattr(module, name)] == []


def test_every_public_class_and_function_of_the_package_itself_is_offered() -> None:
    for module in (binder, binder.local):
        found = {
            name
            for name, thing in vars(module).items()
            if not name.startswith("_") and getattr(thing, "__module__", "").startswith("binder")
        }
        assert found - set(module.__all__) == set()


def test_what_generated_code_needs_is_documented() -> None:
    things = [getattr(binder, name) for name in binder.__all__]
    undocumented = [thing for thing in things if isinstance(thing, type | FunctionType) and not thing.__doc__]
    assert undocumented == []
