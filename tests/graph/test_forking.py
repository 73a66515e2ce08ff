"""Forks: they go on from a step with what was changed, claim nothing, and leave their source alone."""

from __future__ import annotations

import asyncio
import copy
import json
from pathlib import Path
from typing import Any

import pytest
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from configs.errors import ReflectError, UsageError
from evals.crash_runs import ANSWER, GOAL, lay_out, script
from graph.forking import SETTABLE, find_moment, fork_thread, parse_changes
from graph.reflective import build
from memory.thread_history import Moment, thread_history
from memory.threads import artifact_directory
from models.scripted import Script, register_script
from nodes.reflective.context import RunContext
from nodes.reflective.state import ReasoningState
from tests.graph.test_changes import EDIT, PASSED, WRITE
from tests.graph.test_changes import GOAL as CHANGE


class Threads:
    """Threads of one project, kept in memory."""

    def __init__(self, root: Path, name: str) -> None:
        self.root = root
        self.name = name
        self.saver = InMemorySaver()
        self.graph = build(self.saver)

    async def run(self, thread: str, given: Any, approval: Any = "ask") -> dict[str, Any]:
        config: RunnableConfig = {"configurable": {"thread_id": thread}}
        settings = {"experience.enabled": False, "traces.enabled": False}
        context = RunContext(
            root=str(self.root), model=f"scripted:{self.name}", approval=approval, settings=settings
        )
        await self.graph.ainvoke(given, config, context=context)
        return dict((await self.graph.aget_state(config)).values)

    async def fork(self, at: Any, *changes: str, **options: Any) -> Moment:
        words = parse_changes(changes)
        return await fork_thread(self.saver, self.root, "source", str(at), "fork", words, **options)

    async def edit(self, moment: Moment, values: dict[str, Any], as_node: str | None) -> None:
        """Change a step as Studio does."""
        place = {"thread_id": "source", "checkpoint_ns": "", "checkpoint_id": moment.checkpoint_id}
        await self.graph.aupdate_state({"configurable": place}, values, as_node=as_node)

    async def go_on(self, approval: Any = "ask") -> ReasoningState:
        return ReasoningState.model_validate(await self.run("fork", None, approval))

    async def history(self, thread: str = "source") -> list[Moment]:
        return await thread_history(self.saver, thread)

    async def step_after(self, node: str) -> int:
        return next(moment.step for moment in await self.history() if moment.node == node)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Threads:
    """A finished thread that planned, failed, reflected, planned again, read and verified."""
    register_script("forking", script())
    root = tmp_path_factory.mktemp("forking")
    lay_out(root)
    threads = Threads(root, "forking")
    assert asyncio.run(threads.run("source", {"goal": GOAL}))["final_answer"] == ANSWER
    return threads


@pytest.fixture
def reading(finished: Threads) -> Threads:
    """The same with forks of its own."""
    threads = Threads(finished.root, finished.name)
    for name in ("storage", "writes", "blobs"):
        getattr(threads.saver, name).update(copy.deepcopy(getattr(finished.saver, name)))
    return threads


@pytest.fixture
async def changing(tmp_path: Path, request: pytest.FixtureRequest) -> Threads:
    """A thread that made the first of two changes and waits for an approval of the second."""
    plan = {"objective": "x", "steps": [WRITE, EDIT]}
    register_script(
        request.node.name, Script(roles={"planner": [plan], "verifier": [PASSED]}, repeat_last=True)
    )
    (tmp_path / "a.txt").write_text("hello\n")
    threads = Threads(tmp_path, request.node.name)
    await threads.run("source", {"goal": CHANGE})
    await threads.run("source", Command(resume="approve"))
    assert (tmp_path / "notes.txt").exists() and (tmp_path / "a.txt").read_text() == "hello\n"
    return threads


@pytest.mark.integration  # takes seconds
async def test_a_fork_of_any_step_comes_to_the_same_end_and_leaves_the_source(reading: Threads) -> None:
    before = await reading.history()
    for number, moment in enumerate(before[::3]):
        name = f"fork-{number}"
        await fork_thread(reading.saver, reading.root, "source", moment.checkpoint_id, name)
        values = await reading.run(name, None)
        assert (values["final_answer"], values["status"]) == (ANSWER, "answered")
        assert values["session_id"] == (name if moment.next != () or moment.node else "source")
        assert (await reading.history(name))[0].forked_from == {
            "thread": "source",
            "checkpoint_id": moment.checkpoint_id,
            "step": moment.step,
        }
    assert await reading.history() == before


