"""What is shown of several engines while they work: a line for each thing that happens, with whose it is."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import Any, Protocol, TextIO

from rich.console import Console
from rich.markup import escape

from cli.live import WORDS_BY_EVENT, printable
from cli.think_live import LONGEST, WORDS, is_utf8

NAME_WIDTH = 14
MARKS = {"answered": "green", "error": "red", "could_not": "yellow"}


class View(Protocol):
    """Is told what happens."""

    def show(self, namespace: tuple[str, ...], mode: str, chunk: Any) -> None:
        """Show one streamed chunk; the namespace tells in which graph below the run's own it came about."""
        ...


class Nothing:
    """Shows nothing."""

    def show(self, namespace: tuple[str, ...], mode: str, chunk: Any) -> None:
        """See `View`."""


class Children:
    """Which child a namespace belongs to, as their own events tell."""

    def __init__(self) -> None:
        self._ids: dict[str, str] = {}

    def of(self, namespace: tuple[str, ...], event: Mapping[str, Any]) -> str:
        """The id of the child an event is of; empty for an event of the run itself."""
        if event.get("kind") == "child":
            self._ids[str(event["namespace"])] = str(event["id"])
        if event.get("kind") in ("child", "child_done"):
            return str(event["id"])
        joined = "|".join(namespace)
        # The innermost: an engine may itself be one of several.
        known = [name for name in self._ids if joined == name or joined.startswith(f"{name}|")]
        return (
            self._ids[max(known, key=len)] if known else namespace[0].partition(":")[0] if namespace else ""
        )


class Lines:
    """Events as lines of JSON.

    Args:
        stream: where they go; each line at once.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._children = Children()

    def show(self, namespace: tuple[str, ...], mode: str, chunk: Any) -> None:
        """See `View`."""
        if mode != "custom":
            return
        line = {
            "type": "event",
            "child": self._children.of(namespace, chunk),
            "namespace": list(namespace),
            "event": chunk,
        }
        self._stream.write(json.dumps(line, ensure_ascii=not is_utf8(self._stream)) + "\n")
        self._stream.flush()


class Progress:
    """Events as words for people, each behind the name of the engine it is of.

    Args:
        stream: where they go.
    """

    def __init__(self, stream: TextIO) -> None:
        self._console = Console(file=stream, highlight=False, soft_wrap=True, emoji=False)
        self._children = Children()

    def show(self, namespace: tuple[str, ...], mode: str, chunk: Any) -> None:
        """See `View`."""
        if mode != "custom":
            return
        name = escape(printable(self._children.of(namespace, chunk)))
        for line in _words(chunk).splitlines():
            if line.strip():
                self._console.print(f"[cyan]{name:{NAME_WIDTH}}[/] {line}")


class Both:
    """Shows everything twice."""

    def __init__(self, *views: View) -> None:
        self._views = views

    def show(self, namespace: tuple[str, ...], mode: str, chunk: Any) -> None:
        """See `View`."""
        for view in self._views:
            view.show(namespace, mode, chunk)


def view_of(*, quiet: bool, events: bool) -> View:
    """What the flags of the command want shown: events on standard output, progress on standard error."""
    views: list[View] = [*([Lines(sys.stdout)] if events else []), *([] if quiet else [Progress(sys.stderr)])]
    return Both(*views) if len(views) > 1 else views[0] if views else Nothing()


def _words(event: Mapping[str, Any]) -> str:
    """An event in words, with marks of style; empty for one that people need not see."""
    kind = event.get("kind", "")
    if kind == "child":
        return f"is asked: {_one_line(event['question'])}"
    if kind == "child_done":
        style = MARKS.get(str(event["status"]), "yellow")
        return f"[{style}]{str(event['status']).replace('_', ' ')}[/]"
    if kind == "contractive":
        words = WORDS.get(str(event.get("type")))
        told = words(event.get("facts") or {}) if words is not None else ""
        return f"  {escape(str(event.get('node') or ''))} {_one_line(told)}" if told else ""
    known = WORDS_BY_EVENT.get(kind)
    return known(dict(event)) if known is not None else ""


def _one_line(text: object) -> str:
    line = " ".join(printable(str(text)).split())
    return escape(line if len(line) <= LONGEST else line[: LONGEST - 1] + "…")
