"""Pruning and forking, killed at any moment, while threads stand at every step or wait for an approval.

Each trial copies a project with such threads, kills a process that prunes it or forks one of them, and looks:

- unopened: the database cannot be opened, or a thread is gone;
- other_end: a thread that is resumed comes to another end than without pruning;
- half_forks: a fork that is there, and not whole; source_changed: the thread it was forked from is another.
"""

from __future__ import annotations

import asyncio
import json
import random
import shutil
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from langchain_core.runnables import RunnableConfig

from configs.settings import Settings
from evals.crash_runs import GOAL, lay_out, script
from evals.killing import in_child
from graph.forking import fork_thread
from graph.reflective import build
from memory.checkpoints import open_project_checkpointer
from memory.thread_history import Moment, newest_moment, thread_history
from memory.threads import prune_checkpoints
from models.scripted import Script, register_script
from nodes.reflective.context import RunContext

SETTINGS = Settings()
BAD = ("unopened", "other_end", "half_forks", "source_changed")
DONE, WAITING = "done", "waiting"
RESUMED = 2
"""Threads resumed after each kill."""

_CHANGE = "make a directory named made"
_CHANGES = {"limits": {"reflections": {"moderate": 1}, "iterations": 30, "verify": "all"}}


def context(root: Path) -> RunContext:
    """Scripted models, no memory; changes are asked about."""
    register_script("threads", script())
    steps = [{"description": "make it", "tool": "make_dir", "args": {"path": "made"}}]
    planner = {"objective": _CHANGE, "steps": steps}
    verdict = {"passed": True, "reason": "done", "confidence": 1.0}
    register_script(WAITING, Script(roles={"planner": [planner], "verifier": [verdict]}, repeat_last=True))
    return RunContext(
        root=str(root),
        model="scripted:threads",
        settings={"experience.enabled": False, "traces.enabled": False},
    )


async def go_on(root: Path, thread: str, goal: str | None) -> str:
    """Begin a thread or go on with it; what it says in the end, or what it asks."""
    config: RunnableConfig = {"configurable": {"thread_id": thread}}
    chosen = context(root)
    if thread == WAITING:
        chosen = chosen.model_copy(update={"model": f"scripted:{WAITING}"})
    async with open_project_checkpointer(root, SETTINGS) as saver:
        given: Any = None if goal is None else {"goal": goal}
        await build(saver).ainvoke(given, config, context=chosen, durability="sync")
        moment = await newest_moment(saver, thread)
    assert moment is not None
    return json.dumps([moment.standing, moment.values.get("final_answer")])


async def prepare(root: Path) -> None:
    """A finished thread, one that waits, and copies of the first that stand at each of its steps."""
    lay_out(root)
    await go_on(root, DONE, GOAL)
    await go_on(root, WAITING, _CHANGE)
    async with open_project_checkpointer(root, SETTINGS) as saver:
        for moment in await thread_history(saver, DONE):
            await fork_thread(saver, root, DONE, moment.checkpoint_id, f"at-{moment.step}")


def ends(root: Path, names: list[str]) -> dict[str, str]:
    """What each thread says when it is resumed, in processes of their own."""
    found = {}
    for name in names:
        report = root.parent / "end.json"
        report.unlink(missing_ok=True)

        def resume(name: str = name, report: Path = report) -> None:
            report.write_text(asyncio.run(go_on(root, name, None)))

        in_child(resume, None)
        found[name] = report.read_text() if report.exists() else "failed"
    return found


async def _histories(root: Path) -> dict[str, list[Moment]]:
    async with open_project_checkpointer(root, SETTINGS) as saver:
        return {head.thread: await thread_history(saver, head.thread) for head in await saver.heads()}


async def _fork(root: Path, step: int, changes: dict[str, Any]) -> None:
    async with open_project_checkpointer(root, SETTINGS) as saver:
        await fork_thread(saver, root, DONE, str(step), "new", changes)


