"""Runs that read, reflect and verify, killed inside every node: what is lost, doubled, or done again.

A scripted planner writes a plan that fails, the critic explains it, the second plan reads two files, the
worker answers and the verifier passes it. Experience and traces are on; tools, sandbox and SQLite are real.
Each trial picks a step of the run at random and a moment within it, kills the process there, resumes, and
kills the resumed one too, four times in ten. The finished thread is held against one nobody killed:

- answer: another final answer, status or stop reason;
- lost_events, doubled_events: lines of the corpus or of the trace that are missing, or there twice;
- repeated_calls, repeated_tools: model calls and tool runs of steps whose result was saved already, and more
  of them in one process's visit of a step than the undisturbed run made.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.config import get_config

from evals.killing import in_child, kill_self_after
from graph.reflective import build
from memory.checkpoints import open_checkpointer
from memory.thread_history import newest_moment, thread_history
from models.scripted import Script, ScriptedChatModel, register_script
from nodes.reflective.context import RunContext
from nodes.reflective.state import ReasoningState
from tools.toolbox import Toolbox

GOAL = "which captain's ship is Boreas moored with, judging by flag, in data/ships.csv"
SHIPS = "name,length,flag\nBoreas,240,GR\nZephyr,95,NO\nMeltem,120,GR\n"
ANSWER = "Boreas flies the flag GR and is 240 long."
THREAD = "crash"
SECOND_KILL = 0.4
ATTEMPTS = 8
GLOBAL = ".reflect/global"
LATE = 1.15
"""How far beyond a step's usual duration a kill may fall: the end of a step is where its result is saved."""

BAD = ("answer", "lost_events", "doubled_events", "repeated_calls", "repeated_tools")


@dataclass(frozen=True)
class Kill:
    """Where a process kills itself: so many seconds after the step before was saved; -2 is its very start."""

    after_step: int
    seconds: float


@dataclass
class Ended:
    """What a finished thread left.

    Attributes:
        state: its last state.
        events: lines of both corpora and of the trace, without ids and times, in order.
        ids: the ids of these lines.
        calls: model calls and tool runs, each with process, step and what it was.
        nodes: the node that runs after each step.
        durations: seconds until the next step was saved, by step.
        saved: newest step that was saved when each killed process had died.
    """

    state: ReasoningState
    events: dict[str, list[tuple[Any, ...]]]
    ids: dict[str, list[str]]
    calls: list[dict[str, Any]]
    nodes: dict[int, str]
    durations: dict[int, float] = field(default_factory=dict)
    saved: list[tuple[int, int]] = field(default_factory=list)


def script() -> Script:
    """Replies by what is asked and not by how often: a resumed process starts at the beginning."""
    steps = [
        ("count the ships of its flag", "grep -c GR data/ships.csv"),
        ("find the ship", "grep Boreas data/ships.csv"),
    ]
    good = {"objective": "look", "steps": [{"description": name, "command": text} for name, text in steps]}
    failing = {
        "objective": "look",
        "steps": [{"description": "find", "command": "grep Nobody data/ships.csv"}],
    }
    diagnosis = {"diagnosis": "The ship has another name.", "new_plan_summary": "Search for Boreas."}
    verdict = {"passed": True, "reason": "the row says so", "confidence": 0.9}
    return Script(
        roles={
            "classifier": [{"complexity": "moderate"}],
            "planner": [{"when": "has another name", "reply": good}, failing],
            "critic": [diagnosis],
            "worker": [ANSWER],
            "verifier": [verdict],
        },
        repeat_last=True,
    )


def note_calls(log: Path) -> None:
    """Write down every model call and tool run of this process before it is made, one line each."""
    descriptor = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)

    def note(kind: str, what: str) -> None:
        metadata = get_config()["metadata"]
        line = {"pid": os.getpid(), "kind": kind, "what": what, "step": metadata["langgraph_step"]}
        os.write(descriptor, json.dumps(line).encode() + b"\n")

    ask, run = ScriptedChatModel._agenerate, Toolbox.run

    async def asked(self: ScriptedChatModel, *args: Any, **kwargs: Any) -> Any:
        note("calls", self.role)
        return await ask(self, *args, **kwargs)

    async def ran(self: Toolbox, call: Any, *args: Any, **kwargs: Any) -> Any:
        note("tools", json.dumps(call.model_dump(mode="json"), sort_keys=True))
        return await run(self, call, *args, **kwargs)

    ScriptedChatModel._agenerate = asked  # type: ignore[method-assign]  # notes, then does what it did
    Toolbox.run = ran  # type: ignore[method-assign]  # as above


