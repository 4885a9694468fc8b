"""The `codegen decode` command."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from . import ast
from .bytes_input import BytesError, read_bytes
from .console import app, complain, fail, plain_errors, report, say
from .decode import Decoded, decode_reply, decode_request
from .diagnostics import Diagnostics
from .frontend import compile_files
from .job import import_roots

EXAMPLE = (
    "Example: adb shell service call npu 2 ... | "
    "codegen decode android.npumanager.INpuManagerService cancelModelLoad - --reply"
)


@app.command(epilog=EXAMPLE)
def decode(
    interface: Annotated[str, typer.Argument(help="An .aidl file, or an interface's name with its package.")],
    method: Annotated[str, typer.Argument(help="A method's name or transaction code.")],
    data: Annotated[
        str,
        typer.Argument(metavar="BYTES", help="Hex, @FILE, or - for standard input."),
    ] = "-",
    roots: Annotated[
        list[Path] | None, typer.Option("-I", metavar="DIR", help="Where to look for imports. Repeatable.")
    ] = None,
    reply: Annotated[bool, typer.Option("--reply", help="The bytes are a reply, not a request.")] = False,
    api_level: Annotated[int, typer.Option(min=29, max=37, help="Whose wire variant the bytes are in.")] = 37,
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> None:
    """Show what the bytes of a transaction mean; wrong bytes are explained with their offset."""
    declaration, found = _find(interface, method, roots or [])
    try:
        raw = read_bytes(data)
    except BytesError as error:
        fail(f"codegen: {error}", 2)
    except OSError as error:
        fail(f"{error.filename}: cannot be read: {error.strerror}", 2)
    if reply:
        decoded = decode_reply(found, raw, api_level=api_level)
    else:
        decoded = decode_request(declaration, found, raw, api_level=api_level)
    if as_json:
        trouble = str(decoded.error) if decoded.error else None
        say(json.dumps({"values": decoded.values, "error": trouble}, indent=2))
    else:
        role = "reply" if reply else "request"
        say(f"{declaration.descriptor}.{found.name} (code {found.id + 1}), {role}, {len(raw)} bytes")
        _show(decoded)
    if decoded.error is not None:
        fail(f"codegen: {decoded.error}", 1)


def _show(decoded: Decoded) -> None:
    width = max((2 * line.depth + len(line.name) for line in decoded.lines), default=0)
    for line in decoded.lines:
        name = "  " * line.depth + line.name
        say(f"  {line.offset:>6}  {name:{width}}  {line.text}")


def _find(interface: str, method: str, given: list[Path]) -> tuple[ast.Interface, ast.Method]:
    """The interface and method that the words mean; complains and ends the program if there are none."""
    diagnostics = Diagnostics()
    with plain_errors():
        path, roots = _source(interface, given)
        program = compile_files([path], roots, vintf=True, diagnostics=diagnostics)
    report(diagnostics)
    declared = [inner for outer in program.requested[0].declarations for inner in outer.walk()]
    interfaces = [item for item in declared if isinstance(item, ast.Interface)]
    wanted = [item for item in interfaces if item.qualified_name == interface] or interfaces[:1]
    if not wanted:
        fail(f"{path}: declares no interface", 2)
    for found in wanted[0].methods:
        if method in (found.name, str(found.id + 1)):
            return wanted[0], found
    known = ", ".join(f"{found.name} ({found.id + 1})" for found in wanted[0].methods)
    return _no_method(wanted[0], method, known)


def _no_method(interface: ast.Interface, method: str, known: str) -> NoReturn:
    fail(f"codegen: {interface.qualified_name} has no method {method!r}; it has {known or 'none'}", 2)


def _source(interface: str, given: list[Path]) -> tuple[Path, list[Path]]:
    """The file of an interface, and where its imports are."""
    if interface.endswith(".aidl"):
        path = Path(interface)
        return path, import_roots([path], given)
    roots = import_roots([], given)
    # A nested interface is in the file of what it is nested in.
    parts = interface.split(".")
    for end in range(len(parts), 0, -1):
        for root in roots:
            path = root.joinpath(*parts[:end]).with_suffix(".aidl")
            if path.is_file():
                return path, roots
    searched = ", ".join(map(str, roots)) or "nowhere"
    complain(f"codegen: no file declares {interface!r}; searched: {searched}")
    fail("codegen: name its .aidl file, or the folder its package starts in with -I", 2)
