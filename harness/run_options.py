"""The options of `harness run`, as its help words them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .backends import BACKENDS

Names = Annotated[
    list[str] | None, typer.Argument(metavar="[NAME-OR-GLOB]...", help="Which scenarios; all by default.")
]
BackendName = Annotated[str, typer.Option("--backend", help=f"Where to play them: {', '.join(BACKENDS)}.")]
Processes = Annotated[int, typer.Option("-n", min=1, metavar="N", help="Processes to play with.")]
Seed = Annotated[int, typer.Option(metavar="N", help="Chooses what may happen in any order.")]
PolicyFile = Annotated[
    str | None, typer.Option(metavar="FILE.py:CLASS", help="Try a policy of yours in place of Budget.")
]
JsonFile = Annotated[Path | None, typer.Option("--json", metavar="F", help="Write results and events.")]
JunitFile = Annotated[Path | None, typer.Option(metavar="F", help="Write a JUnit XML file.")]
EvidenceFolder = Annotated[
    Path | None, typer.Option(metavar="DIR", help="Write what there is to look at of each failure.")
]
AdbServers = Annotated[
    list[str] | None,
    typer.Option("--adb-server", metavar="HOST:PORT", help="An adb server, here or elsewhere. Repeatable."),
]
Serials = Annotated[
    list[str] | None,
    typer.Option("--serial", metavar="S", help="A device, as adb lists it. Repeatable."),
]

Apps = Annotated[
    list[str] | None,
    typer.Option(
        "--app",
        metavar="[LABEL=]PACKAGE",
        help="An installed app to play as; all that can be, by default. Repeatable.",
    ),
]
TraceFile = Annotated[Path | None, typer.Option(metavar="F", help="Write a trace for the Perfetto UI.")]
PageFile = Annotated[Path | None, typer.Option(metavar="F", help="Write a page to look at.")]
Quiet = Annotated[
    bool, typer.Option("--quiet", "-q", help="Print failures and the sum, and nothing meanwhile.")
]
Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="Print a line for every scenario as it ends.")]
AndroidOnly = Annotated[
    bool, typer.Option("--android-only", help="Use a virtual device as if it were a real one.")
]

TakeOverHal = Annotated[
    bool,
    typer.Option(
        "--take-over-hal",
        help="Play what calls a device's HAL in the service's place, which gets it back each time.",
    ),
]
