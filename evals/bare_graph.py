"""The same run in a bare LangGraph graph: what a graph of that shape costs by itself.

A run of ours is recorded: the update of every visit, and the work done in it. The bare graph has the same
nodes and conditional edges, and its nodes return the very updates that were recorded, so its state and its
checkpoints have the same size at every step. Its state is a plain TypedDict: nothing is validated. It has no
error handlers, retries, time limits, drains, events or traces.

Work is what a graph exists for: the model calls, to the same scripted model with prompts of as many words,
and the tool calls of the plan's steps and of REFLECT's probes, through the same toolbox and sandbox.
Look-ups of our own (which names of the goal exist, what git ignores, what was learnt) are no work: they are
what we add, and so is everything else. Two more stand beside it, so that nobody takes the one for the other:
a bare graph without any work, and one that makes our look-ups as well, that is all our tool calls and all
texts we embed, so that what remains is what the graph itself adds.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypedDict, cast

from langchain_core.messages import HumanMessage
from langgraph.config import get_config
from langgraph.graph import END, START, StateGraph
from langgraph.types import Checkpointer

from graph.reflective import Reflective
from models.embeddings import Embedder, MiniLMEmbedder, Vectors
from models.multilingual_embeddings import E5Embedder
from models.scripted import Script, ScriptedChatModel
from nodes.reflective.context import RunContext
from nodes.reflective.state import ReasoningState
from tools.protocol import ToolCall, ToolResult
from tools.toolbox import Toolbox

# The fields of ours, whatever they are, which the type checker could not take for a TypedDict's.
_FIELDS = {name: Any for name in ReasoningState.model_fields if name != "remaining_steps"}
BareState: Any = cast(Any, TypedDict)("BareState", _FIELDS)


@dataclass
class Visit:
    """One visit of a recorded run.

    Attributes:
        node: its name.
        update: what it returned.
        calls: tool calls that are work.
        lookups: our other tool calls; those of one node run at once.
        embedded: the embedders that were asked, with what they embedded.
        words: length of the prompt of each model call.
        delay: seconds the model takes for each.
    """

    node: str
    update: dict[str, Any]
    calls: list[ToolCall] = field(default_factory=list)
    lookups: list[ToolCall] = field(default_factory=list)
    embedded: list[tuple[Embedder, list[str]]] = field(default_factory=list)
    words: list[int] = field(default_factory=list)
    delay: float = 0.0


async def record_run(
    graph: Reflective, goal: str, context: RunContext, thread: str, delay: float = 0.0
) -> list[Visit]:
    """Run ours once and write down its visits, with the work that was done in each."""
    visits: list[Visit] = []
    usage: dict[str, Any] = {}
    config: Any = {"configurable": {"thread_id": thread}}
    with _tool_calls() as made, _embeddings() as embedded:
        async for part in graph.astream({"goal": goal}, config, context=context, stream_mode="updates"):
            [(node, update)] = part.items()
            calls = [call for name, call, result in made if _is_work(name, result, update)]
            lookups = [call for name, call, result in made if not _is_work(name, result, update)]
            words, usage = _prompts(usage, update.get("usage") or usage)
            visits.append(Visit(node, update, calls, lookups, list(embedded), words, delay))
            made.clear()
            embedded.clear()
    return visits


@contextlib.contextmanager
def _tool_calls() -> Iterator[list[tuple[str, ToolCall, ToolResult]]]:
    """Every tool call that is made meanwhile, with the node that made it."""
    made: list[tuple[str, ToolCall, ToolResult]] = []
    run = Toolbox.run

    async def noted(self: Toolbox, call: ToolCall, **options: Any) -> ToolResult:
        result = await run(self, call, **options)
        made.append((str(get_config()["metadata"]["langgraph_node"]), call, result))
        return result

    Toolbox.run = noted  # type: ignore[method-assign]  # for the length of one recorded run
    try:
        yield made
    finally:
        Toolbox.run = run  # type: ignore[method-assign]  # as it was


@contextlib.contextmanager
def _embeddings() -> Iterator[list[tuple[Embedder, list[str]]]]:
    """Every text that is embedded meanwhile, with the embedder: what is remembered is not embedded."""
    made: list[tuple[Embedder, list[str]]] = []
    kinds: tuple[Any, ...] = (MiniLMEmbedder, E5Embedder)
    embeds = {kind: kind.embed for kind in kinds}

    def noting(embed: Callable[..., Vectors]) -> Callable[..., Vectors]:
        def noted(self: Embedder, texts: Sequence[str]) -> Vectors:
            made.append((self, list(texts)))
            return embed(self, texts)

        return noted

    for kind, embed in embeds.items():
        kind.embed = noting(embed)
    try:
        yield made
    finally:
        for kind, embed in embeds.items():
            kind.embed = embed


def _is_work(node: str, result: ToolResult, update: dict[str, Any]) -> bool:
    if node == "reflect":
        probes = update["reflection_attempts"][-1]["probes"]
        return result.command in {probe["command"] for probe in probes}
    return node == "execute"


def _prompts(before: dict[str, Any], after: dict[str, Any]) -> tuple[list[int], dict[str, Any]]:
    """The words of each prompt since, by what the usage says."""
    words: list[int] = []
    for role, used in after.items():
        known = before.get(role, {"calls": 0, "prompt_tokens": 0})
        calls = used["calls"] - known["calls"]
        words += [(used["prompt_tokens"] - known["prompt_tokens"]) // max(calls, 1)] * calls
    return words, after


def bare_graph(
    visits: list[Visit],
    toolbox: Toolbox | None,
    checkpointer: Checkpointer = None,
    *,
    with_lookups: bool = False,
) -> Any:
    """The recorded run as a bare graph.

    Args:
        visits: the recorded run.
        toolbox: runs its tool calls; None for a graph that does no work at all.
        checkpointer: as for ours.
        with_lookups: make our look-ups and embed our texts as well.
    """
    names = list(dict.fromkeys(visit.node for visit in visits))
    graph: Any = StateGraph(BareState)
    for name in names:
        graph.add_node(name, _replaying(visits, toolbox, with_lookups))
    graph.add_edge(START, names[0])
    after = {
        name: sorted({b.node for a, b in zip(visits, visits[1:], strict=False) if a.node == name})
        for name in names
    }
    for name in names[:-1]:
        graph.add_conditional_edges(name, lambda state: visits[state["iterations"]].node, after[name])
    graph.add_edge(names[-1], END)
    return graph.compile(checkpointer=checkpointer)


def _replaying(
    visits: list[Visit], toolbox: Toolbox | None, with_lookups: bool
) -> Callable[[Any], Awaitable[dict[str, Any]]]:
    async def node(state: Any) -> dict[str, Any]:
        visit: Visit = visits[state.get("iterations", 0)]
        if toolbox is not None and with_lookups:
            await asyncio.gather(*(toolbox.run(call) for call in visit.lookups))
            for embedder, texts in visit.embedded:
                await asyncio.to_thread(embedder.embed, texts)
        if toolbox is not None:
            for count in visit.words:
                said = [{"delay": visit.delay, "reply": "x"}] if visit.delay else ["x"]
                await ScriptedChatModel(script=Script(default=said)).ainvoke([HumanMessage("word " * count)])
            for call in visit.calls:
                await toolbox.run(call)
        return visit.update

    return node
