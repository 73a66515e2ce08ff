"""Which of a model's recommendations are carried out. Pure: code decides, whatever the model says of them.

A recommendation is a goal of its own, in the words of what the person asked: it names no file, number or name
the person did not, repeats no other, and changes nothing unless the person asked for a change, and then
nothing but what the person's words say.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from memory.recipes.changes import wants_change
from nodes.collective.hybrid.state import Recommendation
from nodes.contractive.reading.questions import roots
from nodes.contractive.repeats import repeated
from nodes.reflective.exchange import leaning
from nodes.reflective.grounding import ungrounded

LONGEST_GOAL = 1000
LONGEST_WHY = 300
NONE_PASSED = "No recommendation of the analysis could be carried out as it stands, so the goal itself is."
CHANGE_ADDED = (
    "No recommendation makes the change that was asked for, so the goal itself is carried out, too."
)


class Proposed(BaseModel):
    """A recommendation as a model words it."""

    model_config = ConfigDict(extra="ignore")

    goal: str
    why: str = ""
    needs: Literal["facts", "change"] = "facts"


class Proposal(BaseModel):
    """A model's reply."""

    model_config = ConfigDict(extra="ignore")

    recommendations: list[Proposed] = Field(default_factory=list)


@dataclass
class Accepted:
    """What is carried out, and what was proposed and is not, with why."""

    taken: list[Recommendation] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)


def accepted(goal: str, context: str, proposed: Sequence[Proposed], most: int) -> Accepted:
    """Take what may be carried out, in order; the goal itself where that would leave it undone.

    Args:
        goal: what the person asked.
        context: material; what it names may be named.
        proposed: by a model.
        most: recommendations that are carried out at most.
    """
    found = Accepted()
    for one in proposed:
        text = " ".join(one.goal.split())
        if why := _refused(text, goal, context, [taken.goal for taken in found.taken]):
            found.refused.append(f"Not carried out ({why}): {text[:LONGEST_WHY]}")
        elif len(found.taken) == most:
            found.refused.append(f"Not carried out ({most} are the most): {text[:LONGEST_WHY]}")
        else:
            found.taken.append(_made(len(found.taken) + 1, text, one.why))
    if not found.taken:
        found.taken = [_made(1, goal, "")]
        found.refused.append(NONE_PASSED)
    elif wants_change(goal) and all(one.needs == "facts" for one in found.taken):
        found.taken = [*found.taken[: most - 1]]
        found.taken.append(_made(len(found.taken) + 1, goal, ""))
        found.refused.append(CHANGE_ADDED)
    return found


def _made(number: int, goal: str, why: str) -> Recommendation:
    return Recommendation(
        id=f"step-{number}",
        goal=goal,
        why=" ".join(why.split())[:LONGEST_WHY],
        needs="change" if wants_change(goal) else "facts",
    )


def _refused(text: str, goal: str, context: str, taken: Sequence[str]) -> str:
    """Why a recommendation is not carried out; empty if it is."""
    if not text or len(text) > LONGEST_GOAL:
        return "it is no goal"
    if lacking := ungrounded(text, [goal, context]):
        return f"the goal does not name {', '.join(lacking[:3])}"
    if not roots(text) & roots(goal):
        return "it has no word of the goal"
    if wants_change(text) and not (wants_change(goal) and roots(text) <= roots(goal)):
        return "it changes what nobody asked to have changed"
    if leaning(text) is not None:
        return "it does not stand by itself"
    if repeated(text, taken) is not None:
        return "it repeats another"
    return ""
