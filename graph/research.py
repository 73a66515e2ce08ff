"""Deep research: an analyst drafts, a critic reviews, a writer reports, code checks every sentence.

START -> clarify -> (ambiguous, and a person may be asked) choose -> retrieve -> filter_sources -> analyst
analyst -> (SEARCH_REQUIRED, budget left) gap_search -> analyst
analyst -> (DRAFT_READY) critic; critic REJECT, budget left -> analyst; else -> writer -> check_citations
check_citations -> (sentences fail, budget left) fix -> check_citations; else -> format -> END
nothing found, nothing accepted, or research switched off -> format; any node raises -> format

`workflow` stands alone in langgraph.json; `build()` may be a node of another graph, too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias, get_args, get_type_hints

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Checkpointer

from nodes.draining import drainable
from nodes.input_form import input_form
from nodes.reflective.context import RunContext
from nodes.reflective.retrying import RETRY
from nodes.research.analyst import analyst
from nodes.research.check_citations import check_citations
from nodes.research.clarify import choose, clarify
from nodes.research.critic import critic
from nodes.research.failing import on_format_error, on_node_error
from nodes.research.filter_sources import filter_sources
from nodes.research.format import format_result
from nodes.research.gap_search import gap_search, new_queries
from nodes.research.retrieve import retrieve
from nodes.research.state import Mode, ResearchState, TemporalContext
from nodes.research.writer import fix, writer
from nodes.telemetry import RUNS

Research: TypeAlias = CompiledStateGraph[ResearchState, RunContext, Any, Any]
# Far above what the budgets allow: 20 rounds of each kind at most, few steps a round.
RECURSION_LIMIT = 300
# FORMAT needs one step, the step that leads to it another.
TURN_AT = 3
ASKED = input_form(
    ResearchState,
    query="What is to be found out.",
    mode="strict takes authoritative sources only, discovery any, monitor recent ones.",
    corpus="Where to search: a folder, a .jsonl of items, a back end's address; empty as the settings say.",
    items="Sources you bring along, as NLWeb Items; nothing else is searched at first.",
    temporal_context="The time the query is about.",
    clarify="Whether you may be asked which reading of an ambiguous query you mean.",
)


def after_clarify(state: ResearchState) -> Literal["choose", "retrieve"]:
    """A person is asked only where there is something to choose from."""
    return "choose" if state.clarify and state.readings is not None and state.readings.options else "retrieve"


def after_choose(state: ResearchState) -> Literal["retrieve"]:
    """The answer binds; on with the search."""
    return "retrieve"


def after_retrieve(state: ResearchState) -> Literal["filter_sources", "format"]:
    """Without sources there is nothing to report; switched off, the ranked items are the answer."""
    return "format" if state.no_data or not state.limits.enabled else "filter_sources"


def after_filter_sources(state: ResearchState) -> Literal["analyst"]:
    """What the mode accepts goes to the analyst; accepting nothing is an error and never gets here."""
    return "analyst"


def after_analyst(state: ResearchState) -> Literal["gap_search", "critic", "writer", "format"]:
    """Search more while the budget lasts; without a draft there is nothing to review."""
    if out_of_steps(state) or state.analysis is None:
        return "format"
    searches_left = state.gap_rounds < state.limits.searches
    if state.analysis.status == "SEARCH_REQUIRED" and searches_left and new_queries(state):
        return "gap_search"
    return "critic" if state.analysis.draft else "writer"


def after_gap_search(state: ResearchState) -> Literal["analyst"]:
    """The analyst looks again, whatever was found."""
    return "analyst"


def after_critic(state: ResearchState) -> Literal["analyst", "writer"]:
    """A rejected draft is revised while the budget lasts; at the limit it is reported as rejected."""
    budget = state.rewrites < state.limits.rewrites and state.reviews < state.limits.iterations
    return "analyst" if state.rejected and budget and not out_of_steps(state) else "writer"


def after_writer(state: ResearchState) -> Literal["check_citations", "format"]:
    """Nothing written, nothing to check."""
    return "check_citations" if state.report and not state.no_data else "format"


def after_check_citations(state: ResearchState) -> Literal["fix", "format"]:
    """Failing sentences get a bounded number of tries."""
    return (
        "fix" if state.unfixed and state.fixes < state.limits.fixes and not out_of_steps(state) else "format"
    )


def after_fix(state: ResearchState) -> Literal["check_citations"]:
    """What was reworded is checked like everything else."""
    return "check_citations"


def out_of_steps(state: ResearchState) -> bool:
    """True when LangGraph's limit leaves just enough steps to answer."""
    return state.remaining_steps <= TURN_AT


