"""Runs of the hierarchy with a scripted model: workers read files, and what they bring is put together."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.runtime import Runtime
from langgraph.types import Command

from graph.contractive import graph_of
from graph.ensemble import REFLECTIVE
from graph.hierarchy import HIERARCHY, Hierarchy, build, divide, workflow
from models.scripted import Script, register_script
from nodes.collective.exchange import Assignment, Finding
from nodes.contractive.event_facts import Worked, facts_of
from nodes.contractive.state import ROOT
from nodes.hierarchy.state import HierarchyState
from nodes.hierarchy.work import working
from nodes.reflective.context import RunContext
from tests.nodes.hierarchy.clerk import Clerk, days, each, letters

QUIET = {"experience.enabled": False, "traces.enabled": False, "contractive.normalize": "code"}


def context(root: Path, script: Script, name: str = "clerk", **more: Any) -> RunContext:
    register_script(name, script)
    return RunContext(root=str(root), model=f"scripted:{name}", settings={**QUIET, **more})


async def divided(root: Path, script: Script, question: str, **settings: Any) -> HierarchyState:
    """A whole run; settings by dotted key, with __ for the point."""
    chosen = {key.replace("__", "."): value for key, value in settings.items()}
    return HierarchyState.model_validate(await divide(question, run=context(root, script, **chosen)))


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A package of three modules with 2, 1 and 3 functions."""
    (tmp_path / "pkg").mkdir()
    for name, count in (("a", 2), ("b", 1), ("c", 3)):
        text = "\n\n".join(f"def {name}_{number}():\n    return {number}\n" for number in range(count))
        (tmp_path / "pkg" / f"{name}.py").write_text(text)
    (tmp_path / "notes.txt").write_text("one\ntwo\nthree\n")
    return tmp_path


async def test_each_file_gets_a_worker_and_code_puts_together_what_they_bring(package: Path) -> None:
    script = Clerk()
    question = (
        "For each of pkg/a.py, pkg/b.py and pkg/c.py, how many functions are there? Which has the most?"
    )
    state = await divided(package, script, question)
    assert (state.status, state.stop_reason, state.confidence) == ("answered", "confident", 1.0)
    assert state.short_answer == "pkg/c.py" and "Most: pkg/c.py (3)." in state.final_answer
    for name, told in (("a", "are 2 functions"), ("b", "is 1 function"), ("c", "are 3 functions")):
        assert f"There {told} in pkg/{name}.py" in state.final_answer
    assert list(state.findings) == ["0.1", "0.2", "0.3"] and script.asked() == 0
    for name, finding in state.findings.items():
        assert finding.status == "answered" and finding.grounded
        assert state.tree[name].about in finding.evidence[0].where
        best = state.tree[name].best
        assert best is not None and best.evidence and best.measured.samples == 0
    events = [event for question in state.tree.values() for event in question.events]
    assert sum(isinstance(facts_of(event), Worked) for event in events) == 3
    assert [(edge.source, edge.target) for edge in state.edges] == [("0", f"0.{n}") for n in (1, 2, 3)]
    assert "sampled" not in {event.type for event in events}


async def test_files_of_a_kind_are_looked_up_and_added_up(package: Path) -> None:
    state = await divided(
        package, Clerk(), "How many functions are in each module of pkg/, and what is the total?"
    )
    assert [question.about for question in state.tree.values()][1:] == ["pkg/a.py", "pkg/b.py", "pkg/c.py"]
    assert (state.status, state.short_answer) == (
        "answered",
        "6",
    ) and "Total: 6 (2 + 1 + 3)." in state.final_answer


async def test_a_question_that_is_not_compound_goes_to_one_worker(package: Path) -> None:
    state = await divided(package, Clerk(), "How many lines does notes.txt have?")
    assert (state.status, list(state.findings), list(state.tree)) == ("answered", [ROOT], [ROOT])
    assert state.final_answer == "notes.txt has 3 lines."


async def test_what_no_file_tells_is_thought_about_as_ever(package: Path) -> None:
    script = Script(default=["That is so.\nAnswer: Paris"], repeat_last=True)
    state = await divided(package, script, "What is the capital of France?")
    assert (state.status, state.short_answer, state.findings) == ("answered", "Paris", {})
    assert state.root.facts_from == "samples" and state.root.tried is not None


async def test_parts_from_files_and_from_the_model_are_told_apart(package: Path) -> None:
    script = Script(default=["That is so.\nAnswer: Paris"], repeat_last=True)
    question = "How many lines does notes.txt have, and what is the capital of France?"
    state = await divided(package, script, question)
    assert [state.tree[name].facts_from for name in ("0.1", "0.2")] == ["files", "samples"]
    first, _, second = state.final_answer.partition("\n- ")
    assert "notes.txt has 3 lines." in first and "own knowledge" not in first
    assert "Paris" in second and "own knowledge" in second


