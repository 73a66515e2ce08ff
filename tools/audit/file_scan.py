"""What one file holds, whatever its language: the work of a worker."""

from __future__ import annotations

from dataclasses import dataclass

from configs.audit import AuditSettings
from tools.audit.languages import PYTHON
from tools.audit.python_facts import Imported
from tools.audit.reading import read
from tools.audit.report import Class, Function, Module
from tools.audit.serving import Failure
from tools.audit.sources import Source
from tools.audit.units import Units


@dataclass(frozen=True)
class FileScan:
    """One file.

    Attributes:
        module: its sizes; `parsed` is False if there is a `problem`.
        functions, classes: sorted by their lines.
        imports: as they are written.
        units: for duplicates; None if the file was not parsed.
        problem: why only its sizes are known.
    """

    module: Module
    functions: tuple[Function, ...] = ()
    classes: tuple[Class, ...] = ()
    imports: tuple[Imported, ...] = ()
    units: Units | None = None
    problem: Failure | None = None


def scan_file(source: Source, settings: AuditSettings) -> FileScan:
    """Read a file and find what it holds.

    Raises:
        Unusable: it cannot be read, or is no text.
    """
    text = read(source, settings)
    if source.language == PYTHON:
        from tools.audit.python_scan import scan_python

        return scan_python(source.file, text)
    from tools.audit.lizard_scan import scan_with_lizard

    return scan_with_lizard(source, text)
