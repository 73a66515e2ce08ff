"""DECOMPOSE of a hierarchy: code cuts what a question lists by its own wording, the planner all else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from langgraph.runtime import Runtime

from nodes.contractive import decompose as contractive
from nodes.contractive.parts import Accepted, AcceptedPart
from nodes.contractive.repeats import repeated
from nodes.contractive.run import run_of_task
from nodes.contractive.solve import update_of
from nodes.contractive.state import Question
from nodes.contractive.tasks import Task
from nodes.contractive.telling import happened, moved
from nodes.hierarchy.listing import Listed, Listing, listing_of, of_names
from nodes.hierarchy.placing import TOO_MANY
from nodes.hierarchy.spreading import files_meant
from nodes.reflective.context import RunContext
from nodes.reflective.services import Services, services_of

SURELY = 0.9
"""Probability from which a clause repeats one before it."""
MOST_NAMED = 10
"""Questions nobody is asked that are named."""


async def decompose(given: dict[str, Any], runtime: Runtime[RunContext]) -> dict[str, Any]:
    """Cut a question up; one about files that cannot be cut up goes to a worker whole.

    Args:
        given: a `Task`, JSON.
        runtime: LangGraph's.

    Raises:
        MemoryStoreError: a call cannot be written down.
    """
    task = Task.model_validate(given)
    question = task.question
    if question.facts_from != "files":
        return await contractive.decompose(given, runtime)
    services = await services_of(runtime)
    listing = listing_of(question.question)
    if listing is not None:
        if listing.spread is not None:
            listing = of_names(listing, await files_meant(listing.spread.phrase, services))
        children = _children(task, listing, services)
        if children:
            return update_of(task, parts=children)
    found = Accepted("AND")
    refused: list[str] = []
    if listing is None:
        run = await run_of_task(runtime, task)
        async with run.calls.at_work():
            found, refused = await contractive.parts_by_model(task, run)
    children = contractive.split_into(task, found)
    if not children:
        moved(question, "NORMALIZE")
    return update_of(task, parts=children, refused=refused)


def _children(task: Task, listing: Listing, services: Services) -> list[Question]:
    """The listed parts as questions, as many as workers may be given; of the others it is said."""
    parts = without_repeats(listing.parts, task.asked)
    most = services.settings.collective.max_leaves
    taken, over = parts[:most], parts[most:]
    if len(taken) < 2:
        return []
    if over:
        names = [part.name or part.question for part in over]
        shown = ", ".join(names[:MOST_NAMED]) + (" ..." if len(names) > MOST_NAMED else "")
        why = TOO_MANY.format(most=most)
        task.question.refused[f"{len(over)} more: {shown}"] = why
        task.question.events.append(happened("pruned", task.question.id, part=shown, why=why))
    accepted = [
        AcceptedPart(part.question, part.needs, None, number) for number, part in enumerate(taken, start=1)
    ]
    children = contractive.split_into(task, Accepted("AND", tuple(accepted)))
    for child, part in zip(children, taken, strict=True):
        child.about = part.name
        # Of files that are named the same is asked; a clause may be about anything.
        child.facts_from = "files" if part.name and not listing_of(part.question) else ""
    return children


def without_repeats(parts: Sequence[Listed], asked: Sequence[str]) -> list[Listed]:
    """The parts that ask nothing again, those of their needs that are left numbered anew.

    Args:
        parts: as listed.
        asked: elsewhere in the tree.
    """
    places: dict[int, int] = {}
    kept: list[Listed] = []
    for number, part in enumerate(parts, start=1):
        before = [one.question for one in kept if not (part.name and one.name)]
        again = repeated(part.question, before, least=SURELY)
        same = [one for one in kept if _plain(one.question) == _plain(part.question)]
        if same or again is not None or any(_plain(part.question) == _plain(other) for other in asked):
            places[number] = next(
                (at for at, one in enumerate(kept, 1) if one in same or one.question == again), 0
            )
            continue
        needs = tuple(sorted({places[needed] for needed in part.needs if places.get(needed)}))
        kept.append(Listed(part.question, part.name, needs))
        places[number] = len(kept)
    return kept


def _plain(question: str) -> str:
    return " ".join(question.replace("./", "").casefold().rstrip("?. ").split())
