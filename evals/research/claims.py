"""Correct sentences about a world, each with the documents it cites: what no checker may object to."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace

from evals.research.documents import Document, Statement
from evals.research.facts import Fact
from evals.research.values import Language, Notation, Value, exact_units, rounded, write, write_year
from evals.research.wording import Telling, as_report
from evals.research.world import OTHER, World

Group = str
CHANGED: dict[Language, list[tuple[str, str]]] = {
    "en": [
        (
            "At {s}, {n} rose from {v0} in {y0} to {v} in {y}.",
            "At {s}, {n} fell from {v0} in {y0} to {v} in {y}.",
        ),
        (
            "Compared with {v0} in {y0}, {n} at {s} increased to {v} in {y}.",
            "Compared with {v0} in {y0}, {n} at {s} decreased to {v} in {y}.",
        ),
        (
            "{s} saw growth in {n} between {y0} and {y}, from {v0} to {v}.",
            "{s} saw a decline in {n} between {y0} and {y}, from {v0} to {v}.",
        ),
    ],
    "zh": [
        ("{s}的{n}由{y0}的{v0}增加到{y}的{v}。", "{s}的{n}由{y0}的{v0}減少到{y}的{v}。"),
        ("與{y0}的{v0}相比，{s}{y}的{n}增至{v}。", "與{y0}的{v0}相比，{s}{y}的{n}降至{v}。"),
        ("{s}的{n}從{y0}的{v0}上升，{y}為{v}。", "{s}的{n}從{y0}的{v0}下滑，{y}為{v}。"),
    ],
}


@dataclass(frozen=True)
class Claim:
    """A sentence, and what it rests on.

    Attributes:
        text: without citations.
        group: in which way it differs from the sentence of the document.
        language: it is written in.
        fact: what it says.
        value: what it says of it.
        how: how it is told; None for a sentence that `told` cannot tell again.
        key: of the draw of its pattern, so that it can be told again with one thing changed.
        cited: addresses it cites, in order.
        holds: sentences of the cited documents that bear it.
    """

    text: str
    group: Group
    language: Language
    fact: Fact
    value: Value
    how: Telling | None
    key: str
    cited: tuple[str, ...]
    holds: tuple[tuple[str, int, int], ...]

    def told(self, fact: Fact | None = None, value: Value | None = None) -> str:
        """The same sentence about another fact or with another value; only where `how` is known."""
        assert self.how is not None, "a sentence copied from a document is not told again"
        return as_report(fact or self.fact, value or self.value, self.how, random.Random(self.key))


def claims_of(world: World, language: Language) -> list[Claim]:
    """Correct sentences of every group, in one language, about the facts documents of that language state."""
    rng = random.Random(f"claims/{world.seed}/{language}")
    claims: list[Claim] = []
    for fact in world.facts:
        told = world.telling(fact, language)
        if told:
            claims += _of_fact(world, fact, told, language, rng)
    return [*claims, *_merged(claims, language, rng)]


def _merged(claims: list[Claim], language: Language, rng: random.Random) -> Iterator[Claim]:
    """Two facts of one subject in one sentence, each from its own document."""
    plain = [claim for claim in claims if claim.group == "reworded"]
    for first, second in zip(plain, plain[1:], strict=False):
        if first.fact.subject.id != second.fact.subject.id or rng.random() < 0.4:
            continue
        name = second.fact.subject.names[language]
        told = second.text if second.text.startswith(name) else second.text[0].lower() + second.text[1:]
        joint = rng.choice([" and ", "; "]) if language == "en" else rng.choice(["，", "；"])
        yield replace(
            first,
            text=f"{first.text[:-1]}{',' if joint == ' and ' else ''}{joint}{told}",
            group="merged",
            how=None,
            cited=tuple(dict.fromkeys((*first.cited, *second.cited))),
            holds=(*first.holds, *second.holds),
        )


def cross_language(world: World, language: Language) -> list[Claim]:
    """Sentences in one language about what only documents of the other say."""
    rng = random.Random(f"across/{world.seed}/{language}")
    found = []
    for fact in world.facts:
        told = world.telling(fact, OTHER[language])
        if told and not world.telling(fact, language) and fact.frame != "quote":
            found.append(_retold("cross_language", fact, fact.value, Telling(language), told[:1], rng))
    return found


def _of_fact(
    world: World, fact: Fact, told: list[tuple[Document, Statement]], language: Language, rng: random.Random
) -> Iterator[Claim]:
    """Sentences about one fact, each group as far as it fits."""
    first = told[:1]
    group = "beside_rumour" if any(s.stance == "rumour" for _, s in world.statements[fact.id]) else "reworded"
    yield from _copied(told, language)
    if fact.frame == "quote":
        yield _retold("quoted", fact, fact.value, Telling(language), first, rng)
        return
    yield _retold(group, fact, fact.value, Telling(language, general=rng.random() < 0.4), first, rng)
    for name, notation in _notations(fact, language, rng):
        yield _retold(name, fact, fact.value, Telling(language, notation), first, rng)
    if language == "zh" and (fact.pattern.when == "year"):
        yield _retold("roc_year", fact, fact.value, Telling(language, roc=True), first, rng)
    if len(told) > 1:
        yield _retold("two_sources", fact, fact.value, Telling(language), told[:2], rng)
    if fact.earlier is not None:
        old = [(d, s) for d, s in world.statements[fact.id] if s.stance == "old" and d.language == language][
            :1
        ]
        if old:
            yield _retold("dated_older", fact, fact.earlier, Telling(language, past=True), old, rng)
    yield from _change(world, fact, told, language, rng)


def _notations(fact: Fact, language: Language, rng: random.Random) -> Iterator[tuple[Group, Notation]]:
    value = fact.value
    if fact.pattern.kind not in ("count", "money", "measure"):
        return
    written: list[Notation] = ["words", "mixed"] if language == "zh" else ["words"]
    yield "notation", rng.choice(written)
    if value.amount >= 1000 and rounded(value.amount) != value.amount:
        yield "rounded", "rounded"
    if value.kind == "measure" and exact_units(value) != [value.unit]:
        yield "converted", "converted"


def _copied(told: list[tuple[Document, Statement]], language: Language) -> Iterator[Claim]:
    """A sentence as a document has it, if it names its subject."""
    for document, statement in told[:1]:
        text = document.text_of(statement)
        if statement.fact.subject.names[language] in text and text.endswith((".", "。", "」")):
            yield _claim("verbatim", text, statement.fact, statement.value, None, [(document, statement)], "")


def _retold(
    group: Group,
    fact: Fact,
    value: Value,
    how: Telling,
    told: list[tuple[Document, Statement]],
    rng: random.Random,
) -> Claim:
    key = f"{group}/{fact.id}/{how.language}/{rng.random()}"
    return _claim(group, as_report(fact, value, how, random.Random(key)), fact, value, how, told, key)


def _claim(
    group: Group,
    text: str,
    fact: Fact,
    value: Value,
    how: Telling | None,
    told: list[tuple[Document, Statement]],
    key: str,
) -> Claim:
    language: Language = how.language if how else told[0][0].language
    cited = tuple(document.url for document, _ in told)
    holds = tuple((document.url, statement.start, statement.end) for document, statement in told)
    return Claim(text, group, language, fact, value, how, key, cited, holds)


def _change(
    world: World, fact: Fact, told: list[tuple[Document, Statement]], language: Language, rng: random.Random
) -> Iterator[Claim]:
    """What changed from one year to the next, where documents of the language have both."""
    draw = rng.random()
    pair = changed_text(world, fact, language, draw)
    if pair is None:
        return
    (text, _), earlier = pair
    both = [*told[:1], *world.telling(earlier, language)[:1]]
    claim = _claim("change", text, fact, fact.value, None, both, str(draw))
    yield replace(claim, cited=tuple(dict.fromkeys(claim.cited)))


def changed_text(
    world: World, fact: Fact, language: Language, draw: float
) -> tuple[tuple[str, str], Fact] | None:
    """A sentence about a change and the same with its direction turned round, and the earlier fact."""
    if fact.pattern.kind not in ("count", "money", "measure") or fact.pattern.when != "year":
        return None
    wanted = (fact.subject.id, fact.frame, fact.year - 1)
    before = [one for one in world.facts if (one.subject.id, one.frame, one.year) == wanted]
    if not before or not world.telling(before[0], language) or before[0].value.unit != fact.value.unit:
        return None
    earlier = before[0]
    if earlier.value.amount == fact.value.amount:
        return None
    rng = random.Random(f"change/{fact.id}/{draw}")
    words = fact.pattern.counted.get(language, "")
    gap = " " if language == "en" and words else ""

    def figure(value: Value) -> str:
        return f"{write(value, language, 'digits', rng)}{gap}{words}"

    slots = {
        "s": fact.subject.names[language],
        "n": fact.pattern.noun[language],
        "v": figure(fact.value),
        "v0": figure(earlier.value),
        "y": write_year(fact.year, language, rng),
        "y0": write_year(earlier.year, language, rng),
    }
    up, down = (pattern.format(**slots) for pattern in rng.choice(CHANGED[language]))
    return ((up, down) if fact.value.amount > earlier.value.amount else (down, up)), earlier
