"""Documents written around facts, each statement with the exact place it stands at."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from datetime import date
from typing import Literal

from evals.research.facts import Fact, Subject
from evals.research.prose import Register, Site, stock
from evals.research.values import Language, Notation, Value
from evals.research.wording import Telling, as_line, as_source
from tools.search.items import DATE, LANGUAGE, Item

Stance = Literal["true", "rumour", "old"]
LOCALES: dict[Language, str] = {"en": "en", "zh": "zh-Hant"}
NOTATIONS: dict[Language, tuple[Notation, ...]] = {
    "en": ("digits", "digits", "words"),
    "zh": ("digits", "words", "mixed"),
}


@dataclass(frozen=True)
class Statement:
    """A sentence of a document that says something of a fact.

    Attributes:
        fact: the fact.
        value: what it says, true or not.
        stance: true, rumour (never was true) or old (was true, and is no more).
        start: offset of its first character in the document's text.
        end: offset after its last one.
    """

    fact: Fact
    value: Value
    stance: Stance
    start: int
    end: int


@dataclass(frozen=True)
class Document:
    """A document, and what is known of it.

    Attributes:
        item: as searches give it.
        site: who publishes it.
        language: it is written in.
        statements: all that it says of facts.
        copy_of: address of the document it copies word by word.
        canary: what text planted for machines wants to see in a report.
    """

    item: Item
    site: Site
    language: Language
    statements: tuple[Statement, ...]
    copy_of: str = ""
    canary: str = ""

    @property
    def url(self) -> str:
        """Its address."""
        return self.item.url

    def text_of(self, statement: Statement) -> str:
        """The sentence as it stands here."""
        return self.item.description[statement.start : statement.end]


@dataclass(frozen=True)
class Planned:
    """A document to be written.

    Attributes:
        subject: whom it is about.
        site: who publishes it.
        language: to write it in.
        register: key of the stock's registers.
        day: of publication; None for a document without a date.
        says: facts, with the value and stance it has of each.
        canary: for planted text; none without.
    """

    subject: Subject
    site: Site
    language: Language
    register: str
    day: date | None
    says: list[tuple[Fact, Value, Stance]]
    canary: str = ""


@dataclass
class _Page:
    """Text that grows, and remembers where its statements stand."""

    text: str = ""
    statements: list[Statement] = field(default_factory=list)

    def add(self, text: str, gap: str) -> int:
        self.text += (gap if self.text else "") + text
        return len(self.text) - len(text)


def write_document(planned: Planned, number: int, rng: random.Random) -> Document:
    """Write one document.

    Args:
        planned: what it is to be.
        number: of the document, part of its address.
        rng: to draw patterns and fillers from.
    """
    register = stock().registers[planned.language][planned.register]
    names = {"s": planned.subject.names[planned.language], "r": planned.subject.about[planned.language]}
    page = _Page()
    page.add(rng.choice(register.opening).format(**names), "")
    fillers = iter(rng.sample(register.filler, len(register.filler)))
    gap = "\n" if register.lines else ("" if planned.language == "zh" else " ")
    named = False
    for fact, value, stance in planned.says:
        while not register.bullets and rng.random() < 0.55 and (filler := next(fillers, None)):
            page.add(filler.format(**names), "\n\n" if rng.random() < 0.3 else gap)
            named = False
        _state(page, planned, register, (fact, value, stance), gap, named, rng)
        named = True
    for filler in list(fillers)[: rng.randint(0, 2)]:
        page.add(filler.format(**names), gap)
    if planned.canary:
        words = rng.choice(stock().injections[planned.language])
        page.add(words.format(canary=planned.canary), "\n\n")
    page.add(rng.choice(register.closing).format(**names), "\n\n")
    title = rng.choice(register.title).format(**names)
    return Document(
        item=_item(planned, number, title, page.text),
        site=planned.site,
        language=planned.language,
        statements=tuple(page.statements),
        canary=planned.canary,
    )


def _state(
    page: _Page,
    planned: Planned,
    register: Register,
    said: tuple[Fact, Value, Stance],
    gap: str,
    named: bool,
    rng: random.Random,
) -> None:
    """Add one sentence; after one that names the subject, the next may call it by what it is."""
    fact, value, stance = said
    language = planned.language
    how = Telling(
        language,
        rng.choice(NOTATIONS[language]),
        roc=language == "zh" and rng.random() < 0.35,
        by_role=named and rng.random() < 0.35,
    )
    # What was true in an earlier year is told as the present of that year, by a document of that year.
    if register.bullets and fact.frame != "quote" and not value.side:
        text = as_line(fact, value, how, rng)
    else:
        text = _attributed(as_source(fact, value, how, rng), fact, register, rng)
        text = f"- {text}" if register.bullets else text
    start = page.add(text, gap)
    skipped = 2 if text.startswith("- ") else 0
    page.statements.append(Statement(fact, value, stance, start + skipped, start + len(text)))


def _attributed(text: str, fact: Fact, register: Register, rng: random.Random) -> str:
    """With the words by which such texts say whom they have it from."""
    if fact.frame == "quote":
        return text
    prefix, suffix = rng.choice(register.prefix), rng.choice(register.suffix)
    if prefix and not prefix.endswith(("，", "：")) and not text.startswith(fact.subject.names["zh"]):
        prefix = ""
    return f"{prefix}{text[:-1]}{suffix}{text[-1]}" if suffix else f"{prefix}{text}"


def _item(planned: Planned, number: int, title: str, text: str) -> Item:
    metadata = {"@type": "Article", LANGUAGE: LOCALES[planned.language]}
    if planned.day is not None:
        metadata[DATE] = planned.day.isoformat()
    address = f"https://{planned.site.domain}"
    return Item(
        url=f"{address}/{planned.subject.topic}/{number:03}",
        name=title,
        site=planned.site.name,
        siteUrl=address,
        score=50,
        description=text,
        schema_object=metadata,
    )
