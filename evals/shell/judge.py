"""Whether an attempt did what a gold command does, by execution alone: no model and no embedding is asked.

- `same`: its output is the gold command's, byte for byte, and it left the files as the gold command did. This
  is the benchmark's own test of equality. It is stricter about files: every path's kind, permissions and
  content count, where the benchmark takes git's word for what was modified and hashes only new files.
- `same_rows`: as `same`, but rows may come in another order, be separated by NUL, and spell a path from the
  working directory instead of from the root. A benchmark that asks a language model forgives this and more.
- `told`: as `same_rows`, or the answer in words states the gold command's rows: all of them and no others for
  a list, the value for a single one.

The benchmark scores with its first gold command; its second counts here as well, and figures say which.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, Field

from evals.shell.truth import Effect, Truth

Level = Literal["same", "same_rows", "told", "different"]
LEVELS: tuple[Level, ...] = ("same", "same_rows", "told", "different")


class Attempt(BaseModel):
    """What the bare model or a run of the product did for one task.

    Attributes:
        ran: True if at least one tool call ran to its end.
        outputs: texts that may be the output: the last command's, and all commands' in order.
        answer: the answer in words; empty for the bare model.
        changes: paths that were made, altered or deleted, and what they are now.
        claims: True if it says that it did what was asked.
        cause: general class of what went wrong, as far as the run itself tells; empty if nothing did.
        detail: for people.
    """

    ran: bool = False
    outputs: list[str] = Field(default_factory=list)
    answer: str = ""
    changes: dict[str, str] = Field(default_factory=dict)
    claims: bool = False
    cause: str = ""
    detail: str = ""


class Verdict(BaseModel):
    """What an attempt is worth.

    Attributes:
        by_gold: how near it comes to the first gold command.
        by_either: to the nearer one of both.
        same_paths: True if what it shows names the same paths as a gold command's output, whatever is said of
            them; a difference that is left may be one of form.
        decidable: False if no gold command gives something to hold it against on this machine.
    """

    by_gold: Level = "different"
    by_either: Level = "different"
    same_paths: bool = False
    decidable: bool = True


def judge(attempt: Attempt, truth: Truth, root: Path) -> Verdict:
    """Hold an attempt against both gold commands."""
    usable = truth.usable
    levels = [level(attempt, effect, root) for effect in usable]
    best = min(levels, key=LEVELS.index, default="different")
    first = levels[0] if usable and usable[0] is truth.gold else "different"
    shown = [paths(text, root) for text in (*attempt.outputs, attempt.answer)] if attempt.ran else []
    alike = any(named and named in shown for named in (paths(effect.output, root) for effect in usable))
    return Verdict(by_gold=first, by_either=best, same_paths=alike, decidable=bool(usable))


def level(attempt: Attempt, effect: Effect, root: Path) -> Level:
    """How near an attempt comes to one gold command."""
    if not attempt.ran or attempt.changes != effect.changes:
        return "different"
    if effect.output in attempt.outputs:
        return "same"
    wanted = rows(effect.output, root)
    if any(rows(output, root) == wanted for output in attempt.outputs):
        return "same_rows"
    return "told" if states(attempt.answer, wanted, root) else "different"


def rows(text: str, root: Path) -> list[str]:
    """The rows of an output, sorted: without empty ones, trailing blanks, and where paths are spelt from."""
    spelt = re.sub(rf"(?<![\w./-]){re.escape(str(root))}/", "", text.replace("\0", "\n"))
    spelt = re.sub(r"(?<![\w./-])\./", "", spelt)
    return sorted(row.rstrip() for row in spelt.splitlines() if row.strip())


def paths(text: str, root: Path) -> frozenset[str]:
    """The paths with a directory in them that a text names, spelt from the root."""
    words = (word.strip("'\"`,:;()") for row in rows(text, root) for word in row.split())
    return frozenset(word for word in words if "/" in word.strip("/"))


def states(answer: str, wanted: Sequence[str], root: Path) -> bool:
    """Whether an answer in words gives the wanted rows and no others.

    A list may stand below one line that introduces it; a single row may stand inside a sentence.
    """
    if not wanted:
        return False
    if len(wanted) == 1:
        told = rows(answer, root)
        return len(told) == 1 and bool(
            re.search(rf"(?<![\w.-]){re.escape(wanted[0])}(?![\w-]|[.,]\d)", told[0])
        )
    lines = [line for line in answer.splitlines() if line.strip()]
    return any(rows("\n".join(part), root) == list(wanted) for part in (lines, lines[1:]))
