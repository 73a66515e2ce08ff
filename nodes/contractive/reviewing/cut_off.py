"""Answers that end in the middle of a sentence. Pure."""

from __future__ import annotations

import re

from nodes.contractive.reading.markers import sentences
from nodes.contractive.reading.markup import BULLET
from nodes.contractive.reviewing.finding import Finding

FACTOR = 0.5
"""What is there may stay and the end is missing: a minor revision."""
_HANGING = re.compile(
    r"(?:\b(?:the|(?-i:a)|an|of|and|or|but|which|that|then|because|since|to|in|on|at|with|for|from|by|as|is|are|was|were|than|if|when|while|where|who|whose|its|their|his|her|into|onto|between|through|such|so|also|der|die|das|den|dem|des|ein|eine|einer|einem|einen|und|oder|aber|weil|dass|zu|mit|von|für|auf|aus|bei|nach|sowie|ist|sind|wird|durch)|[,:(（，：、\-–]|因为|所以|而且|并且|以及|但是|如果|由于)\s*$",
    re.IGNORECASE,
)
_ENDED = re.compile(r"[.!?。！？…)）\]\"'”’」』`*_%}|>]\s*$")
_LONG_SENTENCE = 9
_FINDING = Finding(
    "the answer ends in the middle of a sentence", "Finish the answer; make it shorter if it is long.", FACTOR
)


def cut_off(text: str) -> Finding | None:
    """Why an answer seems cut off; None if it ends where it should.

    A short answer needs no full stop; one whose earlier sentences have them does, and so does a long one that
    ends in a word nothing can end in.

    Args:
        text: the whole reply.
    """
    told = text.rstrip()
    if not told:
        return None
    if told.count("```") % 2:
        return _FINDING
    last = told.splitlines()[-1]
    if "```" in last or last.lstrip().startswith("|") or _ENDED.search(last):
        return None
    words = len(re.findall(r"\w+", last)) if last.isascii() else len(re.findall(r"\w", last))
    if _HANGING.search(last) and words > 2:
        return _FINDING
    said = sentences(told)
    punctuated = len(said) > 1 and all(_ENDED.search(one) for one in said[:-1])
    if punctuated and not BULLET.match(last) and len(said[-1].split()) >= _LONG_SENTENCE:
        return _FINDING
    return None
