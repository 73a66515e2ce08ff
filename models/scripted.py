"""A deterministic model that follows a script: a real chat model for tests and benchmarks.

A script is YAML:

    roles:
      planner: [reply, reply, ...]     # taken in order
    default: [reply, ...]              # for roles that have none
    repeat_last: true                  # the last reply again, instead of an error

A reply is one of

    text                               # as it stands
    {any: JSON}                        # a mapping or list, dumped
    {error: unavailable}               # or missing, timeout, failed; garbage is a reply nobody can read
    {error: lost}                      # the connection breaks, and may hold the next time
    {delay: SECONDS, reply: ...}       # after a while
    {pace: SECONDS, reply: ...}        # as long before each word; the words come one by one when streamed
    {when: REGEX, reply: ...}          # whenever the prompt matches; such replies are not used up
"""

from __future__ import annotations

import asyncio
import json
import re
import threading
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import yaml
from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.messages.ai import UsageMetadata
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, field_validator

from models.errors import ModelError, ModelFailed, ModelMissing, ModelTimeout, ModelUnavailable

ERRORS: dict[str, tuple[type[ModelError], str]] = {
    "unavailable": (ModelUnavailable, "The scripted server is down."),
    "missing": (ModelMissing, "The scripted model is not found."),
    "timeout": (ModelTimeout, "The scripted model did not answer in time."),
    "failed": (ModelFailed, "The scripted model failed."),
    "lost": (ModelFailed, "The scripted server broke off its reply."),
}
GARBAGE = "]]} ?? <|no reply|> ("
FORMS = {"when", "delay", "pace"}
# A word with the space before it, so that the pieces together are the text.
WORD = re.compile(r"\s*\S+|\s+\Z")
_REGISTERED: dict[str, Script] = {}


class Script(BaseModel):
    """Replies by role."""

    model_config = ConfigDict(extra="forbid")

    roles: dict[str, list[Any]] = Field(default_factory=dict)
    default: list[Any] = Field(default_factory=list)
    repeat_last: bool = False

    def decide(self, role: str, prompt: str) -> Any:
        """The reply to a prompt where it depends on more than its place; None takes the next one in order.

        A script made by code overrides this, such as one that knows the right replies and errs at random.
        """
        return None

    def decide_seeded(self, role: str, prompt: str, seed: int | None) -> Any:
        """The same for a call that has a seed, as samples of one prompt do; by default the seed is no matter.

        Args:
            role: whose reply it is.
            prompt: all messages, one after the other.
            seed: the call's own; None for a call without.
        """
        return self.decide(role, prompt)

    @field_validator("roles", "default")
    @classmethod
    def _readable(cls, value: Any) -> Any:
        for reply in value if isinstance(value, list) else [r for replies in value.values() for r in replies]:
            _check(reply)
        return value


def _is_wrapped(reply: Any) -> bool:
    """True for `when`, `delay` and `pace` forms; a mapping of other keys is a JSON value."""
    return isinstance(reply, dict) and bool(reply.keys() & FORMS) and reply.keys() <= {*FORMS, "reply"}


def _check(reply: Any) -> None:
    """Refuse a script's mistakes when it is read, not in the middle of a run."""
    if _is_wrapped(reply):
        if "reply" not in reply:
            raise ValueError(f"{reply!r} has no reply")
        re.compile(str(reply.get("when", "")))
        for form in ("delay", "pace"):
            if not isinstance(reply.get(form, 0), int | float):
                raise ValueError(f"{reply[form]!r} is no number of seconds")
        _check(reply["reply"])
    elif isinstance(reply, dict) and set(reply) == {"error"} and reply["error"] not in {*ERRORS, "garbage"}:
        raise ValueError(f"{reply['error']!r} is no error; choose one of {', '.join([*ERRORS, 'garbage'])}")


def register_script(name: str, script: Script) -> None:
    """Make a script known as `scripted:NAME` in this process."""
    _REGISTERED[name] = script


def load_script(name: str) -> Script:
    """A registered script, or one from a YAML file.

    Raises:
        ModelMissing: neither exists.
        ModelFailed: the file holds no script.
    """
    if name in _REGISTERED:
        return _REGISTERED[name]
    try:
        return Script.model_validate(yaml.safe_load(Path(name).expanduser().read_text("utf-8")))
    except OSError as error:
        raise ModelMissing(
            f"The script {name!r} cannot be read: {error}.", "Give a YAML file after scripted:."
        ) from error
    except (ValueError, re.error, yaml.YAMLError) as error:
        raise ModelFailed(
            f"The script {name!r} holds no replies: {error}.", "See models/scripted.py for its form."
        ) from error


