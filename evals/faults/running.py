"""One run with an oracle, in a project of its own."""

from __future__ import annotations

import shutil
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evals.ask import ask
from evals.faults.goals import Goal
from evals.faults.judging import Verdict, judge
from evals.faults.oracle import Given, Oracle, Tape
from evals.faults.project import Facts, build_project
from models.scripted import register_script
from nodes.reflective.state import ReasoningState


@dataclass(frozen=True)
class Ran:
    """A finished run.

    Attributes:
        state: as it ended, or None when an exception came out of the graph.
        verdict: what code says about it.
        given: replies in order.
        seconds: wall-clock.
        raised: the exception in words, or "".
    """

    state: ReasoningState | None
    verdict: Verdict
    given: list[Given]
    seconds: float
    raised: str = ""


async def run_oracle(
    name: str, goal: Goal, facts: Facts, tape: Tape, seed: int, settings: dict[str, Any]
) -> Ran:
    """Ask one goal in a project made for it, with replies as the tape says.

    Args:
        name: of the run; no other run of this process has it.
        goal: what is asked.
        facts: of the project.
        tape: where the model goes wrong.
        seed: of what faults leave to chance.
        settings: further settings, with `__` for the dots of their keys.
    """
    oracle = Oracle.of(goal, tape, seed)
    register_script(name, oracle)
    directory = Path(tempfile.mkdtemp(prefix="faults-"))
    chosen = {
        "experience__global_root": str(directory / "home"),
        "tools__approval": "yes",
        **settings,
    }
    started = time.perf_counter()
    try:
        root = build_project(directory / "project", facts)
        try:
            state = await ask(goal.text, root, f"scripted:{name}", name, **chosen)
        except Exception as error:  # whatever comes out of the graph is the finding
            raised = f"{type(error).__name__}: {error}"
            met = tuple(reply for reply in oracle.given if reply.fault is not None)
            verdict = Verdict(False, (), (f"raised {raised}",), met)
            return Ran(None, verdict, oracle.given, time.perf_counter() - started, raised)
        verdict = judge(state, goal, oracle.given, root)
        return Ran(state, verdict, oracle.given, time.perf_counter() - started)
    finally:
        shutil.rmtree(directory, ignore_errors=True)
