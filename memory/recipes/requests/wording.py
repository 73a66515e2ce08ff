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


FOUND_FIRST = re.compile(
    r"(?:find|search for|locate|look for|identify|list|get|select) (?P<what>(?:(?!\band\b.*\b(?:them|their|each)\b).)+?),?(?: and|,)(?: then)? (?P<do>"
    r"(?P<verb>delete|remove|erase|move|copy|make|chmod \S+|count|print|show|display|output|cat|set|change)\b.*?) ?"
    r"(?P<them>\bthem all|\bthem|\ball of them|\btheir contents?|\bthe contents? of (?:each|them)|\bthe (?:number of )?lines in each(?: (?:file|of them|one))?)(?P<rest>(?: .+)?)",
    re.IGNORECASE,
)


def in_one(text: str) -> str:
    """What is done to what is found, in one clause: "find A and delete them" becomes "delete A".

    A search goes into directories below, so what is copied, moved or deleted is said to lie there as well.
    """
    match = FOUND_FIRST.fullmatch(text)
    if (
        match is None
        or " and " in match["what"].replace(" directories and files", "")
        and "‹" not in match["what"]
    ):
        return text
    what, them, do = match["what"], match["them"].lower(), " ".join(match["do"].split())
    if "content" in them:
        return f"{do} the contents of {what}{match['rest']}"
    if "lines in each" in them:
        return (
            f"{do} the lines in each of {what}{match['rest']}"
            if do.lower() in ("count", "print the number of")
            else text
        )
    deep = " recursively" if match["verb"].lower() in ("copy", "move", "delete", "remove", "erase") else ""
    return f"{do} {what}{deep}{match['rest']}"
