"""What every research node does beside its work: notes, timeline, progress, the run's own settings."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable
from typing import Any

from pydantic import BaseModel

from configs.research import ResearchSettings
from memory.trace.iteration_log import IterationLogger, iterations_directory
from nodes.reflective.emit import progress
from nodes.reflective.services import Services
from nodes.reflective.state import dump
from nodes.research.replaying import load_manifest
from nodes.research.state import Agent, Moment, ResearchState

MOST_NOTES = 60


def research_settings(services: Services, state: ResearchState) -> ResearchSettings:
    """Section `research` of the settings; in a replay, what it was then. Blocking in a replay.

    Raises:
        ReplayImpossible: the manifest cannot be used.
    """
    if state.replay:
        return ResearchSettings.model_validate(load_manifest(state.replay).settings)
    return services.settings.research


class Visit:
    """One visit to a node: how long it took, what it says of itself.

    Args:
        node: its name.
        state: as it was given.
    """

    def __init__(self, node: str, state: ResearchState) -> None:
        self._node = node
        self._state = state
        self._began = time.perf_counter()

    async def log_code(
        self, services: Services, instead_of: Agent, iteration: int, decided: BaseModel
    ) -> None:
        """Log what code decided in a model's place; a replay, as it asks no model, logs nothing.

        Raises:
            TraceUnwritable: it cannot be written.
        """
        if self._state.replay:
            return
        directory = await asyncio.to_thread(iterations_directory, services.root, services.settings)
        metadata = {
            "seconds": self._seconds(),
            "calls": 0,
            "prompt_tokens": 0,
            "completion_tokens": 0,
            "sources": [source.number for source in self._state.sources],
        }
        logger = IterationLogger(directory, self._state.query_id)
        response = decided.model_dump(mode="json")
        await asyncio.to_thread(logger.log_code_output, iteration, instead_of, response, metadata)

    def update(self, what: str, notes: Iterable[str] = (), **values: Any) -> dict[str, Any]:
        """The node's return value, JSON only, with its line of the timeline and each note once."""
        iteration = int(values.get("iteration", self._state.iteration))
        progress("research", node=self._node, iteration=iteration, what=what)
        moment = Moment(node=self._node, iteration=iteration, seconds=self._seconds(), what=what)
        kept = list(dict.fromkeys([*self._state.notes, *notes]))[:MOST_NOTES]
        return dump(timeline=[*self._state.timeline, moment], notes=kept, **values)

    def _seconds(self) -> float:
        return round(time.perf_counter() - self._began, 3)
