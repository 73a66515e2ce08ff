"""What is open in a query, as far as code can see it: its time, what it names, how wide it is meant."""

from __future__ import annotations

import re

from nodes.research.passages import CJK, query_terms
from nodes.research.state import AmbiguityType

OPEN_TIME = re.compile(
    r"\b(?:recent(?:ly)?|latest|lately|newest|these days|nowadays|current trends?)\b"
    r"|最近|近期|近來|近年|最新|近日",
    re.IGNORECASE,
)
STATED_TIME = re.compile(
    r"\b(?:1[89]|20)\d\d\b|民國|\d+\s*(?:年|月|日|days?|weeks?|months?|years?)\b"
    r"|\b(?:today|yesterday|this (?:week|month|year)|last (?:week|month|year))\b"
    r"|今天|昨天|本週|本月|今年|去年|上個?月",
    re.IGNORECASE,
)


# Words that name no side of a subject; with little else in the query, its width is open.
WIDE = re.compile(
    r"\b(?:overview|summary|introduction|background|tell me (?:more |all |everything |something )?about"
    r"|(?:everything|anything|all) about|in general|(?:current )?(?:situation|state|status) of"
    r"|(?:impacts?|effects?|influence|consequences|importance|role|future|development) of"
    r"|what about|how about|how (?:is|are) \S+(?: \S+)? (?:doing|going|developing))\b"
    r"|概況|概述|概覽|總覽|介紹|簡介|現況|現狀|近況|情況|狀況|情形|背景|影響|發展|未來|前景|一切|怎麼樣",
    re.IGNORECASE,
)
# Content words beside the wide ones; more of them say which side is meant.
MOST_WIDE_TERMS = 3
MOST_WIDE_HAN = 8
ASKING_HAN = re.compile(r"請問|請|什麼|甚麼|如何|怎麼|為何|多少|是|的|了|有|何|嗎|呢")


def ambiguity_of(query: str) -> AmbiguityType | None:
    """What code sees to be open in a query: an unbounded time, a bare name, or how wide its subject is."""
    if OPEN_TIME.search(query) and not STATED_TIME.search(query):
        return "time"
    words = query_terms(query)
    bare = len(re.findall(rf"[{CJK}]", query)) <= 3 if re.search(rf"[{CJK}]", query) else len(words) == 1
    if bare:
        return "entity"
    return "scope" if _wide(query) else None


def _wide(query: str) -> bool:
    """True if a query names a subject and no side of it."""
    if not WIDE.search(query) or STATED_TIME.search(query) or re.search(r"\d", query):
        return False
    rest = WIDE.sub(" ", query)
    han = re.findall(rf"[{CJK}]", ASKING_HAN.sub("", rest))
    return len(han) <= MOST_WIDE_HAN if han else len(query_terms(rest)) <= MOST_WIDE_TERMS
