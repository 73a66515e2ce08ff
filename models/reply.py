"""What a role's model answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic

from models.structured import Rung, Value
from models.usage import Usage


@dataclass(frozen=True)
class Reply:
    """A model's answer.

    Attributes:
        text: the answer without the thinking.
        thinking: what a reasoning model thought aloud, empty for others.
        usage: cost of the call, and which model answered.
        cut: characters of the prompt that did not fit the window.
        truncated: True if the answer stopped at the token limit.
    """

    text: str
    thinking: str
    usage: Usage
    cut: int = 0
    truncated: bool = False


@dataclass(frozen=True)
class StructuredReply(Generic[Value]):
    """A typed answer.

    Attributes:
        value: the answer.
        rung: how it was got out of the reply.
        usage: cost of all calls.
        cut: characters of the prompt that did not fit the window.
        thinking: what a reasoning model thought aloud before, empty for others.
    """

    value: Value
    rung: Rung
    usage: Usage
    cut: int = 0
    thinking: str = ""
