"""How often answers are right: `python -m evals.calibration` writes `configs/calibration.yaml`.

Questions with known answers (`evals/questions`) are asked of the fixture project; never the scenarios of
`reflect eval reflective`, which show afterwards how well the table fits. Each answer that was given, a
partial one too, has a group and a raw score (`nodes/reflective/confidence.py`) and is right or not; a table
that never falls is fitted to each group (`fitting`). Shown beside it: Brier score and calibration error of
raw scores and of the table, the latter by five-fold cross-validation.

The recipes were made and mended with these questions in view, so for new goals the shares are an upper bound.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
import tempfile
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path

from evals.ask import ask
from evals.calibration.fitting import Block, fit_groups, held_out_figures
from evals.fixture_repository import build_fixture_repository
from evals.phrasings import Question, judge, read_questions
from evals.report import (
    Case,
    Planned,
    as_program,
    evenly,
    isolated_home,
    run_cases,
    settings_digest,
    terminal_progress,
)

QUESTIONS = ("tuned", "held_out_1", "held_out_2", "held_out_3", "held_out_4", "held_out_5")
HEAD = """\
# How often an answer is right, by group and raw score: points [raw, share], both rising.
# Written by `python -m evals.calibration`; a group that is not listed is shown with its raw score.
# Behind each point: right answers of all answers between its raw score and its neighbour's of the same share.
"""
FEWEST = 10
"""Answers a group needs to be listed."""


def read_all(paths: Sequence[Path]) -> dict[str, Question]:
    """Questions by name of the file and id."""
    return {f"{path.stem}/{question.id}": question for path in paths for question in read_questions(path)}


async def ask_all(questions: dict[str, Question], model: str, resume: Path | None, jobs: int) -> list[Case]:
    """One case for each question; its group and raw score stand in `extra`."""
    with isolated_home(), tempfile.TemporaryDirectory() as name:
        project = build_fixture_repository(Path(name) / "project")

        async def run_one(planned: Planned) -> Case:
            question = questions[planned.id]
            started = time.perf_counter()
            state = await ask(
                question.goal, project, model, planned.id, experience__enabled=False, traces__enabled=False
            )
            verdict = judge(question, state)
            return Case(
                id=planned.id,
                group=question.family,
                variant=planned.variant,
                model=model,
                goal=question.goal,
                passed=verdict == "right",
                false_success=verdict == "wrong",
                status=state.status,
                stop_reason=state.stop_reason or "",
                seconds=time.perf_counter() - started,
                confidence=state.confidence,
                extra=state.assessment.model_dump(mode="json") if state.assessment else {},
            )

        planned = [
            Planned(
                id=key,
                variant="graph_v30",
                model=model,
                settings=settings_digest(question.model_dump(mode="json")),
            )
            for key, question in questions.items()
        ]
        with terminal_progress(sys.stderr) as told:
            return await run_cases(planned, run_one, resume=resume, progress=told, jobs=jobs)


def answers_of(cases: Sequence[Case]) -> list[tuple[str, float, bool]]:
    """Group, raw score and rightness of each answer that was given."""
    return [
        (str(case.extra["group"]), float(case.extra["raw"]), case.passed)
        for case in cases
        if case.status in ("answered", "partial") and "raw" in case.extra
    ]


def as_yaml(blocks: dict[str, list[Block]], source: str) -> str:
    """The table as it is written: each point with the answers behind it."""
    lines = [HEAD + f"source: {json.dumps(source)}", "groups:" if blocks else "groups: {}"]
    for name, own in blocks.items():
        lines.append(f"  {name}:")
        for block in own:
            behind = f"# {block.right} of {block.n}"
            lines += [
                f"  - [{end:.4f}, {block.share:.3f}]  {behind}"
                for end in dict.fromkeys((block.low, block.high))
            ]
    return "\n".join(lines) + "\n"


def _told(model: str) -> str:
    """The model's name without the place of a file on this machine."""
    provider, _, name = model.partition(":")
    return f"{provider}:{Path(name).name}" if name.startswith(("/", "~", ".")) else model


def main(argv: Sequence[str] | None = None) -> int:
    """Ask, fit, write; prints the figures as JSON."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    known = Path(str(files("evals") / "questions"))
    parser.add_argument(
        "questions", nargs="*", type=Path, default=[known / f"{name}.jsonl" for name in QUESTIONS]
    )
    parser.add_argument("--model", default="embedded")
    parser.add_argument("--limit", type=int, help="at most N questions, drawn evenly from the families")
    parser.add_argument("--seed", type=int, default=0, help="of the draw and of the folds")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--resume", type=Path, help="go on from the answers in this file, and add to it")
    parser.add_argument(
        "--output",
        type=Path,
        default=Path(str(files("configs") / "calibration.yaml")),
        help="where the table goes (default: configs/calibration.yaml)",
    )
    arguments = parser.parse_args(argv)
    questions = read_all(arguments.questions)
    chosen = evenly(list(questions), lambda key: questions[key].family, arguments.limit, arguments.seed)
    cases = asyncio.run(
        ask_all({key: questions[key] for key in chosen}, arguments.model, arguments.resume, arguments.jobs)
    )
    answers = answers_of(cases)
    order = list(range(len(answers)))
    random.Random(arguments.seed).shuffle(order)
    blocks = {name: own for name, own in fit_groups(answers).items() if sum(b.n for b in own) >= FEWEST}
    source = (
        f"{len(cases)} questions of {', '.join(path.stem for path in arguments.questions)}, "
        f"{len(answers)} answers, model {_told(arguments.model)}, {datetime.now(UTC).date()}"
    )
    arguments.output.write_text(as_yaml(blocks, source), "utf-8")
    counts = {
        name: sum(group == name for group, _, _ in answers) for name in sorted({g for g, _, _ in answers})
    }
    right = sum(right for *_, right in answers)
    figures = {"questions": len(cases), "answers": len(answers), "right": right, "by_group": counts}
    print(json.dumps(figures | (held_out_figures(answers, order) if answers else {}), indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(as_program(main))
