"""An ensemble: three engines at once; whatever one does, the answer of the others is told, and told truly."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.errors import GraphDrained
from langgraph.runtime import RunControl
from langgraph.types import Command

from graph.ensemble import build, workflow
from memory.checkpoints.serializer import ThreadSerializer
from nodes.collective import budgets
from nodes.collective.merge import ONLY_MODELS
from nodes.collective.state import CollectiveState
from nodes.reflective.context import RunContext
from tests.graph.talking import Talker, context_of

SUM = "What is three times three?"
LINES = "How many lines does a.txt have?"
CHANGE = "create the file notes.txt with the text hi"
PLAN = {
    "objective": "x",
    "steps": [{"description": "write", "tool": "write_file", "args": {"path": "notes.txt", "content": "hi"}}],
}
PASSED = {"passed": True, "reason": "done", "confidence": 0.9}
CHANGING = {"planner": PLAN, "verifier": PASSED}
Values: TypeAlias = dict[str, Any]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "p").mkdir()
    (tmp_path / "p" / "a.txt").write_text("x\ny\n")
    return tmp_path / "p"


def saver() -> InMemorySaver:
    """Keeps JSON types only, as the project's own do."""
    return InMemorySaver(serde=ThreadSerializer(None))


async def together(goal: str, run: RunContext, **more: Any) -> CollectiveState:
    values = await workflow.ainvoke({"goal": goal, **more}, context=run)
    assert not budgets._OPEN
    return CollectiveState.model_validate(values)


async def test_what_a_look_found_outweighs_what_models_say(root: Path) -> None:
    script = Talker()
    state = await together(LINES, context_of(root, script, "look"))
    assert (state.status, state.final_answer, state.chosen) == (
        "answered",
        "a.txt has 2 lines.",
        "reflective",
    )
    assert state.agreements[0].grounded and state.agreements[0].members == ["reflective"]
    assert any("contractive and direct say otherwise: 9" in note for note in state.notes)
    assert sorted(state.findings) == ["contractive", "direct", "reflective"]
    assert state.usage.calls == len(script.asked) == 5
    vectors = {len(one.vector) for one in state.findings.values()}
    assert len(vectors) == 1 and vectors != {0}
    assert -1 <= state.findings["direct"].figures["likeness_reflective"] <= 1


async def test_models_that_agree_are_no_evidence(root: Path) -> None:
    state = await together(SUM, context_of(root, Talker(), "agree"))
    assert (state.status, state.short_answer) == ("uncertain", "9")
    assert 0 < (state.confidence or 0) <= 0.5 and ONLY_MODELS in state.notes
    assert any("No evidence holds" in note and "9" in note for note in state.notes)
    assert len(state.agreements[0].members) == 3 and state.agreements[0].likeness is not None


async def test_three_that_differ_are_all_told(root: Path) -> None:
    def direct(prompt: str) -> str:
        return "It is 17." if "linked list" in prompt else "It is 31."

    script = Talker(direct=direct, sample="Answer: 8")
    state = await together(SUM, context_of(root, script, "differ"))
    assert len(state.agreements) == 3 and state.status == "uncertain"
    assert (state.confidence or 1) <= 0.34
    told = " ".join(state.notes) + state.final_answer
    assert all(number in told for number in ("17", "31", "8"))


@pytest.mark.parametrize("goal", [LINES.replace("a.txt", "nope.txt"), CHANGE])
async def test_what_nobody_looked_at_or_changed_is_never_an_answer(root: Path, goal: str) -> None:
    script = Talker(direct="Done, it has 9 lines.", sample="Answer: done, 9")
    state = await together(goal, context_of(root, script, "blind", approval="yes"))
    assert state.status == "could_not" and "9" not in state.final_answer
    assert any(note.startswith("Without having seen a file") for note in state.notes)
    assert (root / "a.txt").read_text() == "x\ny\n" and not (root / "notes.txt").exists()


@pytest.mark.parametrize("goal", [LINES, CHANGE])
async def test_without_an_engine_that_looks_a_goal_about_files_is_not_answered(root: Path, goal: str) -> None:
    members = ["contractive", "direct"]
    state = await together(goal, context_of(root, Talker(), "unseen", collective__members=members))
    assert state.status == "could_not" and not state.final_answer and set(state.findings) == set(members)


async def test_material_is_what_an_answer_may_rest_on(root: Path) -> None:
    script = Talker(direct="The tower is 77 m high.", sample="Answer: 77 m")
    context = context_of(root, script, "material", collective__members=["contractive", "direct"])
    state = await together("How high is the tower?", context, context="The tower is 77 m high.")
    assert state.status == "answered" and "77" in state.final_answer
    assert all("77 m high" in prompt for prompt in script.prompts("direct") + script.prompts("sample"))


