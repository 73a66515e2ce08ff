"""Modules, functions, classes and imports of a tree, file by file in the crew's workers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tools.audit.crew import Crew
from tools.audit.file_facts import FileFacts
from tools.audit.file_scan import scan_file
from tools.audit.import_targets import imports_of
from tools.audit.languages import PYTHON
from tools.audit.report import Scan, Skipped
from tools.audit.sources import Source
from tools.audit.units import Units


@dataclass(frozen=True)
class Scanned:
    """What the files hold.

    Attributes:
        scan: for the report.
        units: lines by file, for duplicates.
        skipped: files that could not be read or parsed; the latter are modules of the scan all the same.
    """

    scan: Scan
    units: dict[str, Units]
    skipped: tuple[Skipped, ...]


def scan(sources: Sequence[Source], crew: Crew) -> Scanned:
    """Look at all files.

    Args:
        sources: sorted by `file`.
        crew: whose workers do it.

    Raises:
        AuditFailed: there are no workers.
    """
    looked_at, skipped = crew.over(scan_file, sources, kernel="ast_scan")
    found = [one for _, one in looked_at]
    asked = {one.module.file: one.imports for one in found if one.module.language == PYTHON}
    imports = sorted(set(imports_of(asked)), key=lambda one: (one.file, one.line, one.module, one.lazy))
    return Scanned(
        Scan(
            modules=tuple(one.module for one in found),
            functions=tuple(function for one in found for function in one.functions),
            classes=tuple(class_ for one in found for class_ in one.classes),
            imports=tuple(imports),
        ),
        {one.module.file: one.units for one in found if one.units is not None},
        tuple([*skipped, *(_skipped(one) for one in found if one.problem is not None)]),
    )


def _skipped(scan: FileFacts) -> Skipped:
    problem = scan.problem
    assert problem is not None
    return Skipped(
        file=scan.module.file,
        kernel="ast_scan",
        reason=problem.reason,
        what=problem.what,
        line=problem.line,
    )
