"""Whether each part of a compound question is answered: "who ... and when ...?" Pure."""

from __future__ import annotations

import re

from nodes.contractive.reading.asked import asked
from nodes.contractive.reading.kinds import Kind, kinds_asked
from nodes.contractive.reading.polarity import yes_or_no
from nodes.contractive.reading.wording import keys_of
from nodes.contractive.reviewing.finding import Finding
from nodes.contractive.reviewing.holding import has_date, has_number
from nodes.research.checking.folding import HAN, fold

LEAST, SPAN = 0.3, 0.35
"""An answer to one part of two has 0.475, to two of three 0.53, to one of three 0.42: each a minor revision,
since what is there may stay; the factor never falls below the border of reject."""
_NAMES = {
    "who": "who", "when": "when", "where": "where", "why": "why", "how": "how", "number": "how much or how many",
    "yes_no": "yes or no", "what": "what", "either": "which",
}  # fmt: skip
_THINGS: tuple[Kind, ...] = ("who", "where", "what")
_PARTED = re.compile(
    r"[,;.:\n，；。、（(]|\b(?:and|und|while|whereas|in|at|by|from|of|for|to|near|von|bei|aus|durch)\b|[和而在由于]",
    re.IGNORECASE,
)
_REASON_WORDS = 4


def uncovered(question: str, text: str, short: str) -> Finding | None:
    """Which parts of a compound question an answer leaves out; None if none, or if it has one part only.

    Args:
        question: as it was put.
        text: the whole reply.
        short: the answer in it.
    """
    kinds = kinds_asked(question)
    if len(kinds) < 2:
        return None
    said = text if text.strip() else short
    missing = [
        kind
        for kind in dict.fromkeys(kinds)
        if kind not in _THINGS and not _answers(kind, question, said, short)
    ]
    missing += [kind for kind in kinds if kind in _THINGS][_things(question, said) :]
    if not missing:
        return None
    answered = 1 - min(1.0, len(missing) / len(kinds))
    named = " and ".join(_NAMES[kind] for kind in dict.fromkeys(missing))
    return Finding(
        f"a part of the question is not answered: {named}",
        f"Answer every part of the question, also {named}.",
        LEAST + SPAN * answered,
    )


def _answers(kind: Kind, question: str, said: str, short: str) -> bool:
    """True if a text holds something that could answer a part that is no thing by its name."""
    if kind == "number":
        return has_number(question, said, short)
    if kind == "when":
        return has_date(question, said, short)
    new = _new_words(question, said)
    if kind in ("yes_no", "either"):
        return yes_or_no(said, asked(question)) is not None or bool(new)
    return len(new) >= _REASON_WORDS or sum(len(HAN.findall(word)) for word in new) >= _REASON_WORDS


def _new_words(question: str, said: str) -> list[str]:
    """Words of an answer that are no numbers, no units beside them, and not in its question."""
    known = asked(question).keys
    return [
        word
        for word in keys_of(re.sub(r"\d[\d.,]*\s?[A-Za-z°%/²³]{0,4}\b", " ", fold(said)))
        if word not in known
    ]


def _things(question: str, said: str) -> int:
    """How many things a text may name: its clauses, and what "and" or a preposition joins, that say something new."""
    return sum(bool(_new_words(question, part)) for part in _PARTED.split(said))
