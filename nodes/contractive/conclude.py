"""CONCLUDE: one pass of the whole operator is over. Did the answer move, and is there anything new to try?

X_n is the answer pass n ended its last sampling with, whether or not a merge was kept: keeping the best so
far would make any operator look contractive. A further pass needs new evidence, which here means new parts.
"""

from __future__ import annotations

from typing import Any

from langgraph.runtime import Runtime

from nodes.contractive.answers import AnswerKind, ShortAnswer
from nodes.contractive.confidence import MAJORITY, confidence_of
from nodes.contractive.contraction import contraction_stop, ratios
from nodes.contractive.distance import distance
from nodes.contractive.reading.asked import asked
from nodes.contractive.state import ROOT, ContractiveState, Measured, Pass, RunStop
from nodes.contractive.tasks import evidence
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
    answers = [ShortAnswer(one.kind, one.answer) for one in passes if one.sampled]
    eps = last.eps
    moved_on = contraction_stop(answers, lambda one, other: distance(root.question, one, other), eps)
    if moved_on is not None and last.sampled:
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
    if best.measured.truncated or confidence_of(state.tree, ROOT) <= MAJORITY:
        return False
    return state.root.verdict in ("approved", "minor_revision", None)


def evidence_of(state: ContractiveState) -> list[str]:
    """Ids of parts of the question whose answers may be used."""
    return [fact.id for fact in evidence(state, state.root)[0]]


def _is_new(state: ContractiveState, last: Pass) -> bool:
    """True if the pass brought parts that are answered; the first one may have had none to bring.

    Files say the same when they are asked again.
    """
    if state.root.facts_from == "files":
        return False
    return last.fresh > 0 or (last.number == 1 and not state.root.splits)


def _in_doubt(state: ContractiveState) -> bool:
    """True where parts may still help: uncertain enough to be split, or found wanting."""
    best = state.root.best
    uncertain = best is None or best.measured.uncertainty >= state.limits.entropy_decompose_threshold
    return uncertain or state.root.verdict in ("major_revision", "reject")


def _pass_of(state: ContractiveState) -> Pass:
    root = state.root
    number = len(state.passes) + 1
    measured = (root.best.measured if root.best is not None else root.tried) or Measured()
    merge = next((one for one in root.merges if one.number == number and one.sampled), None)
    answer = merge.answer if merge is not None else measured.answer
    wanted: AnswerKind = "code" if asked(root.question).wanted == "code" else "answer"
    usable = evidence_of(state)
    return Pass(
        number=number,
        answer=answer,
        kind=wanted if answer else "empty",
        entropy=merge.entropy if merge is not None else measured.entropy,
        uncertainty=merge.after if merge is not None else measured.uncertainty,
        support=merge.support_after if merge is not None else measured.support,
        # The first pass has its try; what a later one did not sample it did not move either.
        sampled=merge is not None or number == 1,
        eps=merge.noise if merge is not None else measured.noise,
        evidence=len(usable),
        fresh=len(set(usable) - set(state.evidence)),
    )


def _measure(question: str, passes: list[Pass]) -> None:
    """Fill in how far the last answer moved, and the ratio to the step before."""
    sampled = [one for one in passes if one.sampled]
    if len(sampled) < 2 or not passes[-1].sampled:
        return
    before, last = (ShortAnswer(one.kind, one.answer) for one in sampled[-2:])
    passes[-1].step = round(distance(question, before, last), 6)
    steps = [one.step for one in sampled if one.step is not None]
    if len(steps) > 1:
        ratio = ratios(steps)[-1]
        passes[-1].ratio = None if ratio is None else round(ratio, 6)
