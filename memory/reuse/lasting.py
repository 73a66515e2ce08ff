"""Whether a plan says how to find an answer, or holds what was found on the day it was made."""

from __future__ import annotations

import keyword
import re
from collections.abc import Sequence

from memory.reuse.setting import patterns, shell_words, unstated_kinds
from memory.reuse.wording import ordinary_words

_NAME_IN_CODE = re.compile(r"(?<![\w%-])(?:[a-z]+[A-Z]\w*|[A-Za-z]+_\w+|[A-Z]\w*[a-z]\w*[A-Z]\w*)")
_LEFT_OUT = re.compile(r"--exclude(?:-dir)?[= ]\S+")
_ALTERNATIVES = re.compile(r"\w+(?:\\?\|\w+)+")
# What is read off a history or a calendar; "in May" is a date only together with its year.
_VERSION = re.compile(r"(?<![\w.])v?\d+(?:\.\d+)+(?![\w.])")
_DATE = re.compile(r"(?<!\d)(\d{4})-\d\d(?:-\d\d)?(?!\d)")
_COMMIT = re.compile(r"(?<![\w-])(?=[a-f]*\d)[0-9a-f]{7,40}(?!\w)")
_PERSON = re.compile(
    r"--(?:author|committer)[= ](?:['\"]([^'\"]+)|([^\s'\"]+))|(?<!\w)([A-Z][a-z]+ [A-Z][a-z]+)(?!\w)"
)
# One more word for a thing may be knowledge of the language; several are a list of what was found.
_MOST_UNSTATED = 1


def states_what_it_names(commands: Sequence[str], goal: str) -> bool:
    """True if the commands hold no names from code, and no list of words, that the goal does not state.

    A planner that has seen the files may write what it saw into a command; tomorrow there may be more of it,
    and the same commands would miss that. Pure.
    """
    said = goal.lower()
    if any(_found_values(command, said) for command in commands):
        return False
    for command in (_LEFT_OUT.sub(" ", command) for command in commands):
        if any(name.lower() not in said for name in _NAME_IN_CODE.findall(command)):
            return False
        for alternatives in _ALTERNATIVES.findall(command):
            unstated = [word for word in re.split(r"\\?\|", alternatives) if _is_found(word, said)]
            if len(unstated) > _MOST_UNSTATED:
                return False
    return True


def says_what_to_look_for(commands: Sequence[str], goal: str) -> bool:
    """True if each kind of file and each pattern in the commands comes from the goal."""
    said = goal.lower()
    for command in commands:
        if unstated_kinds(command, said):
            return False
        for pattern in patterns(shell_words(command)):
            if any(word.lower() not in said for word in re.findall(r"[^\W\d_]{2,}\w*", pattern)):
                return False
            if not re.search(r"\w", pattern) and pattern not in said:
                return False
    return True


def _found_values(command: str, said: str) -> bool:
    """True for a version, a date, a commit or a person that the goal does not name."""
    values = [*_VERSION.findall(command), *_DATE.findall(command), *_COMMIT.findall(command)]
    values += [name for match in _PERSON.findall(command) for name in match if name]
    return any(value.strip().lower() not in said for value in values)


def _is_found(word: str, said: str) -> bool:
    lower = word.lower()
    known = lower in said or keyword.iskeyword(lower) or lower in ordinary_words() or word.isupper()
    return not known and not word.isdigit() and len(word) > 1
