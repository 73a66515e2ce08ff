"""Whatever happens in whichever node: an answer comes back that says so, and a passing trouble is sat out."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from configs.settings import GraphSettings, Settings
from graph.reflective import STRATEGIES
from graph.wiring import graph_of_all
from memory.effects import EffectJournal
from memory.errors import JournalUnusable
from models.errors import ModelFailed, ModelMissing, ModelTimeout
from models.scripted import Script, register_script
from nodes.errors import AfterChange, PlanInvalid
from nodes.reflective.context import RunContext
from nodes.reflective.retrying import worth_another_try
from nodes.reflective.state import ReasoningState
from nodes.reflective.time_limits import OWN_SECONDS, seconds_of
from tests.graph.broken_nodes import FAULTS, NODES, ROLES, answers_truly, transient
from tests.graph.test_reflective import GOAL, PASSED

# Every node with every fault: tests/integration/test_every_node_failure.py
CROSS = [(node, "it hangs") for node in NODES] + [("plan", fault) for fault in FAULTS if fault != "it hangs"]


@pytest.mark.parametrize(("node", "fault"), CROSS)
async def test_an_answer_comes_back_whatever_a_node_does(
    project: Path, node: str, fault: str, request: pytest.FixtureRequest
) -> None:
    await answers_truly(project, request.node.name, node, fault)


async def test_a_scripted_server_that_breaks_off_once_does_no_harm(
    project: Path, request: pytest.FixtureRequest
) -> None:
    roles = ROLES | {"verifier": [{"error": "lost"}, PASSED]}
    register_script("lost-once", Script(roles=roles))
    context = RunContext(
        root=str(project), model="scripted:lost-once", settings={"experience.enabled": False}
    )
    graph = graph_of_all(STRATEGIES, "graph_v30").compile()
    config: Any = {"configurable": {"thread_id": request.node.name}}
    state = ReasoningState.model_validate(await graph.ainvoke({"goal": GOAL}, config, context=context))
    assert (state.status, state.stop_reason) == ("answered", "success")


def locked() -> sqlite3.OperationalError:
    error = sqlite3.OperationalError("database is locked")
    error.sqlite_errorcode = sqlite3.SQLITE_BUSY_SNAPSHOT
    return error


def caused(error: Exception, cause: Exception) -> Exception:
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("error", "again"),
    [
        (transient(), True),
        (locked(), True),
        (caused(JournalUnusable("The journal is locked."), locked()), True),
        (ModelFailed("The model failed."), False),
        (ModelMissing("Not found."), False),
        (ModelTimeout("No answer."), False),
        (PlanInvalid("No step has a command."), False),
        (sqlite3.OperationalError("no such table: x"), False),
        (TimeoutError(), False),
        (KeyError("x"), False),
        (AfterChange(transient()), False),
        (AfterChange(locked()), False),
    ],
    ids=lambda value: type(value).__name__,
)
def test_only_what_passes_is_worth_another_try(error: Exception, again: bool) -> None:
    assert worth_another_try(error) is again


async def test_a_change_is_not_made_again_because_its_journal_was_locked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = "open('log.txt', 'a').write('x')"
    step = {"description": "run", "tool": "python", "args": {"code": code}}
    write = {"description": "write", "tool": "write_file", "args": {"path": "notes.txt", "content": "hi"}}
    edit = {"description": "edit", "tool": "write_file", "args": {"path": "a.txt", "content": "bye"}}
    plan = {"objective": "x", "steps": [step, write, edit]}
    register_script("locked-journal", Script(roles={"planner": [plan], "verifier": [PASSED]}))
    finished = []

    def fails(self: EffectJournal, *_: Any) -> None:
        finished.append(1)
        raise locked()

    monkeypatch.setattr(EffectJournal, "finish", fails)
    context = RunContext(
        root=str(tmp_path),
        model="scripted:locked-journal",
        approval="yes",
        settings={"experience.enabled": False},
    )
    goal = "create the file notes.txt and edit a.txt to say bye"
    graph = graph_of_all(STRATEGIES, "graph_v30").compile(checkpointer=InMemorySaver())
    config: Any = {"configurable": {"thread_id": "locked-journal"}}
    state = ReasoningState.model_validate(await graph.ainvoke({"goal": goal}, config, context=context))
    assert (state.status, state.stop_reason, len(finished)) == ("error", "error", 1)
    assert (tmp_path / "log.txt").read_text() == "x"
    assert state.final_answer is not None and "perhaps, or in part" in state.final_answer


def test_a_node_has_the_time_its_calls_may_take_or_what_the_setting_says() -> None:
    default = Settings()
    assert all(seconds_of(node, default) > OWN_SECONDS for node in NODES if node != "respond")
    slow = Settings.model_validate({"models": {"planner": {"timeout": 900.0}}})
    assert seconds_of("plan", slow) > 3 * 2 * 900
    long_steps = Settings(graph=GraphSettings(timeout_per_step=3600))
    assert seconds_of("execute", long_steps) > 3600
    set_by_hand = Settings(graph=GraphSettings(timeout_per_node=7))
    assert {seconds_of(node, set_by_hand) for node in NODES} == {7}
