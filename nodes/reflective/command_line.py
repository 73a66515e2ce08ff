"""A plan from a model too small to plan: one command, written after worked examples like the goal.

The shipped 270M base model obeys no instruction and fills no schema sensibly, but it continues a list of
goals with their commands. What it writes is checked as any plan is, and what it shows is never claimed to be
the answer: nobody who could judge has looked at it.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage

from configs.prompting import render
from memory.recipes.command_examples import CommandExample, nearest_examples
from models.errors import ModelError
from models.usage import Usage
from nodes.errors import PlanInvalid
from nodes.reflective.emit import progress, thought
from nodes.reflective.lookup import Located
from nodes.reflective.model_plan import DraftStep, PlanDraft, check_draft
from nodes.reflective.services import Services
from nodes.reflective.state import Plan, ReasoningState, Update, add_usage, cut_note
from tools.toolbox import Toolbox

# How many examples each try is shown. The model is deterministic: only another prompt gives another command.
SHOWN = (8, 3)
MAX_TOKENS = 100
TOO_SMALL = (
    "The model is too small to plan a change, and not every part of this one is stated in words that need no "
    "model. Name each file, text and place exactly, or use a larger model."
)
FENCE = re.compile(r"\A(?:```\w*|`|\$ )\s*|\s*`+\s*\Z")


async def command_plan(
    state: ReasoningState, services: Services, toolbox: Toolbox, located: Located
) -> tuple[Plan | None, Update]:
    """The first command that passes every check, as a plan that is not conclusive; else why there is none.

    Args:
        state: the run.
        services: of the run.
        toolbox: checks the commands.
        located: the goal, its names looked up.

    Raises:
        ModelError: the model or the embedder could not be reached, found or finished.
    """
    if state.asks_for_change:
        return None, {"last_error": TOO_SMALL}
    goal = state.goal_as_corrected()
    examples = await asyncio.to_thread(nearest_examples, goal, services.embedder(), max(SHOWN))
    spent, notes, error = Usage("planner", ""), list(state.notes), ""
    made: Plan | None = None
    tries = 0
    for tries, count in enumerate(SHOWN[: services.settings.graph.max_plan_retries + 1]):
        progress("model_call", role="planner", attempt=tries + 1)
        try:
            reply = await services.models.text(
                "planner", _messages(goal, examples[-count:]), stop=["\n"], max_tokens=MAX_TOKENS
            )
        except ModelError as broken:
            broken.usage = spent.joined(broken.usage)
            raise
        spent, notes = spent.joined(reply.usage), cut_note(notes, "planner", reply.cut)
        thought("planner", reply.thinking)
        try:
            made = _checked(reply.text, reply.truncated, state, located, toolbox)
            break
        except PlanInvalid as invalid:
            error = f"No ready plan covers all of this, nor does the small model's command: {invalid.what}"
            progress("plan_refused", error=error)
    update: Update = {
        "usage": add_usage(state, "planner", spent),
        "notes": notes,
        "plan_retries": state.plan_retries + tries,
    }
    return made, update if made is not None else update | {"last_error": error}


def _messages(goal: str, examples: Sequence[CommandExample]) -> list[BaseMessage]:
    pairs = [(HumanMessage(example.goal), AIMessage(example.command)) for example in examples]
    shown = [message for pair in pairs for message in pair]
    return [SystemMessage(render("bare_command")), *shown, HumanMessage(goal)]


def _checked(text: str, truncated: bool, state: ReasoningState, located: Located, toolbox: Toolbox) -> Plan:
    """The command as a plan.

    Raises:
        PlanInvalid: there is none, it is cut, or a check refuses it.
    """
    command = FENCE.sub("", text.strip().partition("\n")[0]).strip()
    if not command or truncated:
        raise PlanInvalid("The model wrote no whole command.", "Use a larger model.")
    step = DraftStep(description="Run the command that the model wrote", command=command)
    draft = PlanDraft(objective=state.goal, steps=[step])
    # Shown or not, an output that leaves a part of the goal out is no use to anybody.
    try:
        plan = check_draft(draft, state, located, toolbox, strict=True)
    except PlanInvalid as invalid:
        if _words(command) <= _words(state.goal_as_corrected()):
            # That its first word is no program tells nobody what went wrong.
            raise PlanInvalid("The model repeated the question.", "Use a larger model.") from invalid
        raise
    return plan.model_copy(update={"conclusive": False})


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.lower()))
