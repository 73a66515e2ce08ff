"""What is true in a world: its subjects, and what can be said of each."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from decimal import Decimal

from evals.research.prose import Frame, stock
from evals.research.values import CURRENCIES, Language, Value, significant

SIDES = {"polarity": ("yes", "no"), "change": ("up", "down")}
OTHER_SIDE = {"yes": "no", "no": "yes", "up": "down", "down": "up"}
TOPICS = 7
BY_TOPIC = 2


@dataclass(frozen=True)
class Subject:
    """Somebody or something documents are about.

    Attributes:
        id: topic and number.
        topic: key of the stock's topics.
        names: by language.
        about: what it is, for second mentions, by language.
        language: the one most is written in about it.
    """

    id: str
    topic: str
    names: dict[Language, str]
    about: dict[Language, str]
    language: Language


@dataclass(frozen=True)
class Fact:
    """One thing that is true.

    Attributes:
        id: subject, frame and year.
        subject: whom it is about.
        frame: key of the topic's frames; "quote" for what somebody said.
        year: it holds for, or since when, for a state; 0 if it has none.
        value: what is true.
        earlier: what was true in an earlier year, for a state.
        earlier_year: that year.
        speaker: of a quotation, names by language.
        office: of the speaker, by language.
    """

    id: str
    subject: Subject
    frame: str
    year: int
    value: Value
    earlier: Value | None = None
    earlier_year: int = 0
    speaker: dict[Language, str] = field(default_factory=dict)
    office: dict[Language, str] = field(default_factory=dict)

    @property
    def pattern(self) -> Frame:
        """The frame's patterns.

        Raises:
            KeyError: a quotation has none.
        """
        return stock().topics[self.subject.topic].frames[self.frame]


def draw_subjects(rng: random.Random) -> list[Subject]:
    """Pairs of subjects of one sort, so that each has a sibling to be taken for."""
    topics = rng.sample(sorted(stock().topics), TOPICS)
    places = iter(rng.sample(stock().places, TOPICS * BY_TOPIC))
    subjects = []
    for number, topic in enumerate(topics):
        about = stock().topics[topic]
        names = rng.choice(about.names)
        language: Language = "en" if number % 2 else "zh"
        for twin in range(BY_TOPIC):
            place = next(places)
            subjects.append(
                Subject(
                    id=f"{topic}{twin}",
                    topic=topic,
                    names={code: names[code].format(p=place[code]) for code in names},
                    about=about.about,
                    language=language,
                )
            )
    return subjects


def draw_facts(subjects: list[Subject], year: int, rng: random.Random) -> list[Fact]:
    """Everything true of all subjects.

    Args:
        subjects: whom it is about.
        year: the last one with figures.
        rng: to draw from.
    """
    facts: list[Fact] = []
    since = {subject.id: year - rng.randint(2, 4) for subject in subjects}
    quotes = iter(rng.sample(range(len(stock().quotes)), len(stock().quotes)))
    for subject in subjects:
        for name, frame in stock().topics[subject.topic].frames.items():
            facts += _of_frame(subject, name, frame, (year, since[subject.id]), rng)
        if (quote := next(quotes, None)) is not None:
            facts.append(_quotation(subject, quote, rng))
    return facts


def _of_frame(
    subject: Subject, name: str, frame: Frame, years: tuple[int, int], rng: random.Random
) -> Iterator[Fact]:
    year, then = years
    if frame.when == "year":
        values = [draw_value(frame, year, rng) for _ in range(2)]
        for back, value in enumerate(values):
            yield Fact(f"{subject.id}/{name}/{year - back}", subject, name, year - back, value)
    elif frame.when == "state":
        value = draw_value(frame, year, rng)
        yield Fact(f"{subject.id}/{name}", subject, name, year, value, another(value, rng), then)
    else:
        yield Fact(f"{subject.id}/{name}", subject, name, 0, draw_value(frame, year, rng))


def _quotation(subject: Subject, number: int, rng: random.Random) -> Fact:
    speaker, office = rng.choice(stock().people), rng.choice(stock().roles)
    value = Value("quote", Decimal(number), words=stock().quotes[number][subject.language][0])
    return Fact(f"{subject.id}/quote", subject, "quote", 0, value, speaker=speaker, office=office)


def draw_value(frame: Frame, year: int, rng: random.Random) -> Value:
    """A value a frame can have."""
    if frame.kind == "date":
        return Value("date", day=date(year, 1, 1) - timedelta(days=rng.randint(-300, 3000)))
    if frame.kind == "polarity":
        return Value("polarity", side=rng.choice(SIDES["polarity"]))
    low, high = frame.range
    # Benford's law holds for such figures, so they are drawn by their logarithm.
    amount = Decimal(str(float(low) * (float(high) / float(low)) ** rng.random()))
    if frame.kind in ("percent", "change"):
        side = rng.choice(SIDES["change"]) if frame.kind == "change" else ""
        return Value(frame.kind, amount.quantize(Decimal("0.1")), side=side)
    if frame.kind == "money":
        unit = rng.choice(sorted(CURRENCIES))
        return Value("money", significant(amount, rng.choice([3, 3, 4])), unit)
    if frame.kind == "measure":
        digits = Decimal("0.1") if amount < 1000 and rng.random() < 0.5 else Decimal(1)
        return Value("measure", amount.quantize(digits), frame.unit)
    exact = rng.random() < 0.5
    return Value(
        "count", amount.quantize(Decimal(1)) if exact else significant(amount, 3).quantize(Decimal(1))
    )


def another(value: Value, rng: random.Random) -> Value:
    """A value of the same kind that nobody could take for it: no rounding makes them alike."""
    if value.kind == "polarity":
        return replace(value, side=OTHER_SIDE[value.side])
    if value.kind == "date" and value.day is not None:
        return replace(value, day=value.day + timedelta(days=rng.choice([-1, 1]) * rng.randint(9, 700)))
    factor = Decimal(str(rng.choice([rng.uniform(0.35, 0.8), rng.uniform(1.25, 2.6)])))
    step = value.amount.normalize().as_tuple().exponent
    changed = (value.amount * factor).quantize(Decimal(1).scaleb(min(int(step), 0)))
    if value.kind == "money":
        changed = significant(changed, 3)
    if changed == value.amount or changed <= 0:
        changed = value.amount + max(Decimal(3), value.amount)
    return replace(value, amount=changed)
