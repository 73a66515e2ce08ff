"""Threads as Studio handles them: looked back into, forked, edited, joined, cancelled, run twice at once."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from langgraph_sdk.client import LangGraphClient
from langgraph_sdk.errors import ConflictError, NotFoundError

from tests.integration.langgraph_server.conftest import scripted
from tests.support.processes import wait_until
from tests.tools.places import living

pytestmark = pytest.mark.integration
GOAL = "How many lines does data/ships.csv have?"
OTHER = "Which python file has the most lines?"
SUM = "which captain's ship is Boreas moored with, judging by flag, in data/ships.csv"


def summing(hole: str) -> dict[str, list[Any]]:
    """A plan whose last step takes for ever, as long as its file is as large as `held` makes it."""
    steps = [
        {"description": "find the ship", "command": "grep Boreas data/ships.csv"},
        {"description": "sum", "command": f"sha256sum data/ships.csv {hole}"},
    ]
    return {
        "classifier": [{"complexity": "moderate"}],
        "planner": [{"objective": "look", "steps": steps}],
        "worker": [f"data/ships.csv and {hole} were summed."],
        "verifier": [{"passed": True, "reason": "so it says", "confidence": 0.9}],
    }


def held(project: Path, hole: str) -> None:
    with (project / hole).open("wb") as stream:
        stream.truncate(2**36)


async def answered(client: LangGraphClient, project: Path, goal: str = GOAL) -> tuple[str, Any]:
    thread = (await client.threads.create())["thread_id"]
    context: Any = {"root": str(project), "model": "embedded"}
    final: Any = await client.runs.wait(thread, "reflective", input={"goal": goal}, context=context)
    assert final["status"] == "answered", final["final_answer"]
    return thread, context


async def test_a_fork_from_a_checkpoint_goes_on_from_there_and_leaves_its_past(
    client: LangGraphClient, project: Path
) -> None:
    thread, context = await answered(client, project)
    history = await client.threads.get_history(thread, limit=50)
    before = next(state for state in history if state["next"] == ["classify"])
    forked = await client.threads.update_state(
        thread, {"goal": OTHER}, checkpoint=before["checkpoint"], as_node="__start__"
    )
    final: Any = await client.runs.wait(
        thread, "reflective", input=None, checkpoint=forked["checkpoint"], context=context
    )
    assert "src/harbour/cli.py, with 49 lines" in final["final_answer"]
    longer = await client.threads.get_history(thread, limit=50)
    kept = {state["checkpoint"]["checkpoint_id"] for state in longer}
    assert {state["checkpoint"]["checkpoint_id"] for state in history} <= kept and len(longer) > len(history)


async def test_a_state_edited_as_plain_json_is_run_as_edited(client: LangGraphClient, project: Path) -> None:
    thread, context = await answered(client, project, OTHER)
    history = await client.threads.get_history(thread, limit=50)
    planned = [state for state in history if state["next"] == ["execute"]][-1]
    values: Any = planned["values"]
    plan = values["plan"]
    call = {"tool": "wc", "args": {"lines": True, "paths": ["data/ships.csv"]}}
    plan["steps"] = [{"num": 1, "description": "count", "tool_call": call}]
    edited = await client.threads.update_state(thread, {"plan": plan}, checkpoint=planned["checkpoint"])
    final: Any = await client.runs.wait(
        thread, "reflective", input=None, checkpoint=edited["checkpoint"], context=context
    )
    shown = [one["command"] for one in final["evidence"]]
    assert shown and set(shown) == {"wc -l -- data/ships.csv"} and final["failure"] is None, shown


async def test_a_state_edited_to_nonsense_ends_in_words(client: LangGraphClient, project: Path) -> None:
    thread, context = await answered(client, project, OTHER)
    history = await client.threads.get_history(thread, limit=50)
    planned = next(state for state in history if state["next"] == ["execute"])
    for update in ({"plan": "nonsense"}, {"plan": {"steps": 7}}, {"current_step_index": -5}):
        try:
            edited = await client.threads.update_state(thread, update, checkpoint=planned["checkpoint"])
        except Exception as error:
            # Refused at once, with words: the thread is as it was.
            assert str(error)
            continue
        parts = [
            part
            async for part in client.runs.stream(
                thread, "reflective", input=None, checkpoint=edited["checkpoint"], context=context
            )
        ]
        state = await client.threads.get_state(thread)
        told: Any = state["values"]
        assert parts[-1].event == "error" or told["status"] in ("answered", "error", "could_not")
    await answered(client, project)


async def test_a_running_stream_is_joined_and_replayed(
    client: LangGraphClient, project: Path, tmp_path: Path
) -> None:
    model = scripted(tmp_path, {}, [{"delay": 0.4, "reply": "Answer: 8"}])
    thread = (await client.threads.create())["thread_id"]
    run = await client.runs.create(
        thread,
        "contractive",
        input={"question": "How many legs has a spider?"},
        context={"root": str(project), "model": model},
        stream_mode=["updates", "custom"],
        stream_resumable=True,
    )
    late = [part async for part in client.runs.join_stream(thread, run["run_id"])]
    again = [part async for part in client.runs.join_stream(thread, run["run_id"], last_event_id="-1")]
    nodes = [name for part in again if part.event == "updates" for name in part.data]
    assert late and nodes[0] == "begin" and nodes[-1] == "answer"
    state: Any = await client.threads.get_state(thread)
    assert (state["values"]["status"], state["values"]["short_answer"]) == ("answered", "8")


async def test_a_cancelled_run_takes_its_tools_along_and_its_thread_goes_on(
    client: LangGraphClient, project: Path, tmp_path: Path
) -> None:
    hole = "cancelled-hole.bin"
    held(project, hole)
    context: Any = {"root": str(project), "model": scripted(tmp_path, summing(hole))}
    thread = (await client.threads.create())["thread_id"]
    run = await client.runs.create(thread, "reflective", input={"goal": SUM}, context=context)
    assert await asyncio.to_thread(wait_until, 60, lambda: living(hole))
    await client.runs.cancel(thread, run["run_id"], wait=True)
    assert await asyncio.to_thread(wait_until, 10, lambda: not living(hole))
    assert (await client.runs.get(thread, run["run_id"]))["status"] == "interrupted"
    (project / hole).write_bytes(b"")
    final: Any = await client.runs.wait(thread, "reflective", input=None, context=context)
    assert (final["status"], final["stop_reason"]) == ("answered", "success"), final["final_answer"]
    assert [step["status"] for step in final["plan"]["steps"]] == ["success", "success"]


async def test_a_run_that_is_rolled_back_leaves_the_thread_as_it_was(
    client: LangGraphClient, project: Path, tmp_path: Path
) -> None:
    hole = "rolled-hole.bin"
    held(project, hole)
    thread, _ = await answered(client, project)
    before = await client.threads.get_history(thread, limit=50)
    context: Any = {"root": str(project), "model": scripted(tmp_path, summing(hole))}
    run = await client.runs.create(thread, "reflective", input={"goal": SUM}, context=context)
    assert await asyncio.to_thread(wait_until, 60, lambda: living(hole))
    await client.runs.cancel(thread, run["run_id"], wait=True, action="rollback")
    assert await asyncio.to_thread(wait_until, 10, lambda: not living(hole))

    async def restored() -> bool:
        after = await client.threads.get_history(thread, limit=50)
        return [state["checkpoint"] for state in after] == [state["checkpoint"] for state in before]

    for _ in range(50):
        if await restored():
            break
        await asyncio.sleep(0.1)
    assert await restored()


@pytest.mark.parametrize("strategy", ["reject", "enqueue", "interrupt", "rollback"])
async def test_two_runs_at_once_on_a_thread_do_as_the_second_says(
    client: LangGraphClient, project: Path, tmp_path: Path, strategy: Any
) -> None:
    hole = f"{strategy}-hole.bin"
    held(project, hole)
    context: Any = {"root": str(project), "model": scripted(tmp_path, summing(hole))}
    thread = (await client.threads.create())["thread_id"]
    first = await client.runs.create(thread, "reflective", input={"goal": SUM}, context=context)
    assert await asyncio.to_thread(wait_until, 60, lambda: living(hole))
    given: Any = {"input": {"goal": GOAL}, "context": context, "multitask_strategy": strategy}
    if strategy == "reject":
        with pytest.raises(ConflictError):
            await client.runs.create(thread, "reflective", **given)
        await client.runs.cancel(thread, first["run_id"], wait=True)
        assert await asyncio.to_thread(wait_until, 10, lambda: not living(hole))
        return
    second = await client.runs.create(thread, "reflective", **given)
    if strategy == "enqueue":
        assert (await client.runs.get(thread, second["run_id"]))["status"] == "pending" and living(hole)
        await client.runs.cancel(thread, first["run_id"], wait=True)
    await client.runs.join(thread, second["run_id"])
    assert await asyncio.to_thread(wait_until, 10, lambda: not living(hole))
    state: Any = await client.threads.get_state(thread)
    assert "data/ships.csv has" in state["values"]["final_answer"], state["values"]["final_answer"]
    assert state["next"] == []


async def test_a_thread_is_copied_and_deleted_whole(client: LangGraphClient, project: Path) -> None:
    thread, _ = await answered(client, project)
    await client.threads.copy(thread)
    copies = [one for one in await client.threads.search(limit=100) if one["thread_id"] != thread]
    state: Any = await client.threads.get_state(thread)
    same = [
        one["thread_id"]
        for one in copies
        if (await client.threads.get_state(one["thread_id"]))["values"] == state["values"]
    ]
    assert same
    await client.threads.delete(thread)
    with pytest.raises(NotFoundError):
        await client.threads.get(thread)
    kept: Any = await client.threads.get_state(same[0])
    assert kept["values"]["final_answer"] == state["values"]["final_answer"]


async def test_runs_without_a_thread_that_end_together_leave_all_other_threads(
    client: LangGraphClient, project: Path
) -> None:
    """The runtime's own deletions, two at a time, take threads nobody asked to delete."""
    context: Any = {"root": str(project), "model": "embedded"}
    before = {one["thread_id"] for one in await client.threads.search(limit=1000)}
    passing = [client.runs.wait(None, "reflective", input={"goal": GOAL}, context=context) for _ in range(10)]
    creating = [client.threads.create(metadata={"kept": "yes"}) for _ in range(10)]
    finals, created = await asyncio.wait_for(
        asyncio.gather(asyncio.gather(*passing), asyncio.gather(*creating)), 120
    )
    assert [final["status"] for final in finals] == ["answered"] * 10
    kept = {one["thread_id"] for one in created}

    async def left() -> set[str]:
        return {one["thread_id"] for one in await client.threads.search(limit=1000)} - before

    async with asyncio.timeout(20):
        # The deletion follows the answer.
        while len(await left()) > len(kept):
            await asyncio.sleep(0.1)
    assert await left() == kept
    await asyncio.gather(*(client.threads.delete(thread) for thread in sorted(kept)[::2]))
    assert await left() == set(sorted(kept)[1::2])
