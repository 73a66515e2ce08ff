"""A plan that changes files, from the planner model; code checks it before anything is shown or made."""

from __future__ import annotations

import json
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage
from pydantic import BaseModel, ConfigDict, Field

from configs.prompting import render
from nodes.errors import PlanInvalid
from nodes.reflective.commitments import Promised
from nodes.reflective.lookup import Located
from nodes.reflective.replanning import attempts_text, done_text
from nodes.reflective.servers import check_used
from nodes.reflective.state import Plan, PlanStep, ReasoningState
from tools.errors import ToolError
from tools.protocol import ToolCall
from tools.toolbox import Toolbox
from tools.writing.arguments import WRITERS
from tools.writing.plan import arguments_of

MOST_STEPS = 7

SHOTS: tuple[tuple[str, list[dict[str, Any]]], ...] = (
    (
        "create a file shopping.txt that says milk and bread",
        [
            {
                "description": "Write the file",
                "tool": "write_file",
                "args": {"path": "shopping.txt", "content": "milk\nbread\n"},
            }
        ],
    ),
    (
        "in config.ini, set the port to 9000",
        [
            {
                "description": "See the line",
                "tool": "command",
                "args": {"command": "grep -n port config.ini"},
            },
            {
                "description": "Replace the port",
                "tool": "edit_file",
                "args": {"path": "config.ini", "old": "port = 8000", "new": "port = 9000"},
            },
        ],
    ),
    (
        "rename draft.md to final.md and delete old.md",
        [
            {
                "description": "Rename",
                "tool": "move",
                "args": {"source": "draft.md", "target": "final.md"},
            },
            {"description": "Delete", "tool": "delete", "args": {"path": "old.md"}},
        ],
    ),
)


class ChangeStep(BaseModel):
    """One step as a planner writes it."""

    model_config = ConfigDict(extra="ignore")

    description: str = Field("", max_length=400)
    tool: str = Field(max_length=100)
    args: dict[str, Any] = Field(default_factory=dict)


class ChangeDraft(BaseModel):
    """A plan as a planner writes it."""

    model_config = ConfigDict(extra="ignore")

    objective: str = Field("", max_length=1000)
    steps: list[ChangeStep] = Field(min_length=1, max_length=MOST_STEPS)
    validation: str = Field("", max_length=1000)
    confidence: float | None = Field(None, ge=0, le=1)
    commitments: Promised = Field(default_factory=list)


def change_messages(
    state: ReasoningState, toolbox: Toolbox, experience: str, error: str
) -> list[BaseMessage]:
    """The planner's prompt: rules, tools with their arguments, experience, earlier attempts, examples."""
    system = render(
        "plan_change",
        tools=toolbox.describe_writers(),
        readers=toolbox.describe(),
        most=str(MOST_STEPS),
        experience=f"\n{experience}" if experience else "",
        done=done_text(state),
        attempts=attempts_text(state.reflection_attempts),
        error=f"\nYour last plan was refused: {error}" if error else "",
    )
    messages: list[BaseMessage] = [SystemMessage(system)]
    for goal, steps in SHOTS:
        messages += [
            HumanMessage(goal),
            AIMessage(json.dumps({"objective": goal, "steps": steps, "validation": "", "confidence": 0.9})),
        ]
    return [*messages, HumanMessage(state.question)]


def check_change(draft: ChangeDraft, state: ReasoningState, located: Located, toolbox: Toolbox) -> Plan:
    """A draft as a plan, after every check that can be made before the first step has run.

    Raises:
        PlanInvalid: no step changes anything, arguments do not fit, a step was done or failed before, or
            something the goal names is in no step.
    """
    calls = [_call(number, step, toolbox) for number, step in enumerate(draft.steps, start=1)]
    check_used(state, calls)
    if not any(toolbox.writes(call) for call in calls):
        raise PlanInvalid("No step makes the change.", f"Use one of {', '.join(toolbox.writers)}.")
    for number, call in enumerate(calls, start=1):
        try:
            if call.tool in WRITERS:
                # What it will find depends on the steps before it, so that is looked at when it runs.
                arguments_of(call)
            else:
                toolbox.check(call)
        except ToolError as error:
            raise PlanInvalid(f"Step {number}: {error}") from error
    _check_repeats(calls, state, toolbox)
    missing = _not_taken_up(state, located, calls)
    if missing:
        raise PlanInvalid(f"No step takes up {', '.join(missing)}.", "Use the names of the request.")
    return Plan(
        objective=draft.objective or state.goal,
        steps=[
            PlanStep(num=number, description=step.description or step.tool, tool_call=call)
            for number, (step, call) in enumerate(zip(draft.steps, calls, strict=True), start=1)
        ],
        validation=draft.validation,
        confidence=draft.confidence,
        source="model",
    )


def _call(number: int, step: ChangeStep, toolbox: Toolbox) -> ToolCall:
    """A step's call as it is meant.

    Raises:
        PlanInvalid: it is a command that calls a server's tool with arguments that cannot be read.
    """
    try:
        return toolbox.read_call(ToolCall(tool=step.tool, args=step.args))
    except ToolError as error:
        raise PlanInvalid(f"Step {number}: {error}") from error


def _check_repeats(calls: list[ToolCall], state: ReasoningState, toolbox: Toolbox) -> None:
    """Nothing is tried or done again unless another change lies in between, as in run, mend, run.

    Raises:
        PlanInvalid: a step repeats what failed or was done.
    """
    sign = toolbox.signature
    failed = [sign(attempt.failed_call) for attempt in state.reflection_attempts if attempt.failed_call]
    done = [step.tool_call for step in state.completed if step.tool_call]
    added = [sign(call) for call in done if _adds(call)]
    unchanged_since = [sign(call) for call in done]
    changed = False
    for number, call in enumerate(calls, start=1):
        if sign(call) in failed and not changed:
            raise PlanInvalid(f"Step {number} failed before.", "Change the tool or its arguments.")
        if not toolbox.writes(call):
            continue
        if sign(call) in [*unchanged_since, *added]:
            raise PlanInvalid(f"Step {number} is done already.", "Leave it out.")
        changed, unchanged_since = True, [sign(call)]


def _adds(call: ToolCall) -> bool:
    """True if the call adds to what is there: made anew it is there twice, whatever lies in between."""
    if call.tool == "edit_file":
        return str(call.args.get("old", "")) in str(call.args.get("new", ""))
    return call.tool == "append_file"


def _not_taken_up(state: ReasoningState, located: Located, calls: list[ToolCall]) -> list[str]:
    """Texts and paths the goal names that no call of this plan, or of what was done before, holds."""
    done = [step.tool_call for step in state.completed if step.tool_call]
    taken = [[call.tool, call.args] for call in [*done, *calls]]
    text = json.dumps(taken, ensure_ascii=False).lower()
    reading = located.reading
    named = [mention.text for mention in reading.mentions if mention.role != "guess"]
    named += [reading.literal] if reading.literal else []
    return [repr(name) for name in named if json.dumps(name, ensure_ascii=False)[1:-1].lower() not in text]
