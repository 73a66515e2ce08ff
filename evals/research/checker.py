"""The sentence check held against what is known: `reflect eval research --checker-only`.

Reports of correct sentences are checked as they are, which tells false alarms, and with one sentence made
wrong, which tells what is caught. Each sentence is also put to the check of single claims.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from evals.report import Case, Planned
from evals.research.claims import Claim, claims_of, cross_language
from evals.research.mutations import TYPES, Mutation, mutate
from evals.research.reports import STYLES, ReportText, Style, chosen_claims, compose
from evals.research.values import Language
from evals.research.world import World, build_world
from nodes.research.checking.checker import check_claim
from nodes.research.checking.verdicts import SentenceCheck
from nodes.research.framing import check_all
from tools.search.items import Item

REPORTS = 6
SENTENCES = 8
ACROSS = 6
VARIANT = "checker"
ALARMS = ("contradicted", "unsupported")
# What a fast check is measured on, as the specification has it.
LONG_REPORT, LONG_CORPUS = 100, 50
LANGUAGES: tuple[Language, ...] = ("en", "zh")
# These need the rest of the report, or the documents it does not cite.
REPORT_ONLY = {"stale", "invented_citation"}


@dataclass(frozen=True)
class Draft:
    """A report before it is written: its sentences, and how it cites."""

    world: World
    language: Language
    number: int
    claims: tuple[Claim, ...]

    @property
    def items(self) -> list[Item]:
        """What was found for it: everything."""
        return [document.item for document in self.world.documents]

    @property
    def style(self) -> Style:
        """Each report of a language cites in another style."""
        return STYLES[self.number % len(STYLES)]

    def written(self, place: int | None = None, mutation: Mutation | None = None) -> ReportText:
        """The report, with one sentence changed if one is named."""
        said = []
        for number, claim in enumerate(self.claims):
            changed = mutation if number == place else None
            text, cited = (changed.text, changed.cited) if changed else (claim.text, claim.cited)
            said.append((text, cited, claim.fact.subject.names[self.language]))
        inside = (self.number // len(STYLES) + self.number) % 2 == 0
        return compose(said, self.items, self.language, self.style, inside=inside)

    def mutation(self, kind: str) -> tuple[int, Mutation] | None:
        """One of its sentences made wrong in one way, and its place; None where none can be."""
        rng = random.Random(f"mutation/{self.world.seed}/{self.language}/{self.number}/{kind}")
        places = list(range(len(self.claims)))
        rng.shuffle(places)
        for place in places:
            made = mutate(self.world, self.claims[place], kind, rng)
            if made is not None:
                return place, made
        return None


@dataclass
class Bench:
    """Worlds by seed, their reports, and the verdicts on the correct ones, each made once."""

    reports: int = REPORTS
    _worlds: dict[int, World] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """What is asked for many times is made once."""
        self.draft: Callable[[int, Language, int], Draft] = lru_cache(None)(self._draft)
        self.checked: Callable[[int, Language, int], tuple[ReportText, list[SentenceCheck]]] = lru_cache(
            None
        )(self._checked)

    def world(self, seed: int) -> World:
        """The world of a seed."""
        if seed not in self._worlds:
            self._worlds[seed] = build_world(seed)
        return self._worlds[seed]

    def _draft(self, seed: int, language: Language, number: int) -> Draft:
        claims = chosen_claims(self.world(seed), language, number)
        return Draft(self.world(seed), language, number, tuple(claims))

    def _checked(self, seed: int, language: Language, number: int) -> tuple[ReportText, list[SentenceCheck]]:
        draft = self.draft(seed, language, number)
        report = draft.written()
        return report, check_all(report.text, draft.items)

    def ids(self, seed: int) -> list[str]:
        """Every case of a world, as language/report/what/place."""
        found = [f"speed/{seed}/long/0"]
        for language in LANGUAGES:
            for number in range(self.reports):
                draft = self.draft(seed, language, number)
                found += [f"{language}/{number}/correct/{n}" for n in range(len(draft.claims) + 2)]
                found += [f"{language}/{number}/claim/{n}" for n in range(len(draft.claims))]
                kinds = [kind for kind in TYPES if draft.mutation(kind) is not None]
                found += [f"{language}/{number}/{kind}/0" for kind in kinds]
                found += [f"{language}/{number}/{kind}/claim" for kind in kinds if kind not in REPORT_ONLY]
            across = cross_language(self.world(seed), language)
            found += [f"{language}/0/across/{number}" for number in range(min(ACROSS, len(across)))]
        return found

    async def run_one(self, planned: Planned) -> Case:
        """Check one sentence."""
        started = time.perf_counter()
        case = await asyncio.to_thread(self._run, planned)
        return case.model_copy(update={"seconds": round(time.perf_counter() - started, 4)})

    def _run(self, planned: Planned) -> Case:
        first, second, what, place = planned.id.split("/")
        if first == "speed":
            return self._speed(planned)
        language: Language = "zh" if first == "zh" else "en"
        number = int(second)
        if what == "across":
            claim = cross_language(self.world(planned.seed), language)[int(place)]
            return self._claim(planned, claim, claim.text, claim.cited, "across")
        draft = self.draft(planned.seed, language, number)
        if what == "claim":
            claim = draft.claims[int(place)]
            return self._claim(planned, claim, claim.text, claim.cited, "correct")
        if what == "correct":
            return self._correct(planned, draft, int(place))
        return self._mutated(planned, draft, what, by_claim=place == "claim")

    def _correct(self, planned: Planned, draft: Draft, place: int) -> Case:
        """One sentence of a correct report; the last places are the sentences that frame it."""
        report, checks = self.checked(planned.seed, draft.language, draft.number)
        # The first sentence of the report is its opening, the last one its ending.
        framing = place >= len(draft.claims)
        at = (0 if place == len(draft.claims) else len(report.sentences) - 1) if framing else place + 1
        sentence = report.sentences[at]
        found = _at(checks, sentence.start, sentence.end)
        claim = None if framing else draft.claims[place]
        return _case(planned, draft.items, draft, claim, "correct", sentence.text, found)

    def _mutated(self, planned: Planned, draft: Draft, kind: str, *, by_claim: bool) -> Case:
        made = draft.mutation(kind)
        assert made is not None, "only cases that can be made are planned"
        place, mutation = made
        if by_claim:
            return self._claim(planned, mutation.claim, mutation.text, mutation.cited, kind)
        report = draft.written(place, mutation)
        checks = check_all(report.text, draft.items)
        sentence = report.sentences[place + 1]
        found = _at(checks, sentence.start, sentence.end)
        return _case(planned, draft.items, draft, mutation.claim, kind, sentence.text, found)

    def _claim(self, planned: Planned, claim: Claim, text: str, cited: tuple[str, ...], kind: str) -> Case:
        items = [d.item for d in self.world(planned.seed).documents if d.url in cited]
        return _case(planned, items, None, claim, kind, text, [check_claim(text, items)])

    def _speed(self, planned: Planned) -> Case:
        """A long report against many documents."""
        world = self.world(planned.seed)
        items = [document.item for document in world.documents][:LONG_CORPUS]
        known = {item.url for item in items}
        language = world.subjects[0].language
        claims = [one for one in claims_of(world, language) if set(one.cited) <= known]
        said = [(c.text, c.cited, c.fact.subject.names[language]) for c in (claims * 10)[:LONG_REPORT]]
        report = compose(said, items, language, "cite")
        started = time.perf_counter()
        check_all(report.text, items)
        seconds = time.perf_counter() - started
        extra = {"type": "speed", "language": language, "check_seconds": seconds}
        return Case(
            id=planned.id, group="speed", variant=VARIANT, seed=planned.seed, passed=True, extra=extra
        )


def _at(checks: Sequence[SentenceCheck], start: int, end: int) -> list[SentenceCheck]:
    """What was said of a sentence; of its parts, where the check took it for several."""
    return [check for check in checks if check.start < end and check.end > start]


def _verdict(found: Sequence[SentenceCheck]) -> str:
    """The worst of them: a sentence with a wrong part is wrong."""
    order = ("contradicted", "unsupported", "needs_judge", "supported", "no_claim")
    return next((name for name in order if any(check.verdict == name for check in found)), "not seen")


def _case(
    planned: Planned,
    items: list[Item],
    draft: Draft | None,
    claim: Claim | None,
    kind: str,
    text: str,
    found: list[SentenceCheck],
) -> Case:
    verdict = _verdict(found)
    correct = kind in ("correct", "across")
    passed = verdict not in ALARMS if correct else verdict in ALARMS
    reasons = "; ".join(check.reason for check in found if check.verdict == verdict)
    extra: dict[str, Any] = {
        "type": kind,
        "language": claim.language if claim else planned.id.split("/")[0],
        "door": "report" if draft else "claim",
        "style": draft.style if draft else "",
        "claim": claim.group if claim else "framing",
        "topic": claim.fact.subject.topic if claim else "framing",
        "verdict": verdict,
        "reason": reasons,
    }
    if correct and claim is not None and verdict == "supported" and kind != "across":
        extra |= _spans(claim, found, items)
    return Case(
        id=planned.id,
        group=kind if not correct else f"{kind}: {extra['claim']}",
        variant=VARIANT,
        seed=planned.seed,
        goal=text,
        passed=passed,
        # A wrong sentence that is called supported is what a report must never have.
        false_success=not correct and verdict == "supported",
        status=verdict,
        detail="" if passed else f"{verdict}: {text} ({reasons})",
        extra=extra,
    )


def _spans(claim: Claim, found: Sequence[SentenceCheck], items: Sequence[Item]) -> dict[str, bool]:
    """Whether passages stand where they are said to, and one is what the sentence was made from."""
    spans = [span for check in found for span in check.spans]
    by_url = {item.url: item for item in items}
    exact = all(
        span.url in by_url
        and by_url[span.url].description[span.start : span.end] == span.text
        and by_url[span.url].digest == span.digest
        for span in spans
    )
    held = any(
        span.url == url and span.start < end and span.end > start
        for span in spans
        for url, start, end in claim.holds
    )
    return {"span_exact": exact and bool(spans), "span_held": held}
