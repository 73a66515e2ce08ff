"""Runs that change files: asked about, made once, and told truly."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from graph.reflective import Reflective, build
from memory.effects import EffectJournal
from models.scripted import Script, register_script
from nodes.reflective.context import RunContext
from nodes.reflective.state import ReasoningState

GOAL = "create the file notes.txt and edit a.txt to say bye"
WRITE = {
    "description": "write",
    "tool": "write_file",
    "args": {"path": "notes.txt", "content": "hi\n"},
}
EDIT = {
    "description": "edit",
    "tool": "edit_file",
    "args": {"path": "a.txt", "old": "hello", "new": "bye"},
}
PASSED = {"passed": True, "reason": "done", "confidence": 0.9}


class World(NamedTuple):
    """A project, a graph over it, and a thread of its own."""

    root: Path
    graph: Reflective
    config: RunnableConfig
    name: str

    def context(self, approval: Any = "ask", **more: Any) -> RunContext:
        settings = {"experience.enabled": False, "traces.enabled": False}
        return RunContext(
            root=str(self.root), model=f"scripted:{self.name}", approval=approval, settings=settings, **more
        )

    async def run(self, given: Any, approval: Any = "ask", **more: Any) -> dict[str, Any]:
        return dict(await self.graph.ainvoke(given, self.config, context=self.context(approval, **more)))

    async def ask(self, goal: str = GOAL, approval: Any = "ask", **more: Any) -> dict[str, Any]:
        return await self.run({"goal": goal}, approval, **more)

    async def answer(self, decision: Any, approval: Any = "ask") -> dict[str, Any]:
        return await self.run(Command(resume=decision), approval)

    def files(self) -> dict[str, str]:
        return {path.name: path.read_text() for path in self.root.iterdir() if path.is_file()}


Worlds = Callable[..., World]


@pytest.fixture
def world(tmp_path: Path, request: pytest.FixtureRequest) -> Worlds:
    def make(*steps: dict[str, Any], verifier: Any = PASSED) -> World:
        plan = {"objective": "x", "steps": list(steps or (WRITE, EDIT))}
        name = request.node.name
        register_script(name, Script(roles={"planner": [plan], "verifier": [verifier]}, repeat_last=True))
        root = tmp_path / "project"
        root.mkdir()
        (root / "a.txt").write_text("hello\n")
        return World(root, build(InMemorySaver()), {"configurable": {"thread_id": name}}, name)

    return make


def question(values: dict[str, Any]) -> dict[str, Any]:
    [interrupt] = values["__interrupt__"]
    return dict(interrupt.value)


def ended(values: dict[str, Any]) -> ReasoningState:
    assert "__interrupt__" not in values
    return ReasoningState.model_validate(values)


async def test_nothing_is_changed_before_somebody_says_yes(world: Worlds) -> None:
    here = world()
    asked = question(await here.ask())
    assert here.files() == {"a.txt": "hello\n"}
    assert (asked["tool"], asked["args"], asked["step"]) == ("write_file", WRITE["args"], 1)
    assert "+hi" in asked["preview"] and asked["decisions"] == ["approve", "edit", "reject", "always"]
    asked = question(await here.answer({"decision": "approve"}))
    assert here.files() == {"a.txt": "hello\n", "notes.txt": "hi\n"}
    assert "-hello\n+bye" in asked["preview"]
    state = ended(await here.answer({"decision": "approve"}))
    assert here.files() == {"a.txt": "bye\n", "notes.txt": "hi\n"}
    assert (state.status, state.stop_reason) == ("answered", "success")
    assert state.final_answer == "Done:\n- write_file notes.txt\n- edit_file a.txt"


async def test_an_edited_change_is_the_one_that_is_made_and_told(world: Worlds) -> None:
    here = world(WRITE)
    await here.ask("create notes.txt")
    args = {"path": "notes.txt", "content": "mine\n"}
    asked = question(await here.answer({"decision": "edit", "args": args}))
    assert "+mine" in asked["preview"] and "notes.txt" not in here.files()
    state = ended(await here.answer("approve"))
    assert here.files()["notes.txt"] == "mine\n"
    assert state.plan is not None and state.plan.steps[0].tool_call is not None
    assert state.plan.steps[0].tool_call.args == args and "+mine" in state.evidence[0].text


async def test_an_edit_that_leads_out_of_the_root_is_refused(world: Worlds) -> None:
    here = world(WRITE)
    await here.ask("create notes.txt")
    args = {"path": "../out.txt", "content": "mine\n"}
    asked = question(await here.answer({"decision": "edit", "args": args}))
    assert "outside" in asked["problem"] and not (here.root.parent / "out.txt").exists()
    assert ended(await here.answer("approve")).status == "answered"
    assert here.files()["notes.txt"] == "hi\n"


async def test_a_rejection_ends_the_run_and_says_what_was_changed_before(world: Worlds) -> None:
    here = world()
    await here.ask()
    await here.answer({"decision": "approve"})
    state = ended(await here.answer({"decision": "reject", "reason": "not that file"}))
    assert (state.status, state.stop_reason) == ("could_not", "user_abort")
    assert "not that file" in (state.final_answer or "")
    assert "What was changed before:\n- write_file notes.txt" in (state.final_answer or "")
    assert here.files()["a.txt"] == "hello\n" and state.reflection_attempts == []


async def test_always_holds_for_the_tool_in_this_run_only(world: Worlds) -> None:
    other = {**WRITE, "args": {"path": "b.txt", "content": "b\n"}}
    here = world(WRITE, other, EDIT)
    goal = "create the files notes.txt and b.txt, edit a.txt"
    await here.ask(goal)
    asked = question(await here.answer({"decision": "always"}))
    assert asked["tool"] == "edit_file" and {"notes.txt", "b.txt"} <= set(here.files())
    ended(await here.answer({"decision": "approve"}))
    for name in ("notes.txt", "b.txt"):
        (here.root / name).unlink()
    assert question(await here.ask(goal))["tool"] == "write_file"


async def test_approval_of_what_has_changed_since_is_asked_for_again(world: Worlds) -> None:
    here = world(EDIT)
    await here.ask("edit a.txt to say bye")
    (here.root / "a.txt").write_text("hello, you\n")
    asked = question(await here.answer({"decision": "approve"}))
    assert "changed since" in asked["problem"] and "hello, you" in asked["preview"]
    assert here.files() == {"a.txt": "hello, you\n"}
    state = ended(await here.answer({"decision": "reject"}))
    # The first answer was a yes to something else; the last word counts.
    assert state.stop_reason == "user_abort" and here.files() == {"a.txt": "hello, you\n"}


@pytest.mark.parametrize("answer", ["yes, sure", {"decision": "maybe"}, ["approve"], 7])
async def test_an_answer_that_is_none_changes_nothing_and_is_asked_for_again(
    world: Worlds, answer: Any
) -> None:
    here = world(WRITE)
    await here.ask("create notes.txt")
    asked = question(await here.answer(answer))
    assert "could not be read" in asked["problem"]
    assert here.files() == {"a.txt": "hello\n"}
    state = ended(await here.answer({"decision": "approve"}))
    assert state.status == "answered" and here.files()["notes.txt"] == "hi\n"


async def test_a_dry_run_shows_the_changes_and_makes_none(world: Worlds) -> None:
    here = world()
    state = ended(await here.ask(approval="dry_run"))
    assert (state.status, state.stop_reason) == ("partial", "dry_run")
    assert EffectJournal(here.root / ".reflect" / "effects.sqlite").of_thread(here.name) == []
    assert "+hi" in (state.final_answer or "") and "nothing was changed" in (state.final_answer or "")
    assert here.files() == {"a.txt": "hello\n"}


async def test_without_asking_all_is_done(world: Worlds) -> None:
    here = world()
    state = ended(await here.ask(approval="yes"))
    assert state.status == "answered" and here.files() == {"a.txt": "bye\n", "notes.txt": "hi\n"}


async def test_a_change_that_fails_is_no_success(world: Worlds) -> None:
    missing = {**EDIT, "args": {**EDIT["args"], "old": "absent"}}
    here = world(WRITE, missing)
    state = ended(await here.ask(approval="yes"))
    assert state.status == "could_not" and "- write_file notes.txt" in (state.final_answer or "")
    assert here.files() == {"a.txt": "hello\n", "notes.txt": "hi\n"}


async def test_a_question_never_leads_to_a_change_whatever_the_planner_writes(world: Worlds) -> None:
    here = world(WRITE)
    state = ended(await here.ask("which captain's ship is moored in notes.txt by flag?", approval="yes"))
    assert state.status != "answered" and here.files() == {"a.txt": "hello\n"}


async def test_the_safe_profile_changes_nothing(world: Worlds) -> None:
    here = world()
    state = ended(await here.ask(approval="yes", profile="safe"))
    assert state.status != "answered" and here.files() == {"a.txt": "hello\n"}


@pytest.mark.parametrize("edited", [False, True])
async def test_a_fork_is_a_new_intent_and_says_so(world: Worlds, edited: bool) -> None:
    append = {
        "description": "append",
        "tool": "edit_file",
        "args": {"path": "a.txt", "old": "hello", "new": "hello!"},
    }
    here = world(append)
    ended(await here.ask("edit a.txt to say hello!", approval="yes"))
    assert here.files() == {"a.txt": "hello!\n"}
    history = [state async for state in here.graph.aget_state_history(here.config)]
    before = next(state for state in history if state.next == ("execute",))
    config = before.config
    if edited:
        config = await here.graph.aupdate_state(config, {"notes": ["forked"]}, as_node="plan")
    values = await here.graph.ainvoke(None, config, context=here.context("yes"))
    state = ended(dict(values))
    assert here.files() == {"a.txt": "hello!!\n"}
    assert any("branched off an earlier point and did it anew" in note for note in state.notes)
    journal = EffectJournal(here.root / ".reflect" / "effects.sqlite")
    effects = journal.of_thread(here.name)
    assert [effect.state for effect in effects] == ["done", "done"]
    assert effects[0].repeats is None and effects[1].repeats == effects[0].finished


async def test_always_does_not_hold_for_what_a_fork_repeats(world: Worlds) -> None:
    here = world(WRITE, {**WRITE, "args": {"path": "b.txt", "content": "b\n"}})
    await here.ask("create the files notes.txt and b.txt")
    ended(await here.answer("always"))
    (here.root / "b.txt").unlink()
    history = [state async for state in here.graph.aget_state_history(here.config)]
    before = next(state for state in history if state.values.get("current_step_index") == 1)
    values = await here.graph.ainvoke(None, before.config, context=here.context())
    assert question(dict(values))["args"]["path"] == "b.txt" and "b.txt" not in here.files()


async def test_a_node_that_runs_again_does_not_repeat_its_effect(
    world: Worlds, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process dies after the effect and before the checkpoint: the journal knows."""
    here = world(EDIT)

    class Died(BaseException):
        pass

    async def dies(*_: Any) -> None:
        raise Died

    with monkeypatch.context() as patched:
        patched.setattr("nodes.reflective.execute.record", dies)
        with pytest.raises(Died):
            await here.ask("edit a.txt to say bye", approval="yes")
    assert here.files() == {"a.txt": "bye\n"}
    state = ended(await here.run(None, "yes"))
    assert state.status == "answered" and here.files() == {"a.txt": "bye\n"}
    assert any("not repeated" in note for note in state.notes)


