"""The suite's cases for one setting, and one of them run: what a worker process does."""

from __future__ import annotations

import asyncio
import logging
import random
from dataclasses import dataclass, replace
from typing import Any

from configs.settings import Settings, Strategy
from evals.faults.budget import Allowance, outcome
from evals.faults.cases import FaultCase, Seen, noisy_cases, single_cases
from evals.faults.goals import SAYS_IT_FAILED, Goal, goals_of
from evals.faults.project import facts_of
from evals.faults.replies import PATIENCE, Asked
from evals.faults.running import Ran, run_oracle
from evals.report import Case

BARE = "S0"
SPENT = ("max_reflections", "max_iterations", "no_plan", "verification_failed")


@dataclass(frozen=True)
class Plan:
    """Everything the cases follow from.

    Attributes:
        seed: of the project and of everything drawn by lot.
        right: probability that a noisy oracle's reply is right.
        noisy: runs with a noisy oracle, for each strategy.
        asked: by strategy, the goals that its faultless runs answered, with what these showed.
    """

    seed: int
    right: float
    noisy: int
    asked: dict[Strategy, dict[str, Seen]]

    def goals(self, strategy: Strategy) -> dict[str, Goal]:
        """The goals that a strategy's faultless runs answered, with the labels they got."""
        asked = self.asked[strategy]
        return {
            key: replace(goal, complexity=asked[key].complexity)
            for key, goal in goals_of(facts_of(self.seed)).items()
            if key in asked
        }

    def cases(self, strategy: Strategy) -> list[FaultCase]:
        """The cases of a strategy: single faults, pairs that deceive, noisy oracles."""
        goals, asked = self.goals(strategy), self.asked[strategy]
        return [*single_cases(goals, asked, strategy), *noisy_cases(goals, self.noisy, self.right, self.seed)]


def settings_for(case: FaultCase | None, strategy: Strategy) -> dict[str, Any]:
    """What a run sets: its strategy, and a short patience where a reply comes too late."""
    slow = case is not None and case.fault == "too_slow"
    return {"reasoning__strategy": strategy, **({"models__default__timeout": PATIENCE} if slow else {})}


class Table:
    """The cases of every strategy by id, and how to run one. Opened once in each process."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.facts = facts_of(plan.seed)
        self.goals = {strategy: plan.goals(strategy) for strategy in plan.asked}
        self.cases = {strategy: {case.id: case for case in plan.cases(strategy)} for strategy in plan.asked}

    def run(self, id_: str, variant: Strategy | str) -> Case:
        """Run one case to its end."""
        if variant == BARE:
            return self._bare(id_)
        strategy: Strategy = variant  # type: ignore[assignment]
        case = self.cases[strategy][id_]
        goal = self.goals[strategy][case.goal]
        name = f"{strategy}/{id_}"
        ran = asyncio.run(
            run_oracle(name, goal, self.facts, case.tape, self.plan.seed, settings_for(case, strategy))
        )
        return _case_of(case, strategy, goal, ran, self._possible(case, strategy, goal, ran), self.plan.seed)

    def _possible(self, case: FaultCase, strategy: Strategy, goal: Goal, ran: Ran) -> str:
        """What the specification's budgets allow on this tape."""
        if ran.state is None:
            return "spent"
        label = ran.state.complexity.value if ran.state.complexity else "moderate"
        if goal.complexity == "bypass" and label != "bypass":
            return "spent"  # planned, where no plan can help
        defaults = Settings()
        allowed = Allowance(
            strategy=strategy,
            complexity=label,
            reflections=0 if strategy == "loop_v1" else getattr(defaults.reasoning.max_reflections, label),
            plan_retries=defaults.graph.max_plan_retries,
            step_retries=defaults.graph.max_step_retries,
            classifies="classifier" in self.plan.asked[strategy][goal.key].roles,
            changes=goal.change is not None,
        )
        return outcome(case.tape, allowed)

    def _bare(self, id_: str) -> Case:
        """The model alone, on the same tape: its one reply in words is the answer, whatever it says."""
        strategy = next(strategy for strategy, cases in self.cases.items() if id_ in cases)
        case = self.cases[strategy][id_]
        goal = self.goals[strategy][case.goal]
        fault = case.tape("worker", 0)
        asked = Asked(goal.answer, goal, random.Random(self.plan.seed))
        reply = goal.answer if fault is None else fault.make(asked)
        text = "" if isinstance(reply, dict) and set(reply) == {"error"} else str(reply)
        says_so = bool(text.strip()) and SAYS_IT_FAILED.search(text) is None
        right = says_so and goal.is_right(text)
        return Case(
            id=id_,
            group="noise",
            variant=BARE,
            goal=goal.text,
            passed=right,
            seed=self.plan.seed,
            false_success=says_so and not right,
            status="answered" if says_so else "could_not",
            model_calls=1,
            detail="" if right else "wrong or no answer",
            extra={"position": "noisy", "possible": "", "met": []},
        )


