"""What models answer."""

from __future__ import annotations
from pydantic import BaseModel, Field
from nodes.contractive.state import Verdict


class NormalizeReply(BaseModel):
    question: str = ""
    readings: list[str] = Field(default_factory=list)


class PeerReply(BaseModel):
    verdict: Verdict
    score: float | None = None
    issues: list[str] = Field(default_factory=list)
    advice: str = ""


class LightPeerReply(BaseModel):
    verdict: Verdict
