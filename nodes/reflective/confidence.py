"""How far an answer may be trusted: features of the finished run, a raw score, and the measured share. Pure.

The raw score only orders answers; what is shown is how often answers of its group with that score were right.
A model's own figure is one feature among others, for small models say 0.9 of everything.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel

from configs.calibration import Calibration
from nodes.reflective.state import (
    Assessment,
    PlanSource,
    ReasoningState,
    Status,
    StepStatus,
    TaskComplexity,
    was_cut,
)

# Where a run starts before its doubts are counted; only their order matters.
BASE: dict[str, float] = {
    "recipe": 0.95,
    "reused": 0.9,
    "change": 0.8,
    "model": 0.7,
    "bypass": 0.5,
    "none": 0.0,
}
# What is left of the score after each of these.
INCONCLUSIVE, DOUBT, UNEXPLAINED, REFLECTION, RETRY, CUT, UNJUDGED, EMPTY = (
    0.5,
    0.75,
    0.9,
    0.85,
    0.93,
    0.85,
    0.8,
    0.9,
)
MOST_COUNTED = 3
# Share of the score that depends on what the model says itself.
OWN_WORD = 0.15
# What a verifier model's word leaves of the distance to certainty.
JUDGED = 0.6
# No answer is certain, and an answer is never nothing.
LOWEST, HIGHEST = 0.01, 0.99
ANSWERS: tuple[Status, ...] = ("answered", "partial")


class Features(BaseModel):
    """What the confidence in an answer rests on.

    Attributes:
        source: who made the plan; "bypass" without one, "change" for a plan that changes files.
        conclusive: False if the answer only shows what may answer the goal.
        doubts: parts of the goal that no command seems to take up.
        unexplained: words of the goal that nothing explains.
        verified: VERIFY passed the draft: code found nothing against it.
        judged: the verifier model passed it as well.
        stated: what the planner or the verifier says of itself, or None.
        reflections: failed attempts before this one.
        retries: plans or commands that were refused, and steps that failed.
        cut: a prompt or an output did not fit, so a model saw part of it.
        empty: the last step printed nothing.
    """

    source: Literal["recipe", "reused", "model", "change", "bypass", "none"]
    conclusive: bool = True
    doubts: int = 0
    unexplained: int = 0
    verified: bool = False
    judged: bool = False
    stated: float | None = None
    reflections: int = 0
    retries: int = 0
    cut: bool = False
    empty: bool = False


def features_of(state: ReasoningState) -> Features:
    """The features of a run that has an answer or a draft."""
    if state.complexity is TaskComplexity.BYPASS and state.plan is None:
        return Features(source="bypass", stated=state.complexity_score, cut=was_cut(state.notes))
    plan = state.plan
    if plan is None:
        return Features(source="none")
    source: PlanSource | Literal["change"] = "change" if state.asks_for_change else plan.source
    results = [step.result for step in plan.steps if step.result is not None]
    worded = plan.answer is None and source != "change"
    return Features(
        source=source,
        conclusive=plan.conclusive,
        doubts=len(plan.doubts),
        unexplained=len(plan.unexplained),
        verified=state.verified,
        judged=state.judged,
        stated=state.confidence if plan.source == "model" else None,
        reflections=len(state.reflection_attempts),
        retries=state.plan_retries + sum(step.status is StepStatus.FAILED for step in plan.steps),
        cut=was_cut(state.notes) or (worded and any(result.artifact is not None for result in results)),
        empty=bool(results) and not results[-1].stdout.strip(),
    )


def group_of(features: Features) -> str:
    """The group of the calibration table: source of the plan, and what was verified or is in doubt."""
    if features.source in ("bypass", "none", "change"):
        return features.source
    if not features.conclusive:
        return f"{features.source}_inconclusive"
    if features.source == "model":
        return "model_judged" if features.judged else "model_unjudged"
    return features.source


def raw_score(features: Features) -> float:
    """A score that rises with the trust a run deserves, 0 to 1; no share of right answers by itself."""
    score = BASE[features.source]
    if features.judged:
        score = 1 - (1 - score) * JUDGED
    elif features.source == "model" and not features.verified:
        score *= UNJUDGED
    score *= 1.0 if features.conclusive else INCONCLUSIVE
    score *= DOUBT ** min(features.doubts, MOST_COUNTED)
    score *= UNEXPLAINED ** min(features.unexplained, MOST_COUNTED)
    score *= REFLECTION ** min(features.reflections, MOST_COUNTED)
    score *= RETRY ** min(features.retries, MOST_COUNTED)
    score *= CUT if features.cut else 1.0
    score *= EMPTY if features.empty else 1.0
    if features.stated is not None:
        score *= 1 - OWN_WORD * (1 - features.stated)
    return score


def assess(
    state: ReasoningState, status: Status, calibration: Calibration
) -> tuple[float, Assessment | None]:
    """The confidence to show, 0 to 1, and what it rests on; 0 and None when there is no answer.

    Args:
        state: of the run, its draft made and judged.
        status: what RESPOND says of it.
        calibration: the measured table.
    """
    if status not in ANSWERS:
        return 0.0, None
    features = features_of(state)
    raw, group = raw_score(features), group_of(features)
    shown = min(HIGHEST, max(LOWEST, calibration.share(group, raw)))
    made = Assessment(group=group, raw=round(raw, 4), features=features.model_dump(mode="json"))
    return round(shown, 3), made
