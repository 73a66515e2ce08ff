"""How many ordinary questions are answered rightly: `python -m evals.phrasings QUESTIONS.jsonl --json`.

The questions are about the fixture project (`evals.fixture_repository`), one object a line: id, family,
goal, expect (regular expressions that must all occur in the answer, whatever the case), forbid (that must
not), none (true if the honest answer is that there is no such thing). A question is

- right: the answer holds every expected fact and no forbidden one, and the run says that it answered, or that
  it shows what may be the answer; or it could not answer because the thing does not exist, and says so;
- wrong: the run says it answered, and the answer is another one. These are the ones that do harm;
- could_not: the run says that it could not answer.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, Field

from evals.ask import ask
from evals.fixture_repository import build_fixture_repository
from nodes.reflective.state import ReasoningState

Verdict = Literal["right", "wrong", "could_not"]


class Question(BaseModel):
    """One question and the facts of its answer."""

    id: str
    family: str
    goal: str
    expect: list[str] = Field(min_length=1)
    forbid: list[str] = Field(default_factory=list)
    none: bool = False


def read_questions(path: Path) -> list[Question]:
    """The questions of a file.

    Raises:
        pydantic.ValidationError: a line is no question.
    """
    lines = path.read_text("utf-8").splitlines()
    return [Question.model_validate_json(line) for line in lines if line.strip()]


def judge(question: Question, state: ReasoningState) -> Verdict:
    """What a run's answer to a question is worth."""
    answer = state.final_answer or ""
    holds = all(re.search(fact, answer, re.IGNORECASE) for fact in question.expect)
    strays = any(re.search(fact, answer, re.IGNORECASE) for fact in question.forbid)
    if state.status == "partial":
        return "right" if holds and not strays else "could_not"
    if state.status != "answered":
        absent = question.none and holds and "does not exist" in answer
        return "right" if absent else "could_not"
    return "right" if holds and not strays else "wrong"


async def run(questions: Sequence[Question], model: str, verbose: bool) -> dict[str, object]:
    """Ask every question of a fresh fixture project and count the verdicts."""
    verdicts: list[tuple[Question, Verdict, ReasoningState, float]] = []
    with tempfile.TemporaryDirectory() as name:
        project = build_fixture_repository(Path(name) / "project")
        for number, question in enumerate(questions):
            start = time.perf_counter()
            state = await ask(
                question.goal, project, model, f"q{number}", experience__enabled=False, traces__enabled=False
            )
            seconds = time.perf_counter() - start
            verdicts.append((question, judge(question, state), state, seconds))
            if verbose:
                _show(*verdicts[-1])
    return _summary(model, verdicts)


def _show(question: Question, verdict: Verdict, state: ReasoningState, seconds: float) -> None:
    source = state.plan.recipe or state.plan.source if state.plan else "-"
    sys.stderr.write(
        f"{verdict:9} {question.id} {seconds:5.1f}s [{source}] {question.goal}\n"
        + ("" if verdict == "right" else f"          -> {(state.final_answer or '')[:400]!r}\n")
    )


def _summary(
    model: str, verdicts: list[tuple[Question, Verdict, ReasoningState, float]]
) -> dict[str, object]:
    families = sorted({question.family for question, *_ in verdicts})
    counts = {
        family: Counter(verdict for question, verdict, *_ in verdicts if question.family == family)
        for family in families
    }
    total = Counter(verdict for _, verdict, *_ in verdicts)
    seconds = sorted(spent for *_, spent in verdicts)
    return {
        "model": model,
        "questions": len(verdicts),
        "right": total["right"],
        "wrong": total["wrong"],
        "could_not": total["could_not"],
        "right_share": round(total["right"] / len(verdicts), 3),
        "wrong_share": round(total["wrong"] / len(verdicts), 3),
        "by_family": {family: dict(count) for family, count in counts.items()},
        "right_but_partial": sum(
            1 for _, verdict, state, _ in verdicts if verdict == "right" and state.status == "partial"
        ),
        "by_recipe": sum(1 for *_, state, _ in verdicts if state.plan and state.plan.source == "recipe"),
        "median_seconds": round(seconds[len(seconds) // 2], 2),
        "wrong_ids": [question.id for question, verdict, *_ in verdicts if verdict == "wrong"],
    }


def main() -> None:
    """Print the summary of one file of questions as JSON."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("questions", type=Path)
    parser.add_argument("--model", default="embedded")
    parser.add_argument("--family", help="only the questions of this family")
    parser.add_argument("--verbose", action="store_true", help="show every question on standard error")
    parser.add_argument(
        "--json", action="store_true", help="print one line of JSON instead of an indented one"
    )
    arguments = parser.parse_args()
    questions = read_questions(arguments.questions)
    if arguments.family:
        questions = [question for question in questions if question.family == arguments.family]
    report = asyncio.run(run(questions, arguments.model, arguments.verbose))
    sys.stdout.write(json.dumps(report, indent=None if arguments.json else 2) + "\n")


if __name__ == "__main__":
    main()
