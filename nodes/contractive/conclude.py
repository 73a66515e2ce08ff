"""CONCLUDE: one pass of the whole operator is over. Did the answer move, and is there anything new to try?

X_n is the answer pass n ended its last sampling with, whether or not a merge was kept: keeping the best so
far would make any operator look contractive. A further pass needs new evidence, which here means new parts.
"""

from __future__ import annotations

from typing import Any

from langgraph.runtime import Runtime

from nodes.contractive.answers import ShortAnswer
from nodes.contractive.confidence import MAJORITY, confidence_of
from nodes.contractive.contraction import contraction_stop, ratios
from nodes.contractive.distance import distance
from nodes.contractive.state import ROOT, ContractiveState, Pass, Question, RunStop
from nodes.contractive.tasks import fact_of
from nodes.contractive.telling import happened, moved
from nodes.reflective.context import RunContext


async def conclude(state: ContractiveState, runtime: Runtime[RunContext]) -> dict[str, Any]:
    """Measure the pass; stop with a reason, or send the question on to be split anew."""
    root = state.root
    passes = [*state.passes, _pass_of(state)]
    _measure(root.question, passes)
    reason = stop_of(state, passes)
    facts = passes[-1].model_dump(mode="json")
    update: dict[str, Any] = {
        "passes": [one.model_dump(mode="json") for one in passes],
        "events": [
            *(event.model_dump(mode="json") for event in state.events),
            happened("pass_ended", **facts, stop_reason=reason).model_dump(mode="json"),
        ],
        "evidence": evidence_of(state),
    }
    if reason is None:
        again = state.taken_up(ROOT)
        moved(again, "DECOMPOSE")
        return {**update, "tree": {ROOT: again.model_dump(mode="json")}}
    return {**update, "stop_reason": reason}


def stop_of(state: ContractiveState, passes: list[Pass]) -> RunStop | None:
    """Why no further pass is made, or None. Pure.

    Args:
        state: at the end of the last pass.
        passes: all of them, measured.
    """
    root, last = state.root, passes[-1]
    if state.hindrances:
        return state.hindrances[0]
    if root.tried is not None and root.tried.samples == 0 and root.best is None:
        return "error" if root.tried.failed else "no_answer"
    answers = [ShortAnswer(one.kind, one.answer) for one in passes]
    eps = last.eps
    moved_on = contraction_stop(answers, lambda one, other: distance(root.question, one, other), eps)
    if moved_on is not None:
        return moved_on
    if is_confident(state):
        return "confident"
    if last.number >= state.limits.max_loops:
        return "max_loops" if root.best is not None else "no_answer"
    if root.depth >= state.limits.max_depth or not _is_new(state, last) or not _in_doubt(state):
        return "no_new_evidence" if root.best is not None else "no_answer"
    return None


def is_confident(state: ContractiveState) -> bool:
    """True for an answer nearly all samples give, that rests on no guess, and no review found wanting."""
    best = state.root.best
    if best is None or best.measured.uncertainty >= state.limits.entropy_collapse_threshold:
        return False
    if confidence_of(state.tree, ROOT) <= MAJORITY:
        return False
    return state.root.verdict in ("approved", "minor_revision", None)


def evidence_of(state: ContractiveState) -> list[str]:
    """Ids of parts of the question whose answers may be used."""
    return [name for name in state.root.children if fact_of(state.tree[name]) is not None]


def _is_new(state: ContractiveState, last: Pass) -> bool:
    """True if the pass brought parts that are answered; the first one may have had none to bring."""
    return last.fresh > 0 or (last.number == 1 and not state.root.splits)


def _in_doubt(state: ContractiveState) -> bool:
    """True where parts may still help: uncertain enough to be split, or found wanting."""
    best = state.root.best
    uncertain = best is None or best.measured.uncertainty >= state.limits.entropy_decompose_threshold
    return uncertain or state.root.verdict in ("major_revision", "reject")


def _pass_of(state: ContractiveState) -> Pass:
    root = state.root
    number = len(state.passes) + 1
    measured = root.best.measured if root.best is not None else root.tried
    merge = root.merges[-1] if root.merges and root.merges[-1].number == number else None
    evidence = evidence_of(state)
    return Pass(
        number=number,
        answer=_ended_with(root, number),
        kind="answer" if _ended_with(root, number) else "empty",
        entropy=measured.entropy if measured else 0.0,
        uncertainty=(merge.after if merge else measured.uncertainty) if measured else 1.0,
        support=(merge.support_after if merge else measured.support) if measured else 0.0,
        eps=measured.noise if measured else 0.0,
        evidence=len(evidence),
        fresh=len(set(evidence) - set(state.evidence)),
    )


def _ended_with(root: Question, number: int) -> str:
    """The answer of the pass's last sampling; of one without any, the answer that stands."""
    if root.merges and root.merges[-1].number == number:
        return root.merges[-1].answer
    return root.best.measured.answer if root.best is not None else ""


def _measure(question: str, passes: list[Pass]) -> None:
    """Fill in how far the last answer moved, and the ratio to the step before."""
    if len(passes) < 2:
        return
    answers = [ShortAnswer(one.kind, one.answer) for one in passes]
    passes[-1].step = round(distance(question, answers[-2], answers[-1]), 6)
    steps = [one.step for one in passes if one.step is not None]
    if len(steps) > 1:
        ratio = ratios(steps)[-1]
        passes[-1].ratio = None if ratio is None else round(ratio, 6)
