"""What a sealed observation says: facts for provers, text for the player. Pure; nothing is run or read."""

from __future__ import annotations

import logging

from nodes.tutor.facts import Fact
from nodes.tutor.observations import Observation, Reading
from nodes.tutor.observing.questions.base import Printed, Unclear

log = logging.getLogger(__name__)
# The same observations are cited again and again; what a seal stands for never changes.
KEPT = 512
_known: dict[str, tuple[Fact, ...]] = {}


def facts_of(observation: Observation) -> tuple[Fact, ...]:
    """Everything it shows; nothing if it was altered, cut, or made while the files changed."""
    return facts_of_intact(observation) if observation.intact else ()


def facts_of_intact(observation: Observation) -> tuple[Fact, ...]:
    """The same, for a caller that has found the seal to hold: here it is not looked at again.

    Never to be called with another observation: facts are kept by their seal.
    """
    if observation.truncated or not observation.footprint.stable:
        return ()
    known = _known.get(observation.seal)
    if known is None:
        known = tuple(dict.fromkeys(fact for reading in observation.readings for fact in facts_in(reading)))
        while len(_known) >= KEPT:
            _known.pop(next(iter(_known)), None)
        _known[observation.seal] = known
    return known


def facts_in(reading: Reading) -> list[Fact]:
    """What one answer shows; nothing if it is not of the form expected, or no UTF-8 where it matters."""
    printed = Printed(reading.returncode, reading.output.encode(reading.encoding), reading.errors)
    try:
        return reading.question.facts(printed)
    except (Unclear, UnicodeDecodeError) as error:
        log.debug("nothing is read from %s: %s", reading.question.ask, error)
        return []


def shown(observation: Observation) -> str:
    """The output as the tool that was asked for printed it."""
    return observation.stdout