async def test_an_answer_that_was_sent_before_the_question_counts_for_nothing(world: Worlds) -> None:
    here = world(WRITE)
    graph = here.graph
    await graph.ainvoke(
        {"goal": "create notes.txt"}, here.config, context=here.context(), interrupt_after=["plan"]
    )
    asked = question(await here.answer("approve"))
    assert "came before the question" in asked["problem"] and here.files() == {"a.txt": "hello\n"}
    assert ended(await here.answer("approve")).status == "answered"


async def test_an_approval_is_not_taken_for_another_change(world: Worlds) -> None:
    here = world(WRITE)
    await here.ask("create notes.txt")
    state = await here.graph.aget_state(here.config)
    plan = state.values["plan"]
    plan["steps"][0]["tool_call"] = {"tool": "delete", "args": {"path": "a.txt"}}
    await here.graph.aupdate_state(here.config, {"plan": plan}, as_node="plan")
    asked = question(await here.answer("approve"))
    assert asked["tool"] == "delete" and here.files() == {"a.txt": "hello\n"}


async def test_an_answer_to_an_earlier_question_is_asked_for_again(world: Worlds) -> None:
    here = world(EDIT)
    first = question(await here.ask("edit a.txt to say bye"))
    (here.root / "a.txt").write_text("hello, you\n")
    again = question(await here.answer("approve"))
    asked = question(await here.answer({"decision": "approve", "fingerprint": first["fingerprint"]}))
    assert "another question" in asked["problem"] and here.files() == {"a.txt": "hello, you\n"}
    done = await here.answer({"decision": "approve", "fingerprint": again["fingerprint"]})
    assert ended(done).status == "answered" and here.files() == {"a.txt": "bye, you\n"}