def _told(moment: Moment) -> str:
    return json.dumps([moment.step, moment.next, moment.values], sort_keys=True)


def prune_trial(
    root: Path, seconds: float | None, rng: random.Random, expected: dict[str, str]
) -> Counter[str]:
    """Kill a process that prunes, then resume some threads."""
    verdict: Counter[str] = Counter()
    ended, _ = in_child(lambda: asyncio.run(prune_checkpoints(root, SETTINGS)), seconds)
    verdict["kills"] += not ended
    try:
        verdict["unopened"] += set(asyncio.run(_histories(root))) != set(expected)
    except Exception as error:  # whatever opening raises is what is counted
        verdict["unopened"] += 1
        verdict[f"error {error}"] += 1
        return verdict
    for name, said in ends(root, rng.sample(sorted(expected), RESUMED)).items():
        verdict["other_end"] += said != expected[name]
    return verdict


def fork_trial(
    root: Path, seconds: float | None, step: int, changes: dict[str, Any], whole: str
) -> Counter[str]:
    """Kill a process that forks, and look whether the fork is whole or not there."""
    verdict: Counter[str] = Counter()
    before = asyncio.run(_histories(root))[DONE]
    ended, _ = in_child(lambda: asyncio.run(_fork(root, step, changes)), seconds)
    verdict["kills"] += not ended
    after = asyncio.run(_histories(root))
    verdict["source_changed"] += after[DONE] != before
    made = after.get("new")
    if made is None:
        verdict["no_fork"] += 1
        verdict["half_forks"] += ended
        asyncio.run(_fork(root, step, changes))
        made = asyncio.run(_histories(root))["new"]
    verdict["half_forks"] += len(made) != 1 or _told(made[0]) != whole
    return verdict


def threads(kills: int, seed: int) -> dict[str, Any]:
    """Run trials until that many processes were killed, half of them at pruning."""
    rng = random.Random(seed)
    total: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as name:
        template, calm = Path(name) / "template", Path(name) / "calm" / "project"
        in_child(lambda: asyncio.run(prepare(template)), None)
        names = sorted(asyncio.run(_histories(template)))
        # The same place for all: a root of another name would be told in other words.
        calm.parent.mkdir()
        shutil.copytree(template, calm)
        expected = ends(calm, names)
        if "failed" in expected.values():
            raise RuntimeError(f"a thread does not come to its end even when nothing is killed: {expected}")
        forkable = [moment.step for moment in asyncio.run(_histories(template))[DONE] if moment.step > 0][:-1]
        trials = 0
        while total["kills"] < kills:
            root = Path(name) / "trial" / "project"
            shutil.rmtree(root.parent, ignore_errors=True)
            shutil.copytree(template, root)
            step = rng.choice(forkable)
            changes = rng.choice([{}, _CHANGES])
            sample = Path(name) / "sample" / "project"
            shutil.rmtree(sample.parent, ignore_errors=True)
            shutil.copytree(template, sample)
            pruning = bool(trials % 2)
            if pruning:
                _, usual = in_child(lambda: asyncio.run(prune_checkpoints(sample, SETTINGS)), None)  # noqa: B023
                total += prune_trial(root, rng.uniform(0, usual), rng, expected)
            else:
                _, usual = in_child(lambda: asyncio.run(_fork(sample, step, changes)), None)  # noqa: B023
                whole = _told(asyncio.run(_histories(sample))["new"][0])
                total += fork_trial(root, rng.uniform(0, usual), step, changes, whole)
            trials += 1
    return {
        "seed": seed,
        "trials": trials,
        "kills": total["kills"],
        "forks_not_begun": total["no_fork"],
        **{name: total[name] for name in BAD},
        "ends": Counter(json.loads(said)[0] for said in expected.values() if said != "failed"),
        "errors": [name for name in total if name.startswith("error")],
    }
