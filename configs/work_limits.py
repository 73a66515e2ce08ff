"""How much unfinished work a model may have open in the proof game."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


class WorkLimits(BaseModel):
    """Work in progress of one player. Beyond a limit, more of the same kind is refused; None sets none.

    Attributes:
        open_questions: asked, with no claim proved since.
        unproved_claims: put, and neither proved, refuted nor reformulated.
        unused_observations: made, with nothing said since.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    open_questions: int | None = Field(None, ge=1)
    unproved_claims: int | None = Field(None, ge=1)
    unused_observations: int | None = Field(None, ge=1)


def limits_of(model: str) -> WorkLimits:
    """The limits of a model.

    Args:
        model: provider:model, such as "ollama:qwen2.5:7b-instruct".
    """
    return WorkLimits()
