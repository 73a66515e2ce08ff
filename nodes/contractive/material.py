"""How much of the given material fits into the prompts of a run."""

from __future__ import annotations

from configs.settings import Role
from models.prompt_size import estimate_tokens, without_middle
from models.roles import RoleModels

ROLES: tuple[Role, ...] = ("worker", "planner", "critic")
RULES_TOKENS = 900
"""Rules, examples and what is established, in the longest prompt; the question comes on top, twice."""
LEAST_ROOM = 200
_TRIES = 8


def fitting(models: RoleModels, question: str, context: str) -> tuple[str, int]:
    """The material without as much of its middle as does not fit, and the characters that left.

    Every prompt is given the same, so that two samples never differ in what they could know.

    Args:
        models: of the run.
        question: stands in each prompt, too.
        context: the material.
    """
    room = min(models.window(role) - models.most_tokens(role, [])[1] for role in ROLES)
    room = max(LEAST_ROOM, room - RULES_TOKENS - 2 * estimate_tokens(question))
    text, lost = context, 0
    for _ in range(_TRIES):
        over = estimate_tokens(text) - room
        if over <= 0:
            break
        text, gone = without_middle(context, over + estimate_tokens(context) - estimate_tokens(text))
        lost = gone or lost
        if not gone:
            break
    return text, lost
