"""How much of the given material fits into the prompts of a run."""

from __future__ import annotations

from configs.settings import Role
from models.prompt_size import estimate_tokens, without_middle
from models.roles import RoleModels

ROLES: tuple[Role, ...] = ("worker", "planner", "critic")
RULES_TOKENS = 900
"""Rules, examples and what is established, in the longest prompt; the question comes on top, twice."""
LEAST_ROOM = 200
_SHARES = (1.0, 0.95, 0.9, 0.8, 0.6, 0.4)


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
    whole = estimate_tokens(context)
    text, lost = context, 0
    for share in _SHARES:
        if estimate_tokens(text) <= room:
            break
        # What is left need not cost as much a character as the whole.
        text, lost = without_middle(context, whole - int(share * room))
    return text, lost
