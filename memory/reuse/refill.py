"""The commands of a remembered plan with other values in them, or a refusal.

A value may be exchanged only where it certainly stands for what the goal said: as a whole word or path of a
command, everywhere it occurs, and for a number only where commands count. One doubtful occurrence, and the
plan is not used: asking the planner again costs a call, a wrong plan costs an answer.
"""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Sequence

from memory.reuse.exchange import Exchange, Refused, changed_values, forms
from memory.reuse.occurrence import is_literal, occurrences, stands_alone
from memory.reuse.setting import check_setting
from memory.reuse.skeleton import Slot
from memory.reuse.wording import load_wording

_SHELL_WORD = re.compile(r"(?:'[^']*'|\"(?:\\.|[^\"\\])*\"|\\.|[^\s'\"\\|])+|\|")
_EXPANDS = re.compile(r"[*?\[{~$]")
_LONGEST = 2000
_REDACTED = "[redacted]"


def refill(
    commands: Sequence[str], old: Sequence[Slot], new: Sequence[Slot], question: str = ""
) -> list[str] | None:
    """Exchange the old values in the commands of a plan for the new ones.

    Args:
        commands: the plan's commands, in order.
        old: values of the goal the plan was made for.
        new: values of the goal that is asked now, of the same kinds in the same order.
        question: the skeleton both goals have.

    Returns:
        The commands for the new goal, or None if any value cannot be exchanged beyond doubt.
    """
    if [slot.kind for slot in old] != [slot.kind for slot in new]:
        return None
    if any(_REDACTED in command or len(command) > _LONGEST for command in commands):
        return None
    try:
        pairs = changed_values(old, new)
        if not pairs:
            return list(commands)
        exchanges = [exchange for pair in pairs for exchange in forms(*pair)]
        exchanges += _kept(old, pairs)
        used: Counter[Slot] = Counter()
        refilled = [_refilled(command, exchanges, used) for command in commands]
        for before, _ in pairs:
            _check_used(before, used)
        check_setting([_values(command) for command in commands], old, pairs, question)
        if any(before.kind == "number" for before, _ in pairs):
            _check_no_number_is_computed(old, commands)
        return refilled
    except Refused:
        return None


def _kept(old: Sequence[Slot], pairs: Sequence[tuple[Slot, Slot]]) -> list[Exchange]:
    """Values that stay as they are: a shorter one inside of them is not to be exchanged."""
    changed = [before for before, _ in pairs]
    return [
        Exchange(slot, text, text)
        for slot in old
        if slot not in changed and slot.kind != "number"
        for text in {slot.text, slot.path or slot.text}
        if text
    ]


def _refilled(command: str, exchanges: Sequence[Exchange], used: Counter[Slot]) -> str:
    """One command with every old value exchanged.

    Raises:
        Refused: a value occurs where it may mean something else.
    """
    pieces: list[str] = []
    end = 0
    for number, match in enumerate(_words(command)):
        context = command[: match.start()]
        pieces.append(command[end : match.start()])
        pieces.append(_refilled_word(match.group(0), exchanges, _is_tool(context, number), context, used))
        end = match.end()
    pieces.append(command[end:])
    return "".join(pieces)


def _words(command: str) -> list[re.Match[str]]:
    words = list(_SHELL_WORD.finditer(command))
    rest = _SHELL_WORD.sub("", command)
    if rest.strip():
        raise Refused  # quotes that do not close
    return words


def _unquoted(word: str) -> str:
    try:
        values = shlex.split(word) if word != "|" else ["|"]
    except ValueError as error:
        raise Refused from error
    if len(values) != 1:
        raise Refused
    return values[0]


_AFTER_TOOL = re.compile(
    r"(?:^|\|)\s*$|(?:^|[\s|])(?:xargs(?:\s+-(?:0|r|I\s?\S+|n\s?\d+|P\s?\d+|d\s?\S+))*|git)\s+$"
)


def _is_tool(before: str, number: int) -> bool:
    """True for the word that names a tool or git's subcommand."""
    return number == 0 or bool(_AFTER_TOOL.search(before))


def _refilled_word(
    raw: str, exchanges: Sequence[Exchange], is_tool: bool, context: str, used: Counter[Slot]
) -> str:
    word = _unquoted(raw)
    spans: list[tuple[int, int, str]] = []
    for exchange in sorted(exchanges, key=lambda each: -len(each.old)):
        for start, end in occurrences(word, exchange):
            if any(start < other_end and other_start < end for other_start, other_end, _ in spans):
                continue  # part of a longer value
            stands = bool(exchange.new) and not is_tool and stands_alone(word, start, end, exchange, context)
            if exchange.old == exchange.new and not stands:
                continue
            if not stands or (exchange.slot.kind == "text" and not is_literal(word, exchange, context)):
                raise Refused
            spans.append((start, end, exchange.new))
            used[exchange.slot] += 1
    if all(word[start:end] == value for start, end, value in spans):
        return raw
    text, end = "", 0
    for start, stop, value in sorted(spans):
        text += word[end:start] + value
        end = stop
    return _quoted(text + word[end:], raw)


def _quoted(value: str, raw: str) -> str:
    """A word as the shell grammar of commands writes it; patterns that were open to expansion stay open."""
    if raw[:1] not in "'\"" and _EXPANDS.search(raw) and re.fullmatch(r"[\w./*?@+-]+", value):
        return value
    return shlex.quote(value)


def _check_used(before: Slot, used: Counter[Slot]) -> None:
    """A value that differs must have been exchanged somewhere; a number in one place only.

    Raises:
        Refused: the commands do not hold it, so they answered for the old value alone.
    """
    several = before.after in load_wording().depth_units or before.before == "depth"
    if not used[before] or (before.kind == "number" and used[before] > 1 and not several):
        raise Refused


def _check_no_number_is_computed(old: Sequence[Slot], commands: Sequence[str]) -> None:
    """Where one number of the goal is missing from the commands, another may have been made from it.

    Raises:
        Refused: "lines 10 to 20" was written as `head -n 20 | tail -n 11`.
    """
    words = [word for command in commands for word in _values(command)]
    for slot in old:
        if slot.kind == "number" and not any(
            occurrences(word, Exchange(slot, slot.text, "")) for word in words
        ):
            raise Refused


def _values(command: str) -> list[str]:
    return [_unquoted(match.group(0)) for match in _words(command)]