def lay_out(root: Path) -> None:
    """The files the goal is about."""
    (root / "data").mkdir(parents=True)
    (root / "data" / "ships.csv").write_text(SHIPS)


async def run_thread(root: Path, kill: Kill | None, times: dict[int, float]) -> None:
    """Begin the thread, or go on with it; the process dies where the kill says."""
    register_script(THREAD, script())
    # No trial is to learn from another.
    context = RunContext(
        root=str(root), model=f"scripted:{THREAD}", settings={"experience.global_root": GLOBAL}
    )
    config: RunnableConfig = {"configurable": {"thread_id": THREAD}}
    async with open_checkpointer(root / ".reflect" / "checkpoints.sqlite") as saver:
        save = saver.aput

        async def saved(*args: Any, **kwargs: Any) -> Any:
            done = await save(*args, **kwargs)
            step = args[2]["step"]
            times[step] = time.perf_counter()
            if kill is not None and kill.after_step == step:
                kill_self_after(kill.seconds)
            return done

        saver.aput = saved  # type: ignore[method-assign]  # tells when a step is saved
        graph = build(saver)
        newest = await newest_moment(saver, THREAD)
        if kill is not None and newest is not None and kill.after_step == newest.step:
            kill_self_after(kill.seconds)
        given: Any = None if newest is not None else {"goal": GOAL}
        await graph.ainvoke(given, config, context=context, durability="sync")


def attempt(root: Path, kill: Kill | None) -> tuple[bool, dict[int, float]]:
    """One process; whether it came to its end, and when it saved each step."""
    report = root.parent / "times.json"

    def work() -> None:
        note_calls(root.parent / "calls.jsonl")
        times: dict[int, float] = {-2: time.perf_counter()}
        if kill is not None and kill.after_step == -2:
            kill_self_after(kill.seconds)
        asyncio.run(run_thread(root, kill, times))
        report.write_text(json.dumps(times))

    ended, _ = in_child(work, None)
    return ended, {int(key): value for key, value in json.loads(report.read_text()).items()} if ended else {}


async def newest_step(root: Path) -> int:
    """Number of the newest step that is saved; -2 if there is none."""
    async with open_checkpointer(root / ".reflect" / "checkpoints.sqlite") as saver:
        newest = await newest_moment(saver, THREAD)
        return newest.step if newest is not None else -2


async def look(root: Path) -> Ended:
    """What a finished thread left."""
    async with open_checkpointer(root / ".reflect" / "checkpoints.sqlite") as saver:
        history = await thread_history(saver, THREAD)
    calls = root.parent / "calls.jsonl"
    files = {
        "corpus": root / ".reflect" / "experience" / "events.jsonl",
        "global": root / GLOBAL / "experience" / "events.jsonl",
        "trace": root / ".reflect" / "reasoning_traces" / f"{THREAD}.jsonl",
    }
    lines = {name: _lines(path) for name, path in files.items()}
    return Ended(
        state=ReasoningState.model_validate(history[-1].values),
        events={name: [_told(line) for line in found] for name, found in lines.items()},
        ids={name: [line["event_id"] for line in found] for name, found in lines.items()},
        calls=_lines(calls),
        nodes={moment.step: moment.next[0] for moment in history if moment.next},
    )


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def _told(event: dict[str, Any]) -> tuple[Any, ...]:
    """An event without what differs from run to run."""
    names = ("event_type", "step_num", "tool_input", "outcome_status", "stdout", "error")
    return tuple(event.get(name) for name in names)


def judge(killed: Ended, calm: Ended) -> Counter[str]:
    """Count what differs from the run nobody killed."""
    found: Counter[str] = Counter()
    said = [(run.state.final_answer, run.state.status, run.state.stop_reason) for run in (killed, calm)]
    found["answer"] += int(said[0] != said[1])
    for name, expected in calm.events.items():
        there, wanted = Counter(killed.events[name]), Counter(expected)
        found["lost_events"] += (wanted - there).total()
        found["doubled_events"] += (there - wanted).total()
        found["answer"] += int(there == wanted and killed.events[name] != expected)
        found["doubled_events"] += len(killed.ids[name]) - len(set(killed.ids[name]))
    for kind in ("calls", "tools"):
        found[f"repeated_{kind}"] += _repeated(kind, killed, calm)
    return found


