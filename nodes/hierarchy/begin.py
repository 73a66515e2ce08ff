"""BEGIN of a hierarchy: a goal that asks for a change is refused; all others begin as a contractive run."""

from __future__ import annotations

import re
from typing import Any

from langgraph.runtime import Runtime

from memory.recipes.changes import wants_change
from nodes.contractive import begin as contractive
from nodes.errors import GoalError
from nodes.hierarchy.clauses import clauses_of, sentences_of
from nodes.hierarchy.state import HierarchyState
from nodes.reflective.context import RunContext
from nodes.reflective.services import services_of
from nodes.reflective.state import dump

_LEAD = re.compile(r"^(?:(?:then|and|also|now|next|finally|afterwards|after that)[, ]+)+", re.IGNORECASE)
_AND = re.compile(r",? (?:and then|and|then) ", re.IGNORECASE)
_MEANT = re.compile(r"\b(?:it|them|this|that|these|those)\b", re.IGNORECASE)
READ_HERE = 2000
"""Characters of a question in which sentences are looked at one by one."""


async def begin(state: HierarchyState, runtime: Runtime[RunContext]) -> dict[str, Any]:
    """Start on a question; nothing of an earlier run of the thread but its turns is left.

    Raises:
        GoalError: the question asks for a change, is empty or far too long.
        ReflectError: settings or models cannot be used.
    """
    if asks_for_change(state.question):
        raise GoalError(
            "This asks for a change, and the workers of a hierarchy only read.",
            "Use `reflect ask`, or `reflect hybrid` to have it analysed first.",
        )
    begun = await contractive.begin(state, runtime)
    services = await services_of(runtime)
    return {**begun, **cleared(), **dump(engine=state.engine, shared=services.settings.collective)}


def cleared() -> dict[str, Any]:
    """The fields a hierarchy adds, as they are before a run."""
    return {"findings": {"__overwrite__": {}}, "edges": [], **dump(usage=HierarchyState().usage)}


def asks_for_change(question: str) -> bool:
    """True if a question, or a sentence or clause of it, asks for a change of files."""
    if wants_change(question):
        return True
    sentences = [_LEAD.sub("", sentence) for sentence in sentences_of(question[:READ_HERE])]
    clauses = [clause for sentence in sentences for clause in clauses_of(sentence)]
    # "and delete it": "which commits rename and delete files" orders nothing.
    behind = [part for sentence in sentences for part in _AND.split(sentence)[1:] if _MEANT.search(part)]
    # "Delete it" names no file, so a name is put where one is meant.
    return any(wants_change(_MEANT.sub("a.txt", part, count=1)) for part in [*clauses, *behind])