async def test_the_history_tells_what_langgraph_tells(reading: Threads) -> None:
    config: RunnableConfig = {"configurable": {"thread_id": "source"}}
    told = [snapshot async for snapshot in reading.graph.aget_state_history(config)]
    mine = list(reversed(await reading.history()))
    assert [moment.next for moment in mine] == [snapshot.next for snapshot in told]
    assert [moment.step for moment in mine] == [(snapshot.metadata or {})["step"] for snapshot in told]
    # What ran is what the step before had next.
    assert [moment.node for moment in mine[:-2]] == [moment.next[0] for moment in mine[1:-1]]
    assert mine[0].standing == "answered" and mine[1].standing == "stopped before respond"


async def test_a_new_goal_is_a_new_question(reading: Threads) -> None:
    await reading.fork(await reading.step_after("plan"), "goal=How many lines does data/ships.csv have?")
    state = await reading.go_on()
    assert state.final_answer == "data/ships.csv has 4 lines."
    assert state.reflection_attempts == [] and len(state.evidence) == 2 and state.session_id == "fork"


async def test_a_new_goal_can_keep_the_plan(reading: Threads) -> None:
    step = await reading.step_after("reflect") + 1
    await reading.fork(step, f"goal={GOAL}, please", keep_plan=True)
    state = await reading.go_on()
    assert state.goal == f"{GOAL}, please" and state.final_answer == ANSWER
    assert state.usage["planner"].calls == 2


async def test_routes_are_taken_anew_after_a_change(reading: Threads) -> None:
    await reading.fork(await reading.step_after("execute"), "limits.reflections.moderate=0")
    state = await reading.go_on()
    assert (state.status, state.stop_reason) == ("could_not", "max_reflections")
    assert state.reflection_attempts == []


async def test_a_given_plan_is_carried_out_from_its_first_step_and_verified(reading: Threads) -> None:
    source = (await find_moment(reading.saver, "source", str(await reading.step_after("verify")))).values[
        "plan"
    ]
    step = {**source["steps"][-1], "num": 1, "status": "success"}
    plan = {**source, "steps": [step], "source": "recipe"}
    await reading.fork(await reading.step_after("classify"), f"plan={json.dumps(plan)}")
    [made] = await reading.history("fork")
    assert made.next == ("execute",) and made.values["plan"]["source"] == "model"
    assert made.values["plan"]["steps"][0]["status"] == "pending"
    assert made.values["plan"]["steps"][0]["result"] is None
    state = await reading.go_on()
    assert state.final_answer == ANSWER and state.verified and "planner" not in state.usage


async def test_a_verified_answer_is_verified_again_after_a_change(reading: Threads) -> None:
    await reading.fork(await reading.step_after("verify"), "limits.iterations=60")
    [made] = await reading.history("fork")
    assert made.next == ("verify",) and made.values["verified"] is False
    assert (await reading.go_on()).final_answer == ANSWER


@pytest.mark.parametrize("field", sorted(set(ReasoningState.model_fields) - set(SETTABLE)))
async def test_nothing_can_be_claimed(reading: Threads, field: str) -> None:
    with pytest.raises(UsageError, match="says what happened"):
        await reading.fork(3, f"{field}=true")
    assert await reading.history("fork") == []


@pytest.mark.parametrize(
    ("step", "change", "told"),
    [
        (3, "limts=1", "'limits' was perhaps meant"),
        (3, "complexity=banana", "complexity cannot be set"),
        (3, "iterations=many", "iterations cannot be set"),
        (3, "limits.nothing=1", "names nothing"),
        (3, "goal.part=1", "has no parts"),
        (3, "goal= ", "goal is empty"),
        (3, "plan=null", "without steps"),
        (0, "complexity=simple", "only the goal"),
        (-1, "iterations=3", "only the goal"),
        (99, "iterations=3", "has no step '99'"),
        ("1f1f1f1f", "iterations=3", "has no step"),
    ],
)
async def test_a_change_that_cannot_be_made_is_explained(
    reading: Threads, step: Any, change: str, told: str
) -> None:
    with pytest.raises(ReflectError, match=told):
        await reading.fork(step, change)
    assert await reading.history("fork") == []


