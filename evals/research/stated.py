"""What a sentence of a report says about a world, told by names, values and years: no model judges."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from evals.research.documents import Document
from evals.research.facts import Fact, Subject
from evals.research.prose import stock
from evals.research.reading import says, years
from evals.research.values import Value
from evals.research.world import World

PUNCTUATION = re.compile(r"[\s“”\"'「」『』.,;:!?，。；：！？、\-—*_()（）\[\]]+")


@dataclass(frozen=True)
class Assertion:
    """A fact and the value a sentence gives it."""

    fact: Fact
    value: Value


def bare(text: str) -> str:
    """Letters and digits alone, so that copied words are found again whatever stands around them."""
    return PUNCTUATION.sub("", text).casefold()


def subjects_in(text: str, world: World) -> list[Subject]:
    """Whom a text names."""
    return [one for one in world.subjects if any(name in text for name in one.names.values())]


def assertions(text: str, about: Sequence[Subject], world: World) -> list[Assertion]:
    """Values that documents state and this sentence states as well.

    Args:
        text: of the sentence.
        about: subjects it is about; those it names itself, or those named before.
        world: whose facts are known.
    """
    named = {subject.id for subject in about}
    told = years(text)
    found: dict[tuple[str, Value], Assertion] = {}
    for fact in world.facts:
        if fact.subject.id not in named:
            continue
        for value in _values(fact, world):
            if (fact.id, value) not in found and _states(text, fact, value, told):
                found[(fact.id, value)] = Assertion(fact, value)
    return list(found.values())


def _values(fact: Fact, world: World) -> Iterable[Value]:
    return dict.fromkeys([fact.value, *(s.value for _, s in world.statements[fact.id])])


def _states(text: str, fact: Fact, value: Value, told: set[int]) -> bool:
    if value.kind == "polarity":
        return _worded(text, fact, value)
    if not says(text, value):
        return False
    if fact.frame != "quote" and fact.pattern.when == "year" and told and fact.year not in told:
        return False
    return value.kind in ("quote", "date", "change") or _speaks_of(text, fact)


def _worded(text: str, fact: Fact, value: Value) -> bool:
    """Yes and no are known by their wording, every pattern of which says the same."""
    patterns = [
        pattern
        for wording in (fact.pattern.source, fact.pattern.report)
        for sides in wording.values()
        for pattern in sides[value.side]
    ]
    within = bare(text)
    return any(bare(pattern.replace("{s}", name)) in within for pattern in patterns for name in _called(fact))


def _called(fact: Fact) -> list[str]:
    subject = fact.subject
    return [*subject.names.values(), *subject.about.values()]


def _speaks_of(text: str, fact: Fact) -> bool:
    """Whether it has words of the frame beside its figure: amounts of two frames may be alike."""
    words = _frame_words(fact)
    lowered = text.casefold()
    return any(word in lowered for word in words)


def _frame_words(fact: Fact) -> frozenset[str]:
    return _words_of(fact.subject.topic, fact.frame)


@cache
def _words_of(topic: str, name: str) -> frozenset[str]:
    frame = stock().topics[topic].frames[name]
    common = _common(topic)
    found: set[str] = set()
    for patterns in [*frame.source.values(), *frame.report.values()]:
        lines = patterns if isinstance(patterns, list) else [p for side in patterns.values() for p in side]
        for line in lines:
            found |= set(_words(line))
    named = [*frame.noun.values(), *frame.counted.values()]
    return frozenset((found - common) | {word for line in named for word in _words(line)})


def _words(line: str) -> list[str]:
    clean = re.sub(r"\{\w+\}", " ", line).casefold()
    latin = [word for word in re.findall(r"[a-z][a-z-]{3,}", clean)]
    runs = re.findall(r"[一-鿿]+", clean)
    return latin + [run[at : at + 2] for run in runs for at in range(len(run) - 1)]


@cache
def _common(topic: str) -> frozenset[str]:
    """Words that several frames of a topic use tell none of them apart."""
    seen: dict[str, int] = {}
    for frame in stock().topics[topic].frames.values():
        words: set[str] = set()
        for patterns in [*frame.source.values(), *frame.report.values()]:
            lines = patterns if isinstance(patterns, list) else [p for s in patterns.values() for p in s]
            words |= {word for line in lines for word in _words(line)}
        for word in words:
            seen[word] = seen.get(word, 0) + 1
    return frozenset(word for word, count in seen.items() if count > 1)


def holds(document: Document, assertion: Assertion) -> bool:
    """Whether a document states the same of the same fact."""
    return any(
        statement.fact.id == assertion.fact.id and statement.value == assertion.value
        for statement in document.statements
    )


def copied(text: str, document: Document) -> bool:
    """Whether a sentence stands in a document, but for marks and spaces."""
    words = bare(text)
    return bool(words) and words in bare(document.item.description)
