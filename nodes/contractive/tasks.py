"""What one task of a step is given: a question of the tree and as much of the rest as it needs. Pure.

The tasks of a step run side by side, each with a copy of its own, and return the questions they changed.
"""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, Field

from configs.contractive import ContractiveSettings
from nodes.contractive.state import ROOT, ContractiveState, Question, Said, Verdict


class Fact(BaseModel):
    """An answered question that another one may rest on.

    Attributes:
        id: of the question.
        support: share of the samples that gave the answer, 0 to 1.
        grounded: True if it rests on evidence instead of samples.
    """

    id: str
    question: str
    answer: str
    support: float = 1.0
    verdict: Verdict | None = None
    grounded: bool = False


class Task(BaseModel):
    """Work on one question.

    Attributes:
        question: the one that is worked on; its events stay behind.
        root: the whole question, as it is put to a model.
        context: as much of the material the caller gave as fits the models.
        known: what is established: siblings it depends on, parts that are merged, evidence of earlier passes.
        left_out: parts that may not be merged, and why.
        fresh: its parts that were asked in this pass.
        ancestors: questions above it, the whole one first.
        asked: the other questions of the tree, for one that is to be split; what brought no usable answer
            may be asked again.
        earlier: turns of the chat; for the whole question only.
        number: of the pass.
        run_id, seed, limits, peer, judge: of the run.
        spent, seconds: tokens and time it took until this step.
    """

    question: Question
    root: str
    context: str = ""
    known: list[Fact] = Field(default_factory=list)
    left_out: dict[str, str] = Field(default_factory=dict)
    fresh: list[str] = Field(default_factory=list)
    ancestors: list[str] = Field(default_factory=list)
    asked: list[str] = Field(default_factory=list)
    earlier: list[Said] = Field(default_factory=list)
    number: int = 1
    run_id: str
    seed: int = 0
    limits: ContractiveSettings
    peer: bool = False
    judge: bool = False
    spent: int = 0
    seconds: float = 0.0

    def packed(self) -> dict[str, Any]:
        """The task as JSON, without what `model_validate` fills in by itself."""
        return self.model_dump(mode="json", exclude_defaults=True)

    @property
    def branch(self) -> str:
        """The part of the whole question this one lies below, or is; empty for the whole question."""
        steps = self.question.id.split(".")
        return ".".join(steps[:2]) if len(steps) > 1 else ""

    @property
    def is_root(self) -> bool:
        """True for the whole question."""
        return self.question.id == ROOT


def task_of(state: ContractiveState, node: str) -> Task:
    """The task for a question, whatever is to be done with it."""
    question = state.tree[node]
    # Only who splits a question has to know the others; a level of 27 would carry each of them 27 times.
    splits = question.stage == "DECOMPOSE"
    usable, left_out = evidence(state, question)
    return Task(
        question=state.taken_up(node),
        root=state.root.question,
        context=state.material,
        known=usable,
        left_out=left_out,
        fresh=[name for name in question.children if state.tree[name].born == _number(state)],
        ancestors=_ancestors(state, question),
        asked=_asked(state, node) if splits else [],
        earlier=state.asked_before if node == ROOT else [],
        number=_number(state),
        run_id=state.run_id,
        seed=state.seed,
        limits=state.limits,
        peer=bool(state.peer),
        judge=state.judge,
        spent=state.metrics.tokens,
        seconds=state.metrics.seconds,
    )


def _asked(state: ContractiveState, node: str) -> list[str]:
    return [one.text for one in state.tree.values() if one.id != node and not one.pruned]


def _number(state: ContractiveState) -> int:
    """Of the pass that is under way."""
    return len(state.passes) + 1


def fact_of(question: Question) -> Fact | None:
    """What an answered question says; None if it has no answer, or one that was rejected."""
    if question.best is None or not question.best.measured.answered or question.pruned:
        return None
    measured = question.best.measured
    return Fact(
        id=question.id,
        question=question.question,
        answer=measured.answer,
        support=measured.support,
        verdict=question.verdict,
        grounded=bool(question.best.evidence),
    )


def evidence(state: ContractiveState, question: Question) -> tuple[list[Fact], dict[str, str]]:
    """What a question may rest on, and what it may not with the reason.

    Of parts that are all required every one is given; of parts of one split that compete only the winner,
    in later passes too.
    """
    before = [state.tree[name] for name in question.depends_on]
    parts = [state.tree[name] for name in question.children]
    facts = {one.id: fact_of(one) for one in [*before, *parts]}
    left_out = {
        one.id: one.pruned or "it has no answer" for one in [*before, *parts] if facts[one.id] is None
    }
    for born in sorted({part.born for part in parts if part.rival}):
        rivals = [part for part in parts if part.born == born and facts[part.id] is not None]
        winner = max(rivals, key=_merit, default=None)
        left_out |= {part.id: f"it lost to {winner.id}" for part in rivals if winner and part is not winner}
    usable = [fact for fact in facts.values() if fact is not None and fact.id not in left_out]
    return usable, left_out


def _merit(question: Question) -> tuple[float, float, float]:
    """By what competing parts are ranked: the review, then how many samples agree, then how few differ."""
    assert question.best is not None
    measured = question.best.measured
    score = min((review.score for review in question.reviews if not review.problem), default=0.0)
    return score, measured.support, -measured.uncertainty


def _ancestors(state: ContractiveState, question: Question) -> list[str]:
    found: list[str] = []
    while question.parent:
        question = state.tree[question.parent]
        found.append(question.text)
    return found[::-1]
