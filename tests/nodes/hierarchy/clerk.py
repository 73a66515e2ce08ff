"""A scripted model that plans and words look-ups of one file each, and a project for it."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Any

from pydantic import Field, PrivateAttr

from models.scripted import Script

LETTER = re.compile(r"letters/(?P<name>\w+)\.txt")
NAMES = ("anna", "boris", "clara", "dora", "emil", "frida", "gustav", "hanna", "ivan", "jana", "karl", "lena")
RAIN = "What does letters/{name}.txt tell about the weather at sea?"
"""No recipe covers it, so each worker needs a plan, a wording and a verdict: three calls of a model."""


def letters(root: Path, count: int = 9) -> list[str]:
    """Write letters, each with its own figure; returns their paths."""
    (root / "letters").mkdir(parents=True)
    for number, name in enumerate(NAMES[:count], start=1):
        text = f"Dear friend,\nthe weather at sea was rough for {10 + number} days.\nYours, {name}\n"
        (root / "letters" / f"{name}.txt").write_text(text)
    return [f"letters/{name}.txt" for name in NAMES[:count]]


def days(name: str) -> int:
    """The figure in a letter."""
    return 11 + NAMES.index(name)


def each(paths: list[str]) -> str:
    """A question that lists letters."""
    return f"For each of {', '.join(paths[:-1])} and {paths[-1]}, what does it tell about the weather at sea?"


class Clerk(Script):
    """Replies by what a prompt is about.

    Attributes:
        seconds: each reply takes.
        breaks: names of letters about which the planner raises what nobody expects.
        hangs: names of letters about which the planner does not answer for a minute.
        splits: parts the planner proposes for a question that is to be split.
        merges: what the worker says when it is given established facts.
        log: a file each call is written to, by a mark of its prompt.
    """

    seconds: float = 0.0
    breaks: tuple[str, ...] = ()
    hangs: tuple[str, ...] = ()
    splits: list[str] = Field(default_factory=list)
    merges: str = ""
    log: str = ""
    _asked: list[tuple[str, str]] = PrivateAttr(default_factory=list)

    def decide_seeded(self, role: str, prompt: str, seed: int | None) -> Any:
        """The reply to a prompt, after a while."""
        self._asked.append((role, prompt))
        mark = hashlib.sha256(repr((role, prompt, seed)).encode()).hexdigest()[:16]
        if self.log:
            with open(self.log, "a") as stream:
                stream.write(f"{role} {self.named_in(prompt) or '-'} {mark}\n")
        reply = self._reply(role, prompt)
        slow = 60.0 if role == "planner" and self.named_in(prompt) in self.hangs else self.seconds
        return {"delay": slow, "reply": reply} if slow else reply

    def _reply(self, role: str, prompt: str) -> Any:
        name = self.named_in(prompt)
        if role == "classifier":
            return {"complexity": "moderate"}
        if role == "planner" and "Question to split" in prompt:
            return {"kind": "AND", "parts": [{"question": part, "depends_on": []} for part in self.splits]}
        if role == "planner" and name in self.breaks:
            raise ZeroDivisionError(f"no plan for {name}")
        if role == "planner":
            command = f"grep -n weather letters/{name}.txt"
            return {"steps": [{"description": "look", "command": command}], "command": command}
        if role == "verifier":
            return {"passed": True, "reason": "the line says so", "confidence": 0.9}
        if "Established:" in prompt:
            return f"So it is.\nAnswer: {self.merges}"
        return f"letters/{name}.txt tells that the weather at sea was rough for {days(name)} days."

    @staticmethod
    def named_in(prompt: str) -> str:
        """The letter a prompt is about."""
        found = LETTER.findall(prompt)
        return str(found[-1]) if found else ""

    def asked(self, role: str = "", name: str = "") -> int:
        """How many calls a role got about a letter."""
        return sum(role in ("", by) and name in ("", self.named_in(prompt)) for by, prompt in self._asked)
