"""What one whole run leaves in the corpus beside its events: the plan it followed, and whether it held.

Only plans that were verified are used again, and only when they change nothing: a change is planned anew
each time, for what it finds is another state of the files.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from memory.reuse.skeleton import Slot


class EpisodeStep(BaseModel):
    """One step of a plan as it can be run again.

    Attributes:
        description: what it does.
        command: as a person would type it.
    """

    model_config = ConfigDict(extra="ignore", frozen=True)

    description: str
    command: str


class Episode(BaseModel):
    """The `meta` of an event of type `episode`.

    Attributes:
        verified: True if the run answered and every deterministic check passed.
        reusable: True if a model wrote the plan, it only reads, and VERIFY passed what came of it.
        lasting: True if its commands name no file and nothing of the code that the goal does not name; any
            other plan holds only as long as nothing changes, and for these very values.
        general: True if its commands name no place, no kind of file and no pattern but those of the goal, so
            that it may be run in another project.
        key: the goal's skeleton.
        slots: the goal's values.
        demands: what code read in the goal; a plan is used again only for equal demands.
        plan: the steps.
        validation: how a reader knows that the plan did its work.
        confidence: 0 to 1, or None when nobody estimated it.
        source: who made the plan.
        recipe: id of the recipe, or None.
        complexity: label of the goal.
        status: how the run ended, for people.
        steps: descriptions, which recall shows.
        model: provider:model that was in use.
        category: class of the last failure on the way, or None.
    """

    model_config = ConfigDict(extra="ignore")

    verified: bool
    reusable: bool = False
    lasting: bool = False
    general: bool = False
    key: str
    slots: list[Slot] = Field(default_factory=list)
    demands: list[str] = Field(default_factory=list)
    plan: list[EpisodeStep] = Field(default_factory=list)
    validation: str = ""
    confidence: float | None = Field(None, ge=0, le=1)
    source: Literal["recipe", "reused", "model"] = "model"
    recipe: str | None = None
    complexity: Literal["bypass", "simple", "moderate", "complex"] = "moderate"
    status: str = ""
    steps: list[str] = Field(default_factory=list)
    model: str = ""
    category: str | None = None


def read_episode(meta: Mapping[str, Any]) -> Episode | None:
    """Read what a corpus line holds; None when it is no episode of a form that is known."""
    try:
        return Episode.model_validate(dict(meta))
    except ValidationError:
        return None
