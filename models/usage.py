"""What model calls cost."""

from __future__ import annotations

from dataclasses import dataclass, replace

from langchain_core.messages import AIMessage


@dataclass(frozen=True)
class Usage:
    """Cost of one or more calls.

    Attributes:
        role: who called.
        model: provider:model that answered.
        calls: number of calls.
        prompt_tokens, completion_tokens: as the provider counts them; 0 when it does not say.
        seconds: wall clock.
    """

    role: str
    model: str
    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    seconds: float = 0.0

    def joined(self, other: Usage | None) -> Usage:
        """The cost of both, named after the later one."""
        if other is None:
            return self
        return Usage(
            other.role or self.role,
            other.model or self.model,
            self.calls + other.calls,
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            self.seconds + other.seconds,
        )

    def failed(self, model: str, seconds: float) -> Usage:
        """This usage with one more call that brought no reply, so its tokens are not known."""
        return replace(self, model=model, calls=self.calls + 1, seconds=self.seconds + seconds)

    def plus(self, message: AIMessage, seconds: float) -> Usage:
        """This usage with one more call."""
        counted = message.usage_metadata
        return Usage(
            self.role,
            self.model,
            self.calls + 1,
            self.prompt_tokens + (counted["input_tokens"] if counted else 0),
            self.completion_tokens + (counted["output_tokens"] if counted else 0),
            self.seconds + seconds,
        )
