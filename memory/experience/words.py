"""Words of a text as the keyword index knows them: folded, without accents, the plural -s taken off."""

from __future__ import annotations

import re
import unicodedata

MOST_WORDS = 1_000
LONGEST_WORD = 64

_WORD = re.compile(r"[^\W_]+")


def words_of(text: str) -> list[str]:
    """Split a text; names like `config_loader.py` become their parts.

    The plural -s goes as in the S stemmer (Harman, "How effective is suffixing?", JASIS 42, 1991), rule 3.
    """
    plain = text.casefold()
    if not plain.isascii():
        # Decomposed once more, because folding may compose, and letters in other shapes fold when decomposed.
        plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold()).casefold()
        plain = "".join(char for char in plain if not unicodedata.combining(char))
    return [_singular(word[:LONGEST_WORD]) for word in _WORD.findall(plain)[:MOST_WORDS]]


def _singular(word: str) -> str:
    if len(word) > 3 and word.endswith("s") and word[-2] not in "us":
        return word[:-1]
    return word
