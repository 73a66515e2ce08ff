"""What a run looks like in a terminal: each node, the plan and its steps as they happen, then the answer."""

from __future__ import annotations

import re
from typing import Any, TextIO

from rich.console import Console
from rich.markup import escape

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


class LiveView:
    """Prints progress lines as a run goes on. Plain lines, so a log file reads like the terminal."""

    def __init__(self, stream: TextIO) -> None:
        self._console = Console(file=stream, highlight=False, soft_wrap=True, emoji=False)

    def start(self, goal: str) -> None:
        """Say what is asked."""
        self._console.print(f"[bold]Goal[/] {escape(printable(goal[:300]))}")

    def stop(self) -> None:
        """Leave a blank line before the answer."""
        self._console.print()

    def show(self, mode: str, chunk: dict[str, Any]) -> None:
        """Show one streamed chunk: a node that starts or ends, or a progress event of a node."""
        if mode == "tasks":
            if "input" in chunk:
                self._start(chunk["name"])
            else:
                self._end(chunk["name"], dict(chunk.get("result") or {}))
        elif mode == "custom":
            line = self._event(chunk)
            if line:
                self._console.print(line)

    def _start(self, node: str) -> None:
        if node in NODE_WORDS:
            self._console.print(f"[bold cyan]{NODE_WORDS[node]}[/]")

    def _end(self, node: str, update: dict[str, Any]) -> None:
        if node == "classify" and update:
            self._console.print(f"  {update.get('complexity')} (by {update.get('complexity_source')})")
        elif node == "respond":
            self._console.print(f"  {update.get('status')} ({update.get('stop_reason')})")
        elif node in NODE_WORDS and update.get("last_error"):
            self._console.print(f"  [red]{escape(printable(str(update['last_error'])[:300]))}[/]")

    def _event(self, event: dict[str, Any]) -> str:
        kind = event.get("kind")
        if kind == "model":
            return f"[dim]model        {escape(str(event['model']))} ({escape(str(event['reason']))})[/]"
        if kind == "plan":
            origin = f"recipe {event['recipe']}" if event.get("recipe") else str(event["source"])
            steps = "".join(
                f"\n    {n}. {escape(printable(text))}" for n, text in enumerate(event["steps"], 1)
            )
            return f"  plan from {escape(origin)}{steps}"
        if kind == "step":
            return f"  step {event['num']}/{event['of']} {escape(printable(event['description']))}"
        if kind == "step_done":
            mark = "[green]ok[/]" if event["status"] == "success" else "[red]failed[/]"
            return f"    {mark} [dim]$ {escape(printable(event['command'][:400]))}[/]"
        if kind == "probe":
            return f"    [dim]probe $ {escape(printable(event['command'][:400]))}[/]"
        if kind == "model_call":
            return f"    [dim]asking the {event['role']} (attempt {event['attempt']})[/]"
        if kind == "plan_refused":
            return f"    [yellow]plan refused:[/] {escape(printable(event['error'][:400]))}"
        if kind == "reflection":
            return f"    diagnosis: {escape(printable(event['diagnosis'][:400]))}"
        if kind == "verified":
            findings = "; ".join(event["findings"])
            return (
                "    [green]verified[/]"
                if event["passed"]
                else f"    [red]not verified:[/] {escape(printable(findings[:400]))}"
            )
        return ""


def _print_waiting(report: dict[str, Any], console: Console) -> None:
    """What a run that stopped for an approval waits for, and how to go on."""
    console.print("Nobody is at the terminal to approve this change; it has not been made:", style="bold")
    for question in report["waiting_for"]:
        console.print(f"  {escape(printable(question['summary']))}")
        for line in printable(question["preview"]).splitlines()[:EVIDENCE_LINES]:
            console.print(f"    {escape(line[:300])}")
    thread = escape(printable(report["thread_id"]))
    console.print(f"\nGo on with: reflect resume {thread}   (with --yes to make all changes unasked)")


def print_report(report: dict[str, Any], stream: TextIO) -> None:
    """The answer and the evidence it rests on."""
    console = Console(file=stream, highlight=False, soft_wrap=True, emoji=False)
    if report["waiting_for"]:
        _print_waiting(report, console)
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
