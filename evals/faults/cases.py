"""The cases of the suite: a fault at a place of a role's replies, and noisy oracles that err at random."""

from __future__ import annotations

import random
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from configs.settings import Strategy
from evals.faults.goals import Complexity, Goal
from evals.faults.oracle import Tape
from evals.faults.replies import ROLES, Fault, Role, all_faults, faults_for

Position = Literal["first", "after_refusal", "after_failure", "always", "deceived", "noisy"]
POSITIONS: dict[Role, tuple[Position, ...]] = {
    "classifier": ("first", "always"),
    "planner": ("first", "after_refusal", "after_failure", "always"),
    "worker": ("first", "always"),
    "verifier": ("first", "always"),
    "critic": ("first",),
}
# In the noisy oracle a reply that never comes would end nearly every run; those are measured by themselves.
NOISE: dict[Role, tuple[str, ...]] = {
    "classifier": ("unreadable", "misleading"),
    "planner": ("unreadable", "refused", "failing", "misleading"),
    "worker": ("unreadable", "misleading"),
    "verifier": ("unreadable", "misleading"),
    "critic": ("unreadable", "misleading"),
}


@dataclass(frozen=True)
class Seen:
    """What a faultless run of a goal showed.

    Attributes:
        roles: whom it asked.
        complexity: the label that CLASSIFY settled on; budgets follow it.
    """

    roles: frozenset[str]
    complexity: Complexity


@dataclass(frozen=True)
class FaultCase:
    """One run to be made.

    Attributes:
        id: the same in every run of the suite with the same goals.
        role: whose replies are bad; "all" for a noisy oracle.
        fault: name of the fault; "noise" for a noisy oracle.
        kind: its class.
        position: where among the role's replies it stands.
        goal: key of the goal.
        tape: the faults by role and number.
    """

    id: str
    role: str
    fault: str
    kind: str
    position: Position
    goal: str
    tape: Tape


def _named(role: Role, name: str) -> Fault:
    return next(fault for fault in all_faults() if role in fault.roles and fault.name == name)


def _pick(goals: list[Goal], key: str) -> Goal:
    """A goal for a case, by its name alone, so that a case does not change when others are added."""
    return goals[zlib.crc32(key.encode()) % len(goals)]


def single_cases(goals: Mapping[str, Goal], asked: Mapping[str, Seen], strategy: Strategy) -> list[FaultCase]:
    """Each fault of each role at each place, on one goal.

    Args:
        goals: usable ones, by key.
        asked: what a faultless run of each goal showed, by key.
        strategy: the wiring; it decides which places exist.
    """
    cases = []
    for role in ROLES:
        for fault in (fault for fault in all_faults() if role in fault.roles):
            for position in POSITIONS[role]:
                usable = [
                    goal
                    for key, goal in goals.items()
                    if fault.suits(goal) and _has_place(goal, asked[key].roles, role, position, strategy)
                ]
                if usable:
                    id_ = f"{role}/{fault.name}/{position}"
                    key, tape = _pick(usable, id_).key, _tape(role, fault, position)
                    cases.append(FaultCase(id_, role, fault.name, fault.kind, position, key, tape))
    return [*cases, *_deceived(goals)]


def _has_place(goal: Goal, asked: frozenset[str], role: Role, position: Position, strategy: Strategy) -> bool:
    """Whether a run of this goal gets to the place."""
    reflects = goal.complexity in ("moderate", "complex") and strategy != "loop_v1" and bool(goal.plans)
    if role == "critic" or position == "after_failure":
        return reflects
    if position == "after_refusal":
        return bool(goal.plans)
    return role in asked


def _tape(role: Role, fault: Fault, position: Position) -> Tape:
    failing, refused = _named("planner", "finds_nothing"), _named("planner", "zero_steps")

    def tape(asked: str, number: int) -> Fault | None:
        if role == "critic" and asked == "planner":
            return failing if number == 0 else None
        if asked != role:
            return None
        if position == "always":
            return fault
        if position == "after_refusal":
            # Zero steps fit no schema either, so the ladder's own retry reads the fault.
            return (refused, fault)[number] if number < 2 else None
        if position == "after_failure":
            return (failing, fault)[number] if number < 2 else None
        return fault if number == 0 else None

    return tape


def _deceived(goals: Mapping[str, Goal]) -> list[FaultCase]:
    """A wrong plan and a verifier that passes everything: two faults at once, the worst of pairs."""
    passing, wrong = _named("verifier", "passes_everything"), _named("planner", "plausible_command")

    def tape(asked: str, number: int) -> Fault | None:
        return {"planner": wrong, "verifier": passing}.get(asked)

    return [
        FaultCase(
            f"both/deceived/{key}",
            "planner+verifier",
            "plausible_command+passes_everything",
            "deceived",
            "deceived",
            key,
            tape,
        )
        for key, goal in goals.items()
        if goal.wrong
    ]


def noisy_tape(goal: Goal, right: float, seed: int) -> Tape:
    """Each reply is right with this probability, else a fault of a class that is drawn first."""
    pools: dict[str, list[list[Fault]]] = {}
    for role in ROLES:
        suited = faults_for(role, goal)
        by_kind = [[fault for fault in suited if fault.kind == kind] for kind in NOISE[role]]
        by_kind.append([fault for fault in suited if fault.name == "connection_lost"])
        pools[role] = [faults for faults in by_kind if faults]

    def tape(role: str, number: int) -> Fault | None:
        draw = random.Random(f"{seed}/{role}/{number}")
        if draw.random() < right:
            return None
        return draw.choice(draw.choice(pools[role]))

    return tape


def noisy_cases(goals: Mapping[str, Goal], runs: int, right: float, seed: int) -> list[FaultCase]:
    """Noisy oracles, over the goals in turn."""
    usable = [goal for goal in goals.values() if goal.plans]
    cases = []
    for number in range(runs):
        goal = usable[number % len(usable)]
        tape = noisy_tape(goal, right, seed * 1_000_003 + number)
        cases.append(FaultCase(f"noisy/{number}", "all", "noise", "noise", "noisy", goal.key, tape))
    return cases
