"""Questions about a world, with the facts a good report has, or with none where nothing answers them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from evals.research.facts import Fact, Subject
from evals.research.prose import stock
from evals.research.values import Language
from evals.research.wording import asked
from evals.research.world import OTHER, World

Mode = Literal["strict", "discovery", "monitor"]
STRICT_TIER = 2
MODES: dict[str, Mode] = {"strict": "strict", "current": "strict", "disputed": "monitor"}
# How many of each kind a world has in each language.
KINDS = {
    "plain": 2,
    "compare": 1,
    "strict": 1,
    "disputed": 1,
    "current": 1,
    "across": 1,
    "unanswerable": 1,
    "nobody": 1,
    "hearsay": 1,
}


@dataclass(frozen=True)
class Question:
    """What is asked of a world.

    Attributes:
        id: language, kind and number.
        kind: key of KINDS.
        language: it is asked in.
        mode: to research it in.
        text: the question.
        nuggets: facts a good report has; none where the right answer is that there is not enough evidence.
    """

    id: str
    kind: str
    language: Language
    mode: Mode
    text: str
    nuggets: tuple[Fact, ...]

    @property
    def answerable(self) -> bool:
        """Whether any document of the mode answers it."""
        return bool(self.nuggets)


def questions_of(world: World) -> list[Question]:
    """All questions, the same for the same world."""
    found = []
    languages: tuple[Language, ...] = ("en", "zh")
    for language in languages:
        rng = random.Random(f"questions/{world.seed}/{language}")
        for kind, most in KINDS.items():
            made = list(_of_kind(world, kind, language, rng))
            rng.shuffle(made)
            for number, (mode, nuggets, text) in enumerate(made[:most]):
                name = f"{language}/{kind}/{number}"
                found.append(Question(name, kind, language, mode, text, nuggets))
    return found


Made = tuple[Mode, tuple[Fact, ...], str]


def _of_kind(world: World, kind: str, language: Language, rng: random.Random) -> Iterator[Made]:
    if kind == "nobody":
        yield from _about_nobody(world, language, rng)
        return
    if kind in ("unanswerable", "hearsay"):
        yield from _unanswered(world, kind, language)
        return
    told = {
        subject.id: [
            fact for fact in world.facts if fact.subject == subject and _asks(world, kind, fact, language)
        ]
        for subject in world.subjects
    }
    mode = MODES.get(kind, "discovery")
    for subject in world.subjects:
        facts = told[subject.id]
        if kind == "compare":
            theirs = {(fact.frame, fact.year): fact for fact in told[world.sibling(subject).id]}
            pairs = [
                (fact, theirs[fact.frame, fact.year]) for fact in facts if (fact.frame, fact.year) in theirs
            ]
            if pairs:
                yield mode, (pair := rng.choice(pairs)), asked(list(pair), language)
        elif facts:
            some = rng.sample(facts, min(len(facts), 2 if kind in ("plain", "strict") else 1))
            yield mode, tuple(some), asked(some, language)


def _asks(world: World, kind: str, fact: Fact, language: Language) -> bool:
    """Whether a question of a kind may ask for a fact: documents that tell it have to be there."""
    if fact.frame == "quote":
        return False
    told = [document for document, _ in world.telling(fact, language)]
    if kind == "across":
        return not told and bool(world.telling(fact, OTHER[language]))
    if kind in ("strict", "current"):
        told = [document for document in told if 1 <= document.site.tier <= STRICT_TIER]
    if kind == "current":
        return bool(told) and any(s.stance == "old" for _, s in world.statements[fact.id])
    if kind == "disputed":
        return bool(told) and any(found.fact.id == fact.id for found in world.contradictions)
    return bool(told)


def _unanswered(world: World, kind: str, language: Language) -> Iterator[Made]:
    """What no document says, or only sites that no list knows: in strict mode, that is nothing."""
    for fact in world.hidden:
        claimed = bool(world.statements[fact.id])
        if claimed == (kind == "hearsay"):
            yield "strict" if claimed else "discovery", (), asked([fact], language)


def _about_nobody(world: World, language: Language, rng: random.Random) -> Iterator[Made]:
    """A question about somebody of a known sort whom no document names."""
    taken = {name for subject in world.subjects for name in subject.names.values()}
    for subject in rng.sample(world.subjects, len(world.subjects)):
        names = rng.choice(stock().topics[subject.topic].names)
        free = [place for place in stock().places if names[language].format(p=place[language]) not in taken]
        place = rng.choice(free)
        other = Subject(
            f"{subject.topic}-nobody",
            subject.topic,
            {code: names[code].format(p=place[code]) for code in names},
            subject.about,
            language,
        )
        facts = [fact for fact in world.facts if fact.subject == subject and fact.frame != "quote"]
        fact = rng.choice(facts)
        yield "discovery", (), asked([Fact(fact.id, other, fact.frame, fact.year, fact.value)], language)
