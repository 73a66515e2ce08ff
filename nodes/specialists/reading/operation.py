"""What is to be done with the facts: count, rank, compare with a bound, tell of one, list, say yes or no."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from nodes.reflective.number_words import ENGLISH

Kind: TypeAlias = Literal["count", "total", "mean", "median", "rank", "exists", "list"]
NUMBER = rf"(\d+(?:\.\d+)?|{'|'.join(sorted(ENGLISH, key=len, reverse=True))})"
RANKED_BY_DEFAULT = 5
"""Rows of "the most complex functions", where the question says no number."""

_AT_LEAST = re.compile(
    rf"(?:at least|not (?:less|fewer) than|no (?:less|fewer) than|>=|≥|minimum of) ?{NUMBER}\b"
)
_AT_MOST = re.compile(rf"(?:at most|up to|not more than|no more than|<=|≤|maximum of) ?{NUMBER}\b")
_OR_MORE = re.compile(
    rf"\b{NUMBER}(?: \w+){{0,3}}? (?:or (?:more|higher|above|over|longer|worse)|and (?:more|above|up))\b|\b{NUMBER}\+"
)
_OR_LESS = re.compile(
    rf"\b{NUMBER}(?: \w+){{0,3}}? (?:or (?:less|fewer|lower|below|under|shorter)|and (?:less|below))\b"
)
_OVER = re.compile(
    rf"(?:over|above|more than|greater than|higher than|larger than|longer than|bigger than|deeper than|worse than"
    rf"|exceed(?:s|ing)?|beyond|past|>) ?(?:the )?(?:a |of )?{NUMBER}\b"
)
_UNDER = re.compile(
    rf"(?:under|below|less than|fewer than|lower than|smaller than|shorter than|<) ?(?:a |of )?{NUMBER}\b"
)
_BETWEEN = re.compile(rf"between {NUMBER} and {NUMBER}\b|from {NUMBER} to {NUMBER}\b")
_EXACTLY = re.compile(rf"(?:exactly|equal to|equals|precisely|==?) ?{NUMBER}\b")
_TOO = re.compile(
    r"\btoo (?:\w+)\b|\b(?:over|above|beyond|exceed\w*|past) (?:the|its|their|our) limits?\b|\bexcessive\w*"
)
_SHARPEST = (
    r"most|longest|largest|biggest|highest|deepest|worst|greatest|maximum|max|heaviest|riskiest|hardest|widest|gravest"
    r"|severest"
)
_FAINTEST = r"least|fewest|smallest|shortest|lowest|simplest|minimum|min|lightest|easiest|best|poorest"
_TOP = re.compile(
    rf"\b(?:top|first|worst|best) {NUMBER}\b|\b{NUMBER} (?:\w+ ){{0,4}}?(?:{_SHARPEST}|{_FAINTEST})\b"
    rf"|\b{NUMBER} (?:\w+ ){{1,3}}with (?:the )?(?:{_SHARPEST}|{_FAINTEST})\b"
)
_HIGH = re.compile(rf"\b(?:{_SHARPEST})\b|\btop\b")
_LOW = re.compile(rf"\b(?:{_FAINTEST})\b")
_COUNT = re.compile(r"\bhow many\b|\bnumber of\b|\bcount\b|\bhow often\b|\bamount of\b")
_MEAN = re.compile(r"\b(?:average|mean|on average)\b")
_MEDIAN = re.compile(r"\bmedian\b")
_TOTAL = re.compile(r"\b(?:total|sum|altogether|in all|combined)\b")
_EXISTS = re.compile(
    r"\A\W*(?:(?:and|so|please|tell me (?:if|whether)|check (?:if|whether)|whether) )?"
    r"(?:is|are|was|were|does|do|did|has|have|can|could|will|would|might|may|any)\b"
    r"|\b(?:is|are) there\b|\bdo (?:we|i|you) have\b|\bif there (?:is|are)\b|\bare any\b"
)
_WHICH = re.compile(r"\W*(?:and |so |in \S+ )?(?:which|what|where|who|list|show|find|give)\b")
_RANKLESS = re.compile(
    r"\bat (?:most|least|best|worst)\b|\bmost of\b|\bfirst\b(?! \d)|\bat the top\b|\bbest practices?\b"
)


@dataclass(frozen=True)
class Bound:
    """Figures that are asked for.

    Attributes:
        low, high: the ends; None for an open one.
        low_in, high_in: True if the end itself belongs to it.
        limit: True if it is the limit of the settings.
    """

    low: float | None = None
    high: float | None = None
    low_in: bool = True
    high_in: bool = True
    limit: bool = False

    def holds(self, value: float) -> bool:
        """True if a figure lies in it."""
        above = self.low is None or value > self.low or (self.low_in and value == self.low)
        below = self.high is None or value < self.high or (self.high_in and value == self.high)
        return above and below


@dataclass(frozen=True)
class Operation:
    """What is asked of a topic's rows.

    Attributes:
        kind: of it.
        bound: on the figure; None without one.
        too: True if rows above the limit of the settings are meant ("too long").
        top: how many of the first are wanted; None where the question gives no number.
        lowest: True if the lowest figures are wanted first, None if the question does not say.
        one: True if the question wants one row ("which function is the most complex").
    """

    kind: Kind
    bound: Bound | None = None
    too: bool = False
    top: int | None = None
    lowest: bool | None = None
    one: bool = False


_BOUNDS: tuple[tuple[re.Pattern[str], Callable[[list[float]], Bound]], ...] = (
    (_BETWEEN, lambda values: Bound(values[0], values[-1])),
    (_OR_MORE, lambda values: Bound(low=values[0])),
    (_AT_LEAST, lambda values: Bound(low=values[0])),
    (_OR_LESS, lambda values: Bound(high=values[0])),
    (_AT_MOST, lambda values: Bound(high=values[0])),
    (_EXACTLY, lambda values: Bound(values[0], values[0])),
    (_OVER, lambda values: Bound(low=values[0], low_in=False)),
    (_UNDER, lambda values: Bound(high=values[0], high_in=False)),
)


def read_operation(text: str) -> Operation:
    """What a question asks for.

    Args:
        text: folded, without paths and names.
    """
    bound, rest = _bound(text)
    plain = _RANKLESS.sub(" ", rest)
    top = _TOP.search(plain)
    high, low = _HIGH.search(plain), _LOW.search(plain)
    ranked = bool(top or high or low)
    return Operation(
        kind=_kind(text, ranked),
        bound=bound,
        too=bound is None and _TOO.search(text) is not None,
        top=int(_value(next(group for group in top.groups() if group))) if top else None,
        lowest=bool(low and not high) if ranked else None,
        one=_wants_one(text),
    )


def _kind(text: str, ranked: bool) -> Kind:
    for pattern, kind in ((_MEAN, "mean"), (_MEDIAN, "median"), (_TOTAL, "total")):
        if pattern.search(text):
            return kind  # type: ignore[return-value]  # the pairs above are of Kind
    if ranked and not re.search(r"\bhow many\b", text):
        return "rank"
    if _COUNT.search(text):
        return "count"
    asks_which = _WHICH.match(text) is not None
    return "exists" if _EXISTS.search(text) and not asks_which else "list"


def _wants_one(text: str) -> bool:
    """True if a noun of the question stands in the singular: "which function", "the longest method"."""
    one = re.search(
        r"\b(?:function|method|class|file|module|script|finding|hotspot|routine|passage|cycle)\b", text
    )
    more = re.search(
        r"\b(?:functions|methods|classes|files|modules|scripts|findings|hotspots|passages|cycles|ones)\b",
        text,
    )
    return bool(one and (not more or one.start() < more.start())) or not more


def _bound(text: str) -> tuple[Bound | None, str]:
    """The bound, and the text without the words for it."""
    for pattern, made in _BOUNDS:
        if match := pattern.search(text):
            values = sorted(_value(one) for one in match.groups() if one)
            return made(values), f"{text[: match.start()]} {text[match.end() :]}"
    return None, text


def _value(word: str) -> float:
    return float(ENGLISH.get(word, word))
