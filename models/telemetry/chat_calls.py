"""A call of a chat model: a span, a count, its tokens and its time."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from langchain_core.messages import AIMessage, BaseMessage

from models.errors import BudgetSpent
from models.identifiers import SHIPPED, ModelId
from models.role_settings import ResolvedModel
from models.sampling import Sampling
from models.telemetry import names
from models.telemetry.hashing import hash_of
from models.telemetry.scope import Recorder, Scope, Value, recorded, within

ROLES_OF_MESSAGES = {"human": "user", "ai": "assistant"}


@dataclass
class ModelCall:
    """A call of a model that goes on; where nothing is recorded, one that notes nothing."""

    _recorder: Recorder | None = None
    _scope: Scope | None = None
    _tokens: dict[str, int] = field(default_factory=dict)

    def asked(self, messages: Sequence[BaseMessage], max_tokens: int) -> None:
        """Note the prompt as it is sent, and how long the reply may be."""
        if self._recorder is None or self._scope is None:
            return
        self._scope.attributes[names.REQUEST_MAX_TOKENS] = max_tokens
        self._scope.attributes |= self._recorder.text("input", "\n\n".join(map(_text_of, messages)))
        if self._recorder.content:
            self._scope.attributes |= _told(
                self._recorder, names.INPUT_MESSAGES, names.LLM_INPUT_MESSAGES, messages
            )

    def served_by(self, address: str) -> None:
        """Note which of the model's servers gave the reply."""
        if self._scope is not None:
            self._scope.attributes |= _of_server(address)

    def answered(self, message: AIMessage) -> None:
        """Note the reply."""
        if self._recorder is None or self._scope is None:
            return
        self._scope.outcome = "ok"
        counted = message.usage_metadata
        if counted:
            self._tokens = {"input": counted["input_tokens"], "output": counted["output_tokens"]}
        self._scope.attributes |= _of_reply(self._recorder, message, self._tokens)


@contextmanager
def model_call(
    role: str, model: ResolvedModel, sampling: Sampling | None, *, constrained: bool
) -> Iterator[ModelCall]:
    """A call of a chat model; what it raises is its error.

    Args:
        role: who is asked.
        model: that is asked.
        sampling: how the reply is drawn, if not as the role's settings say.
        constrained: the reply is held to a schema.
    """
    at = recorded()
    if at is None:
        yield ModelCall()
        return
    above, recorder = at
    about = model_attributes(model.model_id, recorder) | {names.OPERATION: names.CHAT}
    attributes = about | _of_request(role, model, sampling, constrained=constrained)
    attributes |= {names.LLM_MODEL: about[names.REQUEST_MODEL], names.LLM_PROVIDER: about[names.PROVIDER]}
    scope = Scope(f"{names.CHAT} {about[names.REQUEST_MODEL]}", above, client=True, attributes=attributes)
    call, started = ModelCall(recorder, scope), time.perf_counter()
    try:
        with within(scope):
            yield call
    except BudgetSpent:
        # Nobody was asked.
        raise
    except BaseException as error:
        _counted(recorder, role, about | {names.ERROR_TYPE: type(error).__name__}, started, call._tokens)
        raise
    _counted(recorder, role, about, started, call._tokens)


def _counted(
    recorder: Recorder,
    role: str,
    about: Mapping[str, Value],
    started: float,
    tokens: Mapping[str, int],
) -> None:
    recorder.count(names.MODEL_CALLS, 1, {**about, names.ROLE: role})
    recorder.measure(names.OPERATION_DURATION, time.perf_counter() - started, about)
    for kind, amount in tokens.items():
        recorder.measure(names.TOKEN_USAGE, amount, {**about, names.TOKEN_TYPE: kind})


def model_attributes(model: ModelId, recorder: Recorder) -> dict[str, Value]:
    """Provider and name; the name of a file is told by its hash where no content is."""
    name = model.name
    if model.provider in ("embedded", "scripted") and name != SHIPPED and not recorder.content:
        name = f"file-{hash_of(name)}"
    return {names.PROVIDER: model.provider, names.REQUEST_MODEL: name}


def _of_request(
    role: str, model: ResolvedModel, sampling: Sampling | None, *, constrained: bool
) -> dict[str, Value]:
    temperature = sampling.temperature if sampling is not None else model.settings.temperature
    attributes: dict[str, Value] = {
        names.SPAN_KIND: names.LLM_KIND,
        names.ROLE: role,
        names.REQUEST_TEMPERATURE: temperature,
        names.CONSTRAINED: constrained,
        names.OUTPUT_TYPE: "json" if constrained else "text",
    }
    if sampling is not None:
        attributes[names.REQUEST_SEED] = sampling.seed
    return attributes | _of_server(model.address)


def _of_server(address: str) -> dict[str, Value]:
    if not address:
        return {}
    parts = urlsplit(address if "//" in address else f"//{address}")
    about: dict[str, Value] = {names.SERVER_ADDRESS: parts.hostname} if parts.hostname else {}
    return about | {names.SERVER_PORT: parts.port} if parts.port else about


def _of_reply(recorder: Recorder, message: AIMessage, tokens: Mapping[str, int]) -> dict[str, Value]:
    told = message.response_metadata
    reason = told.get("finish_reason") or told.get("done_reason")
    attributes = recorder.text("output", _text_of(message))
    if tokens:
        attributes |= {
            names.INPUT_TOKENS: tokens["input"],
            names.OUTPUT_TOKENS: tokens["output"],
            names.LLM_PROMPT_TOKENS: tokens["input"],
            names.LLM_COMPLETION_TOKENS: tokens["output"],
            names.LLM_TOTAL_TOKENS: tokens["input"] + tokens["output"],
        }
    if isinstance(reason, str):
        attributes[names.FINISH_REASONS] = (reason,)
    if recorder.content:
        attributes |= _told(recorder, names.OUTPUT_MESSAGES, names.LLM_OUTPUT_MESSAGES, [message])
    return attributes


def _told(recorder: Recorder, name: str, flat_name: str, messages: Sequence[BaseMessage]) -> dict[str, Value]:
    """Messages as both conventions write them: one text of JSON, and an attribute for each part."""
    said = [(ROLES_OF_MESSAGES.get(one.type, one.type), recorder.redacted(_text_of(one))) for one in messages]
    parts = [{"role": role, "parts": [{"type": "text", "content": text}]} for role, text in said]
    told: dict[str, Value] = {name: json.dumps(parts, ensure_ascii=False)}
    for number, (role, text) in enumerate(said):
        told[f"{flat_name}.{number}.{names.MESSAGE_ROLE}"] = role
        told[f"{flat_name}.{number}.{names.MESSAGE_CONTENT}"] = text
    return told


def _text_of(message: BaseMessage) -> str:
    return message.content if isinstance(message.content, str) else json.dumps(message.content, default=str)
