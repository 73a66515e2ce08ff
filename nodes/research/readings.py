"""What an ambiguous query may mean: readings from code or a model."""

from __future__ import annotations

import asyncio
import re
from datetime import date, timedelta

from nodes.errors import TimeInvalid
from nodes.research.asking import Asking
from nodes.research.bookkeeping import research_settings
from nodes.research.passages import CJK
from nodes.research.state import AmbiguityType, ClarificationOption, ClarificationOutput, TemporalContext
from nodes.research.time_bounds import checked

LEAST_OPTIONS, MOST_OPTIONS = 2, 4


class Clarification:
    """Finds out what an ambiguous query may mean.

    Args:
        asking: through which the model is asked.
    """

    def __init__(self, asking: Asking) -> None:
        self._asking = asking

    async def generate_options(self, query: str, ambiguity_type: AmbiguityType) -> ClarificationOutput:
        """Two to four readings, or none where neither code nor a model knows any.

        Raises:
            ModelError: the model gave no usable answer.
        """
        state = self._asking.state
        if ambiguity_type == "time":
            return time_options(query, date.fromisoformat(state.today))
        if not state.judges:
            return ClarificationOutput()
        settings = await asyncio.to_thread(research_settings, self._asking.services, state)
        found = await self._asking.ask(
            "clarification",
            "analyst",
            "research_clarification",
            ClarificationOutput,
            settings.critic_timeout,
            query=query,
            ambiguity=ambiguity_type,
            today=state.today,
        )
        options = [option for option in found.options if option.label.strip() and _dated(option)]
        distinct = list({option.label.strip(): option for option in options}.values())[:MOST_OPTIONS]
        enough = len(distinct) >= LEAST_OPTIONS
        return ClarificationOutput(question=found.question, options=distinct if enough else [])


def time_options(query: str, today: date) -> ClarificationOutput:
    """Readings of an open time, by code."""
    chinese = re.search(rf"[{CJK}]", query) is not None
    spans = (
        ("最近一個月", "the last month", 31),
        ("最近一年", "the last year", 366),
        ("最近五年", "the last 5 years", 1827),
    )
    options = [
        ClarificationOption(
            label=zh if chinese else en,
            start=(today - timedelta(days=days)).isoformat(),
            end=today.isoformat(),
        )
        for zh, en, days in spans
    ]
    question = "您指的是哪一段時間？" if chinese else "Which time do you mean?"
    return ClarificationOutput(question=question, options=options)


def _dated(option: ClarificationOption) -> bool:
    """True if the bounds, where there are any, are dates in order."""
    try:
        checked(TemporalContext(start=option.start, end=option.end))
    except TimeInvalid:
        return False
    return True
