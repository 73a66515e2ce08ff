"""One scenario, run once: a fresh copy of the project, a corpus of its own, and a judgement by code."""

from __future__ import annotations

import asyncio
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from configs.errors import ReflectError
from evals.ask import ask
from evals.reflective.bare import ask_bare
from evals.reflective.generated_project import Project, write_project
from evals.reflective.judging import Outcome, Verdict, judge
from evals.reflective.oracle import bare_script, oracle_script
from evals.reflective.scenario import Scenario, load_scenarios
from evals.report import Case, Planned
from evals.report.options import BARE
from models.scripted import register_script
from nodes.reflective.state import ReasoningState, StepStatus

ORACLE = "scripted:oracle"


@dataclass
class Suite:
    """Projects by seed, written once, and their scenarios.

    Attributes:
        place: directory for everything that is written.
    """

    place: Path
    _projects: dict[int, Project] = field(default_factory=dict)
    _scenarios: dict[int, dict[str, Scenario]] = field(default_factory=dict)

    def scenarios(self, seed: int) -> dict[str, Scenario]:
        """Scenarios by id, about the project of a seed."""
        if seed not in self._scenarios:
            self._projects[seed] = write_project(self.place / f"project-{seed}", seed)
            found = load_scenarios(self._projects[seed].slots)
            self._scenarios[seed] = {scenario.id: scenario for scenario in found}
        return self._scenarios[seed]

    def pristine(self, seed: int) -> Path:
        """The project as it is before any run."""
        return self._projects[seed].root

    async def run_one(self, planned: Planned) -> Case:
        """Run a scenario and judge what came of it."""
        scenario = self.scenarios(planned.seed)[planned.id]
        with tempfile.TemporaryDirectory(dir=self.place) as name:
            place = Path(name)
            copy = await asyncio.to_thread(self._projects[planned.seed].copy_to, place / "project")
            started = time.perf_counter()
            if planned.variant == BARE:
                case = await self._bare(planned, scenario, copy.root)
            else:
                case = await self._graph(planned, scenario, copy.root, place)
            return case.model_copy(update={"seconds": round(time.perf_counter() - started, 3)})

    def _model(self, planned: Planned, scenario: Scenario) -> str:
        """The model to run; the oracle's script is written for each scenario and way of asking."""
        if planned.model != ORACLE:
            return planned.model
        name = f"oracle/{planned.key}"
        bare = planned.variant == BARE
        register_script(
            name, bare_script(scenario) if bare else oracle_script(scenario, self.pristine(planned.seed))
        )
        return f"scripted:{name}"

    async def _bare(self, planned: Planned, scenario: Scenario, root: Path) -> Case:
        done = await ask_bare(
            scenario.goal,
            root,
            self._model(planned, scenario),
            needs_tools=scenario.family != "bypass",
            changes=scenario.is_change,
        )
        outcome = Outcome(done.status, done.answer, done.commands, len(done.commands), root)
        verdict = judge(scenario, outcome, self.pristine(planned.seed))
        return _case(planned, scenario, verdict).model_copy(
            update={
                "status": done.status,
                "model_calls": done.calls,
                "tokens": done.tokens,
                "steps": len(done.commands),
            }
        )

    async def _graph(self, planned: Planned, scenario: Scenario, root: Path, place: Path) -> Case:
        try:
            state = await ask(
                scenario.goal,
                root,
                self._model(planned, scenario),
                f"scenario-{planned.id}-{planned.repeat}",
                reasoning__strategy=planned.variant,
                experience__global_root=str(place / "home"),
                tools__approval="yes" if scenario.is_change else "ask",
            )
        except ReflectError as error:
            verdict = Verdict(False, False, False, str(error))
            return _case(planned, scenario, verdict).model_copy(update={"status": "error"})
        ran = [item for item in state.evidence if item.source == "tool"]
        outcome = Outcome(
            state.status, state.final_answer or "", [item.command for item in ran], len(ran), root
        )
        verdict = judge(scenario, outcome, self.pristine(planned.seed))
        return _with_run(_case(planned, scenario, verdict), scenario, state, verdict, len(ran))


def _case(planned: Planned, scenario: Scenario, verdict: Verdict) -> Case:
    return Case(
        id=planned.id,
        group=scenario.family,
        variant=planned.variant,
        model=planned.model,
        repeat=planned.repeat,
        seed=planned.seed,
        goal=scenario.goal,
        passed=verdict.passed,
        false_success=verdict.false_success,
        detail=verdict.why,
        extra={"language": scenario.language, "right": verdict.right, "expected_labels": scenario.complexity},
    )


def _with_run(case: Case, scenario: Scenario, state: ReasoningState, verdict: Verdict, steps: int) -> Case:
    """The case with what the run tells of itself."""
    calls = list(state.usage.values())
    stumbled = _stumbled(state)
    return case.model_copy(
        update={
            "status": state.status,
            "stop_reason": state.stop_reason or "",
            "model_calls": sum(role.calls for role in calls),
            "tokens": sum(role.prompt_tokens + role.completion_tokens for role in calls),
            "steps": steps,
            "reflections": state.reflection_count,
            "confidence": state.confidence,
            "recovered": verdict.passed if stumbled and scenario.family != "impossible" else None,
            "budget_exhausted": _exhausted(state),
            "extra": case.extra
            | {
                "label": state.complexity.value if state.complexity else None,
                "label_source": state.complexity_source,
                "plan_source": state.plan.source if state.plan else None,
                "recipe": state.plan.recipe if state.plan else None,
                "plan_retries": state.plan_retries,
                "answer": (state.final_answer or "")[:600],
                "usage": {name: role.model_dump() for name, role in state.usage.items()},
            },
        }
    )


def _stumbled(state: ReasoningState) -> bool:
    """True if a first plan was refused, failed, or did not pass, so that there was something to make good."""
    tried = any(step.tries for step in state.plan.steps) if state.plan else False
    failed = any(step.status is StepStatus.FAILED for step in state.plan.steps) if state.plan else False
    return bool(state.reflection_count or state.plan_retries or tried or failed)


def _exhausted(state: ReasoningState) -> bool:
    """True if a run without an answer spent a budget that there was: reflections, tries of a step, visits."""
    if state.status in ("answered", "partial"):
        return False
    label = state.complexity.value if state.complexity else "moderate"
    reflected = state.reflection_count >= state.limits.reflections.get(label, 0) > 0
    steps = state.plan.steps if state.plan else []
    tried = any(len(step.tries) >= state.limits.step_retries > 0 for step in steps)
    return reflected or tried or state.stop_reason == "max_iterations"
