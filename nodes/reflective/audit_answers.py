"""Answers to questions about source code, written by code from what the tool `audit` printed.

Every figure is read from the output or counted over its rows; what was counted is told as computed. Where
a kernel cannot tell, there is no answer but the reason.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from memory.recipes.requests.audits import AuditQuestion

Row = dict[str, Any]
LISTED = 50
FEW = 10
NAMED_FILES = 5
WORDS = {
    "cyclomatic": "cyclomatic complexity",
    "cognitive": "cognitive complexity",
    "nesting": "nesting depth",
    "parameters": "number of parameters",
    "lines": "number of lines",
}
PLURALS = {"class": "classes", "": "definitions"}
# Of which kinds a definition may be; a method is a function, as where functions are counted.
KINDS = {"": ("module", "class", "function", "method"), "function": ("function", "method")}


@dataclass(frozen=True)
class Told:
    """What is said.

    Attributes:
        text: the answer; empty where there is none.
        computed: figures that were counted over rows.
        problem: why there is no answer.
    """

    text: str = ""
    computed: list[str] = field(default_factory=list)
    problem: str = ""


@dataclass(frozen=True)
class Found:
    """What the tool printed."""

    report: Row
    question: AuditQuestion

    @property
    def totals(self) -> Row:
        """Figures over everything, those that say how many rows there are in all included."""
        totals: Row = self.report["totals"]
        return totals

    def rows(self, name: str) -> list[Row]:
        """Rows of a list, as many as were asked for."""
        rows: list[Row] = self.report[name]
        return rows

    def in_all(self, name: str) -> int:
        """How many rows there are."""
        return int(self.totals[f"{name}_in_all"])

    @property
    def place(self) -> str:
        """Where, as a phrase."""
        return "here" if self.question.place == "." else f"in {self.question.place}"

    @property
    def python(self) -> int:
        """How many files are in Python."""
        return int(self.report["languages"].get("python", 0))


def answer_audit(output: str, asked: Row) -> Told:
    """The answer to a question.

    Args:
        output: whole output of the tool.
        asked: the question, as JSON values.

    Raises:
        ValueError: the output is none of the tool's.
    """
    question = AuditQuestion.model_validate(asked)
    found = Found(json.loads(output), question)
    told = _unable(found) or SHAPES[question.shape](found)
    if told.problem:
        return told
    return Told("\n".join([told.text, *_remarks(found)]), told.computed)


def _unable(found: Found) -> Told | None:
    """Why nothing can be told of anything there."""
    if not found.report["files"]:
        lost = _lost(found)
        none = f"There is no source file of a known language {found.place}"
        return Told(problem=f"{none} that could be read: {lost}." if lost else f"{none}.")
    only_python = found.question.shape in ("findings", "cycles", "undocumented")
    if only_python and not found.python:
        return Told(problem=f"There is no Python file {found.place}, and this is measured in Python only.")
    return None


def _remarks(found: Found) -> list[str]:
    """What the answer rests on, and what it does without."""
    lost = _lost(found)
    remarks = [f"Not looked at, so nothing is said of: {lost}."] if lost else []
    if found.totals.get("shallow"):
        remarks.append("The history is shallow, so changes are counted from where it begins.")
    return remarks + list(found.report["notes"])


def _lost(found: Found) -> str:
    """Files that some kernel could not look at, in words; what a link leads to is looked at where it is."""
    rows = [row for row in found.rows("left_out") if row["reason"] != "link"]
    files = {row["file"]: row for row in rows}
    named = [
        f"{file} ({row['reason']}{', line ' + str(row['line']) if row['line'] else ''})"
        for file, row in list(files.items())[:NAMED_FILES]
    ]
    return ", ".join(named) + (" and others" if len(files) > NAMED_FILES else "")


def _most(found: Found) -> Told:
    name = found.question.unit
    measure = found.question.measure
    rows, whole = _ranked(found, name, measure)
    if rows is None:
        return Told(problem=f"Of {found.in_all(name)} functions {found.place} only {whole} could be ranked.")
    unit = "function" if name == "functions" else "file"
    word = WORDS[measure]
    if not rows:
        return Told(f"There is no {unit} whose {word} is measured {found.place}.")
    wanted = found.question.n or 1
    most = rows[:wanted]
    tied = sum(row[measure] == most[-1][measure] for row in rows[len(most) :])
    if wanted == 1 and not tied:
        return Told(f"{_named(most[0], unit)} has the highest {word} {found.place}: {most[0][measure]}.")
    if wanted == 1:
        sharing = rows[: tied + 1]
        head = f"{len(sharing)} {unit}s share the highest {word} {found.place}, {most[0][measure]}:"
        computed = [f"share the highest: {len(sharing)}"]
        return _listing(head, sharing, lambda row: _named(row, unit), computed=computed)
    head = f"The {len(most)} {unit}s with the highest {word} {found.place}:"
    listed = _listing(head, most, lambda row: f"{_named(row, unit)}: {row[measure]}")
    more = f"\n{tied} more have {most[-1][measure]} as well." if tied else ""
    return Told(listed.text + more, [*listed.computed, f"ranked: {len(most)}", f"as well: {tied}"])


def _ranked(found: Found, name: str, measure: str) -> tuple[list[Row] | None, int]:
    """Rows with a figure, the highest first; None if some that may be higher were not given."""
    rows = found.rows(name)
    if measure != "cyclomatic" and len(rows) < found.in_all(name):
        return None, len(rows)
    measured = [row for row in rows if row[measure] is not None]
    return sorted(measured, key=lambda row: -row[measure]), len(rows)


def _named(row: Row, unit: str = "function") -> str:
    return f"{row['function']} ({row['at']})" if unit == "function" else row["at"].removesuffix(":1")


def _over(found: Found) -> Told:
    question = found.question
    rows, whole = _ranked(found, "functions", question.measure)
    least = question.least or 0
    if rows is None or (len(rows) < found.in_all("functions") and rows[-1][question.measure] >= least):
        return Told(problem=f"There are more functions {found.place} than the {whole} that were ranked.")
    over = [row for row in rows if row[question.measure] >= least]
    word = f"{WORDS[question.measure]} of {least} or more"
    computed = [f"{least} or more: {len(over)}"]
    if not over:
        return Told(f"No function {found.place} has a {word}.", computed)
    head = f"{_counted(len(over), 'function')} {found.place} with a {word}"
    if question.counts:
        return Told(f"{head}.", computed)
    return _listing(
        f"{head}:", over, lambda row: f"{_named(row)}: {row[question.measure]}", computed=computed
    )


def _of_one(found: Found) -> Told:
    question, measure = found.question, found.question.measure
    word = WORDS[measure]
    rows, whole = _ranked(found, "functions", measure)
    if not question.name:
        total, functions = found.totals["cyclomatic"], found.totals["functions"]
        if measure != "cyclomatic" or not rows:
            return Told(problem=f"{question.place} has no function whose {word} is measured.")
        head = f"The {word} of {question.place} is {total}, summed over its {_counted(functions, 'function')}"
        return Told(f"{head}; the highest is {rows[0][measure]}, of {_named(rows[0])}.")
    known = found.rows("functions")
    fits = [row for row in known if row["function"] == question.name] or [
        row for row in known if row["function"].endswith(f".{question.name}")
    ]
    if not fits:
        beyond = len(known) < found.in_all("functions")
        where = f"among the {whole} that were listed" if beyond else found.place
        return Told(problem=f"There is no function {question.name} {where}.")
    if any(row[measure] is None for row in fits):
        return Told(problem=f"The {word} of {question.name} is not measured in its language.")
    if len(fits) == 1:
        return Told(f"The {word} of {_named(fits[0])} is {fits[0][measure]}.")
    head = f"{len(fits)} functions {found.place} are called {question.name}:"
    computed = [f"called {question.name}: {len(fits)}"]
    return _listing(head, fits, lambda row: f"{_named(row)}: {word} {row[measure]}", computed=computed)


def _average(found: Found) -> Told:
    rows, whole = _ranked(found, "functions", found.question.measure)
    if rows is None or len(rows) < found.in_all("functions"):
        return Told(problem=f"Not all {found.in_all('functions')} functions {found.place} are measured.")
    if not rows:
        return Told(problem=f"There is no function {found.place}.")
    average = sum(row[found.question.measure] for row in rows) / whole
    word = WORDS[found.question.measure]
    text = f"The average {word} of the {_counted(whole, 'function')} {found.place} is {average:.2f}."
    return Told(text, [f"average: {average:.2f}"])


def _count(found: Found) -> Told:
    kind = found.question.kind or "function"
    number = found.totals[_plural(kind)]
    files = found.report["files"]
    there = "There is" if number == 1 else "There are"
    within = f", in {_counted(files, 'file')}" if files > 1 else ""
    those = "; methods and nested ones count" if kind == "function" and number else ""
    return Told(f"{there} {_counted(number, kind)} {found.place}{within}{those}.")


def _findings(found: Found) -> Told:
    level = found.question.severity
    rows = [row for row in found.rows("findings") if not row["suppressed"] and level in ("", row["severity"])]
    number = found.totals[level] if level else found.totals["open"]
    kind = f"{level} severity security finding" if level else "security finding"
    hidden = found.totals["suppressed"]
    beside = f" ({hidden} more suppressed by a comment)" if hidden and not level else ""
    if not number:
        return Told(f"Bandit has no {kind} {found.place}{beside}.")
    levels = ", ".join(f"{found.totals[one]} {one}" for one in ("high", "medium", "low"))
    head = f"{_counted(number, kind)} {found.place}{'' if level else f': {levels}'}{beside}"
    if found.question.counts:
        return Told(f"{head}.")
    return _listing(head, rows, _finding, number)


def _finding(row: Row) -> str:
    return f"{row['severity']} {row['rule']} {row['at']} {row['message']}"


def _hotspots(found: Found) -> Told:
    if not found.totals["history"]:
        return Told(
            problem="Hotspots are files that are both complex and often changed, and there is no git history "
            f"{found.place} to tell what was changed."
        )
    rows = found.rows("hotspots")
    if not rows:
        return Told(f"No file {found.place} is both more complex and more often changed than others.")
    wanted = found.question.n or FEW
    head = f"Hotspots {found.place}, the most complex and most often changed first:"
    return _listing(head, rows[:wanted], _hotspot)


def _hotspot(row: Row) -> str:
    function = f" {row['function']}" if row["function"] else ""
    commits = _counted(row["commits"], "commit")
    return f"{row['at']}{function}: {commits}, complexity {row['complexity']}, score {row['score']}"


def _cycles(found: Found) -> Told:
    rows, number = found.rows("import_cycles"), found.in_all("import_cycles")
    if found.report["files"] == 1:
        return Told(problem=f"One file alone ({found.question.place}) cannot show an import cycle.")
    if not number:
        return Told(f"No: the {found.python} Python files {found.place} import one another in no cycle.")
    head = f"{_counted(number, 'import cycle')} {found.place}"
    if found.question.counts:
        return Told(f"{head}.")
    return _listing(f"{head}:", rows, _cycle, number)


def _cycle(row: Row) -> str:
    lazy = " (closed by an import within a function or for type checkers only)" if row["lazy"] else ""
    return " -> ".join(row["imports"]) + lazy


def _duplicates(found: Found) -> Told:
    rows, number = found.rows("duplicates"), found.in_all("duplicates")
    if not number:
        return Told(f"No: no passage of code {found.place} stands in several places.")
    head = f"{_counted(number, 'passage')} of code {found.place} in several places"
    if found.question.counts:
        return Told(f"{head}.")
    return _listing(f"{head}:", rows, lambda row: f"{row['lines']} lines: {', '.join(row['places'])}", number)


def _undocumented(found: Found) -> Told:
    kind, public = found.question.kind, found.question.public
    kinds = KINDS.get(kind, (kind,))
    of = "public_kinds" if public else "kinds"
    known, bare = (
        sum(counted.get(one, 0) for one in kinds)
        for counted in (found.totals[of], found.totals[f"undocumented_{of}"])
    )
    noun, several = (f"{'public ' if public else ''}{one}" for one in (kind or "definition", _plural(kind)))
    if not known:
        return Told(f"There is no {noun} {found.place}, so none is without a docstring.")
    if not bare:
        return Told(f"No {noun} {found.place} is without a docstring.")
    those = "" if kind != "function" else "; methods count" if public else "; methods and nested ones count"
    have = "has" if bare == 1 else "have"
    head = f"{_counted(bare, noun, several)} {found.place} {have} no docstring{those}"
    computed = [f"without a docstring: {bare}"]
    if found.question.counts:
        return Told(f"{head}.", computed)
    rows = [
        row for row in found.rows("undocumented") if row["kind"] in kinds and (row["public"] or not public)
    ]
    return _listing(f"{head}:", rows, lambda row: f"{row['at']} {row['name']}", bare, computed)


def _risks(found: Found) -> Told:
    rows = found.rows("risks")
    wanted = found.question.n or 1
    return _listing(f"The highest risk {found.place}, in points:", rows[:wanted], _risk)


def _risk(row: Row) -> str:
    terms = ", ".join(f"{name} {points}" for name, points in row["terms"].items())
    return f"{row['at']}: {row['score']}" + (f" ({terms})" if terms else "")


def _advice(found: Found) -> Told:
    rows, number = found.rows("recommendations"), found.in_all("recommendations")
    if not number:
        return Told(f"The audit recommends nothing {found.place}.")
    head = f"{_counted(number, 'recommendation')} {found.place}, the most pressing first:"
    return _listing(head, rows, lambda row: f"{row['severity']} {row['at']} {row['what']}", number)


def _listing(
    head: str,
    rows: Sequence[Row],
    line: Callable[[Row], str],
    whole: int | None = None,
    computed: Sequence[str] = (),
) -> Told:
    """A heading and lines; `whole` is how many there are, if the rows are not all."""
    shown = [line(row) for row in rows[:LISTED]]
    more = (len(rows) if whole is None else whole) - len(shown)
    rest = [f"... and {more} more, which `reflect audit` lists."] if more > 0 else []
    return Told("\n".join([head, *shown, *rest]), [*computed, f"not listed: {max(more, 0)}"])


def _counted(number: int, one: str, several: str = "") -> str:
    return f"{number} {one if number == 1 else several or _plural(one)}"


def _plural(word: str) -> str:
    return PLURALS.get(word, f"{word}s")


SHAPES: dict[str, Callable[[Found], Told]] = {
    "most": _most,
    "over": _over,
    "named": _of_one,
    "average": _average,
    "count": _count,
    "findings": _findings,
    "hotspots": _hotspots,
    "cycles": _cycles,
    "duplicates": _duplicates,
    "undocumented": _undocumented,
    "risks": _risks,
    "advice": _advice,
}
