"""What is shown of a contractive run while it goes on: a line for each thing that happens."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import Any, Protocol, TextIO

from cli.live import printable

LONGEST = 160
Facts = Mapping[str, Any]


class View(Protocol):
    """Is told what happens."""

    def show(self, event: Mapping[str, Any]) -> None:
        """Show one event, as the graph streams it."""
        ...


class Nothing:
    """Shows nothing."""

    def show(self, event: Mapping[str, Any]) -> None:
        """See `View`."""


class Lines:
    """Events as lines of JSON.

    Args:
        stream: where they go; each line at once.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def show(self, event: Mapping[str, Any]) -> None:
        """See `View`."""
        from nodes.contractive.events import event_line

        self._stream.write(event_line(event, ascii_only=not is_utf8(self._stream)))
        self._stream.flush()


class Progress:
    """Events as words for people, without those that only say where a question stands.

    Args:
        stream: where they go.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def show(self, event: Mapping[str, Any]) -> None:
        """See `View`."""
        if line := line_of(event):
            self._stream.write(f"{line}\n")
            self._stream.flush()


class Both:
    """Shows everything twice."""

    def __init__(self, *views: View) -> None:
        self._views = views

    def show(self, event: Mapping[str, Any]) -> None:
        """See `View`."""
        for view in self._views:
            view.show(event)


def view_of(*, quiet: bool, events: bool) -> View:
    """What the flags of the command want shown: events on standard output, progress on standard error."""
    views: list[View] = [*([Lines(sys.stdout)] if events else []), *([] if quiet else [Progress(sys.stderr)])]
    return Both(*views) if len(views) > 1 else views[0] if views else Nothing()


def line_of(event: Mapping[str, Any]) -> str:
    """One event as a line for people; empty for one that only says where a question stands."""
    words = WORDS.get(str(event.get("type")))
    told = words(event.get("facts") or {}) if words is not None else ""
    if not told:
        return ""
    node, line = (" ".join(printable(text).split()) for text in (str(event.get("node") or ""), told))
    return f"{node:8} {line if len(line) <= LONGEST else line[: LONGEST - 1] + '…'}"


def is_utf8(stream: TextIO) -> bool:
    """True if a stream can hold any character."""
    return (stream.encoding or "").lower().replace("-", "") == "utf8"


def _sampled(facts: Facts) -> str:
    if not facts.get("samples"):
        return f"{facts.get('of', 'try')}: no samples came"
    answer = facts.get("answer") or "no answer"
    share, entropy = float(facts.get("support", 0)), float(facts.get("entropy", 0))
    samples = f"{share:.0%} of {facts.get('samples', 0)} samples, entropy {entropy:.2f}"
    return f"{facts.get('of', 'try')}: {answer} ({samples})"


def _normalized(facts: Facts) -> str:
    if meant := facts.get("clarified"):
        return f"meant: {meant}"
    if facts.get("refused"):
        return f"restatement not used: {facts['refused']}"
    return f"read as: {facts.get('question')}" if facts.get("source") == "model" else ""


def _reviewed(facts: Facts) -> str:
    if facts.get("problem"):
        return f"not reviewed: {facts['problem']}"
    issues = "; ".join(map(str, facts.get("issues", [])))
    return (
        f"{facts.get('by')}: {str(facts.get('verdict')).replace('_', ' ')}{f' ({issues})' if issues else ''}"
    )


def _merged(facts: Facts) -> str:
    kept = "kept" if facts.get("kept") else "not kept"
    answer = facts.get("answer") or "no answer"
    return f"merged {len(facts.get('parts', []))} parts: {answer} ({kept}: {facts.get('reason')})"


def _pass_ended(facts: Facts) -> str:
    ratio = facts.get("ratio")
    moved = "" if facts.get("step") is None else f", moved by {facts['step']:.2f}"
    return (
        f"pass {facts.get('number')}: {facts.get('answer') or 'no answer'}{moved}"
        + ("" if ratio is None else f", q = {ratio:.2f}")
        + (f"; stops: {facts['stop_reason']}" if facts.get("stop_reason") else "")
    )


WORDS: Mapping[str, Callable[[Facts], str]] = {
    "node_created": lambda facts: f"? {facts.get('question')}",
    "normalized": _normalized,
    "sampled": _sampled,
    "decomposed": lambda facts: f"split into {len(facts.get('parts', []))} parts ({facts.get('joint')})",
    "pruned": lambda facts: (
        f"part left out: {facts['part']}: {facts.get('why')}"
        if facts.get("part")
        else f"answer not used: {facts.get('why')}"
    ),
    "reviewed": _reviewed,
    "revised": lambda facts: (
        f"revised: {facts.get('answer')} ({'kept' if facts.get('kept') else 'not kept'})"
    ),
    "merged": _merged,
    "call_failed": lambda facts: f"a call failed ({facts.get('phase')}): {facts.get('why')}",
    "budget_refused": lambda facts: f"a call was not made ({facts.get('phase')}): {facts.get('why')}",
    "pass_ended": _pass_ended,
}