NODES: Mapping[str, Any] = {
    "clarify": clarify,
    "choose": choose,
    "retrieve": retrieve,
    "filter_sources": filter_sources,
    "analyst": analyst,
    "gap_search": gap_search,
    "critic": critic,
    "writer": writer,
    "check_citations": check_citations,
    "fix": fix,
    "format": format_result,
}
ROUTES: Mapping[str, Any] = {
    "clarify": after_clarify,
    "choose": after_choose,
    "retrieve": after_retrieve,
    "filter_sources": after_filter_sources,
    "analyst": after_analyst,
    "gap_search": after_gap_search,
    "critic": after_critic,
    "writer": after_writer,
    "check_citations": after_check_citations,
    "fix": after_fix,
}


def workflow_builder() -> StateGraph[ResearchState, RunContext, Any, Any]:
    """Nodes and edges, not yet compiled."""
    # LangGraph hands a NodeError to handlers by annotation, which its own types cannot express.
    to_format: Any = on_node_error
    to_the_end: Any = on_format_error
    graph: StateGraph[ResearchState, RunContext, Any, Any] = StateGraph(
        ResearchState, RunContext, input_schema=ASKED
    )
    graph.set_node_defaults(error_handler=to_format, retry_policy=RETRY)
    for name, node in NODES.items():
        graph.add_node(name, drainable(node), error_handler=to_the_end if name == "format" else None)
    graph.add_edge(START, "clarify")
    for name, route in ROUTES.items():
        graph.add_conditional_edges(name, route, list(get_args(get_type_hints(route)["return"])))
    graph.add_edge("format", END)
    return graph


def build(checkpointer: Checkpointer = None) -> Research:
    """The graph, compiled; with a checkpointer for callers that keep their own threads."""
    compiled = workflow_builder().compile(checkpointer=checkpointer, name="research")
    return compiled.with_config(recursion_limit=RECURSION_LIMIT, callbacks=[RUNS])


async def run_research(
    query: str,
    mode: Mode = "discovery",
    items: Sequence[Mapping[str, Any]] = (),
    temporal_context: TemporalContext | None = None,
    *,
    context: RunContext | None = None,
    corpus: str = "",
    query_id: str = "",
) -> list[dict[str, Any]]:
    """Research a query in one call.

    Args:
        query: what to find out.
        mode: strict, discovery or monitor.
        items: sources as NLWeb Items; without any, the corpus is searched.
        temporal_context: the time that counts.
        context: choices of the run: root, model, profile, settings.
        corpus: a folder, a .jsonl of items, or what else a back end takes; empty as the settings say.
        query_id: name of the run's logs.

    Returns:
        NLWeb Items: a report, or why there is none. Nothing is raised for a run that fails.
    """
    start = {
        "query": query,
        "mode": mode,
        "items": [dict(item) for item in items],
        "temporal_context": (temporal_context or TemporalContext()).model_dump(mode="json"),
        "corpus": corpus,
        "query_id": query_id,
    }
    values = await build().ainvoke(start, context=context or RunContext())
    result: list[dict[str, Any]] = values["result"]
    return result


workflow = build()

__all__ = ["RECURSION_LIMIT", "Research", "build", "run_research", "workflow", "workflow_builder"]
