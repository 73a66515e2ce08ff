"""The program a traceback went through: its files, the functions that ran, and what their names stand for."""

from __future__ import annotations

import ast
import posixpath
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from nodes.tutor.proving import paths
from nodes.tutor.proving.imports import roots_of
from nodes.tutor.proving.places import below
from nodes.tutor.proving.python_source import (
    Function,
    Scope,
    has_odd_line_ends,
    names_bound,
    parsed,
    statements,
)
from nodes.tutor.proving.tracebacks import Frame
from nodes.tutor.proving.world import World

_WHOLE_FILE = "<module>"


@dataclass(frozen=True, eq=False)
class Source:
    """A file of the program."""

    path: str
    text: str
    module: ast.Module
    used: frozenset[str]


@dataclass(frozen=True, eq=False)
class Running:
    """A scope while it runs.

    Attributes:
        source: the file it is in.
        chain: the scopes around it, from the module to itself.
        call: position among the program's calls, None if it is not one of them.
        bound: names that stand for something of their own here, as a loop binds them.
    """

    source: Source
    chain: tuple[Scope, ...]
    call: int | None = None
    bound: Mapping[str, Any] = field(default_factory=dict)

    @property
    def scope(self) -> Scope:
        """The innermost scope."""
        return self.chain[-1]

    def with_bound(self, more: Mapping[str, Any]) -> Running:
        """The same, with more names of its own."""
        return Running(self.source, self.chain, self.call, {**self.bound, **more})


@dataclass(frozen=True)
class Call:
    """A call of the traceback, in a file that was seen."""

    running: Running
    line: int


class Program:
    """The files and calls behind a traceback.

    Args:
        frames: of the program itself, outermost first.
        world: what is known.

    Attributes:
        calls: where each frame was; None if its file was not seen.
        fits: False if a file was seen in which the log and the source do not agree.
        root: how the machine that wrote the log names the sandbox; None if it doesn't tell.
        relative: True if it names files from where the program was started.
    """

    def __init__(self, frames: Sequence[Frame], world: World) -> None:
        self.world = world
        self._sources: dict[str, Source | None] = {}
        self.root: str | None = None
        self.relative = bool(frames) and not frames[-1].path.startswith("/")
        self.fits = True
        self.calls: list[Call | None] = []
        for at, frame in enumerate(frames):
            self.calls.append(self._call(at, frame))

    def source(self, path: str) -> Source | None:
        """A Python file, if all of it was seen."""
        if path not in self._sources:
            known = self.world.lines_text(path)
            module = parsed(known.value) if known is not None and not has_odd_line_ends(known.value) else None
            self._sources[path] = (
                Source(path, known.value, module, known.used)
                if known is not None and module is not None
                else None
            )
        return self._sources[path]

    @property
    def sources(self) -> list[Source]:
        """The files looked at until now."""
        return [source for source in self._sources.values() if source is not None]

    def every_source(self) -> list[Source]:
        """Every Python file all of which was seen, whether or not the program is known to run it."""
        for path in self.world.paths_with_content:
            if path.endswith(".py"):
                self.source(path)
        return self.sources

    def imported(self, source: Source, node: ast.ImportFrom) -> Source | None:
        """The file of the module that `from module import ...` names, if it was seen and is the only one."""
        module = (node.module or "").replace(".", "/")
        if node.level:
            directory = source.path
            for _ in range(node.level):
                directory = posixpath.dirname(directory)
            places = [directory]
        else:
            places = list(roots_of(source.path))
        stems = [below(place or ".", module) for place in places]
        found = [self.source(path) for stem in stems for path in (stem + ".py", stem + "/__init__.py")]
        seen = [one for one in found if one is not None]
        return seen[0] if len(seen) == 1 else None

    def _call(self, at: int, frame: Frame) -> Call | None:
        found = [
            (source, chain)
            for path in _paths_of(frame.path)
            for source in [self.source(path)]
            if source is not None
            for chain in [_chain(source, frame)]
            if chain is not None
        ]
        if len(found) != 1:
            self.fits = self.fits and not any(self.source(path) for path in _paths_of(frame.path))
            return None
        source, chain = found[0]
        if frame.path.startswith("/"):
            self.root = frame.path[: len(frame.path) - len(source.path)]
        return Call(Running(source, chain, at), frame.line)


def _paths_of(written: str) -> list[str]:
    """Paths of the sandbox that a path of a log may be: itself, or any end of one of a whole machine."""
    if not written.startswith("/"):
        inside = paths.normal(written)
        return [inside] if inside is not None else []
    parts = posixpath.normpath(written).strip("/").split("/")
    return ["/".join(parts[at:]) for at in range(len(parts))]


def _chain(source: Source, frame: Frame) -> tuple[Scope, ...] | None:
    """The scopes around a line, if the log and the file agree on the line and on the function."""
    rows = source.text.split("\n")
    if frame.line > len(rows):
        return None
    if frame.source is not None and frame.source != rows[frame.line - 1].strip():
        return None
    chain: tuple[Scope, ...] = (source.module,)
    inner: Scope | None = source.module
    while inner is not None:
        inner = next(
            (
                placed.node
                for placed in statements(chain[-1])
                if isinstance(placed.node, Function | ast.ClassDef)
                and placed.node.body[0].lineno <= frame.line <= (placed.node.end_lineno or 0)
            ),
            None,
        )
        if inner is not None:
            chain = (*chain, inner)
    last = chain[-1]
    name = _WHOLE_FILE if isinstance(last, ast.Module) else last.name
    written = frame.function.rpartition(".")[2] if frame.function else None
    inline = written is not None and written.startswith("<") and written != _WHOLE_FILE
    return chain if written is None or inline or written == name else None


def binding_of(scope: Scope, name: str) -> ast.stmt | None | bool:
    """The one statement that binds a name in a scope; None if none does, False if more than one may."""
    bindings = _bindings(scope)
    found = (*bindings.get(name, ()), *bindings.get("*", ()))
    if not found:
        return None
    return found[0] if len(found) == 1 else False


@lru_cache(maxsize=256)
def _bindings(scope: Scope) -> Mapping[str, Sequence[ast.stmt]]:
    """The statements that bind each name."""
    found: dict[str, list[ast.stmt]] = defaultdict(list)
    for placed in statements(scope):
        for name in names_bound(placed.node):
            found[name].append(placed.node)
    return found


def parameters(function: Function) -> list[str]:
    """Names of the parameters, those that take one argument each."""
    given = function.args
    return [one.arg for one in (*given.posonlyargs, *given.args, *given.kwonlyargs)]


def argument_of(call: ast.Call, function: Function, name: str, method: bool) -> ast.expr | None:
    """The argument a call gives to a parameter, or the parameter's default."""
    if any(isinstance(one, ast.Starred) for one in call.args) or any(
        one.arg is None for one in call.keywords
    ):
        return None
    for given in call.keywords:
        if given.arg == name:
            return given.value
    positional = [one.arg for one in (*function.args.posonlyargs, *function.args.args)]
    if name not in positional:
        return None
    at = positional.index(name) - method
    if 0 <= at < len(call.args):
        return call.args[at]
    defaults = dict(zip(positional[::-1], function.args.defaults[::-1], strict=False))
    return defaults.get(name)
