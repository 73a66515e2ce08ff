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
import shlex
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from langgraph.types import interrupt
from pydantic import BaseModel, Field, ValidationError

from memory.effects import Effect, EffectJournal, Slot, call_digest
from memory.errors import MemoryStoreError
from nodes.reflective.services import Services
from nodes.reflective.state import PlanStep, ReasoningState, StepStatus
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
        args: the arguments to use instead, for "edit"; what they would do is asked about in turn.
        fingerprint: the question's own, so that an answer is never taken for one to another; may be empty.
        reason: why it is rejected.
    """

    decision: Literal["approve", "edit", "reject", "always"]
    args: dict[str, Any] | None = Field(None, description="For edit: the arguments to use instead.")
    fingerprint: str = Field("", description="The question's fingerprint; empty means the last one's.")
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
        foreseen: True if earlier changes of the plan were only shown, so later ones may build on nothing.
        run: when the run began, which tells a fork of it from another run.
    """

    toolbox: Toolbox
    journal: EffectJournal
    thread: str
    task: str
    approval: Literal["ask", "yes", "dry_run"]
    allowed: frozenset[str]
    timeout: float
    foreseen: bool
    run: str

    async def make(self, step: PlanStep, call: ToolCall) -> Outcome:
        """Make the change of a step, once.

        Raises:
            JournalUnusable: it cannot be written down, so it is not made.
            EffectInProgress: another process is making it.
            GraphInterrupt: a person is to be asked; the node runs again with the answer.
        """
        slot = Slot(self.thread, self.task, step.num, call_digest(call.model_dump(mode="json")), self.run)
        found = await asyncio.to_thread(self.journal.find, slot)
        if found is not None and found.state in ("done", "uncertain"):
            settled = await self._settled(slot, found)
            if settled is not None:
                return settled
            found = None
        await self.toolbox.ready(call)
        try:
            preview = await asyncio.to_thread(self.toolbox.preview, call)
        except ToolError as error:
            if self.approval == "dry_run" and self.foreseen:
                return Outcome(unforeseen(call, error), call, planned_only=True)
            return Outcome(refused(call, error), call)
        if self.approval == "dry_run":
            return Outcome(foreseen(preview, call), call, planned_only=True)
        # "Always" was said in the course of the run; a fork of it is asked anew about what it repeats.
        allowed = call.tool in self.allowed and await asyncio.to_thread(self.journal.repeats, slot) is None
        if self.approval == "yes" or allowed:
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

        LangGraph runs the node anew after each answer and hands out the answers in order. The journal keeps
        what each question was about, so that no answer is taken for one to another.
        """
        planned, problem = call, ""
        decided: Approval | None = None
        for index, asked in enumerate(shown):
            if index == len(shown) - 1 and asked != preview.fingerprint:
                # Still unanswered, it is put again now, about what is there now.
                await self._note(slot, planned, [*shown[:-1], preview.fingerprint])
            decided, problem = read_answer(ask(question(step, call, preview, problem)))
            if decided is not None and decided.decision == "edit":
                call, preview, problem = await self._edited(call, decided.args, preview)
            elif decided is not None and decided.decision != "reject":
                problem = misplaced(decided, asked, preview)
        if decided is not None and decided.decision == "reject":
            return Outcome(rejected(call, decided.reason), call, rejected=True)
        if decided is not None and not problem:
            outcome = await self._run(slot, call, preview)
            return replace(outcome, always=decided.decision == "always")
        while True:
            shown = [*shown, preview.fingerprint]
            await self._note(slot, planned, shown)
            ask(question(step, call, preview, problem))
            # Only an answer that was sent ahead of the question comes here, and it counts for nothing.
            problem = "The answer came before the question; this is what would be done."

    async def _note(self, slot: Slot, call: ToolCall, shown: list[str]) -> None:
        await asyncio.to_thread(self.journal.propose, slot, call.model_dump(mode="json"), shown)

    async def _edited(
        self, call: ToolCall, args: dict[str, Any] | None, proposed: Preview
    ) -> tuple[ToolCall, Preview, str]:
        """An edited call and what it would do, to be asked about; the one before, if it may not be made."""
        edited = ToolCall(tool=call.tool, args=args or {})
        try:
            preview = await asyncio.to_thread(self.toolbox.preview, edited)
        except ToolError as error:
            return call, proposed, str(error)
        return edited, preview, "These are your arguments; approve what they would do."

    async def _begun(self, slot: Slot, call: dict[str, Any], after: str | None) -> Effect:
        """As the journal's `begin`; who is cancelled meanwhile leaves no intent, at which nobody would be."""
        beginning = asyncio.ensure_future(asyncio.to_thread(self.journal.begin, slot, call, after))
        try:
            return await asyncio.shield(beginning)
        except asyncio.CancelledError:
            # A second cancel does not stop it.
            await asyncio.shield(self._taken_back(slot, beginning))
            raise

    async def _taken_back(self, slot: Slot, beginning: asyncio.Future[Effect]) -> None:
        # The run ends by the cancel, whatever fails here: an intent that stays is found to be in doubt.
        with suppress(MemoryStoreError):
            if (await beginning).state == "intent":
                await asyncio.to_thread(self.journal.retract, slot)

    async def _run(self, slot: Slot, call: ToolCall, preview: Preview) -> Outcome:
        plain = call.model_dump(mode="json")
        begun = await self._begun(slot, plain, preview.after)
        if begun.state != "intent":
            settled = await self._settled(slot, begun)
            return settled or Outcome(interrupted(call), call)
        try:
            result = await self.toolbox.run(
                call, timeout=self.timeout, expected_fingerprint=preview.fingerprint
            )
        except (Exception, asyncio.CancelledError):
            # Cut off in the middle: what it did is found out when the step runs again. Should even this fail,
            # the intent stays, which is found to be in doubt once this process is gone.
            with suppress(MemoryStoreError):
                await asyncio.shield(asyncio.to_thread(self.journal.doubt, slot))
            raise
        if result.error_kind == "interrupted":
            # Nobody knows what came of it, here as after a crash: no later visit may take it for settled.
            await asyncio.to_thread(self.journal.doubt, slot)
            return Outcome(result, call)
        await asyncio.to_thread(self.journal.finish, slot, result.model_dump(mode="json"))
        notes = []
        doubtful = await asyncio.to_thread(self.journal.doubtful, slot)
        if doubtful:
            notes.append(
                f"The same call as step {slot.step} was interrupted in this thread at {doubtful}, and it is "
                "not known whether it took effect then: look whether it was done twice."
            )
        if begun.repeats:
            notes.append(
                f"Step {slot.step} was done in this thread before, at {begun.repeats}; this run branched off "
                "an earlier point and did it anew."
            )
        return Outcome(result, call, notes=notes)


