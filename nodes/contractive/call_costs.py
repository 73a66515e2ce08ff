"""What a call cost, whatever came of it, and what is kept of one that failed. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from langchain_core.messages import BaseMessage

from models.errors import (
    ModelError,
    ModelFailed,
    ModelMissing,
    ModelReplyInvalid,
    ModelRequestRefused,
    ModelTimeout,
    ModelUnavailable,
)
from models.prompt_size import estimate_prompt, estimate_tokens
from models.usage import Usage

# Where a provider says nothing of tokens, its replies are counted as prompts are.
NOTHING_TAKEN = (ModelUnavailable, ModelMissing, ModelRequestRefused)


class Heard(NamedTuple):
    """A reply: what is kept of it, what the server says it cost, and all that was said, thinking too."""

    facts: dict[str, Any]
    usage: Usage
    said: str


def failure_facts(error: ModelError, seconds: float) -> dict[str, Any]:
    """What the journal keeps of a call that brought nothing; `error_of` reads it back."""
    usage = error.usage
    return {
        "error": error.what,
        "kind": type(error).__name__,
        "remedy": error.remedy,
        "transient": error.transient,
        "usage": {
            "calls": usage.calls if usage else 1,
            "prompt_tokens": usage.prompt_tokens if usage else 0,
            "completion_tokens": usage.completion_tokens if usage else 0,
            "seconds": round(seconds, 4),
        },
    }


def taken(heard: Heard, messages: Sequence[BaseMessage], most: tuple[int, int]) -> int:
    """Tokens of a reply: as the server counts them; what it does not count is estimated."""
    usage = heard.usage
    if usage.prompt_tokens and usage.completion_tokens:
        return usage.prompt_tokens + usage.completion_tokens
    if usage.calls > 1:
        # The first try is not there any more to be counted.
        return max(sum(most), usage.prompt_tokens + usage.completion_tokens)
    prompt = usage.prompt_tokens or min(estimate_prompt(messages), most[0])
    return prompt + (usage.completion_tokens or min(estimate_tokens(heard.said), most[1]))


def taken_in_vain(error: ModelError, most: tuple[int, int]) -> int:
    """Tokens of a call that brought nothing: what was counted, and what the try that failed may have taken.

    A server that cannot be reached takes nothing; one that breaks off has read the prompt; one that is too
    slow may have taken all.
    """
    usage = error.usage
    counted = usage.prompt_tokens + usage.completion_tokens if usage else 0
    if isinstance(error, ModelReplyInvalid):
        return counted or sum(most)
    if isinstance(error, NOTHING_TAKEN):
        return counted
    uncounted = sum(most) if isinstance(error, ModelTimeout) else most[0]
    return max(counted, min(counted + uncounted, sum(most)))


def error_of(facts: dict[str, Any]) -> ModelError:
    """The error a call of the journal ended with."""
    kinds: dict[str, type[ModelError]] = {
        kind.__name__: kind for kind in (ModelFailed, ModelMissing, ModelTimeout, ModelUnavailable)
    }
    error = kinds.get(str(facts.get("kind")), ModelFailed)(str(facts["error"]), str(facts.get("remedy", "")))
    error.transient = bool(facts.get("transient"))
    return error