def _case_of(case: FaultCase, strategy: str, goal: Goal, ran: Ran, possible: str, seed: int) -> Case:
    verdict, state = ran.verdict, ran.state
    noisy, met = (
        case.position == "noisy",
        [f"{given.role}/{given.fault.kind}" for given in verdict.met if given.fault],
    )
    harmful = [name for name in met if not name.endswith("/harmless")]
    invalid = not noisy and not verdict.met
    recoverable = possible == "right" and bool(met)
    recovered = verdict.right if recoverable else None
    problems = [*verdict.lies, *verdict.broken]
    problems += ["the fault was never met"] if invalid else []
    problems += [f"not recovered: {state.last_error if state else ran.raised}"] if recovered is False else []
    plan = state.plan if state else None
    return Case(
        id=case.id,
        group="noise" if noisy else f"{case.role}: {case.kind}",
        variant=strategy,
        goal=goal.text,
        seed=seed,
        passed=not problems,
        false_success=bool(verdict.lies),
        status=state.status if state else "raised",
        stop_reason=(state.stop_reason or "") if state else "",
        detail="; ".join(problems)[:600],
        seconds=round(ran.seconds, 3),
        model_calls=len(ran.given),
        tokens=sum(u.prompt_tokens + u.completion_tokens for u in state.usage.values()) if state else 0,
        steps=len(state.completed) if state else 0,
        reflections=state.reflection_count if state else 0,
        confidence=state.confidence if state else None,
        recovered=recovered,
        budget_exhausted=state is not None and state.stop_reason in SPENT,
        extra={
            "role": case.role,
            "fault": case.fault,
            "class": case.kind,
            "position": case.position,
            "possible": possible,
            "met": sorted(set(harmful)),
            "invalid": invalid,
            "right": verdict.right,
            "broken": list(verdict.broken),
            "source": plan.source if plan else None,
        },
    )


_table: list[Table] = []


def open_table(plan: Plan) -> None:
    """Prepare a worker process. Its runs fail on purpose, so what they log about it is not shown."""
    logging.disable(logging.CRITICAL)
    _table[:] = [Table(plan)]


def run_in_table(id_: str, variant: str) -> Case:
    """Run a case in a process that `open_table` prepared."""
    return _table[0].run(id_, variant)


def faultless(seed: int, strategy: Strategy) -> dict[str, Seen]:
    """Goals that runs without any fault answer by a planner of their own, with what they showed.

    A goal that a recipe covers, or that a faultless run gets wrong, could show nothing about faults.
    """
    facts = facts_of(seed)
    found = {}
    for key, goal in goals_of(facts).items():
        name = f"faultless/{strategy}/{key}"
        settings = settings_for(None, strategy)
        ran = asyncio.run(run_oracle(name, goal, facts, lambda role, number: None, seed, settings))
        roles = [given.role for given in ran.given]
        if ran.verdict.right and roles and "critic" not in roles:
            assert ran.state is not None and ran.state.complexity is not None
            found[key] = Seen(frozenset(roles), ran.state.complexity.value)
    return found
