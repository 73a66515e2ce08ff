"""The commands of a remembered plan with other values in them, or a refusal.

A value may be exchanged only where it certainly stands for what the goal said: as a whole word or path of a
command, everywhere it occurs, and for a number only where commands count. One doubtful occurrence, and the
plan is not used: asking the planner again costs a call, a wrong plan costs an answer.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass

from memory.reuse.skeleton import Slot
from memory.reuse.wording import load_wording

_SHELL_WORD = re.compile(r"(?:'[^']*'|\"(?:\\.|[^\"\\])*\"|\\.|[^\s'\"\\|])+|\|")
_PLAIN_TEXT = re.compile(r"[A-Za-z0-9_](?:[A-Za-z0-9_ /:,@#=-]*[A-Za-z0-9_])?")
_PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*|v?\d+(?:\.\d+)+")
_PLAIN_PATH = re.compile(r"[A-Za-z0-9_.@+][A-Za-z0-9_.@+/-]*")
_EXPANDS = re.compile(r"[*?\[{~$]")
_REDACTED = "[redacted]"

# Behind these, a number says how many lines, matches or commits are wanted.
_COUNTING = re.compile(r"(?:head|tail|log)\b[^|]*?\s(?:-n ?|--lines[= ]|--max-count[= ]|-m ?|-)$|\s-m ?$")
_DAYS = re.compile(r"(?:-[mac]time [-+]?|--since=['\"]?|--after=['\"]?|--until=['\"]?|--before=['\"]?)$")
_DEPTH = re.compile(r"-(?:max|min)depth $")


class _Refused(Exception):
    """A value stands where it may mean something else. Never leaves this module."""


@dataclass(frozen=True)
class _Exchange:
    """One value to be exchanged, in one of the forms a command may write it."""

    slot: Slot
    old: str
    new: str


def refill(commands: Sequence[str], old: Sequence[Slot], new: Sequence[Slot]) -> list[str] | None:
    """Exchange the old values in the commands of a plan for the new ones.

    Args:
        commands: the plan's commands, in order.
        old: values of the goal the plan was made for.
        new: values of the goal that is asked now, of the same kinds in the same order.

    Returns:
        The commands for the new goal, or None if any value cannot be exchanged beyond doubt.
    """
    if [slot.kind for slot in old] != [slot.kind for slot in new]:
        return None
    if any(_REDACTED in command for command in commands):
        return None
    try:
        pairs = _changed(old, new)
        if not pairs:
            return list(commands)
        exchanges = [exchange for pair in pairs for exchange in _forms(*pair)]
        refilled = [_refilled(command, exchanges) for command in commands]
        for pair in pairs:
            _check_used(pair[0], exchanges, commands)
        return refilled
    except _Refused:
        return None


def _changed(old: Sequence[Slot], new: Sequence[Slot]) -> list[tuple[Slot, Slot]]:
    """Pairs of values that differ; a value that stands for two things at once is refused."""
    meant: dict[str, str] = {}
    for before, after in zip(old, new, strict=True):
        value = f"{after.text}\0{after.path}"
        if meant.setdefault(before.text.lower(), value) != value:
            raise _Refused
        if (before.path is None) != (after.path is None):
            raise _Refused  # the one exists, the other does not
    changed = [
        (before, after)
        for before, after in zip(old, new, strict=True)
        if (before.text, before.path) != (after.text, after.path)
    ]
    return list(dict.fromkeys(changed))


def _forms(before: Slot, after: Slot) -> list[_Exchange]:
    """How a command may write the old value, and what is then to be written instead."""
    if before.kind in ("text", "name"):
        plain = _PLAIN_TEXT if before.kind == "text" else _PLAIN_NAME
        if not (plain.fullmatch(before.text) and plain.fullmatch(after.text)):
            raise _Refused
        if before.kind == "name" and ("." in before.text) != ("." in after.text):
            raise _Refused
        return [_Exchange(before, before.text, after.text)]
    if before.kind == "path":
        return _path_forms(before, after)
    if before.kind == "number":
        _check_number(before, after)
    return [_Exchange(before, before.text, after.text)]


def _path_forms(before: Slot, after: Slot) -> list[_Exchange]:
    if before.path is None or after.path is None:
        old, new = before.text.rstrip("/"), after.text.rstrip("/")
        if not (_PLAIN_PATH.fullmatch(old) and _PLAIN_PATH.fullmatch(new)) or ("/" in old) != ("/" in new):
            raise _Refused
        return [_Exchange(before, old, new)]
    if not (_PLAIN_PATH.fullmatch(before.path) and _PLAIN_PATH.fullmatch(after.path)):
        raise _Refused
    written, meant = before.text.strip("/").removeprefix("./"), before.path
    other = after.text.strip("/").removeprefix("./")
    if written == meant:
        # "src" may stand in a command as a place or as a name; only if both are one word, either will do.
        if other != after.path and not ("/" in meant and "/" in after.path):
            raise _Refused
        return [_Exchange(before, meant, after.path)]
    return [_Exchange(before, meant, after.path), _Exchange(before, written, other)]


def _check_number(before: Slot, after: Slot) -> None:
    if not (int(before.text) and int(after.text)):
        raise _Refused
    if before.before in load_wording().comparing:
        raise _Refused


def _refilled(command: str, exchanges: Sequence[_Exchange]) -> str:
    """One command with every old value exchanged.

    Raises:
        _Refused: a value occurs where it may mean something else.
    """
    pieces: list[str] = []
    end = 0
    for number, match in enumerate(_words(command)):
        context = command[: match.start()]
        pieces.append(command[end : match.start()])
        pieces.append(_refilled_word(match.group(0), exchanges, _is_tool(context, number), context))
        end = match.end()
    pieces.append(command[end:])
    return "".join(pieces)


def _words(command: str) -> list[re.Match[str]]:
    words = list(_SHELL_WORD.finditer(command))
    rest = _SHELL_WORD.sub("", command)
    if rest.strip():
        raise _Refused  # quotes that do not close
    return words


def _unquoted(word: str) -> str:
    try:
        values = shlex.split(word) if word != "|" else ["|"]
    except ValueError as error:
        raise _Refused from error
    if len(values) != 1:
        raise _Refused
    return values[0]


_AFTER_TOOL = re.compile(
    r"(?:^|\|)\s*$|(?:^|[\s|])(?:xargs(?:\s+-(?:0|r|I\s?\S+|n\s?\d+|P\s?\d+|d\s?\S+))*|git)\s+$"
)


def _is_tool(before: str, number: int) -> bool:
    """True for the word that names a tool or git's subcommand."""
    return number == 0 or bool(_AFTER_TOOL.search(before))


