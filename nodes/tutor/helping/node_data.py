"""What nodes of the proof graph hold, read back into types."""

from __future__ import annotations

from itertools import islice

from nodes.tutor.claims import Claim
from nodes.tutor.observations import Observation
from nodes.tutor.proof_graph import Node, ProofGraph

_WALK = 60


def claim_of(node: Node) -> Claim:
    """The claim of a claim or assumption node."""
    return Claim.model_validate({name: node.data[name] for name in Claim.model_fields if name in node.data})


def evidence_of(node: Node) -> tuple[str, ...]:
    """Names of the observations cited for a claim."""
    return tuple(node.data.get("evidence", ()))


def observation_of(node: Node) -> Observation | None:
    """The observation of an observation node; None if it is a large one, which is kept elsewhere."""
    return Observation.model_validate(node.data) if "stdout" in node.data else None


def claims_for(graph: ProofGraph, constraint: str) -> list[Node]:
    """Claims and assumptions of the form a constraint wants, the latest first, of the last 60."""
    names = islice(reversed(graph.to_node("targets", constraint)), _WALK)
    return [graph.nodes[name] for name in names if graph.nodes[name].kind in ("claim", "assumption")]
