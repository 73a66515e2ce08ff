"""One question put to the research graph, in a directory of its own; and to the bare model."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

from langchain_core.messages import HumanMessage, SystemMessage

from evals.research.judging import Outcome
from evals.research.questions import Question
from evals.research.world import World
from memory.project_directory import DIRECTORY
from models.errors import ModelError
from models.prompt_size import estimate_tokens
from nodes.reflective.context import RunContext
from nodes.reflective.services import open_services
from nodes.research.packing import pack
from nodes.research.searching import PER_SEARCH
from nodes.research.state import ResearchState, Source
from tools.search.items import Item

CORPUS = "sources.jsonl"
THREAD = "research"
# No memory, no trace: a run must not learn from the one before it.
ALONE = {"experience.enabled": False, "traces.enabled": False}
ABLATIONS: dict[str, dict[str, Any]] = {
    "full": {},
    # Its verdicts change nothing any more.
    "critic_off": {"research.max_rewrites": 0},
    "tiers_off": {},
    "gap_search_off": {"research.max_searches": 0},
    "one_iteration": {"research.max_iterations": 1},
}
FLAT = "tiers_off"
EVERY_PASSAGE = 10_000
BARE_TOKENS = 120
SPARE_TOKENS, LEAST_ROOM = 64, 120
BARE_ASKED = (
    "Answer the question from the numbered sources. End each sentence with the number of its source in "
    "square brackets, such as [1]. If the sources do not answer it, reply: Not enough evidence."
)


def settings_of(world: World, variant: str) -> dict[str, Any]:
    """Settings of a run: the world's sites in their tiers, and what an ablation takes away."""
    tiers: dict[str, dict[str, Any]] = {name: dict(about) for name, about in world.source_tiers.items()}
    if variant == FLAT:
        tiers = {document.site.name: {"tier": 1, "type": "any"} for document in world.documents}
    return {**ALONE, "research.source_tiers": tiers, **ABLATIONS.get(variant, {})}


async def prepare(world: World, place: Path) -> Path:
    """Write a world's documents as items and index them once, for every run copies the index.

    Args:
        world: whose documents are written.
        place: an empty directory.

    Returns:
        The file of items.
    """
    from tools.search.opening import open_backend

    corpus = place / CORPUS
    lines = [json.dumps(d.item.dump(), ensure_ascii=False) for d in world.documents]
    corpus.write_text("\n".join(lines) + "\n", "utf-8")
    settings = {**settings_of(world, "full"), "research.search.most_embedded": EVERY_PASSAGE}
    services = open_services(RunContext(root=str(place), model="scripted:none", settings=settings))
    await open_backend(services.settings, services.root, str(corpus)).search(world.subjects[0].names["en"], 1)
    return corpus


def indexed(corpus: Path, place: Path) -> None:
    """Give a directory a copy of the index that lies beside the items."""
    shutil.copytree(corpus.parent / DIRECTORY, place / DIRECTORY)


def given(question: Question, corpus: Path) -> dict[str, Any]:
    """What the graph is started with."""
    return {"query": question.text, "mode": question.mode, "corpus": str(corpus)}


async def research(
    question: Question,
    world: World,
    corpus: Path,
    place: Path,
    model: str,
    variant: str,
    *,
    replay: str = "",
) -> ResearchState:
    """Run the graph once, without a checkpointer.

    Args:
        question: to answer.
        world: whose documents are searched.
        corpus: the file they were written to.
        place: a directory with a copy of their index.
        model: provider:model.
        variant: key of ABLATIONS.
        replay: manifest of a finished run.
    """
    # LangGraph and the nodes take seconds to import, which the check of sentences alone need not pay.
    from graph.research import build

    context = RunContext(root=str(place), model=model, settings=settings_of(world, variant))
    begun = given(question, corpus) | ({"replay": replay} if replay else {})
    final = await build().ainvoke(begun, {"configurable": {"thread_id": THREAD}}, context=context)
    return ResearchState.model_validate(final)


def outcome_of(state: ResearchState) -> Outcome:
    """What is judged of a run."""
    text = "\n\n".join(str(item.get("description", "")) for item in state.result)
    usage = state.usage.values()
    return Outcome(
        status=state.status,
        text=text,
        disputed=_disputed(state),
        spans=[
            (str(span["url"]), int(span["start"]), int(span["end"]), str(span["text"]))
            for finding in state.findings
            for span in finding.spans
        ],
        calls=sum(one.calls for one in usage),
        tokens=sum(one.prompt_tokens + one.completion_tokens for one in usage),
        iterations=state.iteration,
        detail=str(state.failure) if state.failure is not None else state.no_data,
    )


def _disputed(state: ResearchState) -> list[tuple[str, str]]:
    """Each pair of sources that the run says disagree."""
    pairs = []
    for claim in state.contradictions:
        if not claim.disputed:
            continue
        holds = [stance.url for stance in claim.stances if stance.stance == "supports"]
        differs = [stance.url for stance in claim.stances if stance.stance == "contradicts"]
        pairs += [(one, other) for one in holds for other in differs]
    return pairs


async def ask_bare(question: Question, world: World, corpus: Path, place: Path, model: str) -> Outcome:
    """S0: one prompt with the passages the product would show, packed; the reply as it stands."""
    context = RunContext(root=str(place), model=model, settings=settings_of(world, "full"))
    services = open_services(context)
    try:
        found = await _searched(services, question, corpus)
        texts = {number: item.description for number, item in enumerate(found, start=1)}
        sources = [Source(number=n, url=item.url, name=item.name) for n, item in enumerate(found, start=1)]
        window = services.models.window("worker")
        room = window - BARE_TOKENS - SPARE_TOKENS - estimate_tokens(BARE_ASKED + question.text)
        shown = pack(question.text, sources, texts, max(room, LEAST_ROOM)).text
        asked = [SystemMessage(BARE_ASKED), HumanMessage(f"{shown}\n\nQuestion: {question.text}\nAnswer:")]
        reply = await services.models.text("worker", asked, max_tokens=BARE_TOKENS)
    except ModelError as error:
        return Outcome("error", "", detail=str(error))
    finally:
        await services.models.aclose()
    spent = reply.usage.prompt_tokens + reply.usage.completion_tokens
    return Outcome("reported", reply.text, [item.url for item in found], calls=1, tokens=spent)


async def _searched(services: Any, question: Question, corpus: Path) -> list[Item]:
    from tools.search.opening import open_backend

    backend = open_backend(services.settings, services.root, str(corpus))
    found: list[Item] = await backend.search(question.text, PER_SEARCH)
    return found
