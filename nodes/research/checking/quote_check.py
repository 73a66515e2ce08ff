"""Are the quoted words the source's own? Pure."""

from __future__ import annotations

from collections.abc import Sequence

from nodes.research.checking.alignment import Finding
from nodes.research.checking.facts import Facts
from nodes.research.checking.folding import is_chinese
from nodes.research.checking.quotes import altered, bare, verbatim
from nodes.research.checking.sources import Document, Passage, Sources
from nodes.research.checking.speakers import speaker_findings


def quote_findings(
    claim: Facts, documents: Sequence[Document], sources: Sources
) -> tuple[list[Finding], list[Passage]]:
    """Quotations that no cited source holds word for word, and the passages that hold the others.

    Args:
        claim: the claim.
        documents: the cited sources.
        sources: all sources, to say who has the words instead.
    """
    found: list[Finding] = []
    passages: list[Passage] = []
    for quotation in claim.quotations:
        holder = next((one for one in documents if verbatim(quotation.text, one.bare)), None)
        if holder is not None:
            passages += _passages(quotation.text, holder)
            if quotation.speech:
                found += speaker_findings(claim, quotation, holder, sources)
            continue
        if all(is_chinese(quotation.text) != one.chinese for one in documents) and any(
            c.isalpha() for c in quotation.text
        ):
            found.append(Finding("soft", "the quotation is in another language than the source"))
            continue
        other = next((one for one in sources.documents if verbatim(quotation.text, one.bare)), None)
        shown = quotation.text if len(quotation.text) < 60 else quotation.text[:57] + "..."
        if other is not None and quotation.speech:
            found.append(Finding("missing", f'"{shown}" is not in the cited source but in {other.item.url}'))
        elif not quotation.speech:
            found.append(
                Finding(
                    "soft" if len(bare(quotation.text)) < 4 else "missing", f'"{shown}" is not in the source'
                )
            )
        elif any(
            altered(quotation.text, bare(passage.facts.text)) for one in documents for passage in one.passages
        ):
            found.append(Finding("conflict", f'the source words "{shown}" otherwise'))
        else:
            found.append(Finding("missing", f'"{shown}" is not in the source'))
    return found, passages


def _passages(quoted: str, document: Document) -> list[Passage]:
    """The first passage that holds a quotation, or the beginning of it."""
    words = bare(quoted)
    for passage in document.passages:
        here = bare(passage.facts.text)
        if words in here or (len(words) > 30 and words[:30] in here):
            return [passage]
    return []
