"""The terminal's side of an approval: show the change, ask, read the decision."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import tempfile
from typing import Any

from rich.console import Console
from rich.markup import escape

from cli.live import printable

KEYS = {
    "a": "approve", "y": "approve", "yes": "approve", "approve": "approve",
    "e": "edit", "edit": "edit",
    "r": "reject", "n": "reject", "no": "reject", "reject": "reject",
    "l": "always", "always": "always",
}  # fmt: skip
JUDGEMENTS = {
    "a": "accept", "y": "accept", "yes": "accept", "accept": "accept",
    "r": "reject", "n": "reject", "no": "reject", "reject": "reject",
    "i": "instead", "instead": "instead",
}  # fmt: skip
COLOURS = {"+": "green", "-": "red", "@": "cyan"}


def can_ask() -> bool:
    """True if somebody is at the terminal to answer."""
    return bool(sys.stdin and sys.stdin.isatty() and sys.stderr.isatty())


class Person:
    """Asks whoever sits at the terminal.

    Args:
        thread: named in the hint on how to go on later.
    """

    def __init__(self, thread: str) -> None:
        self._thread = thread
        self._console = Console(file=sys.stderr, highlight=False, soft_wrap=True, emoji=False)

    def decide(self, question: dict[str, Any]) -> dict[str, Any]:
        """Show a change, or an answer in doubt, and read what is to become of it.

        Raises:
            KeyboardInterrupt: they went away; the thread waits.
        """
        if question.get("kind") == "review":
            return self._judged(question)
        self._show(question)
        while True:
            answer = self.read("[a]pprove, [e]dit, [r]eject, a[l]ways for this tool in this run? ").strip()
            decision = KEYS.get(answer.lower())
            if decision == "edit":
                edited = self._edited(question["args"])
                if edited is not None:
                    return {"decision": "edit", "args": edited}
            elif decision == "reject":
                return {"decision": "reject", "reason": self.read("Why (may be empty)? ").strip()}
            elif decision is not None:
                return {"decision": decision, "fingerprint": question["fingerprint"]}

    def _judged(self, question: dict[str, Any]) -> dict[str, Any]:
        """What the person makes of an answer."""
        if question["problem"]:
            self._console.print(f"[yellow]{escape(printable(question['problem']))}[/]")
        self._console.print(f"[bold]{escape(printable(question['summary']))}[/]")
        for line in printable(question["preview"]).splitlines():
            self._console.print(f"    {escape(line)}")
        for item in question["evidence"]:
            self._console.print(
                f"  [dim]$ {escape(printable(item['command']))} (exit {item['returncode']})[/]"
            )
        if question["doubts"]:
            self._console.print(f"  In doubt: {escape(printable(', '.join(question['doubts'])))}")
        while True:
            decision = JUDGEMENTS.get(
                self.read("[a]ccept, [r]eject, or say what to do [i]nstead? ").strip().lower()
            )
            if decision == "instead":
                said = self.read("What instead? ").strip()
                if said:
                    return {"decision": "instead", "instead": said}
            elif decision == "reject":
                return {"decision": "reject", "reason": self.read("Why (may be empty)? ").strip()}
            elif decision is not None:
                return {"decision": decision}

    def _show(self, question: dict[str, Any]) -> None:
        if question["problem"]:
            self._console.print(f"[yellow]{escape(printable(question['problem']))}[/]")
        self._console.print(f"[bold]Change[/] {escape(printable(question['summary']))}")
        # All of it: what is approved unseen is not approved.
        for line in printable(question["preview"]).splitlines():
            colour = COLOURS.get(line[:1])
            text = escape(line)
            self._console.print(f"    [{colour}]{text}[/]" if colour else f"    {text}")

    def read(self, prompt: str) -> str:
        """One line; an end of input is no answer, so it ends the run like Ctrl-C."""
        print(prompt, end="", file=sys.stderr, flush=True)  # noqa: T201  # the prompt goes where progress goes
        line = sys.stdin.readline()
        if not line:
            print(f"\nGo on later with: reflect resume {self._thread}", file=sys.stderr)  # noqa: T201  # as above
            raise KeyboardInterrupt
        return line

    def _edited(self, args: dict[str, Any]) -> dict[str, Any] | None:
        """The arguments as the person's editor leaves them; None, and a word why, if they are none."""
        editor = os.environ.get("VISUAL") or os.environ.get("EDITOR")
        with tempfile.NamedTemporaryFile("w+", suffix=".json", encoding="utf-8") as file:
            json.dump(args, file, ensure_ascii=False, indent=2)
            file.flush()
            if editor:
                try:
                    code = subprocess.run([*shlex.split(editor), file.name], check=False).returncode
                except OSError as error:
                    self._console.print(f"[red]The editor does not start: {escape(str(error))}[/]")
                    return None
                with open(file.name, encoding="utf-8") as written:
                    text = written.read()
                if code != 0:
                    self._console.print(f"[red]The editor ended with {code}; nothing is taken over.[/]")
                    return None
            else:
                text = self.read("Arguments as one line of JSON: ")
        try:
            edited = json.loads(text)
        except ValueError as error:
            self._console.print(f"[red]That is no JSON: {escape(str(error))}[/]")
            return None
        if not isinstance(edited, dict):
            self._console.print("[red]The arguments are one JSON object.[/]")
            return None
        if edited == args:
            self._console.print("[yellow]The arguments are as they were.[/]")
            return None
        return edited
