"""Goals routed as `reflect auto` routes them, and how many went right."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from configs.settings import Settings
from evals.classify import share
from evals.routing.table import RoutedGoal
from models.embeddings import Embedder
from models.multilingual_embeddings import open_goal_embedder
from models.roles import RoleModels
from nodes.collective.engines import ENGINES
from nodes.routing.asking import ask_router
from nodes.routing.deciding import decide
from nodes.routing.exemplars import vote
from nodes.routing.state import RoutingDecision

TARGET = 0.9
SOURCES = ("signals", "exemplars", "model", "default")


@dataclass(frozen=True)
class Routed:
    """Where one goal went.

    Attributes:
        row: the goal and its right engine.
        decision: what was decided.
        milliseconds: how long that took.
    """

    row: RoutedGoal
    decision: RoutingDecision
    milliseconds: float

    @property
    def right(self) -> bool:
        """True if it went to the right engine."""
        return self.decision.engine == self.row.engine


class Router:
    """ROUTE without the graph around it.

    Args:
        settings: names the embedding model.
        models: asked about goals that code leaves in doubt, or None.

    Raises:
        ModelError: the embedding model cannot be used.
    """

    def __init__(self, settings: Settings, models: RoleModels | None) -> None:
        self._models = models
        self.embedder: Embedder = open_goal_embedder(settings)

    async def route(self, row: RoutedGoal) -> Routed:
        """Route one goal."""
        started = time.perf_counter()
        decided = decide(row.goal, lambda goal: vote(goal, self.embedder))
        decision = decided.decision
        if not decided.sure and self._models is not None:
            decision, _ = await ask_router(row.goal, decided, self._models)
        return Routed(row, decision, (time.perf_counter() - started) * 1000)


def summarise(routed: Sequence[Routed], seed: int) -> dict[str, Any]:
    """Every figure of the report."""
    accuracy = share([one.right for one in routed], seed)
    counts = Counter((one.row.engine, one.decision.engine) for one in routed)
    taken = [one.milliseconds for one in routed]
    return {
        "goals": len(routed),
        "accuracy": accuracy["value"],
        "interval": [accuracy["low"], accuracy["high"]],
        "target": {"accuracy": f">= {TARGET:.2f}", "met": accuracy["value"] >= TARGET},
        "engines": {
            engine: {
                "n": sum(counts[engine, given] for given in ENGINES),
                "recall": _ratio(counts[engine, engine], sum(counts[engine, given] for given in ENGINES)),
                "precision": _ratio(counts[engine, engine], sum(counts[right, engine] for right in ENGINES)),
            }
            for engine in ENGINES
        },
        "by_source": {
            source: share([one.right for one in routed if one.decision.source == source], seed)
            for source in SOURCES
        },
        "confusion": {right: {given: counts[right, given] for given in ENGINES} for right in ENGINES},
        "milliseconds": {
            "p50": round(float(np.percentile(taken, 50)), 2),
            "p95": round(float(np.percentile(taken, 95)), 2),
            "max": round(max(taken), 2),
        },
        "wrong": [
            {
                "id": one.row.id,
                "goal": one.row.goal,
                "engine": one.row.engine,
                "given": one.decision.engine,
                **one.decision.model_dump(include={"kind", "source", "score", "runner_up", "why"}),
            }
            for one in routed
            if not one.right
        ],
    }


def _ratio(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None
