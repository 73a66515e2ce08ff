"""VERIFY: code first, then the verifier model; a model cannot pass what code failed."""

from __future__ import annotations

import asyncio
import re
import secrets

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage
from langgraph.runtime import Runtime
from pydantic import BaseModel, ConfigDict, Field

from configs.prompting import render
from memory.events import ReasoningEvent
from memory.recipes.reading import read_goal
from models.errors import ModelError, ModelReplyInvalid
from models.roles import RoleModels
from nodes.reflective.context import RunContext
from nodes.reflective.coverage import unexplained
from nodes.reflective.emit import now, progress, record, thought
from nodes.reflective.grounding import says_nothing_of, ungrounded
from nodes.reflective.promotion import promoted
from nodes.reflective.reasoning import checked
from nodes.reflective.services import services_of
from nodes.reflective.state import (
    PlanStep,
    ReasoningState,
    StepStatus,
    TaskComplexity,
    Update,
    add_usage,
    cut_note,
    dump,
)

SAY_WHAT = (
    "You passed it without saying what the answer is. Judge once more: in `answer`, copy from the outputs "
    "what they say the answer is; if they do not say it, passed is false."
)


class Verdict(BaseModel):
    """The verifier model's reply."""

    model_config = ConfigDict(extra="ignore")

    passed: bool
    reason: str = Field("", max_length=2000)
    answer: str = Field("", max_length=2000)
    confidence: float | None = Field(None, ge=0, le=1)


async def verify(state: ReasoningState, runtime: Runtime[RunContext]) -> Update:
    """Pass the draft answer, or say why it does not hold (`last_error`)."""
    services = await services_of(runtime)
    findings = await asyncio.to_thread(code_findings, state)
    confidence = state.confidence
    update: Update = {}
    judged = False
    if not findings and services.models.can_judge("verifier"):
        findings, confidence, update = await _ask_verifier(state, services.models)
        judged = not findings
    elif not findings and state.plan is not None and state.plan.source == "model" and state.plan.conclusive:
        findings = await asyncio.to_thread(unjudged_findings, state)
    progress("verified", passed=not findings, findings=findings)
    await record(services, _event(state, findings))
    await checked(services, state, findings)
    error = f"Verification failed: {'; '.join(findings)}" if findings else None
    if findings:
        update |= promoted(state.model_copy(update={"notes": update.get("notes", state.notes)}))
    return update | dump(
        last_error=error,
        verified=not findings,
        judged=judged,
        confidence=confidence,
        iterations=state.iterations + 1,
    )


def must_verify(state: ReasoningState) -> bool:
    """True if the finished plan passes VERIFY before the answer."""
    by_model = state.plan is not None and state.plan.source == "model"
    wanted = {"complex": False, "model_plans": by_model, "all": True}[state.limits.verify]
    return wanted or state.complexity is TaskComplexity.COMPLEX


def code_findings(state: ReasoningState) -> list[str]:
    """What code can prove wrong: no step ran, a step failed, no answer, a fact without evidence."""
    steps = state.plan.steps if state.plan else []
    findings = []
    if not any(step.result is not None and step.result.returncode >= 0 for step in steps):
        findings.append("no tool ran")
    findings += [f"step {step.num} failed" for step in steps if step.status is StepStatus.FAILED]
    findings += [
        f"step {step.num} is called a success and is none" for step in steps if _claims_too_much(step)
    ]
    if not (state.draft_answer or "").strip():
        return [*findings, "there is no answer"]
    missing = ungrounded(state.draft_answer or "", seen_by(state))
    if missing:
        findings.append(f"the answer states what no output holds: {', '.join(missing[:5])}")
    return findings


def _claims_too_much(step: PlanStep) -> bool:
    """True if a step's own result speaks against its status."""
    result = step.result
    if step.status is not StepStatus.SUCCESS or result is None:
        return False
    return result.error is not None or result.truncated or result.returncode not in step.expect_exit


def unjudged_findings(state: ReasoningState) -> list[str]:
    """Without a model that can judge, a plan must take up every content word of the goal."""
    if state.asks_for_change:
        return []  # its texts and paths were held against the plan, and every change was shown or allowed
    reading = read_goal(state.goal_as_corrected())
    commands = "\n".join(evidence.command for evidence in state.evidence)
    words = unexplained(reading, commands)
    concrete = reading.literal or reading.globs or reading.mentions or reading.things or reading.facets
    if words:
        return [f"nothing shows that the commands look at {', '.join(repr(word) for word in words)}"]
    return [] if concrete else ["nothing shows that the commands answer the goal"]


