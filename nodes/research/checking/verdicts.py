"""What the check of a sentence says: its verdict, the reason, and where in the sources it looked."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

Verdict = Literal["supported", "contradicted", "unsupported", "needs_judge", "no_claim"]


class Span(BaseModel):
    """A passage of a source.

    Attributes:
        url: of the item.
        start: offset of its first character in the item's description.
        end: offset after its last character.
        text: exactly `description[start:end]`.
        digest: SHA-256 of the whole description, hexadecimal, which tells the version the offsets count in.
    """

    model_config = ConfigDict(frozen=True)

    url: str
    start: int = Field(ge=0)
    end: int = Field(ge=0)
    text: str
    digest: str


class SentenceCheck(BaseModel):
    """One sentence of a report and what its citations say of it.

    Attributes:
        sentence: as it stands in the report, citations included.
        start: offset of its first character in the report.
        end: offset after its last character.
        citations: addresses it cites, in order; one that names no item stands here as written.
        verdict: supported: every fact stands in the cited text; contradicted: the cited text (or a newer
            version of it) says otherwise; unsupported: it does not say so; needs_judge: the facts agree but
            code cannot tell whether the meaning does; no_claim: nothing to check.
        spans: passages that bear the verdict, best first; none for unsupported facts.
        reason: one sentence: which fact, what the source has instead, what to do.
    """

    model_config = ConfigDict(frozen=True)

    sentence: str
    start: int = Field(ge=0)
    end: int = Field(ge=0)
    citations: list[str] = Field(default_factory=list)
    verdict: Verdict
    spans: list[Span] = Field(default_factory=list)
    reason: str = ""
