"""One file of another language: sizes and functions by lizard, which reads tokens and needs no compiler."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import import_module
from pathlib import PurePath
from typing import Any

from configs.redaction import escaped
from tools.audit.file_facts import FileFacts
from tools.audit.languages import FLAT
from tools.audit.reading import Text
from tools.audit.report import Function, Module, Place
from tools.audit.serving import Failure
from tools.audit.sources import Source
from tools.audit.units import LITERAL, NAME, Units

_KEYWORDS = frozenset(
    "async await break case catch class const continue def default defer do else elsif end enum export "
    "extends false final finally fn for foreach func fun function go goto if impl import in interface let "
    "loop match module namespace new nil null package private protected public return static struct super "
    "switch template this throw throws trait true try type typedef unless until use using var void when "
    "while with yield".split()
)
"""Words that stay as they are in the shape of a line, in whatever language; all others are names."""


FRAMES = 3_000
"""Of recursion. lizard's time grows with the square of the depth; some hundred levels are deep enough."""


@cache
def _lizard() -> Any:
    """The library, without the directories it puts first on the import path, where they could hide ours."""
    path = list(sys.path)
    try:
        return import_module("lizard")
    finally:
        sys.path[:] = path


def scan_with_lizard(source: Source, text: Text) -> FileFacts:
    """Find what a file holds.

    lizard's own rules hold: it stops at a comment that says GENERATED CODE, and a function that a comment
    forgives (`#lizard forgives`) is not listed.
    """
    units = Units()
    try:
        found = _analysed(source, text.text, units)
    except RecursionError:
        problem = Failure("crashed", "lizard cannot take it: it is nested too deeply.")
        return FileFacts(_module(source, text, None), problem=problem)
    module = _module(source, text, found.nloc)
    functions = sorted(
        (_function(source, module.lines, one) for one in found.function_list),
        key=lambda one: (one.line, one.place.end_line, one.name),
    )
    return FileFacts(module, tuple(functions), units=units)


def _analysed(source: Source, text: str, units: Units) -> Any:
    """FileInformation of lizard, whose own analyzer keeps silent about what is nested too deeply."""
    lizard = _lizard()
    # Of a name lizard wants its end only, and one with a line feed it would take for C.
    name = f"file{PurePath(source.path.name).suffix.lower()}"
    context = lizard.FileInfoBuilder(name)
    reader = lizard.get_reader_for(name)(context)
    tokens = reader.generate_tokens(text)
    for processor in [*lizard.get_extensions(["cognitive"]), _collector(units)]:
        tokens = processor(tokens, reader)
    usual = sys.getrecursionlimit()
    sys.setrecursionlimit(min(usual, FRAMES))
    try:
        for _ in reader(tokens, reader):
            pass
    finally:
        sys.setrecursionlimit(usual)
    return context.fileinfo


def _module(source: Source, text: Text, code: int | None) -> Module:
    """Sizes of a file; without lizard's number of code lines, each that is not blank is one."""
    rows = text.text.split("\n")
    if not rows[-1]:
        rows.pop()
    blank = sum(1 for row in rows if not row.strip())
    parsed = code is not None
    code = len(rows) - blank if code is None else min(code, len(rows) - blank)
    return Module(
        file=source.file,
        language=source.language,
        encoding=text.encoding,
        lines=len(rows),
        code_lines=code,
        comment_lines=len(rows) - blank - code,
        blank_lines=blank,
        parsed=parsed,
    )


def _function(source: Source, lines: int, found: Any) -> Function:
    first = min(max(found.start_line, 1), max(lines, 1))
    last = min(max(found.end_line, first), max(lines, first))
    cognitive = None if source.language in FLAT else getattr(found, "cognitive_complexity", 0)
    return Function(
        name=escaped(found.name),
        place=Place(file=source.file, line=first, end_line=last),
        line=first,
        parameters=found.parameter_count,
        code_lines=found.nloc,
        cyclomatic=found.cyclomatic_complexity,
        cognitive=cognitive,
    )


def _collector(units: Units) -> Any:
    """A processor of lizard's that passes tokens on, and makes a unit of those of each line."""

    def collected(tokens: Iterable[str], reader: Any) -> Iterator[str]:
        line, shape, written = 0, list[str](), list[str]()
        for token in tokens:
            if reader.context.current_line != line:
                if shape:
                    units.add(line, line, shape, written)
                line, shape, written = reader.context.current_line, [], []
            shape.append(_shape(token))
            written.append(token)
            yield token
        if shape:
            units.add(line, line, shape, written)

    return collected


def _shape(token: str) -> str:
    first = token[0]
    if first.isdigit() or first in "'\"`":
        return LITERAL
    if (first.isalpha() or first in "_$@") and token.lower() not in _KEYWORDS:
        return NAME
    return token
