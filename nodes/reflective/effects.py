"""Writing steps: shown, approved, written down, done once.

    found in the journal -> its result, again
    dry run              -> what it would do
    ask                  -> preview -> interrupt -> approve, edit, reject, always
    intent in the journal -> the call -> result in the journal

The journal knows an effect by LangGraph's task id, which a task keeps when it runs again after a crash, and
which a replay or a fork gets anew.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from langgraph.types import interrupt
from pydantic import BaseModel, Field, ValidationError

from memory.effects import Effect, EffectJournal, Slot, call_digest
from memory.errors import MemoryStoreError
from nodes.reflective.services import Services
from nodes.reflective.state import PlanStep
from tools.errors import ToolError
from tools.protocol import Preview, ToolCall, ToolResult
from tools.toolbox import Toolbox
from tools.writing.effects import effect_of
from tools.writing.plan import displayed

PREVIEW_CHARS = 20_000


class Approval(BaseModel):
    """What a person decides about one change.

    Attributes:
        decision: approve this call; edit its arguments and run it; reject it, which ends the run; or always
            approve calls of this tool in this run.
        args: the arguments to use instead, for "edit".
        reason: why it is rejected.
    """

    decision: Literal["approve", "edit", "reject", "always"]
    args: dict[str, Any] | None = Field(None, description="For edit: the arguments to use instead.")
    reason: str = Field("", max_length=2000, description="For reject: why.")


# As JSON, so that an answer that does not fit is explained instead of ending the run.
ANSWER_SCHEMA = Approval.model_json_schema()


@dataclass(frozen=True)
class Outcome:
    """What became of a writing call.

    Attributes:
        result: what the call did, or would do, or why it was not made.
        call: the call as it was run, which a person may have edited.
        planned_only: True after a dry run.
        rejected: True if a person said no.
        always: True if a person approved every call of the tool.
        notes: remarks for the reader.
    """

    result: ToolResult
    call: ToolCall
    planned_only: bool = False
    rejected: bool = False
    always: bool = False
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Effects:
    """Makes the changes of one node visit.

    Attributes:
        toolbox: the tools.
        journal: where effects are written down.
        thread: the thread.
        task: LangGraph's id of the running task.
        approval: ask a person, make changes unasked, or only show them.
        allowed: tools a person approved for the whole run.
        timeout: seconds a call may take.
    """

    toolbox: Toolbox
    journal: EffectJournal
    thread: str
    task: str
    approval: Literal["ask", "yes", "dry_run"]
    allowed: frozenset[str]
    timeout: float

    async def make(self, step: PlanStep, call: ToolCall) -> Outcome:
        """Make the change of a step, once.

        Raises:
            JournalUnusable: it cannot be written down, so it is not made.
            EffectInProgress: another process is making it.
            GraphInterrupt: a person is to be asked; the node runs again with the answer.
        """
        slot = Slot(self.thread, self.task, step.num, call_digest(call.model_dump(mode="json")))
        found = await asyncio.to_thread(self.journal.find, slot)
        if found is not None and found.state in ("done", "uncertain"):
            settled = await self._settled(slot, found)
            if settled is not None:
                return settled
            found = None
        try:
            preview = await asyncio.to_thread(self.toolbox.preview, call)
        except ToolError as error:
            return Outcome(refused(call, error), call)
        if self.approval == "dry_run":
            return Outcome(foreseen(preview, call), call, planned_only=True)
        if self.approval == "yes" or call.tool in self.allowed:
            return await self._run(slot, call, preview)
        return await self._asked(slot, step, call, preview, found.shown if found else [])

    async def _settled(self, slot: Slot, found: Effect) -> Outcome | None:
        """The outcome of an effect that was begun earlier; None if it has certainly not happened."""
        call = ToolCall.model_validate(found.call)
        if found.result is not None:
            note = f"Step {slot.step} was done before this run was interrupted, and not repeated."
            return Outcome(ToolResult.model_validate(found.result), call, notes=[note])
        seen = await asyncio.to_thread(effect_of, self.toolbox.root, call, found.after)
        if seen == "not_done":
            await asyncio.to_thread(self.journal.retract, slot)
            return None
        if seen == "done":
            result = recovered(call)
            await asyncio.to_thread(self.journal.finish, slot, result.model_dump(mode="json"))
            note = (
                f"Step {slot.step} was interrupted; the files show that it was done, and it was not repeated."
            )
            return Outcome(result, call, notes=[note])
        note = (
            f"Step {slot.step} ({interrupted(call).command}) was interrupted, and it is not known whether it "
            "took effect. It was not repeated: look at what it may have changed."
        )
        return Outcome(interrupted(call), call, notes=[note])

    async def _asked(
        self, slot: Slot, step: PlanStep, call: ToolCall, preview: Preview, shown: list[str]
    ) -> Outcome:
        """Ask until a person has decided about what is there now; only the last answer counts.

        LangGraph runs the node anew after each answer and hands out the answers in order, so the journal
        keeps what each was about.
        """
        shown = list(shown)
        problem, answered = "", 0
        while True:
            if answered == len(shown):
                shown.append(preview.fingerprint)
                await asyncio.to_thread(self.journal.propose, slot, call.model_dump(mode="json"), shown)
            value = interrupt(question(step, call, preview, problem), response_schema=ANSWER_SCHEMA)
            answered += 1
            if answered < len(shown):
                continue
            decided, problem = read_answer(value)
            if decided is None:
                continue
            if decided.decision == "reject":
                return Outcome(rejected(call, decided.reason), call, rejected=True)
            if decided.decision == "edit":
                problem = await self._problem_of(ToolCall(tool=call.tool, args=decided.args or {}))
            elif shown[-1] != preview.fingerprint:
                problem = "It has changed since you were asked; this is what would be done now."
            if not problem:
                break
        if decided.decision == "edit":
            call = ToolCall(tool=call.tool, args=decided.args or {})
            preview = await asyncio.to_thread(self.toolbox.preview, call)
        outcome = await self._run(slot, call, preview)
        return replace(outcome, always=decided.decision == "always")

    async def _problem_of(self, call: ToolCall) -> str:
        """Why an edited call may not be made; empty if it may."""
        try:
            await asyncio.to_thread(self.toolbox.preview, call)
        except ToolError as error:
            return str(error)
        return ""

    async def _run(self, slot: Slot, call: ToolCall, preview: Preview) -> Outcome:
        plain = call.model_dump(mode="json")
        begun = await asyncio.to_thread(self.journal.begin, slot, plain, preview.after)
        if begun.state != "intent":
            settled = await self._settled(slot, begun)
            return settled or Outcome(interrupted(call), call)
        try:
            result = await self.toolbox.run(
                call, timeout=self.timeout, expected_fingerprint=preview.fingerprint
            )
        except BaseException:
            # Cut off in the middle: what it did is found out when the step runs again. Should even this fail,
            # the intent stays, which is found to be in doubt once this process is gone.
            with suppress(MemoryStoreError):
                self.journal.doubt(slot)
            raise
        await asyncio.to_thread(self.journal.finish, slot, result.model_dump(mode="json"))
        notes = []
        if begun.repeats:
            notes.append(
                f"Step {slot.step} was done in this thread before, at {begun.repeats}; this run branched off "
                "an earlier point and did it anew."
            )
        return Outcome(result, call, notes=notes)


def read_answer(value: Any) -> tuple[Approval | None, str]:
    """A person's answer, or None and what is wrong with it, so that they can be asked again."""
    try:
        return Approval.model_validate({"decision": value} if isinstance(value, str) else value), ""
    except ValidationError as error:
        where = "; ".join(f"{'.'.join(map(str, e['loc'])) or 'answer'}: {e['msg']}" for e in error.errors())
        return None, f"The answer could not be read ({where})."


