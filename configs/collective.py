"""Settings of engines that work together: what a run of several may spend, and who takes part."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from configs.section import Section

Member = Literal["contractive", "reflective", "direct"]


class CollectiveSettings(Section):
    """Budgets are shared: what one engine spends, the others do not have."""

    max_calls: int | None = Field(None, ge=1, description="Model calls of all engines together; unset: any.")
    max_tokens: int = Field(
        400_000, ge=1, description="Prompts and replies of all engines together; checked before each call."
    )
    run_timeout_sec: float | None = Field(
        None, gt=0, description="Seconds all engines together may take; unset: any."
    )
    max_concurrent_children: int = Field(9, ge=1, le=64, description="Engines at work at once.")
    members: tuple[Member, ...] = Field(
        ("contractive", "reflective", "direct"), min_length=1, description="Who takes part in an ensemble."
    )
    max_leaves: int = Field(12, ge=1, le=64, description="Workers a hierarchy gives questions to at most.")
    max_recommendations: int = Field(
        4, ge=1, le=12, description="What an analysis recommends that is carried out at most."
    )
