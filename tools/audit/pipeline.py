"""The order of the kernels: a tree of files in, a report out."""

from __future__ import annotations

import asyncio
import platform
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from configs.audit import AuditSettings
from configs.settings import SandboxChoice
from tools.audit.ast_scan import scan
from tools.audit.crew import Crew, Told
from tools.audit.documentation import documentation
from tools.audit.history import history
from tools.audit.hotspots import hotspots
from tools.audit.metrics import measure
from tools.audit.recommendations import left_out, recommendations
from tools.audit.report import Audit, Documentation, History, Metrics, Scan, SecurityFinding, Skipped
from tools.audit.risk import risk
from tools.audit.security import findings
from tools.audit.sources import Sources, sources

LIBRARIES = ("bandit", "complexipy", "lizard")
"""Those whose numbers stand in a report, beside Python's own parser."""


@dataclass(frozen=True)
class _Facts:
    """What the kernels that open files have found."""

    scan: Scan
    metrics: Metrics
    security: tuple[SecurityFinding, ...]
    documentation: Documentation
    skipped: tuple[Skipped, ...]
    notes: tuple[str, ...]


async def audit_repository(
    root: Path,
    settings: AuditSettings,
    told: Told | None = None,
    *,
    sandbox: SandboxChoice = "auto",
) -> Audit:
    """Run all kernels over a tree.

    The processes it starts are gone when it ends, however it ends.

    Args:
        root: a directory, or one file.
        settings: limits.
        told: is told of progress, from any thread.
        sandbox: isolation wanted for git.

    Raises:
        AuditFailed: the root cannot be read, or the workers cannot be started.
    """
    chosen = await asyncio.to_thread(sources, root, settings, sandbox)
    crew = Crew(settings, told)
    names = [source.file for source in chosen.files]
    past = asyncio.ensure_future(history(chosen.root, names, settings, sandbox=sandbox))
    try:
        facts = await asyncio.to_thread(_looked_at, chosen, settings, crew)
        return await asyncio.to_thread(_judged, chosen, facts, await past, settings)
    finally:
        past.cancel()
        await _ended(past, asyncio.ensure_future(asyncio.to_thread(crew.close)))


async def _ended(*ending: asyncio.Future[Any]) -> None:
    """Wait for what is ending; another cancellation does not make it leave before."""
    waiting = asyncio.ensure_future(asyncio.wait(ending))
    cancelled = False
    while not waiting.done():
        try:
            await asyncio.shield(waiting)
        except asyncio.CancelledError:
            cancelled = True
    if cancelled:
        raise asyncio.CancelledError


def _looked_at(chosen: Sources, settings: AuditSettings, crew: Crew) -> _Facts:
    scanned = scan(chosen.files, crew)
    metrics, note = measure(scanned.scan, scanned.units, settings)
    security, unscanned = findings(chosen.files, settings, crew)
    explained, unread = documentation(chosen.root, chosen.files, settings, crew)
    return _Facts(
        scanned.scan,
        metrics,
        security,
        explained,
        (*chosen.skipped, *scanned.skipped, *unscanned, *unread),
        tuple(filter(None, (*chosen.notes, note))),
    )


def _judged(chosen: Sources, facts: _Facts, past: History, settings: AuditSettings) -> Audit:
    """The whole report; nothing is opened any more."""
    audit = Audit(
        versions={"python": platform.python_version(), **{name: version(name) for name in LIBRARIES}},
        scan=facts.scan,
        metrics=facts.metrics,
        history=past,
        hotspots=hotspots(facts.metrics, facts.scan, past),
        security=facts.security,
        documentation=facts.documentation,
        risk=risk(facts.scan, facts.metrics, past, facts.security, settings),
        skipped=tuple(sorted(facts.skipped, key=_order)),
        notes=tuple(filter(None, (*facts.notes, past.note))),
    )
    notes = tuple(filter(None, (*audit.notes, left_out(audit, settings))))
    return audit.model_copy(
        update={"recommendations": recommendations(audit, settings), "notes": notes},
    )


def _order(skipped: Skipped) -> tuple[str, str, str, int, str]:
    return skipped.file, skipped.kernel, skipped.reason, skipped.line or 0, skipped.what
