"""What a player has begun and not finished: questions, claims, and observations nothing was said of."""

from __future__ import annotations

from configs.work_limits import RECENT_TURNS
from nodes.tutor.proof_graph import Node, NodeKind, ProofGraph

_SAYING: tuple[NodeKind, ...] = ("claim", "assumption", "question")
_TELLING: tuple[NodeKind, ...] = ("action", "observation", *_SAYING)


def open_questions(graph: ProofGraph) -> tuple[str, ...]:
    """Questions asked of late, with no claim proved since."""
    proved = max((proved_in(graph, node) for node in _recent(graph, "claim")), default=0)
    return tuple(node.id for node in _recent(graph, "question") if node.turn > proved)


def unproved_claims(graph: ProofGraph) -> tuple[str, ...]:
    """Claims and assumptions put of late that were neither proved, refuted nor reformulated."""
    put = [*_recent(graph, "claim"), *_recent(graph, "assumption")]
    return tuple(
        node.id
        for node in put
        if node.status in ("proposed", "undecidable") and not graph.from_node("derives", node.id)
    )


def unused_observations(graph: ProofGraph) -> tuple[str, ...]:
    """Observations made of late, with nothing said since and no claim resting on them."""
    said = max((node.turn for kind in _SAYING for node in graph.latest(kind, 1)), default=0)
    return tuple(
        node.id
        for node in _recent(graph, "observation")
        if node.turn > said
        and not graph.from_node("supports", node.id)
        and not graph.from_node("refutes", node.id)
    )


def _recent(graph: ProofGraph, kind: NodeKind) -> list[Node]:
    """Nodes of a kind added in the last turns; no turn adds two of a kind."""
    now = max((node.turn for one in _TELLING for node in graph.latest(one, 1)), default=0)
    return [node for node in graph.latest(kind, RECENT_TURNS) if node.turn > now - RECENT_TURNS]


def proved_in(graph: ProofGraph, claim: Node) -> int:
    """The turn in which a claim got the evidence it is proved by; 0 if it is not proved."""
    if claim.status != "validated":
        return 0
    support = (graph.edges["supports", name, claim.id].turn for name in graph.to_node("supports", claim.id))
    return max(support, default=claim.turn)
