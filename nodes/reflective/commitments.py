"""What a run owes beyond its answer, held against what its tools did."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, TypeAlias

from langgraph.runtime import Runtime
from pydantic import BeforeValidator

from configs.errors import ReflectError
from memory.commitments import Deed, accepted, parted, unmet
from memory.recipes.promises import read_promises
from nodes.reflective.context import RunContext
from nodes.reflective.services import services_of
from nodes.reflective.state import PlanStep, ReasoningState, StepStatus, StopReason
from tools.protocol import ToolCall
from tools.writing.arguments import COMMAND_TOOLS

Missing: TypeAlias = tuple[str, str]
"""A commitment that was not kept, and what is missing."""

# A dry run shows what would be done; a run somebody ended was not asked to go on.
STAYS = ("dry_run", "user_abort", "interrupted")
HELD = ("success", "bypass", "partial_success")
CLAIM = re.compile(
    r"\b(?:I|we)(?:['’]ve| have| had)?(?: just| already| now| also| successfully)* "
    r"(?:sent|e-?mailed|mailed|forwarded|delivered|attached|saved|written|wrote|exported|created|deleted|moved|renamed)\b"
    r"|\b(?:has|have|had|was|were|is|are|been)(?: just| already| now| also| successfully)* "
    r"(?:sent|e-?mailed|mailed|forwarded|delivered|attached)\b"
    r"|^\W*(?:sent|e-?mailed|mailed|forwarded|attached)\b|\b(?:e-?mail|message|mail) (?:sent|delivered)\b",
    re.IGNORECASE | re.MULTILINE,
)
# Nobody but a tool changes anything, so whoever says so of itself in words makes it up.
ACTED = re.compile(
    r"\b(?:I|we)(?:['’]ve| have| had)?(?: just| already| now| also| successfully| then)* "
    r"(?:sent|e-?mailed|mailed|forwarded|attached|saved|exported|deleted|removed|moved|renamed|updated|edited"
    r"|modified|changed|replaced|overwrote|installed|committed|pushed|ran|run|executed|launched|deployed)\b"
    r"[^.!?\n]{0,60}\b(?:files?|folders?|director(?:y|ies)|project|repositor(?:y|ies)|branch|code|config\w*"
    r"|database|e-?mails?|messages?|lines?|rows?|scripts?|programs?|commands?|tests?|build|\w+\.[a-z]{1,5})\b",
    re.IGNORECASE,
)
_MOST_PROPOSED = 8
_CLOCK_SLACK = 2.0
_ON_DISK = {
    "write_file": "written",
    "edit_file": "written",
    "delete_file": "deleted",
    "move_file": "moved",
    "make_directory": "made",
}


def _texts(value: Any) -> list[str]:
    """What of a model's list can be read; a plan is not refused for its promises."""
    items = value if isinstance(value, list) else []
    return [item[:200] for item in items if isinstance(item, str)][:_MOST_PROPOSED]


Promised = Annotated[list[str], BeforeValidator(_texts)]


def promised(state: ReasoningState, proposed: Sequence[str]) -> tuple[list[str], list[str]]:
    """What the run owes with its new plan, and remarks for the reader.

    Args:
        state: the goal, whose own wording counts first.
        proposed: what the planner added; only what can be checked counts.
    """
    known, unknown = accepted(proposed)
    # Whether a server's tool sent what it was to send stands in its answer, which the person sees.
    stated = () if state.changes_by else read_promises(state.goal).commitments
    remarks = [f"The plan also meant to keep {name!r}, which nothing here can check." for name in unknown]
    return list(dict.fromkeys([*stated, *known])), remarks


def still_owed(commitments: Sequence[str], planned: ToolCall, made: ToolCall) -> list[str]:
    """What is owed after a step: a person who approves another call than the planned one wants that instead.

    Args:
        commitments: what was owed before.
        planned: the step's call.
        made: the call as it was made.
    """
    if planned == made:
        return list(commitments)
    return [name for name, _ in unmet(commitments, [Deed(planned.tool, planned.args)])]


def claims_a_deed(text: str) -> bool:
    """True if a text says that something was sent, attached or made; only tools can say so."""
    return CLAIM.search(text) is not None


