"""A finished run as an episode: its plan, whether that was verified, and how far the plan holds elsewhere."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from memory.experience.episodes import Episode, EpisodeStep
from memory.reuse.lasting import says_what_to_look_for, states_what_it_names
from nodes.reflective.state import Plan, PlanStep, ReasoningState

PATTERNS = ("-path", "-ipath", "-wholename", "-name", "-iname")
_PART = re.compile(r"[\w.+@-]+")


def episode_of(state: ReasoningState, root: Path, model: str) -> Episode | None:
    """What a finished run leaves for later ones; None if it ran no plan. Blocking: it looks at files.

    Args:
        state: the run's last state.
        root: directory the goal is about.
        model: provider:model that was in use.
    """
    plan = state.plan
    if plan is None or state.asked is None or not any(step.result for step in plan.steps):
        return None
    verified = state.status == "answered" and state.stop_reason == "success"
    steps = [
        EpisodeStep(description=step.description, command=_command(step))
        for step in plan.steps
        if step.result is not None
    ]
    return Episode(
        verified=verified,
        reusable=verified and state.verified and plan.source == "model" and _only_reads(plan),
        lasting=is_lasting(plan, state, root),
        general=is_general(plan, state, root),
        key=state.asked.key,
        slots=state.asked.slots,
        demands=state.asked.demands,
        plan=steps,
        validation=plan.validation,
        confidence=plan.confidence,
        source=plan.source,
        recipe=plan.recipe,
        complexity=state.complexity.value if state.complexity else "moderate",
        status=state.status,
        steps=[step.command for step in steps],
        model=model,
        category=state.reflection_attempts[-1].category if state.reflection_attempts else None,
    )


def _command(step: PlanStep) -> str:
    """What the planner wrote; of other calls, what a person would type for them."""
    written = step.tool_call.args.get("command") if step.tool_call else None
    if step.tool_call is not None and step.tool_call.tool == "command" and isinstance(written, str):
        return written
    return step.result.command if step.result else ""


def _only_reads(plan: Plan) -> bool:
    return all(step.tool_call is not None and step.tool_call.tool == "command" for step in plan.steps)


def is_lasting(plan: Plan, state: ReasoningState, root: Path) -> bool:
    """True if the plan names no place below the root and nothing of the code but what the goal names.

    A planner that has seen the files may write what it saw into a command; tomorrow there may be others, and
    another project keeps its sources elsewhere.
    """
    commands = [_command(step) for step in plan.steps]
    if not states_what_it_names(commands, state.goal):
        return False
    slots = state.asked.slots if state.asked else []
    stated = {_plain(value) for slot in slots for value in (slot.text, slot.path or "")}
    return not any(
        _plain(word) not in stated and _exists(root, word)
        for command in commands
        for word in _places(command)
    )


def is_general(plan: Plan, state: ReasoningState, root: Path) -> bool:
    """True if the plan says nothing about this project that its goal does not say."""
    commands = [_command(step) for step in plan.steps]
    goal = state.goal.lower()
    parts = {part for command in commands for word in _words(command) for part in _PART.findall(word)}
    return says_what_to_look_for(commands, goal) and not any(
        _exists(root, part) for part in parts if part.strip(".") and part.lower() not in goal
    )


def _places(command: str) -> list[str]:
    """Words of a command that may name a file or directory; those behind -path are patterns."""
    words = _words(command)
    return [word for before, word in zip(["", *words], words, strict=False) if before not in PATTERNS]


def _words(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError:
        return command.split()


def _plain(path: str) -> str:
    return path.removeprefix("./").rstrip("/")


def _exists(root: Path, word: str) -> bool:
    if not _plain(word) or _plain(word) == ".":
        return False
    try:
        return (root / word).exists()
    except (OSError, ValueError):
        return False  # no name of a file: too long, or with a NUL