def _repeated(kind: str, killed: Ended, calm: Ended) -> int:
    """Calls of steps that were saved before, and more in one process's visit of a step than are usual.

    What a step looked up holds for the next one in the same process; the first visit of a resumed process
    looks it up itself, as often as the step before did.
    """
    usual = Counter((call["step"], call["what"]) for call in calm.calls if call["kind"] == kind)
    calls = [call for call in killed.calls if call["kind"] == kind]
    visits = Counter((call["pid"], call["step"], call["what"]) for call in calls)
    order = [pid for pid, _ in killed.saved]
    first = _resumed_at(killed)
    often = 0
    for (pid, step, what), count in visits.items():
        before = usual[step - 1, what] if kind == "tools" and first.get(pid) == step else 0
        often += max(0, count - max(usual[step, what], before))
    after = 0
    for pid, newest in killed.saved:
        later = [call for call in calls if call["pid"] not in order[: order.index(pid) + 1]]
        after += sum(call["step"] <= newest for call in later)
    return often + after


def _resumed_at(killed: Ended) -> dict[int, int]:
    """The first step in which each process that went on with the thread made a call."""
    began: dict[int, int] = {}
    for call in killed.calls:
        began.setdefault(call["pid"], call["step"])
    return dict(list(began.items())[1:])


def undisturbed(place: Path) -> Ended:
    """A run nobody kills; the first one only warms the caches."""
    for name in ("warm", "calm"):
        root = place / name / "project"
        lay_out(root)
        ended, times = attempt(root, None)
        if not ended:
            raise RuntimeError("the run does not come to its end even when nothing is killed")
    calm = asyncio.run(look(root))
    if calm.state.status != "answered" or not calm.state.reflection_attempts:
        raise RuntimeError(f"the undisturbed run says {calm.state.final_answer!r}")
    steps = sorted(times)
    calm.durations = {step: times[after] - times[step] for step, after in zip(steps, steps[1:], strict=False)}
    return calm


def trial(place: Path, calm: Ended, rng: random.Random, at: Counter[str]) -> tuple[Ended, int]:
    """Run, kill, resume, kill perhaps again, resume to the end; also how many processes were killed."""
    root = place / "project"
    lay_out(root)
    saved: list[tuple[int, int]] = []
    newest = -2
    for number in range(ATTEMPTS):
        last = number == ATTEMPTS - 1 or (number > 0 and rng.random() >= SECOND_KILL)
        kill = None
        steps = [step for step in calm.durations if step >= newest]
        if steps and not last:
            step = rng.choice(steps)
            kill = Kill(step, rng.uniform(0, LATE * calm.durations[step]))
        before = len(_lines(place / "calls.jsonl"))
        ended, _ = attempt(root, kill)
        if ended:
            break
        newest = asyncio.run(newest_step(root))
        at[calm.nodes.get(newest, "before the first step" if newest < 0 else "after the last step")] += 1
        made = _lines(place / "calls.jsonl")[before:]
        saved.append((made[0]["pid"] if made else -1 - number, newest))
    else:
        raise RuntimeError(f"the thread below {root} does not come to its end")
    killed = asyncio.run(look(root))
    killed.saved = saved
    return killed, len(saved)


def runs(kills: int, seed: int) -> dict[str, Any]:
    """Run trials until that many processes were killed."""
    rng = random.Random(seed)
    found: Counter[str] = Counter()
    at: Counter[str] = Counter()
    total = trials = 0
    with tempfile.TemporaryDirectory() as name:
        calm = undisturbed(Path(name))
        while total < kills:
            place = Path(name) / f"trial-{trials}"
            place.mkdir()
            killed, count = trial(place, calm, rng, at)
            found += judge(killed, calm)
            total, trials = total + count, trials + 1
    return {
        "seed": seed,
        "trials": trials,
        "kills": total,
        "events": {name: len(events) for name, events in calm.events.items()},
        "model_calls": sum(call["kind"] == "calls" for call in calm.calls),
        "tool_runs": sum(call["kind"] == "tools" for call in calm.calls),
        **{name: found[name] for name in BAD},
        "killed_in": dict(sorted(at.items())),
    }