def ask(value: dict[str, Any]) -> Any:
    """The answer to a question.

    Raises:
        GraphInterrupt: there is none yet.
    """
    return interrupt(value, response_schema=ANSWER_SCHEMA)


def misplaced(decided: Approval, asked: str, preview: Preview) -> str:
    """Why an approval does not count for what would be done now; empty if it does.

    Args:
        decided: the approval.
        asked: fingerprint of what the person was asked about.
        preview: what would be done now.
    """
    if decided.fingerprint not in ("", asked):
        return "The answer was to another question; this is what would be done now."
    if asked != preview.fingerprint:
        return "It has changed since you were asked; this is what would be done now."
    return ""


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
    text = shown_text(preview)
    return {
        "kind": "approval",
        "step": step.num,
        "description": step.description,
        "tool": call.tool,
        "args": call.args,
        "summary": preview.summary,
        "preview": text if len(text) <= PREVIEW_CHARS else f"{text[:PREVIEW_CHARS]}\n[... cut ...]",
        "argv": preview.argv,
        "fingerprint": preview.fingerprint,
        "problem": problem,
        "decisions": ["approve", "edit", "reject", "always"],
    }


def shown_text(preview: Preview) -> str:
    """What a person must see of a change: the diff, the code, or every word of the command or the request."""
    words = shlex.join(preview.argv or ())
    return preview.diff or preview.code or words or preview.request or preview.summary


def effects_of(services: Services, toolbox: Toolbox, state: ReasoningState, task: str) -> Effects:
    """The effects of a node visit.

    Args:
        services: of the run.
        toolbox: its tools.
        state: of the visit.
        task: LangGraph's id of the running task.
    """
    steps = state.plan.steps if state.plan else []
    return Effects(
        toolbox=toolbox,
        journal=services.journal,
        thread=state.session_id,
        task=task,
        approval=services.settings.tools.approval,
        allowed=frozenset(state.allowed_tools),
        timeout=services.settings.graph.timeout_per_step,
        foreseen=any(step.status is StepStatus.SKIPPED for step in steps),
        run=state.started,
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
    return ToolResult(
        tool=call.tool,
        returncode=0,
        stdout=shown_text(preview),
        error_kind="dry_run",
        command=displayed(call),
    )


def unforeseen(call: ToolCall, error: ToolError) -> ToolResult:
    """The result of a dry run of a call that builds on changes which were not made."""
    return ToolResult(
        tool=call.tool,
        returncode=0,
        stdout=f"(cannot be shown before the changes above are made: {error.what})",
        error_kind="dry_run",
        command=displayed(call),
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