async def test_what_was_put_again_is_what_the_answer_is_about(world: Worlds) -> None:
    here = world(EDIT)
    await here.ask("edit a.txt to say bye")
    (here.root / "a.txt").write_text("hello, you\n")
    assert "hello, you" in question(await here.run(None))["preview"]
    (here.root / "a.txt").write_text("hello\n")
    asked = question(await here.answer("approve"))
    assert "changed since" in asked["problem"] and here.files() == {"a.txt": "hello\n"}


async def test_the_answer_names_what_failed_plans_changed(world: Worlds) -> None:
    broken = {
        "description": "run",
        "tool": "python",
        "args": {"code": "open('made.txt', 'w').close(); raise SystemExit(1)"},
    }
    here = world(broken)
    state = ended(await here.ask("run the script and create made.txt", approval="yes"))
    assert state.status == "could_not" and (here.root / "made.txt").exists()
    assert "- python (1 lines) (perhaps, or in part)" in (state.final_answer or "")
    assert "Nothing was changed" not in (state.final_answer or "")


async def test_the_same_goal_anew_is_no_fork(world: Worlds) -> None:
    here = world(WRITE)
    ended(await here.ask("create notes.txt", approval="yes"))
    (here.root / "notes.txt").unlink()
    state = ended(await here.ask("create notes.txt", approval="yes"))
    assert here.files()["notes.txt"] == "hi\n"
    assert not any("branched off" in note for note in state.notes)


