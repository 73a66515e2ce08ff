"""The calls of an exported game, made again where its files are laid out anew.

Facts are read from what is recorded beside the output a player saw. A record that says more than the same
call shows now is forged, whatever its seal says.
"""

from __future__ import annotations

import asyncio
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from configs.settings import ToolSettings
from nodes.errors import GameNotWritten
from nodes.tutor.export import Document
from nodes.tutor.facts import Fact, Search, Searched
from nodes.tutor.games.game import Game
from nodes.tutor.games.writing import write_files
from nodes.tutor.moves import Request
from nodes.tutor.observations import Observation
from nodes.tutor.observing.observing import Observer
from nodes.tutor.observing.reading import facts_of
from nodes.tutor.parsing import dumped
from nodes.tutor.proof_graph import Node
from tools.errors import ToolError

PRINTED = ("tool", "args", "command", "returncode", "stdout", "stderr", "truncated")

LISTED = re.compile(r"([-dlbcps])\S{9,10} +\d+ +\S+ +\S+ +(\d+) +\w{3} +\d+ +[\d:]+ (.*)")
TOTAL = re.compile(r"total \d+")
STATED = re.compile(r" +Size: (\d+)\s+Blocks: \d+\s+IO Block: \d+\s+(.*)")
OF_THE_MACHINE = re.compile(r"(Device|Access|Modify|Change| Birth): .*")


async def called_again(document: Document, game: Game) -> list[str]:
    """Lay the files of a generated game out anew, and make every call again; what is not as it was.

    Args:
        document: of the game; its seals hold.
        game: as it is generated.
    """
    problems = []
    with tempfile.TemporaryDirectory(prefix="tutor-verify-") as directory:
        sandbox = Path(directory) / "files"
        try:
            await asyncio.to_thread(write_files, game, sandbox)
        except GameNotWritten as error:
            return [f"Its calls cannot be made again: {error}"]
        observer = Observer(sandbox, ToolSettings(), document.name)
        observations = {node.turn: node for node in document.nodes if node.kind == "observation"}
        for node in document.nodes:
            if node.kind == "action" and "request" in node.data:
                problem = await _call_again(observer, node, observations.get(node.turn))
                problems += [problem] if problem else []
    return problems


async def _call_again(observer: Observer, action: Node, node: Node | None) -> str:
    """What is wrong with one call; "" if it does what it did."""
    if node is None and "refused" not in action.data:
        return ""
    try:
        request = Request.model_validate(action.data["request"])
        made = await observer.observe(request, id="o1" if node is None else node.id, turn=action.turn)
    except ValidationError:
        return f"The call of turn {action.turn} is none."
    except ToolError as error:
        return "" if node is None else f"The call of turn {action.turn} cannot be made again: {error}"
    if node is None:
        broken = action.data.get("broken")
        return "" if broken else f"The call of turn {action.turn} was refused, and is not when made again."
    different = list(differences(Observation.model_validate(node.data), made))
    return f"The call of turn {action.turn} has another {', '.join(different)} now." if different else ""


def differences(recorded: Observation, made: Observation) -> Iterator[str]:
    """What of a recorded call is not as it is made again: fields of `PRINTED`, and its meaning."""
    before, after = dumped(recorded), dumped(made)
    for name in PRINTED:
        if _printed(before[name], recorded.command) != _printed(after[name], made.command):
            yield name
    # An observation that supports nothing may say less than it does now, never more.
    if not {_in_order(fact) for fact in facts_of(recorded)} <= {_in_order(fact) for fact in facts_of(made)}:
        yield "meaning"


def _printed(value: Any, command: str) -> Any:
    """Output by its lines in order, without what is the machine's own affair.

    That is the order in which a directory is read, and in `ls -l` and `stat` owners, numbers and times.
    """
    if not isinstance(value, str):
        return value
    told = {"ls": _listed, "stat": _stated}.get(command.partition(" ")[0])
    return sorted(told(line) if told else line for line in value.split("\n"))


def _listed(line: str) -> str:
    """Of a line of `ls -l` the kind, the name, and the size of a file."""
    found = LISTED.fullmatch(line)
    if found is None:
        return "total" if TOTAL.fullmatch(line) else line
    return f"{found[1]} {found[2] if found[1] == '-' else ''} {found[3]}"


def _stated(line: str) -> str:
    """Of what `stat` prints the name, the kind, and the size of a file."""
    found = STATED.fullmatch(line)
    if found is not None:
        return f"{found[1] if 'file' in found[2] else ''} {found[2]}"
    return "" if OF_THE_MACHINE.fullmatch(line) else line


def _in_order(fact: Fact) -> Fact:
    """The same fact for the same files, whatever the order they were found in."""
    if isinstance(fact, Search):
        found = tuple(sorted(fact.found, key=lambda entry: entry.path))
        return fact.model_copy(update={"found": found})
    if isinstance(fact, Searched):
        order = sorted(range(len(fact.files)), key=lambda at: fact.files[at])
        files = tuple(fact.files[at] for at in order)
        counts = tuple(fact.counts[at] for at in order) if fact.counts is not None else None
        return fact.model_copy(update={"files": files, "counts": counts})
    return fact
