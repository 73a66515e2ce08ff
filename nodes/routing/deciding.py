"""Which engine a goal goes to, as far as code can tell. Pure, but for the embedder's vote."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from nodes.collective.engines import ENGINES, Engine
from nodes.routing.cues import Cues, cues_of
from nodes.routing.exemplars import Votes
from nodes.routing.kinds import ENGINE_OF, MEANING, Kind, kinds_of
from nodes.routing.rules import by_rule
from nodes.routing.state import RoutingDecision

# Below this share of the vote a model that can judge is asked.
SURE = 0.6
CANDIDATES = 3
LONGEST_SHOWN = 80
SPEAK_FOR: Mapping[Kind, tuple[str, ...]] = {
    "reasoning": ("mathematics", "weighing"),
    "uncertain": ("weighing",),
    "research": ("sources",),
    "proof": ("proof",),
    "slim_model": ("models", "games"),
    "benchmark": ("games", "models"),
    "audit": ("audit",),
    "second_opinion": ("several",),
    "compound": ("parts",),
    "analyse_then_act": ("judgement_then_act",),
}
"""Classes of cues whose words speak for a kind."""


@dataclass(frozen=True)
class Decided:
    """A decision of code.

    Attributes:
        decision: as it stands.
        sure: False if a model should be asked before it holds.
        votes: of the exemplars; None where they were not asked, or no embedder can be used.
    """

    decision: RoutingDecision
    sure: bool
    votes: Votes | None = None

    @property
    def candidates(self) -> tuple[Engine, ...]:
        """The engines a model chooses from, the likeliest first."""
        return tuple(name for name, _ in self.votes.shares[:CANDIDATES]) if self.votes else ENGINES


def forced(engine: Engine) -> RoutingDecision:
    """The decision of a person."""
    return RoutingDecision(
        engine=engine,
        kind=kinds_of(engine)[0],
        why=f"you asked for the engine {engine}.",
        source="person",
        score=1.0,
    )


def decide(goal: str, vote: Callable[[str], Votes | None]) -> Decided:
    """Decide by the words of a goal, else by the vote of exemplars.

    Args:
        goal: as written, not empty.
        vote: takes the exemplars' vote on a goal; None where no embedder can be used.
    """
    cues = cues_of(goal)
    ruled = by_rule(goal, cues)
    if ruled is not None:
        return Decided(_decision(ruled.kind, f"{ruled.why}.", "signals", 1.0, None), True)
    votes = vote(goal)
    if votes is None:
        return Decided(undecided(), False)
    (engine, share), (second, _) = votes.shares[:2]
    kind = votes.kinds[engine]
    heard = _words_for(kind, cues)
    if heard:
        said = " and ".join(f'"{word}"' for word in heard)
        why = f"{MEANING[kind]}: {said}."
    else:
        why = f'{MEANING[kind]}; it resembles "{_shown(votes.nearest[engine])}".'
    decision = _decision(kind, why, "signals" if heard else "exemplars", share, second)
    return Decided(decision, share >= SURE, votes)


def judged(decided: Decided, engine: Engine, model: str) -> RoutingDecision:
    """The decision when a model named an engine."""
    kind = decided.votes.kinds[engine] if decided.votes else kinds_of(engine)[0]
    code = decided.decision.engine
    return RoutingDecision(
        engine=engine,
        kind=kind,
        why=f"{MEANING[kind]}, as {model} judges.",
        source="model",
        runner_up=code if code != engine else decided.decision.runner_up,
    )


def undecided() -> RoutingDecision:
    """The engine that looks before it answers, for a goal nobody could tell anything of."""
    return RoutingDecision(
        engine="reflective", kind="factual", why="nothing told otherwise.", source="default"
    )


def _decision(kind: Kind, why: str, source: str, score: float, runner_up: Engine | None) -> RoutingDecision:
    return RoutingDecision.model_validate(
        {
            "engine": ENGINE_OF[kind],
            "kind": kind,
            "why": why,
            "source": source,
            "score": score,
            "runner_up": runner_up,
        }
    )


def _words_for(kind: Kind, cues: Cues) -> list[str]:
    """At most two words of the goal that speak for its kind."""
    words = [word for name in SPEAK_FOR.get(kind, ()) for word in cues.words.get(name, ())]
    return [_shown(word) for word in dict.fromkeys(words)][:2]


def _shown(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_SHOWN else f"{line[: LONGEST_SHOWN - 1]}…"
