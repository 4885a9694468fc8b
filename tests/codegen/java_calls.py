"""The calls on a parcel that Google's Java has to make for the layouts that we compute.

`java` says how such a call is written down. A List is read and written like an array; whether a value
may be null is nothing that Java's calls tell.
"""

from __future__ import annotations

from codegen import ast
from codegen.layout import (
    Array,
    BinderValue,
    FileDescriptorValue,
    HolderValue,
    MapValue,
    ParcelableValue,
    Scalar,
    Slot,
    String,
    WireType,
    body_slots,
    reply_slots,
    request_slots,
)

_FILE = "android.os.ParcelFileDescriptor"

# By the letter of a scalar: the method for one, the method for an array of it, and its name in Java.
_SCALARS = {
    "z": ("Boolean", "BooleanArray", "boolean"),
    "b": ("Byte", "ByteArray", "byte"),
    "c": ("Int", "CharArray", "char"),
    "i": ("Int", "IntArray", "int"),
    "q": ("Long", "LongArray", "long"),
    "f": ("Float", "FloatArray", "float"),
    "d": ("Double", "DoubleArray", "double"),
}


def _class(type_: WireType) -> str:
    """The class that a value is made by, if there has to be one."""
    match type_:
        case ParcelableValue(declaration) | BinderValue(ast.Interface() as declaration):
            return declaration.qualified_name
        case FileDescriptorValue(parcel=True):
            return _FILE
        case _:
            return ""


def _one(type_: WireType) -> str:
    """What the methods for one value are called, after `read` or `write`."""
    match type_:
        case Scalar(letter):
            return _SCALARS[letter][0]
        case String():
            return "String"
        case FileDescriptorValue(parcel=False):
            return "RawFileDescriptor"
        case BinderValue():
            return "StrongBinder"
        case _:
            return "TypedObject"


def _many(element: WireType) -> str:
    """What the methods for an array are called, after `read`, `write` or `create`."""
    match element:
        case Scalar(letter):
            return _SCALARS[letter][1]
        case String():
            return "StringArray"
        case BinderValue(declaration):
            return "InterfaceArray" if declaration else "BinderArray"
        case FileDescriptorValue(parcel=False):
            return "RawFileDescriptorArray"
        case _:
            return "TypedArray"


def _fixed(type_: Array) -> tuple[WireType, str]:
    """The innermost element of an array of a fixed size, and its sizes."""
    sizes = []
    element: WireType = type_
    while isinstance(element, Array):
        sizes.append(str(element.count))
        element = element.element
    return element, " ".join(sizes)


def _java_name(element: WireType) -> str:
    match element:
        case Scalar(letter):
            return _SCALARS[letter][2]
        case String():
            return "java.lang.String"
        case BinderValue(None):
            return "android.os.IBinder"
        case _:
            return _class(element)


def _row(*words: str) -> str:
    return " ".join(word for word in words if word)


def write(name: str, type_: WireType) -> list[str]:
    """The calls that write a value."""
    match type_:
        case MapValue(value):
            counts = ["-1: writeInt", f"{name}.size(): writeInt"]
            return [*counts, "k: writeString", *write("v", value)]
        case Array(_, _, int()):
            return [f"{name}: writeFixedArray {_fixed(type_)[1]}"]
        case Array(element):
            return [f"{name}: write{_many(element)}"]
        case BinderValue(ast.Interface()):
            return [f"{name}: writeStrongInterface"]
        case _:
            return [f"{name}: write{_one(type_)}"]


def read(name: str, type_: WireType) -> list[str]:
    """The calls that make a value of what is read."""
    match type_:
        case MapValue(value):
            return ["N: readInt", "k: readString", *read("v", value)]
        case Array(_, _, int()):
            element, sizes = _fixed(type_)
            return [_row(f"{name}: createFixedArray", _java_name(element), _class(element), sizes)]
        case Array(element):
            return [_row(f"{name}: create{_many(element)}", _class(element))]
        case HolderValue():
            return ["?: readInt", f"{name}: readFromParcel"]
        case _:
            return [_row(f"{name}: read{_one(type_)}", _class(type_))]


def fill(name: str, type_: WireType) -> list[str]:
    """The calls that put what is read into an object that is there: a caller's `out` argument."""
    match type_:
        case MapValue(value):
            return ["?: readInt", "k: readString", *read("v", value)]
        case Array(_, _, int()):
            # Google's compiler leaves the package of ParcelFileDescriptor out here.
            return [_row(f"{name}: readFixedArray", _class(_fixed(type_)[0]).removeprefix("android.os."))]
        case Array(element):
            return [_row(f"{name}: read{_many(element)}", _class(element))]
        case ParcelableValue():
            return ["?: readInt", f"{name}: readFromParcel"]
        case FileDescriptorValue(parcel=True):
            return ["?: readInt", f"{name}: createFromParcel {_FILE}"]
        case _:
            return read(name, type_)


def method_calls(method: ast.Method) -> dict[str, list[str]]:
    """All calls for a method, by what they are for. Raises `Unsupported`."""
    arguments = {parameter.name: f"_arg{i}" for i, parameter in enumerate(method.parameters)}
    request, reply = request_slots(method), reply_slots(method)
    made: dict[str, list[str]] = {
        "stub request": [],
        "proxy request": [],
        "stub reply": [],
        "proxy reply": [],
    }
    for slot in request:
        if slot.length_of_array:
            name = slot.name.removesuffix("_length")
            made["stub request"].append(f"{arguments[name]}_length: readInt")
            made["proxy request"].append(f"{name}.length: writeInt")
        else:
            made["stub request"] += read(arguments[slot.name], slot.type)
            made["proxy request"] += write(slot.name, slot.type)
    for slot, parameter in _results(method, reply):
        made["stub reply"] += write(arguments[parameter] if parameter else "_result", slot.type)
        made["proxy reply"] += fill(parameter, slot.type) if parameter else read("_result", slot.type)
    return {f"{method.name} {kind}": calls for kind, calls in made.items()}


def _results(method: ast.Method, reply: list[Slot]) -> list[tuple[Slot, str]]:
    """The slots of a reply, each with the parameter that it is for."""
    own = method.returns.name != "void" or bool(method.returns.dimensions)
    return [(slot, "" if own and i == 0 else slot.name) for i, slot in enumerate(reply)]


def body_calls(parcelable: ast.Parcelable | ast.Union) -> dict[str, list[str]]:
    """All calls for a body, by what they are for. Raises `Unsupported`."""
    slots = body_slots(parcelable)
    if isinstance(parcelable, ast.Parcelable):
        return {
            # The size is written as 0 first, and again when it is known.
            "write": [
                "0: writeInt",
                *(row for slot in slots for row in write(slot.name, slot.type)),
                "_aidl_end_pos - _aidl_start_pos: writeInt",
            ],
            "read": [
                "_aidl_parcelable_size: readInt",
                *(row for slot in slots for row in read(slot.name, slot.type)),
            ],
        }
    made = {"write tag": ["_tag: writeInt"], "read tag": ["_aidl_tag: readInt"]}
    for slot in slots:
        getter = f"get{slot.name[0].upper()}{slot.name[1:]}()"
        made[f"write member {slot.name}"] = write(getter, slot.type)
        made[f"read member {slot.name}"] = read("_aidl_value", slot.type)
    return made
