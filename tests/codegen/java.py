"""Reads the Java that Google's compiler writes: constants, transaction codes, and calls on parcels.

Only what that compiler writes is understood, not Java at large. A call on a parcel becomes a line
such as `name: createTypedArray q.P`: what it is assigned to or passes, the method, and what else
decides over the bytes (a class, the sizes of an array).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

_TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|/\*.*?\*/|//[^\n]*', re.DOTALL)
_KEPT = re.compile("\0(\\d+)\0")
_CLASS = re.compile(r"\b(?:class|interface)\s+(\w+)")
_HELPER = re.compile(
    r"class Default implements|class Stub extends android\.os\.Binder|class Proxy implements|"
    r"class _Parcel\b|class Builder\b"
)
_CODE = re.compile(r"int TRANSACTION_(\w+) = \(android\.os\.IBinder\.FIRST_CALL_TRANSACTION \+ (\d+)\)")
_CONSTANT = re.compile(r"\bpublic static final ([\w.]+) (\w+) = (.*)$", re.DOTALL)
_FIELD = re.compile(r"\b(?:public|private) ([\w.<>,\[\]]+) (\w+)(?: = (.*))?$", re.DOTALL)
# A class that never changes reads itself in a function.
_KINDS = {"writeToParcel": "write", "readFromParcel": "read", "internalCreateFromParcel": "read"}
_METHOD = re.compile(r"(\w+)\(")


@dataclass
class JavaType:
    """One class, named as in AIDL.

    `calls` is by what they are for: `f stub request`, `f proxy reply`, `write`, `read member x`, ...
    """

    constants: dict[str, str] = field(default_factory=dict)
    defaults: dict[str, str] = field(default_factory=dict)
    codes: dict[str, int] = field(default_factory=dict)
    calls: dict[str, list[str]] = field(default_factory=dict)


@dataclass
class _Block:
    """Text in braces, with what stands before it, and the blocks in it."""

    header: str
    own: str = ""  # without the blocks in it
    text: str = ""  # with them
    blocks: list[_Block] = field(default_factory=list)


def read_java(text: str) -> dict[str, JavaType]:
    """All types of a file, by their names in AIDL."""
    literals: list[str] = []

    def keep(match: re.Match[str]) -> str:
        if match[0][0] == "/":
            return " "
        literals.append(match[0])
        return f"\0{len(literals) - 1}\0"

    bare = _TOKEN.sub(keep, text)
    package = re.search(r"^package ([\w.]+);", bare, re.MULTILINE)
    prefix = f"{package[1]}." if package else ""
    types: dict[str, JavaType] = {}
    for block in _parse(bare).blocks:
        _read_class(block, prefix, types, literals)
    return types


def _parse(text: str) -> _Block:
    root = _Block("")
    stack, starts = [root], [0]
    last = 0
    for match in re.finditer(r"[{};]", text):
        before = text[last : match.start()]
        if match[0] == "{":
            stack[-1].blocks.append(_Block(before.strip()))
            stack[-1].own += before
            stack.append(stack[-1].blocks[-1])
            starts.append(match.end())
        elif match[0] == "}":
            block = stack.pop()
            block.own += before
            block.text = text[starts.pop() : match.start()]
            # An array's value belongs to the statement that it stands in.
            stack[-1].own += f"{{{block.text}}}" if block.header.endswith("=") else ";"
        else:
            stack[-1].own += before + ";"
        last = match.end()
    return root


def _read_class(block: _Block, prefix: str, types: dict[str, JavaType], literals: list[str]) -> None:
    found = _CLASS.search(block.header)
    if found is None:
        return
    name = prefix + found[1]
    made = types[name] = JavaType()
    for statement in (" ".join(part.split()) for part in block.own.split(";")):
        statement = _KEPT.sub(lambda match: literals[int(match[1])], statement)
        if constant := _CONSTANT.search(statement):
            if not constant[1].startswith("android.os.") and constant[2] != "DESCRIPTOR":
                made.constants[constant[2]] = constant[3]
        elif (default := _FIELD.search(statement)) and default[3] is not None:
            made.defaults[default[2]] = default[3]
    for inner in block.blocks:
        if _HELPER.search(inner.header):
            _read_helper(inner, made)
        elif _CLASS.search(inner.header):
            _read_class(inner, f"{name}.", types, literals)
        else:
            _read_method(inner, made)


def _read_helper(block: _Block, made: JavaType) -> None:
    """The stub of an interface, and the proxy in it."""
    made.codes.update((name, int(number)) for name, number in _CODE.findall(block.own))
    for inner in block.blocks:
        if _HELPER.search(inner.header):
            _read_helper(inner, made)
        elif "onTransact(int code, android.os.Parcel" in inner.header:
            _, *cases = re.split(r"case TRANSACTION_(\w+):", inner.text)
            for name, text in zip(cases[::2], cases[1::2], strict=True):
                text = text.partition("default:")[0]
                request, _, reply = text.partition("reply.writeNoException()")
                made.calls[f"{name} stub request"] = list(_calls(request, r"data"))
                made.calls[f"{name} stub reply"] = list(_calls(reply, r"reply"))
        elif transact := re.search(r"transact\(Stub\.TRANSACTION_(\w+)", inner.text):
            request, reply = inner.text[: transact.start()], inner.text[transact.end() :]
            made.calls[f"{transact[1]} proxy request"] = list(_calls(request, r"_data"))
            made.calls[f"{transact[1]} proxy reply"] = list(_calls(reply, r"_reply"))


def _read_method(block: _Block, made: JavaType) -> None:
    method = _METHOD.search(block.header)
    kind = _KINDS.get(method[1]) if method else None
    if kind is None:
        return
    head, *members = re.split(r"\bcase (\w+):", block.text)
    calls = list(_calls(head, "_aidl_parcel"))
    if members:
        made.calls[f"{kind} tag"] = calls
        for name, text in zip(members[::2], members[1::2], strict=True):
            made.calls[f"{kind} member {name}"] = list(_calls(text, "_aidl_parcel"))
    else:
        made.calls[kind] = calls


_CALL = (
    r"^(?:.*?\b(?P<to>\w+) = )?(?:\(char\))?(?:(?P<of>[\w.]+)\.Stub\.asInterface\()?"
    r"(?P<rest>.*?)\b(?:PARCEL)\.(?P<method>\w+)\((?P<args>.*)\)"
)
_FILLS = r"^(?P<to>\w+)(?P<of>(?: = .*\.CREATOR)?)\.(?P<method>readFromParcel|createFromParcel)\((?:PARCEL)\)"
_NO_VALUES = {
    *("writeInterfaceToken", "enforceInterface", "enforceNoDataAvail", "readException", "recycle"),
    *("dataPosition", "setDataPosition", "dataSize", "markSensitive", "setPropagateAllowBlocking"),
}
_FLAGS = {"0", "_aidl_flag", "android.os.Parcelable.PARCELABLE_WRITE_RETURN_VALUE"}


def _calls(text: str, parcel: str) -> Iterator[str]:
    call = re.compile(_CALL.replace("PARCEL", parcel))
    fills = re.compile(_FILLS.replace("PARCEL", parcel))
    for statement in (" ".join(part.split()) for part in re.split(r"[;{}]", text)):
        if match := fills.match(statement):
            yield f"{match['to']}: {match['method']}{match['of'][2:].removesuffix('.CREATOR')}"
        elif (match := call.match(statement)) and match["method"] not in _NO_VALUES:
            yield _line(match)


def _line(match: re.Match[str]) -> str:
    arguments = _split(match["args"])
    method = re.sub(r"(?<=[a-z])List$", "Array", match["method"].replace("ArrayList", "Array"))
    name = (match["to"] or "?").removeprefix("_aidl_temp_")
    if method.startswith("write") or (method.startswith("read") and "Array" in method):
        name, *arguments = arguments
        name = re.sub(r"^\(\(int\)(.*)\)$", r"\1", name)
    if method.startswith("write") and arguments and arguments[0] in _FLAGS:
        del arguments[0]
    details = [match["of"]] if match["of"] else []
    for argument in arguments:
        cut = re.sub(r"\.CREATOR$|\.Stub::asInterface$|(\[\])*\.class$", "", argument)
        if not cut.endswith("[]::new"):
            details.append(cut)
    return " ".join([f"{name}:", method, *details])


def _split(arguments: str) -> list[str]:
    """Arguments, at commas that are in no parentheses. What closes the statement's own is left out."""
    parts, depth = [""], 0
    for char in arguments:
        depth += (char in "(<") - (char in ")>")
        if depth < 0:
            break
        if char == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += char
    return [part.strip() for part in parts if part.strip()]
