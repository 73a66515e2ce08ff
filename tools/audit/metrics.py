"""Sums of each module, and what only several modules together show: coupling, cycles, duplicates."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from configs.audit import AuditSettings
from tools.audit.coupling import couplings, cycles
from tools.audit.duplication import duplicates
from tools.audit.languages import PYTHON
from tools.audit.report import Duplicate, Function, Metrics, Module, ModuleMetrics, Scan
from tools.audit.units import Units


def measure(scan: Scan, units: Mapping[str, Units], settings: AuditSettings) -> tuple[Metrics, str]:
    """Measure what was scanned.

    Args:
        scan: of the tree.
        units: lines by file.
        settings: `least_duplicate_tokens`.

    Returns:
        The metrics, and a note if they lack something, else an empty string. Coupling is that of Python
        modules: imports of other languages are not read.
    """
    found, note = duplicates(units, settings.least_duplicate_tokens)
    functions: defaultdict[str, list[Function]] = defaultdict(list)
    for function in scan.functions:
        functions[function.place.file].append(function)
    duplicated = _duplicated_lines(found)
    python = [module.file for module in scan.modules if module.language == PYTHON]
    metrics = Metrics(
        modules=tuple(
            _module(module, functions[module.file], duplicated.get(module.file, 0)) for module in scan.modules
        ),
        coupling=couplings(python, scan.imports),
        cycles=cycles(scan.imports),
        duplicates=found,
    )
    return metrics, note


def _module(module: Module, functions: Sequence[Function], duplicated: int) -> ModuleMetrics:
    cyclomatic = [function.cyclomatic for function in functions]
    cognitive = [function.cognitive for function in functions]
    return ModuleMetrics(
        file=module.file,
        code_lines=module.code_lines,
        functions=len(functions),
        cyclomatic=sum(cyclomatic),
        most_cyclomatic=max(cyclomatic, default=0),
        cognitive=None if None in cognitive or not module.parsed else sum(filter(None, cognitive)),
        duplicated_lines=duplicated,
    )


def _duplicated_lines(found: Iterable[Duplicate]) -> dict[str, int]:
    lines: defaultdict[str, set[int]] = defaultdict(set)
    for duplicate in found:
        for place in duplicate.places:
            lines[place.file].update(range(place.line, place.end_line + 1))
    return {file: len(numbers) for file, numbers in lines.items()}
