"""Which targets of a game have a validated claim of their form, and whether that answer was tried.

A claim of the right form that is so need not be the one the goal asks for: nothing here knows which is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from nodes.tutor.games.game import Game
from nodes.tutor.helping.node_data import claims_for
from nodes.tutor.helping.open_work import proved_in
from nodes.tutor.proof_graph import ProofGraph
from nodes.tutor.turns import Turn

_TURNS = 60
_CLAIM = re.compile(r"\b[cs]\d+\b")


def settled_by(game: Game, graph: ProofGraph) -> tuple[str | None, ...]:
    """For each target of a game, in order, a validated claim of its form; None for a target that is open.

    No claim settles two targets. Where several would do, as many targets as can be are settled (a maximum
    matching, by augmenting paths), with the claims that were put last: they are the likeliest to be fresh.
    """
    constraints = graph.of_kind("constraint")[: len(game.targets)]
    fitting = [
        [node.id for node in claims_for(graph, constraint.id) if node.status == "validated"]
        for constraint in constraints
    ]
    taken: dict[str, int] = {}
    for target in range(len(fitting)):
        _settle(target, fitting, taken, set())
    claims = {target: claim for claim, target in taken.items()}
    return tuple(claims.get(target) for target in range(len(game.targets)))


def untried_answer(game: Game, graph: ProofGraph, turns: Sequence[Turn]) -> tuple[str, ...]:
    """A claim for each target, in order; nothing if a target is open, or if these were rejected as an answer.

    Only an answer given after the last of them was proved counts as rejected: before, it may have been stale.
    """
    claims = tuple(claim for claim in settled_by(game, graph) if claim is not None)
    if not claims or len(claims) < len(game.targets):
        return ()
    proved = max(proved_in(graph, graph.nodes[claim]) for claim in claims)
    tried = (
        set(_CLAIM.findall(turn.signature))
        for turn in turns[-_TURNS:]
        if turn.move == "ANSWER" and turn.number > proved
    )
    return () if set(claims) in tried else claims


def _settle(target: int, fitting: list[list[str]], taken: dict[str, int], tried: set[str]) -> bool:
    for claim in fitting[target]:
        if claim in tried:
            continue
        tried.add(claim)
        if claim not in taken or _settle(taken[claim], fitting, taken, tried):
            taken[claim] = target
            return True
    return False
