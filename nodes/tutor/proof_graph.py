"""The proof-carrying graph: what was done, seen, said and proved, and how it hangs together.

Nodes: goal, constraint (what the answer has to hold), rule, action, observation, entity (a path, key or name
seen), claim, assumption (a claim put without evidence), question.

Edges, written by code where they hold:

    action       produces   observation
    observation  mentions   entity          claim mentions entity
    observation  supports   claim           its verdict rests on it
    observation  refutes    claim           claim refutes claim: both cannot be so
    claim        derives    claim           it was reformulated into; and goal, when the answer is accepted;
                                            assumption derives claim: it was given evidence
    goal         requires   constraint      constraint requires rule: it is about this game only
    rule         blocks     action          a move that was refused for it; constraint blocks action likewise
    claim        targets    constraint      it has the form wanted; action (a challenge) targets claim;
                                            question targets goal
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

NodeKind = Literal[
    "goal", "constraint", "rule", "action", "observation", "entity", "claim", "assumption", "question"
]
EdgeKind = Literal["supports", "derives", "refutes", "mentions", "requires", "produces", "blocks", "targets"]


class Node(BaseModel):
    """Something in the graph.

    Attributes:
        id: "g", "k1" (constraint), "r1" (rule), "a1", "o1", "e1", "c1", "s1" (assumption), "q1".
        kind: see the module.
        turn: it was added in; 0 for what the game begins with.
        status: of a claim or assumption: proposed, validated, refuted or undecidable; else "".
        data: the thing itself, as JSON: an Observation, a Claim with its `evidence`, a Target, a text.
    """

    model_config = ConfigDict(extra="forbid")

    id: str
    kind: NodeKind
    turn: int
    status: str = ""
    data: dict[str, Any] = Field(default_factory=dict)


class Edge(BaseModel):
    """One relation of two nodes."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    kind: EdgeKind
    source: str
    target: str
    turn: int


class ProofGraph:
    """Nodes and edges, found without a walk over all of them.

    Args:
        nodes: by name, in the order they were added.
        edges: in the order they were added.
    """

    def __init__(self, nodes: Mapping[str, Node] | None = None, edges: Iterable[Edge] = ()) -> None:
        self.nodes: dict[str, Node] = {}
        self.edges: dict[tuple[str, str, str], Edge] = {}
        self._of_kind: dict[str, list[str]] = defaultdict(list)
        self._out: dict[tuple[str, str], list[str]] = defaultdict(list)
        self._into: dict[tuple[str, str], list[str]] = defaultdict(list)
        self._calls: set[str] = set()
        for node in (nodes or {}).values():
            self.add(node)
        for edge in edges:
            self.join(edge.kind, edge.source, edge.target, edge.turn)

    def add(self, node: Node) -> Node:
        """Add a node; its name must be new."""
        assert node.id not in self.nodes, node.id
        self.nodes[node.id] = node
        self._of_kind[node.kind].append(node.id)
        call = node.data.get("request") if node.kind == "action" else node.data
        if node.kind in ("action", "observation") and isinstance(call, dict):
            self._calls.add(_call(call.get("tool", ""), call.get("args", {})))
        return node

    def join(self, kind: EdgeKind, source: str, target: str, turn: int) -> bool:
        """Add an edge between nodes that are there; False if it was there already."""
        assert source in self.nodes and target in self.nodes, (kind, source, target)
        key = (kind, source, target)
        if key in self.edges:
            return False
        self.edges[key] = Edge(kind=kind, source=source, target=target, turn=turn)
        self._out[kind, source].append(target)
        self._into[kind, target].append(source)
        return True

    def of_kind(self, kind: NodeKind) -> list[Node]:
        """Nodes of a kind, in order."""
        return [self.nodes[name] for name in self._of_kind[kind]]

    def latest(self, kind: NodeKind, most: int) -> list[Node]:
        """The last nodes of a kind that were added, in order, at most so many; no walk over the others."""
        return [self.nodes[name] for name in self._of_kind[kind][-most:]] if most > 0 else []

    def count(self, kind: NodeKind) -> int:
        """How many nodes of a kind there are."""
        return len(self._of_kind[kind])

    def has_call(self, tool: str, args: Mapping[str, Any]) -> bool:
        """True if an action or observation is this very call of a tool; flags that are off make no other."""
        return _call(tool, args) in self._calls

    def from_node(self, kind: EdgeKind, source: str) -> list[str]:
        """Names of the nodes to which edges of a kind lead from one."""
        return self._out.get((kind, source), [])

    def to_node(self, kind: EdgeKind, target: str) -> list[str]:
        """Names of the nodes from which edges of a kind lead to one."""
        return self._into.get((kind, target), [])


def _call(tool: str, args: Mapping[str, Any]) -> str:
    given = {name: value for name, value in args.items() if value is not None and value is not False}
    return json.dumps([tool, given], sort_keys=True)
