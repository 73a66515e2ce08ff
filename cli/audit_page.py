"""A report of the audit kernels as one self-contained page: risk and cycles drawn, each fact with its place.

Everything in a report comes from files of a tree, so every text goes through `escaped`; tags are written
here, in `cli.audit_drawing` and in `configs/pages` only. There is no script.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from importlib.resources import files
from string import Template
from typing import TypeVar

from cli.audit_drawing import TERMS, cycle_drawing, risk_bars
from cli.audit_output import counted, figures, place_text
from cli.trace_page import escaped
from tools.audit.brief import by_danger
from tools.audit.report import Audit, Cycle, Place, Recommendation, SecurityFinding, Severity

TONES: dict[Severity, str] = {"high": "bad", "medium": "warn", "low": ""}
MOST_BARS = 25
MOST_CYCLES = 8
OPEN_ROWS = 15
"""Of a table; the others are folded below it."""
MOST_ROWS = 200
"""Of any table; how many more there are is said below it, and `--json` holds all of them."""
MOST_PLACES = 5
T = TypeVar("T")
Columns = Sequence[tuple[str, str]]
"""Heading and class of each column."""


def page_of(audit: Audit, name: str) -> str:
    """The page of a report, as text that has a UTF-8 form.

    Args:
        audit: the whole report.
        name: of what was audited.
    """
    folder = files("configs") / "pages"
    heading = escaped(f"Audit of {name}")
    versions = ", ".join(f"{library} {version}" for library, version in audit.versions.items())
    sections = (
        ("What to do first", _recommendations(audit)),
        ("Risk by file", _risk(audit)),
        ("Hotspots: complex and often changed", _hotspots(audit)),
        ("Security findings", _security(audit)),
        ("Most complex functions", _functions(audit)),
        ("Import cycles", _cycles(audit.metrics.cycles)),
        ("Duplicates", _duplicates(audit)),
        ("Left out", _skipped(audit)),
        ("Notes", _listed(audit.notes)),
    )
    return Template((folder / "audit.html").read_text("utf-8")).substitute(
        title=heading,
        style=(folder / "trace.css").read_text("utf-8") + (folder / "audit.css").read_text("utf-8"),
        heading=heading,
        about=escaped(f"Facts that code alone finds; measured by {versions}" if versions else ""),
        facts="".join(
            f"<div><dt>{escaped(label)}</dt><dd>{escaped(value)}</dd></div>"
            for label, value in _facts(audit).items()
        ),
        sections="".join(
            f'<div class="block"><h3>{escaped(title)}</h3>\n{content}</div>\n'
            for title, content in sections
            if content
        ),
    )


def _facts(audit: Audit) -> dict[str, str]:
    past = {"history until": audit.history.until} if audit.history.until else {}
    counts = {figure.several: figure.value for figure in figures(audit)}
    return {"risk of 100": f"{audit.risk.score:.1f}", **counts, **past}


def _recommendations(audit: Audit) -> str:
    def row(one: Recommendation) -> list[str]:
        return [
            _badge(one.severity),
            escaped(one.rule.replace("_", " ")),
            _place(one.place),
            f"{escaped(one.what)}{_also(one.also)}",
        ]

    columns = (("Severity", ""), ("Rule", ""), ("Place", "place"), ("What", "words"))
    return _table(columns, audit.recommendations, row) or "<p>Nothing passes a limit.</p>\n"


def _risk(audit: Audit) -> str:
    legend = "".join(f'<li><span class="{name}"></span>{name}</li>' for name in TERMS)
    formula = "".join(f"<li>{escaped(line)}</li>" for line in audit.risk.formula.splitlines())
    drawn = audit.risk.files[:MOST_BARS]
    columns = (("Score", "number"), ("Place", "place"), *((name.capitalize(), "number") for name in TERMS))
    table = _table(
        columns,
        audit.risk.files,
        lambda one: [
            f"{one.score:.1f}",
            _place(one.place),
            *(next((f"{term.points:.1f}" for term in one.terms if term.name == name), "") for name in TERMS),
        ],
    )
    if not drawn:
        return ""
    return (
        f'<ul class="legend">{legend}</ul>\n<div class="drawing">{risk_bars(drawn)}</div>\n'
        f"{_folded('Points of ' + counted(len(audit.risk.files), 'file'), table)}"
        f'<ul class="formula">{formula}</ul>\n'
    )


def _hotspots(audit: Audit) -> str:
    numbers = (("Commits", "number"), ("Complexity", "number"))
    columns = (("Score", "number"), ("Place", "place"), ("Function", ""), *numbers)
    return _table(
        columns,
        audit.hotspots,
        lambda one: [
            f"{one.score:.2f}",
            _place(one.place),
            escaped(one.function),
            str(one.commits),
            str(one.complexity),
        ],
    )


def _security(audit: Audit) -> str:
    def row(one: SecurityFinding) -> list[str]:
        state = f"{_badge(one.severity)}{' suppressed' if one.suppressed else ''}"
        cwe = f" CWE-{one.cwe}" if one.cwe else ""
        said = f'{escaped(one.message)}<br><code class="why">{escaped(one.code)}</code>'
        return [state, escaped(one.confidence), escaped(one.rule + cwe), _place(one.place), said]

    columns = (("Severity", ""), ("Confidence", ""), ("Rule", ""), ("Place", "place"), ("What", "words"))
    return _table(columns, by_danger(audit.security), row)


def _functions(audit: Audit) -> str:
    hardest = sorted(audit.scan.functions, key=lambda one: (-one.cyclomatic, -(one.cognitive or 0)))
    numbers = (("Cyclomatic", "number"), ("Cognitive", "number"), ("Lines", "number"))
    columns = (*numbers, ("Place", "place"), ("Function", ""))
    return _table(
        columns,
        hardest[:MOST_BARS],
        lambda one: [
            str(one.cyclomatic),
            "" if one.cognitive is None else str(one.cognitive),
            str(one.code_lines),
            _place(one.place),
            escaped(one.name),
        ],
    )


def _cycles(cycles: Sequence[Cycle]) -> str:
    drawn = "".join(
        f'<div class="drawing">{cycle_drawing(cycle)}</div>'
        f'<p class="why">{"Closed by a lazy import only: " if cycle.lazy else ""}'
        f"{escaped(', '.join(map(place_text, cycle.imports[:MOST_ROWS])))}</p>\n"
        for cycle in cycles[:MOST_CYCLES]
    )
    return drawn + _more(len(cycles) - MOST_CYCLES, "cycle")


def _duplicates(audit: Audit) -> str:
    longest = sorted(audit.metrics.duplicates, key=lambda one: -one.tokens)
    return _table(
        (("Lines", "number"), ("Tokens", "number"), ("Places", "place")),
        longest,
        lambda one: [str(one.lines), str(one.tokens), _place(one.places[0]) + _also(one.places[1:])],
    )


def _skipped(audit: Audit) -> str:
    return _table(
        (("File", ""), ("Kernel", ""), ("Reason", ""), ("What", "words")),
        audit.skipped,
        lambda one: [
            f"<code>{escaped(one.file)}{f':{one.line}' if one.line else ''}</code>",
            escaped(one.kernel),
            escaped(one.reason),
            escaped(one.what),
        ],
    )


def _table(columns: Columns, rows: Sequence[T], cells: Callable[[T], list[str]]) -> str:
    """A table of cells that are tags already; "" without rows."""
    if not rows:
        return ""
    drawn = [_row(cells(row), columns) for row in rows[:MOST_ROWS]]
    first, rest = drawn[:OPEN_ROWS], drawn[OPEN_ROWS:]
    more = _folded(counted(len(rest), "more row"), _body(columns, rest)) if rest else ""
    return _body(columns, first) + more + _more(len(rows) - MOST_ROWS, "row")


def _body(columns: Columns, rows: Sequence[str]) -> str:
    head = "".join(f"<th{_class(kind)}>{escaped(title)}</th>" for title, kind in columns)
    return f'<table class="table"><thead><tr>{head}</tr></thead><tbody>\n{"".join(rows)}</tbody></table>\n'


def _row(cells: Iterable[str], columns: Columns) -> str:
    inner = "".join(f"<td{_class(kind)}>{cell}</td>" for cell, (_, kind) in zip(cells, columns, strict=True))
    return f"<tr>{inner}</tr>\n"


def _class(kind: str) -> str:
    return f' class="{kind}"' if kind else ""


def _more(number: int, word: str) -> str:
    return f'<p class="why">{counted(number, f"more {word}")} in the JSON.</p>\n' if number > 0 else ""


def _folded(summary: str, content: str) -> str:
    return f"<details><summary>{escaped(summary)}</summary>\n{content}</details>\n"


def _badge(severity: Severity) -> str:
    return f'<span class="badge small {TONES[severity]}">{severity}</span>'


def _place(place: Place) -> str:
    # A long path is broken between its folders only.
    return f"<code>{escaped(place_text(place)).replace('/', '/<wbr>')}</code>"


def _also(places: Sequence[Place]) -> str:
    if not places:
        return ""
    more = f" and {len(places) - MOST_PLACES} more" if len(places) > MOST_PLACES else ""
    named = ", ".join(map(place_text, places[:MOST_PLACES]))
    return f'<br><span class="why">also {escaped(named)}{more}</span>'


def _listed(lines: Iterable[str]) -> str:
    items = "".join(f"<li>{escaped(line)}</li>" for line in lines)
    return f'<ul class="plain">{items}</ul>' if items else ""
