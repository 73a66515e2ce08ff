"""Runs of graphs and visits to nodes, as telemetry sees them.

LangGraph tells callbacks when a graph begins and ends; `RUNS` is the one callback all our graphs are compiled
with, so that a run is seen whoever started it: a command, a notebook, LangGraph's server, a node of another
graph. A run is recorded if its settings ask for it, which its first node finds out
(`nodes.reflective.services`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from langchain_core.callbacks import BaseCallbackManager
from langchain_core.runnables.config import var_child_runnable_config
from langgraph.callbacks import GraphCallbackHandler, GraphInterruptEvent
from langgraph.errors import GraphBubbleUp

from models.telemetry import names
from models.telemetry.scope import Scope, Value, current, within

# Where the states of our graphs hold what is asked and what is answered.
_ASKED = ("goal", "question", "query")
_ANSWER = "final_answer"
_FAILED = "error"
# Other ends, such as could_not, uncertain or lost, are no errors, and are not told as successes either.
_SUCCEEDED = ("answered", "reported", "won")


@dataclass
class _Run:
    """A run of a graph that goes on."""

    graph: str
    scope: Scope
    asked: str = ""
    waits: bool = False


class GraphRuns(GraphCallbackHandler):
    """Notes when graphs begin and end, and which graph a visit to a node belongs to."""

    # In the caller's own context, where the node is known that a graph is begun by.
    run_inline = True
    ignore_llm = ignore_chat_model = ignore_retriever = ignore_agent = ignore_custom_event = True

    def __init__(self) -> None:
        self._runs: dict[UUID, _Run] = {}
        self._visits: dict[UUID, Scope] = {}

    def graph_of(self, visit: UUID | None) -> Scope | None:
        """The scope of the graph that a visit to a node belongs to; None if it is none of ours."""
        return self._visits.get(visit) if visit is not None else None

    def on_chain_start(
        self,
        serialized: Mapping[str, Any],
        inputs: Any,
        *,
        run_id: UUID,
        parent_run_id: UUID | None = None,
        metadata: Mapping[str, Any] | None = None,
        name: str | None = None,
        **kwargs: Any,
    ) -> None:
        """A graph begins, or a visit to one of its nodes, or what follows such a visit."""
        above = current()
        if parent_run_id is not None and (run := self._runs.get(parent_run_id)) is not None:
            self._visits[run_id] = run.scope
            return
        around = self.graph_of(parent_run_id)
        if around is not None and (above is None or above.above is not around):
            # A route: the node itself has ended.
            return
        graph = name or "graph"
        thread = str((metadata or {}).get("thread_id") or "")
        attributes: dict[str, Value] = {
            names.OPERATION: names.INVOKE_AGENT,
            names.SPAN_KIND: names.AGENT_KIND,
            names.AGENT: graph,
            names.AGENT_NAME: graph,
            names.GRAPH: graph,
            names.TOP_RUN: above is None,
        }
        if thread:
            attributes |= {names.CONVERSATION: thread, names.SESSION: thread}
        scope = Scope(f"{names.INVOKE_AGENT} {graph}", above, attributes=attributes)
        self._runs[run_id] = _Run(graph, scope, _text_at(inputs, _ASKED))

    def on_chain_end(self, outputs: Any, *, run_id: UUID, **kwargs: Any) -> None:
        """A visit ends, or a graph: with the status its state has, or waiting for a person."""
        run = self._end_of(run_id)
        if run is None:
            return
        values: Mapping[str, Any] = outputs if isinstance(outputs, Mapping) else {}
        status = str(values.get("status") or "ended")
        if status == "running":
            status = "waiting" if run.waits else "unfinished"
        attributes = run.scope.attributes
        if status == _FAILED:
            failure = values.get("failure")
            told = failure if isinstance(failure, Mapping) else {}
            run.scope.failed(str(told.get("kind") or _FAILED), str(told.get("what") or ""))
        elif status in _SUCCEEDED:
            run.scope.outcome = "ok"
        if isinstance(reason := values.get("stop_reason"), str):
            attributes[names.STOP_REASON] = reason
        _ended(run, status, _text_at(values, (_ANSWER,)))

    def on_chain_error(self, error: BaseException, *, run_id: UUID, **kwargs: Any) -> None:
        """A visit fails, or a graph: by an exception, or because its process is to end."""
        run = self._end_of(run_id)
        if run is None:
            return
        run.scope.attributes[names.ERROR_TYPE] = type(error).__name__
        if isinstance(error, GraphBubbleUp | asyncio.CancelledError | GeneratorExit | KeyboardInterrupt):
            _ended(run, "interrupted", "")
            return
        run.scope.failed(type(error).__name__, str(error))
        _ended(run, _FAILED, "")

    def _end_of(self, run_id: UUID) -> _Run | None:
        """The graph that ends with this, forgotten from now on with all visits to its nodes."""
        self._visits.pop(run_id, None)
        run = self._runs.pop(run_id, None)
        if run is not None:
            # Of a visit that was cancelled nothing more may be heard.
            for visit in [visit for visit, graph in list(self._visits.items()) if graph is run.scope]:
                self._visits.pop(visit, None)
        return run

    def on_interrupt(self, event: GraphInterruptEvent) -> None:
        """A graph stops to ask a person."""
        run = self._runs.get(event.run_id) if event.run_id is not None else None
        if run is not None:
            run.waits = True


def _ended(run: _Run, status: str, answer: str) -> None:
    scope, recorder = run.scope, run.scope.recorder
    if recorder is None:
        return
    scope.attributes[names.STATUS] = status
    if run.asked:
        scope.attributes |= recorder.text("input", run.asked)
    if answer:
        scope.attributes |= recorder.text("output", answer)
    recorder.count(
        names.RUNS, 1, {names.GRAPH: run.graph, names.STATUS: status, names.TOP_RUN: scope.above is None}
    )
    scope.end()


def _text_at(values: Any, keys: Sequence[str]) -> str:
    """The first text under one of the keys of a state."""
    if not isinstance(values, Mapping):
        return ""
    return next((values[key] for key in keys if isinstance(values.get(key), str) and values[key]), "")


RUNS = GraphRuns()


@contextmanager
def visited() -> Iterator[None]:
    """A visit to a node; to be entered in the node, which LangGraph runs."""
    config = var_child_runnable_config.get() or {}
    callbacks = config.get("callbacks")
    visit = callbacks.parent_run_id if isinstance(callbacks, BaseCallbackManager) else None
    graph = RUNS.graph_of(visit)
    if graph is None:
        yield
        return
    metadata = config.get("metadata") or {}
    node = str(metadata.get("langgraph_node") or "node")
    attributes: dict[str, Value] = {
        names.SPAN_KIND: names.CHAIN_KIND,
        names.NODE_NAME: node,
        names.GRAPH: graph.attributes[names.GRAPH],
    }
    if isinstance(step := metadata.get("langgraph_step"), int):
        attributes[names.STEP] = step
    with within(Scope(node, graph, attributes=attributes), calm=(GraphBubbleUp,)):
        yield
