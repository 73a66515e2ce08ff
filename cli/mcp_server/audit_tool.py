"""`audit`: facts about a tree of source code that code alone finds, each with its file and line."""

from __future__ import annotations

import asyncio
from typing import Literal

from pydantic import Field

from cli.audit_output import only
from cli.mcp_server.engine_tool import Arguments, Call, EngineTool, Outcome
from cli.mcp_server.place import below
from configs.errors import UsageError
from configs.prompting import render
from tools.audit.crew import Told
from tools.audit.kernels import Kernel
from tools.audit.pipeline import audit_repository
from tools.audit.report import Audit


class AuditArguments(Arguments):
    """What `audit` takes."""

    path: str = Field("", description="Directory below the root, relative to it. Empty: the root itself.")
    kernel: Kernel | Literal["all"] = Field(
        "recommendations",
        description="Whose facts to give; all of a large tree are more than a conversation holds.",
    )


async def audit(call: Call, given: AuditArguments) -> Outcome:
    """Run the kernels.

    Raises:
        ReflectError: the directory cannot be audited.
    """
    place = await asyncio.to_thread(below, call.site.root, given.path)
    if not place.is_dir():
        raise UsageError("The path is no directory.", "Name the directory that holds the code.")
    settings = await asyncio.to_thread(call.site.settings)
    told = _telling(call)
    report = await audit_repository(place, settings.audit, told, sandbox=settings.tools.sandbox)
    shown = report if given.kernel == "all" else only(report, given.kernel)
    return Outcome(shown, text_of(report))


def text_of(report: Audit) -> str:
    """What to do first, for people, and what was left out."""
    advice = [
        f"{one.place.file}:{one.place.line} {one.severity}: {one.what}" for one in report.recommendations
    ]
    scanned = f"{len(report.scan.modules)} files, risk {report.risk.score:.1f} of 100"
    left_out = f"{len(report.skipped)} were left out" if report.skipped else ""
    return "\n".join(filter(None, [scanned, left_out, *advice, *report.notes]))


def _telling(call: Call) -> Told:
    """Tells the client of progress, whichever thread makes it."""
    loop = asyncio.get_running_loop()

    def told(kernel: str, done: int, of: int) -> None:
        loop.call_soon_threadsafe(call.progress.tell, f"{kernel} {done}/{of}")

    return told


AUDIT = EngineTool(
    name="audit",
    title="Audit source code",
    description=render("mcp_audit"),
    arguments=AuditArguments,
    result=Audit,
    run=audit,
    read_only=True,
    has_thread=False,
)
