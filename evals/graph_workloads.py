"""Three runs of the graph to be measured: what is asked, what the scripted model says, what is visited."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

from models.scripted import Script

_SHIPS = "data/ships.csv"
_WORDS = (
    "amber", "brisk", "calm", "dusty", "eager", "fair", "gentle", "hollow", "idle", "jolly", "keen", "loud",
    "mild", "noble", "odd", "plain", "quiet", "rough", "shy", "tame", "urban", "vast", "warm", "young",
    "zesty", "bright",
)  # fmt: skip
_PASSED = {"passed": True, "reason": "the rows say so", "confidence": 0.9}
_DIAGNOSIS = {"diagnosis": "The ship has another name.", "new_plan_summary": "Search for another name."}


@dataclass(frozen=True)
class Workload:
    """One kind of run.

    Attributes:
        name: of the row in the report.
        visits: nodes in the order they are visited.
        roles: what the model says, by role.
        settings: of the run, by dotted key.
    """

    name: str
    visits: tuple[str, ...]
    roles: dict[str, list[Any]]
    settings: dict[str, Any] = field(default_factory=dict)

    def script(self, delay: float = 0.0) -> Script:
        """The replies, each after a while.

        Args:
            delay: seconds a model call takes.
        """
        if not delay:
            return Script(roles=self.roles)
        slow = {role: [{"delay": delay, "reply": one} for one in said] for role, said in self.roles.items()}
        return Script(roles=slow)

    def goal(self, rng: random.Random) -> str:
        """What is asked: in words that no earlier run used, so that none is answered from experience."""
        if self.name == "bypass":
            return "hello"
        words = " and ".join(rng.choices(_WORDS, k=6))
        return f"which captain's ship is Boreas moored with, judging by flag, in {_SHIPS}: the {words} one"


def _plan(*commands: str) -> dict[str, Any]:
    steps = [
        {"description": f"look, part {number}", "command": one} for number, one in enumerate(commands, 1)
    ]
    return {"objective": "find the ship", "steps": steps, "validation": "One row.", "confidence": 0.9}


def _attempt(name: str) -> dict[str, Any]:
    return _plan(f"grep {name} {_SHIPS}")


BYPASS = Workload("bypass", ("classify", "direct_exec", "respond"), {"worker": ["Good day."]})
MODERATE = Workload(
    "moderate, 4 steps",
    ("classify", "plan", "execute", "execute", "execute", "execute", "verify", "respond"),
    {
        "classifier": [{"complexity": "moderate"}],
        "planner": [
            _plan(f"head -n 1 {_SHIPS}", f"wc -l {_SHIPS}", f"cut -d, -f3 {_SHIPS}", f"grep Boreas {_SHIPS}")
        ],
        "worker": ["Boreas flies the flag GR."],
        "verifier": [_PASSED],
    },
)
COMPLEX = Workload(
    "complex, 3 reflections",
    ("classify", "plan", *("execute", "reflect", "plan") * 3, "execute", "verify", "respond"),
    {
        "classifier": [{"complexity": "complex"}],
        "planner": [*(_attempt(f"Nobody{number}") for number in range(3)), _attempt("Boreas")],
        "critic": [_DIAGNOSIS] * 3,
        "worker": ["Boreas flies the flag GR."],
        "verifier": [_PASSED],
    },
    # Exemplars read the goal as they do the one above, so no model is asked; what counts is three attempts.
    {"reasoning.max_reflections.moderate": 3},
)
WORKLOADS = (BYPASS, MODERATE, COMPLEX)
