"""The proof graph as it is written: nodes and edges come about here, and what is new is kept apart."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from nodes.tutor.answering import has_form
from nodes.tutor.claims import Claim
from nodes.tutor.games.game import Game, Target
from nodes.tutor.helping.entities import entities_of
from nodes.tutor.identity import normalised
from nodes.tutor.legality import RULES
from nodes.tutor.observations import Observation
from nodes.tutor.observing.reading import facts_of
from nodes.tutor.parsing import dumped
from nodes.tutor.proof_graph import Edge, EdgeKind, Node, NodeKind, ProofGraph

GOAL = "g"
_LETTERS: dict[NodeKind, str] = {
    "constraint": "k",
    "rule": "r",
    "action": "a",
    "observation": "o",
    "entity": "e",
    "claim": "c",
    "assumption": "s",
    "question": "q",
}


@dataclass(frozen=True)
class Changes:
    """What is new of a graph.

    Attributes:
        nodes: added or changed, whole.
        edges: added.
    """

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]


class Recording:
    """Writes the graph of one game.

    Args:
        game: what it is about.
        graph: as it is until now; an empty one is begun.

    Attributes:
        graph: the graph.
        claims: names of the claims and assumptions, by what they say (`identity.normalised`).
        rules: names of the rules, by what `legality.RULES` calls them.
    """

    def __init__(self, game: Game, graph: ProofGraph) -> None:
        self.graph = graph
        self.claims: dict[str, str] = {}
        self.rules: dict[str, str] = {}
        self._targets = [(f"k{number}", target) for number, target in enumerate(game.targets, 1)]
        self._entities: dict[str, dict[str, str]] = defaultdict(dict)
        self._typed: dict[str, Claim] = {}
        self._changed: dict[str, None] = {}
        self._joined: list[Edge] = []
        if graph.nodes:
            self._read()
        else:
            self._begin(game)

    def named(self, kind: NodeKind) -> str:
        """The name the next node of a kind gets."""
        return f"{_LETTERS[kind]}{self.graph.count(kind) + 1}"

    def add(self, kind: NodeKind, turn: int, data: dict[str, object], status: str = "") -> str:
        """Add a node; its name."""
        node = Node(id=self.named(kind), kind=kind, turn=turn, status=status, data=data)
        self.graph.add(node)
        self._changed[node.id] = None
        return node.id

    def join(self, kind: EdgeKind, source: str, target: str, turn: int) -> None:
        """Add an edge, unless it is there."""
        if self.graph.join(kind, source, target, turn):
            self._joined.append(self.graph.edges[kind, source, target])

    def observed(self, observation: Observation, action: str, turn: int) -> None:
        """An observation was made: it is produced by the action, and mentions what it shows."""
        name = self.add("observation", turn, dumped(observation))
        self.join("produces", action, name, turn)
        for entity in entities_of(facts_of(observation)):
            known = self._entities[entity.text]
            if entity.kind not in known:
                data: dict[str, object] = {"kind": entity.kind, "text": entity.text}
                known[entity.kind] = self.add("entity", turn, data)
            self.join("mentions", name, known[entity.kind], turn)

    def put(self, claim: Claim, evidence: Sequence[str], turn: int) -> str:
        """A claim is put, or one that was put before gets more evidence; its name.

        Without evidence it is an assumption; given some, an assumption becomes a claim that derives from it.
        """
        key = normalised(claim).key
        name = self.claims.get(key)
        if name is not None and (self.graph.nodes[name].kind == "claim" or not evidence):
            self.cite(name, evidence)
        else:
            data = {**dumped(claim), "evidence": list(dict.fromkeys(evidence))}
            before, name = name, self.add("claim" if evidence else "assumption", turn, data, "proposed")
            self.claims[key], self._typed[name] = name, claim
            if before is not None:
                self.join("derives", before, name, turn)
            for target, form in self._targets:
                if has_form(form, claim):
                    self.join("targets", name, target, turn)
        for text in _texts(claim):
            for entity in self._entities[text].values() if text in self._entities else ():
                self.join("mentions", name, entity, turn)
        return name

    def cite(self, name: str, evidence: Iterable[str]) -> None:
        """Give a claim more evidence."""
        cited = self.graph.nodes[name].data["evidence"]
        fresh = [one for one in dict.fromkeys(evidence) if one not in cited]
        if fresh:
            cited.extend(fresh)
            self._changed[name] = None

    def set_status(self, name: str, status: str, reason: str) -> None:
        """The status of a claim, and of the assumption it derives from, with the reason that was told."""
        assumed = [
            one for one in self.graph.to_node("derives", name) if self.graph.nodes[one].kind != "claim"
        ]
        for one in (name, *assumed):
            node = self.graph.nodes[one]
            node.status = status
            node.data["reason"] = reason
            self._changed[one] = None

    def claim(self, name: str) -> Claim:
        """The claim of a node."""
        return self._typed[name]

    def evidence(self, name: str) -> tuple[str, ...]:
        """Names of the observations cited for a claim."""
        return tuple(self.graph.nodes[name].data["evidence"])

    def targets_of(self, name: str) -> list[str]:
        """Names of the constraints a claim has the form of."""
        return self.graph.from_node("targets", name)

    def drained(self) -> Changes:
        """What is new since the last time this was asked."""
        changes = Changes(tuple(self.graph.nodes[name] for name in self._changed), tuple(self._joined))
        self._changed, self._joined = {}, []
        return changes

    def _begin(self, game: Game) -> None:
        self.graph.add(Node(id=GOAL, kind="goal", turn=0, data={"text": game.goal}))
        self._changed[GOAL] = None
        for name, text in RULES.items():
            self.rules[name] = self.add("rule", 0, {"name": name, "text": text})
        own = [self.add("rule", 0, {"name": "", "text": text}) for text in game.rules]
        for _, target in self._targets:
            constraint = self.add("constraint", 0, wanted(target))
            self.join("requires", GOAL, constraint, 0)
            for rule in own:
                self.join("requires", constraint, rule, 0)

    def _read(self) -> None:
        """The indexes, from a graph that was begun before."""
        for node in self.graph.of_kind("rule"):
            if node.data["name"]:
                self.rules[node.data["name"]] = node.id
        for node in self.graph.of_kind("entity"):
            self._entities[node.data["text"]][node.data["kind"]] = node.id
        for kind in ("assumption", "claim"):
            for node in self.graph.of_kind(kind):
                fields = {key: value for key, value in node.data.items() if key in Claim.model_fields}
                self._typed[node.id] = Claim.model_validate(fields)
                self.claims[normalised(self._typed[node.id]).key] = node.id


def wanted(target: Target) -> dict[str, object]:
    """A target as JSON; its set has no order of its own, and one value has one form."""
    return {**dumped(target), "open": sorted(target.open)}


def _texts(claim: Claim) -> Iterable[str]:
    """What a claim names: its subject, its value if it is a text, its scope, and files of places in them."""
    scope = claim.scope if isinstance(claim.scope, tuple) else (claim.scope,)
    for text in (claim.subject, claim.value, *scope):
        if isinstance(text, str):
            yield text
            path, colon, number = text.rpartition(":")
            if colon and number.isdigit():
                yield path
