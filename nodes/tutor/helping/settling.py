"""Which targets of a game are settled, and by which validated claims."""

from __future__ import annotations

from nodes.tutor.games.game import Game
from nodes.tutor.helping.node_data import claims_for
from nodes.tutor.proof_graph import ProofGraph


def settled_by(game: Game, graph: ProofGraph) -> tuple[str | None, ...]:
    """For each target of a game, in order, a validated claim that settles it; None for a target that is open.

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


def _settle(target: int, fitting: list[list[str]], taken: dict[str, int], tried: set[str]) -> bool:
    for claim in fitting[target]:
        if claim in tried:
            continue
        tried.add(claim)
        if claim not in taken or _settle(taken[claim], fitting, taken, tried):
            taken[claim] = target
            return True
    return False
