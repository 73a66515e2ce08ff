"""A plan from the planner model: constrained to a schema, then checked by code."""

from __future__ import annotations

from collections.abc import Sequence

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage
from pydantic import BaseModel, ConfigDict, Field

from configs.prompting import render
from nodes.errors import PlanInvalid
from nodes.reflective.commitments import Promised
from nodes.reflective.coverage import uncovered, unexplained, untaken
from nodes.reflective.lookup import Located
from nodes.reflective.replanning import (
    attempts_text,
    check_something_changed,
    earlier_results,
    keep_results,
    results_text,
)
from nodes.reflective.servers import check_used
from nodes.reflective.state import Plan, PlanStep, ReasoningState, TaskComplexity
from tools.errors import ToolError
from tools.protocol import ToolCall
from tools.toolbox import Toolbox

STEPS = {
    TaskComplexity.BYPASS: (1, 1),
    TaskComplexity.SIMPLE: (1, 1),
    TaskComplexity.MODERATE: (1, 4),
    TaskComplexity.COMPLEX: (1, 7),
}

# (goal, description, command, validation, confidence); other questions than the recipes answer.
SHOTS = (
    ("which text files mention rain, ignoring case?", "Search the text files",
     "grep -rli --include='*.txt' rain .", "Every file listed holds the word.", 0.9),
    ("what are the 3 largest images?", "List images by size and keep 3",
     "find . -type f -name '*.png' -print0 | xargs -0 wc -c | sort -rn | head -n 3", "Largest first.", 0.8),
    ("how many commits changed notes.txt?", "List its commits and count them",
     "git log --oneline -- notes.txt | wc -l", "One number.", 0.9),
)  # fmt: skip


class DraftStep(BaseModel):
    """One step as a planner writes it; an empty command composes text from earlier results."""

    model_config = ConfigDict(extra="ignore")

    description: str = Field(max_length=400)
    command: str = Field(max_length=2000)


class KeepingStep(DraftStep):
    """A step of a plan that may use what earlier plans found."""

    uses: int = Field(0, ge=0, le=50)


class PlanDraft(BaseModel):
    """A plan as a planner writes it."""

    model_config = ConfigDict(extra="ignore")

    objective: str = Field("", max_length=1000)
    steps: Sequence[DraftStep] = Field(min_length=1, max_length=7)
    validation: str = Field("", max_length=1000)
    confidence: float | None = Field(None, ge=0, le=1)
    commitments: Promised = Field(default_factory=list)


class ReplanDraft(PlanDraft):
    """A plan as a planner writes it when earlier plans left results; its steps may name one they use."""

    steps: Sequence[KeepingStep] = Field(min_length=1, max_length=7)


def planner_messages(
    state: ReasoningState,
    toolbox: Toolbox,
    experience: str,
    error: str,
    examples: Sequence[tuple[str, PlanDraft]] = (),
) -> list[BaseMessage]:
    """The planner's prompt: rules, tools, past experience, earlier attempts, examples, goal.

    Args:
        state: the run.
        toolbox: names the tools.
        experience: past events as a block of text, or "".
        error: why the last draft was refused, or "".
        examples: goals with plans that were verified; they stand next to the goal, where they weigh most.
    """
    least, most = STEPS[state.complexity or TaskComplexity.MODERATE]
    system = render(
        "plan",
        tools=toolbox.describe(),
        least=str(least),
        most=str(most),
        experience=f"\n{experience}" if experience else "",
        results=results_text(earlier_results(state, toolbox)),
        attempts=attempts_text(state.reflection_attempts),
        error=f"\nYour last plan was refused: {error}" if error else "",
    )
    return [SystemMessage(system), *_shots(examples), HumanMessage(state.goal_as_corrected())]


def _shots(examples: Sequence[tuple[str, PlanDraft]]) -> list[BaseMessage]:
    """Fixed examples first, then those from experience."""
    messages: list[BaseMessage] = []
    fixed = [
        (
            goal,
            PlanDraft(
                objective=goal,
                steps=[DraftStep(description=description, command=command)],
                validation=validation,
                confidence=confidence,
            ),
        )
        for goal, description, command, validation, confidence in SHOTS
    ]
    for goal, draft in [*fixed, *examples]:
        messages += [HumanMessage(goal), AIMessage(draft.model_dump_json(exclude={"commitments"}))]
    return messages


def check_draft(
    draft: PlanDraft, state: ReasoningState, located: Located, toolbox: Toolbox, *, strict: bool = False
) -> Plan:
    """A draft as a plan, after every check code can make.

    Args:
        draft: as the planner wrote it.
        state: the run.
        located: the goal, its names looked up.
        toolbox: checks the commands.
        strict: refuse what merely seems not to be taken up as well, as where no model can judge an answer.

    Raises:
        PlanInvalid: no tool step, too many steps, a command that is refused or may change something, a
            repeat of a failed call or plan, or something the goal states that no command takes up.
    """
    _, most = STEPS[state.complexity or TaskComplexity.MODERATE]
    steps = [_step(number, step, toolbox) for number, step in enumerate(draft.steps, start=1)]
    calls = [step.tool_call for step in steps if step.tool_call is not None]
    if not calls:
        raise PlanInvalid("No step has a command.", "Write at least one command.")
    if len(steps) > most:
        raise PlanInvalid(f"The plan has {len(steps)} steps; {most} is the limit.", "Join commands with |.")
    check_used(state, calls)
    for call in calls:
        if toolbox.writes(call):
            raise PlanInvalid(
                f"{call.tool} may change something, which the request does not ask for.",
                "Use tools that only read.",
            )
        try:
            toolbox.check(call)
        except ToolError as error:
            raise PlanInvalid(str(error)) from error
    check_something_changed(calls, state, toolbox)
    uses = [step.uses if isinstance(step, KeepingStep) else 0 for step in draft.steps]
    steps = keep_results(steps, uses, state, toolbox)
    calls = [step.tool_call for step in steps if step.tool_call is not None]
    commands = "\n".join(_as_text(call) for call in calls)
    doubts = uncovered(located.reading, located.whereabouts, commands)
    # Where a person corrected the goal, what they wrote first may not hold any more.
    missing = (
        doubts
        if strict
        else []
        if state.corrected
        else untaken(located.reading, located.whereabouts, commands)
    )
    if missing:
        raise PlanInvalid(f"No command takes up {', '.join(missing)}.", "Put it into a command.")
    return Plan(
        objective=draft.objective or state.goal,
        steps=steps,
        validation=draft.validation,
        confidence=draft.confidence,
        source="model",
        doubts=doubts,
        unexplained=unexplained(located.reading, commands),
    )


def _as_text(call: ToolCall) -> str:
    """A call's command; that of a recipe's step or of a server's tool, which has none, as its arguments."""
    return str(call.args["command"]) if call.tool == "command" else call.model_dump_json()


def _step(number: int, draft: DraftStep, toolbox: Toolbox) -> PlanStep:
    """A step as it is meant.

    Raises:
        PlanInvalid: its command is a server's tool with arguments that cannot be read.
    """
    command = draft.command.strip()
    call = None
    if command and command.lower() != "none":
        try:
            call = toolbox.read_call(ToolCall(tool="command", args={"command": command}))
        except ToolError as error:
            raise PlanInvalid(str(error)) from error
    return PlanStep(num=number, description=draft.description, tool_call=call)