async def test_a_part_may_mean_what_the_one_before_it_found(package: Path) -> None:
    (package / "pkg" / "c.py").write_text("def only():\n    return '" + "x" * 900 + "'\n")
    question = "Which file in pkg is the largest, and how many functions does it have?"
    state = await divided(package, Clerk(), question)
    assert state.status == "answered" and state.tree["0.2"].depends_on == ["0.1"]
    assert "There is 1 function in pkg/c.py" in state.findings["0.2"].answer


@pytest.mark.parametrize(
    "goal",
    [
        "Delete notes.txt",
        "How many lines does notes.txt have? Then delete it.",
        "How many lines does notes.txt have, and delete it",
    ],
)
async def test_a_change_is_refused_and_nothing_is_changed(package: Path, goal: str) -> None:
    state = await divided(package, Clerk(), goal)
    assert state.status == "error" and state.failure is not None and not state.findings
    assert "reflect ask" in state.failure.remedy and "reflect hybrid" in state.failure.remedy
    assert (package / "notes.txt").read_text() == "one\ntwo\nthree\n"


class Writer(Clerk):
    """Plans that change files, whatever it is asked."""

    def _reply(self, role: str, prompt: str) -> Any:
        command = {
            "steps": [{"description": "tidy", "command": "rm letters/anna.txt"}],
            "command": "rm letters/anna.txt",
        }
        return command if role == "planner" else super()._reply(role, prompt)


async def test_a_worker_changes_nothing_even_if_its_planner_wants_to(tmp_path: Path) -> None:
    paths = letters(tmp_path, 2)
    state = await divided(tmp_path, Writer(), each(paths), tools__approval="yes")
    assert state.status != "answered"
    assert all((tmp_path / path).is_file() for path in paths)


async def test_what_is_more_than_workers_may_be_given_is_said(package: Path) -> None:
    question = "How many functions are in each module of pkg/, and what is the total?"
    state = await divided(package, Clerk(), question, collective__max_leaves=2)
    assert list(state.findings) == ["0.1", "0.2"]
    assert state.status == "uncertain" and "Total: " not in state.final_answer
    assert "pkg/c.py" in state.final_answer and "max_leaves" in state.final_answer
    assert any("pkg/c.py" in note for note in state.notes)


def breaking(*names: str) -> Hierarchy:
    """The graph with workers that raise, or are cancelled, where a question is about one of some letters."""

    async def run(assignment: Assignment, runtime: Runtime[RunContext]) -> Finding:
        if any(name in assignment.question for name in names):
            raise asyncio.CancelledError if "clara" in assignment.question else ZeroDivisionError("no answer")
        return await REFLECTIVE.run(assignment, runtime)

    wiring = replace(HIERARCHY, tasks={**HIERARCHY.tasks, "work": working(run)})
    return graph_of(wiring).compile(name="breaking")


@pytest.mark.parametrize(("broken", "place"), [("boris", 1), ("clara", 2)])
async def test_a_worker_that_raises_leaves_the_others_alone(tmp_path: Path, broken: str, place: int) -> None:
    paths = letters(tmp_path, 3)
    values = await breaking(broken).ainvoke({"question": each(paths)}, context=context(tmp_path, Clerk()))
    state = HierarchyState.model_validate(values)
    statuses = [state.findings[f"0.{number}"].status for number in (1, 2, 3)]
    assert statuses == ["error" if number == place else "answered" for number in range(3)]
    assert state.status == "uncertain" and 0 < state.confidence <= 0.5
    for number, path in enumerate(paths):
        assert (f"{11 + number} days" in state.final_answer) == (number != place)
        assert (f"{path}: no answer" in state.final_answer) == (number == place)
    assert any(f"letters/{broken}.txt" in note for note in state.notes)


async def test_if_every_worker_raises_the_run_says_so(tmp_path: Path) -> None:
    paths = letters(tmp_path, 2)
    graph = breaking("anna", "boris")
    state = HierarchyState.model_validate(
        await graph.ainvoke({"question": each(paths)}, context=context(tmp_path, Clerk()))
    )
    assert (state.status, state.final_answer) == ("error", "")
    assert state.failure is not None and state.failure.kind == "ZeroDivisionError"


async def test_a_worker_without_a_plan_tells_what_it_found_by_words_and_is_not_relied_on(
    tmp_path: Path,
) -> None:
    paths = letters(tmp_path, 2)
    state = await divided(tmp_path, Clerk(breaks=("boris",)), each(paths))
    assert [state.findings[name].status for name in ("0.1", "0.2")] == ["answered", "partial"]
    best = state.tree["0.2"].best
    assert best is not None and best.measured.support <= 0.5
    assert state.status == "uncertain" and state.confidence <= 0.5


