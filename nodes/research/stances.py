"""The contradiction map: each claim of a report against every source that speaks of it, not averaged away."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from nodes.research.checking.checker import check_claim
from nodes.research.checking.folding import fold
from nodes.research.citations import without_citations
from nodes.research.facets import named, names_of
from nodes.research.passages import coverage, rarity, sentences, terms
from nodes.research.relevance import Said, years_in
from nodes.research.state import ClaimStances, Finding, Source, Stance
from tools.search.items import Item

MOST_CLAIMS = 16
MOST_SOURCES = 20
# A longer text is looked at where it was cited only; a claim against each of its sentences takes too long.
LONGEST_TEXT = 200_000
# A source speaks of a claim when one of its sentences holds this share of the claim's weight.
SPEAKS = 0.5


def stances_of(
    findings: Sequence[Finding], sources: Sequence[Source], items: Mapping[int, Item]
) -> list[ClaimStances]:
    """Claims with the stance of every source that speaks of them, best tier first; blocking.

    Args:
        findings: of the report's sentences; only supported ones are claims.
        sources: those in use.
        items: their items, by number.
    """
    by_url = {source.url: source for source in sources}
    claims = [finding for finding in findings if finding.verdict == "supported"][:MOST_CLAIMS]
    split = {source.number: _sentences(items[source.number]) for source in sources[:MOST_SOURCES]}
    found = []
    for finding in claims:
        claim = without_citations(finding.sentence).lstrip("-*• ")
        stances = [_cited(span, by_url) for span in finding.spans]
        told = [stance for stance in stances if stance is not None]
        for source in sources[:MOST_SOURCES]:
            if all(stance.url != source.url for stance in told) and speaks(claim, split[source.number]):
                stance = _stance(claim, source, items[source.number])
                told += [stance] if stance is not None else []
        once = _once(told)
        disputed = len({stance.stance for stance in once}) > 1
        found.append(ClaimStances(claim=claim, disputed=disputed, stances=once))
    return found


def _sentences(item: Item) -> list[str]:
    text = item.description
    if len(text) > LONGEST_TEXT:
        return []
    return [text[start:end] for start, end in sentences(text)]


def speaks(claim: str, lines: Sequence[str]) -> bool:
    """True if a sentence holds enough of a claim's words to be about the same thing."""
    wanted = [term for term in dict.fromkeys(terms(claim)) if not term[0].isdigit()]
    weights = rarity((terms(line) for line in lines), wanted)
    return any(coverage(line, weights) >= SPEAKS for line in lines)


def same_matter(claim: str, passage: str) -> bool:
    """True if a passage is about what a claim is about: its words, whom it names, and no other year."""
    if not speaks(claim, [passage]):
        return False
    years, others = years_in(claim), years_in(passage)
    if years and others and not years & others:
        return False
    text = fold(passage)
    return all(named(name, text, Said.of(passage)) for name in names_of(claim))


def _cited(span: Mapping[str, object], by_url: Mapping[str, Source]) -> Stance | None:
    source = by_url.get(str(span.get("url")))
    if source is None:
        return None
    return _made(source, "supports", span)


def _stance(claim: str, source: Source, item: Item) -> Stance | None:
    check = check_claim(claim, [item])
    if check.verdict == "supported" and check.spans:
        return _made(source, "supports", check.spans[0].model_dump())
    # A source about something else contradicts nothing: its passage has to be about this.
    if check.verdict == "contradicted" and check.spans and same_matter(claim, check.spans[0].text):
        return _made(source, "contradicts", check.spans[0].model_dump())
    return None


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
