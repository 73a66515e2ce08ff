"""An engine as a node: its finding, or one that says what kept it from one; and nothing of it outlives it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime
from langgraph.types import Command, Send, interrupt

from memory.checkpoints.serializer import ThreadSerializer
from memory.trace.session_trace import BELOW
from models.errors import BudgetSpent, ModelFailed
from models.scripted import Script, register_script
from models.shared_budget import held, shared_budget
from nodes.collective import budgets
from nodes.collective.budgets import forget, sharing
from nodes.collective.child import child
from nodes.collective.exchange import Assignment, Finding
from nodes.collective.state import CollectiveState
from nodes.errors import GoalError
from nodes.reflective.context import RunContext
from nodes.reflective.services import services_of, thread_id

Run = Callable[[Assignment, Runtime[RunContext]], Awaitable[Finding]]


def done(assignment: Assignment) -> Finding:
    return Finding(id=assignment.id, worker="direct", question="q", status="answered", answer="a")


class Side:
    """Engines side by side, and nothing else, in a project of their own."""

    def __init__(self, root: Path, run: Run, **settings: Any) -> None:
        register_script("side", Script(roles={"worker": ["x"]}, repeat_last=True))
        self.context = RunContext(
            root=str(root),
            model="scripted:side",
            settings={f"collective.{key}": value for key, value in settings.items()},
        )
        node: Any = child(run)
        graph: Any = StateGraph(CollectiveState, RunContext)
        graph.add_node("worker", node)
        graph.add_conditional_edges(START, self._sends, ["worker"])
        graph.add_edge("worker", END)
        self.graph = graph.compile(checkpointer=InMemorySaver(serde=ThreadSerializer(None)))
        self.names = ["one"]

    def _sends(self, state: CollectiveState) -> list[Send]:
        given = [
            Assignment(id=name, worker="direct", question="q", run_id=state.run_id) for name in self.names
        ]
        return [Send("worker", one.model_dump(mode="json")) for one in given]

    async def go(self, given: Any, *names: str, thread: str = "t") -> dict[str, Any]:
        self.names = list(names) or self.names
        config: Any = {"configurable": {"thread_id": thread}}
        start = {"goal": "g", "run_id": "r"} if given is None else given
        return dict(await self.graph.ainvoke(start, config, context=self.context))

    async def findings(self, *names: str) -> dict[str, Finding]:
        values = await self.go(None, *names)
        return {name: Finding.model_validate(one) for name, one in values["findings"].items()}


@pytest.fixture(autouse=True)
def nothing_left_open() -> Any:
    yield
    assert not budgets._OPEN


@pytest.mark.parametrize(
    ("error", "told", "environmental"),
    [
        (ModelFailed("The model broke.", ""), "The model broke.", True),
        (GoalError("Too long.", ""), "Too long.", True),
        (OSError(28, "No space left on device"), "No space left", True),
        (MemoryError("too much"), "MemoryError", False),
        (asyncio.CancelledError(), "CancelledError", False),
        (TimeoutError(), "longer than its limit", True),
        (RecursionError("deep"), "RecursionError", False),
        (AssertionError("a defect"), "a defect", False),
    ],
    ids=lambda one: type(one).__name__,
)
async def test_whatever_an_engine_raises_is_its_finding_and_the_others_answer(
    tmp_path: Path, error: BaseException, told: str, environmental: bool
) -> None:
    async def run(assignment: Assignment, runtime: Any) -> Finding:
        if assignment.id == "bad":
            raise error
        return done(assignment)

    found = await Side(tmp_path, run).findings("bad", "good")
    assert found["good"].answers and found["bad"].status == "error" and not found["bad"].answers
    failure = found["bad"].failure
    assert failure is not None and told in failure.what and failure.environmental is environmental
    assert found["bad"].notes == [failure.what]


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
def test_what_ends_the_process_ends_it(tmp_path: Path, error: type[BaseException]) -> None:
    async def run(assignment: Assignment, runtime: Any) -> Finding:
        raise error

    with pytest.raises(error):
        asyncio.run(Side(tmp_path, run).findings())
    forget("r")


async def test_an_engine_that_hangs_is_ended_and_says_whose_time_was_over(tmp_path: Path) -> None:
    ended: list[str] = []

    async def run(assignment: Assignment, runtime: Any) -> Finding:
        if assignment.id == "quick":
            return done(assignment)
        try:
            await asyncio.sleep(600)
        finally:
            ended.append(assignment.id)
        raise AssertionError("it hangs")

    found = await Side(tmp_path, run, run_timeout_sec=0.2).findings("hangs", "quick")
    assert ended == ["hangs"] and found["quick"].answers and found["hangs"].failure is not None
    assert "0.2 s" in found["hangs"].failure.what and found["hangs"].failure.kind == "ChildOverdue"


async def test_time_of_its_own_that_is_over_is_not_called_the_time_all_share(tmp_path: Path) -> None:
    async def run(assignment: Assignment, runtime: Any) -> Finding:
        async with asyncio.timeout(0):
            await asyncio.sleep(1)
        return done(assignment)

    found = await Side(tmp_path, run, run_timeout_sec=600).findings()
    assert found["one"].failure is not None and found["one"].failure.kind == "timeout"


async def test_engines_wait_for_a_place(tmp_path: Path) -> None:
    at_once, most = 0, 0

    async def run(assignment: Assignment, runtime: Any) -> Finding:
        nonlocal at_once, most
        at_once, most = at_once + 1, max(most, at_once + 1)
        for _ in range(20):
            await asyncio.sleep(0)
        at_once -= 1
        return done(assignment)

    found = await Side(tmp_path, run, max_concurrent_children=2).findings(*"abcdef")
    assert most == 2 and len(found) == 6


async def test_engines_are_named_below_the_thread_and_below_each_other(tmp_path: Path) -> None:
    named: list[str] = []

    async def leaf(assignment: Assignment, runtime: Any) -> Finding:
        named.append(thread_id())
        return done(assignment)

    async def run(assignment: Assignment, runtime: Any) -> Finding:
        named.append(thread_id())
        inner = child(leaf)
        await inner(Assignment(id="leaf", worker="direct", question="q", run_id="r").model_dump(), runtime)
        return done(assignment)

    await Side(tmp_path, run).findings("a")
    assert named == [f"t{BELOW}a", f"t{BELOW}a{BELOW}leaf"]


async def test_an_engines_settings_go_before_those_of_the_whole_and_are_its_own(tmp_path: Path) -> None:
    seen: dict[str, int] = {}

    async def run(assignment: Assignment, runtime: Any) -> Finding:
        seen[assignment.id] = (await services_of(runtime)).settings.graph.max_iterations
        return done(assignment)

    side = Side(tmp_path, run)
    node: Any = child(run)

    async def both(state: CollectiveState, runtime: Runtime[RunContext]) -> dict[str, Any]:
        for name, settings in (("own", {"graph.max_iterations": 7}), ("plain", {})):
            given = Assignment(id=name, worker="direct", question="q", settings=settings, run_id="r")
            await node(given.model_dump(mode="json"), runtime)
        return {}

    graph: Any = StateGraph(CollectiveState, RunContext)
    graph.add_node("both", both)
    graph.add_edge(START, "both")
    await graph.compile().ainvoke({"goal": "g"}, context=side.context)
    forget("r")
    assert seen["own"] == 7 != seen["plain"]


async def test_what_one_spends_the_others_do_not_have_and_the_disk_remembers(tmp_path: Path) -> None:
    refused: list[str] = []

    async def run(assignment: Assignment, runtime: Any) -> Finding:
        for _ in range(2):
            try:
                async with held("worker", 10):
                    pass
            except BudgetSpent:
                refused.append(assignment.id)
        return done(assignment)

    side = Side(tmp_path, run, max_calls=5, max_tokens=1000)
    await side.findings(*"abc")
    assert len(refused) == 1
    # Another process that goes on with the run finds what was spent in the journal.
    await side.go({"goal": "g", "run_id": "r"}, "d")
    assert len(refused) == 3


async def test_a_pause_for_a_person_is_nobodys_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    left: list[float] = []

    async def run(assignment: Assignment, runtime: Any) -> Finding:
        budget = shared_budget()
        assert budget is not None and budget.seconds_left is not None
        left.append(budget.seconds_left)
        if assignment.id == "asks":
            interrupt("May I?")
        return done(assignment)

    side = Side(tmp_path, run, run_timeout_sec=100)
    values = await side.go(None, "asks", "other")
    assert values["__interrupt__"][0].value == "May I?" and not budgets._OPEN
    values = await side.go(Command(resume="yes"))
    assert set(values["findings"]) == {"asks", "other"}
    assert len(left) == 3 and 90 < left[2] <= 100


async def test_what_a_call_cannot_be_written_down_for_is_not_called_a_failure_of_the_model(
    tmp_path: Path,
) -> None:
    async def run(assignment: Assignment, runtime: Any) -> Finding:
        services = await services_of(runtime)
        (tmp_path / ".reflect" / "collective").write_text("no directory")
        from langchain_core.messages import HumanMessage

        await services.models.text("worker", [HumanMessage("hello")])
        return done(assignment)

    found = await Side(tmp_path, run).findings()
    failure = found["one"].failure
    assert failure is not None and failure.kind not in ("ModelFailed", "ModelUnavailable"), failure


async def test_a_budget_in_force_is_let_go_of_when_nobody_works(tmp_path: Path) -> None:
    async def node(state: CollectiveState, runtime: Runtime[RunContext]) -> dict[str, Any]:
        services = await services_of(runtime)
        async with sharing(services, "r") as first, sharing(services, "r") as second:
            assert first is second is shared_budget()
        assert not budgets._OPEN
        async with sharing(services, "r") as third:
            assert third is not first
        return {}

    graph: Any = StateGraph(CollectiveState, RunContext)
    graph.add_node("node", node)
    graph.add_edge(START, "node")
    side = Side(tmp_path, lambda assignment, runtime: asyncio.sleep(0))  # type: ignore[arg-type]  # not run
    config: Any = {"configurable": {"thread_id": "t"}}
    await graph.compile(checkpointer=InMemorySaver()).ainvoke({"goal": "g"}, config, context=side.context)
