"""A task by the product: one run of a strategy below the copy, changes made unasked."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from evals.ask import ask
from evals.shell.judge import Attempt
from memory.threads import artifact_directory
from nodes.reflective.state import Evidence, PlanStep, ReasoningState
from tools.artifacts import read_back
from tools.writing.arguments import FILE_TOOLS

# Memory is off, so that no task teaches another and the order of tasks says nothing.
SETTINGS: dict[str, str | int | float | bool] = {
    "tools__approval": "yes",
    "tools__sandbox": "bwrap",
    "experience__enabled": False,
    "traces__enabled": False,
}
REFUSED = frozenset({"refused", "unknown_tool", "bad_args", "access"})


async def run_strategy(
    goal: str, root: Path, model: str, strategy: str, thread: str, settings: Mapping[str, str]
) -> ReasoningState:
    """The final state of one run.

    Args:
        goal: what is asked.
        root: holds the fresh copy.
        model: provider:model.
        strategy: wiring.
        thread: name of the run.
        settings: further settings by dotted key.
    """
    further = {key.replace(".", "__"): value for key, value in settings.items()}
    return await ask(goal, root, model, thread, **{**SETTINGS, **further, "reasoning__strategy": strategy})


def attempt_of(state: ReasoningState, root: Path, thread: str) -> Attempt:
    """What a run did: the outputs of its commands, its answer, and what it claims.

    Changes of files are for the caller to find out. Reading files and writing them through typed tools prints
    nothing a command would print, so only the outputs of commands count.
    """
    outputs = [_whole(item, root, thread) for item in _commands(state)]
    ran = [step for step in _steps(state) if step.result is not None and step.result.error is None]
    changed = any(step.tool_call is not None and step.tool_call.tool in FILE_TOOLS for step in ran)
    texts = [outputs[-1], "".join(outputs)] if outputs else [""] if changed else []
    return Attempt(
        ran=bool(ran),
        outputs=list(dict.fromkeys(texts)),
        answer=state.final_answer or "",
        claims=state.status == "answered",
        cause=cause_of(state),
        detail=_detail(state),
    )


def cause_of(state: ReasoningState) -> str:
    """The general class of what kept a run from answering; empty if it answered."""
    if state.status == "answered":
        return ""
    if state.failure is not None:
        return "error"
    last = next((step.result for step in reversed(_steps(state)) if step.result is not None), None)
    if last is not None and last.error_kind in REFUSED:
        return "refused by the policy"
    if state.status == "partial":
        return "partial: lines that may be the answer" if not _conclusive(state) else "partial"
    if "does not exist" in (state.final_answer or ""):
        return "a name or path was not found"
    by_model = state.plan is None or state.plan.source == "model"
    if state.stop_reason == "no_plan" or state.plan is None:
        return "no recipe, and no usable plan by the model"
    if state.stop_reason == "verification_failed":
        return "no recipe, and the model's plan was not verified" if by_model else "recipe not verified"
    return "no recipe, and the model's command failed" if by_model else "a recipe's command failed"


def _conclusive(state: ReasoningState) -> bool:
    return state.plan is None or state.plan.conclusive


def _steps(state: ReasoningState) -> list[PlanStep]:
    return state.plan.steps if state.plan is not None else []


def _commands(state: ReasoningState) -> list[Evidence]:
    """Evidence from the commands of the last plan."""
    writers = {
        step.num for step in _steps(state) if step.tool_call is not None and step.tool_call.tool in FILE_TOOLS
    }
    shown = {step.result.command for step in _steps(state) if step.result is not None}
    return [
        item
        for item in state.evidence
        if item.source == "tool" and item.step not in writers and item.command in shown
    ]


def _whole(item: Evidence, root: Path, thread: str) -> str:
    """An output, read back from its artifact where the state holds head and tail only."""
    if item.artifact is None:
        return item.text
    return read_back(artifact_directory(root / ".reflect", thread) / Path(item.artifact).name)


def _detail(state: ReasoningState) -> str:
    commands = "; ".join(step.result.command for step in _steps(state) if step.result is not None)
    source = (state.plan.recipe or state.plan.source) if state.plan is not None else "no plan"
    told = commands or (state.last_error or "").splitlines()[:1]
    return f"{source}: {told}"
