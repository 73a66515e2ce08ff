"""What a game has shown so far: its observations, the facts they brought, and which call brought which."""

from __future__ import annotations

from nodes.tutor.facts import Fact
from nodes.tutor.moves import Request
from nodes.tutor.observations import Observation
from nodes.tutor.observing.reading import facts_of
from nodes.tutor.parsing import call_signature
from nodes.tutor.proof_graph import Node, ProofGraph


class Knowledge:
    """Observations of one game.

    Args:
        graph: of the game; an observation in it whose record is lost is none.

    Attributes:
        observations: by name.
    """

    def __init__(self, graph: ProofGraph) -> None:
        self.observations: dict[str, Observation] = {}
        self._calls: dict[str, str] = {}
        self._facts: set[Fact] = set()
        for node in graph.of_kind("observation"):
            if is_whole(node):
                self.add(Observation.model_validate(node.data))
        for node in graph.of_kind("action"):
            for name in graph.from_node("produces", node.id):
                self.called(Request.model_validate(node.data["request"]), name)

    def add(self, observation: Observation) -> bool:
        """Take up an observation; True if it shows a fact not known before."""
        self.observations[observation.id] = observation
        known = len(self._facts)
        if observation.footprint.stable:
            self._facts.update(facts_of(observation))
        return len(self._facts) > known

    def called(self, request: Request, name: str) -> None:
        """A call brought an observation."""
        self._calls[call_signature(request)] = name

    def of_call(self, request: Request) -> Observation | None:
        """The latest observation a call brought; whether it still holds is another question."""
        return self.observations.get(self._calls.get(call_signature(request), ""))

    @staticmethod
    def is_empty(observation: Observation) -> bool:
        """True if a call brought nothing: no fact and no output, only a complaint, or it was ended."""
        if facts_of(observation) or observation.returncode == 0 or observation.stdout:
            return False
        return bool(observation.stderr.strip()) or observation.returncode < 0


def is_whole(node: Node) -> bool:
    """True for an observation node that holds its observation, rather than where it is kept."""
    return "stdout" in node.data
