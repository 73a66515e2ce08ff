"""One Python file: parsed by the standard library, cognitive complexity by complexipy."""

from __future__ import annotations

import ast
from collections.abc import Sequence

import complexipy

from configs.redaction import escaped
from tools.audit.file_facts import FileFacts
from tools.audit.languages import PYTHON
from tools.audit.python_facts import FunctionFacts, facts_of
from tools.audit.python_lines import Lines, lines_of
from tools.audit.reading import Text
from tools.audit.report import Class, Function, Module, Place
from tools.audit.serving import Failure


def scan_python(file: str, text: Text) -> FileFacts:
    """Find what a file holds; of one that Python does not take, its sizes only.

    Args:
        file: its name in the report.
        text: what it holds.
    """
    lines = lines_of(text.text)
    parsed = Failure("encoding", text.problem) if text.problem else _parsed(text.text, lines.total)
    module = _module(file, text, lines, parsed=isinstance(parsed, ast.Module))
    if isinstance(parsed, Failure):
        return FileFacts(module, problem=parsed)
    facts = facts_of(parsed)
    cognitive = _cognitive(text.text, facts.functions)
    return FileFacts(
        module,
        tuple(
            Function(
                name=one.name,
                place=Place(file=file, line=one.first, end_line=one.last),
                line=one.line,
                parameters=one.parameters,
                code_lines=lines.code_between(one.first, one.last),
                cyclomatic=one.cyclomatic,
                cognitive=cognitive.get(one.first),
                nesting=one.nesting,
            )
            for one in facts.functions
        ),
        tuple(
            Class(
                name=one.name,
                place=Place(file=file, line=one.first, end_line=one.last),
                bases=one.bases,
                methods=one.methods,
            )
            for one in facts.classes
        ),
        tuple(facts.imports),
        lines.units,
    )


def _parsed(text: str, lines: int) -> ast.Module | Failure:
    try:
        return ast.parse(text)
    except SyntaxError as error:
        line = min(max(error.lineno or 1, 1), max(lines, 1))
        return Failure("syntax", f"Python cannot parse it: {escaped(error.msg).rstrip('.?!')}.", line)
    except (RecursionError, MemoryError):
        return Failure("crashed", "Python's parser cannot take it: it is nested too deeply.")
    except ValueError as error:
        return Failure("syntax", f"Python cannot parse it: {escaped(str(error))}.")


def _module(file: str, text: Text, lines: Lines, *, parsed: bool) -> Module:
    code = lines.code.count(1)
    return Module(
        file=file,
        language=PYTHON,
        encoding=text.encoding,
        lines=lines.total,
        code_lines=code,
        comment_lines=lines.total - code - lines.blank,
        blank_lines=lines.blank,
        parsed=parsed,
    )


def _cognitive(text: str, functions: Sequence[FunctionFacts]) -> dict[int, int]:
    """Cognitive complexity by the first line of a function.

    complexipy counts a function within another one into that one. Such a function is measured by itself as
    well, cut out of the text, so that each has a number.
    """
    found = _measured(text, 0)
    rows: list[str] = []
    for function in functions:
        if function.first not in found:
            rows = rows or text.split("\n")
            alone = "\n".join(["if _:", *rows[function.first - 1 : function.last]])
            found |= {
                line: number
                for line, number in _measured(alone, function.first - 2).items()
                if line == function.first
            }
    return found


def _measured(text: str, before: int) -> dict[int, int]:
    """By first lines, counted from `before`; nothing if complexipy, with a grammar of its own, objects."""
    try:
        measured = complexipy.code_complexity(text, no_ignore=True, with_plans=False)
    except ValueError:
        return {}
    return {before + one.line_start: one.complexity for one in measured.functions}
