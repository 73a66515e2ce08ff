"""AUDIT: the kernels run once for all specialists; their report lies in a file, known by its hash."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from contextvars import copy_context
from pathlib import Path
from threading import Lock
from typing import Any

from langgraph.config import get_config
from langgraph.runtime import Runtime

from memory.project_directory import DIRECTORY
from memory.threads import artifact_directory
from nodes.collective.exchange import Assignment
from nodes.reflective.context import RunContext
from nodes.reflective.emit import progress
from nodes.reflective.services import UNNAMED, services_of
from nodes.reflective.state import dump
from nodes.specialists.state import AuditFile, SpecialistsState
from tools.artifacts import read_back, store
from tools.audit.pipeline import audit_repository
from tools.audit.report import Audit

TOLD_EVERY = 20
"""Of so many files of a kernel one is told of."""
MOST_OPEN = 2
_OPEN: OrderedDict[str, Audit] = OrderedDict()
_OPENING = Lock()


async def audit(state: SpecialistsState, runtime: Runtime[RunContext]) -> dict[str, Any]:
    """Run the kernels over the root, and give each specialist its assignment.

    Raises:
        AuditFailed: the root cannot be read.
        OSError: the report cannot be kept.
    """
    services = await services_of(runtime)
    # Files are looked at in threads of their own, which know nothing of the run.
    loop, within = asyncio.get_running_loop(), copy_context()

    def tell(kernel: str, done: int, of: int) -> None:
        progress("audit", kernel=kernel, done=done, of=of)

    def told(kernel: str, done: int, of: int) -> None:
        if done % TOLD_EVERY == 0 or done == of:
            loop.call_soon_threadsafe(tell, kernel, done, of, context=within)

    settings = services.settings
    report = await audit_repository(services.root, settings.audit, told, sandbox=settings.tools.sandbox)
    name = await asyncio.to_thread(_kept, report, services.root)
    kept = AuditFile(name=name, files=len(report.scan.modules), notes=list(report.notes))
    given = [
        Assignment(id=one.name, worker="specialist", question=state.goal, facts=[name], run_id=state.run_id)
        for one in state.chosen_specialists
    ]
    return dump(audit=kept, assignments=given)


def _directory(root: Path) -> Path:
    thread = str(get_config().get("configurable", {}).get("thread_id") or UNNAMED)
    return artifact_directory(root / DIRECTORY, thread)


def _kept(report: Audit, root: Path) -> str:
    path = store(_directory(root), report.to_json().encode("utf-8", "backslashreplace"))
    with _OPENING:
        _remember(path.name, report)
    return path.name


def opened(root: Path, name: str) -> Audit:
    """The report of a run, read back from its file; blocking. Specialists side by side share one.

    Raises:
        ArtifactLost: the file is gone or was altered.
    """
    path = _directory(root) / Path(name).name
    with _OPENING:
        if name not in _OPEN:
            _remember(name, Audit.model_validate_json(read_back(path)))
        _OPEN.move_to_end(name)
        return _OPEN[name]


def _remember(name: str, report: Audit) -> None:
    _OPEN[name] = report
    while len(_OPEN) > MOST_OPEN:
        _OPEN.popitem(last=False)
