"""Python names for AIDL names.

An AIDL name stays as it is unless Python reserves it or generated code needs it for something
else; then it gets an underscore at the end. A name that already is such a name with underscores
gets one more, so that two AIDL names never become one.
"""

from __future__ import annotations

import keyword
from collections.abc import Iterable

from . import ast

# What generated classes use as types in their bodies: a member of that name would hide it.
_TYPE_NAMES = frozenset("bool bytes float int list object str tuple type".split())

# What generated modules import.
MODULE_NAMES = frozenset(
    "Any ClassVar FixedBody IBinder Interface InterfaceInfo Method NamedTuple OpaqueParcelable OpenEnum "
    "Parcel ParcelFileDescriptor Parcelable ParcelableHolder ParcelableInfo Permission Proxy Run Self "
    "Stability Status Stub UsageError abstractmethod annotations chr cls dataclass end exactly field "
    "given int8 marked_bytes packer parcel read_holder self sized_body start string16_bytes utf16_unit "
    "whole".split()
)

# What the runtime's own classes define; a test compares these with the classes themselves.
INTERFACE_NAMES = frozenset(
    "address aidl as_binder execute flatten from_binder getInterfaceHash getInterfaceVersion "
    "interface_descriptor is_alive link_to_death new_parcel on_dump on_shell_command on_transact "
    "own_descriptor ping stability transact unlink_to_death".split()
)
PARCELABLE_NAMES = frozenset({"aidl", "pack_body", "read_from", "write_to"})
UNION_NAMES = frozenset({"Tag", "tag", "value"})
ENUM_NAMES = frozenset(
    "as_integer_ratio bit_count bit_length conjugate denominator from_bytes imag is_integer mro name "
    "numerator real to_bytes value".split()
)


def python_name(name: str, reserved: frozenset[str] = frozenset()) -> str:
    """What an AIDL name is called where `reserved` names mean something else."""
    if name.startswith("__"):
        # Python rewrites such names inside of classes.
        return f"aidl{name}"
    stem = name.rstrip("_")
    if keyword.iskeyword(stem) or stem in _TYPE_NAMES or stem in reserved:
        return f"{name}_"
    return name


def type_name(name: str) -> str:
    """The class for a declaration's own name."""
    return python_name(name, MODULE_NAMES)


def type_path(declaration: ast.Declaration) -> str:
    """The class within its module: `A.B` for a nested one."""
    if isinstance(declaration, ast.UnstructuredParcelable):
        # `parcelable A.B;` needs no A around it.
        return "_".join(type_name(part) for part in declaration.path.split("."))
    return ".".join(type_name(part) for part in declaration.path.split("."))


def member_name(declaration: ast.Declaration, name: str) -> str:
    """A field, method or enumerator of a declaration."""
    if isinstance(declaration, ast.Enum):
        if name.startswith("_") and name.endswith("_"):
            return f"aidl{name}"  # such names mean something to Python's enums
        return python_name(name, ENUM_NAMES)
    return _inside(declaration, name, _nested_names(declaration))


def constant_name(declaration: ast.Declaration, name: str) -> str:
    """A constant of a declaration. AIDL lets it be called like a field or a method."""
    members: Iterable[ast.Field | ast.Method] = ()
    if isinstance(declaration, ast.Interface):
        members = declaration.methods
    elif isinstance(declaration, ast.Parcelable | ast.Union):
        members = declaration.fields
    if any(member.name == name for member in members):
        return f"const_{name}"
    return _inside(declaration, name, _nested_names(declaration))


def _nested_names(declaration: ast.Declaration) -> frozenset[str]:
    """What a class has inside it already: AIDL lets fields and methods be called like nested types."""
    return frozenset(nested.name for nested in declaration.nested)


def _inside(declaration: ast.Declaration, name: str, taken: frozenset[str]) -> str:
    if isinstance(declaration, ast.Interface):
        return _private(python_name(name, INTERFACE_NAMES | taken))
    reserved = PARCELABLE_NAMES | MODULE_NAMES | taken
    return python_name(name, reserved | UNION_NAMES if isinstance(declaration, ast.Union) else reserved)


def _private(name: str) -> str:
    """Keeps clear of the runtime's own private names."""
    return f"aidl{name}" if name.startswith("_") else name


def tuple_item_name(name: str) -> str:
    """An item of a named tuple."""
    return _private(python_name(name, MODULE_NAMES | {"count", "index"}))


def parameter_name(name: str) -> str:
    """A parameter of a generated method."""
    return python_name(name, MODULE_NAMES)


def module_parts(package: str) -> list[str]:
    """The folders for an AIDL package."""
    return [python_name(part) for part in package.split(".")] if package else []


def module_alias(package: str) -> str:
    """What another package's module is called where it is imported."""
    return "_".join(module_parts(package)) or "root"


def role_name(interface: str, role: str) -> str:
    """The proxy (`role` Bp) or stub (Bn) of an interface: BnFoo for IFoo, BnA for A."""
    has_prefix = len(interface) > 1 and interface[0] == "I" and interface[1].isupper()
    return role + (interface[1:] if has_prefix else interface)
