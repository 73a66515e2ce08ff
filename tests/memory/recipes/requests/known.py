"""Facts in which every name of a request exists: readings are compared without a file system."""

from __future__ import annotations

import json
from collections.abc import Mapping

from memory.recipes.changes import wants_change
from memory.recipes.requests.draft import Draft, Facts
from memory.recipes.requests.read import read_requests


def draft_of(
    goal: str, kinds: Mapping[str, str], listed: tuple[str, ...] = (), modes: Mapping[str, int] | None = None
) -> Draft | None:
    """The plan of the first reading that fits; `kinds` exist, and selections list `listed`."""
    for parsed in read_requests(goal):
        listings = [listed] * len(parsed.listings)
        outputs = [f"text {number}\n" for number, _ in enumerate(parsed.outputs)]
        facts = Facts({".": "directory", **kinds}, modes or {}, {}, listings, outputs, "/root")
        if parsed.changes is wants_change(goal) and (draft := parsed.build(facts)) is not None:
            return draft
    return None


def stages_of(draft: Draft | None, step: int = 0) -> list[dict[str, object]]:
    """The stages of one step that reads."""
    assert draft is not None
    stages = draft.steps[step]["tool_call"]["args"]["stages"]
    assert isinstance(stages, list)
    return stages


def text_of(draft: Draft) -> str:
    """Everything the plan holds, as one text."""
    return json.dumps([draft.steps, draft.slots], ensure_ascii=False)
