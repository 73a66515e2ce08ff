"""What came of a run, of whichever graph, in one form: answer, evidence, steps, parts, what is in doubt."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from cli.think_output import STOPPED
from cli.trace_facts import MARKS
from console.api.graphs import STATES, graph_of_kind
from memory.thread_history import START, Moment
from nodes.collective.exchange import Assignment, Cited, Finding
from nodes.collective.hybrid.state import HybridState
from nodes.collective.state import CollectiveState
from nodes.contractive.mermaid import answer_of, from_the_top, standing
from nodes.contractive.state import ROOT, ContractiveState, Question
from nodes.hierarchy.state import HierarchyState
from nodes.reflective.state import Failure, PlanStep, ReasoningState, RoleUsage
from nodes.research.state import ResearchState
from nodes.routing.state import AutoState
from nodes.specialists.state import SpecialistsState
from nodes.tutor.state import TutorState

Named: TypeAlias = tuple[str, str]


@dataclass(frozen=True)
class Evidence:
    """Something an answer rests on: its place (a command, file:line, an address), and what stands there."""

    where: str
    text: str = ""


@dataclass(frozen=True)
class Step:
    """A step of a plan.

    Attributes:
        text: what it does, for people.
        mark: ok, failed, shown only, not run, or the state's own word.
        command: what was run, or "".
        exit_code: of the command, or None.
        outputs: name and text of what was printed.
    """

    text: str
    mark: str
    command: str = ""
    exit_code: int | None = None
    outputs: tuple[Named, ...] = ()


@dataclass(frozen=True)
class Part:
    """A question below the whole one, or an engine that was asked.

    Attributes:
        label: its id, and who answered.
        question: it was asked.
        mark: where it stands, in a word.
        answer: its own; empty without one.
        about: figures, in a few words.
        depth: levels below the whole question.
        evidence: what it rests on.
    """

    label: str
    question: str
    mark: str
    answer: str = ""
    about: str = ""
    depth: int = 0
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True)
class AnswerFacts:
    """What came of a run.

    Attributes:
        graph: that ran.
        asked: the goal, the question, or the game.
        status: answered, partial, uncertain, could_not, error, running ...
        answer: for people; empty without one.
        figures: name and value of what is known of the run.
        failure: what ended it, and what to do; empty if nothing did.
        evidence: what the answer rests on.
        steps: of the last plan, after those kept from earlier ones.
        parts: of the question, or engines, each after what it is part of.
        notes: for people.
    """

    graph: str
    asked: str
    status: str
    answer: str = ""
    figures: tuple[Named, ...] = ()
    failure: str = ""
    evidence: tuple[Evidence, ...] = ()
    steps: tuple[Step, ...] = ()
    parts: tuple[Part, ...] = ()
    notes: tuple[str, ...] = ()


def answer_facts(moment: Moment) -> AnswerFacts:
    """What the newest checkpoint of a thread tells.

    Raises:
        pydantic.ValidationError: its state is not of the form it says it is.
    """
    graph = graph_of_kind(moment.kind)
    state = STATES[graph].model_validate(moment.values)
    facts = _READERS[graph](state)
    notes = list(facts.notes)
    if moment.waiting:
        notes.insert(0, "The run waits for a person: what it asks stands beside it, not on this page.")
    elif moment.next:
        names = ", ".join(moment.next).replace(START, "its first node")
        notes.insert(0, f"The run is not at its end; next comes {names}.")
    return AnswerFacts(
        **{**vars(facts), "graph": graph, "asked": moment.asked or facts.asked, "notes": tuple(notes)}
    )


def _reflective(state: ReasoningState) -> AnswerFacts:
    plan = state.plan.steps if state.plan else []
    made = " ".join(filter(None, [state.plan.source, state.plan.recipe or ""])) if state.plan else ""
    return AnswerFacts(
        graph="",
        asked=state.goal,
        status=state.status,
        answer=state.final_answer or "",
        figures=_figures(
            ("stop reason", state.stop_reason or ""),
            ("confidence", _share(state.confidence)),
            ("complexity", state.complexity.value if state.complexity else ""),
            ("plan", made),
            *_usage(state.usage.values()),
        ),
        failure=_failure(state.failure),
        evidence=tuple(
            Evidence(one.command if one.source == "tool" else f"computed from: {one.command}", one.text)
            for one in state.evidence
        ),
        # Steps of the plan that succeeded are among the completed ones, too.
        steps=tuple(_step(one) for one in [*(one for one in state.completed if one not in plan), *plan]),
        notes=tuple(state.notes),
    )


def _step(step: PlanStep) -> Step:
    result = step.result
    command = result.command if result else ""
    if not command and step.tool_call:
        command = f"{step.tool_call.tool} {json.dumps(step.tool_call.args, ensure_ascii=False)}"
    outputs = [("output", result.stdout), ("errors", result.stderr)] if result else []
    said = step.status.value
    return Step(
        text=step.description,
        mark="not run" if said == "pending" else MARKS.get(said, said),
        command=command,
        exit_code=result.returncode if result else None,
        outputs=tuple((name, text) for name, text in outputs if text.strip()),
    )


def _contractive(state: ContractiveState) -> AnswerFacts:
    stopped = f"{state.stop_reason}, {STOPPED[state.stop_reason]}" if state.stop_reason else ""
    metrics = state.metrics
    return AnswerFacts(
        graph="",
        asked=state.question,
        status=state.status,
        answer=state.final_answer,
        figures=_figures(
            ("short answer", state.short_answer if state.short_answer != state.final_answer else ""),
            ("stopped", stopped),
            ("confidence", _share(state.confidence if state.final_answer else None)),
            ("model", state.model),
            ("reviewed by", state.peer),
            ("passes", str(len(state.passes) or "")),
            ("questions", str(metrics.questions or "")),
            ("model calls", str(metrics.calls or "")),
            ("tokens", str(metrics.tokens or "")),
            ("time", f"{metrics.seconds:.1f} s" if metrics.seconds else ""),
        ),
        failure=_failure(state.failure),
        evidence=_cited(state.tree[ROOT].best) if ROOT in state.tree else (),
        parts=_questions(state, {}),
        notes=tuple(state.notes),
    )


def _hierarchy(state: HierarchyState) -> AnswerFacts:
    return AnswerFacts(**{**vars(_contractive(state)), "parts": _questions(state, state.findings)})


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
    evidence = _of_findings([found]) if found is not None else _cited(one.best)
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


def _collective(state: CollectiveState) -> AnswerFacts:
    asked = [state.findings[one.id] for one in state.assignments if one.id in state.findings]
    agreed = len(state.agreements[0].members) if state.agreements else 0
    grounded = [one for one in asked if one.grounded and state.chosen in ("", one.id)]
    return AnswerFacts(
        graph="",
        asked=state.goal,
        status=state.status,
        answer=state.final_answer,
        figures=_figures(
            ("confidence", _share(state.confidence)),
            ("say the same", f"{agreed} of {len(asked)}" if agreed else ""),
            *_usage([state.usage]),
        ),
        failure=_failure(state.failure),
        evidence=_of_findings(grounded),
        parts=tuple(_asked(one, state.findings.get(one.id)) for one in state.assignments),
        notes=tuple(state.notes),
    )


def _asked(assignment: Assignment, found: Finding | None) -> Part:
    """What an engine was asked, and what it brought."""
    if found is not None:
        return _finding(found)
    return Part(_label(assignment.id, assignment.worker), assignment.question, "no answer yet")


def _label(name: str, worker: str) -> str:
    return name if name == worker else f"{name} · {worker}"


def _hybrid(state: HybridState) -> AnswerFacts:
    steps = tuple(
        Step(one.goal + (f" ({one.why})" if one.why else ""), _mark(state.findings.get(one.id)))
        for one in state.recommendations
    )
    return AnswerFacts(**{**vars(_collective(state)), "steps": steps})


def _mark(finding: Finding | None) -> str:
    return finding.status if finding is not None else "not run"


def _specialists(state: SpecialistsState) -> AnswerFacts:
    who = "; ".join(f"{one.name}: {one.why}" for one in state.chosen_specialists)
    facts = _collective(state)
    claims = tuple(Evidence(f"{one.place} ({one.kernel})", one.claim) for one in state.claims)
    return AnswerFacts(
        **{**vars(facts), "evidence": claims, "figures": (*facts.figures, *_figures(("specialists", who)))}
    )


def _auto(state: AutoState) -> AnswerFacts:
    decision = state.decision
    chosen = f"{decision.engine}: {decision.why}" if decision is not None else ""
    found = list(state.findings.values())
    return AnswerFacts(
        graph="",
        asked=state.goal,
        status=state.status,
        answer=state.final_answer,
        figures=_figures(
            ("engine", chosen), ("confidence", _share(state.confidence)), *_usage([state.usage])
        ),
        failure=_failure(state.failure),
        evidence=_of_findings(found),
        parts=tuple(map(_finding, found)) or _given_out(state.assignment),
        notes=tuple(state.notes),
    )


def _given_out(assignment: Assignment | None) -> tuple[Part, ...]:
    return (_asked(assignment, None),) if assignment is not None else ()


def _research(state: ResearchState) -> AnswerFacts:
    return AnswerFacts(
        graph="",
        asked=state.query,
        status=state.status,
        answer=state.checked_report or state.no_data,
        figures=_figures(
            ("mode", state.mode), ("sources", str(len(state.sources))), *_usage(state.usage.values())
        ),
        failure=_failure(state.failure),
        notes=tuple(state.notes),
    )


def _tutor(state: TutorState) -> AnswerFacts:
    return AnswerFacts(
        graph="",
        asked=state.goal or state.game,
        status=state.status,
        figures=_figures(
            ("game", state.game),
            ("player", state.model),
            ("turns", str(len(state.turns))),
            ("score", str(state.score)),
            ("end", str(state.ended or "")),
        ),
        failure=_failure(state.failure),
        notes=tuple(state.notes),
    )


def _finding(one: Finding) -> Part:
    return Part(
        label=_label(one.id, one.worker),
        question=one.question,
        mark=one.status,
        answer=one.answer,
        about="; ".join([*filter(None, [_sure(one.confidence), _failure(one.failure)]), *one.notes]),
        evidence=_of_findings([one]),
    )


def _sure(confidence: float | None) -> str:
    return "" if confidence is None else f"confidence {_share(confidence)}"


def _of_findings(found: Iterable[Finding]) -> tuple[Evidence, ...]:
    return tuple(Evidence(cited.where, cited.text) for one in found for cited in one.evidence)


def _cited(answer: Any) -> tuple[Evidence, ...]:
    cited: Sequence[Cited] = answer.evidence if answer is not None else ()
    return tuple(Evidence(one.where, one.text) for one in cited)


def _failure(failure: Failure | None) -> str:
    return f"{failure.what} {failure.remedy}".strip() if failure is not None else ""


def _share(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def _usage(spent: Iterable[RoleUsage]) -> list[Named]:
    spent = list(spent)
    calls = sum(one.calls for one in spent)
    tokens = sum(one.prompt_tokens + one.completion_tokens for one in spent)
    return [("model calls", str(calls)), ("tokens", str(tokens or ""))]


def _figures(*named: Named) -> tuple[Named, ...]:
    return tuple((name, value) for name, value in named if value)


_READERS: Mapping[str, Callable[[Any], AnswerFacts]] = {
    "reflective": _reflective,
    "research": _research,
    "contractive": _contractive,
    "tutor": _tutor,
    "ensemble": _collective,
    "hybrid": _hybrid,
    "hierarchy": _hierarchy,
    "specialists": _specialists,
    "auto": _auto,
}
