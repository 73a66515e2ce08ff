"""Moves as a person types them: a JSON object, the number of a menu, a short command, or a command line."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from nodes.tutor.claims import PREDICATES
from nodes.tutor.flat_moves import TEXTS
from nodes.tutor.proving.forms import COUNTED

HELP = """\
  cat a.txt                                       run a tool: cat, head, tail, grep, wc, ls, find, stat, diff
  assert count *.py lines = 12 in . by o1 o2      put a claim, and the observations that show it
  assert contains a.txt "port = 80" by o1         (predicate, subject, [unit], value, in scope, by evidence)
  link c1 o2              give a claim more evidence
  challenge c1 cat a.txt  say that a claim is wrong, and what shows it: a tool call, or observations: by o2
  instead c1 count a.txt lines = 3                put another claim in its place
  ask where is it?        note a question
  answer c1 c2            end the game with proved claims
  pass                    do nothing
  3                       take that move of the menu
  {"move": ...}           any move as JSON
  ?                       this help;   quit leaves the game, which can be gone on with
predicates: """ + ", ".join(PREDICATES)
UNITS = frozenset({*COUNTED, "file", "directory", "sha256", "word", "line", "function", "class", "value"})
SIGNS = frozenset({"=", ">", "<", "is"})
_OBSERVATION = re.compile(r"o[0-9]+")


class NotUnderstood(Exception):
    """What was typed is no move; the message says how to write it."""


def move_of(line: str) -> dict[str, Any] | str:
    """The move a line stands for: a JSON object, or the number of a menu as text.

    Raises:
        NotUnderstood: it is none.
    """
    text = line.strip()
    if text.startswith("{"):
        return _json(text)
    if text.isascii() and text.isdigit():
        return text
    word, _, rest = text.partition(" ")
    made = COMMANDS.get(word.lower())
    return made(rest.strip()) if made is not None else {"move": "PROPOSE", "request": {"raw": text}}


def _json(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise NotUnderstood(f"This is no JSON: {error}.") from error
    return dict(value)


def _assert(rest: str) -> dict[str, Any]:
    claim, evidence = _claim(_words(rest))
    return {"move": "ASSERT", "claim": claim, "evidence": evidence}


def _instead(rest: str) -> dict[str, Any]:
    name, _, said = rest.partition(" ")
    claim, evidence = _claim(_words(said))
    if evidence:
        raise NotUnderstood("A claim that is put in another's place keeps its evidence: leave out `by`.")
    return {"move": "REFORMULATE", "claim": name, "into": claim}


def _link(rest: str) -> dict[str, Any]:
    name, *evidence = _words(rest) or [""]
    if not evidence:
        raise NotUnderstood("Write: link c1 o2")
    return {"move": "LINK", "claim": name, "evidence": evidence}


def _challenge(rest: str) -> dict[str, Any]:
    name, _, how = rest.partition(" ")
    words = _words(how)
    if not words:
        raise NotUnderstood("Write: challenge c1 cat a.txt, or: challenge c1 by o2")
    if words[0] == "by":
        return {"move": "CHALLENGE", "claim": name, "evidence": words[1:]}
    return {"move": "CHALLENGE", "claim": name, "falsifier": {"raw": how.strip()}}


def _answer(rest: str) -> dict[str, Any]:
    return {"move": "ANSWER", "claims": rest.replace(",", " ").split()}


COMMANDS: Mapping[str, Callable[[str], dict[str, Any]]] = {
    "assert": _assert,
    "instead": _instead,
    "link": _link,
    "challenge": _challenge,
    "answer": _answer,
    "ask": lambda rest: {"move": "ASK", "question": rest},
    "pass": lambda rest: {"move": "PASS"},
}


def _words(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError as error:
        raise NotUnderstood(f"A quotation is not closed: {text[:80]}") from error


def _claim(words: Sequence[str]) -> tuple[dict[str, Any], list[str]]:
    """A claim, and the observations that are cited for it.

    The form is PREDICATE SUBJECT [UNIT] [=] [VALUE] [in SCOPE [SCOPE]] [by OBSERVATIONS].
    """
    said, evidence = _parted(list(words), "by")
    said, scope = _parted(said, "in")
    if len(said) < 2 or said[0] not in PREDICATES:
        predicates = f"PREDICATE is one of {', '.join(PREDICATES)}."
        raise NotUnderstood(
            f"Write: assert PREDICATE SUBJECT [UNIT] [=] VALUE [in SCOPE] by o1; {predicates}"
        )
    predicate, subject, *rest = said
    unit, rest = _unit(rest)
    if len(rest) > 1:
        raise NotUnderstood(f"Put a value of several words in quotation marks: {' '.join(rest)[:80]}")
    claim: dict[str, Any] = {"predicate": predicate, "subject": subject}
    if rest:
        claim["value"] = _value(predicate, rest[0])
    if unit:
        claim["unit"] = unit
    if scope:
        claim["scope"] = scope[0] if len(scope) == 1 else scope
    return claim, [name for name in " ".join(evidence).replace(",", " ").split() if name]


def _parted(words: list[str], mark: str) -> tuple[list[str], list[str]]:
    """Words before the last mark, and after it; a mark that stands as value or subject is none."""
    for place in range(len(words) - 1, 1, -1):
        after = words[place + 1 :]
        if words[place] == mark and after and (mark != "by" or all(_are_names(one) for one in after)):
            return words[:place], after
    return words, []


def _are_names(word: str) -> bool:
    return all(_OBSERVATION.fullmatch(one) for one in word.split(",") if one)


def _unit(rest: list[str]) -> tuple[str, list[str]]:
    """The unit, of one or two words, and the value: a sign parts them, or the unit is one that is known."""
    for place, word in enumerate(rest[:3]):
        if word in SIGNS and place + 1 < len(rest):
            return " ".join(rest[:place]), rest[place + 1 :]
    for size in (2, 1):
        unit = " ".join(rest[:size])
        if len(rest) >= size and unit in UNITS:
            return unit, rest[size:]
    return "", rest


def _value(predicate: str, text: str) -> Any:
    """A value by its predicate: a text stays one, else what is JSON is what it says."""
    if predicate in TEXTS:
        return text
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text
