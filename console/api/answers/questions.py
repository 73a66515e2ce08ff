"""Runs that take a question apart: the contractive reasoner and the hierarchy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from cli.think_output import STOPPED
from console.api.answers.facts import AnswerFacts, Part, cited, failure, figures, of_findings, share
from nodes.collective.exchange import Finding
from nodes.contractive.mermaid import answer_of, from_the_top, standing
from nodes.contractive.state import ROOT, ContractiveState, Question
from nodes.hierarchy.state import HierarchyState


def contractive(state: ContractiveState) -> AnswerFacts:
    """The tree, its answer and what it cost."""
    stopped = f"{state.stop_reason}, {STOPPED[state.stop_reason]}" if state.stop_reason else ""
    metrics = state.metrics
    return AnswerFacts(
        graph="",
        asked=state.question,
        status=state.status,
        answer=state.final_answer,
        figures=figures(
            ("short answer", state.short_answer if state.short_answer != state.final_answer else ""),
            ("stopped", stopped),
            ("confidence", share(state.confidence if state.final_answer else None)),
            ("model", state.model),
            ("reviewed by", state.peer),
            ("passes", str(len(state.passes) or "")),
            ("questions", str(metrics.questions or "")),
            ("model calls", str(metrics.calls or "")),
            ("tokens", str(metrics.tokens or "")),
            ("time", f"{metrics.seconds:.1f} s" if metrics.seconds else ""),
        ),
        failure=failure(state.failure),
        evidence=cited(state.tree[ROOT].best) if ROOT in state.tree else (),
        parts=_questions(state, {}),
        notes=tuple(state.notes),
    )


def hierarchy(state: HierarchyState) -> AnswerFacts:
    """The tree of the master, with what each worker found."""
    return AnswerFacts(**{**vars(contractive(state)), "parts": _questions(state, state.findings)})


def _questions(state: ContractiveState, findings: Mapping[str, Finding]) -> tuple[Part, ...]:
    """The tree, each question before its parts; none of one that was not split."""
    if len(state.tree) < 2:
        return ()
    return tuple(_question(one, findings.get(one.id), state.status) for one in _in_order(state.tree))


def _in_order(tree: Mapping[str, Question]) -> Iterator[Question]:
    """Every question once, each before its parts."""
    left = {one.id: one for one in from_the_top(tree)}
    waiting = [name for name, one in left.items() if one.parent not in left]
    while left:
        name = waiting.pop(0) if waiting else next(iter(left))
        one = left.pop(name, None)
        if one is not None:
            yield one
            waiting = [*(part for part in one.children if part in left), *waiting]


def _question(one: Question, found: Finding | None, status: str) -> Part:
    left_out = f"left out: {one.pruned}" if one.pruned else ""
    evidence = of_findings([found]) if found is not None else cited(one.best)
    # That a part has an answer says nothing about how sure it is, which `about` does.
    mark = "has an answer" if answer_of(one) else "no answer"
    return Part(
        label=f"{one.id} {found.worker}" if found is not None else one.id,
        question=one.question,
        mark=found.status if found is not None else status if one.id == ROOT else mark,
        answer=answer_of(one) or (found.answer if found is not None else ""),
        about="; ".join(filter(None, [standing(one), left_out])),
        depth=one.depth,
        evidence=evidence,
    )
