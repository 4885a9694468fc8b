"""A diagnosis for people."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table
from rich.text import Text

from .diagnosis import Diagnosis
from .findings import Level

_STYLES = {
    Level.OK: "green",
    Level.ABSENT: "yellow",
    Level.WARNING: "bold yellow",
    Level.FAILURE: "bold red",
    Level.UNKNOWN: "magenta",
}


def print_diagnosis(diagnosis: Diagnosis, out: Console) -> None:
    """What the device has, what can be played, and what to do."""
    out.print(Text(f"{diagnosis.serial} {diagnosis.model}".strip(), "bold"), soft_wrap=True)
    table = Table.grid(padding=(0, 2))
    for finding in diagnosis.findings:
        says = f"{finding.says}\n-> {finding.remedy}" if finding.remedy else finding.says
        table.add_row(Text(finding.subject), Text(finding.level.value, _STYLES[finding.level]), Text(says))
    table.add_row()
    for tier in diagnosis.tiers:
        state, style = ("can play", "green") if tier.available else ("no", "yellow")
        says = f"{tier.gives} ({tier.why})" + (f"\n-> {tier.remedy}" if tier.remedy else "")
        table.add_row(Text(tier.name), Text(state, style), Text(says))
    out.print(table)
