"""Whether a goal asks for a change of files, or only for an answer."""

from __future__ import annotations

from memory.recipes.ground import written
from memory.recipes.lexicon import load_lexicon
from memory.recipes.requests.read import changes_files, only_shows


def wants_change(goal: str, language: str = "en") -> bool:
    """True if the goal asks for something to be made, altered, removed or run.

    What is not clearly asked for is a question: a plan for it may change nothing, whoever writes the plan.
    """
    if only_shows(goal):
        return False
    return bool(load_lexicon(language).changes.search(written(goal))) or changes_files(goal)
