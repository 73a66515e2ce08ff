"""How often a right plan is refused, and a wrong one let through: `python -m evals.coverage`.

The pairs of `evals.pairs` hold goals with commands that answer them, checked by running them on the fixture
project. Each right plan is a case that `check_draft` must accept. The plan of a goal that only looks alike is
a wrong one for the other goal; code cannot know every such plan, so this share is told and has no target.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, NamedTuple

from evals.fixture_repository import build_fixture_repository
from evals.pairs import NEAR_MISSES, PARAPHRASES, read_pairs
from models.scripted import Script, register_script
from nodes.errors import PlanInvalid
from nodes.reflective.context import RunContext
from nodes.reflective.lookup import locate_goal
from nodes.reflective.model_plan import DraftStep, PlanDraft, check_draft
from nodes.reflective.services import Services, open_services
from nodes.reflective.state import ReasoningState, TaskComplexity

SCRIPT = "no-replies"


class PlanCase(NamedTuple):
    """A goal, a plan for it, and whether the plan answers it."""

    id: str
    goal: str
    commands: tuple[str, ...]
    kind: Literal["right", "wrong"]


def cases() -> Iterator[PlanCase]:
    """Every goal with every plan that the pairs say something about, each once."""
    seen: set[tuple[str, tuple[str, ...]]] = set()
    for name in (PARAPHRASES, NEAR_MISSES):
        for pair in read_pairs(name):
            right = pair.right if pair.right is not None else pair.commands if name == PARAPHRASES else None
            plans: list[tuple[str, list[str] | None, Literal["right", "wrong"]]] = [
                (pair.learned, pair.commands, "right"),
                (pair.asked, right, "right"),
            ]
            if name == NEAR_MISSES and right != pair.commands:
                plans.append((pair.asked, pair.commands, "wrong"))
            for goal, commands, kind in plans:
                if commands and (goal, tuple(commands)) not in seen:
                    seen.add((goal, tuple(commands)))
                    yield PlanCase(pair.id, goal, tuple(commands), kind)


async def refusal(case: PlanCase, services: Services) -> str | None:
    """Why the plan of a case is refused, or None."""
    assert services.toolbox is not None
    located = await locate_goal(case.goal, services, services.toolbox)
    draft = PlanDraft(steps=[DraftStep(description="run", command=command) for command in case.commands])
    state = ReasoningState(goal=case.goal, complexity=TaskComplexity.COMPLEX)
    try:
        check_draft(draft, state, located, services.toolbox)
    except PlanInvalid as error:
        return str(error)
    return None


async def run(show: Literal["right", "wrong"] | None) -> dict[str, object]:
    """Check every plan on the fixture project and count the refusals."""
    register_script(SCRIPT, Script())
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as name:
        project = build_fixture_repository(Path(name) / "project")
        services = await asyncio.to_thread(
            open_services, RunContext(root=str(project), model=f"scripted:{SCRIPT}")
        )
        for case in cases():
            problem = await refusal(case, services)
            counts[case.kind] += 1
            counts[f"{case.kind}_refused"] += problem is not None
            if show == case.kind and (problem is None) == (show == "wrong"):
                sys.stderr.write(f"{case.id} {case.goal}\n    {case.commands}\n    {problem}\n")
    return {
        **counts,
        "right_refused_share": round(counts["right_refused"] / counts["right"], 3),
        "wrong_refused_share": round(counts["wrong_refused"] / counts["wrong"], 3),
    }


def main() -> int:
    """Print the shares as JSON; the exit code is 1 if a right plan was refused."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--show", choices=("right", "wrong"), help="list the plans that went the wrong way")
    report = asyncio.run(run(parser.parse_args().show))
    sys.stdout.write(json.dumps(report, indent=2) + "\n")
    return int(report["right_refused_share"] != 0)


if __name__ == "__main__":
    sys.exit(main())
