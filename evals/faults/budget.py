"""Could a run have come back from its faults? Decided by the specification's budgets and the tape alone.

A fault is recoverable if a run that uses each budget the way the specification grants it gets to the right
answer on the very same tape of replies:

- a structured call reads a second reply when the first is unreadable;
- a visit to PLAN, or the planning of SIMPLE, or the rewording of a step, asks `max_plan_retries` times more
  when code refuses the draft or cannot read it;
- a node whose connection was lost is visited again, three times in all;
- a failed step or a rejected answer leads to a reflection and a new plan, as often as the complexity allows
  (graph_v2, graph_v30); loop_v1 rewords a failed step `step_retries` times, and a rejected answer is its end;
- whatever a worker says in place of the answer, the output of the tools is still there to be shown; a worker
  that says the output is no answer rejects the plan like a verifier;
- an output that no worker could word, passed by a verifier that does not say what the answer is, is put to
  the verifier once more; if that only passes it again, the output is shown and not claimed ("shown");
- a classifier that says nothing usable, or nothing in time, leaves MODERATE; a critic that does leaves the
  diagnosis by code; a model that is not there at all is an error of the environment, whoever asks for it;
- a change that was made and is then rejected is not made a second time.

Nothing here looks at what the product did, except for the label that CLASSIFY settled on. A wrong plan whose
output a verifier lets through is "deceived": no rule of code can tell it, and it is reported by itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from configs.settings import Strategy
from evals.faults.oracle import Tape
from evals.faults.replies import TRANSIENT, Fault, Role

Outcome = Literal["right", "spent", "deceived", "broken", "shown"]
Reply = Literal["good", "refused", "failing", "misleading"]
VISITS = 3
ABSENT = ("unavailable", "missing_model")


class _Lost(Exception):
    """A transient fault: the node's visit may be made again."""


class _Shown(Exception):
    """Nobody but a bare pass speaks for the output."""


class _Broken(Exception):
    """No reply, and none to be expected."""


@dataclass(frozen=True)
class Allowance:
    """What the specification grants a run.

    Attributes:
        strategy: its wiring.
        complexity: the label of its goal.
        reflections: for that label.
        plan_retries: planner calls after a refused draft.
        step_retries: rewordings of a failed step, loop_v1 only.
        classifies: True if CLASSIFY asks its model.
        changes: True if the goal asks for a change.
    """

    strategy: Strategy
    complexity: str
    reflections: int
    plan_retries: int
    step_retries: int
    classifies: bool
    changes: bool


class _Walk:
    """The run as the specification describes it, on a tape."""

    def __init__(self, tape: Tape, allowed: Allowance) -> None:
        self.tape = tape
        self.allowed = allowed
        self.taken: Counter[str] = Counter()
        self.failed: set[str] = set()
        self.worded = True

    def reply(self, role: Role) -> Fault | None:
        fault = self.tape(role, self.taken[role])
        self.taken[role] += 1
        if fault is not None and fault.kind == "broken":
            raise (_Lost if fault.name in TRANSIENT else _Broken)(fault.name)
        return None if fault is None or fault.kind == "harmless" else fault

    def structured(self, role: Role) -> Fault | None:
        """The fault that is left after the ladder's own retry."""
        fault = self.reply(role)
        return self.reply(role) if fault is not None and fault.kind == "unreadable" else fault

    def planned(self) -> Reply:
        """What a visit to the planner ends with."""
        for _ in range(self.allowed.plan_retries + 1):
            fault = self.structured("planner")
            if fault is None:
                return "good"
            if fault.kind == "misleading":
                return "misleading"
            if fault.kind == "failing" and fault.name not in self.failed:
                # A call that failed before is refused the next time, before it is run.
                self.failed.add(fault.name)
                return "failing"
        return "refused"

    def worked(self) -> bool:
        """False if the worker says that the output is no answer, which sends the plan back."""
        fault = self.reply("worker")
        self.worded = fault is None
        return fault is None or fault.name != "output_does_not_answer"

    def passes(self, right: bool) -> bool:
        """Whether the verifier lets the answer through."""
        fault = self.structured("verifier")
        if fault is None:
            return right
        if fault.name != "passes_everything" or self.worded or self.allowed.changes:
            return fault.name == "passes_everything"
        try:
            fault = self.structured("verifier")
        except _Broken as broken:
            raise _Shown from broken
        if fault is not None and fault.name != "fails_everything":
            raise _Shown
        return fault is None and right

    def again(self, visit: Callable[[], Reply | bool | None]) -> Reply | bool | None:
        """A node's visit, made again when its connection was lost."""
        for _ in range(VISITS - 1):
            try:
                return visit()
            except _Lost:
                continue
        try:
            return visit()
        except _Lost as lost:
            raise _Broken(*lost.args) from lost

    def stepped(self, plan: Reply | bool | None) -> Reply | bool | None:
        """What loop_v1 makes of a plan whose step fails."""
        for _ in range(self.allowed.step_retries):
            if plan != "failing":
                break
            plan = self.again(self.planned)
        return plan

    def direct(self) -> Outcome:
        """DIRECT_EXEC is one node: what is lost in it is planned anew."""

        def visit() -> Reply | bool:
            plan = self.planned()
            return plan if plan in ("refused", "failing") or self.worked() else "failing"

        plan = self.again(visit)
        if plan in ("refused", "failing"):
            return "spent"
        if not self.again(lambda: self.passes(plan == "good")):
            return "spent"
        return "right" if plan == "good" else "deceived"

    def classified(self) -> None:
        try:
            self.structured("classifier")
        except _Broken as broken:
            if broken.args[0] in ABSENT:
                raise

    def run(self) -> Outcome:
        if self.allowed.classifies:
            self.again(self.classified)
        if self.allowed.complexity == "bypass":
            return "right" if self.again(lambda: self.reply("worker") is None) else "spent"
        if self.allowed.complexity == "simple" and self.allowed.strategy != "loop_v1":
            return self.direct()
        for _ in range(self.allowed.reflections + 1):
            plan = self.again(self.planned)
            if self.allowed.strategy == "loop_v1":
                plan = self.stepped(plan)
            if plan == "refused":
                return "spent"
            if plan == "failing" or not self.again(self.worked):
                continue
            if self.again(lambda right=plan == "good": self.passes(right)):  # type: ignore[misc]
                return "right" if plan == "good" else "deceived"
            if self.allowed.changes:
                return "spent"
        return "spent"


def outcome(tape: Tape, allowed: Allowance) -> Outcome:
    """What the specification's budgets lead to on a tape.

    BYPASS has no budget: one reply in words, and that is the answer.
    """
    try:
        return _Walk(tape, allowed).run()
    except _Shown:
        return "shown"
    except _Broken:
        return "broken"
