"""Does a question ask for less than an earlier one? Then it is a part of it, and no repeat. Pure.

A paraphrase says everything again in other words. A part leaves out what the whole is about and brings
nothing in its place, asks one thing where the whole asks several, or asks for a quantity of another kind.
"""

from __future__ import annotations

import re

from nodes.contractive.reading.kinds import kinds_asked
from nodes.contractive.reading.questions import asking, read, sentences
from nodes.contractive.reading.wording import akin
from nodes.research.checking.folding import HAN

LEFT_OUT = 0.34
"""Share of the earlier question's words a part leaves out, and brings at most a third as many."""
FEWEST = 2
_FRAME = frozenset("much many doe do does did how what which is are viel viele wie was 多少 什么".split())
_OR = re.compile(r"\b(?:or(?! not\b)|oder(?! nicht\b))\b", re.IGNORECASE)
_COUNT = re.compile(r"\b(?:how many|wie viele|number of|anzahl)\b|几个|多少[个人]", re.IGNORECASE)
_SHARE = re.compile(
    r"\b(?:share|percentage|per ?cent|proportion|fraction|anteil|prozentsatz)\b|百分|比例", re.IGNORECASE
)


def narrower(question: str, earlier: str) -> str:
    """In what a question asks for less, in words; "" if it may ask for as much.

    Args:
        question: the later one.
        earlier: the whole of the earlier one; the circumstances it states first do not count.
    """
    mine, theirs = kinds_asked(question), kinds_asked(earlier)
    if len(set(mine)) == 1 and len(set(theirs)) > 1 and len(sentences(earlier)) == 1:
        if mine[0] in theirs and not {"either", "yes_no"} & set(theirs):
            return "it asks for one of several things"
    if _COUNT.search(question) and not _SHARE.search(question) and _SHARE.search(asking(earlier)):
        return "it asks for a number, the earlier one for a share"
    if HAN.search(question):
        # One thing is cut into words in more than one way there.
        return ""
    told, whole = _words(question), _words(asking(earlier))
    left = [word for word in whole if not any(akin(word, other) for other in told)]
    added = [word for word in told if not any(akin(word, other) for other in read(earlier).keys)]
    if left and _OR.search(asking(earlier)) and not _OR.search(question) and len(added) <= 1:
        return "it asks about one of the alternatives"
    if len(left) >= max(FEWEST, LEFT_OUT * len(whole)) and 3 * len(added) <= len(left):
        return f"it leaves out {' '.join(left)}"
    return ""


def _words(question: str) -> list[str]:
    return [word for word in dict.fromkeys(read(question).keys) if word not in _FRAME]
