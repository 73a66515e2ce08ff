"""Where in a run one stands: graphs, nodes and calls, each below another.

A graph begins before its settings are known, because its first node loads them. So what begins is noted here
first, with its time, and becomes a span once the run at the top has a recorder (`attach`); a run that gets
none leaves nothing behind.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeAlias

from models.telemetry.names import ERROR_TYPE

Value: TypeAlias = str | bool | int | float | Sequence[str]
Outcome: TypeAlias = Literal["ok", "error", "unset"]
Side: TypeAlias = Literal["input", "output"]


class Recorder(Protocol):
    """Makes spans and counts; `memory.telemetry.recorder` has the one there is."""

    @property
    def content(self) -> bool:
        """Whether texts are recorded, and not only their sizes and hashes."""
        ...

    def begin(self, name: str, above: Any, started: int, *, client: bool) -> Any:
        """A span that began at a time, in nanoseconds since 1970, below another or None."""
        ...

    def end(self, span: Any, attributes: Mapping[str, Value], outcome: Outcome, told: str) -> None:
        """End a span now; `told` is what went wrong, in words that may hold content."""
        ...

    def text(self, side: Side, text: str) -> dict[str, Value]:
        """Attributes for a text that goes in or comes out."""
        ...

    def redacted(self, text: str) -> str:
        """A text without secrets, cut to what is kept of one."""
        ...

    def count(self, name: str, amount: int, attributes: Mapping[str, Value]) -> None:
        """Add to a counter."""
        ...

    def measure(self, name: str, value: float, attributes: Mapping[str, Value]) -> None:
        """Add a value to a histogram."""
        ...


@dataclass(eq=False)
class Scope:
    """Something that takes time in a run.

    Attributes:
        name: of its span.
        above: what it is part of; None for a run that is part of nothing.
        client: True if somebody else is asked, such as a model.
        attributes: told with the span.
        outcome: "ok", "error", or "unset" for what is neither.
        told: what went wrong, in words.
    """

    name: str
    above: Scope | None = None
    client: bool = False
    attributes: dict[str, Value] = field(default_factory=dict)
    outcome: Outcome = "unset"
    told: str = ""
    started: int = field(default_factory=time.time_ns)
    _recorder: Recorder | None = None
    _span: Any = None
    _beginning: threading.Lock = field(default_factory=threading.Lock)

    @property
    def top(self) -> Scope:
        """The run that is part of nothing."""
        scope = self
        while scope.above is not None:
            scope = scope.above
        return scope

    @property
    def recorder(self) -> Recorder | None:
        """What records the run; None if nothing does, or not yet."""
        return self.top._recorder

    def failed(self, kind: str, told: str = "") -> None:
        """Say that it failed: by a class of errors, and in words."""
        self.outcome, self.told = "error", told
        self.attributes[ERROR_TYPE] = kind

    def end(self) -> None:
        """Tell the span, if the run is recorded."""
        recorder = self.recorder
        if recorder is not None:
            recorder.end(self._begun(recorder), self.attributes, self.outcome, self.told)

    def _begun(self, recorder: Recorder) -> Any:
        """The span; those above it are begun first, each once."""
        above = self.above._begun(recorder) if self.above is not None else None
        with self._beginning:
            if self._span is None:
                self._span = recorder.begin(self.name, above, self.started, client=self.client)
            return self._span


_current: ContextVar[Scope | None] = ContextVar("telemetry_scope", default=None)


def current() -> Scope | None:
    """The innermost scope; None outside a run."""
    return _current.get()


def recorded() -> tuple[Scope, Recorder] | None:
    """The innermost scope and what records it; None where nothing is recorded."""
    scope = _current.get()
    recorder = scope.recorder if scope is not None else None
    return (scope, recorder) if scope is not None and recorder is not None else None


def attach(recorder: Recorder | None, about: Mapping[str, Value]) -> None:
    """Let the run one stands in be recorded, from its beginning, unless it is already.

    Args:
        recorder: None leaves it as it is.
        about: attributes of the graph one stands in a node of.
    """
    scope = _current.get()
    if recorder is None or scope is None:
        return
    if scope.recorder is None:
        scope.top._recorder = recorder
    for name, value in about.items():
        (scope.above or scope).attributes.setdefault(name, value)


@contextmanager
def within(scope: Scope, calm: tuple[type[BaseException], ...] = ()) -> Iterator[None]:
    """Stand in a scope until its end; an exception that leaves it is an error of it.

    Args:
        scope: just begun.
        calm: exceptions that are none, such as a question to a person.
    """
    token = _current.set(scope)
    try:
        yield
    except BaseException as error:
        if isinstance(error, (*calm, asyncio.CancelledError, GeneratorExit)):
            scope.attributes[ERROR_TYPE] = type(error).__name__
        else:
            scope.failed(type(error).__name__, str(error))
        raise
    finally:
        _current.reset(token)
        scope.end()
