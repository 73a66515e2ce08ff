"""Where in a word of a command a value stands, and whether it can mean nothing else there."""

from __future__ import annotations

import re

from memory.reuse.exchange import Exchange, spelling
from memory.reuse.skeleton import Slot
from memory.reuse.wording import load_wording

_PLAIN_TEXT = re.compile(r" ?[A-Za-z0-9_](?:[A-Za-z0-9_ /:,@#=-]*[A-Za-z0-9_])? ?")
# Behind these, a number says how many lines, matches or commits are wanted.
_COUNTING = re.compile(
    r"(?:head|tail|log)\b[^|]*?\s(?:-n ?|--lines[= ]|--max-count[= ]|-)$"
    r"|\s(?:-m ?|--max-count[= ]|-\w*[ABC] ?)$"
)
_DAYS = re.compile(r"(?:-[mac]time [-+]?|--since=['\"]?|--after=['\"]?|--until=['\"]?|--before=['\"]?)$")
_DEPTH = re.compile(r"-(?:max|min)depth $")
_BYTES = re.compile(r"-size [-+]?$")
_COLUMN = re.compile(r"\bcut\b[^|]*\s-f ?$")
_FIXED = re.compile(r"\sgrep(?=\s)[^|]*?\s(?:-\w*F|--fixed-strings)")
# `*.py`, `.py` or `\\.py`, and nothing in front: `test_*.py` means more than the extension.
_BARE_EXTENSION = re.compile(r"(?:^|[=\s'\"(|/])\*?\\?$")
_OPTION = re.compile(r"--?[\w-]+=")
# Options whose value a goal can state; what others are given belongs to the tool.
_OPTION_FOR_TEXT = re.compile(r"--(?:grep|author|committer|regexp|include|exclude|exclude-dir)=")
_NO_DEFINITION = re.compile(r"^--?[\w-]+=|\\[bswW<>]")
# Compared with names of files, in which no slash ever stands.
_ONE_NAME = re.compile(r"(?:-i?name |--(?:include|exclude|exclude-dir)[= ])['\"]?$")
_SET_OF_SIGNS = re.compile(r"\btr\s[^|]*$")
_WHOLE_WORDS = re.compile(r"\s(?:-\w*[wx]\w*|--word-regexp|--line-regexp)(?!\S)")
_PATTERN_FOLLOWS = re.compile(r"\s-\w*e $")


def occurrences(word: str, exchange: Exchange) -> list[tuple[int, int]]:
    """Every place where the old value might stand, in any case of letters."""
    if exchange.slot.kind == "number":
        return [match.span() for match in re.finditer(rf"(?<!\d){re.escape(exchange.old)}(?!\d)", word)]
    return [match.span() for match in re.finditer(re.escape(exchange.old), word, re.IGNORECASE)]


def stands_alone(word: str, start: int, end: int, exchange: Exchange, context: str) -> bool:
    """True if the part of a word from `start` to `end` is the whole value and nothing else.

    Args:
        word: of a command, without quotes.
        start: where the value begins in it.
        end: where it ends.
        exchange: the value.
        context: the command in front of the word, as written.
    """
    if word[start:end] != exchange.old:
        return False
    before, after = word[:start], word[end:]
    kind = exchange.slot.kind
    if kind == "number":
        return _counts(exchange.slot, context + before, after)
    if kind == "path" and "/" in exchange.new and _ONE_NAME.search(context + before):
        return False
    if kind == "path":
        free_before = before in ("", "./") or bool(re.search(r"[=:\s'\"(|^]$", before))
        return free_before and bool(re.fullmatch(r"/?(?:\*.*)?|[\s'\")|$:].*", after))
    if kind == "extension":
        return bool(_BARE_EXTENSION.search(before)) and not re.match(r"[\w.]", after)
    rest = _NO_DEFINITION.sub("", before) + after
    if re.search(r"[A-Za-z=]", rest) and spelling(exchange.old) != spelling(exchange.new):
        return False  # `def load` and `class Load`
    if kind != "date" and _OPTION.match(before) and not _OPTION_FOR_TEXT.match(before):
        return False
    if _SET_OF_SIGNS.search(context) and not len(exchange.old) == len(exchange.new) == 1:
        return False
    free_before = not re.search(r"[A-Za-z0-9_-]$", before) or bool(re.search(r"\\[bs<]$", before))
    return free_before and not re.match(r"[A-Za-z0-9_-]", after)


def is_literal(word: str, exchange: Exchange, context: str) -> bool:
    """True if both texts mean themselves in a pattern: no signs in them, or `grep -F` and nothing beside."""
    stage = f" {context.rpartition('|')[2]}"
    is_bounded = bool(_WHOLE_WORDS.search(stage)) or "\\b" in word or "\\<" in word
    if is_bounded and not re.fullmatch(r"\w(?:.*\w)?", exchange.new):
        return False
    if _PLAIN_TEXT.fullmatch(exchange.old) and _PLAIN_TEXT.fullmatch(exchange.new):
        return True
    announced = bool(_PATTERN_FOLLOWS.search(context)) or exchange.new[0] not in "-"
    return word == exchange.old and announced and bool(_FIXED.search(stage))


def _counts(slot: Slot, context: str, after: str) -> bool:
    """True if a number in a command, between these texts, says what the goal's number says."""
    wording = load_wording()
    if slot.after in wording.byte_units:
        return bool(_BYTES.search(context)) and after == "c"
    if after:
        return False
    if slot.after in wording.time_units:
        return slot.after in ("day", "days") and bool(_DAYS.search(context))
    if slot.after in wording.depth_units or slot.before == "depth":
        return bool(_DEPTH.search(context))
    if slot.before in wording.column_words:
        return bool(_COLUMN.search(context))
    return slot.after not in wording.other_units and bool(_COUNTING.search(context))
