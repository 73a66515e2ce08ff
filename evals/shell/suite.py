"""Playing the tasks: each once per model and variant, the bare model and every strategy in one run."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from pathlib import Path

from pydantic import BaseModel, Field

from evals.report import Case, Planned, SuiteOptions, settings_digest
from evals.report.options import BARE
from evals.shell import bare, product
from evals.shell.judge import Attempt, Verdict, judge
from evals.shell.stage import Stage
from evals.shell.tasks import Task
from evals.shell.trees import changes, snapshot
from evals.shell.truth import Truth
from nodes.reflective.state import ReasoningState


class Choices(BaseModel):
    """What only this suite can be told.

    Attributes:
        examples: the bare model sees three fixed examples.
        settings: settings of the product that differ from its defaults, by dotted key.
    """

    examples: bool = False
    settings: dict[str, str] = Field(default_factory=dict)

    def options(self, variant: str) -> list[str]:
        """The options that say the same again for one variant."""
        if variant == BARE:
            return ["--bare-examples"] if self.examples else []
        return [word for key, value in self.settings.items() for word in ("--set", f"{key}={value}")]


def planned_cases(
    tasks: Sequence[Task],
    options: SuiteOptions,
    strategies: Sequence[str],
    root: Path,
    chosen: Choices,
) -> list[Planned]:
    """Every task for every model, variant and repetition: task by task, so that a part shows all variants."""
    bare_facts = {"root": str(root), "examples": chosen.examples}
    facts = {"root": str(root), **product.SETTINGS, **chosen.settings}
    digests = {variant: settings_digest(bare_facts if variant == BARE else facts) for variant in strategies}
    return [
        Planned(
            id=task.id,
            variant=variant,
            repeat=repeat,
            model=model,
            seed=options.seed,
            settings=digests[variant],
        )
        for model in options.models
        for repeat in range(options.repeat)
        for task in tasks
        for variant in strategies
    ]


class Players:
    """Runs one planned case on the stage; cases run one after another, for there is one stage.

    Args:
        stage: where tasks are played.
        tasks: by id.
        truths: by id.
        chosen: the suite's own choices.
    """

    def __init__(
        self, stage: Stage, tasks: dict[str, Task], truths: dict[str, Truth], chosen: Choices
    ) -> None:
        self._stage, self._tasks, self._truths = stage, tasks, truths
        self._chosen = chosen
        self._bare: dict[str, bare.BareModel] = {}
        self._turn = asyncio.Lock()

    async def __call__(self, one: Planned) -> Case:
        """Play one case."""
        task = self._tasks[one.id]
        async with self._turn:
            before = await asyncio.to_thread(self._stage.fresh, task)
            started = time.perf_counter()
            attempt, case = await self._play(one, self._stage.here(task.query, task))
            seconds = time.perf_counter() - started
            done = changes(before, await asyncio.to_thread(snapshot, self._stage.root))
        attempt = attempt.model_copy(update={"changes": done})
        truth = self._truths[task.id]
        verdict = judge(attempt, truth, self._stage.root)
        return judged(case, attempt, verdict, truth).model_copy(update={"seconds": round(seconds, 3)})

    async def _play(self, one: Planned, goal: str) -> tuple[Attempt, Case]:
        case = Case(
            id=one.id,
            group=f"file system {one.id.partition('-')[0]}",
            variant=one.variant,
            model=one.model,
            repeat=one.repeat,
            seed=one.seed,
            goal=goal,
            passed=False,
            extra={"rerun_options": self._chosen.options(one.variant)},
        )
        if one.variant == BARE:
            return await self._by_bare_model(one.model, goal, case)
        thread = f"shell-{one.id}-{one.variant}-{one.repeat}"
        root = self._stage.root
        state = await product.run_strategy(goal, root, one.model, one.variant, thread, self._chosen.settings)
        attempt = await asyncio.to_thread(product.attempt_of, state, root, thread)
        return attempt, _with_facts(case, state)

    async def _by_bare_model(self, model: str, goal: str, case: Case) -> tuple[Attempt, Case]:
        if model not in self._bare:
            self._bare[model] = bare.BareModel(model, self._stage.root, examples=self._chosen.examples)
        asked = self._bare[model]
        calls, tokens = asked.calls, asked.tokens
        attempt = await bare.attempt(asked, goal, self._stage.root)
        told = {
            "status": "answered" if attempt.claims else "could_not",
            "model_calls": asked.calls - calls,
            "tokens": asked.tokens - tokens,
            "steps": int(attempt.ran),
        }
        return attempt, case.model_copy(update=told)

    async def aclose(self) -> None:
        """Close the bare models."""
        for asked in self._bare.values():
            await asked.aclose()


def _with_facts(case: Case, state: ReasoningState) -> Case:
    usage = list(state.usage.values())
    told = {
        "status": state.status,
        "stop_reason": state.stop_reason or "",
        "model_calls": sum(one.calls for one in usage),
        "tokens": sum(one.prompt_tokens + one.completion_tokens for one in usage),
        "steps": sum(step.result is not None for step in state.plan.steps) if state.plan else 0,
        "reflections": state.reflection_count,
        "confidence": state.confidence,
        "budget_exhausted": state.stop_reason in ("max_reflections", "max_iterations"),
        "recovered": state.status == "answered" if state.reflection_count else None,
        "extra": {**case.extra, "plan": state.plan.source if state.plan else "none"},
    }
    return case.model_copy(update=told)


def judged(case: Case, attempt: Attempt, verdict: Verdict, truth: Truth) -> Case:
    """The case with its verdict: passed is execution equal to either gold command.

    A success is false if the attempt claims one and neither gold command's rows are what it shows. Where no
    gold command can be held against anything here, nothing is called false.
    """
    passed = verdict.by_either == "same"
    false = attempt.claims and verdict.decidable and verdict.by_either == "different"
    cause = "" if passed else unsolved(attempt, verdict, truth)
    extra = {
        **case.extra,
        "by_gold": verdict.by_gold,
        "by_either": verdict.by_either,
        "same_paths": verdict.same_paths,
        "decidable": verdict.decidable,
        "vacuous": truth.vacuous,
        "changes_wanted": bool(truth.gold.changes),
        "cause": cause,
    }
    detail = "" if passed else f"{cause}; {attempt.detail}"
    return case.model_copy(
        update={"passed": passed, "false_success": false, "detail": detail, "extra": extra}
    )


def unsolved(attempt: Attempt, verdict: Verdict, truth: Truth) -> str:
    """The general class of why a task counts as unsolved."""
    if not verdict.decidable:
        return _undecidable(truth)
    if attempt.cause:
        return attempt.cause
    if verdict.by_either == "same_rows":
        return "right rows in another format or order"
    if verdict.by_either == "told":
        return "right facts, told in words"
    if truth.gold.changes and not attempt.changes:
        return "ran, but made no change where one is asked for"
    if attempt.changes and attempt.changes not in (truth.gold.changes, truth.gold2.changes):
        return "other changes"
    return "another output"


def _undecidable(truth: Truth) -> str:
    """Why neither gold command gives something to compare."""
    if truth.gold.missing or truth.gold2.missing:
        return "not decidable here: a gold command's program is not installed"
    if truth.gold.timed or truth.gold2.timed:
        return "not decidable here: a gold command asks for times that no copy keeps"
    return "not decidable here: a gold command does not repeat itself or does not end"
