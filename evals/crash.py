"""What kill -9 does: `python -m evals.crash effects|run|threads --kills 50 --json`.

effects: runs that change files.

Every trial runs a plan of seven changes (a directory, a file, an edit, a move, a delete, a script, a
program), kills the process at a random moment, now and then the resumed one as well, and resumes the thread
until it ends. Then the files are held against what the run says:

- lost: a step that is said to be done, and whose effect is not there;
- repeated: an effect that is there twice (edit, delete, script and program leave a mark every time);
- hidden: an effect that is there, and the run says neither that it was made nor that it may have been;
- uncertain: steps the run says were interrupted, so that a person must look; shown: those the answer or a
  note names. All others are to be 0.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from langchain_core.runnables import RunnableConfig

from evals import crash_runs, crash_threads, killing
from evals.crash_runs import runs
from evals.crash_threads import threads
from graph.reflective import build
from memory.checkpoints import open_checkpointer
from models.scripted import Script, register_script
from nodes.reflective.context import RunContext
from nodes.reflective.state import ReasoningState, StepStatus
from tools.writing.trash import list_trash

GOAL = "change the files here as agreed"
PLANNED: list[tuple[str, dict[str, Any]]] = [
    ("make_dir", {"path": "made"}),
    ("write_file", {"path": "made/written.txt", "content": "written\n"}),
    ("edit_file", {"path": "edited.txt", "old": "mark", "new": "mark!"}),
    ("move", {"source": "moved.txt", "target": "made/moved.txt"}),
    ("delete", {"path": "deleted.txt"}),
    ("python", {"code": "with open('ledger.txt', 'a') as file:\n    file.write('python\\n')\n"}),
    ("run", {"argv": ["/bin/sh", "-c", "echo run >> ledger.txt"]}),
]
SECOND_KILL = 0.4
ATTEMPTS = 12
THREAD = "crash"


@dataclass(frozen=True)
class Trial:
    """One project and what a run left of it.

    Attributes:
        killed: how often the run was killed.
        counts: how often each planned effect is found.
        state: the thread's last state.
    """

    killed: int
    counts: list[int]
    state: ReasoningState


def lay_out(root: Path) -> None:
    """The files the plan works on."""
    root.mkdir()
    (root / "edited.txt").write_text("mark\n")
    (root / "moved.txt").write_text("moved\n")
    (root / "deleted.txt").write_text("deleted\n")


def found(root: Path) -> list[int]:
    """How often each planned effect is there, in the order of the plan."""
    ledger_file = root / "ledger.txt"
    ledger = Counter(ledger_file.read_text().split()) if ledger_file.exists() else Counter()
    moved, target = (root / "moved.txt").exists(), (root / "made" / "moved.txt").exists()
    trashed = len(list_trash(root))
    return [
        int((root / "made").is_dir()),
        int((root / "made" / "written.txt").exists()),
        (root / "edited.txt").read_text().count("!"),
        int(target and not moved),
        trashed if not (root / "deleted.txt").exists() else 0,
        ledger["python"],
        ledger["run"],
    ]


def script() -> Script:
    """A planner that knows the plan, and a verifier that passes what code passed."""
    steps = [
        {"description": f"step {number} of the plan", "tool": tool, "args": args}
        for number, (tool, args) in enumerate(PLANNED, start=1)
    ]
    plan = {"objective": GOAL, "steps": steps}
    verdict = {"passed": True, "reason": "done", "confidence": 1.0}
    return Script(roles={"planner": [plan], "verifier": [verdict]}, repeat_last=True)


async def run_thread(root: Path) -> ReasoningState:
    """Begin the thread, or go on with it."""
    register_script("crash", script())
    context = RunContext(
        root=str(root),
        model="scripted:crash",
        approval="yes",
        settings={"experience.enabled": False, "traces.enabled": False},
    )
    config: RunnableConfig = {"configurable": {"thread_id": THREAD}}
    async with open_checkpointer(root / ".reflect" / "checkpoints.sqlite", 10.0) as checkpointer:
        graph = build(checkpointer)
        begun = bool((await graph.aget_state(config)).values)
        given: Any = None if begun else {"goal": GOAL}
        values = await graph.ainvoke(given, config, context=context, durability="sync")
        if not values:
            values = dict((await graph.aget_state(config)).values)
    return ReasoningState.model_validate(values)


def in_child(root: Path, report: Path, seconds: float | None) -> tuple[bool, float]:
    """Run the thread in a process of its own, and kill it after some seconds; see `evals.killing`."""
    return killing.in_child(
        lambda: report.write_text(asyncio.run(run_thread(root)).model_dump_json()), seconds
    )


def trial(place: Path, rng: random.Random, duration: float) -> Trial:
    """Run, kill, resume, kill perhaps again, resume to the end."""
    root, report = place / "project", place / "report.json"
    lay_out(root)
    killed = 0
    for attempt in range(ATTEMPTS):
        kill = attempt == 0 or rng.random() < SECOND_KILL
        ended, _ = in_child(root, report, rng.uniform(0, duration) if kill else None)
        if ended:
            break
        killed += 1
    else:
        ended, _ = in_child(root, report, None)
        if not ended:
            raise RuntimeError(f"the thread below {root} does not come to its end")
    return Trial(killed, found(root), ReasoningState.model_validate_json(report.read_text()))


def judge(done: Trial) -> Counter[str]:
    """What the run says, held against the files."""
    verdict: Counter[str] = Counter(kills=done.killed)
    steps = done.state.plan.steps if done.state.plan else []
    last = {step.num: step for step in [*done.state.completed, *steps] if step.result is not None}
    told = "\n".join([done.state.final_answer or "", *done.state.notes])
    for number, count in enumerate(done.counts, start=1):
        step = last.get(number)
        error = step.result.error_kind if step is not None and step.result is not None else None
        attempts = [attempt for attempt in done.state.reflection_attempts if attempt.failed_step == number]
        doubtful = error == "interrupted" or any("interrupted" in attempt.error for attempt in attempts)
        verdict["repeated"] += int(count > 1)
        verdict["effects"] += min(count, 1)
        if doubtful:
            verdict["uncertain"] += 1
            verdict["uncertain_shown"] += int(f"Step {number} " in told)
        elif step is not None and step.status is StepStatus.SUCCESS:
            verdict["lost"] += int(count == 0)
        else:
            verdict["hidden"] += int(count > 0)
    return verdict


def effects(kills: int, seed: int) -> dict[str, Any]:
    """Run trials until that many processes were killed."""
    rng = random.Random(seed)
    total: Counter[str] = Counter()
    trials = 0
    ends: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as name:
        calm = Path(name) / "calm"
        calm.mkdir()
        lay_out(calm / "project")
        ended, duration = in_child(calm / "project", calm / "report.json", None)
        if not ended or found(calm / "project") != [1] * len(PLANNED):
            raise RuntimeError("the plan does not come to its end even when nothing is killed")
        while total["kills"] < kills:
            place = Path(name) / f"trial-{trials}"
            place.mkdir()
            done = trial(place, rng, duration)
            total += judge(done)
            ends[done.state.status] += 1
            trials += 1
    names = ("kills", "effects", "lost", "repeated", "hidden", "uncertain", "uncertain_shown")
    return {
        "seed": seed,
        "trials": trials,
        "seconds_undisturbed": round(duration, 3),
        **{name: total[name] for name in names},
        "status": dict(ends),
    }


WHAT: dict[str, tuple[Callable[[int, int], dict[str, Any]], Callable[[dict[str, Any]], bool]]] = {
    "effects": (
        effects,
        lambda counts: (
            any(counts[name] for name in ("lost", "repeated", "hidden"))
            or counts["uncertain"] != counts["uncertain_shown"]
        ),
    ),
    "run": (runs, lambda counts: any(counts[name] for name in crash_runs.BAD)),
    "threads": (threads, lambda counts: any(counts[name] for name in crash_threads.BAD)),
}
"""What can be killed: its measure, and whether the counts are bad."""


def main(argv: Sequence[str] | None = None) -> int:
    """Print the counts; exit code 0 if nothing was lost, repeated, hidden or left unsaid."""
    modules = (__doc__, crash_runs.__doc__, crash_threads.__doc__)
    told = "\n".join(filter(None, modules))
    parser = argparse.ArgumentParser(description=told, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("what", choices=list(WHAT))
    parser.add_argument("--kills", type=int, default=50, help="processes to kill (default: 50)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args(argv)
    measure, is_bad = WHAT[arguments.what]
    counts = measure(arguments.kills, arguments.seed)
    if arguments.json:
        sys.stdout.write(json.dumps(counts, indent=2) + "\n")
    else:
        for name, value in counts.items():
            sys.stdout.write(f"{name:>20}  {value}\n")
    return int(is_bad(counts))


if __name__ == "__main__":
    sys.exit(main())
