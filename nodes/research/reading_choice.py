"""Asking which reading of a query is meant, and what a person's answer says. Pure."""

from __future__ import annotations

from typing import Any

from nodes.research.asking import quoted
from nodes.research.state import AmbiguityType, ClarificationOption, ClarificationOutput

ALL = "all"
ALL_WORDS = frozenset(("", ALL, "全部", "都"))
LONGEST_ANSWER = 200
NUMBER_DIGITS = 4


def question_of(query: str, ambiguity: AmbiguityType | None, readings: ClarificationOutput) -> dict[str, Any]:
    """The value of the interrupt."""
    words = {
        "time": "Which time do you mean?",
        "scope": "How wide is it meant?",
        "entity": "Which do you mean?",
    }
    return {
        "kind": "clarification",
        "query": query,
        "ambiguity_type": ambiguity,
        "question": readings.question or words.get(ambiguity or "", "What do you mean?"),
        "options": [option.model_dump(mode="json") for option in readings.options],
        "all": ALL,
    }


def answer_text(answer: object) -> str:
    """The words of an answer: of its `option`, where it has one."""
    if isinstance(answer, dict):
        answer = answer.get("option", ALL)
    words = "" if answer is None else str(answer)
    return " ".join(words.encode("utf-8", "replace").decode("utf-8").split())[:LONGEST_ANSWER]


def chosen(answer: object, readings: ClarificationOutput) -> ClarificationOption | None:
    """The option an answer names: by number from 1, by label; None for "all" and anything else."""
    text = answer_text(answer)
    number = _number(text)
    if 1 <= number <= len(readings.options):
        return readings.options[number - 1]
    return next(
        (one for one in readings.options if answer_text(one.label).casefold() == text.casefold()), None
    )


def means_all(answer: str, readings: ClarificationOutput) -> bool:
    """True if an answer that names no reading says so: "all", its number, or nothing."""
    return answer.casefold() in ALL_WORDS or _number(answer) == len(readings.options) + 1


def not_a_reading(answer: str) -> str:
    """What is told of an answer that is none of those offered."""
    return f"The answer {quoted(answer)[:60]!r} names none of the readings, so the query was taken as it is."


def _number(text: str) -> int:
    """The number a text is, 0 if it is none; digits that count for nothing, as in "²", are none."""
    return int(text) if text.isdecimal() and len(text) <= NUMBER_DIGITS else 0
