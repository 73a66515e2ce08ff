"""What is known of one file after it was scanned."""

from __future__ import annotations

from dataclasses import dataclass

from tools.audit.python_facts import Imported
from tools.audit.report import Class, Function, Module
from tools.audit.serving import Failure
from tools.audit.units import Units


@dataclass(frozen=True)
class FileFacts:
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
