"""Graphs with real models, tools and nodes below them, and what is told of them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from itertools import count
from pathlib import Path
from typing import Any, TypedDict

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from langchain_core.messages import HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.errors import GraphDrained
from langgraph.graph import END, START, StateGraph
from langgraph.runtime import RunControl, Runtime
from langgraph.types import Command, interrupt
from pydantic import BaseModel

from configs.settings import Settings, ToolSettings
from models.errors import ModelFailed, ModelUnavailable
from models.identifiers import ModelId
from models.roles import RoleModels
from models.scripted import Script, register_script
from models.selection import ModelChoice
from models.telemetry import names
from models.telemetry.scope import attach
from nodes.draining import drainable
from nodes.telemetry import RUNS
from tests.support.telemetry import Kept
from tools.protocol import ToolCall
from tools.toolbox import Toolbox

NUMBERS = count()
Node = Callable[["State", Runtime[None]], Awaitable[dict[str, Any]]]


class State(TypedDict, total=False):
    goal: str
    status: str
    stop_reason: str
    final_answer: str
    failure: dict[str, str]


class Label(BaseModel):
    label: str


def graph(name: str, *nodes: tuple[str, Node], saver: Any = None) -> Any:
    """A graph of nodes one after the other, compiled as ours are."""
    builder = StateGraph(State)
    before = START
    for node, function in nodes:
        builder.add_node(node, drainable(function))  # type: ignore[type-var]  # LangGraph's own types
        builder.add_edge(before, node)
        before = node
    builder.add_edge(before, END)
    return builder.compile(name=name, checkpointer=saver).with_config(callbacks=[RUNS])


def recording(kept: Kept) -> tuple[str, Node]:
    """A first node, which finds out that the run is recorded."""

    async def begin(state: State, runtime: Runtime[None]) -> dict[str, Any]:
        attach(kept.recorder, {names.PROVIDER: "scripted"})
        return {}

    return "begin", begin


def models(*replies: Any, fallback: str | None = None) -> RoleModels:
    name = f"telemetry-{next(NUMBERS)}"
    register_script(name, Script(default=list(replies)))
    given = Settings.model_validate({"models": {"default": {"fallback": fallback}}})
    return RoleModels(given, ModelChoice(ModelId.parse(f"scripted:{name}"), "test"))


async def ends(state: State, runtime: Runtime[None]) -> dict[str, Any]:
    return {"status": "answered", "stop_reason": "success", "final_answer": "Three files."}


def facts(span: Any) -> dict[str, Any]:
    return dict(span.attributes or {})


async def test_a_run_its_nodes_its_calls_and_what_they_cost() -> None:
    kept, roles = Kept.anew(), models("Paris it is.")

    async def asks(state: State, runtime: Runtime[None]) -> dict[str, Any]:
        await roles.text("worker", [HumanMessage("which of the towns?")])
        return {}

    run = graph("reflective", recording(kept), ("asks", asks), ("ends", ends))
    await run.ainvoke({"goal": "which town"}, {"configurable": {"thread_id": "t-1"}})
    tree = kept.tree()
    (chat,) = [name for name in tree if name.startswith("chat file-")]
    assert tree == {
        "invoke_agent reflective": "",
        "begin": "invoke_agent reflective",
        "asks": "invoke_agent reflective",
        chat: "asks",
        "ends": "invoke_agent reflective",
    }
    told = facts(kept.span("invoke_agent reflective"))
    assert told[names.OPERATION] == "invoke_agent" and told[names.SPAN_KIND] == "AGENT"
    assert told[names.CONVERSATION] == told[names.SESSION] == "t-1" and told[names.PROVIDER] == "scripted"
    assert (told[names.STATUS], told[names.STOP_REASON]) == ("answered", "success")
    assert told[names.INPUT_CHARS] == len("which town") and told[names.OUTPUT_CHARS] == len("Three files.")
    called = facts(kept.span(chat))
    assert called[names.OPERATION] == "chat" and called[names.SPAN_KIND] == "LLM"
    assert called[names.INPUT_TOKENS] == called[names.LLM_PROMPT_TOKENS] == 4
    assert called[names.OUTPUT_TOKENS] == called[names.LLM_COMPLETION_TOKENS] == 3
    assert called[names.LLM_TOTAL_TOKENS] == 7 and called[names.ROLE] == "worker"
    assert kept.span(chat).kind.name == "CLIENT" and kept.span(chat).status.is_ok
    assert list(kept.sums(names.MODEL_CALLS).values()) == [1]
    tokens = {dict(key)[names.TOKEN_TYPE]: amount for key, amount in kept.sums(names.TOKEN_USAGE).items()}
    assert tokens == {"input": 4, "output": 3}
    run_key = {names.GRAPH: "reflective", names.STATUS: "answered", names.TOP_RUN: True}
    assert kept.sums(names.RUNS) == {frozenset(run_key.items()): 1}


@pytest.mark.parametrize(
    ("status", "code"),
    [
        ("answered", "OK"),
        ("could_not", "UNSET"),
        ("uncertain", "UNSET"),
        ("lost", "UNSET"),
        ("error", "ERROR"),
    ],
)
async def test_how_a_run_ended_is_its_status(status: str, code: str) -> None:
    kept = Kept.anew()

    async def last(state: State, runtime: Runtime[None]) -> dict[str, Any]:
        return {"status": status, "failure": {"kind": "ModelUnavailable", "what": "zebra is down"}}

    await graph("g", recording(kept), ("last", last)).ainvoke({"goal": "x"})
    span = kept.span("invoke_agent g")
    assert span.status.status_code.name == code and facts(span)[names.STATUS] == status
    assert facts(span).get(names.ERROR_TYPE) == ("ModelUnavailable" if status == "error" else None)
    assert "zebra" not in kept.everything()


async def test_an_exception_is_an_error_of_the_call_the_node_and_the_run() -> None:
    kept, roles = Kept.anew(), models({"error": "unavailable"})

    async def asks(state: State, runtime: Runtime[None]) -> dict[str, Any]:
        await roles.text("worker", [HumanMessage("x")])
        return {}

    with pytest.raises(ModelUnavailable):
        await graph("g", recording(kept), ("asks", asks)).ainvoke({"goal": "x"})
    failed = [
        span for span in kept.spans() if not span.status.is_ok and span.status.status_code.name == "ERROR"
    ]
    assert {facts(span)[names.ERROR_TYPE] for span in failed} == {"ModelUnavailable"} and len(failed) == 3
    ((key, calls),) = kept.sums(names.MODEL_CALLS).items()
    assert calls == 1 and dict(key)[names.ERROR_TYPE] == "ModelUnavailable"
    assert {dict(key)[names.STATUS] for key in kept.sums(names.RUNS)} == {"error"}


async def test_a_run_below_a_node_lies_below_it_and_both_side_by_side_ones_are_told_apart() -> None:
    kept = Kept.anew()

    def engine(name: str) -> Node:
        async def works(state: State, runtime: Runtime[None]) -> dict[str, Any]:
            await asyncio.sleep(0)
            return {"status": "could_not"}

        below = graph(name, (f"{name} works", works))

        async def node(state: State, runtime: Runtime[None]) -> dict[str, Any]:
            await below.ainvoke({"goal": "y"})
            return {}

        return node

    builder = StateGraph(State)
    builder.add_node("begin", drainable(recording(kept)[1]))  # type: ignore[type-var]  # as above
    builder.add_edge(START, "begin")
    for name in ("a", "b", "c"):
        builder.add_node(f"node {name}", drainable(engine(name)))  # type: ignore[type-var]  # as above
        builder.add_edge("begin", f"node {name}")
    await builder.compile(name="top").with_config(callbacks=[RUNS]).ainvoke({"goal": "x"})
    expected = {"invoke_agent top": "", "begin": "invoke_agent top"}
    for name in ("a", "b", "c"):
        expected |= {
            f"node {name}": "invoke_agent top",
            f"invoke_agent {name}": f"node {name}",
            f"{name} works": f"invoke_agent {name}",
        }
    assert kept.tree() == expected
    below = {dict(key)[names.GRAPH]: dict(key)[names.TOP_RUN] for key in kept.sums(names.RUNS)}
    assert below == {"top": True, "a": False, "b": False, "c": False}


async def test_a_question_to_a_person_is_no_error_and_the_answer_is_a_run_of_its_own() -> None:
    kept = Kept.anew()

    async def asks(state: State, runtime: Runtime[None]) -> dict[str, Any]:
        attach(kept.recorder, {})
        return {"status": "answered", "final_answer": str(interrupt("which?"))}

    run = graph("g", ("asks", asks), saver=InMemorySaver())
    config = {"configurable": {"thread_id": "t"}}
    await run.ainvoke({"goal": "x", "status": "running"}, config)
    await run.ainvoke(Command(resume="this"), config)
    ends_of = [facts(span)[names.STATUS] for span in kept.spans() if span.name == "invoke_agent g"]
    assert ends_of == ["waiting", "answered"]
    assert all(span.status.status_code.name != "ERROR" for span in kept.spans())


async def test_a_drained_run_is_told_as_interrupted() -> None:
    kept, control = Kept.anew(), RunControl()

    async def hangs(state: State, runtime: Runtime[None]) -> dict[str, Any]:
        control.request_drain("SIGTERM")
        await asyncio.sleep(60)
        return {}

    with pytest.raises(GraphDrained):
        await graph("g", recording(kept), ("hangs", hangs)).ainvoke({"goal": "x"}, control=control)
    span = kept.span("invoke_agent g")
    assert facts(span)[names.STATUS] == "interrupted" and span.status.status_code.name == "UNSET"
    assert "hangs" in kept.tree()


async def test_tools_are_counted_by_sandbox_level_and_outcome(tmp_path: Path) -> None:
    kept = Kept.anew()
    (tmp_path / "a.txt").write_text("one\n")
    toolbox = Toolbox(tmp_path, ToolSettings(sandbox="policy"))
    calls = [
        ToolCall(tool="cat", args={"paths": ["a.txt"]}),
        ToolCall(tool="grep", args={"pattern": "zebra", "paths": ["a.txt"]}),
        ToolCall(tool="cat", args={"paths": ["missing.txt"]}),
        ToolCall(tool="zebra", args={}),
        ToolCall(tool="cat", args={"paths": ["../../etc/passwd"]}),
    ]

    async def works(state: State, runtime: Runtime[None]) -> dict[str, Any]:
        for call in calls:
            await toolbox.run(call)
        return {}

    await graph("g", recording(kept), ("works", works)).ainvoke({"goal": "x"})
    seen = {
        (told[names.TOOL], told[names.SANDBOX], told[names.OUTCOME]): amount
        for key, amount in kept.sums(names.TOOL_CALLS).items()
        if (told := dict(key))
    }
    assert seen == {
        ("cat", "policy", "succeeded"): 1,
        ("grep", "policy", "nothing"): 1,
        ("cat", "policy", "failed"): 1,
        ("unknown", "none", "failed"): 1,
        ("cat", "none", "failed"): 1,
    }
    tools = [span for span in kept.spans() if span.name.startswith("execute_tool")]
    assert [span.status.status_code.name for span in tools] == ["OK", "UNSET", "ERROR", "ERROR", "ERROR"]
    assert [facts(span).get(names.ERROR_TYPE) for span in tools[2:]] == ["exit 1", "unknown_tool", "refused"]
    assert "zebra" not in kept.everything() and "passwd" not in kept.everything()


async def test_replies_put_right_and_fallbacks_are_recoveries() -> None:
    kept = Kept.anew()
    register_script("telemetry-spare", Script(default=["yes"]))
    asked = models("no JSON here", '{"label": "a"}')
    alone = models({"error": "unavailable"}, fallback="scripted:telemetry-spare")

    async def asks(state: State, runtime: Runtime[None]) -> dict[str, Any]:
        await asked.structured("worker", [HumanMessage("x")], Label)
        await alone.text("worker", [HumanMessage("x")])
        return {}

    await graph("g", recording(kept), ("asks", asks)).ainvoke({"goal": "x"})
    kinds = {dict(key)[names.RECOVERY]: amount for key, amount in kept.sums(names.RECOVERIES).items()}
    assert kinds == {"reply_retried": 1, "model_fallback": 1}


MARKERS = st.text("abcdefghijklmnopqrstuvwxyz", min_size=12, max_size=16)


@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(goal=MARKERS, file=MARKERS, said=MARKERS, tool=MARKERS, content=st.booleans())
async def test_no_word_of_a_run_is_told_unless_content_is(
    tmp_path: Path, goal: str, file: str, said: str, tool: str, content: bool
) -> None:
    kept, roles = Kept.anew(content=content), models(f"The {said}.", {"error": "failed"})
    (tmp_path / file).write_text(said)
    toolbox = Toolbox(tmp_path, ToolSettings(sandbox="policy"))

    async def works(state: State, runtime: Runtime[None]) -> dict[str, Any]:
        await roles.text("worker", [HumanMessage(f"{goal} in {file}")])
        for call in (
            ToolCall(tool="cat", args={"paths": [file]}),
            ToolCall(tool="cat", args={"paths": [f"{file}/none"]}),
            ToolCall(tool=tool, args={"command": goal}),
        ):
            await toolbox.run(call)
        with pytest.raises(ModelFailed):
            await roles.text("worker", [HumanMessage(goal)])
        failure = {"kind": "OSError", "what": f"{file} cannot be read"}
        return {"status": "error", "final_answer": said, "failure": failure}

    await graph("g", recording(kept), ("works", works)).ainvoke({"goal": goal})
    told = kept.everything()
    for marker in (goal, file, said):
        assert (marker in told) == content
    names_of_spans = {span.name for span in kept.spans()}
    assert tool not in str(names_of_spans) and (tool not in told or content)


async def test_nothing_stays_behind_when_runs_have_ended() -> None:
    kept = Kept.anew()

    async def fails(state: State, runtime: Runtime[None]) -> dict[str, Any]:
        raise KeyError("x")

    await graph("g", recording(kept), ("ends", ends)).ainvoke({"goal": "x"})
    with pytest.raises(KeyError):
        await graph("g", ("fails", fails)).ainvoke({"goal": "x"})
    given_up = graph("g", recording(kept), ("ends", ends)).astream({"goal": "x"})
    await anext(given_up)
    await given_up.aclose()
    assert not RUNS._runs and not RUNS._visits
