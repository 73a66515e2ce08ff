"""Correct sentences with one thing made wrong, in every way a report can be wrong.

A mutation is made where the truth is known: the fact is told again in the same words with another value,
subject or year, so that nothing but the one thing is changed, and no cited document says what it then says.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from decimal import Decimal

from evals.research.claims import Claim, changed_text
from evals.research.facts import OTHER_SIDE, another
from evals.research.prose import stock
from evals.research.values import CURRENCIES, UNITS, Value
from evals.research.world import World

FIGURE = re.compile(r"(?<![\d.,])\d[\d,]*(?:\.\d+)?(?![\d,]*年|[\d,]*月|[\d,]*日|-\d)")
YEARS = range(1900, 2100)
NUMERIC = ("count", "money", "measure", "percent", "change")
# What an address that no search gave looks like, on a site that exists here.
INVENTED = "https://{domain}/{topic}/{number}"


@dataclass(frozen=True)
class Mutation:
    """A sentence that is wrong.

    Attributes:
        type: what is wrong with it.
        claim: the correct one.
        text: the wrong one, without citations.
        cited: addresses it cites.
    """

    type: str
    claim: Claim
    text: str
    cited: tuple[str, ...]


Maker = Callable[[World, Claim, random.Random], str | None]


def mutate(world: World, claim: Claim, kind: str, rng: random.Random) -> Mutation | None:
    """A sentence wrong in one way, or None where this one cannot be wrong so.

    Args:
        world: the claim is about.
        claim: correct.
        kind: key of TEXTS or CITED.
        rng: to draw from.
    """
    if kind in CITED:
        cited = CITED[kind](world, claim, rng)
        return Mutation(kind, claim, claim.text, cited) if cited else None
    text = TEXTS[kind](world, claim, rng)
    if text is None or text == claim.text:
        return None
    cited = _old_documents(world, claim) if kind == "stale" else claim.cited
    return Mutation(kind, claim, text, cited)


def _number(world: World, claim: Claim, rng: random.Random) -> str | None:
    """Another figure; for a copied sentence, one digit of it."""
    if claim.value.kind not in NUMERIC or claim.group in ("change", "dated_older"):
        return None
    if claim.how is None:
        return _other_digit(claim.text, rng)
    told = {s.value for _, s in world.statements[claim.fact.id]}
    wrong = another(replace(claim.value, unit=claim.value.unit), rng)
    return claim.told(value=wrong) if wrong not in told else None


def _other_digit(text: str, rng: random.Random) -> str | None:
    """One of the first three digits of a figure changed; years are left alone."""
    found = [match for match in FIGURE.finditer(text) if int(Decimal(match[0].replace(",", ""))) not in YEARS]
    if not found:
        return None
    match = max(found, key=lambda one: len(one[0]))
    places = [place for place in range(match.start(), match.end()) if text[place].isdigit()][:3]
    place = rng.choice(places)
    digit = rng.choice([d for d in "123456789" if d != text[place]])
    return text[:place] + digit + text[place + 1 :]


def _scale(world: World, claim: Claim, rng: random.Random) -> str | None:
    """A thousand or ten thousand times as much, as when million is taken for billion or 萬 for 億."""
    if claim.how is None or claim.value.kind not in ("count", "money") or claim.group == "dated_older":
        return None
    factor = Decimal(1000) if claim.language == "en" else Decimal(10_000)
    grows = claim.value.amount < 10**8
    amount = claim.value.amount * factor if grows else claim.value.amount / factor
    return claim.told(value=replace(claim.value, amount=amount))


def _unit(world: World, claim: Claim, rng: random.Random) -> str | None:
    """The same number of something else."""
    value = claim.value
    if claim.how is None or claim.group in ("converted", "dated_older"):
        return None
    if value.kind == "money":
        other = rng.choice([code for code in sorted(CURRENCIES) if code != value.unit])
        return claim.told(value=replace(value, unit=other))
    if value.kind == "percent":
        # A share has no percentage points, a change has; both are read as per cent.
        return None
    if value.kind == "change":
        return claim.told(value=replace(value, unit="points"))
    if value.kind != "measure":
        return None
    dimension = UNITS[value.unit].dimension
    others = [name for name, unit in UNITS.items() if unit.dimension == dimension and name != value.unit]
    return claim.told(value=replace(value, unit=rng.choice(others)))


def _date(world: World, claim: Claim, rng: random.Random) -> str | None:
    """Another day."""
    if claim.how is None or claim.value.kind != "date":
        return None
    return claim.told(value=_moved(claim.value, rng))


def _moved(value: Value, rng: random.Random) -> Value:
    assert value.day is not None
    day, step = value.day, rng.choice(["day", "month", "year"])
    if step == "day":
        return replace(value, day=day.replace(day=day.day % 28 + 1))
    if step == "month":
        return replace(value, day=day.replace(month=day.month % 12 + 1, day=min(day.day, 28)))
    return replace(value, day=day.replace(year=day.year + rng.choice([-2, -1, 1, 2]), day=min(day.day, 28)))


def _year(world: World, claim: Claim, rng: random.Random) -> str | None:
    """The right figure of another year."""
    if claim.how is None or claim.fact.frame == "quote" or claim.fact.pattern.when != "year":
        return None
    wrong = replace(claim.fact, year=claim.fact.year + rng.choice([-3, -2, -1, 1, 2]))
    return claim.told(fact=wrong)


def _subject(world: World, claim: Claim, rng: random.Random) -> str | None:
    """The right figure of somebody else: mostly the sibling, else a name of the same sort."""
    own = claim.fact.subject
    other = world.sibling(own)
    name = other.names[claim.language]
    if rng.random() < 0.3:
        names = rng.choice(stock().topics[own.topic].names)[claim.language]
        taken = {subject.names[claim.language] for subject in world.subjects}
        free = [names.format(p=place[claim.language]) for place in stock().places]
        name = rng.choice([one for one in free if one not in taken])
    if _says_the_same(world, claim, other.id):
        return None
    if claim.group == "merged":
        return None
    text = claim.text.replace(own.names[claim.language], name)
    return text if text != claim.text else None


def _says_the_same(world: World, claim: Claim, subject: str) -> bool:
    """True if it is right of the sibling as well, as yes and no often are."""
    theirs = [f for f in world.facts if f.subject.id == subject and f.frame == claim.fact.frame]
    return any(f.value == claim.value for f in theirs) and claim.fact.frame != "quote"


def _negation(world: World, claim: Claim, rng: random.Random) -> str | None:
    """No for yes, yes for no."""
    if claim.how is None or claim.value.kind != "polarity":
        return None
    return claim.told(value=replace(claim.value, side=OTHER_SIDE[claim.value.side]))


def _direction(world: World, claim: Claim, rng: random.Random) -> str | None:
    """Up for down, down for up."""
    if claim.group == "change":
        pair = changed_text(world, claim.fact, claim.language, float(claim.key))
        return pair[0][1] if pair else None
    if claim.how is None or claim.value.kind != "change":
        return None
    return claim.told(value=replace(claim.value, side=OTHER_SIDE[claim.value.side]))


def _quote(world: World, claim: Claim, rng: random.Random) -> str | None:
    """Words nobody said."""
    if claim.fact.frame != "quote":
        return None
    said = claim.value.words
    pair = stock().quotes[int(claim.value.amount)][claim.language]
    return claim.text.replace(said, pair[1]) if said in claim.text else None


def _speaker(world: World, claim: Claim, rng: random.Random) -> str | None:
    """Words somebody else said."""
    if claim.fact.frame != "quote":
        return None
    name = claim.fact.speaker[claim.language]
    others = [person[claim.language] for person in stock().people if person[claim.language] != name]
    return claim.text.replace(name, rng.choice(others))


def _stale(world: World, claim: Claim, rng: random.Random) -> str | None:
    """What was so once, told as if it were so now."""
    if claim.how is None or claim.fact.earlier is None or claim.how.past:
        return None
    return claim.told(value=claim.fact.earlier) if _old_documents(world, claim) else None


def _old_documents(world: World, claim: Claim) -> tuple[str, ...]:
    told = world.statements[claim.fact.id]
    return tuple(d.url for d, s in told if s.stance == "old" and d.language == claim.language)[:1]


def _swapped(world: World, claim: Claim, rng: random.Random) -> tuple[str, ...]:
    """A document that says nothing of the fact; of the same subject or its sibling where there is one."""
    facts = _facts_of(world, claim)
    silent = [
        document
        for document in world.documents
        if document.language == claim.language
        and not any(statement.fact.id in facts for statement in document.statements)
        and not any(statement.value == claim.value and claim.value.side for statement in document.statements)
    ]
    ids = {claim.fact.subject.id, world.sibling(claim.fact.subject).id}
    near = [one for one in silent if any(s.fact.subject.id in ids for s in one.statements)]
    chosen = near if near and rng.random() < 0.7 else silent
    # A change rests on two facts, and a document silent on one may speak of the other.
    if claim.group == "change":
        chosen = [
            one for one in silent if not any(s.fact.subject == claim.fact.subject for s in one.statements)
        ]
    return (rng.choice(chosen).url,) if chosen else ()


def _facts_of(world: World, claim: Claim) -> set[str]:
    """Every fact a sentence rests on."""
    places = {(url, start) for url, start, _ in claim.holds}
    told = {s.fact.id for d in world.documents for s in d.statements if (d.url, s.start) in places}
    return {claim.fact.id, *told}


def _invented(world: World, claim: Claim, rng: random.Random) -> tuple[str, ...]:
    """A document that does not exist."""
    address = rng.choice(claim.cited).split("/")
    return (INVENTED.format(domain=address[2], topic=claim.fact.subject.topic, number=rng.randint(300, 900)),)


TEXTS: dict[str, Maker] = {
    "number": _number,
    "scale": _scale,
    "unit": _unit,
    "date": _date,
    "year": _year,
    "subject": _subject,
    "negation": _negation,
    "direction": _direction,
    "quote": _quote,
    "speaker": _speaker,
    "stale": _stale,
}
CITED: dict[str, Callable[[World, Claim, random.Random], tuple[str, ...]]] = {
    "citation_swap": _swapped,
    "invented_citation": _invented,
}
TYPES = (*TEXTS, *CITED)
# Those the specification sets a target for; a year is a date, a power of ten a number.
TARGETS = {
    "number": ("number", "scale"),
    "unit": ("unit",),
    "date": ("date", "year"),
    "subject": ("subject", "speaker"),
    "citation swap": ("citation_swap",),
    "invented citation": ("invented_citation",),
    "quote": ("quote",),
    "stale": ("stale",),
    "negation and direction": ("negation", "direction"),
}
