"""A scripted model that knows the right reply of every role, and gives a bad one where a tape says so."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from pydantic import PrivateAttr

from evals.faults.goals import Goal
from evals.faults.replies import Asked, Fault, plan_of
from models.scripted import Script

Tape = Callable[[str, int], Fault | None]
"""(role, zero-based number of its call) to the fault of that reply, or None for the right reply."""

DRAFT = re.compile(r"Draft answer:[ \t]*(.*?)\n\s*\nText between", re.DOTALL)


@dataclass(frozen=True)
class Given:
    """One reply that was asked for and given.

    Attributes:
        role: who was asked.
        number: how often it was asked before.
        fault: what was wrong with the reply, or None.
        reply: the reply as the script holds it.
    """

    role: str
    number: int
    fault: Fault | None
    reply: Any = field(repr=False)


class Oracle(Script):
    """Right replies for one goal, except where the tape holds a fault.

    `given` lists the replies that the product has read, in order; a fault not among them was never met.
    """

    _goal: Goal = PrivateAttr()
    _tape: Tape = PrivateAttr()
    _random: random.Random = PrivateAttr()
    _given: list[Given] = PrivateAttr(default_factory=list)

    @classmethod
    def of(cls, goal: Goal, tape: Tape, seed: int) -> Oracle:
        """An oracle for a goal.

        Args:
            goal: whose right replies it knows.
            tape: where it goes wrong.
            seed: of what a fault leaves to chance.
        """
        oracle = cls()
        oracle._goal, oracle._tape, oracle._random = goal, tape, random.Random(seed)
        return oracle

    @property
    def given(self) -> list[Given]:
        """What was replied so far."""
        return self._given

    def decide(self, role: str, prompt: str) -> Any:
        """The reply to one prompt."""
        number = sum(1 for given in self._given if given.role == role)
        fault = self._tape(role, number)
        right = self._right(role, prompt)
        reply = right if fault is None else fault.make(Asked(right, self._goal, self._random))
        self._given.append(Given(role, number, fault, reply))
        return reply

    def _right(self, role: str, prompt: str) -> Any:
        if role == "classifier":
            return {"complexity": self._goal.complexity}
        if role == "planner":
            return self._plan(prompt)
        if role == "verifier":
            return self._verdict(prompt)
        if role == "critic":
            return {
                "category": "other",
                "diagnosis": "The command did not show what was asked.",
                "fragile": "It was not looked at first.",
                "lesson": "Look at the form of the file first.",
                "new_plan_summary": "Look at what is asked, by other commands.",
                **self._plan(prompt),
            }
        return self._wording(prompt)

    def _plan(self, prompt: str) -> dict[str, Any]:
        """The first right plan whose answer the prompt does not show to have been tried."""
        goal = self._goal
        if goal.change is not None:
            step = {"description": "Make the change", "command": "", **goal.change}
            return {"objective": goal.text, "steps": [step], "validation": "", "confidence": 0.8, **step}
        untried = [plan for plan in goal.plans if plan[-1] not in prompt]
        plans = untried or list(goal.plans)
        # Who asks for one command gets one; a plan's first steps only look at the form of a file.
        return plan_of(*(plans[0] if plans else ()), goal=goal)

    def _verdict(self, prompt: str) -> dict[str, Any]:
        drafts = DRAFT.findall(prompt)
        right = bool(drafts) and self._goal.is_right(drafts[0])
        return {
            "passed": right,
            "reason": "The output holds it." if right else "The output does not answer the request.",
            "answer": self._goal.answer if right else "",
            "confidence": 0.9,
        }

    def _wording(self, prompt: str) -> str:
        """The answer if the output that is shown holds it."""
        goal = self._goal
        if goal.complexity == "bypass" or goal.truth <= goal.claims(prompt):
            return goal.answer
        return "The output does not answer this."