def _refilled_word(raw: str, exchanges: Sequence[_Exchange], is_tool: bool, context: str) -> str:
    word = _unquoted(raw)
    spans: list[tuple[int, int, str]] = []
    for exchange in sorted(exchanges, key=lambda each: -len(each.old)):
        for start, end in _occurrences(word, exchange):
            if any(start < other_end and other_start < end for other_start, other_end, _ in spans):
                continue  # part of a longer value
            if is_tool or not _stands_alone(word, start, end, exchange, context):
                raise _Refused
            spans.append((start, end, exchange.new))
    if not spans:
        return raw
    text, end = "", 0
    for start, stop, value in sorted(spans):
        text += word[end:start] + value
        end = stop
    return _quoted(text + word[end:], raw)


def _occurrences(word: str, exchange: _Exchange) -> list[tuple[int, int]]:
    """Every place where the old value might stand, in any case of letters."""
    if exchange.slot.kind == "number":
        return [match.span() for match in re.finditer(rf"(?<!\d){re.escape(exchange.old)}(?!\d)", word)]
    return [match.span() for match in re.finditer(re.escape(exchange.old), word, re.IGNORECASE)]


def _stands_alone(word: str, start: int, end: int, exchange: _Exchange, context: str) -> bool:
    if word[start:end] != exchange.old:
        return False
    before, after = word[:start], word[end:]
    kind = exchange.slot.kind
    if kind == "number":
        return _counts(exchange.slot, context + before) and not re.match(r"[\w.,:/-]", after)
    if kind == "path":
        free_before = before in ("", "./") or bool(re.search(r"[=:\s'\"(|^]$", before))
        return free_before and bool(re.fullmatch(r"/?(?:\*.*)?|[\s'\")|$:].*", after))
    if kind == "extension":
        return not re.match(r"[\w.]", after)
    free_before = not re.search(r"[A-Za-z0-9_-]$", before) or bool(re.search(r"\\[bs<]$", before))
    return free_before and not re.match(r"[A-Za-z0-9_-]", after)


def _counts(slot: Slot, context: str) -> bool:
    """True if a number in a command, behind this text, says what the goal's number says."""
    wording = load_wording()
    if slot.after in wording.time_units:
        return slot.after in ("day", "days") and bool(_DAYS.search(context))
    if slot.after in wording.depth_units or slot.before == "depth":
        return bool(_DEPTH.search(context))
    counted = slot.after in wording.counted or slot.before in ("top", "first", "last")
    return counted and bool(_COUNTING.search(context))


def _quoted(value: str, raw: str) -> str:
    """A word as the shell grammar of commands writes it; patterns that were open to expansion stay open."""
    if raw[:1] not in "'\"" and _EXPANDS.search(raw) and re.fullmatch(r"[\w./*?@+-]+", value):
        return value
    return shlex.quote(value)


def _check_used(before: Slot, exchanges: Sequence[_Exchange], commands: Sequence[str]) -> None:
    """A value that differs must have been exchanged somewhere; a number in one place only.

    Raises:
        _Refused: the commands do not hold it, so they answered for the old value alone.
    """
    text = [_unquoted(match.group(0)) for command in commands for match in _words(command)]
    found = sum(
        len(_occurrences(word, exchange))
        for exchange in exchanges
        if exchange.slot == before
        for word in text
    )
    if not found or (before.kind == "number" and found > 1):
        raise _Refused
