"""What one kernel found, in brief: totals, then a fact a line, the weightiest first, each with file:line.

The same report gives the same bytes. Paths are relative to where the asker stands, not to what was audited,
so that they can be opened as they are.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from tools.audit.figures import counts
from tools.audit.kernels import Kernel
from tools.audit.report import Audit, Place, SecurityFinding, Severity

Row = dict[str, Any]
OF_HISTORY: frozenset[Kernel] = frozenset({"history", "hotspots", "risk", "recommendations"})
LEVELS: tuple[Severity, ...] = ("high", "medium", "low")


@dataclass(frozen=True)
class Part:
    """What a kernel found.

    Attributes:
        totals: figures over all of it.
        lists: rows by the name of their list, the weightiest first.
    """

    totals: Row
    lists: dict[str, list[Row]]


@dataclass(frozen=True)
class Naming:
    """How a file of a report is named: by its path below `prefix`, which is empty or ends with a slash."""

    prefix: str

    def file(self, file: str) -> str:
        """Its path."""
        return f"{self.prefix}{file}"

    def at(self, place: Place, line: int | None = None) -> str:
        """Its path and a line, that of the place unless another is given."""
        return f"{self.prefix}{place.file}:{line or place.line}"

    def span(self, place: Place) -> str:
        """Its path, and the first and last line."""
        return f"{self.prefix}{place.file}:{place.line}-{place.end_line}"


def brief(audit: Audit, kernel: Kernel, *, place: str, prefix: str, limit: int) -> str:
    """What a kernel found, as JSON with a row of a list on a line of its own.

    Args:
        audit: the report.
        kernel: whose facts to give.
        place: what was audited, as it is told.
        prefix: what paths of the report are relative to; empty, or with a slash at the end.
        limit: rows of each list at most; how many there are is told all the same.
    """
    naming = Naming(prefix)
    part = PARTS[kernel](audit, naming)
    languages = Counter(module.language for module in audit.scan.modules)
    skipped: list[Row] = [
        {"file": naming.file(one.file), "reason": one.reason, "line": one.line, "what": one.what}
        for one in audit.skipped
    ]
    # What is missing of the history says nothing of what does not rest on it.
    notes = [note for note in audit.notes if kernel in OF_HISTORY or note != audit.history.note]
    if not audit.scan.modules:
        notes.append("No source file of a known language is there.")
    head: Row = {
        "audit": place,
        "kernel": kernel,
        "files": len(audit.scan.modules),
        "languages": dict(sorted(languages.items())),
        "totals": part.totals | {f"{name}_in_all": len(rows) for name, rows in part.lists.items()},
        "notes": notes,
        "left_out_in_all": len(skipped),
    }
    lists = {name: rows[:limit] for name, rows in {**part.lists, "left_out": skipped}.items()}
    return _laid_out(head, lists)


def _laid_out(head: Row, lists: dict[str, list[Row]]) -> str:
    parts = [f"{_json(name)}: {_json(value)}" for name, value in head.items()]
    for name, rows in lists.items():
        lines = ",\n".join(f"  {_json(row)}" for row in rows)
        parts.append(f"{_json(name)}: [\n{lines}\n]" if rows else f"{_json(name)}: []")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def by_danger(findings: Sequence[SecurityFinding]) -> list[SecurityFinding]:
    """Findings, the most severe first; what a comment suppresses, and asserts in tests, last."""
    return sorted(findings, key=lambda one: (one.suppressed or not counts(one), LEVELS.index(one.severity)))


def _scan(audit: Audit, naming: Naming) -> Part:
    modules = audit.scan.modules
    totals = {
        "functions": len(audit.scan.functions),
        "classes": len(audit.scan.classes),
        "imports": len(audit.scan.imports),
        "lines": sum(module.lines for module in modules),
        "code_lines": sum(module.code_lines for module in modules),
        "comment_lines": sum(module.comment_lines for module in modules),
        "blank_lines": sum(module.blank_lines for module in modules),
        "cyclomatic": sum(function.cyclomatic for function in audit.scan.functions),
        "not_parsed": sum(not module.parsed for module in modules),
    }
    hardest = sorted(audit.scan.functions, key=lambda one: (-one.cyclomatic, -(one.cognitive or 0)))
    rows: list[Row] = [
        {
            "at": naming.at(one.place, one.line),
            "function": one.name,
            "cyclomatic": one.cyclomatic,
            "cognitive": one.cognitive,
            "nesting": one.nesting,
            "parameters": one.parameters,
            "lines": one.place.end_line - one.place.line + 1,
            "code_lines": one.code_lines,
        }
        for one in hardest
    ]
    return Part(totals, {"functions": rows})


def _metrics(audit: Audit, naming: Naming) -> Part:
    coupling = {one.file: one for one in audit.metrics.coupling}
    modules: list[Row] = []
    for one in sorted(audit.metrics.modules, key=lambda one: -one.cyclomatic):
        row: Row = {"at": f"{naming.file(one.file)}:1", **one.model_dump(exclude={"file"})}
        if known := coupling.get(one.file):
            row |= {"imported_by": known.afferent, "imports": known.efferent}
        modules.append(row)
    cycles: list[Row] = [
        {"imports": [naming.at(place) for place in one.imports], "modules": len(one.files), "lazy": one.lazy}
        for one in audit.metrics.cycles
    ]
    duplicates: list[Row] = [
        {"lines": one.lines, "tokens": one.tokens, "places": [naming.span(place) for place in one.places]}
        for one in sorted(audit.metrics.duplicates, key=lambda one: -one.tokens)
    ]
    return Part({}, {"modules": modules, "import_cycles": cycles, "duplicates": duplicates})


def _past(audit: Audit) -> Row:
    history = audit.history
    return {"history": history.available, "commits": history.commits, "until": history.until,
            "shallow": history.shallow}  # fmt: skip


def _history(audit: Audit, naming: Naming) -> Part:
    rows: list[Row] = [
        {"file": naming.file(one.file), **one.model_dump(exclude={"file"})}
        for one in sorted(audit.history.files, key=lambda one: -one.commits)
    ]
    return Part(_past(audit), {"changed_files": rows})


def _hotspots(audit: Audit, naming: Naming) -> Part:
    rows: list[Row] = [
        {"at": naming.at(one.place), **one.model_dump(exclude={"place"})} for one in audit.hotspots
    ]
    return Part(_past(audit), {"hotspots": rows})


def _security(audit: Audit, naming: Naming) -> Part:
    levels = Counter(one.severity for one in audit.security if not one.suppressed)
    totals: Row = {level: levels[level] for level in LEVELS}
    totals["open"] = levels.total()
    totals["suppressed"] = sum(one.suppressed for one in audit.security)
    rows: list[Row] = [
        {
            "at": naming.at(one.place),
            "rule": one.rule,
            "severity": one.severity,
            "confidence": one.confidence,
            "cwe": one.cwe,
            "suppressed": one.suppressed,
            "message": one.message,
            "code": one.code,
        }
        for one in by_danger(audit.security)
    ]
    return Part(totals, {"findings": rows})


def _documentation(audit: Audit, naming: Naming) -> Part:
    known = audit.documentation.definitions
    public = [one for one in known if one.public]
    # Where the list is cut short, those that are for others to use stay.
    bare: list[Row] = [
        {
            "at": f"{naming.file(one.place.file)}:{one.line}",
            "kind": one.kind,
            "name": one.name,
            "public": one.public,
        }
        for one in sorted(known, key=lambda one: not one.public)
        if not one.documented
    ]
    texts: list[Row] = [{"at": naming.at(one.place), "kind": one.kind} for one in audit.documentation.texts]
    totals: Row = {
        "public": len(public),
        "documented": sum(one.documented for one in public),
        "kinds": Counter(one.kind for one in known),
        "public_kinds": Counter(one.kind for one in public),
        "undocumented_kinds": Counter(one.kind for one in known if not one.documented),
        "undocumented_public_kinds": Counter(one.kind for one in public if not one.documented),
    }
    return Part(totals, {"undocumented": bare, "texts": texts})


def _risk(audit: Audit, naming: Naming) -> Part:
    rows: list[Row] = [
        {
            "at": naming.at(one.place),
            "score": one.score,
            "terms": {term.name: term.points for term in one.terms if term.points},
        }
        for one in audit.risk.files
    ]
    return Part({"score": audit.risk.score, "formula": audit.risk.formula}, {"risks": rows})


def _recommendations(audit: Audit, naming: Naming) -> Part:
    rows: list[Row] = [
        {
            "at": naming.at(one.place),
            "severity": one.severity,
            "rule": one.rule,
            "what": one.what,
            "also": [naming.at(place) for place in one.also],
        }
        for one in audit.recommendations
    ]
    return Part({"risk_score": audit.risk.score}, {"recommendations": rows})


PARTS: dict[Kernel, Callable[[Audit, Naming], Part]] = {
    "ast_scan": _scan,
    "metrics": _metrics,
    "history": _history,
    "hotspots": _hotspots,
    "security": _security,
    "documentation": _documentation,
    "risk": _risk,
    "recommendations": _recommendations,
}
