"""What is known of one file, as the five figures its risk is made of."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

from tools.audit.places import is_test, most_complex, whole
from tools.audit.report import (
    Coupling,
    Cycle,
    Function,
    History,
    Metrics,
    Module,
    ModuleMetrics,
    Place,
    Scan,
    SecurityFinding,
    Severity,
)

Term = Literal["complexity", "changes", "security", "coupling", "duplication"]
SEVERITIES: Mapping[Severity, float] = {"low": 0.5, "medium": 3.0, "high": 10.0}
CONFIDENCES: Mapping[Severity, float] = {"low": 0.25, "medium": 0.5, "high": 1.0}
SUPPRESSED = 0.25
"""What a finding counts that a comment in the file says is none."""
CYCLE = 10.0
"""What a cycle at import time counts, in modules."""
ASSERTS = "B101"
"""Bandit warns of every assert; its manual says to leave tests out."""
T = TypeVar("T")


@dataclass(frozen=True)
class FileFacts:
    """What is known of one file; of what is missing there is None, or nothing."""

    module: Module
    sums: ModuleMetrics | None
    worst: Function | None
    commits: int
    coupling: Coupling | None
    cycles: Sequence[Cycle]
    copies: Sequence[Place]
    findings: Sequence[SecurityFinding]

    def figure(self, term: Term) -> float:
        """The figure a term rests on; 0 or more, and a share from 0 to 1 for duplication."""
        figures: dict[Term, Callable[[], float]] = {
            "complexity": lambda: self.sums.cyclomatic + (self.sums.cognitive or 0) if self.sums else 0,
            "changes": lambda: self.commits,
            "security": lambda: danger(self.findings),
            "coupling": self._coupled,
            "duplication": self._duplicated,
        }
        return figures[term]()

    def _coupled(self) -> float:
        around = self.coupling.afferent + self.coupling.efferent if self.coupling else 0
        return around + CYCLE * sum(not cycle.lazy for cycle in self.cycles)

    def _duplicated(self) -> float:
        copied = self.sums.duplicated_lines if self.sums else 0
        return min(1.0, copied / max(1, self.module.lines))

    def place(self, term: Term) -> Place:
        """What a reader should look at first for a term."""
        places: dict[Term, Iterable[Place]] = {
            "complexity": [self.worst.place] if self.worst else [],
            "changes": [],
            "security": [finding.place for finding in sorted(self.findings, key=worth, reverse=True)],
            "coupling": [
                place for cycle in self.cycles for place in cycle.imports if place.file == self.module.file
            ],
            "duplication": self.copies,
        }
        return next(iter(places[term]), whole(self.module.file, {self.module.file: self.module.lines}))


def worth(finding: SecurityFinding) -> float:
    """What one finding counts."""
    counted = SEVERITIES[finding.severity] * CONFIDENCES[finding.confidence]
    return counted * (SUPPRESSED if finding.suppressed else 1.0)


def counts(finding: SecurityFinding) -> bool:
    """Whether a finding means anything: an assert is what a test consists of."""
    return finding.rule != ASSERTS or not is_test(finding.place.file)


def danger(findings: Sequence[SecurityFinding]) -> float:
    """What the findings of one file count: of each rule the worst one, and the more of them the more."""
    by_rule: defaultdict[str, list[float]] = defaultdict(list)
    for finding in filter(counts, findings):
        by_rule[finding.rule].append(worth(finding))
    return math.fsum(max(worths) * (1 + math.log2(len(worths))) for worths in by_rule.values())


def facts_of(
    scan: Scan, metrics: Metrics, history: History, security: Sequence[SecurityFinding]
) -> dict[str, FileFacts]:
    """What the kernels found, by file."""
    worst = most_complex(scan.functions)
    sums = {one.file: one for one in metrics.modules}
    changes = {one.file: one.commits for one in history.files}
    coupling = {one.file: one for one in metrics.coupling}
    cycles = _by_file(metrics.cycles, lambda cycle: cycle.files)
    places = [place for duplicate in metrics.duplicates for place in duplicate.places]
    copies = _by_file(places, lambda place: [place.file])
    found = _by_file(security, lambda finding: [finding.place.file])
    return {
        module.file: FileFacts(
            module=module,
            sums=sums.get(module.file),
            worst=worst.get(module.file),
            commits=changes.get(module.file, 0),
            coupling=coupling.get(module.file),
            cycles=cycles.get(module.file, ()),
            copies=copies.get(module.file, ()),
            findings=found.get(module.file, ()),
        )
        for module in scan.modules
    }


def _by_file(found: Iterable[T], files: Callable[[T], Iterable[str]]) -> dict[str, list[T]]:
    by_file: defaultdict[str, list[T]] = defaultdict(list)
    for one in found:
        for file in files(one):
            by_file[file].append(one)
    return dict(by_file)
