"""Expressions of a program, read with the values of one configuration file in it; the rest is unknown.

Three-valued: an expression has a value that is known, fails for certain, or nothing is said of it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from nodes.tutor.proving.configuration_files import FileName
from nodes.tutor.proving.configuration_lines import Settings
from nodes.tutor.proving.evaluation import Datum, Fails
from nodes.tutor.proving.program import Program, Running

_MOST_STEPS = 4_000
_DEEPEST = 40
CONFIGURATION = re.compile(
    r"conf|cfg|setting|option|prop(?:s|ert)|pref(?:s|er)|parser$|^(?:ini|toml|yaml|json|env|opts?)$"
    r"|^(?:safe_|full_)?load$",
    re.IGNORECASE,
)


class Unbounded(Exception):
    """The line is too large to be read."""


@dataclass(frozen=True, eq=False)
class Opaque:
    """Something of the program that is not known, and may be the configuration.

    Attributes:
        name: of it in the source.
        files: names of configuration files in what it is made from.
        whole: True if it is made by a call, and so may be taken for the whole of a file.
    """

    name: str
    files: tuple[FileName, ...] = ()
    whole: bool = False


@dataclass(frozen=True, eq=False)
class Member:
    """An enumeration or a module of the source, by what stands in it."""

    values: Mapping[str, Datum]
    name: str


Read = Datum | Opaque | Member | None


class Interpreter:
    """Reads expressions.

    Args:
        program: the files they stand in.
        settings: what the program's configuration is taken to be.
        readers: a reader for each kind of expression (`expressions.READERS`).

    Attributes:
        doubtful: True if something unknown was passed, that may have failed before.
        roots: what was taken for the configuration.
        used: observations that show which files the program could not open.
    """

    def __init__(self, program: Program, settings: Settings, readers: Readers) -> None:
        self.program = program
        self.settings = settings
        self.doubtful = False
        self.roots: list[Opaque] = []
        self.used: frozenset[str] = frozenset()
        self._readers = readers
        self._steps = 0
        self._depth = 0

    def value(self, node: ast.expr, running: Running) -> Read:
        """What an expression is; None if it is not known.

        Raises:
            Fails: it fails for certain, unless something unknown before it does.
            Unbounded: there is too much of it.
        """
        self._steps += 1
        if self._steps > _MOST_STEPS or self._depth > _DEEPEST:
            raise Unbounded
        read = self._readers.get(type(node))
        self._depth += 1
        try:
            found = read(self, node, running) if read is not None else None
        finally:
            self._depth -= 1
        if found is None:
            self.doubtful = True
        return found

    def known(self, node: ast.expr, running: Running) -> Datum | None:
        """What an expression is, if it is a plain value."""
        found = self.value(node, running)
        if isinstance(found, Datum):
            return found
        self.doubtful = True
        return None

    def elsewhere(self, node: ast.expr, running: Running) -> Read:
        """What an expression was when another line ran, which did not fail."""
        doubtful = self.doubtful
        try:
            return self.value(node, running)
        except Fails:
            return None
        finally:
            self.doubtful = doubtful

    def configuration(self, found: Read) -> Read:
        """The document, if something can be it; whatever else it is."""
        if not isinstance(found, Opaque) or not (found.files or CONFIGURATION.search(found.name)):
            return found
        self.roots.append(found)
        return Datum(self.settings.value, frozenset(), ())


Readers = Mapping[type[ast.expr], Callable[[Interpreter, Any, Running], Read]]