async def test_an_engine_that_fails_takes_nothing_from_the_others(root: Path) -> None:
    script = Talker(direct={"error": "failed"})
    state = await together(LINES, context_of(root, script, "fails"))
    assert (state.status, state.final_answer) == ("answered", "a.txt has 2 lines.")
    assert state.findings["direct"].failure is not None and state.failure is None
    assert any(note.startswith("direct took no part: The scripted model failed") for note in state.notes)


async def test_if_every_engine_fails_the_run_is_no_answer(root: Path) -> None:
    broken = {"error": "unavailable"}
    script = Talker(direct=broken, sample=broken, rest={"classifier": broken, "planner": broken})
    state = await together(SUM, context_of(root, script, "down"))
    assert state.status == "error" and not state.final_answer and state.failure is not None
    assert all(one.status == "error" for one in state.findings.values())
    assert "down" in state.failure.what


async def test_if_no_engine_has_an_answer_none_is_made_up(root: Path) -> None:
    script = Talker(direct="I do not know.", sample="I cannot answer this.")
    state = await together("Who was the king of Xarn?", context_of(root, script, "nothing"))
    assert state.status in ("could_not",) and state.failure is None
    assert not state.agreements


async def test_one_call_is_all_that_may_be_spent(root: Path) -> None:
    script = Talker()
    state = await together(SUM, context_of(root, script, "poor", collective__max_calls=1))
    assert len(script.asked) == 1 and state.usage.calls <= 1
    assert any("all 1 calls the engines share" in note for note in state.notes)
    assert state.status in ("uncertain", "could_not", "error")


async def test_too_few_tokens_for_one_call_make_none(root: Path) -> None:
    script = Talker()
    state = await together(SUM, context_of(root, script, "broke", collective__max_tokens=10))
    assert not script.asked and not state.final_answer
    assert state.status in ("error", "could_not")
    assert any("of the 10 the engines share" in note for note in state.notes)


async def test_a_look_needs_no_tokens(root: Path) -> None:
    state = await together(LINES, context_of(root, Talker(), "frugal", collective__max_tokens=10))
    assert (state.status, state.final_answer) == ("answered", "a.txt has 2 lines.")


async def test_an_engine_that_hangs_is_ended_by_the_time_all_share(root: Path) -> None:
    script = Talker(direct={"delay": 60, "reply": "9"})
    state = await together(LINES, context_of(root, script, "hangs", collective__run_timeout_sec=3))
    assert state.findings["direct"].status == "error" and state.final_answer == "a.txt has 2 lines."
    assert "3 s" in state.findings["direct"].notes[0]


async def test_two_runs_in_one_process_share_nothing(root: Path) -> None:
    one = context_of(root, Talker(direct="It is 17.", sample="Answer: 17"), "one")
    other = context_of(
        root, Talker(direct="It is 31.", sample="Answer: 31"), "other", collective__max_calls=40
    )
    states = await asyncio.gather(
        *(together_kept(SUM, context, name) for name, context in (("a", one), ("b", other)))
    )
    assert [re.findall(r"\d+", str(state["short_answer"])) for state in states] == [["17"], ["31"]]


async def together_kept(goal: str, context: RunContext, thread: str) -> Values:
    config: Any = {"configurable": {"thread_id": thread}}
    return dict(await build(saver()).ainvoke({"goal": goal}, config, context=context))


async def test_a_thread_that_is_asked_again_begins_anew(root: Path) -> None:
    graph, config = build(saver()), {"configurable": {"thread_id": "t"}}
    context = context_of(root, Talker(), "again")
    await graph.ainvoke({"goal": LINES}, config, context=context)  # type: ignore[arg-type]  # a config
    values = await graph.ainvoke({"goal": SUM}, config, context=context)  # type: ignore[arg-type]  # as above
    state = CollectiveState.model_validate(values)
    assert state.short_answer == "9" and {one.question for one in state.findings.values()} == {SUM}
    refused = await graph.ainvoke({"goal": "  "}, config, context=context)  # type: ignore[arg-type]  # as above
    assert refused["status"] == "error" and not refused["findings"] and not refused["final_answer"]


class Asked:
    """A thread in which something is asked, and what is there after each answer."""

    def __init__(self, root: Path, script: Talker, **settings: Any) -> None:
        self.root, self.script = root, script
        self.context = context_of(root, script, "asked", **settings)
        self.graph = build(saver())
        self.config: Any = {"configurable": {"thread_id": "t"}}

    async def run(self, given: Any) -> Values:
        return dict(await self.graph.ainvoke(given, self.config, context=self.context, durability="sync"))

    def question(self, values: Values) -> dict[str, Any]:
        [interrupt] = values["__interrupt__"]
        return dict(interrupt.value)