async def test_the_budget_is_shared_by_all_workers(tmp_path: Path) -> None:
    paths = letters(tmp_path, 3)
    script = Clerk()
    state = await divided(tmp_path, script, each(paths), collective__max_calls=4)
    assert script.asked() == 4 and state.status != "answered"
    assert any(
        "max_calls" in (f.failure.remedy if f.failure else "") + " ".join(f.notes) + f.answer
        for f in state.findings.values()
    )


class Divider(Clerk):
    """Splits a question whose wording lists nothing, and merges what the parts say."""

    def _reply(self, role: str, prompt: str) -> Any:
        if role == "classifier":
            return {"complexity": "complex"}
        return super()._reply(role, prompt)


TROUBLE = (
    "find out why letters/anna.txt and letters/boris.txt disagree about the weather at sea, step by step,"
    " trace where the contradiction comes from and judge how serious it is"
)


@pytest.mark.parametrize(
    ("merges", "kept"),
    [
        ("the weather at sea was rough for 11 days in one and 12 days in the other", True),
        ("the weather at sea was rough for 77 days", False),
        ("letters/zoe.txt is wrong, 11 days are right", False),
    ],
)
async def test_a_merged_answer_holds_no_fact_that_no_part_holds(
    tmp_path: Path, merges: str, kept: bool
) -> None:
    letters(tmp_path, 2)
    script = Divider(
        splits=[f"What does letters/{name}.txt tell about the weather at sea?" for name in ("anna", "boris")],
        merges=merges,
    )
    state = await divided(tmp_path, script, TROUBLE)
    assert state.root.children == ["0.1", "0.2"] and len(state.findings) == 2
    assert (merges in state.final_answer) == kept
    if not kept:
        assert "77" not in state.final_answer and "zoe" not in state.final_answer
        assert "11 days" in state.final_answer and "12 days" in state.final_answer
        assert any("was not used" in note for note in state.notes)


async def test_events_of_workers_come_with_their_namespace(tmp_path: Path) -> None:
    paths = letters(tmp_path, 2)
    seen: dict[str, set[str]] = {}
    stream = workflow.astream(
        {"question": each(paths)}, context=context(tmp_path, Clerk()), stream_mode="updates", subgraphs=True
    )  # type: ignore[call-overload]  # LangGraph's types know no async context here
    async for space, update in stream:
        top = space[0] if space else ""
        seen.setdefault(top, set()).update(update)
    workers = [nodes for top, nodes in seen.items() if top.startswith("work:")]
    assert len(workers) == 2 and all({"classify", "plan", "execute", "respond"} <= nodes for nodes in workers)
    assert {"begin", "normalize", "decompose", "collapse", "answer"} <= seen[""]


async def test_what_a_worker_asks_a_person_is_asked_of_whoever_runs_the_whole(tmp_path: Path) -> None:
    paths = letters(tmp_path, 3)
    script = Clerk()
    run = context(tmp_path, script, **{"reasoning.pause_below": 1.0})
    graph = build(InMemorySaver())
    config: RunnableConfig = {"configurable": {"thread_id": "asks"}}
    values: dict[str, Any] = await graph.ainvoke({"question": each(paths)}, config, context=run)
    asked = values["__interrupt__"]
    assert len(asked) == 3
    called = script.asked()
    answers = {one.id: "reject" if "boris" in str(one.value) else "accept" for one in asked}
    values = await graph.ainvoke(Command(resume=answers), config, context=run)
    state = HierarchyState.model_validate({k: v for k, v in values.items() if k != "__interrupt__"})
    assert script.asked() == called  # nothing was planned or worded a second time
    assert [state.findings[f"0.{n}"].status for n in (1, 2, 3)] == ["answered", "could_not", "answered"]
    assert state.status == "uncertain" and str(days("boris")) not in state.final_answer


async def test_a_thread_is_asked_again_and_nothing_old_is_left(package: Path) -> None:
    graph, run = build(InMemorySaver()), context(package, Clerk())
    config: RunnableConfig = {"configurable": {"thread_id": "twice"}}
    await graph.ainvoke({"question": "How many functions are in each module of pkg/?"}, config, context=run)
    values = await graph.ainvoke({"question": "delete notes.txt"}, config, context=run)
    assert values["status"] == "error" and values["findings"] == {} and values["edges"] == []
    values = await graph.ainvoke({"question": "How many lines does notes.txt have?"}, config, context=run)
    assert values["final_answer"] == "notes.txt has 3 lines." and list(values["findings"]) == [ROOT]
