"""The draft answer: from a template by code, or from the worker model and then held against the evidence."""

from __future__ import annotations

import asyncio
import re
import secrets

from langchain_core.messages import HumanMessage, SystemMessage

from configs.prompting import render
from nodes.reflective.commitments import claims_a_deed, says_it_acted
from nodes.reflective.compose import compose
from nodes.reflective.emit import thought
from nodes.reflective.grounding import says_nothing_of, ungrounded
from nodes.reflective.services import Services
from nodes.reflective.state import (
    Evidence,
    PlanStep,
    ReasoningState,
    StepStatus,
    Update,
    add_usage,
    cut_note,
    dump,
)
from tools.toolbox import Toolbox
from tools.writing.arguments import FILE_TOOLS

SHOWN_CHARS = 4000
# Nobody says so much of an output of which only SHOWN_CHARS are shown.
MOST_ANSWER_CHARS = 2 * SHOWN_CHARS
# A reply that says it has no answer is none, whatever a verifier makes of it.
UNANSWERED = "The output does not answer the request:"
GIVES_UP = re.compile(
    r"\bI(?:'m| am) (?:sorry|unable|not able)\b|\bI (?:can|could|do|did|was) ?(?:not|n['’]?t|unable)\b"
    r"|\b(?:cannot|can['’]t|could not|couldn['’]t|unable to) (?:be )?(?:answer|determin|find|found|tell|help)"
    r"|\bas an AI\b",
    re.IGNORECASE,
)
# The same of a whole reply in conversation, where "I do not sleep" may well be the answer.
REFUSES = re.compile(
    r"\A\W*(?:unfortunately,? )?(?:(?:I(?:['’]m| am) )?(?:sorry|afraid)\b[,.]?(?: but)? ?(?:that )?)?"
    r"I (?:am |was )?(?:unable|not able|failed|do(?: not|n['’]t) know"
    r"|(?:can(?:not|['’]t| not)|could(?: not|n['’]t)) "
    r"(?:help|answer|assist|do|tell|find|determine|provide|access|see|give|know|comply))\b"
    r"|\bas an AI\b.{0,40}\b(?:cannot|can['’]t|unable)\b",
    re.IGNORECASE,
)
# What the prompt tells a worker to say of an output that is not the answer.
NO_ANSWER = re.compile(r"\boutput does(?: not|n['’]t) answer\b", re.IGNORECASE)


async def draft_answer(state: ReasoningState, services: Services, toolbox: Toolbox) -> Update:
    """Draft the answer of a plan whose steps are done."""
    plan = state.plan
    last = next((s for s in reversed(plan.steps) if s.result is not None), None) if plan else None
    if plan is None or last is None or last.result is None:
        return dump(draft_answer=None, last_error="No step produced an output.")
    changed = [step for step in plan.steps if step.tool_call and toolbox.writes(step.tool_call)]
    output = await asyncio.to_thread(toolbox.full_output, last.result)
    if changed:
        return dump(draft_answer=_changes_text(changed, last, output))
    if plan.answer is not None:
        composed = compose(output, plan.answer, plan.slots)
        if last.result.artifact is not None:
            # The state holds head and tail of a long output only; the rows that were read stand for it.
            composed.computed.append(f"read from the whole output: {composed.text}")
        computed = [
            Evidence(
                source="computed",
                step=last.num,
                command=last.result.command,
                text="; ".join(composed.computed),
            )
        ]
        error = None if composed.text else composed.problem or "The output holds no answer."
        if composed.problem:
            # What a measurement cannot tell, no search of lines can; the last resort comes last.
            return dump(draft_answer=None, last_error=error, stop_reason="verification_failed")
        return dump(draft_answer=composed.text, evidence=[*state.evidence, *computed], last_error=error)
    return await _from_model(state, services, last, output)


def _changes_text(changed: list[PlanStep], last: PlanStep, output: str) -> str:
    """What was changed, step by step, and what the last step printed if it was a command."""
    made = [step.result for step in changed if step.result and step.status is StepStatus.SUCCESS]
    only_shown = [step.result for step in changed if step.result and step.status is StepStatus.SKIPPED]
    lines = ["Done:", *(f"- {result.command}" for result in made)] if made else []
    if only_shown:
        shown = [f"- {result.command}\n{result.stdout.rstrip()}" for result in only_shown]
        return "\n".join([*lines, "This would be done:", *shown])
    if last.result is not None and last.expect_text == "":
        lines.append(f"Checked: `{last.result.command}` prints nothing, as it should.")
    elif last.result is not None and last.tool_call is not None and last.tool_call.tool not in FILE_TOOLS:
        lines.append(f"`{last.result.command}` printed:\n{_shown(output)}")
    return "\n".join(lines)


async def _from_model(state: ReasoningState, services: Services, last: PlanStep, output: str) -> Update:
    """Let the worker phrase the answer; when it states what no output holds, show the output itself."""
    assert last.result is not None
    plain = f"`{last.result.command}` printed:\n{_shown(output)}"
    if not services.models.can_judge("worker"):
        return dump(draft_answer=plain)
    fence = f"=====OUTPUT {secrets.token_hex(8)}====="
    messages = [
        SystemMessage(render("answer_from_output", fence=fence)),
        HumanMessage(
            f"Request: {state.question}\nCommand: {last.result.command}\n{fence}\n{_shown(output)}\n{fence}"
        ),
    ]
    reply = await services.models.text("worker", messages)
    thought("worker", reply.thinking)
    usage = add_usage(state, "worker", reply.usage)
    notes = cut_note(state.notes, "worker", reply.cut + max(0, len(output.strip()) - SHOWN_CHARS))
    goal = (
        [*state.words_of_the_person(), *(e.command for e in state.evidence)] if state.said else [state.goal]
    )
    seen = [*goal, output or "0", *(evidence.text for evidence in state.evidence)]
    answer = reply.text.strip()
    if NO_ANSWER.search(answer):
        # The first to read the output says that it is about something else; no verifier's pass undoes that.
        error = f"{UNANSWERED} {last.result.command}"
        return dump(draft_answer=plain, usage=usage, notes=notes, last_error=error)
    claims = (bool(state.commitments) and claims_a_deed(answer)) or says_it_acted(answer)
    useless = claims or reply.truncated or not is_answer(answer)
    if useless or ungrounded(answer, seen) or says_nothing_of(answer, output):
        remark = "The model's wording was not grounded; the output is shown instead."
        # A remembered plan was verified when it was made; of a new one nobody has said that it answers.
        new = state.plan is not None and state.plan.source == "model"
        return dump(draft_answer=plain, usage=usage, notes=[*notes, remark], doubtful=new)
    return dump(draft_answer=answer, usage=usage, notes=notes, doubtful=False)


def refuses(text: str) -> bool:
    """True if a reply in conversation begins by saying that there is no answer."""
    return REFUSES.search(text) is not None


def is_answer(text: str) -> bool:
    """False for a text without a word, for one that says it has no answer, and for one without an end."""
    return bool(re.search(r"\w", text)) and len(text) <= MOST_ANSWER_CHARS and GIVES_UP.search(text) is None


def _shown(output: str) -> str:
    """The output, or its first lines; no word is cut in two, for half a number is another number."""
    text = output.strip()
    if len(text) <= SHOWN_CHARS:
        return text or "(nothing)"
    head = text[: SHOWN_CHARS + 1]
    end = max(head.rfind("\n"), 0) or max(head.rfind(" "), 0) or SHOWN_CHARS
    return f"{text[:end]}\n(Cut here; the output goes on.)"
