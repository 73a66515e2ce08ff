"""Does a sentence say no more than the facts it cites? Pure.

A sentence is made of citations, of words that connect, and of what the facts themselves say:

- it cites a fact at least, and no fact that is not there;
- a number, a path, a name or a quotation stands in the one fact it cites, a number with the words beside it;
- any other word connects, or every fact that is cited has it;
- whoever takes up words of a fact takes up its "no" and "not", too.

So a sentence that there is no problem is dropped, unless a fact says just that.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import cache

from memory.recipes.shipped import shipped_yaml
from nodes.reflective.grounding import ungrounded
from nodes.specialists.claims import Claim

CITED = re.compile(r"\[(\d{1,4}(?:\s*,\s*\d{1,4})*)\]")
WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*", re.UNICODE)
TOKEN = re.compile(r"[^\W_]+(?:[.,]\d+)*%?|%")
NEGATIONS = frozenset(
    "no not none never nothing without neither nor cannot can't isn't aren't doesn't don't lacks".split()
)
LONGEST = 400


@cache
def connecting() -> frozenset[str]:
    """Words that state nothing."""
    return frozenset(str(word) for word in shipped_yaml("specialists", "connecting.yaml"))


def holds(sentence: str, claims: Sequence[Claim]) -> bool:
    """True if a sentence says no more than the claims it cites.

    Args:
        sentence: with numbers of claims in brackets, counted from 1.
        claims: what can be cited.
    """
    numbers = [int(one) for group in CITED.findall(sentence) for one in re.split(r"\s*,\s*", group)]
    if not numbers or len(sentence) > LONGEST or any(not 1 <= one <= len(claims) for one in numbers):
        return False
    cited = [claims[number - 1] for number in dict.fromkeys(numbers)]
    body = CITED.sub(" ", sentence)
    if not body.isprintable() or re.search(r"[<>{}|\[\]#*_\\]|://", _without_places(body, cited)):
        return False
    if ungrounded(body, [f"{one.claim} {one.place} {one.file} {one.name}" for one in cited]):
        return False
    bare = _without_places(body, cited)
    if re.search(r"\d", bare) and not (len(cited) == 1 and _figures_stand(bare, cited[0])):
        return False
    return _words_stand(bare, cited)


def _without_places(body: str, cited: Sequence[Claim]) -> str:
    """A sentence without the places and names of the one fact it cites; of several, none is taken out."""
    if len(cited) != 1:
        return body
    one = cited[0]
    for text in sorted({one.place, one.file, f"`{one.name}`", one.name} - {"", "``"}, key=len, reverse=True):
        body = re.sub(rf"(?<![\w./-]){re.escape(text)}(?![\w/])", " \u25a1 ", body)
    return body


def _figures_stand(bare: str, claim: Claim) -> bool:
    """True if each number stands in the fact with the two words before it, or the two behind it."""
    said, held = _tokens(bare), _tokens(claim.claim)
    for at, token in enumerate(said):
        if not token[0].isdigit():
            continue
        before, after = said[max(0, at - 2) : at + 1], said[at : at + 3]
        if not any(len(run) == 3 and _within(run, held) for run in (before, after)):
            return False
    return True


def _tokens(text: str) -> list[str]:
    return [one.lower() for one in TOKEN.findall(text)]


def _within(run: Sequence[str], tokens: Sequence[str]) -> bool:
    return any(list(run) == list(tokens[at : at + len(run)]) for at in range(len(tokens) - len(run) + 1))


def _words_stand(bare: str, cited: Sequence[Claim]) -> bool:
    """True if every word connects or stands in every fact that is cited, and no negation is lost or added."""
    words = [one.lower() for one in WORD.findall(bare)]
    if any(not one.isascii() for one in words):
        return False
    held = [[one.lower() for one in WORD.findall(_template(claim))] for claim in cited]
    content = [one for one in words if one not in connecting()]
    if not content:
        return True
    if any(one not in known for one in content for known in held):
        return False
    denied = Counter(one for one in words if one in NEGATIONS)
    return all(Counter(one for one in known if one in NEGATIONS) == denied for known in held)


def _template(claim: Claim) -> str:
    """What code wrote of a claim, without the names that files and their authors chose."""
    text = re.sub(r"`[^`]*`", " ", claim.claim)
    return text.replace(claim.file, " ")
