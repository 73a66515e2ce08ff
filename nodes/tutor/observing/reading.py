"""What a sealed observation says: facts for provers, text for the player. Pure; nothing is run or read."""

from __future__ import annotations

from nodes.tutor.facts import Fact
from nodes.tutor.observations import Observation


def facts_of(observation: Observation) -> tuple[Fact, ...]:
    """Everything it shows; nothing if the output was cut, failed, or can be read in two ways."""
    return ()


def shown(observation: Observation) -> str:
    """The output as the tool that was asked for would have printed it."""
    return observation.stdout
