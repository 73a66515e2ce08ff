"""What is to be made of the parts' answers: a total, a difference, the most or the least of them. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal, TypeAlias

Aim: TypeAlias = Literal["total", "difference", "average", "most", "least"]

_ONE = r"(?:one|file|module|script|document|package|folder|directory|class|function)"
_OF_THEM = rf"(?: (?:of (?:them|these|those|the (?:two|three|four|five|six)|all)|{_ONE}))?"
_MORE = r"(?:the )?(?:most|more|largest|biggest|highest|longest|greatest|larger|bigger|higher|longer|greater)"
_LESS = r"(?:the )?(?:fewest|least|smallest|lowest|shortest|fewer|less|smaller|lower|shorter)"
_WHICH = (
    rf"(?:(?:tell me|say|show|and|then|finally|also) )*(?:which|what|who){_OF_THEM}"
    r" (?:has|have|had|is|are|contains?|defines?|holds?)"
)
_GIVE = (
    r"(?:(?:what(?: is|'s| are)?|give(?: me)?|tell me|say|show|report|compute|calculate|add|and|with|also"
    r"|then|finally) )*"
)
_IN_ALL = r"(?:in total|in all|altogether|together)"
_TOTAL = (
    rf"(?:{_GIVE}(?:the |their |a )?(?:grand |overall |combined )?(?:total|sum)"
    rf"|{_GIVE}how many (?:(?:is that|are there|are these|are they|does that make) )?{_IN_ALL}"
    r"|(?:add|sum) (?:them|these|the numbers|it all) up|(?:add|sum) up (?:the numbers|them))"
)
_DIFFERENCE = (
    rf"(?:{_GIVE}(?:the |their )?difference|{_GIVE}(?:by )?how many more|how do they (?:differ|compare)"
    r"|compare them)"
)
# What follows names nothing of its own: "the most functions", but not "the most functions in src".
_NO_NAMES = r"(?: (?!.*(?:[./_]\w|\bin\b))[\w' -]{0,60})?"


def _tail(words: str) -> re.Pattern[str]:
    return re.compile(rf"\s*{words}{_NO_NAMES}\s*[.?!]*\s*", re.IGNORECASE)


_TAILS: Mapping[Aim, re.Pattern[str]] = {
    "most": _tail(rf"{_WHICH} {_MORE}"),
    "least": _tail(rf"{_WHICH} {_LESS}"),
    "total": _tail(_TOTAL),
    "average": _tail(rf"{_GIVE}(?:the |their |an )?(?:average|mean)"),
    "difference": _tail(_DIFFERENCE),
}
_INSIDE: Mapping[Aim, re.Pattern[str]] = {
    "total": re.compile(rf"\b(?:{_IN_ALL}|combined|total|sum of)\b", re.IGNORECASE),
    "average": re.compile(r"\b(?:on average|average|mean number)\b", re.IGNORECASE),
    "difference": re.compile(r"\b(?:difference between|difference in|how many more)\b", re.IGNORECASE),
}


def aim_of_tail(clause: str) -> Aim | None:
    """What a clause wants that speaks of answers before it and names nothing of its own; None if it does not.

    Args:
        clause: such as "which of them has the most?" or "and the total".
    """
    return next((aim for aim, pattern in _TAILS.items() if pattern.fullmatch(clause)), None)


def aims_within(question: str) -> list[Aim]:
    """Totals, averages and differences a question speaks of."""
    return [aim for aim, pattern in _INSIDE.items() if pattern.search(question)]
