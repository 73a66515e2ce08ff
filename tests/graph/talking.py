"""A scripted model for several engines at work: it knows which of them asks, and keeps what it was asked."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from pydantic import Field, PrivateAttr

from models.scripted import Script, register_script
from nodes.reflective.context import RunContext

# Beginnings of the prompts by which engines ask: the direct call, and the contractive samples.
DIRECT = "Answer the question from general knowledge"
SAMPLE = "Wanted:"
RECOMMENDING = "You turn a request"
READING = "You restate a question"


class Talker(Script):
    """Replies by who asks; a callable is called with the prompt.

    Attributes:
        direct: to the direct call, and to what the reflective engine answers from memory.
        sample: to the samples of the contractive engine.
        recommends: to the node that asks for recommendations.
        rest: by role, to all other calls.
        delay: seconds each reply takes.
    """

    direct: Any = "Answer: 9"
    sample: Any = "Answer: 9"
    recommends: Any = Field(default_factory=lambda: {"recommendations": []})
    rest: dict[str, Any] = Field(default_factory=dict)
    delay: float = 0.0
    _asked: list[tuple[str, str]] = PrivateAttr(default_factory=list)

    def decide(self, role: str, prompt: str) -> Any:
        who = self.who(role, prompt)
        self._asked.append((who, prompt))
        reply = {"direct": self.direct, "sample": self.sample, "recommends": self.recommends}.get(who)
        if reply is None:
            reply = self.rest.get(who, {"error": "failed"})
        if isinstance(reply, Callable):  # type: ignore[arg-type]  # a callable it is
            reply = reply(prompt)
        return {"delay": self.delay, "reply": reply} if self.delay else reply

    @staticmethod
    def who(role: str, prompt: str) -> str:
        if role == "worker" and SAMPLE in prompt:
            return "sample"
        if role == "worker" and DIRECT in prompt:
            return "direct"
        return "recommends" if RECOMMENDING in prompt else role

    @property
    def asked(self) -> list[str]:
        """Who asked, in order."""
        return [who for who, _ in self._asked]

    def prompts(self, who: str) -> list[str]:
        return [prompt for by, prompt in self._asked if by == who]


def context_of(root: Path, script: Script, name: str, **settings: Any) -> RunContext:
    """Choices of a run whose model is the script; settings by key with two strokes for a dot."""
    register_script(name, script)
    chosen = {
        "experience.enabled": False,
        "traces.enabled": False,
        "contractive.normalize": "code",
        **{key.replace("__", "."): value for key, value in settings.items()},
    }
    approval = chosen.pop("approval", None)
    return RunContext(root=str(root), model=f"scripted:{name}", approval=approval, settings=chosen)
