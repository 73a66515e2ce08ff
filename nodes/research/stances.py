"""The contradiction map: each claim of a report against every source that speaks of it, not averaged away.

Two sentences are held against each other only where both answer one question: of the same body, what is asked
of it, the same time. What a report's query asks comes first; a claim beside it is turned into a question.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from nodes.research.answer_kinds import Kind
from nodes.research.answering import Answer, answers_of
from nodes.research.checking.dates import moments
from nodes.research.checking.facts import facts_of
from nodes.research.checking.folding import fold
from nodes.research.citations import without_citations
from nodes.research.comparing import Relation, compared
from nodes.research.facets import Facet, facets
from nodes.research.relevance import years_in
from nodes.research.state import ClaimStances, Finding, Source, Stance
from nodes.research.subjects import named
from tools.search.items import Item

MOST_CLAIMS = 16
MOST_SOURCES = 20
# Of what the claim's own line says of the question, the share another line has to say to speak of the same.
AS_MUCH = 0.4
# The same for a claim nobody asked for, of the claim's words.
SPEAKS = 0.6
STANCES: Mapping[Relation, str] = {
    "same": "supports",
    "differs": "contradicts",
    "older": "older",
    "newer": "newer",
}
Asked = Sequence[tuple[Facet, Sequence[Answer]]]


def stances_of(
    query: str, findings: Sequence[Finding], sources: Sequence[Source], items: Mapping[int, Item]
) -> list[ClaimStances]:
    """Claims with the stance of every source that speaks of them, best tier first; blocking.

    Args:
        query: what the report answers.
        findings: of the report's sentences; only supported ones are claims.
        sources: those in use.
        items: their items, by number.
    """
    claims = [finding for finding in findings if finding.verdict == "supported"][:MOST_CLAIMS]
    by_url = {source.url: source for source in sources}
    read = sources[:MOST_SOURCES]
    texts = {source.number: items[source.number].description for source in read}
    asked = facets(query) if claims else []
    answered = [(facet, answers_of(facet, read, texts, len(asked))) for facet in asked]
    found = []
    for finding in claims:
        claim = without_citations(finding.sentence).lstrip("-*• ")
        cited = [by_url[str(span["url"])] for span in finding.spans if str(span.get("url")) in by_url]
        own = [
            _made(by_url[str(span["url"])], "supports", span)
            for span in finding.spans
            if str(span.get("url")) in by_url
        ]
        told = _by_question(finding, answered) or _by_claim(claim, finding, asked, read, texts)
        beside = [one for one in told if all(one.url != source.url for source in cited)]
        once = _once([*own, *beside])
        found.append(
            ClaimStances(
                claim=claim,
                disputed=any(one.stance == "contradicts" for one in once),
                superseded=any(one.stance in ("older", "newer") for one in once),
                stances=once,
            )
        )
    return found


def _by_question(finding: Finding, answered: Asked) -> list[Stance]:
    """What the other answers to the question a claim answers are to it."""
    found = [
        (own.covered, -place, own)
        for place, (_, answers) in enumerate(answered)
        if (own := _own(finding, answers))
    ]
    if not found:
        return []
    # A line may touch on two questions; it answers the one of which it says most.
    _, place, own = max(found, key=lambda one: one[:2])
    facet, answers = answered[-place]
    return _against(facet, own, answers, AS_MUCH * own.covered)


def _by_claim(
    claim: str, finding: Finding, asked: Sequence[Facet], sources: Sequence[Source], texts: Mapping[int, str]
) -> list[Stance]:
    """The same for a claim that answers none of the questions."""
    facet = as_question(claim, asked)
    if facet is None:
        return []
    answers = answers_of(facet, sources, texts, MOST_CLAIMS)
    own = _own(finding, answers)
    return _against(facet, own, answers, SPEAKS) if own is not None else []


def as_question(claim: str, asked: Sequence[Facet]) -> Facet | None:
    """A claim as what it answers; None where it does not tell whom it is about.

    Args:
        claim: without citations.
        asked: what the query asks: a name it gives is known to be one.
    """
    folded = fold(claim)
    facts = facts_of(folded)
    known = [facet.name for facet in asked if facet.name and named(facet.name, folded)]
    sure = [one.text for one in facts.names if one.sure] or ([facts.subject.text] if facts.subject else [])
    name = max(known or sure, key=len, default="")
    if not name:
        return None
    rest = folded.replace(name, " ")
    counted = [one for one in facts.quantities if not one.soft and one.dimension != "rank"]
    if counted:
        kind = Kind("number", tuple(dict.fromkeys(one.dimension for one in counted)))
    else:
        kind = Kind("when" if any(one.day or one.month for one in moments(folded)) else "yes_no")
    at = folded.find(name)
    return Facet(claim, name, claim[at : at + len(name)], rest, years_in(claim), kind)


def _own(finding: Finding, answers: Iterable[Answer]) -> Answer | None:
    """The answer a claim was made of: the line its source bears it with."""
    places = [
        (str(span.get("url")), int(str(span.get("start", 0))), int(str(span.get("end", 0))))
        for span in finding.spans
    ]
    held = [
        answer
        for answer in answers
        for url, start, end in places
        if answer.source.url == url and answer.line.start < end and start < answer.line.end
    ]
    said = fold(without_citations(finding.sentence))
    exact = [one for one in held if fold(" ".join(one.line.text.split())).rstrip(".。") in said]
    return max(exact or held, key=lambda one: one.covered, default=None)


def _against(facet: Facet, own: Answer, answers: Sequence[Answer], least: float) -> list[Stance]:
    """The stance of each other source: what its line that is nearest to the claim says of it."""
    found: dict[str, tuple[int, Stance]] = {}
    rank = {"supports": 0, "contradicts": 1, "older": 2, "newer": 2}
    for answer in answers:
        if answer.source.url == own.source.url or answer.covered < least:
            continue
        stance = STANCES.get(compared(facet, answer, own))
        if stance is None:
            continue
        line = {"text": answer.line.text, "start": answer.line.start, "end": answer.line.end}
        before = found.get(answer.source.url)
        if before is None or rank[stance] < before[0]:
            found[answer.source.url] = (rank[stance], _made(answer.source, stance, line))
    return [stance for _, stance in found.values()]


def _made(source: Source, stance: str, span: Mapping[str, object]) -> Stance:
    return Stance.model_validate(
        {
            "url": source.url,
            "name": source.name,
            "site": source.site,
            "tier": source.tier,
            "date": source.date,
            "stance": stance,
            "text": span.get("text", ""),
            "start": span.get("start", 0),
            "end": span.get("end", 0),
            "copies": source.copies,
        }
    )


def _once(told: Sequence[Stance]) -> list[Stance]:
    """Stances without repetitions: the same words in two places are one source and its copy."""
    kept: dict[tuple[str, str], Stance] = {}
    urls: set[str] = set()
    for stance in sorted(told, key=lambda one: (one.tier or 9, one.date or "9", one.url)):
        if stance.url in urls:
            continue
        urls.add(stance.url)
        key = (stance.stance, " ".join(stance.text.split()))
        if key in kept:
            first = kept[key]
            copies = list(dict.fromkeys([*first.copies, stance.url, *stance.copies]))
            kept[key] = first.model_copy(update={"copies": copies})
        else:
            kept[key] = stance
    return list(kept.values())
