"""What came of a run, in one form for every graph: answer, evidence, steps, parts, what is in doubt."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from nodes.collective.exchange import Cited, Finding
from nodes.reflective.state import Failure, RoleUsage

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


def of_findings(found: Iterable[Finding]) -> tuple[Evidence, ...]:
    """What findings cite, in their order."""
    return tuple(Evidence(cited.where, cited.text) for one in found for cited in one.evidence)


def cited(answer: Any) -> tuple[Evidence, ...]:
    """What an answer to a question rests on; nothing without an answer."""
    cited: Sequence[Cited] = answer.evidence if answer is not None else ()
    return tuple(Evidence(one.where, one.text) for one in cited)


def failure(failure: Failure | None) -> str:
    """What ended a run and what to do, in one line; empty without a failure."""
    return f"{failure.what} {failure.remedy}".strip() if failure is not None else ""


def share(value: float | None) -> str:
    """A figure from 0 to 1 with two digits; empty when unknown."""
    return "" if value is None else f"{value:.2f}"


def usage(spent: Iterable[RoleUsage]) -> list[Named]:
    """Model calls and tokens of all roles together."""
    spent = list(spent)
    calls = sum(one.calls for one in spent)
    tokens = sum(one.prompt_tokens + one.completion_tokens for one in spent)
    return [("model calls", str(calls)), ("tokens", str(tokens or ""))]


def figures(*named: Named) -> tuple[Named, ...]:
    """Those that have a value."""
    return tuple((name, value) for name, value in named if value)
