"""What a run tells the outside."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph
from langgraph.types import RetryPolicy

from memory.events import ReasoningEvent
from nodes.reflective.context import RunContext
from nodes.reflective.emit import now, progress, record
from nodes.reflective.services import services_of
from nodes.reflective.state import ReasoningState
from tests.nodes.reflective.bench import Bench


def event() -> ReasoningEvent:
    return ReasoningEvent(timestamp=now(), session_id="s", event_type="execution", goal="count the files")


def files_of_memory(root: Path) -> list[Path]:
    return [path for path in (root / ".reflect").rglob("*.jsonl") if path.stat().st_size]


async def test_an_event_goes_to_the_corpus_and_to_the_sessions_trace(remembering: Bench) -> None:
    services = remembering.services()
    assert services.experience is not None
    await record(services, event())
    texts = [path.read_text() for path in files_of_memory(remembering.root)]
    assert len(texts) == 2
    assert all(json.loads(text)["goal"] == "count the files" for text in texts)


async def test_nothing_is_written_when_memory_is_off(bench: Bench) -> None:
    await record(bench.services(), event())
    assert files_of_memory(bench.root) == []


async def test_nothing_is_traced_when_traces_are_off(remembering: Bench) -> None:
    services = remembering.services(traces__enabled=False)
    assert services.trace("s") is None
    await record(services, event())
    assert len(files_of_memory(remembering.root)) == 1


async def test_progress_reaches_whoever_watches(bench: Bench) -> None:
    async def node(state: ReasoningState) -> dict[str, Any]:
        progress("step", num=3)
        return {}

    _, sent = await bench.watched(node, ReasoningState(goal="g"), bench.context())
    assert sent == [{"kind": "step", "num": 3}]


def test_time_is_told_in_utc_and_can_be_read_back() -> None:
    moment = datetime.fromisoformat(now())
    assert moment.utcoffset() == UTC.utcoffset(None)
    assert abs((datetime.now(UTC) - moment).total_seconds()) < 60


def test_progress_outside_a_run_is_a_mistake() -> None:
    with pytest.raises(RuntimeError):
        progress("step")


class Broken(Exception):
    """What ends a task between its events."""


class Recorder:
    """A run of two nodes that write events; the second one breaks off after some of them, as often as told.

    Attributes:
        kinds: type and step of each event of the second node.
        breaks: before which of them the node breaks off, attempt by attempt.
    """

    def __init__(self, kinds: list[tuple[str, int | None]], breaks: list[int]) -> None:
        self.kinds = kinds
        self.breaks = list(breaks)
        self.ids: list[list[str]] = []

    async def first(self, state: ReasoningState, runtime: Any) -> dict[str, Any]:
        await record(await services_of(runtime, fresh=True), event())
        return {}

    async def second(self, state: ReasoningState, runtime: Any) -> dict[str, Any]:
        services = await services_of(runtime)
        end = self.breaks.pop(0) if self.breaks else len(self.kinds)
        self.ids.append([])
        for kind, step in self.kinds[:end]:
            told = event().model_copy(update={"event_type": kind, "step_num": step})
            self.ids[-1].append(await record(services, told))
        if end < len(self.kinds):
            raise Broken
        return {}

    def graph(self, saver: InMemorySaver, attempts: int = 1) -> Any:
        graph: StateGraph[ReasoningState, RunContext, Any, Any] = StateGraph(ReasoningState, RunContext)
        graph.add_node("first", self.first)
        graph.add_node("second", self.second, retry_policy=RetryPolicy(0, 1, 0, attempts, False, Broken))
        graph.add_edge(START, "first")
        graph.add_edge("first", "second")
        graph.add_edge("second", END)
        return graph.compile(checkpointer=saver)


def recorded_ids(path: Path) -> list[str]:
    return [json.loads(line)["event_id"] for line in path.read_text().splitlines()]


KINDS = st.tuples(
    st.sampled_from(["planning", "execution", "verification"]),
    st.none() | st.integers(min_value=1, max_value=2),
)


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(kinds=st.lists(KINDS, min_size=1, max_size=4), data=st.data(), elsewhere=st.booleans())
async def test_a_task_that_runs_again_writes_each_of_its_events_once(
    remembering: Bench, kinds: list[tuple[str, int | None]], data: st.DataObject, elsewhere: bool
) -> None:
    breaks = data.draw(st.lists(st.integers(0, len(kinds) - 1), max_size=3))
    remembering.contexts += 1
    thread = f"thread-{remembering.contexts}"
    config: RunnableConfig = {"configurable": {"thread_id": thread}}
    recorder, saver = Recorder(kinds, breaks), InMemorySaver()
    given: Any = {"goal": "g"}
    context = remembering.context()
    for _ in breaks:
        with pytest.raises(Broken):
            await recorder.graph(saver).ainvoke(given, config, context=context)
        # Another caller's choices stand for another process: it opens its services in mid-run.
        context, given = (remembering.context() if elsewhere else context), None
    await recorder.graph(saver).ainvoke(given, config, context=context)
    whole = recorder.ids[-1]
    assert len(set(whole)) == len(kinds)
    assert all(ids == whole[: len(ids)] for ids in recorder.ids)
    corpus = recorded_ids(remembering.root / ".reflect" / "experience" / "events.jsonl")
    trace = recorded_ids(remembering.root / ".reflect" / "reasoning_traces" / "s.jsonl")
    assert corpus[-len(whole) :] == whole == trace[-len(whole) :]
    assert len(set(corpus)) == len(corpus) and len(set(trace)) == len(trace)


async def test_a_retried_task_writes_each_of_its_events_once(remembering: Bench) -> None:
    kinds: list[tuple[str, int | None]] = [("execution", 1), ("execution", 1), ("execution", 2)]
    recorder = Recorder(kinds, [1, 2, 0])
    config: RunnableConfig = {"configurable": {"thread_id": "retried"}}
    graph = recorder.graph(InMemorySaver(), attempts=4)
    await graph.ainvoke({"goal": "g"}, config, context=remembering.context())
    corpus = recorded_ids(remembering.root / ".reflect" / "experience" / "events.jsonl")
    assert corpus[1:] == recorder.ids[-1] and len(set(corpus)) == 4


async def test_threads_have_events_of_their_own(remembering: Bench) -> None:
    seen = []
    for thread in ("a", "b", "a"):
        recorder = Recorder([("execution", 1)], [])
        config: RunnableConfig = {"configurable": {"thread_id": thread}}
        graph = recorder.graph(InMemorySaver())
        await graph.ainvoke({"goal": "g"}, config, context=remembering.context())
        seen += recorder.ids[0]
    assert len(set(seen)) == 3


async def test_an_event_outside_a_run_keeps_its_id(remembering: Bench) -> None:
    told = event()
    assert await record(remembering.services(), told) == told.event_id


async def test_an_event_is_shared_only_when_asked(remembering: Bench, tmp_path: Path) -> None:
    shared = tmp_path / "home" / ".reflect" / "experience" / "events.jsonl"
    await record(remembering.services(), event())
    assert not shared.exists()
    event_id = await record(remembering.services(), event(), to_global=True)
    assert recorded_ids(shared) == [event_id]