def says_it_acted(text: str) -> bool:
    """True if the speaker says that it changed or sent something by itself."""
    return ACTED.search(text) is not None


async def hold_to_promises(
    state: ReasoningState, reason: StopReason, problem: str | None, runtime: Runtime[RunContext]
) -> tuple[StopReason, str | None, list[Missing]]:
    """The stop reason, the problem, and what was promised and not done.

    Args:
        state: of the finished run.
        reason: why it stopped, before its promises were looked at.
        problem: why it is no success, or None.
        runtime: LangGraph's.
    """
    if not state.commitments or reason in STAYS:
        return reason, problem, []
    root, refuse = await _root_and_rule(runtime)
    missing = await asyncio.to_thread(missing_of, state, root)
    if not missing or reason not in HELD:
        return reason, problem, missing
    if reason == "bypass" and claims_a_deed(state.draft_answer or ""):
        return "verification_failed", "The model said that something was done, and nothing was.", missing
    if refuse:
        return "verification_failed", f"Not done: {'; '.join(told(*item) for item in missing)}.", missing
    return "partial_success", problem, missing


def with_missing(answer: str, reason: StopReason, missing: Sequence[Missing]) -> str:
    """The answer, and a line for each promise that was not kept."""
    if not missing or reason in STAYS:
        return answer
    return "\n".join([answer, "", "Not done:", *(f"- {told(*item)}" for item in missing)])


def told(commitment: str, problem: str) -> str:
    """A commitment that was not kept, in words."""
    name, target = parted(commitment)
    return f"{name.replace('_', ' ')}{f' {target}' if target else ''}: {problem}"


def _below(root: Path | None, commitments: Sequence[str]) -> list[str]:
    """The commitments with paths relative to the root, as tools are given them."""
    parts = [parted(commitment) for commitment in commitments]
    return [f"{name}:{target.removeprefix(f'{root}/')}" if target else name for name, target in parts]


def missing_of(state: ReasoningState, root: Path | None) -> list[Missing]:
    """What the run's tools did not do of what it owes; blocking, it may look at files.

    Args:
        state: of the finished run.
        root: where its files lie; None when that is not known.
    """
    deeds = deeds_of(state)
    owed = _below(root, state.commitments)
    missing = unmet(owed, deeds)
    ran_a_program = any(deed.done and deed.verb in COMMAND_TOOLS for deed in deeds)
    if not missing or root is None or not ran_a_program:
        return missing
    # Nobody knows what a program did but the files.
    found = [item for name, _ in missing if (item := _seen_on_disk(name, root, state.started))]
    program = Deed(action="run", attachments=found)
    return unmet(owed, [*deeds, program])


def deeds_of(state: ReasoningState) -> list[Deed]:
    """What the tools of a run did, steps of earlier plans included."""
    steps: list[PlanStep] = [*state.completed, *(state.plan.steps if state.plan else [])]
    return [
        Deed(
            action=step.tool_call.tool,
            parameters=step.tool_call.args,
            outcome="success" if step.status is StepStatus.SUCCESS else "failed",
            evidence=(step.result.stdout,) if step.result else (),
        )
        for step in steps
        if step.tool_call is not None
    ]


def _seen_on_disk(commitment: str, root: Path, started: str) -> dict[str, str] | None:
    """What the file a commitment names shows, or None when it shows that nothing was done."""
    name, target = parted(commitment)
    status = _ON_DISK.get(name)
    if status is None or not target:
        return None
    path = root / target
    try:
        if not path.resolve().is_relative_to(root.resolve()):
            return None
        if status in ("deleted", "moved"):
            done = not path.exists()
        elif status == "made":
            done = path.is_dir()
        else:
            begun = datetime.fromisoformat(started).timestamp() - _CLOCK_SLACK
            done = path.is_file() and path.stat().st_mtime >= begun
    except (OSError, ValueError):
        return None  # what cannot be looked at is not shown to be done
    return {"type": "file", "path": target, "status": status} if done else None


async def _root_and_rule(runtime: Runtime[RunContext]) -> tuple[Path | None, bool]:
    try:
        services = await services_of(runtime)
    except ReflectError:
        return None, False  # the run failed for the same reason, and says so
    return services.root, services.settings.reasoning_trace.refuse_unmet