async def test_a_change_is_made_once_by_the_engine_that_has_tools_and_only_when_allowed(root: Path) -> None:
    here = Asked(root, Talker(direct="Done.", sample="Answer: done", rest=CHANGING))
    values = await here.run({"goal": CHANGE})
    assert here.question(values)["tool"] == "write_file" and not (root / "notes.txt").exists()
    before = list(here.script.asked)
    state = CollectiveState.model_validate(await here.run(Command(resume={"decision": "approve"})))
    assert (root / "notes.txt").read_text() == "hi"
    assert (state.status, state.chosen) == ("answered", "reflective") and "notes.txt" in state.final_answer
    # Engines that had answered are not asked again.
    again = here.script.asked[len(before) :]
    assert not set(again) & {"direct", "sample"}
    (root / "notes.txt").unlink()
    assert (await here.run(None))["status"] == "answered" and not (root / "notes.txt").exists()


async def test_a_change_that_is_rejected_is_not_made_nor_claimed(root: Path) -> None:
    here = Asked(root, Talker(direct="I have created notes.txt.", sample="Answer: created", rest=CHANGING))
    await here.run({"goal": CHANGE})
    state = CollectiveState.model_validate(
        await here.run(Command(resume={"decision": "reject", "reason": "no"}))
    )
    assert state.status == "could_not" and not (root / "notes.txt").exists()
    assert "I have created" not in state.final_answer


async def test_an_ambiguous_question_is_asked_about_and_the_answer_binds(root: Path) -> None:
    readings = ["the bank of the river", "the bank that keeps money"]
    asked = {"question": "How far is it to the bank?", "readings": readings}
    script = Talker(
        direct="It is 1 km.",
        sample=lambda prompt: "Answer: 2 km" if "keeps money" in prompt else "Answer: 1 km",
        rest={"planner": asked},
    )
    here = Asked(root, script, contractive__normalize="model", contractive__clarify=True)
    values = await here.run({"goal": "How far is it to the bank?"})
    question = here.question(values)
    assert question["readings"][:2] == readings
    directs = script.asked.count("direct")
    state = CollectiveState.model_validate(await here.run(Command(resume={"reading": "2"})))
    assert state.findings["contractive"].short == "2 km" and script.asked.count("direct") == directs


async def test_a_run_that_is_drained_goes_on_where_it_stood(root: Path) -> None:
    script = Talker(direct={"delay": 5, "reply": "It is 9."})
    here = Asked(root, script)
    control = RunControl()

    async def drain() -> None:
        while "sample" not in script.asked or "direct" not in script.asked:
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.3)
        control.request_drain("SIGTERM")

    draining = asyncio.ensure_future(drain())
    with pytest.raises(GraphDrained):
        await here.graph.ainvoke(
            {"goal": SUM}, here.config, context=here.context, durability="sync", control=control
        )
    await draining
    samples = script.asked.count("sample")
    assert samples >= 4 and not budgets._OPEN
    script.direct = "Answer: 9"
    values = await here.run(None)
    assert values["short_answer"] == "9" and script.asked.count("sample") == samples


async def test_events_of_engines_come_by_namespace(root: Path) -> None:
    context = context_of(root, Talker(), "streamed")
    modes: Any = ["custom", "updates", "messages"]
    owners: dict[str, str] = {}
    kinds: dict[str, set[str]] = {}
    said: dict[str, str] = {}
    async for namespace, mode, chunk in workflow.astream(  # type: ignore[misc]  # with subgraphs, three parts
        {"goal": SUM}, context=context, stream_mode=modes, subgraphs=True
    ):
        if mode == "custom" and chunk["kind"] == "child":
            assert not namespace
            owners[chunk["namespace"]] = chunk["id"]
        elif mode == "custom" and namespace:
            kinds.setdefault(owners[namespace[0]], set()).add(chunk["kind"])
        elif mode == "messages":
            whose = owners[namespace[0]] if namespace else chunk[1]["langgraph_node"]
            said[whose] = said.get(whose, "") + chunk[0].text
    assert sorted(owners.values()) == ["contractive", "direct", "reflective"]
    assert kinds["contractive"] == {"contractive"} and "answer" in kinds["reflective"]
    assert set(said) == {"contractive", "direct", "reflective"} and said["direct"] == "Answer: 9"


async def test_a_graph_that_is_not_streamed_with_subgraphs_tells_its_own_events_only(root: Path) -> None:
    context = context_of(root, Talker(), "plain")
    events = [part async for part in workflow.astream({"goal": SUM}, context=context, stream_mode="custom")]
    assert {event["kind"] for event in events} == {"child", "child_done"}
