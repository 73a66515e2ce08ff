"""How well an answer was justified: what was cited for it, against the evidence that is expected."""

from __future__ import annotations

from collections.abc import Sequence

from nodes.tutor.games.game import Game
from nodes.tutor.helping.node_data import evidence_of
from nodes.tutor.proof_graph import Node, ProofGraph


def score_of(game: Game, graph: ProofGraph, answer: Sequence[str]) -> float:
    """F1 of the evidence cited for the claims of an answer, 0 to 1.

    An observation is relevant if the verdict on one of the claims rests on it and it read what `game.needed`
    names; where nothing is named, the verdict alone counts. The tool does not: a file read with another one
    is read as well.

        precision = relevant observations / observations cited for the claims
        recall    = needed facts that a relevant observation read / needed facts (1 if none is named)
        F1        = 2 * precision * recall / (precision + recall), 0 if nothing is relevant

    Args:
        game: `needed` says what is expected.
        graph: of the game.
        answer: names of claims; names of anything else count for nothing.
    """
    claims = [
        graph.nodes[name]
        for name in dict.fromkeys(answer)
        if name in graph.nodes and graph.nodes[name].kind == "claim"
    ]
    resting = {name for claim in claims for name in graph.to_node("supports", claim.id)}
    cited = resting.union(*(evidence_of(claim) for claim in claims))
    paths = dict.fromkeys(path for _, path in game.needed)
    reads = {
        name: {path for path in paths if _read(graph.nodes[name], path)}
        for name in resting
        if name in graph.nodes
    }
    relevant = [name for name, read in reads.items() if read or not paths]
    if not relevant:
        return 0.0
    covered = set().union(*reads.values())
    precision = len(relevant) / len(cited)
    recall = len(covered) / len(paths) if paths else 1.0
    return 2 * precision * recall / (precision + recall)


def _read(observation: Node, path: str) -> bool:
    """True if a path was read for an observation, or lies in a directory searched to the bottom."""
    footprint = observation.data.get("footprint") or {}
    args = observation.data.get("args") or {}
    read = [*footprint.get("paths", ()), *args.get("paths", ()), args.get("path", "")]
    deep = bool(footprint.get("deep"))
    return any(one == path or (deep and (one == "." or path.startswith(f"{one}/"))) for one in read)
