"""What a game has shown so far: its observations, the facts they brought, and which call brought which."""

from __future__ import annotations

from collections.abc import Mapping

from nodes.tutor.facts import Fact
from nodes.tutor.observations import Observation
from nodes.tutor.observing.reading import facts_of


class Knowledge:
    """Observations of one game.

    Args:
        observations: by name, in order.
        calls: name of the latest observation, by the signature of its call.

    Attributes:
        observations: by name.
    """

    def __init__(self, observations: Mapping[str, Observation], calls: Mapping[str, str]) -> None:
        self.observations: dict[str, Observation] = {}
        self._calls = dict(calls)
        self._facts: set[Fact] = set()
        for observation in observations.values():
            self.add(observation)

    def add(self, observation: Observation) -> bool:
        """Take up an observation; True if it shows a fact not known before."""
        self.observations[observation.id] = observation
        known = len(self._facts)
        if observation.footprint.stable:
            self._facts.update(facts_of(observation))
        return len(self._facts) > known

    def called(self, signature: str, name: str) -> None:
        """A call brought an observation."""
        self._calls[signature] = name

    def of_call(self, signature: str) -> Observation | None:
        """The latest observation a call brought; whether it still holds is another question."""
        return self.observations.get(self._calls.get(signature, ""))

    @staticmethod
    def is_empty(observation: Observation) -> bool:
        """True if a call brought nothing: no fact and no output, only a complaint, or it was ended."""
        if facts_of(observation) or observation.returncode == 0 or observation.stdout:
            return False
        return bool(observation.stderr.strip()) or observation.returncode < 0
