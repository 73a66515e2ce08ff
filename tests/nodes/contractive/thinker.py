"""A scripted model for trees of questions: what it says of one before and after it knows the parts."""

import re
from collections import Counter
from pathlib import Path
from typing import Any

from pydantic import Field, PrivateAttr

from graph.contractive import think
from models.scripted import Script, register_script
from nodes.contractive.state import ContractiveState
from nodes.reflective.context import RunContext

QUESTION = re.compile(r"^Question(?: to split)?: (?P<text>.+)$", re.MULTILINE)


def asked_in(prompt: str) -> str:
    """The question a prompt ends with."""
    found = QUESTION.findall(prompt)
    return found[-1].strip() if found else ""


class Thinker(Script):
    """Replies by question; a list is given in turn, over and over.

    Attributes:
        says: to a question without its parts' answers.
        knows: to a question that is given established facts; else as `says`.
        splits: proposals, by the question that is to be split.
        reviews: of the critic, in turn.
        revises: when told what to mend.
        everything: to any call there is nothing else for.
    """

    says: dict[str, list[Any]] = Field(default_factory=dict)
    knows: dict[str, list[Any]] = Field(default_factory=dict)
    splits: dict[str, list[Any]] = Field(default_factory=dict)
    reviews: list[Any] = Field(default_factory=list)
    revises: list[Any] = Field(default_factory=list)
    everything: Any = None
    _times: Counter[str] = PrivateAttr(default_factory=Counter)
    _prompts: list[tuple[str, str]] = PrivateAttr(default_factory=list)

    def decide(self, role: str, prompt: str) -> Any:
        self._prompts.append((role, prompt))
        question = asked_in(prompt)
        replies: list[Any] = []
        if role == "critic":
            replies = self.reviews
        elif role == "planner":
            replies = self.splits.get(question, [])
        elif role == "worker":
            replies = self._of_worker(prompt, question)
        if not replies:
            return (
                {"parts": [], "kind": "AND"}
                if self.everything is None and role == "planner"
                else self._rest()
            )
        name = f"{role} {question} {'Established:' in prompt}"
        self._times[name] += 1
        return replies[(self._times[name] - 1) % len(replies)]

    def _of_worker(self, prompt: str, question: str) -> list[Any]:
        if self.revises and "Established:" not in prompt and "\nQuestion: " in prompt and self._mends(prompt):
            return self.revises
        informed = "Established:" in prompt and question in self.knows
        return (self.knows if informed else self.says).get(question, [])

    @staticmethod
    def _mends(prompt: str) -> bool:
        return "wrong with" in prompt or "Issues" in prompt or "issues" in prompt

    def _rest(self) -> Any:
        return {"error": "failed"} if self.everything is None else self.everything

    def prompts(self, role: str = "", holding: str = "") -> list[str]:
        """Prompts of a role that hold a text, in order."""
        return [prompt for by, prompt in self._prompts if role in ("", by) and holding in prompt]


def parts(*questions: str, kind: str = "AND", needs: dict[int, list[int]] | None = None) -> dict[str, Any]:
    """A proposal; `needs` gives for a part (from 1) the numbers of those it depends on."""
    made = [
        {"question": question, "depends_on": (needs or {}).get(number, [])}
        for number, question in enumerate(questions, start=1)
    ]
    return {"kind": kind, "parts": made}


def doubt(*answers: object) -> list[str]:
    """Samples that differ."""
    return [f"I think so.\nAnswer: {answer}" for answer in answers]


def sure(answer: object) -> list[str]:
    """Samples that agree."""
    return [f"That is so.\nAnswer: {answer}"]


async def thought(
    root: Path, script: Script, question: str, name: str = "thinker", context: str = "", **settings: Any
) -> ContractiveState:
    """A whole run; settings are those of the section `contractive`."""
    register_script(name, script)
    chosen: dict[str, Any] = {"normalize": "code", **settings}
    run = RunContext(
        root=str(root),
        model=f"scripted:{name}",
        settings={f"contractive.{key}": value for key, value in chosen.items()},
    )
    return ContractiveState.model_validate(await think(question, context=context, run=run))
