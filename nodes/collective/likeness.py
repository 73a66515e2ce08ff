"""Answers as vectors, and how alike they are, as figures that engines hand on."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from models.embeddings import Embedder
from nodes.collective.exchange import Finding
from nodes.collective.state import Agreement

LONGEST_EMBEDDED = 240
"""Characters: what an answer says stands at its beginning, and a passage costs up to 1 ms a token."""
PLACES = 4
"""Of decimals. More would grow the state, and differ from machine to machine."""
LIKENESS = "likeness_"
"""Before the id of another finding in `figures`: the cosine of both answers' vectors."""


async def compared(findings: Sequence[Finding], embedder: Embedder | None) -> list[Finding]:
    """The findings, those with answers with a vector, and with their likeness to each of the others.

    Args:
        findings: of all engines.
        embedder: without one nothing is added.
    """
    answering = [one for one in findings if one.answers]
    if embedder is None or not answering:
        return list(findings)
    texts = [(one.short or one.answer)[:LONGEST_EMBEDDED] for one in answering]
    rows = await asyncio.to_thread(embedder.embed, texts)
    vectors = {
        one.id: [round(float(x), PLACES) for x in row] for one, row in zip(answering, rows, strict=True)
    }
    return [
        one
        if one.id not in vectors
        else one.model_copy(
            update={"vector": vectors[one.id], "figures": {**one.figures, **_likenesses(one.id, vectors)}}
        )
        for one in findings
    ]


def with_likeness(agreement: Agreement, findings: Mapping[str, Finding]) -> Agreement:
    """The agreement with the mean likeness of its members, if there are two and they have vectors."""
    members = sorted(agreement.members)
    pairs = [
        findings[one].figures[f"{LIKENESS}{other}"]
        for place, one in enumerate(members)
        for other in members[place + 1 :]
        if f"{LIKENESS}{other}" in findings[one].figures
    ]
    return agreement.model_copy(
        update={"likeness": round(sum(pairs) / len(pairs), PLACES) if pairs else None}
    )


def _likenesses(name: str, vectors: Mapping[str, Sequence[float]]) -> dict[str, float]:
    return {
        f"{LIKENESS}{other}": round(sum(x * y for x, y in zip(vectors[name], row, strict=True)), PLACES)
        for other, row in vectors.items()
        if other != name
    }
