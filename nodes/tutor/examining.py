"""A claim and the observations cited for it, examined: only what is intact, fresh and of this game counts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from nodes.tutor.claims import Claim
from nodes.tutor.observations import Observation
from nodes.tutor.observing.reading import facts_of_intact
from nodes.tutor.proving.prove import prove
from nodes.tutor.proving.world import World
from nodes.tutor.verdicts import Verdict, undecidable


@dataclass(frozen=True)
class Examined:
    """What came of it.

    Attributes:
        verdict: on the claim.
        ignored: why a citation supports nothing, by the citation as it was written.
    """

    verdict: Verdict
    ignored: Mapping[str, str]


def examine(
    claim: Claim,
    cites: Sequence[object],
    observations: Mapping[str, Observation],
    game: str,
    is_fresh: Callable[[Observation], bool],
) -> Examined:
    """Judge a claim by what is cited for it, and by nothing else.

    Args:
        claim: its form is right.
        cites: names of observations; anything else supports nothing.
        observations: of the game, by name.
        game: its name.
        is_fresh: False if what an observation depends on has changed since, so that it tells of the past.
    """
    facts, ignored = {}, {}
    for cite in cites:
        name = cite if isinstance(cite, str) else repr(cite)
        observation = observations.get(cite) if isinstance(cite, str) else None
        if observation is None:
            ignored[name] = "there is no such observation in this game"
        elif observation.game != game or not observation.intact:
            ignored[name] = "it is not as it was observed"
        elif not is_fresh(observation):
            ignored[name] = "what it shows has changed since; observe it again"
        else:
            facts[name] = facts_of_intact(observation)
    if not facts:
        return Examined(undecidable("No observation was cited that counts."), ignored)
    return Examined(prove(claim, World(facts)), ignored)
