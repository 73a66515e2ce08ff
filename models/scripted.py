"""A deterministic model that follows a script: a real chat model for tests and benchmarks.

A script is YAML:

    roles:
      planner: [reply, reply, ...]     # taken in order
    default: [reply, ...]              # for roles that have none
    repeat_last: true                  # the last reply again, instead of an error

A reply is text; or a mapping that is dumped as JSON; or `{error: unavailable|missing|timeout|failed}`; or
`{delay: seconds, reply: ...}`; or `{when: REGEX, reply: ...}`, which answers every prompt it matches.
"""

from __future__ import annotations

import asyncio
import json
import re
import threading
from pathlib import Path
from typing import Any

import yaml
from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.messages.ai import UsageMetadata
from langchain_core.outputs import ChatGeneration, ChatResult
from pydantic import BaseModel, ConfigDict, Field, PrivateAttr

from models.errors import ModelError, ModelFailed, ModelMissing, ModelTimeout, ModelUnavailable

ERRORS: dict[str, tuple[type[ModelError], str]] = {
    "unavailable": (ModelUnavailable, "The scripted server is down."),
    "missing": (ModelMissing, "The scripted model is not found."),
    "timeout": (ModelTimeout, "The scripted model did not answer in time."),
    "failed": (ModelFailed, "The scripted model failed."),
}
_REGISTERED: dict[str, Script] = {}


class Script(BaseModel):
    """Replies by role."""

    model_config = ConfigDict(extra="forbid")

    roles: dict[str, list[Any]] = Field(default_factory=dict)
    default: list[Any] = Field(default_factory=list)
    repeat_last: bool = False


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
    except (ValueError, yaml.YAMLError) as error:
        raise ModelFailed(
            f"The script {name!r} holds no replies: {error}.", "See models/scripted.py for its form."
        ) from error


class ScriptedChatModel(BaseChatModel):
    """Replies from a script, in order; each opened model starts at the beginning.

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

    def _next(self, prompt: str) -> Any:
        replies = self.script.roles.get(self.role, self.script.default)
        for reply in replies:
            if isinstance(reply, dict) and "when" in reply and re.search(reply["when"], prompt):
                return reply["reply"]
        in_order = [reply for reply in replies if not (isinstance(reply, dict) and "when" in reply)]
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

    def _reply(self, messages: list[BaseMessage]) -> tuple[str, float]:
        """The next reply's text and how long it takes, in seconds."""
        reply = self._next("\n".join(str(message.text) for message in messages))
        delay = 0.0
        if isinstance(reply, dict) and "delay" in reply:
            delay, reply = float(reply["delay"]), reply.get("reply", "")
        if isinstance(reply, dict) and set(reply) == {"error"} and reply["error"] in ERRORS:
            kind, what = ERRORS[reply["error"]]
            raise kind(what, "This is what the script says.")
        return (reply if isinstance(reply, str) else json.dumps(reply, ensure_ascii=False)), delay

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        text, delay = self._reply(messages)
        threading.Event().wait(delay)
        return _result(messages, text)

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        text, delay = self._reply(messages)
        await asyncio.sleep(delay)
        return _result(messages, text)


def _result(messages: list[BaseMessage], text: str) -> ChatResult:
    """Tokens are counted as words, so usage is deterministic."""
    prompt = sum(len(str(message.text).split()) for message in messages)
    completion = len(text.split())
    usage = UsageMetadata(input_tokens=prompt, output_tokens=completion, total_tokens=prompt + completion)
    return ChatResult(generations=[ChatGeneration(message=AIMessage(text, usage_metadata=usage))])