def question(step: PlanStep, call: ToolCall, preview: Preview, problem: str) -> dict[str, Any]:
    """What a person is shown: the change itself, not what a model says of it.

    Args:
        step: the step.
        call: its call.
        preview: what the call would do now.
        problem: why they are asked again, or empty.
    """
    text = preview.diff or preview.code or preview.summary
    return {
        "kind": "approval",
        "step": step.num,
        "description": step.description,
        "tool": call.tool,
        "args": call.args,
        "summary": preview.summary,
        "preview": text if len(text) <= PREVIEW_CHARS else f"{text[:PREVIEW_CHARS]}\n[... cut ...]",
        "argv": preview.argv,
        "problem": problem,
        "decisions": ["approve", "edit", "reject", "always"],
    }


def effects_of(services: Services, toolbox: Toolbox, thread: str, task: str, allowed: list[str]) -> Effects:
    """The effects of a node visit, from the run's services."""
    tools = services.settings.tools
    return Effects(
        toolbox=toolbox,
        journal=services.journal,
        thread=thread,
        task=task,
        approval=tools.approval,
        allowed=frozenset(allowed),
        timeout=services.settings.graph.timeout_per_step,
    )


def refused(call: ToolCall, error: ToolError) -> ToolResult:
    """The result of a call that may not be made."""
    return ToolResult(
        tool=call.tool, returncode=-1, error=str(error), error_kind=error.kind, command=displayed(call)
    )


def rejected(call: ToolCall, reason: str) -> ToolResult:
    """The result of a call a person said no to."""
    why = f": {reason}" if reason else "."
    return ToolResult(
        tool=call.tool,
        returncode=-1,
        error=f"You rejected it{why}",
        error_kind="rejected",
        command=displayed(call),
    )


def foreseen(preview: Preview, call: ToolCall) -> ToolResult:
    """The result of a dry run: what would be done."""
    text = preview.diff or preview.code or preview.summary
    return ToolResult(
        tool=call.tool, returncode=0, stdout=text, error_kind="dry_run", command=displayed(call)
    )


def recovered(call: ToolCall) -> ToolResult:
    """The result of a call whose own result was lost, but whose effect is there."""
    return ToolResult(
        tool=call.tool, returncode=0, stdout="(done before an interruption)", command=displayed(call)
    )


def interrupted(call: ToolCall) -> ToolResult:
    """The result of a call of which nobody knows whether it took effect."""
    return ToolResult(
        tool=call.tool,
        returncode=-1,
        error="It was interrupted, and whether it took effect is not known; it was not repeated.",
        error_kind="interrupted",
        command=displayed(call),
    )
