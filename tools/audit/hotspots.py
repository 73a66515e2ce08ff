"""Files that are both complex and often changed: where work on the code meets what is hard about it.

The score joins two ranks instead of two figures, so that one file with a thousand commits does not make all
others look untouched (A. Tornhill, Your Code as a Crime Scene, 2015, uses the same two measures).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from tools.audit.places import most_complex, whole
from tools.audit.report import History, Hotspot, Metrics, Scan

DIGITS = 4


def hotspots(metrics: Metrics, scan: Scan, history: History) -> tuple[Hotspot, ...]:
    """The hotspots, the highest score first.

    A file's rank is the share of the other files of the tree with a history that lie below it; files with
    equal figures have equal ranks, and one that is the lowest in either figure is no hotspot.
    """
    changes = {changed.file: changed.commits for changed in history.files}
    known = [module for module in metrics.modules if module.file in changes]
    commits = sorted(changes[module.file] for module in known)
    complexities = sorted(module.cyclomatic for module in known)
    worst = most_complex(scan.functions)
    lines = {module.file: module.lines for module in scan.modules}
    found = []
    for module in known:
        score = _rank(changes[module.file], commits) * _rank(module.cyclomatic, complexities)
        if score > 0:
            function = worst.get(module.file)
            found.append(
                Hotspot(
                    place=function.place if function else whole(module.file, lines),
                    function=function.name if function else "",
                    commits=changes[module.file],
                    complexity=module.cyclomatic,
                    score=round(score, DIGITS),
                )
            )
    return tuple(sorted(found, key=lambda hotspot: (-hotspot.score, hotspot.place.file)))


def _rank(figure: int, figures: Sequence[int]) -> float:
    """Share of the others that lie below; `figures` are sorted, and hold it."""
    return bisect_left(figures, figure) / (len(figures) - 1) if len(figures) > 1 else 0.0
