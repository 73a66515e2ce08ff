"""Lines of Python by the standard library's tokens: code, comment or blank, and units for duplicates.

Counted as radon.raw does: a string that stands alone is a comment; a blank line is blank wherever it stands,
even in a string; a comment between brackets, or behind code, is code. Only a line ends at a line feed (or
carriage return) alone, as for Python itself, while radon also breaks it at form feeds and the like.
"""

from __future__ import annotations

import io
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass, field
from keyword import iskeyword

from tools.audit.units import LITERAL, NAME, Units

_COMMENT, _NL, _NEWLINE = tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE
_STRING, _NUMBER, _NAME = tokenize.STRING, tokenize.NUMBER, tokenize.NAME
_LAYOUT = frozenset({tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER, _NL})
# Since Python 3.12 an f-string is many tokens; taken together they are one literal, as before.
_OPENS, _CLOSES = getattr(tokenize, "FSTRING_START", None), getattr(tokenize, "FSTRING_END", None)
_CLOSING = frozenset(")]}")


@dataclass(frozen=True)
class Lines:
    """What the lines of a file are.

    Attributes:
        total: their number.
        blank: how many hold nothing but blanks.
        code: one byte for each line from 0 on (there is no line 0), 1 where it holds code.
        units: for duplicates; imports and strings that stand alone are left out.
    """

    total: int
    blank: int
    code: bytearray
    units: Units = field(default_factory=Units)

    def code_between(self, first: int, last: int) -> int:
        """Lines of code from one line to another, inclusive."""
        return self.code.count(1, first, last + 1)


@dataclass
class _Statement:
    """Tokens of one logical line so far."""

    first: int = 1
    shape: list[str] = field(default_factory=list)
    written: list[str] = field(default_factory=list)
    commented: bool = False
    is_string: bool = False


def lines_of(text: str) -> Lines:
    """Look at every line; what cannot be split into tokens is told by its first character."""
    rows = text.split("\n")
    if not rows[-1]:
        rows.pop()
    code = bytearray([0, *(bool(row.strip()) for row in rows)])
    lines = Lines(len(rows), code.count(0) - 1, code)
    statement = _Statement()
    try:
        for kind, string, (row, _), _, _ in _tokens(text):
            if kind == _NEWLINE:
                _finish(statement, row, lines)
                statement = _Statement(first=row + 1)
            elif kind == _COMMENT and not statement.shape:
                code[row] = 0
            elif kind == _COMMENT:
                statement.commented = True
            else:
                _add(statement, kind, string, row)
    except (tokenize.TokenError, SyntaxError):
        for number in range(statement.first, lines.total + 1):
            if rows[number - 1].lstrip().startswith("#"):
                code[number] = 0
    return lines


def _tokens(text: str) -> Iterator[tokenize.TokenInfo]:
    """Tokens but for layout; of an f-string its beginning only, where it is many of them.

    Raises:
        tokenize.TokenError: the text ends within something.
        SyntaxError: its lines are not indented as Python wants it.
    """
    depth = 0
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        kind = token.type
        if kind == _CLOSES:
            depth -= 1
        elif kind == _OPENS:
            depth += 1
            if depth == 1:
                yield token
        elif depth == 0 and kind not in _LAYOUT:
            yield token


def _add(statement: _Statement, kind: int, string: str, row: int) -> None:
    shape = statement.shape
    if not shape:
        statement.first = row
        statement.is_string = kind == _STRING
    elif string in _CLOSING and shape[-1] == ",":
        # A comma before a closing bracket is layout.
        shape.pop()
        statement.written.pop()
    if kind == _NAME and not iskeyword(string):
        shape.append(NAME)
    else:
        shape.append(LITERAL if kind in (_STRING, _NUMBER, _OPENS) else string)
    statement.written.append(string)


def _finish(statement: _Statement, last: int, lines: Lines) -> None:
    if not statement.shape:
        return
    if statement.is_string and len(statement.shape) == 1:
        if not statement.commented:
            lines.code[statement.first : last + 1] = bytes(last + 1 - statement.first)
    elif statement.shape[0] not in ("import", "from"):
        lines.units.add(statement.first, last, statement.shape, statement.written)
