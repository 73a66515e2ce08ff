"""Whether a move may be made: known names, the right status, a form that can be judged, nothing twice."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from configs.work_limits import WorkLimits
from nodes.tutor.claims import Claim
from nodes.tutor.helping.limits import refusal_of as too_much_open
from nodes.tutor.identity import normalised
from nodes.tutor.moves import Answer, Assert, Challenge, Link, Move, Propose, Reformulate, Request
from nodes.tutor.proof_graph import ProofGraph
from nodes.tutor.proving.forms import problem_of

RULES: Mapping[str, str] = {
    "move": "A turn is one move: one JSON object of one of the eight forms. Words are no move.",
    "known": "A move names observations and claims of this game only.",
    "form": "A claim has one of the forms that can be proved.",
    "status": "Only a claim that is not proved is reformulated; only one that may be wrong is challenged.",
    "once": "The same claim with the same evidence is put once.",
    "tools": "Tools read, inside of the sandbox only, and are called with arguments they have.",
    "work": "What is open is settled before more is opened.",
}
"""The rules of every game, by what the code calls them."""


@dataclass(frozen=True)
class Refusal:
    """A move that may not be made.

    Attributes:
        rule: one of `RULES`.
        message: for the player.
    """

    rule: str
    message: str


class Legality:
    """The rules, applied to one game.

    Args:
        graph: of the game.
        claims: names of the claims and assumptions put, by what they say.
        limits: of work in progress; None without any.
    """

    def __init__(self, graph: ProofGraph, claims: Mapping[str, str], limits: WorkLimits | None) -> None:
        self._graph = graph
        self._claims = claims
        self._limits = limits

    def refusal_of(self, move: Move) -> Refusal | None:
        """Why a move may not be made, or None. Whether a tool may be called is asked where it is."""
        refusal = self._unknown(move) or self._of_kind(move)
        if refusal is None and self._limits is not None:
            open_work = too_much_open(self._graph, self._limits, move)
            refusal = Refusal("work", open_work) if open_work else None
        return refusal

    def _unknown(self, move: Move) -> Refusal | None:
        """A name the game does not have."""
        if isinstance(move, Assert | Link | Challenge):
            for name in move.evidence:
                if not self._is(name, "observation"):
                    known = self._last("observation")
                    return Refusal("known", f"There is no observation {name[:40]!r}. {known}")
        if isinstance(move, Challenge | Reformulate | Link):
            named: Iterable[str] = [move.claim]
        else:
            named = move.claims if isinstance(move, Answer) else ()
        for name in named:
            if not self._is(name, "claim") and not self._is(name, "assumption"):
                return Refusal("known", f"There is no claim {name[:40]!r}. {self._last('claim')}")
        return None

    def _of_kind(self, move: Move) -> Refusal | None:
        match move:
            case Propose():
                return _call(move.request)
            case Assert():
                return _form(move.claim) or self._again(move.claim, move.evidence)
            case Challenge():
                return self._challenge(move)
            case Reformulate():
                return self._reformulate(move)
            case Link():
                evidence = self._evidence(move.claim)
                if set(move.evidence) <= evidence:
                    return Refusal("once", f"{move.claim} has this evidence already. Give it other evidence.")
            case Answer():
                if len(set(move.claims)) != len(move.claims):
                    return Refusal("once", "The answer names a claim twice. Name each once.")
                if not move.claims:
                    return Refusal(
                        "known", "The answer names no claim. Name the claims that answer the goal."
                    )
        return None

    def _again(self, claim: Claim, evidence: Iterable[str]) -> Refusal | None:
        name = self._claims.get(normalised(claim).key)
        if name is None or not set(evidence) <= self._evidence(name):
            return None
        status = self._graph.nodes[name].status
        return Refusal("once", f"This is {name}, put with this evidence before; it is {status}.")

    def _challenge(self, move: Challenge) -> Refusal | None:
        if self._graph.nodes[move.claim].status == "refuted":
            return Refusal("status", f"{move.claim} is refuted already.")
        if (move.falsifier is None) == (not move.evidence):
            return Refusal("move", "A challenge has either a falsifier (a tool call) or evidence.")
        return None if move.falsifier is None else _call(move.falsifier)

    def _reformulate(self, move: Reformulate) -> Refusal | None:
        if self._graph.nodes[move.claim].status == "validated":
            return Refusal("status", f"{move.claim} is proved. Use ASSERT for another claim.")
        return _form(move.into) or self._again(move.into, self._evidence(move.claim))

    def _evidence(self, name: str) -> set[str]:
        return set(self._graph.nodes[name].data["evidence"])

    def _is(self, name: str, kind: str) -> bool:
        node = self._graph.nodes.get(name)
        return node is not None and node.kind == kind

    def _last(self, kind: str) -> str:
        count = self._graph.count(kind)  # type: ignore[arg-type]  # one of two kinds, both of the list
        return f"There are {kind[0]}1 to {kind[0]}{count}." if count else f"There is no {kind} yet."


def _call(request: Request) -> Refusal | None:
    if bool(request.tool) == bool(request.raw):
        return Refusal("tools", "A call has either a tool with its arguments, or one command line in `raw`.")
    if request.raw and request.args:
        return Refusal("tools", "A command line has no arguments beside it.")
    return None


def _form(claim: Claim) -> Refusal | None:
    problem = problem_of(claim)
    return None if problem is None else Refusal("form", problem)
