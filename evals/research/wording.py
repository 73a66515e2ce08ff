"""Facts put into sentences."""

from __future__ import annotations

import random
from dataclasses import dataclass

from evals.research.facts import Fact, Subject
from evals.research.values import Language, Notation, Value, write, write_year

GENERAL: dict[str, dict[Language, list[str]]] = {
    "year": {
        "en": [
            "In {y}, {s} reported {n} of {v}.",
            "For {y}, the figure for {n} at {s} was {v}.",
            "At {s}, {n} came to {v} in {y}.",
        ],
        "zh": ["{y}，{s}的{n}是{v}。", "就{n}而言，{s}在{y}的數字為{v}。", "{s}{y}的{n}達到{v}。"],
    },
    "state": {
        "en": ["The figure for {n} at {s} is {v}.", "For {s}, {n} stands at {v}."],
        "zh": ["{s}的{n}是{v}。", "就{n}而言，{s}的數字為{v}。"],
    },
    "past": {
        "en": [
            "In {y}, the figure for {n} at {s} was {v}.",
            "Back in {y}, {n} at {s} amounted to {v}.",
            "As of {y}, {n} at {s} stood at {v}.",
        ],
        "zh": ["{y}時，{s}的{n}為{v}。", "在{y}，{s}的{n}是{v}。", "截至{y}，{s}的{n}為{v}。"],
    },
}
SAID: dict[Language, list[str]] = {
    "en": [
        "“{q},” said {p}, {o} of {s}.",
        '"{q}," {p}, {o} of {s}, told the meeting.',
        "{p}, {o} of {s}, put it this way: “{q}.”",
    ],
    "zh": [
        "{s}{o}{p}表示：「{q}。」",
        "「{q}」，{s}{o}{p}說。",
        "{s}的{o}{p}受訪時說：「{q}。」",
    ],
}
RETOLD: dict[Language, list[str]] = {
    "en": [
        "{p} of {s} said: “{q}.”",
        '{p}, {o} of {s}, said that "{q}".',
        "In the words of {p}, {o} of {s}: “{q}”.",
    ],
    "zh": ["{p}說：「{q}」。", "{s}{o}{p}指出，「{q}」。", "據{s}{o}{p}的說法：「{q}」。"],
}


@dataclass(frozen=True)
class Telling:
    """How a fact is told.

    Attributes:
        language: of the sentence.
        notation: of its figure.
        roc: whether years are those of the Republic of China.
        general: whether a pattern is used that any frame of its kind may have.
        past: whether it tells what was true in the earlier year, with that year.
        by_role: whether the subject is named by what it is ("the museum").
    """

    language: Language
    notation: Notation = "digits"
    roc: bool = False
    general: bool = False
    past: bool = False
    by_role: bool = False


def as_source(fact: Fact, value: Value, how: Telling, rng: random.Random) -> str:
    """A sentence as documents have it, saying that the fact has this value."""
    if fact.frame == "quote":
        return _quotation(fact, value, SAID[how.language], how, rng)
    return _filled(fact, value, _sided(fact.pattern.source[how.language], value), how, rng)


def as_report(fact: Fact, value: Value, how: Telling, rng: random.Random) -> str:
    """A sentence of somebody who retells it."""
    if fact.frame == "quote":
        return _quotation(fact, value, RETOLD[how.language], how, rng)
    patterns = _sided(fact.pattern.report[how.language], value)
    if how.past:
        patterns = GENERAL["past"][how.language]
    elif how.general and fact.pattern.kind in ("count", "money", "measure") and fact.pattern.when in GENERAL:
        patterns = GENERAL[fact.pattern.when][how.language]
    return _filled(fact, value, patterns, how, rng)


def as_line(fact: Fact, value: Value, how: Telling, rng: random.Random) -> str:
    """An entry of a data sheet, whose title names the subject."""
    frame = fact.pattern
    noun = frame.noun[how.language]
    figure = _counted(fact, value, how, rng)
    year = write_year(fact.year, how.language, rng, roc=how.roc) if frame.when == "year" else ""
    if how.language == "zh":
        return f"- {noun}（{year}）：{figure}" if year else f"- {noun}：{figure}"
    head = noun[0].upper() + noun[1:]
    return f"- {head} ({year}): {figure}" if year else f"- {head}: {figure}"


def asked(facts: list[Fact], language: Language) -> str:
    """A question for some facts."""
    parts = [
        fact.pattern.ask[language].format(
            s=fact.subject.names[language], y=f"{fact.year}年" if language == "zh" else fact.year
        )
        for fact in facts
    ]
    if language == "zh":
        return "？".join(parts) + "？"
    text = ", and ".join(parts) + "?"
    return _capital(text)


def _sided(patterns: list[str] | dict[str, list[str]], value: Value) -> list[str]:
    return patterns[value.side] if isinstance(patterns, dict) else patterns


def _filled(fact: Fact, value: Value, patterns: list[str], how: Telling, rng: random.Random) -> str:
    pattern = rng.choice(patterns)
    year = fact.earlier_year if how.past else fact.year
    general = "{n}" in pattern
    figure = _counted(fact, value, how, rng) if general else write(value, how.language, how.notation, rng)
    text = _named(pattern, fact.subject, how).format(
        s=_name(fact.subject, how),
        v=figure,
        d=figure,
        n=fact.pattern.noun[how.language],
        y=write_year(year, how.language, rng, roc=how.roc),
    )
    return _capital(text)


def _counted(fact: Fact, value: Value, how: Telling, rng: random.Random) -> str:
    """The figure with what is counted."""
    words = fact.pattern.counted.get(how.language, "")
    figure = write(value, how.language, how.notation, rng)
    return f"{figure} {words}" if words and how.language == "en" else f"{figure}{words}"


def _named(pattern: str, subject: Subject, how: Telling) -> str:
    """Patterns have their own article where a name needs one, and so does what something is."""
    if how.by_role and how.language == "en":
        return pattern.replace("the {s}", "{s}").replace("The {s}", "{s}")
    return pattern


def _name(subject: Subject, how: Telling) -> str:
    return subject.about[how.language] if how.by_role else subject.names[how.language]


def _quotation(fact: Fact, value: Value, patterns: list[str], how: Telling, rng: random.Random) -> str:
    text = rng.choice(patterns).format(
        q=value.words,
        s=_name(fact.subject, how),
        p=fact.speaker[how.language],
        o=fact.office[how.language],
    )
    return _capital(text)


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]
