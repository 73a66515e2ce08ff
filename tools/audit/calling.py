"""One call of the tool `audit`: the kernels run, and what one of them found is told in brief."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from configs.audit import AuditSettings
from configs.settings import SandboxChoice
from tools.audit.asking import AUDIT, AuditCall
from tools.audit.brief import brief
from tools.audit.labels import label
from tools.audit.languages import language_of
from tools.audit.pipeline import audit_repository

NOT_THERE = 2


@dataclass(frozen=True)
class Called:
    """What a call came to, as of a program.

    Attributes:
        returncode: 0 if there is a report.
        stdout: the report in brief, else nothing.
        stderr: why there is none.
    """

    returncode: int
    stdout: bytes = b""
    stderr: str = ""


async def call_audit(root: Path, asked: AuditCall, settings: AuditSettings, sandbox: SandboxChoice) -> Called:
    """Run the kernels over a place below the root; the processes it starts are gone when it ends.

    Args:
        root: resolved directory; nothing outside is opened but the repository it may be a part of.
        asked: checked, its path relative to the root.
        settings: limits of the audit.
        sandbox: isolation wanted for git.

    Raises:
        AuditFailed: the place cannot be listed, or no worker started.
    """
    place = Path(os.path.realpath(root / asked.path))
    name = label(asked.path)
    if not os.path.lexists(place):
        return Called(NOT_THERE, stderr=f"{AUDIT}: {name}: No such file or directory\n")
    if place.is_file() and language_of(place.name) is None:
        return Called(1, stderr=f"{AUDIT}: {name}: not a source file of a language that is known\n")
    above = os.path.relpath(place if place.is_dir() else place.parent, root)
    prefix = "" if above == "." else f"{label(above)}/"
    report = await audit_repository(place, settings, sandbox=sandbox)
    if settings.exclude:
        # The audited project itself may have set it.
        told = f"The setting audit.exclude leaves out {', '.join(settings.exclude)}."
        report = report.model_copy(update={"notes": (*report.notes, told)})
    text = brief(report, asked.kernel, place=name, prefix=prefix, limit=asked.limit)
    return Called(0, text.encode("utf-8", "backslashreplace"))
