"""Verbs of requests, and what is polite and says nothing."""

from __future__ import annotations

import re

SHOW = (
    r"(?:list|show|print|display|output|get|give|tell|return|report|view|see|write out|print out|fetch|retrieve|"
    r"enumerate|provide|dump|read|extract|select)(?: out)?(?: me| us)?"
)
FIND = r"(?:find|search(?: for)?|locate|look for|look up|identify|get|list|list up|find and (?:list|print|show|display))(?: me)?(?: out)?"
COUNT = (
    r"(?:(?:count|calculate|compute|determine|output|print|show|display|get|find|report|tell|give|return)(?: up| out)?(?: me)? (?:the )?(?:total )?(?:number of|count of|amount of|numbers of)"
    r"|(?:find and )?count(?: up)?(?: how many)?|(?:the )?(?:total )?number of|what is the (?:total )?(?:number|count) of)(?: all)?"
)
HOW_MANY = r"(?:(?:count|tell|show|print|find out|determine) (?:me )?)?how many"
POLITE = re.compile(
    r"^(?:(?:please|pls|kindly|now|then|ok|okay|hi|hey|hello|so|well|just|simply)[,!]? |(?:can|could|would|will) you(?: please)? "
    r"|i(?:'d| would) like (?:you )?to |i (?:want|need) (?:you )?to |let's |go ahead and )+|,? (?:please|thanks|thank you)$",
    re.IGNORECASE,
)


def plain(text: str) -> str:
    """A request without its politeness."""
    return POLITE.sub("", text).strip()