class ScriptedChatModel(BaseChatModel):
    """Replies from a script, in order; each opened model starts at the beginning.

    A script that runs out raises ModelFailed, unless it repeats its last reply.

    Attributes:
        script: the replies.
        role: whose replies are given.
        label: name of the script, for errors.
    """

    script: Script
    role: str = "worker"
    label: str = "script"
    _position: int = PrivateAttr(default=0)
    _lock: Any = PrivateAttr(default_factory=threading.Lock)

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def _next(self, prompt: str, seed: int | None) -> Any:
        if (decided := self.script.decide_seeded(self.role, prompt, seed)) is not None:
            return decided
        replies = self.script.roles.get(self.role, self.script.default)
        conditional = [reply for reply in replies if _is_wrapped(reply) and "when" in reply]
        for reply in conditional:
            if re.search(str(reply["when"]), prompt):
                return reply
        in_order = [reply for reply in replies if reply not in conditional]
        with self._lock:
            position = self._position
            self._position += 1
        if position < len(in_order):
            return in_order[position]
        if self.script.repeat_last and in_order:
            return in_order[-1]
        raise ModelFailed(
            f"The script {self.label!r} has no reply number {position + 1} for the {self.role}.",
            "Add one, or set repeat_last.",
        )

    def _reply(self, messages: list[BaseMessage], options: Mapping[str, Any]) -> _Said:
        """The next reply, and how long it takes; of a call's options only its seed is read."""
        reply = self._next("\n".join(str(message.text) for message in messages), options.get("seed"))
        delay, pace = 0.0, 0.0
        while _is_wrapped(reply):
            delay, pace = delay + float(reply.get("delay", 0)), pace + float(reply.get("pace", 0))
            reply = reply["reply"]
        if isinstance(reply, dict) and set(reply) == {"error"}:
            if reply["error"] == "garbage":
                return _Said(GARBAGE, delay, pace)
            kind, what = ERRORS[reply["error"]]
            error = kind(what, "This is what the script says.")
            error.transient = reply["error"] == "lost"
            return _Said(error, delay, pace)
        text = reply if isinstance(reply, str) else json.dumps(reply, ensure_ascii=False)
        return _Said(text, delay, pace)

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        said = self._reply(messages, kwargs)
        threading.Event().wait(said.seconds)
        return _result(messages, said.told())

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        said = self._reply(messages, kwargs)
        await asyncio.sleep(said.seconds)
        return _result(messages, said.told())

    async def _astream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> AsyncIterator[ChatGenerationChunk]:
        """The reply word by word; usage comes with the last, empty piece."""
        said = self._reply(messages, kwargs)
        await asyncio.sleep(said.delay)
        for word in WORD.findall(said.told()):
            await asyncio.sleep(said.pace)
            yield ChatGenerationChunk(message=AIMessageChunk(content=word))
        counted = _usage(messages, said.told())
        yield ChatGenerationChunk(
            message=AIMessageChunk(content="", usage_metadata=counted, chunk_position="last")
        )


class _Said(NamedTuple):
    """A reply, or the error it stands for; seconds before the first word and before each word."""

    reply: str | ModelError
    delay: float
    pace: float

    @property
    def seconds(self) -> float:
        return self.delay + self.pace * (0 if isinstance(self.reply, ModelError) else len(self.reply.split()))

    def told(self) -> str:
        if isinstance(self.reply, ModelError):
            raise self.reply
        return self.reply


def _result(messages: list[BaseMessage], text: str) -> ChatResult:
    message = AIMessage(text, usage_metadata=_usage(messages, text))
    return ChatResult(generations=[ChatGeneration(message=message)])


def _usage(messages: list[BaseMessage], text: str) -> UsageMetadata:
    """Tokens are counted as words, so usage is deterministic."""
    prompt = sum(len(str(message.text).split()) for message in messages)
    completion = len(text.split())
    return UsageMetadata(input_tokens=prompt, output_tokens=completion, total_tokens=prompt + completion)
