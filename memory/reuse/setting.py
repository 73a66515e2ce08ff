"""Whether a plan fits other values than those it was written for, beyond the places where they stand.

A plan may be right for one value by what that value is: a file of Python, a directory without others below, a
date whose next day the planner wrote down.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from memory.recipes.lexicon import load_lexicon
from memory.reuse.exchange import Refused
from memory.reuse.skeleton import Slot
from memory.reuse.wording import load_wording

_DATE_OR_VERSION = re.compile(r"(?<![\w.-])(?:\d{4}-\d\d(?:-\d\d)?|v?\d+(?:\.\d+)+)(?![\w.-]*\w)")
_VERSION = re.compile(r"v?\d+(?:\.\d+)+")
# `tail -n +2` skips a header.
_COUNT = re.compile(r" -(?:n ?|-lines[= ])?(\d+)(?!\S)")
_GLOB = re.compile(r"\*\.\w+")
_READS_PARTS = frozenset({"cut", "tr", "sed", "awk"})
# Patterns about what another stage printed, not about what files hold.
_PLUMBING = frozenset({".", "total", "^"})


def check_setting(
    commands: Sequence[Sequence[str]], old: Sequence[Slot], pairs: Sequence[tuple[Slot, Slot]], question: str
) -> None:
    """Refuse a plan that holds more about its old values than these themselves.

    Args:
        commands: the words of each command.
        old: all values of the goal the plan was made for.
        pairs: those that differ, with what they are now.
        question: the skeleton.

    Raises:
        Refused: the plan may be right for the old values alone.
    """
    if any(_is_moment(before) for before, _ in pairs):
        _check_no_moment_is_computed(commands, old)
    if any(_file_kind(before) != _file_kind(after) for before, after in pairs):
        _check_no_language(commands, old)
    if any(before.kind == "number" for before, _ in pairs):
        _check_no_count_is_computed(commands, old)
    if any(before.kind == "path" and not _file_kind(before) for before, _ in pairs):
        _check_kinds_are_stated(commands, old, question)
    if any(before.kind == "path" for before, _ in pairs) and not _states_depth(question):
        _check_reaches_below(commands, [before for before, _ in pairs if before.kind == "path"])


def _check_no_count_is_computed(commands: Sequence[Sequence[str]], old: Sequence[Slot]) -> None:
    """Lines 3 to 5 are the last 3 of the first 5, but lines 3 to 9 are not the last 3 of the first 9."""
    stated = {slot.text for slot in old if slot.kind == "number"}
    for words in commands:
        cuts = [" ".join(stage) for stage in _stages(words) if stage[0] in ("head", "tail")]
        counts = [count for cut in cuts for count in _COUNT.findall(cut) if count != "1"]
        if len(counts) > 1 or any(count not in stated for count in counts):
            raise Refused


def _is_moment(slot: Slot) -> bool:
    return slot.kind == "date" or bool(_VERSION.fullmatch(slot.text))


def _check_no_moment_is_computed(commands: Sequence[Sequence[str]], old: Sequence[Slot]) -> None:
    """The day after a date, or the version before another, was worked out for the old value."""
    stated = {slot.text for slot in old}
    for words in commands:
        for word in words:
            if any(moment not in stated for moment in _moments(word)):
                raise Refused


def _moments(word: str) -> Iterator[str]:
    # "v0.1.0..v0.2.0" holds two.
    for part in re.split(r"\.{2,3}|[=:^~\s]", word):
        yield from _DATE_OR_VERSION.findall(part)


def _file_kind(slot: Slot) -> str:
    if slot.kind == "extension":
        return slot.text
    return PurePosixPath(slot.path or slot.text).suffix if slot.kind == "path" else ""


def shell_words(command: str) -> list[str]:
    """The words of a command; `|` is one of its own."""
    lexer = shlex.shlex(command, posix=True, punctuation_chars="|")
    lexer.commenters, lexer.whitespace_split = "", True
    try:
        return list(lexer)
    except ValueError:
        return command.split()


def patterns(words: Sequence[str]) -> list[str]:
    """What a command searches files for."""
    return [pattern for stage in _stages(words) if (pattern := _pattern(stage)) is not None]


def _check_no_language(commands: Sequence[Sequence[str]], old: Sequence[Slot]) -> None:
    """What a function or a column looks like depends on the kind of file."""
    stated = [value for slot in old for value in (slot.text, slot.path, slot.text.lstrip(".")) if value]
    for words in commands:
        reads_parts = any(stage[0] in _READS_PARTS for stage in _stages(words)[:1])
        if reads_parts or any(not any(value in pattern for value in stated) for pattern in patterns(words)):
            raise Refused


def _stages(words: Sequence[str]) -> list[list[str]]:
    stages: list[list[str]] = [[]]
    for word in words:
        if word == "|":
            stages.append([])
        else:
            stages[-1].append(word)
    return [stage for stage in stages if stage]


def _pattern(stage: Sequence[str]) -> str | None:
    """What a stage searches files or lines for; None if it searches nothing, or leaves something out."""
    if "grep" not in stage or stage[:2] == ["git", "log"]:
        return None
    rest = list(stage[stage.index("grep") + 1 :])
    if any(re.fullmatch(r"-\w*v\w*|--invert-match", word) for word in rest):
        return None
    pattern = next((word for word in rest if not word.startswith("-")), None)
    return None if pattern in _PLUMBING else pattern


def unstated_kinds(command: str, said: str) -> list[str]:
    """Kinds of file in a command, as globs, that a goal does not name.

    Args:
        command: with its quotes or without.
        said: the goal.
    """
    # "Documents" are several formats: a plan that looks at one of them knows which there were.
    stated = {
        glob
        for kind in load_lexicon("en").kinds
        if kind.pattern.search(said)
        for glob in kind.globs
        if len(kind.globs) == 1 or kind.pattern.fullmatch(glob[2:])
    }
    found = _GLOB.findall(command)
    return [
        glob
        for glob in found
        if glob not in stated and not re.search(rf"(?<!\w){re.escape(glob[1:])}(?!\w)", said, re.IGNORECASE)
    ]


def _check_kinds_are_stated(commands: Sequence[Sequence[str]], old: Sequence[Slot], question: str) -> None:
    """Sources are other kinds of files in another directory."""
    said = " ".join([question, *(slot.text for slot in old)])
    if any(unstated_kinds(" ".join(words), said) for words in commands):
        raise Refused
    names_kind = any(slot.kind == "extension" for slot in old) or any(
        kind.pattern.search(question) for kind in load_lexicon("en").kinds
    )
    if not names_kind:
        _check_no_language(commands, old)


def _states_depth(question: str) -> bool:
    return not load_wording().depth_words.isdisjoint(question.split())


def _check_reaches_below(commands: Sequence[Sequence[str]], places: Sequence[Slot]) -> None:
    """A look at one level of a directory sees everything only where no other directories are below."""
    names = {name for slot in places for name in (slot.path, slot.text.rstrip("/")) if name}
    for words in commands:
        for stage in _stages(words):
            if "-maxdepth" in stage and names & {word.rstrip("/") for word in stage}:
                raise Refused
            if any(word.startswith(f"{name}/*") for name in names for word in stage):
                raise Refused
            if stage[0] == "ls" and len(_stages(words)) > 1:
                raise Refused
