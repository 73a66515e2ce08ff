"""The number a word or some digits are, in English, Chinese and German. Pure."""

from __future__ import annotations

import re

from nodes.reflective.number_words import WORDS
from nodes.research.checking.number_words import english, han_words

_ONES = {
    "one": 1.0, "a": 1.0, "an": 1.0, "a single": 1.0, "single": 1.0, "ein": 1.0, "eine": 1.0, "einen": 1.0, "einem": 1.0, "einer": 1.0,
    "eines": 1.0, "einzigen": 1.0, "einem einzigen": 1.0, "zwo": 2.0, "两": 2.0, "half a dozen": 6.0, "a dozen": 12.0, "a couple of": 2.0, "a pair of": 2.0, "zero": 0.0, "null": 0.0,
}  # fmt: skip
ENGLISH = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty(?:-five)?|thirty|forty|fifty|sixty|seventy|eighty|ninety|(?:one |a |two |three |five )?hundred|a dozen|half a dozen"
GERMAN = "|".join(
    sorted((*WORDS["de"], "ein(?:e[mnrs]?)?", "einhundert", "zweihundert"), key=len, reverse=True)
)
HAN = "[一二两三四五六七八九十百千]{1,6}"


def number_named(words: str) -> float | None:
    """The value of digits or of number words; None for anything else.

    Args:
        words: folded, such as "50", "1,000", "twenty-five", "三" or "zwölf".
    """
    told = words.strip().lower()
    if re.fullmatch(r"-?\d{1,3}(?:[, ]\d{3})+", told):
        return float(re.sub(r"[, ]", "", told))
    if re.fullmatch(r"-?\d+(?:\.\d+)?", told):
        return float(told)
    if told in _ONES:
        return _ONES[told]
    if german := WORDS["de"].get(told):
        return float(german)
    if not told.isascii() and (han := han_words(told)) is not None:
        return han[0]
    parsed = english(told) if re.fullmatch(r"[a-z -]+", told) else None
    return parsed[0] if parsed else None
