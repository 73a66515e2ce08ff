"""The order of the kernels: a tree of files in, a report out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from configs.audit import AuditSettings
from tools.audit.report import Audit

Told = Callable[[str, int, int], None]
"""Progress: name of the kernel, files done, files of it in all."""


async def audit_repository(root: Path, settings: AuditSettings, told: Told | None = None) -> Audit:
    """Run all kernels over a tree.

    Args:
        root: the directory; nothing outside it is read.
        settings: limits.
        told: is told of progress, from any thread.

    Raises:
        ToolError: the root cannot be read.
    """
    raise NotImplementedError