async def test_the_end_of_a_run_can_only_be_asked_anew(reading: Threads) -> None:
    last = (await reading.history())[-1].step
    with pytest.raises(UsageError, match="at its end"):
        await reading.fork(last, "iterations=3")
    with pytest.raises(UsageError, match="starts anew"):
        await reading.fork(last, "goal=other", "iterations=3")
    await reading.fork(last, "goal=How many lines does data/ships.csv have?")
    assert (await reading.go_on()).final_answer == "data/ships.csv has 4 lines."


async def test_threads_that_are_there_or_are_not(reading: Threads) -> None:
    await reading.fork(2)
    with pytest.raises(UsageError, match="already"):
        await reading.fork(2)
    with pytest.raises(UsageError, match="no thread"):
        await fork_thread(reading.saver, reading.root, "nobody", "2", "other")


async def test_a_step_that_is_there_twice_is_named_by_its_id(reading: Threads) -> None:
    third = await find_moment(reading.saver, "source", "3")
    await reading.edit(third, {"iterations": 7}, third.node)
    with pytest.raises(UsageError, match="more than once"):
        await reading.fork(4)
    await reading.fork((await reading.history())[-1].checkpoint_id)
    assert (await reading.history("fork"))[0].values["iterations"] == 7


def test_words_that_set_nothing() -> None:
    for words in (["goal"], ["=x"], ["goal=a", "goal=b"]):
        with pytest.raises(UsageError):
            parse_changes(words)
    assert parse_changes(["goal=[1]", "iterations=3", "complexity=simple", "last_error=null"]) == {
        "goal": "[1]",
        "iterations": 3,
        "complexity": "simple",
        "last_error": None,
    }


async def test_a_fork_asks_again_and_does_not_repeat_what_was_done(changing: Threads) -> None:
    (changing.root / "notes.txt").write_text("mine\n")
    waiting = (await changing.history())[-1]
    assert waiting.waiting and waiting.standing == "waiting for an approval"
    await changing.fork(waiting.checkpoint_id)
    [copied] = await changing.history("fork")
    assert not copied.waiting and copied.values["allowed_tools"] == []
    await changing.run("fork", None)
    assert (changing.root / "a.txt").read_text() == "hello\n"
    assert (await changing.history("fork"))[-1].waiting
    values = await changing.run("fork", Command(resume="approve"))
    assert (changing.root / "a.txt").read_text() == "bye\n"
    assert values["status"] == "answered" and values["session_id"] == "fork"
    assert (changing.root / "notes.txt").read_text() == "mine\n"
    # The source still waits; what the fork did does not count as its doing.
    assert (await changing.history())[-1] == waiting


async def test_what_was_allowed_for_a_run_is_asked_about_in_its_fork(changing: Threads) -> None:
    values = await changing.run("source", Command(resume="always"))
    assert values["allowed_tools"] == ["edit_file"]
    (changing.root / "a.txt").write_text("hello\n")
    waiting = [moment for moment in await changing.history() if moment.next == ("execute",)][-1]
    await changing.fork(waiting.checkpoint_id)
    await changing.run("fork", None)
    assert (changing.root / "a.txt").read_text() == "hello\n" and (await changing.history("fork"))[-1].waiting


async def test_stored_outputs_are_copied(reading: Threads) -> None:
    project = reading.root / ".reflect"
    kept, other = f"{'a' * 64}.txt", f"{'b' * 64}.txt"
    directory = artifact_directory(project, "source")
    directory.mkdir(parents=True)
    for name in (kept, other):
        (directory / name).write_text(name)
    moment = (await reading.history())[-1]
    evidence = {"source": "tool", "step": 1, "command": "c", "text": "t", "artifact": f".reflect/x/{kept}"}
    await reading.edit(moment, {"evidence": [evidence]}, "execute")
    await reading.fork((await reading.history())[-1].checkpoint_id)
    copies = artifact_directory(project, "fork")
    assert [path.name for path in copies.iterdir()] == [kept] and (copies / kept).read_text() == kept
