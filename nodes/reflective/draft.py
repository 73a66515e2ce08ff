"""The draft answer: from a template by code, or from the worker model and then held against the evidence."""

from __future__ import annotations

import asyncio
import re
import secrets

from langchain_core.messages import HumanMessage, SystemMessage

from configs.prompting import render
from nodes.reflective.compose import compose
from nodes.reflective.grounding import ungrounded
from nodes.reflective.services import Services
from nodes.reflective.state import Evidence, PlanStep, ReasoningState, Update, add_usage, dump
from tools.toolbox import Toolbox

SHOWN_CHARS = 4000
# A reply that says it has no answer is none, whatever a verifier makes of it.
GIVES_UP = re.compile(
    r"\bI(?:'m| am) (?:sorry|unable|not able)\b|\bI (?:can|could|do|did|was) ?(?:not|n['’]?t|unable)\b"
    r"|\b(?:cannot|can['’]t|could not|couldn['’]t|unable to) (?:be )?(?:answer|determin|find|found|tell|help)"
    r"|\bas an AI\b",
    re.IGNORECASE,
)


async def draft_answer(state: ReasoningState, services: Services, toolbox: Toolbox) -> Update:
    """Draft the answer of a plan whose steps are done."""
    plan = state.plan
    last = next((s for s in reversed(plan.steps) if s.result is not None), None) if plan else None
    if plan is None or last is None or last.result is None:
        return dump(draft_answer=None, last_error="No step produced an output.")
    output = await asyncio.to_thread(toolbox.full_output, last.result)
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
        error = None if composed.text else "The output holds no answer."
        return dump(draft_answer=composed.text, evidence=[*state.evidence, *computed], last_error=error)
    return await _from_model(state, services, last, output)


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
            f"Request: {state.goal}\nCommand: {last.result.command}\n{fence}\n{output[:SHOWN_CHARS]}\n{fence}"
        ),
    ]
    reply = await services.models.text("worker", messages)
    usage = add_usage(state, "worker", reply.usage)
    seen = [state.goal, output, *(evidence.text for evidence in state.evidence)]
    answer = reply.text.strip()
    if not answer or GIVES_UP.search(answer) or ungrounded(answer, seen):
        return dump(
            draft_answer=plain,
            usage=usage,
            notes=[*state.notes, "The model's wording was not grounded; the output is shown instead."],
        )
    return dump(draft_answer=answer, usage=usage)


def _shown(output: str) -> str:
    """The output, or its first lines; no word is cut in two, for half a number is another number."""
    text = output.strip()
    if len(text) <= SHOWN_CHARS:
        return text or "(nothing)"
    head = text[: SHOWN_CHARS + 1]
    end = max(head.rfind("\n"), 0) or max(head.rfind(" "), 0) or SHOWN_CHARS
    return f"{text[:end]}\n(Cut here; the output goes on.)"
