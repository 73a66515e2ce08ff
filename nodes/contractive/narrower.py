"""Does a question ask for less than an earlier one? Then it is a part of it, and no repeat. Pure.

A paraphrase says everything again in other words. A part leaves out what the whole is about and brings
nothing in its place, asks one thing where the whole asks several, or asks for a quantity of another kind.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from nodes.contractive.reading.kinds import kinds_asked
from nodes.contractive.reading.questions import asking, read, sentences
from nodes.contractive.reading.wording import akin, keys_of
from nodes.research.checking.folding import HAN

LEFT_OUT = 0.34
"""Share of the earlier question's words a part leaves out, and brings at most a third as many."""
FEWEST = 2
_FRAME = frozenset("much many doe do does did how what which is are viel viele wie was 多少 什么".split())
_OR = re.compile(r"\b(?:or(?! not\b)|oder(?! nicht\b))\b", re.IGNORECASE)
# "On floor 1 of the house" is a piece of it; "the number of chairs" and "in charge of" are none.
_PIECE = re.compile(
    r"\b(?:on|in|at|from|per|auf|in|im|am|an|aus|pro) "
    r"(?!charge|case|front|terms|spite|place|favou?r|honou?r|need|search|view|addition)"
    r"(?:the |a |an |one |each |every |der |die |das |dem |den |einer |einem |jede[rmns]? )?"
    r"(?P<piece>\w+(?: \d+| [A-Z]\b)?) (?:of|des|der|vom|von) "
    r"(?:the |a |an |its |one |each |dem |den |einer |eines )?(?P<whole>\w+(?: \w+)?)",
    re.IGNORECASE,
)
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
    if piece := _piece(question, read(earlier).keys):
        return f"it asks about {piece} of it"
    if left and _OR.search(asking(earlier)) and not _OR.search(question) and len(added) <= 1:
        return "it asks about one of the alternatives"
    if len(left) >= max(FEWEST, LEFT_OUT * len(whole)) and 3 * len(added) <= len(left):
        return f"it leaves out {' '.join(left)}"
    return ""


def _piece(question: str, before: Sequence[str]) -> str:
    """The piece of a thing a question asks about, where the earlier one asks about the thing itself."""
    for match in _PIECE.finditer(question):
        piece, whole = keys_of(match["piece"]), keys_of(match["whole"])
        known = [word for word in piece if any(akin(word, other) for other in before)]
        if piece and whole and not known and any(akin(word, other) for word in whole for other in before):
            return match["piece"].strip()
    return ""


def _words(question: str) -> list[str]:
    return [word for word in dict.fromkeys(keys_of(question)) if word not in _FRAME]
