"""What a run looks like in a terminal: each node, the plan and its steps as they happen, then the answer."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol, TextIO

from rich.console import Console
from rich.markup import escape
from rich.text import Text

from cli.passing_text import PassingText

if TYPE_CHECKING:
    from langchain_core.messages import BaseMessage
    from langgraph.types import StreamMode

EVIDENCE_LINES = 8
# Signs that act instead of showing: controls, and those that turn the direction of what follows.
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
NAME_END = re.compile(r"\0(?=\d+:)")
NODE_WORDS = {
    "classify": "CLASSIFY",
    "direct_exec": "DIRECT_EXEC",
    "plan": "PLAN",
    "execute": "EXECUTE",
    "reflect": "REFLECT",
    "verify": "VERIFY",
    "respond": "RESPOND",
}


def printable(text: str) -> str:
    """Text from tools or models without control characters, so it cannot drive the terminal.

    A NUL ends a file name: before a line number it becomes a colon, else a new line.
    """
    text = NAME_END.sub(":", text).replace("\0", "\n")
    return CONTROL.sub(lambda match: f"\\x{ord(match.group(0)):02x}", text)


class Live(Protocol):
    """Is told what a run of the reflective graph does."""

    @property
    def modes(self) -> list[StreamMode]:
        """What it wants streamed."""
        ...

    def start(self, goal: str) -> None:
        """A new goal is asked."""
        ...

    def show(self, mode: str, chunk: Any) -> None:
        """One streamed chunk."""
        ...

    def stop(self) -> None:
        """The run ended, or waits."""
        ...


class LiveView:
    """Prints progress lines as a run goes on. Plain lines, so a log file reads like the terminal.

    In a terminal the words of a model are shown as they come, below the lines, and taken away again: the
    answer is printed once, when it is known to be one.

    Args:
        stream: where progress goes.
        goal_shown: the goal stands there already.
    """

    def __init__(self, stream: TextIO, *, goal_shown: bool = False) -> None:
        self._goal_shown = goal_shown
        self._console = Console(file=stream, highlight=False, soft_wrap=True, emoji=False)
        self._passing = PassingText(self._console)
        self._speech: Speech | None = None
        self._bypass = False

    @property
    def modes(self) -> list[StreamMode]:
        """What it wants streamed; tokens only where they can be shown."""
        return ["tasks", "custom", *(["messages"] if self._passing.possible else [])]  # type: ignore[list-item]  # a Literal

    def start(self, goal: str) -> None:
        """Say what is asked."""
        if not self._goal_shown:
            self._console.print(f"[bold]Goal[/] {escape(printable(goal[:300]))}")

    def stop(self) -> None:
        """Leave a blank line before the answer."""
        self._passing.clear()
        self._console.print()

    def show(self, mode: str, chunk: Any) -> None:
        """Show one streamed chunk: a node that starts or ends, a progress event, or some words of a model."""
        if mode == "messages":
            self._say(*chunk)
            return
        self._passing.clear()
        self._speech = None
        if mode == "tasks":
            if "input" in chunk:
                self._start(chunk["name"])
            else:
                self._end(chunk["name"], dict(chunk.get("result") or {}))
        elif mode == "custom":
            words = WORDS_BY_EVENT.get(chunk.get("kind", ""))
            if words is not None:
                self._console.print(words(chunk))

    def _say(self, piece: BaseMessage, told: dict[str, Any]) -> None:
        if told.get("structured"):
            return
        if self._speech is None or self._speech.message_id != piece.id:
            self._speech = Speech(piece.id)
        self._speech.add(piece)
        answering = self._bypass and told.get("langgraph_node") == "direct_exec"
        self._passing.show(*self._speech.labelled("answering |" if answering else "draft, unchecked |"))

    def _start(self, node: str) -> None:
        if node in NODE_WORDS:
            self._console.print(f"[bold cyan]{NODE_WORDS[node]}[/]")

    def _end(self, node: str, update: dict[str, Any]) -> None:
        if node == "classify" and update:
            self._bypass = update.get("complexity") == "bypass"
            self._console.print(f"  {update.get('complexity')} (by {update.get('complexity_source')})")
        elif node == "respond":
            self._console.print(f"  {update.get('status')} ({update.get('stop_reason')})")
        elif node in NODE_WORDS and update.get("last_error"):
            self._console.print(f"  [red]{escape(printable(str(update['last_error'])[:300]))}[/]")


def _safe(value: object, longest: int = 400) -> str:
    """Text of tools and models as it may stand in a line of ours."""
    return escape(printable(str(value)[:longest]))


def _plan(event: dict[str, Any]) -> str:
    origin = f"recipe {event['recipe']}" if event.get("recipe") else event["source"]
    steps = "".join(f"\n    {number}. {_safe(text, 2000)}" for number, text in enumerate(event["steps"], 1))
    return f"  plan from {_safe(origin)}{steps}"


def _step_done(event: dict[str, Any]) -> str:
    mark = "[green]ok[/]" if event["status"] == "success" else "[red]failed[/]"
    return f"    {mark} [dim]$ {_safe(event['command'])}[/]"


def _verified(event: dict[str, Any]) -> str:
    findings = _safe("; ".join(event["findings"]))
    return "    [green]verified[/]" if event["passed"] else f"    [red]not verified:[/] {findings}"


# The kinds of `nodes.reflective.progress_events` that people are shown.
WORDS_BY_EVENT: dict[str, Callable[[dict[str, Any]], str]] = {
    "model": lambda event: f"[dim]model        {_safe(event['model'])} ({_safe(event['reason'])})[/]",
    "follow_up": lambda event: f"  read as: {_safe(event['read_as'])}",
    "plan": _plan,
    "step": lambda event: f"  step {event['num']}/{event['of']} {_safe(event['description'], 2000)}",
    "step_done": _step_done,
    "probe": lambda event: f"    [dim]probe $ {_safe(event['command'])}[/]",
    "thinking": lambda event: f"    [dim]the {_safe(event['role'])} thought {event['chars']} characters[/]",
    "model_call": lambda event: f"    [dim]asking the {event['role']} (attempt {event['attempt']})[/]",
    "role_failed": lambda event: (
        f"    [yellow]the {_safe(event['role'])} did not answer:[/] {_safe(event['error'])}"
    ),
    "plan_refused": lambda event: f"    [yellow]plan refused:[/] {_safe(event['error'])}",
    "research": lambda event: f"    {_safe(event['what'])}",
    "contractive": lambda event: f"    {_safe(event['node'])} {_safe(event['type'])}",
    "child": lambda event: f"  {_safe(event['id'])} is asked: {_safe(event['question'])}",
    "child_done": lambda event: f"  {_safe(event['id'])}: {_safe(event['status'])}",
    "tutor": lambda event: (
        f"  turn {event['turn']} {_safe(event['move'])} {_safe(event['outcome'])}: {_safe(event['message'])}"
    ),
    "tutor_menu": lambda event: f"    a menu of {len(event['items'])} moves",
    "tutor_end": lambda event: (
        f"  {_safe(event['status'])} ({_safe(event['ended'])}) after {event['turns']} turns, "
        f"score {event['score']}"
    ),
    "routed": lambda event: f"  engine: {_safe(event['engine'])}, because {_safe(event['why'])}",
    "specialists_routed": lambda event: (
        f"  specialists: {_safe(', '.join(event['chosen']) or 'none')} (by {_safe(event['by'])})"
    ),
    "audit": lambda event: f"  {_safe(event['kernel'])} {event['done']} of {event['of']} files",
    "specialists_merged": lambda event: f"  {_safe(event['status'])}, {event['claims']} claims",
    "reflection": lambda event: f"    diagnosis: {_safe(event['diagnosis'])}",
    "verified": _verified,
}


class Speech:
    """One reply as far as it has come.

    Args:
        message_id: by which its pieces are known.
    """

    def __init__(self, message_id: str | None) -> None:
        self.message_id = message_id
        self._text = ""
        self._thinking = ""

    def add(self, piece: BaseMessage) -> None:
        """Take one more piece."""
        self._text += str(piece.text)
        self._thinking += str(piece.additional_kwargs.get("reasoning_content") or "")

    def labelled(self, label: str) -> tuple[str, str]:
        """What to show: the reply under its label, or the thinking as long as there is nothing else."""
        from langchain_core.messages import AIMessage

        from models.thinking import split_thinking

        so_far = AIMessage(self._text, additional_kwargs={"reasoning_content": self._thinking})
        text, thinking = split_thinking(so_far)
        return (label, printable(text)) if text else ("thinking |", printable(thinking))


def plain_line(event: dict[str, Any]) -> str:
    """A progress event as one line of plain text; empty for one that people are not shown."""
    words = WORDS_BY_EVENT.get(str(event.get("kind", "")))
    return " ".join(Text.from_markup(words(event)).plain.split()) if words is not None else ""


def _print_waiting(report: dict[str, Any], console: Console, go_on: str) -> None:
    """What a run that stopped for an approval waits for, and how to go on."""
    review = any(question.get("kind") == "review" for question in report["waiting_for"])
    waits = (
        "judge this answer; it has not been given" if review else "approve this change; it has not been made"
    )
    console.print(f"Nobody is at the terminal to {waits}:", style="bold")
    for question in report["waiting_for"]:
        console.print(f"  {escape(printable(question['summary']))}")
        for line in printable(question["preview"]).splitlines()[:EVIDENCE_LINES]:
            console.print(f"    {escape(line[:300])}")
    hint = "" if review else "   (with --yes to make all changes unasked)"
    console.print(f"\nGo on with: {escape(printable(go_on))}{hint}")


def print_report(report: dict[str, Any], stream: TextIO, go_on: str = "") -> None:
    """The answer and the evidence it rests on.

    Args:
        report: of a run.
        stream: where it goes.
        go_on: the command that goes on with a run that waits; empty for `reflect resume` where it was begun.
    """
    console = Console(file=stream, highlight=False, soft_wrap=True, emoji=False)
    if report["waiting_for"]:
        _print_waiting(report, console, go_on or f"reflect resume {report['thread_id']}")
        return
    console.print(
        escape(printable(report["answer"] or "(no answer)")),
        style="bold" if report["status"] == "answered" else "",
    )
    tools = [item for item in report["evidence"] if item["source"] == "tool"]
    if tools:
        console.print("\nEvidence:")
    for item in tools:
        console.print(f"  $ {escape(printable(item['command']))}  (exit {item['returncode']})")
        lines = printable(item["text"]).splitlines()
        for line in lines[:EVIDENCE_LINES]:
            console.print(f"    {escape(line[:300])}")
        if len(lines) > EVIDENCE_LINES:
            console.print(f"    ... {len(lines) - EVIDENCE_LINES} more lines")
    for note in report["notes"]:
        console.print(f"Note: {escape(printable(note))}")
    usage = report["usage"]
    confidence = "unknown" if report["confidence"] is None else f"{report['confidence']:.2f}"
    console.print(
        f"\n[dim]{report['status']} ({report['stop_reason']}), confidence {confidence}, "
        f"model {escape(report['model'])}, {usage['calls']} model calls, "
        f"sandbox {report['sandbox_level']}, thread {escape(report['thread_id'])}[/]"
    )
