"""A report of the audit kernels as text for a terminal; every name and word of the tree is made harmless."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO, TypeVar

from rich.console import Console
from rich.markup import escape

from cli.live import printable
from configs.redaction import path_text
from tools.audit.brief import by_danger
from tools.audit.figures import counts
from tools.audit.report import Audit, FileRisk, Function, Place, Recommendation, SecurityFinding, Severity

STYLES: dict[Severity, str] = {"high": "red", "medium": "yellow", "low": "dim"}
PARTS = {
    "ast_scan": ("scan",),
    "metrics": ("metrics",),
    "history": ("history",),
    "hotspots": ("hotspots", "history"),
    "security": ("security",),
    "documentation": ("documentation",),
    "risk": ("risk",),
    "recommendations": ("recommendations",),
}
"""Which fields of a report hold what a kernel found."""
T = TypeVar("T")


def only(audit: Audit, kernel: str) -> Audit:
    """The report of one kernel: the others have found nothing in it, what was left out stays said."""
    kept = {name: getattr(audit, name) for name in PARTS[kernel]}
    return Audit(versions=audit.versions, notes=audit.notes, skipped=audit.skipped, **kept)


def print_audit(audit: Audit, root: Path, kernel: str | None, top: int, stream: TextIO) -> None:
    """Print a report.

    Args:
        audit: the report, or that of one kernel.
        root: what was audited.
        kernel: the one whose part is shown; None shows the most important of all.
        top: rows of each list at most.
        stream: where it goes.
    """
    console = Console(file=stream, highlight=False, soft_wrap=True, emoji=False)
    console.print(f"[bold]Audit of {_safe(path_text(root))}[/]")
    if kernel is None:
        console.print(
            _summary(audit) if audit.scan.modules else "No source file of a known language is there."
        )
    shown = [kernel] if kernel else ["recommendations", "hotspots", "risk"]
    for name in shown:
        SECTIONS[name](console, audit, top)
    _left_out(console, audit, top)


def place_text(place: Place) -> str:
    """A place as editors and terminals know it."""
    return f"{place.file}:{place.line}"


def counted(number: int, word: str) -> str:
    """A number with its word, in the plural if need be."""
    return f"{_number(number)} {word}{'' if number == 1 else 's'}"


@dataclass(frozen=True)
class Figure:
    """A figure at the top of a report, and what it counts, of one and of several."""

    value: str
    one: str
    several: str

    @property
    def text(self) -> str:
        """In words."""
        return f"{self.value} {self.one if self.value == '1' else self.several}"


def figures(audit: Audit) -> list[Figure]:
    """The figures at the top of a report, in order."""
    code = sum(module.code_lines for module in audit.scan.modules)
    warned = sum(counts(one) and not one.suppressed for one in audit.security)
    return [
        Figure(_number(len(audit.scan.modules)), "file", "files"),
        Figure(_number(code), "line of code", "lines of code"),
        Figure(_number(len(audit.scan.functions)), "function", "functions"),
        Figure(_number(warned), "security finding", "security findings"),
        Figure(_number(len(audit.metrics.cycles)), "import cycle", "import cycles"),
        Figure(_number(audit.history.commits), "commit", "commits"),
    ]


def _number(number: int) -> str:
    return f"{number:,}".replace(",", " ")


def _summary(audit: Audit) -> str:
    until = f" until {audit.history.until}" if audit.history.until else ""
    told = ", ".join(figure.text for figure in figures(audit))
    return f"Risk {audit.risk.score:.1f} of 100; {told}{until}."


def _recommendations(console: Console, audit: Audit, top: int) -> None:
    def row(one: Recommendation) -> str:
        also = f" [dim](also {len(one.also)} more)[/]" if one.also else ""
        style = STYLES[one.severity]
        return f"  [{style}]{one.severity:<6}[/] {_place(one.place)}{also}\n         {_safe(one.what)}"

    _list(console, "What to do first", audit.recommendations, top, row)


def _hotspots(console: Console, audit: Audit, top: int) -> None:
    _list(
        console,
        "Hotspots, complex and often changed",
        audit.hotspots,
        top,
        lambda one: (
            f"  {one.score:.2f}  {_place(one.place)} {_safe(one.function)} "
            f"[dim]{counted(one.commits, 'commit')}, complexity {one.complexity}[/]"
        ),
    )


def _risk(console: Console, audit: Audit, top: int) -> None:
    def row(one: FileRisk) -> str:
        terms = ", ".join(f"{term.name} {term.points:.1f}" for term in one.terms if term.points)
        return f"  {one.score:5.1f}  {_place(one.place)} [dim]{terms or 'nothing'}[/]"

    _list(console, "Risk by file", audit.risk.files, top, row)
    for line in audit.risk.formula.splitlines():
        console.print(f"  [dim]{_safe(line)}[/]")


def _security(console: Console, audit: Audit, top: int) -> None:
    def row(one: SecurityFinding) -> str:
        word = "suppressed" if one.suppressed else one.severity
        return (
            f"  [{STYLES[one.severity]}]{word:<10}[/] {one.rule} {_place(one.place)} {_safe(one.message)}\n"
            f"             [dim]{_safe(one.code)}[/]"
        )

    _list(console, "Security findings", by_danger(audit.security), top, row)


def _scan(console: Console, audit: Audit, top: int) -> None:
    def row(one: Function) -> str:
        cognitive = "" if one.cognitive is None else f", cognitive {one.cognitive}"
        return (
            f"  {one.cyclomatic:4}  {_place(one.place)} {_safe(one.name)} "
            f"[dim]{counted(one.code_lines, 'line')}{cognitive}[/]"
        )

    console.print(_summary(audit))
    hardest = sorted(audit.scan.functions, key=lambda one: (-one.cyclomatic, -(one.cognitive or 0)))
    _list(console, "Functions by cyclomatic complexity", hardest, top, row)


def _metrics(console: Console, audit: Audit, top: int) -> None:
    metrics = audit.metrics
    largest = sorted(metrics.modules, key=lambda one: -one.code_lines)
    _list(
        console,
        "Modules by size",
        largest,
        top,
        lambda one: (
            f"  {one.code_lines:6}  {_safe(one.file)} [dim]{counted(one.functions, 'function')}, "
            f"complexity {one.cyclomatic}[/]"
        ),
    )
    _list(
        console,
        "Import cycles",
        metrics.cycles,
        top,
        lambda one: (
            f"  {'lazy ' if one.lazy else ''}{' -> '.join(_place(place) for place in one.imports[:top])}"
        ),
    )
    _list(
        console,
        "Duplicates",
        sorted(metrics.duplicates, key=lambda one: -one.tokens),
        top,
        lambda one: (
            f"  {counted(one.lines, 'line')} {', '.join(_place(place) for place in one.places[:top])}"
        ),
    )


def _history(console: Console, audit: Audit, top: int) -> None:
    _list(
        console,
        "Files by commits",
        sorted(audit.history.files, key=lambda one: -one.commits),
        top,
        lambda one: (
            f"  {one.commits:5}  {_safe(one.file)} [dim]+{one.added} -{one.deleted}, "
            f"{counted(one.authors, 'author')}[/]"
        ),
    )


def _documentation(console: Console, audit: Audit, top: int) -> None:
    public = [one for one in audit.documentation.definitions if one.public]
    bare = [one for one in public if not one.documented]
    told = f"{counted(len(public), 'public definition')}, {len(bare)} of them without a docstring."
    console.print(told)
    _list(
        console,
        "Public and without a docstring",
        bare,
        top,
        lambda one: f"  {_safe(one.place.file)}:{one.line} {one.kind} {_safe(one.name)}",
    )


SECTIONS: dict[str, Callable[[Console, Audit, int], None]] = {
    "ast_scan": _scan,
    "metrics": _metrics,
    "history": _history,
    "hotspots": _hotspots,
    "security": _security,
    "documentation": _documentation,
    "risk": _risk,
    "recommendations": _recommendations,
}


def _left_out(console: Console, audit: Audit, top: int) -> None:
    _list(
        console,
        "Left out",
        audit.skipped,
        top,
        lambda one: (
            f"  {_safe(one.file)}{f':{one.line}' if one.line else ''} [dim]{one.kernel}, {one.reason}:[/] "
            f"{_safe(one.what)}"
        ),
        when_empty=False,
    )
    for note in audit.notes:
        console.print(f"Note: {_safe(note)}")


def _list(
    console: Console,
    heading: str,
    rows: Sequence[T],
    top: int,
    line: Callable[[T], str],
    *,
    when_empty: bool = True,
) -> None:
    if not rows and not when_empty:
        return
    first = f" (the first {top} of {len(rows)})" if len(rows) > top else ""
    console.print(f"\n[bold]{heading}[/]{first}")
    _lines(console, map(line, rows[:top]))
    if not rows:
        console.print("  none")


def _lines(console: Console, lines: Iterable[str]) -> None:
    for line in lines:
        console.print(line)


def _place(place: Place) -> str:
    return f"[cyan]{_safe(place_text(place))}[/]"


def _safe(text: str) -> str:
    """Text of the tree as it may stand in a line of ours."""
    return escape(printable(text))