async def _ask_verifier(state: ReasoningState, models: RoleModels) -> tuple[list[str], float | None, Update]:
    fence = f"====={secrets.token_hex(8)}====="
    evidence = "\n".join(f"$ {e.command}\n{e.text}" for e in state.evidence)
    prompt = render(
        "verify",
        goal=state.goal_as_corrected(),
        answer=state.draft_answer or "",
        fence=fence,
        evidence=evidence,
        validation=(state.plan.validation if state.plan else "") or "(not said)",
        doubts=_doubts_text(state),
    )
    asked: list[BaseMessage] = [SystemMessage(prompt), HumanMessage("Judge the draft answer.")]
    verdict, told = await _verdict(asked, state, models, 1)
    if verdict is None:
        return ["the verifier's reply could not be read"], None, told
    if verdict.passed and state.doubtful and not verdict.answer.strip():
        # Nobody has said yet how the output answers; who passes everything cannot either.
        asked += [AIMessage(verdict.model_dump_json()), HumanMessage(SAY_WHAT)]
        spent = ReasoningState.model_validate(state.model_dump(mode="json") | told)
        try:
            again, told = await _verdict(asked, spent, models, 2)
        except ModelError as error:
            if error.transient:
                raise
            # The first verdict stands for what it is worth: the output is shown, and not claimed.
            again, told = (
                None,
                told | dump(notes=[*spent.notes, f"The verifier did not answer again: {error}"]),
            )
        verdict = again or verdict
    findings = [] if verdict.passed else [verdict.reason or "the verifier gave no reason"]
    instead = verdict.answer.strip()
    if findings and instead and instead != (state.draft_answer or "").strip():
        if not ungrounded(instead, seen_by(state)):
            findings.append(f"the outputs rather say: {instead}")
    if not findings and state.doubtful and _bears_out(verdict, state):
        told |= dump(doubtful=False)
    return findings, verdict.confidence, told


async def _verdict(
    messages: list[BaseMessage], state: ReasoningState, models: RoleModels, attempt: int
) -> tuple[Verdict | None, Update]:
    """One verdict, or None where it could not be read, and what asking cost."""
    progress("model_call", role="verifier", attempt=attempt)
    try:
        reply = await models.structured("verifier", messages, Verdict)
    except ModelReplyInvalid as invalid:
        notes = cut_note(state.notes, "verifier", invalid.cut)
        return None, dump(usage=add_usage(state, "verifier", invalid.usage), notes=notes)
    thought("verifier", reply.thinking)
    notes = cut_note(state.notes, "verifier", reply.cut)
    return reply.value, dump(usage=add_usage(state, "verifier", reply.usage), notes=notes)


def _bears_out(verdict: Verdict, state: ReasoningState) -> bool:
    """True if a verifier that passed an output as it is says itself what the answer in it is.

    A bare "passed" is what a verifier that passes everything says, and no worker said how the output answers.
    """
    answer = verdict.answer.strip()
    shown = "\n".join(evidence.text for evidence in state.evidence if evidence.source == "tool")
    if not re.search(r"\w", answer) or (state.plan is not None and state.plan.doubts):
        return False
    return not ungrounded(answer, seen_by(state)) and not says_nothing_of(answer, shown)


def seen_by(state: ReasoningState) -> list[str]:
    """Everything a fact of the answer may stand in: what the person said, tools printed or code computed."""
    nothing = ["0" for e in state.evidence if e.source == "tool" and not e.text.strip()]
    told = [f"{e.command}\n{e.text}" for e in state.evidence]
    return [*state.words_of_the_person(), *told, *nothing[:1]]


def _doubts_text(state: ReasoningState) -> str:
    """What code could not see taken up, for the verifier to look at."""
    doubts = state.plan.doubts if state.plan else []
    if not doubts:
        return ""
    return f"\nCode could not see whether the commands take up {', '.join(doubts)}; look at that closely.\n"


def _event(state: ReasoningState, findings: list[str]) -> ReasoningEvent:
    return ReasoningEvent(
        timestamp=now(),
        session_id=state.session_id,
        event_type="verification",
        goal=state.goal,
        outcome_status="failure" if findings else "success",
        error="; ".join(findings) or None,
    )
