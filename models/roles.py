"""Models by role: each role's settings resolved, its fallback, and its replies as words or as values."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage

from configs.settings import Role, Settings
from models.asking import Answer, Asker, Question
from models.errors import (
    ModelError,
    ModelMissing,
    ModelReplyInvalid,
    ModelRequestRefused,
    ModelUnavailable,
)
from models.identifiers import SHIPPED, ModelId
from models.prompt_size import estimate_prompt
from models.reply import Reply, StructuredReply
from models.role_settings import ResolvedModel, candidates, reply_limit
from models.sampling import Sampling
from models.selection import ModelChoice
from models.structured import Unreadable, Value, read_reply, wire_schema
from models.telemetry.counters import recovered
from models.thinking import split_thinking
from models.usage import Usage

SHOWN_OF_BAD_REPLY = 2000


class RoleModels:
    """The models of one run; scripts start at their beginning.

    Where a role's fields come from is told in `models.role_settings`. A model that could not be reached or
    found is not tried again in the same run, by any role that has a fallback.

    Args:
        settings: all settings.
        choice: the model of every role that names none.
    """

    def __init__(self, settings: Settings, choice: ModelChoice) -> None:
        self._settings = settings
        self._choice = choice
        self._asker = Asker()
        self._candidates: dict[Role, tuple[ResolvedModel, ...]] = {}
        self._out_of_reach: set[ModelId] = set()
        self._schemaless: set[ModelId] = set()

    async def aclose(self) -> None:
        """Close the connections of every model that was opened; the next call opens it again."""
        await self._asker.aclose()

    @property
    def remarks(self) -> list[str]:
        """What a person should know of the calls so far: servers that failed or were away."""
        return self._asker.remarks.lines()

    def model_name(self, role: Role) -> str:
        """provider:model that serves a role now: its own, or its fallback once that one had to step in."""
        return str(self._in_reach(role)[0].model_id)

    def can_judge(self, role: Role) -> bool:
        """False for the shipped 270M base model: its verdicts were noise, so code alone decides."""
        return self._in_reach(role)[0].model_id != ModelId("embedded", SHIPPED)

    async def text(
        self,
        role: Role,
        messages: Sequence[BaseMessage],
        *,
        stop: list[str] | None = None,
        max_tokens: int | None = None,
        sampling: Sampling | None = None,
    ) -> Reply:
        """One answer in words.

        Args:
            role: who is asked.
            messages: the prompt.
            stop: texts that end the reply.
            max_tokens: the longest reply; by default the role's own limit, and never over half the window.
            sampling: how this reply is drawn, if not as the role's settings say.

        Raises:
            ModelError: the model could not be reached, found or finished, nor could the role's fallback.
        """
        answer = await self._call(
            role, Usage(role, ""), Question(messages, 1, stop, max_tokens, sampling=sampling)
        )
        text, thinking = split_thinking(answer.message)
        return Reply(text, thinking, answer.usage, answer.cut, answer.truncated)

    def window(self, role: Role) -> int:
        """Tokens that prompt and reply of a role's model may have together."""
        return self._in_reach(role)[0].settings.num_ctx

    def most_tokens(
        self, role: Role, messages: Sequence[BaseMessage], max_tokens: int | None = None
    ) -> tuple[int, int]:
        """Tokens one call may take at most of the model that would be asked now: prompt and reply."""
        settings = self._in_reach(role)[0].settings
        limit = reply_limit(settings, max_tokens)
        return min(estimate_prompt(messages), settings.num_ctx - limit), limit

    async def structured(
        self,
        role: Role,
        messages: Sequence[BaseMessage],
        schema: type[Value],
        *,
        max_tokens: int | None = None,
    ) -> StructuredReply[Value]:
        """One answer as a typed value: native schema, parse, repair, one retry that says what was wrong.

        Args:
            role: who is asked.
            messages: the prompt.
            schema: what the answer holds.
            max_tokens: the longest reply; by default the role's own limit, and never over half the window.

        Raises:
            ModelReplyInvalid: neither reply fits the schema.
            ModelError: as for `text`.
        """
        usage, cut, text, problem = Usage(role, ""), 0, "", ""
        thoughts: list[str] = []
        question = Question(messages, max_tokens=max_tokens, schema=wire_schema(schema))
        for attempt in range(2):
            answer = await self._call(role, usage, question)
            usage, cut = answer.usage, cut + answer.cut
            text, thinking = split_thinking(answer.message)
            thoughts += [thinking] if thinking else []
            try:
                value, rung = read_reply(
                    text, schema, constrained=answer.constrained, truncated=answer.truncated
                )
                if attempt or rung == "repaired":
                    recovered("reply_retried" if attempt else "reply_repaired")
                return StructuredReply(value, "retried" if attempt else rung, usage, cut, "\n".join(thoughts))
            except Unreadable as error:
                problem = str(error)
                wrong = f"That does not fit: {problem}. Answer the request again with one JSON object only."
                asked = [*messages, AIMessage(text[:SHOWN_OF_BAD_REPLY]), HumanMessage(wrong)]
                question = replace(question, messages=asked, keep_last=3)
        raise ModelReplyInvalid(
            f"The {role} ({usage.model}) gave no usable reply: {problem}.",
            "Use a larger model for this role.",
            text,
            usage,
            cut,
        )

    def _in_reach(self, role: Role) -> list[ResolvedModel]:
        """The role's models that may answer, best first; all of them when none could be reached."""
        if role not in self._candidates:
            self._candidates[role] = candidates(self._settings, self._choice, role)
        known = list(self._candidates[role])
        return [model for model in known if model.model_id not in self._out_of_reach] or known

    async def _call(self, role: Role, usage: Usage, question: Question) -> Answer:
        failed: list[ModelError] = []
        for model in self._in_reach(role):
            try:
                answer = await self._ask(role, model, usage, question)
                if failed:
                    recovered("model_fallback")
                return answer
            except (ModelUnavailable, ModelMissing) as error:
                self._out_of_reach.add(model.model_id)
                usage = error.usage or usage
                failed.append(error)
        if len(failed) == 1:
            raise failed[0]
        both = type(failed[0])(
            f"{failed[0].what} Its fallback cannot answer either: {failed[1].what}", failed[0].remedy
        )
        both.usage = usage
        raise both from failed[1]

    async def _ask(self, role: Role, model: ResolvedModel, usage: Usage, question: Question) -> Answer:
        """Ask one model; held to the schema if it can be, else told the schema in words."""
        native = model.model_id.provider != "scripted" and model.model_id not in self._schemaless
        if question.schema is None or native:
            try:
                return await self._asker.ask(
                    role, model, usage, question, constrained=question.schema is not None
                )
            except ModelRequestRefused as refused:
                if question.schema is None or model.model_id.provider == "embedded":
                    raise
                usage = refused.usage or usage
                # Not every server knows schemas; asked in words instead, it may still answer.
                self._schemaless.add(model.model_id)
        elif model.model_id.provider == "scripted":
            return await self._asker.ask(role, model, usage, question, constrained=False)
        in_words = SystemMessage(
            "Answer with one JSON object that fits this JSON schema, and nothing else:\n"
            + json.dumps(question.schema)
        )
        worded = replace(question, messages=[in_words, *question.messages])
        return await self._asker.ask(role, model, usage, worded, constrained=False)
