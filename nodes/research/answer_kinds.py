"""What kind of answer a question wants (a date, a count, money, a share), and whether a text has one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from nodes.research.checking.dates import moments
from nodes.research.checking.folding import fold
from nodes.research.checking.numbers import quantities
from nodes.research.checking.quantity import Quantity
from nodes.research.checking.units import COUNTERS
from nodes.research.relevance import telling, years_in

Wants = Literal["", "when", "number", "count", "money", "share", "yes_no"]

_WHEN = re.compile(
    r"^\W*(?:since\s+)?when\b|\b(?:what|which) (?:year|date|day|month|time)\b"
    r"|何时|什么时候|何年|何日|哪一?年|几年(?!来|间|前|后)|哪一?天|几月|几号|几点",
    re.IGNORECASE,
)
_COUNT = re.compile(
    r"\bhow many\s+(?P<noun>[\w-]+(?:\s+[\w-]+)?)|\bnumber of\s+(?P<noun2>[\w-]+)"
    r"|[多几](?:少)?(?P<han>[\u4e00-\u9fff]{1,3})",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"\bhow (?:much|many)\b|\bwhat (?:was |is |were |are )?(?:the )?(?:[\w-]+ ){0,4}"
    r"(?:number|amount|total|size|rate|ratio|margin"
    r"|length|height|weight|depth|width|distance|area|capacity|population|temperature|speed|age|score|altitude|volume)\b"
    r"|多少|几",
    re.IGNORECASE,
)
_SHARE = re.compile(
    r"\b(?:share|percentage|per ?cent|proportion|fraction)\b(?! price)|百分|比例|占比|比重|(?:占|达)多少%",
    re.IGNORECASE,
)
_RATE = re.compile(
    r"\b(?:rate|ratio|margin|growth|change[ds]?|by how much|grow|grew|rise|rose|f[ae]ll"
    r"|increase[ds]?|decrease[ds]?|drop(?:ped)?|declined?)\b"
    r"|率|变动|变化|成长|增加|减少|增减|涨|跌|升|降",
    re.IGNORECASE,
)
_MONEY = re.compile(
    r"\b(?:revenues?|sales|turnover|incomes?|profits?|loss(?:es)?|earnings|costs?|prices?|budgets?|salar(?:y|ies)|wages?|fees?|fares?|rents?|debts?"
    r"|spend(?:ing)?|spent|expenditures?|expens(?:es?|ive)|subsid(?:y|ies)|grants?|funding|investments?|paid|pay|worth|earn(?:ed)?|fine[sd]?|bill)\b"
    r"|营收|营业额|收入|进帐|成本|价格|售价|价钱|票价|费用|预算|薪资|薪水|工资|租金|负债|支出|经费|补助|奖金|获利|利润|亏损|资本额|金额|造价|花费|募资|营业额|拨款|多少钱",
    re.IGNORECASE,
)
_MEASURES = tuple(
    (re.compile(words, re.IGNORECASE), dimensions)
    for words, dimensions in (
        (r"\bhow (?:large|big)\b|多大", ("area", "volume", "data", "mass")),
        (r"\bhow long\b|多(?:长|久)", ("length", "time", "months")),
        (r"\bhow (?:tall|high|deep|wide|far)\b|多(?:高|深|宽|远)", ("length",)),
        (r"\bhow heavy\b|多重", ("mass",)),
        (r"\bhow old\b|多大年纪|几岁", ("age", "months")),
        (r"\bhow fast\b|多快", ("speed", "time")),
    )
)
_YES_NO = re.compile(
    r"^\W*(?:is|are|was|were|did|do|does|has|have|had|can|could|will|would|should)\b|是否|有没有|是不是|会不会|能不能|可否|吗$",
    re.IGNORECASE,
)
_HOW_MANY = re.compile(f"(?:多少|几)[{COUNTERS}]?")
# Dimensions a count of things may be read in; what is counted is told by the words beside it.
COUNTED = ("", "count", "people", "households")
_SPANS = ("time", "months")
_NEAR, _NEAR_HAN = 60, 25


@dataclass(frozen=True)
class Kind:
    """What kind of answer is wanted.

    Attributes:
        wants: a date, a number of some kind, yes or no; "" for anything.
        measures: dimensions one of which the answer has; empty for any.
        counted: stems of what is counted; empty if nothing is.
    """

    wants: Wants = ""
    measures: tuple[str, ...] = ()
    counted: tuple[str, ...] = ()


def kind_of(part: str, rest: str) -> tuple[Kind, str]:
    """The kind of answer a part of a question wants, and what is left of the question without the asking.

    Args:
        part: folded, the whole part.
        rest: folded, without whom it is about.
    """
    for pattern, dimensions in _MEASURES:
        if pattern.search(part):
            bare = pattern.sub(" ", rest)
            # "How large was the damage" asks for a damage; "how large is X" for a measure.
            free = telling(bare) and dimensions[0] == "area"
            return Kind("number", () if free else dimensions), bare
    if _WHEN.search(part):
        return Kind("when"), _WHEN.sub(" ", rest)
    count = _counting(part)
    if count is not None:
        return count, _HOW_MANY.sub(" ", rest)
    if _SHARE.search(part):
        return Kind("share"), rest
    if _MONEY.search(part) and not _RATE.search(part) and _asks_amount(part):
        return Kind("money"), rest
    if _NUMBER.search(part):
        return Kind("number"), rest
    return Kind("yes_no" if _YES_NO.search(part) else ""), rest


def _asks_amount(part: str) -> bool:
    return (
        re.search(
            r"\bhow much\b|\bwhat\s+(?:is|are|was|were|did)\b|多少|几|为何$|是什么", part, re.IGNORECASE
        )
        is not None
    )


def _counting(part: str) -> Kind | None:
    """The kind of "how many ships", 幾艘船; None if nothing is counted."""
    match = _COUNT.search(part)
    if match is None:
        return None
    noun = match["noun"] or match["noun2"] or match["han"] or ""
    unit = next(iter(quantities(fold(f"5 {noun}" if noun.isascii() else f"5{noun}"))), None)
    dimension = unit.dimension if unit is not None else ""
    if match["han"] and dimension in ("", "people") and "少" in match[0]:
        # 多少參觀者 counts them; 多少電 may be measured in anything.
        return Kind("count", COUNTED) if dimension == "people" or noun[-1:] in "人者名位户" else None
    if match["han"] and dimension == "count":
        # 幾艘船 asks for ships; so many 人次 are none.
        return Kind("count", ("", "count"))
    if dimension in COUNTED:
        return Kind("count", COUNTED, tuple(telling(noun)))
    return Kind("number", _SPANS if dimension in _SPANS else (dimension,))


def answers(kind: Kind, text: str) -> list[Quantity] | None:
    """The numbers of a folded text that may answer; None if it holds no answer of the kind."""
    if kind.wants == "when":
        told = bool(moments(text)) or bool(years_in(text))
        return [] if told else None
    if kind.wants in ("", "yes_no"):
        return []
    found = numbers_in(text)
    if kind.wants == "money":
        found = [one for one in found if not one.dimension or one.dimension.startswith("currency")]
    elif kind.wants == "share":
        found = [
            one for one in found if one.dimension in ("percent", "permille", "share", "ratio") or one.soft
        ]
    elif kind.measures:
        found = [one for one in found if one.dimension in kind.measures]
    if kind.counted:
        found = [one for one in found if _counts(one, kind.counted, text)]
    return found or None


def numbers_in(text: str) -> list[Quantity]:
    """The numbers of a folded text that are no part of a date."""
    for one in moments(text):
        text = text[: one.start] + "\u2400" * (one.end - one.start) + text[one.end :]
    return [one for one in quantities(text) if one.dimension != "rank" and one.text.strip()]


def _counts(number: Quantity, nouns: Sequence[str], text: str) -> bool:
    """True unless the text has what is counted, and it stands far from the number."""
    low = text.casefold()
    places = [match.start() for noun in nouns for match in re.finditer(re.escape(noun[:6]), low)]
    near = _NEAR if text.isascii() else _NEAR_HAN
    return not places or any(-near <= place - number.end <= near for place in places)
