"""The commands of `harness`: options, checks of what was asked for, and what is printed where."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version as version_of
from pathlib import Path
from typing import Annotated, Any, cast

import typer

from binder.kernel import DeviceError

from . import record_commands
from .adb import AdbError, Device, Server
from .agent.build import TARGETS, BuildError, abi_named, build
from .agent.install import InstallError, install, start
from .backend import Backend, BackendUnusable
from .backends import BACKENDS, open_backend
from .catalogue import catalogue, nearest, unmatched
from .differences import differences
from .live import watching
from .names import matches
from .on_device.options import DeviceOptions
from .outputs import OutputError, Outputs
from .reading import ReadingError
from .report import (
    console,
    print_catalogue,
    print_differences,
    print_rules,
    print_run,
)
from .rules import RULES
from .run import Run, play
from .run_options import (
    AdbServers,
    AndroidOnly,
    Apps,
    BackendName,
    EvidenceFolder,
    JsonFile,
    JunitFile,
    Names,
    PageFile,
    PolicyFile,
    Processes,
    Quiet,
    Seed,
    Serials,
    TakeOverHal,
    TraceFile,
    Verbose,
)
from .speech import Refused, printing, refuse, say

PASSED, FAILED, UNUSABLE, LOST, INTERRUPTED = 0, 1, 2, 3, 130

# What typer raises for a bad command line; only its subclasses are exported.
_UsageError = cast("type[Exception]", typer.BadParameter.__mro__[1])

app = typer.Typer(
    name="harness",
    help="Play NPU Manager scenarios.",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


agent_app = typer.Typer(
    help="The program that uses a device's binder driver for the harness.",
    epilog="Example: harness agent push --serial emulator-5554",
    no_args_is_help=False,
    rich_markup_mode=None,
)
app.add_typer(agent_app, name="agent")


_REFUSALS = (Refused, AdbError, BuildError, InstallError, DeviceError, OutputError, ReadingError)


def run_command_line() -> int:
    """Does what `sys.argv` says and returns the exit code."""
    try:
        code = app(standalone_mode=False)
    except _REFUSALS as refusal:
        say(f"harness: {refusal}")
        return UNUSABLE
    except _UsageError as error:
        say(_usage_message(error))
        return UNUSABLE
    if code == INTERRUPTED:  # what typer makes of Ctrl-C
        raise KeyboardInterrupt
    return code if isinstance(code, int) else PASSED


def _usage_message(error: Exception) -> str:
    text = str(getattr(error, "format_message", lambda: error)()).strip()
    command = getattr(getattr(error, "ctx", None), "command_path", "harness")
    return f"harness: {text[0].lower()}{text[1:].rstrip('.')}; see: {command} --help"


def _show_version(wanted: bool) -> None:
    if wanted:
        with printing():
            print(f"harness {version_of('npukit')}")  # noqa: T201
        raise typer.Exit


@app.callback(invoke_without_command=True, epilog="Example: harness run 'turn_taking.*' --seed 7")
def harness(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Say which version this is."),
    ] = False,
) -> None:
    """Play NPU Manager scenarios."""
    if context.invoked_subcommand is None:
        refuse("which command, list, run, doctor, devices or serve? See: harness --help")


@app.command(name="list", epilog="Example: harness list --json | jq '.[].name'")
def list_(
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
    rules: Annotated[bool, typer.Option("--rules", help="List rules, with what covers each.")] = False,
) -> None:
    """List the scenarios: what each needs of a backend, and which public rule it covers."""
    entries = catalogue()
    with printing():
        if as_json:
            rows = [rule.as_json(entries) for rule in RULES] if rules else [e.as_json() for e in entries]
            print(json.dumps(rows, indent=1))  # noqa: T201
        else:
            (print_rules if rules else print_catalogue)(entries, console())


@app.command(epilog="Example: harness run 'turn_taking.*' --seed 7 --json out.json")
def run(
    names: Names = None,
    backend: BackendName = "reference",
    processes: Processes = 1,
    seed: Seed = 0,
    policy: PolicyFile = None,
    json_file: JsonFile = None,
    junit: JunitFile = None,
    trace: TraceFile = None,
    html: PageFile = None,
    evidence: EvidenceFolder = None,
    serials: Serials = None,
    servers: AdbServers = None,
    apps: Apps = None,
    android_only: AndroidOnly = False,
    take_over_hal: TakeOverHal = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> int:
    """Play scenarios.

    Exits 0 if all passed, 1 if some failed, 2 if it could not begin, 3 if a device was lost.
    """
    if quiet and verbose:
        refuse("--quiet and --verbose exclude each other")
    if backend not in BACKENDS:
        refuse(f"there is no backend {backend!r}; there is: {', '.join(BACKENDS)}")
    patterns = _patterns(names or [])
    outputs = Outputs(json_file, junit, evidence, trace, html)
    outputs.check()
    devices = DeviceOptions(
        tuple(servers or ()),
        tuple(serials or ()),
        tuple(apps or ()),
        not android_only,
        f"{os.getpid()}",
        take_over_hal,
    )
    place, places = _opened(backend, policy, devices)
    total = sum(len(entry.names) for entry in catalogue()) if not patterns else len(_chosen(patterns))
    asked = _Asked(patterns, backend, devices, seed, min(processes, total, places or processes))
    with watching(total, quiet=quiet, verbose=verbose) as progress:
        done = asked.play(
            policy=policy,
            record=outputs.want_events or policy is not None,
            progress=progress,
        )
    if done.exit_code == UNUSABLE and not done.results:
        refuse("\n".join(["the scenarios could not be played", *done.problems]))
    try:
        with printing():
            print_run(done, console(), quiet=quiet)
            if policy is not None:
                done.differences = differences(done, asked.play(record=True))
                print_differences(done, policy, console())
    finally:
        outputs.write(done)
    return _conclude(done, place)


def _opened(name: str, policy: str | None, devices: DeviceOptions) -> tuple[Backend, int | None]:
    """The backend, if something can be played there, and how many can play there at once."""
    try:
        place = open_backend(name, policy, devices)
        place.check()
        return place, place.places
    except BackendUnusable as error:
        refuse(str(error))


def _conclude(done: Run, place: Backend) -> int:
    """Says what is left to say, and the exit code."""
    _advise(done)
    for lost, why in (losses := place.losses()).items():
        say(f"harness: {lost} was lost: {why}")
    return LOST if losses else done.exit_code


app.command(epilog="Example: harness page out.json -o out.html")(record_commands.page)
app.command(epilog="Example: harness trace out.json -o out.trace")(record_commands.trace)
app.command(epilog="Example: harness compare before.json after.json --html differences.html")(
    record_commands.compare
)


@app.command(epilog="Example: harness doctor --serial 39180DLJG0017F --json")
def doctor(
    serial: Annotated[
        str | None, typer.Option(metavar="S", help="The device; ANDROID_SERIAL, or the only one, by default.")
    ] = None,
    adb_server: AdbServers = None,
    agent: Annotated[bool, typer.Option("--agent/--no-agent", help="Try the agent on it, too.")] = True,
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> int:
    """Say what a device has, what can be played on it, and what to do about the rest.

    Exits 0 if scenarios can be played, 1 if not or if something is against a rule, 2 if it could not begin,
    3 if the device was lost.
    """
    from .adb import AdbError
    from .device_commands import DeviceLost, examine
    from .doctor.report import print_diagnosis

    try:
        diagnosis = examine([serial] if serial else [], adb_server or [], with_agent=agent)
    except AdbError as error:
        refuse(str(error))
    except DeviceLost as lost:
        say(f"harness: the device was lost: {lost}")
        return LOST
    with printing():
        if as_json:
            print(json.dumps(diagnosis.as_json(), indent=1))  # noqa: T201
        else:
            print_diagnosis(diagnosis, console())
    return diagnosis.exit_code


@app.command(epilog="Example: harness devices --adb-server lab-1:5037 --adb-server lab-2:5037")
def devices(
    adb_server: AdbServers = None,
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> None:
    """List the devices that adb reaches, each once, with what to do about those that are not ready."""
    from .adb import AdbError
    from .device_commands import devices_as_json, listed, print_devices

    try:
        found = listed(adb_server or [])
    except AdbError as error:
        refuse(str(error))
    with printing():
        if as_json:
            print(json.dumps(devices_as_json(found), indent=1))  # noqa: T201
        else:
            print_devices(found, console())


@app.command(epilog="Example: harness serve --binder /dev/binder --context-manager")
def serve(
    binder: Annotated[str, typer.Option(metavar="DEV", help="The binder driver's device.")],
    context_manager: Annotated[
        bool, typer.Option("--context-manager", help="Be the service manager, too; else there must be one.")
    ] = False,
    heaps: Annotated[
        Path | None,
        typer.Option(metavar="F", help="Hand out buffers of these heaps (TOML; see docs/buffers.md)."),
    ] = None,
    part: Annotated[
        str,
        typer.Option(metavar="all|service|hal", help="What of the device to serve."),
    ] = "all",
) -> int:
    """Serve a reference NPU device to other programs, over a real binder driver, until Ctrl-C."""
    if part not in ("all", "service", "hal"):
        refuse(f"there is no part {part!r} of a device; there is: all, service, hal")
    # A program of its own, which needs nothing but the standard library: the same that runs on a device.
    arguments = ["-m", "reference_impl.serving", "--binder", binder, "--part", part]
    arguments += ["--context-manager"] * context_manager
    arguments += [] if heaps is None else ["--heaps", str(heaps)]
    os.execv(sys.executable, [sys.executable, *arguments])


@agent_app.command(name="build", epilog="Example: harness agent build --abi aarch64 --abi x86_64")
def agent_build(
    abi: Annotated[
        list[str] | None, typer.Option(help=f"For which machines: {', '.join(TARGETS)}; all by default.")
    ] = None,
) -> None:
    """Compile the agent, unless that has been done, and print where it is. Needs npukit[agent]."""
    for name in [abi_named(name) for name in abi or TARGETS]:
        program = build(name, say)
        with printing():
            print(program)  # noqa: T201


@agent_app.command(name="push", epilog="Example: harness agent push --serial emulator-5554")
def agent_push(
    serial: Annotated[str, typer.Option(metavar="S", help="Which device, as adb devices lists it.")],
) -> None:
    """Bring the agent onto a device, unless it is there, try it, and print where it is."""
    server = Server.from_environment()
    server.ensure_running()
    device = Device(server, serial)
    path = install(device, say)
    start(device, path, "", name=f"the agent on {serial}").close()
    with printing():
        print(path)  # noqa: T201


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is to be played, and how."""

    patterns: list[str]
    backend: str
    devices: DeviceOptions
    seed: int
    processes: int

    def play(self, **options: Any) -> Run:
        return play(
            self.patterns,
            backend=self.backend,
            devices=self.devices,
            seed=self.seed,
            processes=self.processes,
            **options,
        )


def _advise(done: Run) -> None:
    """Says what was no scenario's fault, and what to type next."""
    for problem in done.problems:
        say(f"harness: {problem}")
    failed = next((result.name for result in done.results if result.outcome == "failed"), None)
    if failed is not None:
        elsewhere = "" if done.backend == "reference" else f" --backend {done.backend}"
        say(f"harness: to see one again: harness run '{failed}'{elsewhere} --seed {done.seed}")


# --- which scenarios ------------------------------------------------------------------------------


def _patterns(names: Sequence[str]) -> list[str]:
    """The names as scenarios have them. Refuses those that fit none."""
    entries = catalogue()
    for name in names:
        if unmatched([_underscored(name)], entries):
            close = " or ".join(nearest(_underscored(name), entries))
            refuse(f"no scenario is called {name!r}; did you mean {close}? All of them: harness list")
    return [_underscored(name) for name in names]


def _underscored(name: str) -> str:
    """A name as scenarios have it, for those who write dashes; what varies in brackets is left alone."""
    base, bracket, variant = name.partition("[")
    return base.replace("-", "_") + bracket + variant


def _chosen(patterns: Sequence[str]) -> list[str]:
    return [name for entry in catalogue() for name in entry.names if matches(name, patterns)]
