"""Schemas of what models reply when they restate a question or review an answer."""

from __future__ import annotations

from pydantic import BaseModel, Field, field_validator

from nodes.contractive.state import Verdict


class NormalizeReply(BaseModel):
    """A question restated.

    Attributes:
        question: so that it stands by itself.
        readings: what it may mean: none if it is clear, two to four if it is truly ambiguous.
    """

    question: str = Field(min_length=1)
    readings: list[str] = Field(default_factory=list, max_length=4)

    @field_validator("readings")
    @classmethod
    def _several_or_none(cls, readings: list[str]) -> list[str]:
        """One reading, or the same one twice, says that the question is clear."""
        told = list(dict.fromkeys(" ".join(reading.split()) for reading in readings if reading.strip()))
        return told if len(told) > 1 else []


class PeerReply(BaseModel):
    """A review of an answer by another model.

    Attributes:
        verdict: approved, minor_revision, major_revision or reject; it binds.
        score: meant to lie in 0 to 1; `verdicts.peer_review_of` brings it there.
        issues: what is wrong, one thing each.
        advice: what would mend it.
    """

    verdict: Verdict
    # Told to the model and not enforced: the verdict binds, and a slip of the scale is no reason to lose it.
    score: float = Field(allow_inf_nan=False, json_schema_extra={"minimum": 0, "maximum": 1})
    issues: list[str] = Field(default_factory=list, max_length=5)
    advice: str = ""


class LightPeerReply(BaseModel):
    """The verdict of a fast checker, and nothing beside it."""

    verdict: Verdict