async def test_a_change_nobody_could_judge_is_shown_not_claimed(
    world: Worlds, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("models.roles.RoleModels.can_judge", lambda _, role: role == "planner")
    here = world(WRITE)
    state = ended(await here.ask("create notes.txt", approval="yes"))
    assert (state.status, state.stop_reason) == ("partial", "partial_success")
    assert "for you to judge" in (state.final_answer or "") and "notes.txt" in here.files()


async def test_what_was_made_before_a_dry_run_is_told_apart(world: Worlds) -> None:
    here = world()
    await here.ask()
    await here.answer("approve")
    state = ended(await here.answer("approve", approval="dry_run"))
    assert here.files() == {"a.txt": "hello\n", "notes.txt": "hi\n"}
    answer = state.final_answer or ""
    assert answer.startswith("Done:\n- write_file notes.txt\nThis would be done:\n- edit_file a.txt")
    assert "nothing was changed" not in answer


async def test_every_word_of_a_program_is_shown(world: Worlds) -> None:
    here = world({"description": "tidy up", "tool": "run", "args": {"argv": ["rm", "-rf", "a b"]}})
    asked = question(await here.ask("run the tidying script"))
    assert asked["preview"] == "rm -rf 'a b'" and asked["argv"] == ["rm", "-rf", "a b"]


WRONG = {"description": "edit", "tool": "edit_file", "args": {"path": "a.txt", "old": "hullo", "new": "bye"}}


def looping(here: World, *replies: Any) -> World:
    """The same world with a planner that words failed steps anew in the loop."""
    planner = [{"objective": "x", "steps": [WRITE, WRONG]}, *replies]
    register_script(here.name, Script(roles={"planner": planner, "verifier": [PASSED]}, repeat_last=True))
    return here


async def test_the_loop_words_a_change_anew_that_changed_nothing_and_asks_about_it(world: Worlds) -> None:
    here = looping(world(), EDIT)
    first = question(await here.ask(strategy="loop_v1"))
    assert first["tool"] == "write_file"
    context = here.context(strategy="loop_v1")
    values = await here.graph.ainvoke(Command(resume="approve"), here.config, context=context)
    second = question(values)
    assert second["args"] == EDIT["args"] and here.files() == {"a.txt": "hello\n", "notes.txt": "hi\n"}
    final = ended(await here.graph.ainvoke(Command(resume="approve"), here.config, context=context))
    assert (final.status, here.files()["a.txt"]) == ("answered", "bye\n")
    # The planner was asked for the plan and for the step, and for neither again when the answers came.
    assert final.usage["planner"].calls == 2 and final.plan is not None
    assert [one.call.args["old"] for one in final.plan.steps[1].tries] == ["hullo"]


async def test_the_loop_runs_no_program_again_that_failed(world: Worlds) -> None:
    code = {"code": "open('log.txt', 'a').write('x'); raise SystemExit(3)"}
    failing = {"description": "run", "tool": "python", "args": code}
    other = {"description": "run", "tool": "python", "args": {"code": "print(1)"}}
    here = world()
    planner = [{"objective": "x", "steps": [WRITE, EDIT, failing]}, other]
    register_script(here.name, Script(roles={"planner": planner, "verifier": [PASSED]}))
    final = ended(await here.ask(approval="yes", strategy="loop_v1"))
    assert (final.status, final.stop_reason) == ("could_not", "max_reflections")
    assert here.files()["log.txt"] == "x" and final.usage["planner"].calls == 1


async def test_the_check_of_a_stated_change_is_told_in_a_sentence(world: Worlds) -> None:
    here = world()
    state = ended(await here.ask("delete a.txt", approval="yes"))
    assert state.status == "answered" and "a.txt" not in here.files()
    done, checked = (state.final_answer or "").rsplit("\n", 1)
    assert done == "Done:\n- delete a.txt"
    assert checked.startswith("Checked: `find ") and checked.endswith("` prints nothing, as it should.")
